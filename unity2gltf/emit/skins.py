"""Skins: joints and inverse bind matrices."""

from __future__ import annotations

import numpy as np
import pygltflib

from ..ir import F32, Skin
from .accessors import add_accessor
from .context import Context, marked, require


def write_skins(context: Context) -> None:
    """One glTF skin for each of the asset's, in order."""
    for skin in context.asset.skins:
        context.gltf.skins.append(_skin(context, skin))


def _skin(context: Context, skin: Skin) -> pygltflib.Skin:
    nodes = len(context.asset.nodes)
    require(len(skin.joints) > 0, "A skin without joints cannot be written.")
    require(all(0 <= joint < nodes for joint in skin.joints), "A skin names a node that does not exist.")
    _check_inverse_bind(skin)
    columns = np.ascontiguousarray(skin.inverse_bind.transpose(0, 2, 1))  # glTF stores columns, the IR rows
    return pygltflib.Skin(
        name=context.text(skin.name),
        joints=list(skin.joints),
        inverseBindMatrices=context.once(("inverse bind", columns.tobytes()), lambda: add_accessor(context, columns)),
        skeleton=skin.skeleton,
        extras=marked(skin.source),
    )


def _check_inverse_bind(skin: Skin) -> None:
    matrices: F32 = skin.inverse_bind
    require(matrices.shape == (len(skin.joints), 4, 4), "A skin has not as many inverse bind matrices as joints.")
    require(bool((matrices[:, 3] == (0, 0, 0, 1)).all()), "An inverse bind matrix is not affine.")
