"""The state of one file being written: what has been written so far, and where."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pygltflib

from ..codes import ASSET_FAILED, TEXT_REPLACED
from ..diagnostics import Diagnostics, Fault
from ..ir import Asset
from ..source import Source
from .buffers import Buffers, Chunk

if TYPE_CHECKING:
    from .attributes import WrittenGeometry
    from .frames import MorphPlan

GENERATOR = "unity2gltf"
"""Without the version, so that a release does not change every file."""

_SURROGATES = re.compile("[\ud800-\udfff]")


@dataclass(slots=True)
class Context:
    """Made for one file and dropped with it. The lists of ``gltf`` have the indices of the asset's tuples.

    ``extensions`` become extensionsUsed, with ``required`` as extensionsRequired. ``shared_prefix``: images are files
    of their own, ``shared_images`` by name, whose URIs begin with it; None = they stand in the file.
    """

    asset: Asset
    diagnostics: Diagnostics
    custom_attributes: bool = False
    sparse_morphs: bool = False
    gltf: pygltflib.GLTF2 = field(default_factory=lambda: pygltflib.GLTF2(asset=pygltflib.Asset(generator=GENERATOR)))
    buffers: Buffers = field(default_factory=Buffers)
    geometries: dict[int, WrittenGeometry] = field(default_factory=dict)
    morphs: dict[int, MorphPlan] = field(default_factory=dict)
    extensions: set[str] = field(default_factory=set)
    required: set[str] = field(default_factory=set)
    shared_prefix: str | None = None
    shared_images: dict[str, Chunk] = field(default_factory=dict)
    _indices: dict[Hashable, int] = field(default_factory=dict)

    def once(self, key: Hashable, make: Callable[[], int]) -> int:
        """The index made the first time ``key`` was asked for: how accessors, views and samplers are shared."""
        index = self._indices.get(key)
        if index is None:
            index = self._indices[key] = make()
        return index

    def text(self, name: str) -> str:
        """The game's own text, less what UTF-8 cannot hold: a lone surrogate becomes U+FFFD."""
        clean = replace_surrogates(name)
        if clean != name:
            self.diagnostics.add(TEXT_REPLACED, "a name holds lone surrogates; U+FFFD stands for them", name=clean)
        return clean


def replace_surrogates(text: str) -> str:
    return _SURROGATES.sub("\ufffd", text)


def marked(source: Source | None, **more: Any) -> dict[str, Any]:
    """``extras`` with the source mark and whatever else belongs under ``unity``; empty when there is nothing."""
    unity = {**(source.mark() if source else {}), **more}
    return {"unity": unity} if unity else {}


def require(condition: bool, sentence: str, **data: Any) -> None:
    """Hold an asset to its contract where breaking it would make an invalid file. Raises :class:`Fault`."""
    if not condition:
        raise Fault(ASSET_FAILED, sentence, **data)
