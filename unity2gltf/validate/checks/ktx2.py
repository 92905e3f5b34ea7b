"""KTX2 images as KHR_texture_basisu wants them, which the Khronos validator does not look at."""

from __future__ import annotations

import struct
from collections.abc import Iterator

from ...evaluate.document import Gltf
from ...evaluate.fields import Json, get_object
from ..issues import Issue, issue
from .materials import image_head, texture_slots

MIME = "image/ktx2"
EXTENSION = "KHR_texture_basisu"

_HEADER = struct.Struct("<12s9I4I")
_DESCRIPTOR = 12  # bytes of the data format descriptor before colour model, primaries and transfer function
_HEAD = _HEADER.size + 16 + 24 * 15 + _DESCRIPTOR + 4  # header, two 64-bit fields, the index of 15 levels
_SCHEMES = {163: (1,), 166: (0, 2)}
"""Supercompression by colour model: ETC1S is BasisLZ, UASTC is plain or Zstandard."""
_LINEAR, _SRGB = 1, 2

_COLOURS = frozenset(("baseColorTexture", "emissiveTexture", "sheenColorTexture", "specularColorTexture"))
"""Texture slots of a material that hold colours of the sRGB curve."""
_ALPHA = frozenset(("specularTexture", "sheenRoughnessTexture"))
"""Slots of which alpha alone is read, which follows no curve in either."""


def check_ktx2(gltf: Gltf, item: Json, pointer: str) -> Iterator[Issue]:
    """A KTX2 image is 2D, of sides divisible by 4, has one mip or all, and is ETC1S or UASTC."""
    if item.get("mimeType") != MIME:
        return
    head = image_head(gltf, item, pointer, _HEAD)
    if head is not None and (reason := _reason(head)):
        yield issue("KTX2_INVALID", pointer, reason)


def _reason(head: bytes) -> str | None:
    """What is wrong with a file that begins so."""
    if len(head) < _HEADER.size:
        return "the header is cut off"
    _, form, _, width, height, depth, layers, faces, levels, scheme, *_ = _HEADER.unpack_from(head)
    if form or depth or layers or faces != 1:
        return f"it is no 2D image for any GPU (vkFormat {form}, depth {depth}, {layers} layers, {faces} faces)"
    if not width or not height or width % 4 or height % 4:
        return f"{width} x {height} pixels are not divisible by 4"
    if levels not in (1, max(width, height).bit_length()):
        return f"{levels} levels are neither one nor all"
    model, _ = _coding(head)
    if scheme not in _SCHEMES.get(model, ()):
        return f"colour model {model} with supercompression {scheme} is neither ETC1S nor UASTC"
    return None


def _coding(head: bytes) -> tuple[int, int]:
    """(colour model, transfer function), 0 where they are cut off."""
    start = int.from_bytes(head[48:52], "little") + _DESCRIPTOR
    model, _, transfer = head[start : start + 3] if len(head) >= start + 3 else (0, 0, 0)
    return model, transfer


def check_curves(gltf: Gltf) -> Iterator[Issue]:
    """Colours are sRGB, data is linear: a reader goes by the file's own words, since KTX2 has them."""
    for number, material in enumerate(gltf.items("materials")):
        for where, slot in texture_slots(material, f"/materials/{number}"):
            key = where.rpartition("/")[2]
            transfer, wanted = _transfer(gltf, slot.get("index")), _SRGB if key in _COLOURS else _LINEAR
            if key not in _ALPHA and transfer not in (None, wanted):
                name = "sRGB" if wanted == _SRGB else "linear"
                yield issue("KTX2_CURVE", where, f"its image has transfer function {transfer}; it must be {name}")


def _transfer(gltf: Gltf, texture: object) -> int | None:
    """The transfer function of a texture's KTX2 image; None for one of another type (or for a broken reference, which
    is told elsewhere)."""
    if not isinstance(texture, int) or not 0 <= texture < len(gltf.items("textures")):
        return None
    pointer = f"/textures/{texture}"
    extensions = get_object(gltf.items("textures")[texture], "extensions", pointer)
    source = get_object(extensions, EXTENSION, pointer).get("source")
    if not isinstance(source, int) or not 0 <= source < len(gltf.items("images")):
        return None
    image = gltf.items("images")[source]
    head = image_head(gltf, image, f"/images/{source}", _HEAD) if image.get("mimeType") == MIME else None
    return None if head is None or len(head) < _HEADER.size else _coding(head)[1]
