"""Whether a file's images can be drawn: a renderer draws broken ones as nothing, or tells it in words of its own."""

from __future__ import annotations

import base64
import io
import struct
import zlib
from pathlib import Path

from PIL import Image, UnidentifiedImageError

from ..errors import Unity2GltfError
from ..evaluate.document import Gltf
from ..evaluate.fields import Json, get_text

LONGEST = 16384
"""Pixels of a side: what OpenGL on the CPU takes."""

_FORMATS = ("PNG", "JPEG", "WEBP")
_KTX2 = b"\xabKTX 20\xbb\r\n\x1a\n"
_DECODED = 1 << 26
"""Pixels: of larger images only the head is looked at, as decoding takes seconds."""

_BROKEN = (OSError, SyntaxError, ValueError, EOFError, IndexError, struct.error, zlib.error)
"""What Pillow raises for bytes that are no whole image."""


def check_images(gltf: Gltf) -> None:
    """Decode each PNG, JPEG and WebP. Raises Unity2GltfError for the first that is broken, or too large to draw."""
    for number, item in enumerate(gltf.items("images")):
        if trouble := _trouble(gltf, number, item):
            name = get_text(item, "name", f"/images/{number}", "")
            raise Unity2GltfError(f"image {number}{f' {name!r}' if name else ''} {trouble}")


def _trouble(gltf: Gltf, number: int, item: Json) -> str | None:
    source = _source(gltf, number, item)
    if isinstance(source, bytes) and source.startswith(_KTX2):
        return None
    try:
        with Image.open(io.BytesIO(source) if isinstance(source, bytes) else source, formats=_FORMATS) as image:
            width, height = image.size
            if max(width, height) > LONGEST:
                return f"is {width} x {height} pixels; Filament takes {LONGEST} a side"
            if width * height <= _DECODED:
                image.draft("RGB", (width // 8, height // 8))  # a JPEG is read to its end all the same
                image.load()
    except UnidentifiedImageError:
        return "is no PNG, JPEG, WebP or KTX2 that can be read"
    except _BROKEN as error:
        return f"is broken ({error})"
    return None


def _source(gltf: Gltf, number: int, item: Json) -> bytes | Path:
    """The image's bytes, or its file where that is no KTX2. Raises GlbError and OSError."""
    pointer = f"/images/{number}"
    path = gltf.image_files.get(number)
    if path is not None:
        with path.open("rb") as file:
            head = file.read(len(_KTX2))
        return head if head == _KTX2 else path
    if "bufferView" in item:
        return bytes(gltf.view(item["bufferView"], f"{pointer}/bufferView")[0])
    try:
        return base64.b64decode(get_text(item, "uri", pointer).partition(",")[2], validate=True)
    except ValueError:
        return b""  # which is no image
