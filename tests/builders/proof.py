"""From an asset in Unity's space to the outcome of its round trip, with a way to damage the file in between."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from unity2gltf.diagnostics import Diagnostics
from unity2gltf.emit.document import Document, build_document, glb_bytes
from unity2gltf.evaluate.document import Gltf
from unity2gltf.evaluate.glb import parse_glb
from unity2gltf.ir import Asset
from unity2gltf.normalize.space import to_gltf
from unity2gltf.validate.roundtrip import RoundTrip, roundtrip
from unity2gltf.validate.structure import check_structure

Json = dict[str, Any]


def document_of(asset: Asset) -> Document:
    return build_document(to_gltf(asset, 8, Diagnostics()), Diagnostics())


def written(asset: Asset, damage: Callable[[Json], None] | None = None) -> Gltf:
    """The file, read back from its bytes; ``damage`` changes its JSON first."""
    document = document_of(asset)
    if damage is not None:
        damage(document.json)
    pieces, _ = glb_bytes(document)
    return parse_glb(b"".join(map(bytes, pieces)))


def proven(asset: Asset, level: str = "full") -> RoundTrip:
    """The round trip of a file that also holds up against every check of its structure."""
    gltf = written(asset)
    assert check_structure(gltf) == []
    return roundtrip(asset, gltf, level, diagnostics=Diagnostics(), max_influences=8)


def accessor_bytes(asset: Asset, index: int) -> np.ndarray:
    """The elements of an accessor of the written file."""
    return np.asarray(written(asset).accessor(index))
