"""A file as model-viewer takes it: version 4 fails at primitives without a material, so they get one, of no properties.

The bytes of the file on the disk, and what ``/files/`` gives, stay as they are.
"""

from __future__ import annotations

import json
import os
import struct
from pathlib import Path

_HEAD = struct.Struct("<4sIII4s")
_LARGEST = 256 << 20
"""Bytes of JSON that are looked at."""

_MOST = 0xFFFFFFFF
"""Bytes that a GLB can have."""


def patched_head(path: Path) -> tuple[bytes, int]:
    """What to send instead of the first bytes of the file, and how many of them that stands for: usually none."""
    with path.open("rb") as file:
        head = file.read(_HEAD.size)
        if len(head) == _HEAD.size and head[:4] == b"glTF":
            magic, version, length, size, kind = _HEAD.unpack(head)
            honest = _HEAD.size + size <= length == os.fstat(file.fileno()).st_size  # else its reader says so
            text = _with_materials(file.read(size)) if honest and kind == b"JSON" and size <= _LARGEST else None
            if text is None:
                return b"", 0
            text += b" " * (-len(text) % 4)
            length += len(text) - size
            if length > _MOST:
                return b"", 0
            return _HEAD.pack(magic, version, length, len(text), kind) + text, _HEAD.size + size
        if path.suffix.lower() == ".gltf":
            data = head + file.read(_LARGEST)
            text = _with_materials(data)
            return (text, len(data)) if text is not None else (b"", 0)
    return b"", 0


def _with_materials(data: bytes) -> bytes | None:
    """The document with a material of all defaults where there was none; None where that is nowhere."""
    try:
        document = json.loads(data)
        materials = document.get("materials", [])
        bare = [item for mesh in document["meshes"] for item in mesh["primitives"] if "material" not in item]
        for item in bare:
            item["material"] = len(materials)
        if not bare:
            return None
        return json.dumps(document | {"materials": [*materials, {}]}, separators=(",", ":")).encode()
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None  # the browser and the check say what is wrong with it
