"""PackedBitVectors: integers or quantised floats of meshes and of compressed curves, as stored."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..raw import RawPacked


def read_packed(fields: Mapping[str, Any]) -> RawPacked:
    """One vector. ``range`` and ``start`` are of the float kind only; that of quaternions has no bit size: 0."""
    return RawPacked(
        num_items=int(fields["m_NumItems"]),
        bit_size=int(fields.get("m_BitSize", 0)),
        data=np.asarray(fields["m_Data"], np.uint8),
        range=float(fields.get("m_Range", 0.0)),
        start=float(fields.get("m_Start", 0.0)),
    )
