"""``unity2gltf doctor``: versions, optional parts that were found, and how to get the rest."""

from __future__ import annotations

import platform
import sys
from collections.abc import Iterator
from typing import Annotated

import typer

from ..optional import Unavailable
from .output import print_json, table

REQUIRED = ("UnityPy", "numpy", "pygltflib", "typer", "rich", "pillow", "isal", "texture2ddecoder", "astc-encoder-py")

Row = tuple[str, str, str]


def run(json_: Annotated[bool, typer.Option("--json", help="One JSON document on stdout.")] = False) -> None:
    """Show versions, optional parts, and how to get what is missing; exit 1 when a needed package is missing."""
    from .. import __version__

    rows = [
        ("unity2gltf", __version__, ""),
        ("Python", platform.python_version(), sys.executable),
        *((name, *_package(name)) for name in REQUIRED),
        *_optional(),
    ]
    if json_:
        print_json([{"part": part, "state": state, "note": note} for part, state, note in rows])
    else:
        table(("part", "state", "note"), rows)
    missing = [part for part, state, _ in rows if state == "missing"]
    raise typer.Exit(1 if missing else 0)


def _package(name: str) -> tuple[str, str]:
    from importlib import metadata

    try:
        return metadata.version(name), ""
    except metadata.PackageNotFoundError:
        return "missing", f"pip install {name}"


def _optional() -> Iterator[Row]:
    """Parts that some commands use. Each is really looked for; Filament is started, as it needs more than a package."""
    from ..batch.executors import dask
    from ..normalize.textures import ktx2
    from ..preview import filament
    from ..preview.viewer import bundle
    from ..validate import khronos

    for part, found in (
        ("Khronos validator", khronos.find_khronos(None)),
        ("KTX2 encoder", ktx2.find_encoder()),
        ("Filament (preview)", filament.probe_filament()),
        ("model-viewer (view)", bundle.find_model_viewer(None)),
        ("Dask (--dask)", dask.find_distributed()),
    ):
        if isinstance(found, Unavailable):
            yield part, "not found", found.reason
        else:
            yield part, "found", str(found)
