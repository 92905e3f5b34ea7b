"""Outputs get their last names: files are moved, and a .gltf is told how its parts are called now."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import quote, unquote_to_bytes

from ..codes import OUTPUT_UNWRITABLE
from ..diagnostics import Fault
from ..errors import OutputError
from .serialise import json_bytes
from .write import NO_MORE_FILES, write_atomic


def relocate(out: Path, files: Sequence[str], target: str) -> tuple[str, ...]:
    """Move an output, its main file first in ``files``, to the path ``target`` without extension. All paths are
    relative to ``out``. Files of other folders (shared images) stay. Returns the new paths.

    Raises :class:`Fault` OUTPUT_UNWRITABLE where something else is in the way, and OutputError when no file can be
    written any more.
    """
    main = PurePosixPath(files[0])
    parts = {name: _renamed(name, main, target) for name in files}
    try:
        for old, new in reversed(parts.items()):  # the file that names the others comes last
            if old == new:
                continue
            (out / new).parent.mkdir(parents=True, exist_ok=True)
            if old == files[0] and main.suffix == ".gltf":
                write_atomic(out / new, [_with_names((out / old).read_bytes(), main.stem, PurePosixPath(new).stem)])
                (out / old).unlink()
            else:
                (out / old).replace(out / new)
    except OSError as error:
        if error.errno in NO_MORE_FILES:
            raise OutputError(f"{out / target} cannot be written: {error.strerror}") from error
        name = PurePosixPath(target).name
        message = f"{name}{main.suffix} cannot be written: {error.strerror or error}"
        raise Fault(OUTPUT_UNWRITABLE, message, path=f"{name}{main.suffix}") from error
    return tuple(parts.values())


def _renamed(name: str, main: PurePosixPath, target: str) -> str:
    path = PurePosixPath(name)
    if path.parent != main.parent:
        return name
    return f"{target}{path.name[len(main.stem) :]}"


def _with_names(data: bytes, old: str, new: str) -> bytes:
    """A .gltf whose URIs of files named after ``old`` name those after ``new``."""
    document: dict[str, Any] = json.loads(data)
    before = os.fsencode(f"{old}.")
    for item in (*document.get("buffers", ()), *document.get("images", ())):
        name = unquote_to_bytes(item.get("uri", ""))
        if name.startswith(before):
            item["uri"] = quote(os.fsencode(new) + name[len(before) - 1 :])
    return json_bytes(document)
