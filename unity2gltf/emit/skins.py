"""Skins: joints and inverse bind matrices."""

from __future__ import annotations

import numpy as np
import pygltflib

from ..ir import Skin
from .accessors import add_accessor
from .context import Context, marked


def write_skins(context: Context) -> None:
    """One glTF skin for each of the asset's, in order."""
    for skin in context.asset.skins:
        context.gltf.skins.append(_skin(context, skin))


def _skin(context: Context, skin: Skin) -> pygltflib.Skin:
    columns = np.ascontiguousarray(skin.inverse_bind.transpose(0, 2, 1))  # glTF stores columns, the IR rows
    return pygltflib.Skin(
        name=context.text(skin.name),
        joints=list(skin.joints),
        inverseBindMatrices=context.once(("inverse bind", columns.tobytes()), lambda: add_accessor(context, columns)),
        skeleton=skin.skeleton,
        extras=marked(skin.source),
    )
