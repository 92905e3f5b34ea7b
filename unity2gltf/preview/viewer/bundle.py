"""model-viewer, the web component that draws glTF: JavaScript that the user installs from npm, never part of ours."""

from __future__ import annotations

import os
from pathlib import Path

from ...optional import Unavailable

ENVIRONMENT = "UNITY2GLTF_MODEL_VIEWER"
PACKAGE = "@google/model-viewer"
HOW_TO_GET = f"npm i --ignore-scripts --prefix .cache/viewer {PACKAGE}, or name it with --viewer"

_NAMES = ("model-viewer-umd.min.js", "model-viewer.min.js", "model-viewer-umd.js", "model-viewer.js")
_INSIDE = ("", "dist", f"{PACKAGE}/dist", f"node_modules/{PACKAGE}/dist")


def find_model_viewer(explicit: str | None) -> Path | Unavailable:
    """The component's JavaScript with all that it needs in one file.

    ``explicit``: the file, its folder, or a folder that holds ``node_modules``; then the environment variable
    UNITY2GLTF_MODEL_VIEWER, ``./.cache/viewer``, and ``node_modules`` here or beside the package.
    """
    wanted = explicit or os.environ.get(ENVIRONMENT)
    if wanted:
        found = _script_in(Path(wanted))
        return found or Unavailable(f"{wanted} is not, and does not hold, {_NAMES[0]} of the npm package {PACKAGE}")
    beside = Path(__file__).resolve().parents[3]
    for folder in (Path(".cache/viewer"), Path(), beside / ".cache/viewer", beside):
        if found := _script_in(folder):
            return found
    return Unavailable(f"model-viewer is not installed ({HOW_TO_GET})")


def find_decoders(script: Path) -> Path | None:
    """The folder of decoders (of KTX2 images, Draco) of three.js, which npm puts beside model-viewer."""
    modules = (folder for folder in script.parents if folder.name == "node_modules")
    return next((path for folder in modules if (path := folder / "three/examples/jsm/libs").is_dir()), None)


def _script_in(place: Path) -> Path | None:
    if place.is_file():
        return place.resolve() if place.suffix == ".js" else None
    candidates = (place / folder / name for folder in _INSIDE for name in _NAMES)
    return next((path.resolve() for path in candidates if path.is_file()), None)
