"""A strict reader of .glb and .gltf files, written from the specification (glTF 2.0, chapter 4).

It reads our own output back, so it shares nothing with ``emit``; whatever bends a rule is a :class:`GlbError`.
"""

from __future__ import annotations

import base64
import binascii
import json
import struct
from pathlib import Path
from typing import Any, NoReturn
from urllib.parse import unquote

from .document import Gltf
from .fields import GlbError, Json, as_object, get_integer, get_list, get_object, get_text

COLLECTIONS = (
    "accessors", "animations", "bufferViews", "buffers", "cameras", "images", "materials", "meshes", "nodes",
    "samplers", "scenes", "skins", "textures",
)  # fmt: skip
_MAGIC, _JSON, _BIN = b"glTF", b"JSON", b"BIN\0"


def read_gltf(path: Path, root: Path | None = None) -> Gltf:
    """Read a .glb, or a .gltf with its .bin files. Images in files of their own are located, not read.

    URIs must be relative and stay in the file's folder, or with ``root``, a folder above the file, in that one. Raises
    :class:`GlbError`, and OSError for the file itself.
    """
    data = path.read_bytes()
    if data[:4] == _MAGIC:
        return _assemble(*_chunks(memoryview(data)), path.parent, root)
    return _assemble(_parse(data), None, path.parent, root)


def output_root(path: Path) -> Path:
    """The folder of the run that wrote a file: that of the nearest report.json at or above it, else its own."""
    folders = path.resolve().parents
    return next((folder for folder in folders if (folder / "report.json").is_file()), folders[0])


def parse_glb(data: bytes | memoryview) -> Gltf:
    """A .glb in memory. External buffers are an error, external images are left unlocated."""
    return _assemble(*_chunks(memoryview(data).cast("B")), None)


def _chunks(data: memoryview) -> tuple[Json, memoryview | None]:
    if len(data) < 20:
        raise GlbError("", f"{len(data)} bytes are too few for a GLB")
    magic, version, length = struct.unpack_from("<4sII", data)
    if magic != _MAGIC or version != 2:
        raise GlbError("", f"this is no GLB of version 2 (magic {magic!r}, version {version})")
    if length != len(data):
        raise GlbError("", f"the header says {length} bytes, the file has {len(data)}")
    chunks: list[tuple[bytes, memoryview]] = []
    offset = 12
    while offset < length:
        if length - offset < 8:
            raise GlbError("", f"{length - offset} bytes are left over after the last chunk")
        size, kind = struct.unpack_from("<I4s", data, offset)
        if size % 4 or size > length - offset - 8:
            raise GlbError("", f"chunk {len(chunks)} of {size} bytes is unaligned or passes the end of the file")
        chunks.append((kind, data[offset + 8 : offset + 8 + size]))
        offset += 8 + size
    return _document(chunks)


def _document(chunks: list[tuple[bytes, memoryview]]) -> tuple[Json, memoryview | None]:
    kinds = [kind for kind, _ in chunks]
    if kinds[0] != _JSON or kinds.count(_JSON) > 1:
        raise GlbError("", "the first chunk, and no other, must be JSON")
    if _BIN in kinds[2:]:
        raise GlbError("", "a BIN chunk must be the second one")
    binary = chunks[1][1] if kinds[1:2] == [_BIN] else None
    return _parse(bytes(chunks[0][1])), binary


def _parse(data: bytes) -> Json:
    def refuse(word: str) -> NoReturn:
        raise GlbError("", f"{word} is not JSON")

    def unique(pairs: list[tuple[str, Any]]) -> Json:
        result = dict(pairs)
        if len(result) != len(pairs):
            raise GlbError("", "an object has a key twice")
        return result

    try:
        value = json.loads(data.decode("utf-8"), parse_constant=refuse, object_pairs_hook=unique)
    except (ValueError, RecursionError) as error:
        raise GlbError("", f"the JSON cannot be read ({type(error).__name__}: {error})") from None
    document = as_object(value, "")
    for collection in COLLECTIONS:
        for index, item in enumerate(get_list(document, collection, "")):
            as_object(item, f"/{collection}/{index}")
    version = get_text(get_object(document, "asset", ""), "version", "/asset")
    if version != "2.0":
        raise GlbError("/asset/version", f"{version!r} is not 2.0")
    return document


def _assemble(document: Json, binary: memoryview | None, folder: Path | None, root: Path | None = None) -> Gltf:
    buffers = [
        _buffer(item, f"/buffers/{index}", binary if index == 0 else None, folder, root)
        for index, item in enumerate(document.get("buffers", []))
    ]
    return Gltf(document, buffers, _image_files(document, folder, root) if folder else {})


def _buffer(item: Json, pointer: str, binary: memoryview | None, folder: Path | None, root: Path | None) -> memoryview:
    length = get_integer(item, "byteLength", pointer, low=1)
    if "uri" not in item:
        if binary is None:
            raise GlbError(pointer, "it has no URI and is not the BIN chunk")
        if not 0 <= len(binary) - length <= 3:
            raise GlbError(pointer, f"{length} bytes do not fit the BIN chunk of {len(binary)}")
        return binary[:length]
    data = _uri_bytes(get_text(item, "uri", pointer), f"{pointer}/uri", folder, root)
    if len(data) < length:
        raise GlbError(pointer, f"{length} bytes are declared, {len(data)} are there")
    return memoryview(data)[:length]


def _uri_bytes(uri: str, pointer: str, folder: Path | None, root: Path | None) -> bytes:
    if uri.startswith("data:"):
        head, _, body = uri.partition(",")
        if not head.endswith(";base64"):
            raise GlbError(pointer, "a data URI must be base64")
        try:
            return base64.b64decode(body, validate=True)
        except (binascii.Error, ValueError) as error:
            raise GlbError(pointer, f"the base64 is broken ({error})") from None
    if folder is None:
        raise GlbError(pointer, "a GLB in memory has no files beside it")
    return locate(uri, pointer, folder, root).read_bytes()


def locate(uri: str, pointer: str, folder: Path, root: Path | None = None) -> Path:
    """The file that a relative URI names: it must exist and lie in ``folder`` or below, symbolic links included. With
    ``root`` it may begin with ``..`` and must lie there."""
    name = unquote(uri)
    parts = name.split("/")
    while root is not None and parts[:1] == [".."]:
        del parts[0]
    if not parts or not name or ":" in name or "\\" in name or "\0" in name or ".." in parts or "" in parts:
        raise GlbError(pointer, f"{uri!r} is not a plain relative path")
    try:
        path, home = (folder / name).resolve(), (root or folder).resolve()
        inside, there = path.is_relative_to(home), path.is_file()
        known = root is not None and (home / "report.json").is_file()
    except (OSError, ValueError) as error:
        raise GlbError(pointer, f"{uri!r} cannot be followed ({error})") from None
    if not inside and root is not None and not known:
        raise GlbError(pointer, f"{uri!r} lies outside the folder of the file; the report.json of its run is missing")
    if not inside or not there:
        raise GlbError(pointer, f"{uri!r} is no file in the folder of the {'run' if root else 'document'}")
    return path


def _image_files(document: Json, folder: Path, root: Path | None) -> dict[int, Path]:
    files: dict[int, Path] = {}
    for index, item in enumerate(document.get("images", [])):
        pointer = f"/images/{index}"
        uri = get_text(item, "uri", pointer, "")
        if uri and not uri.startswith("data:"):
            files[index] = locate(uri, f"{pointer}/uri", folder, root)
    return files
