"""Whether pictures can be drawn on this machine, and what to do where not."""

from __future__ import annotations

from importlib import metadata

from ..optional import Unavailable
from .look import SMALLEST
from .pool import Pool

HOW_TO_GET = "pip install 'unity2gltf[preview]'"
LIBRARIES = "it needs OpenGL through EGL, on Debian and Ubuntu the packages libegl1 and libgl1-mesa-dri"


def find_filament() -> str | Unavailable:
    """``filly`` and its version where it is installed; importing it would start nothing yet."""
    try:
        return f"filly {metadata.version('filly')}"
    except metadata.PackageNotFoundError:
        return Unavailable(f"pictures are drawn by the package filly, which is not installed ({HOW_TO_GET})")


def probe_filament() -> str | Unavailable:
    """As :func:`find_filament`, but starts the renderer, too: a machine without OpenGL has no use for it."""
    found = find_filament()
    if isinstance(found, Unavailable):
        return found
    with Pool(SMALLEST, SMALLEST) as pool:
        trouble = pool.start()
    return Unavailable(f"Filament does not start ({trouble}): {LIBRARIES}") if trouble else found
