"""Files that are either whole or not there: written beside their place, then renamed."""

from __future__ import annotations

import errno
import secrets
from collections.abc import Iterable, Mapping
from pathlib import Path

from ..codes import GLB_TOO_LARGE, OUTPUT_UNWRITABLE
from ..diagnostics import Diagnostics, Fault
from ..errors import OutputError
from .buffers import Chunk
from .context import require
from .document import Document, glb_bytes, gltf_files
from .shared import FOLDER

GLB_MAXIMUM = 0xFFFFFFFF
"""A GLB states its length in 32 bits."""
NO_MORE_FILES = frozenset((errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EPERM, errno.EIO))
"""Errors of the output folder as a whole, not of one file in it."""


def write_atomic(path: Path, chunks: Iterable[Chunk]) -> int:
    """Write a file in one step and return its size. Makes the folders above it. Raises, leaving no trace,
    :class:`Fault` OUTPUT_UNWRITABLE, or OutputError when no other file would fare better.

    The data is flushed to the system, which survives a killed process; a power cut is left to the file system.
    """
    return _write_together({path: chunks})


def write_document(
    document: Document, path: Path, *, format: str, max_glb: int, diagnostics: Diagnostics
) -> list[Path]:
    """Write ``path`` as ``format`` (``glb``, ``gltf``, or ``vrm``: a GLB of that name) and return the files, the main
    one first.

    The suffix of ``path`` follows the format. A GLB that would pass ``max_glb`` bytes becomes a .gltf whose .bin
    files stay below that; the diagnostic tells. The parts are in place before the file that names them. A VRM is one
    file of any size; raises :class:`Fault` where that has no length.
    """
    limit = GLB_MAXIMUM if format == "vrm" else min(max_glb, GLB_MAXIMUM)
    main = _with_suffix(path, format)
    if format != "gltf":
        pieces, size = glb_bytes(document)
        if size <= limit:
            write_atomic(main, pieces)
            return [main]
        require(format == "glb", f"a VRM of {size} bytes is more than one file can hold", bytes=size)
        main = _with_suffix(path, "gltf")
        text = f"the GLB would take {size} bytes and --max-glb is {max_glb}: written as .gltf with .bin files"
        diagnostics.add(GLB_TOO_LARGE, text, bytes=size, limit=limit)
    files = {main.with_name(name): chunks for name, chunks in gltf_files(document, main.stem, limit).items()}
    _write_together(dict(reversed(files.items())))
    return list(files)


def write_shared(images: Mapping[str, Chunk], out: Path) -> None:
    """Write ``images`` (file name to bytes) to the folder of shared images below ``out``. What is there already stays:
    a run meets the same image in many outputs. Raises as :func:`write_atomic` does."""
    for name, data in images.items():
        path = out / FOLDER / name
        if not _holds(path, data):
            write_atomic(path, [data])


def _holds(path: Path, data: Chunk) -> bool:
    try:
        return path.stat().st_size == len(data) and path.read_bytes() == data
    except OSError:  # not there, or no file: writing says what is wrong
        return False


def _with_suffix(path: Path, format: str) -> Path:
    """``a.b`` becomes ``a.b.glb``, ``a.b.gltf`` becomes ``a.b.glb``: names of assets may hold dots."""
    stem = path.stem if path.suffix.lower() in (".glb", ".gltf", ".vrm") else path.name
    return path.with_name(f"{stem}.{format}")


def _write_together(files: Mapping[Path, Iterable[Chunk]]) -> int:
    """Write all files beside their places, then rename them in order; the bytes in all."""
    parts: dict[Path, Path] = {}
    size = 0
    try:
        for path, chunks in files.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            part = parts[path] = path.with_name(f".{secrets.token_hex(8)}.part")
            with part.open("xb") as file:
                size += sum(file.write(chunk) for chunk in chunks)
        for path, part in parts.items():
            part.replace(path)
    except OSError as error:
        if error.errno in NO_MORE_FILES:
            raise OutputError(f"{path} cannot be written: {error.strerror}") from error
        raise Fault(
            OUTPUT_UNWRITABLE, f"{path.name} cannot be written: {error.strerror or error}", path=path.name
        ) from error
    finally:
        for part in parts.values():
            part.unlink(missing_ok=True)
    return size
