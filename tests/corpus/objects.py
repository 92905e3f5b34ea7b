"""Walks over the objects of real files."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from unity2gltf.diagnostics import Diagnostics
from unity2gltf.extract.content import ContentRoot
from unity2gltf.extract.game import open_game
from unity2gltf.source import Source

VERSION = "2020.3.33f1"
"""Of the files of the corpus that name none."""


def objects_below(
    folder: Path, class_name: str, diagnostics: Diagnostics | None = None
) -> Iterator[tuple[ContentRoot, Source]]:
    """Every object of a class with its root, which is closed once its objects were walked."""
    for root in open_game(folder, unity_version=VERSION, diagnostics=diagnostics).roots:
        for source in root.objects(class_name):
            yield root, source
        root.close()
