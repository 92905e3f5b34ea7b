"""``unity2gltf doctor``: versions, optional parts that were found, and how to get the rest."""

from __future__ import annotations

import platform
import sys
from typing import Annotated

import typer

from .output import print_json, table

REQUIRED = ("UnityPy", "numpy", "pygltflib", "typer", "rich", "pillow", "isal", "texture2ddecoder", "astc-encoder-py")


def run(json_: Annotated[bool, typer.Option("--json", help="One JSON document on stdout.")] = False) -> None:
    """Show versions, optional parts, and how to get what is missing; exit 1 when a needed package is missing."""
    from .. import __version__
    from ..normalize.textures import ktx2
    from ..preview import filament
    from ..preview.viewer import bundle
    from ..validate.khronos import Unavailable, find_khronos

    rows = [
        ("unity2gltf", __version__, ""),
        ("Python", platform.python_version(), sys.executable),
        *((name, *_package(name)) for name in REQUIRED),
    ]
    khronos = find_khronos(None)
    if isinstance(khronos, Unavailable):
        rows.append(("Khronos validator", "not found", khronos.reason))
    else:
        rows.append(("Khronos validator", "found", str(khronos)))
    drawing = filament.probe_filament()
    if isinstance(drawing, filament.Unavailable):
        rows.append(("Filament (preview)", "not found", drawing.reason))
    else:
        rows.append(("Filament (preview)", "found", f"filly {drawing}"))
    viewer = bundle.find_model_viewer(None)
    if isinstance(viewer, bundle.Unavailable):
        rows.append(("model-viewer (view)", "not found", viewer.reason))
    else:
        rows.append(("model-viewer (view)", "found", str(viewer)))
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
