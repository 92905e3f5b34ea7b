"""Materials, textures and images."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from ...evaluate.document import Gltf
from ...evaluate.fields import Json, as_object, get_index, get_integer, get_list, get_object, get_text
from ..issues import Issue, issue

SIGNATURES = {
    "image/png": re.compile(rb"\x89PNG\r\n\x1a\n"),
    "image/jpeg": re.compile(rb"\xff\xd8\xff"),
    "image/webp": re.compile(rb"RIFF....WEBP", re.DOTALL),
    "image/ktx2": re.compile(rb"\xabKTX 20\xbb\r\n\x1a\n"),
}
SIGNATURE_BYTES = 16

SOURCES = {"EXT_texture_webp": "image/webp", "KHR_texture_basisu": "image/ktx2"}
"""Extensions of a texture that name its image, and the one type that this may have."""
CORE = ("image/png", "image/jpeg")


def check_texture(gltf: Gltf, item: Json, pointer: str) -> Iterator[Issue]:
    """References of a texture (raises where they lead nowhere), to images of the types that each may name."""
    get_index(item, "sampler", pointer, len(gltf.items("samplers")))
    yield from _check_source(gltf, item, pointer, CORE)
    extensions = get_object(item, "extensions", pointer)
    for name in SOURCES.keys() & extensions.keys():
        where = f"{pointer}/extensions/{name}"
        yield from _check_source(gltf, get_object(extensions, name, pointer), where, (SOURCES[name],))


def _check_source(gltf: Gltf, item: Json, pointer: str, types: tuple[str, ...]) -> Iterator[Issue]:
    index = get_index(item, "source", pointer, len(gltf.items("images")))
    if index is not None:
        mime = get_text(gltf.items("images")[index], "mimeType", f"/images/{index}", types[0])
        if mime not in types:
            yield issue("TEXTURE_SOURCE", f"{pointer}/source", f"an image of {mime} stands where {types[0]} belongs")


def check_image(gltf: Gltf, item: Json, pointer: str) -> Iterator[Issue]:
    """One source, and bytes that begin as their type does: in the file, or in a file of their own."""
    if ("bufferView" in item) == ("uri" in item):
        yield issue("IMAGE_SOURCE", pointer, "an image has either a buffer view or a URI")
        return
    # the type of an image in a file of its own may be left to its bytes
    mime = get_text(item, "mimeType", pointer) if "bufferView" in item else get_text(item, "mimeType", pointer, "")
    head = image_head(gltf, item, pointer, SIGNATURE_BYTES)
    if mime and head is not None and (mime not in SIGNATURES or not SIGNATURES[mime].match(head)):
        yield issue("IMAGE_SOURCE", pointer, f"these bytes are not {mime}")


def image_head(gltf: Gltf, item: Json, pointer: str, size: int) -> bytes | None:
    """The first bytes of the image at ``pointer``, at most ``size``; None for a data URI, or where its file is not at
    hand. Raises GlbError for a view that leads nowhere."""
    if "bufferView" in item:
        return bytes(gltf.view(item["bufferView"], f"{pointer}/bufferView")[0][:size])
    path = gltf.image_files.get(int(pointer.rpartition("/")[2]))
    if path is None:
        return None
    try:
        with path.open("rb") as file:
            return file.read(size)
    except OSError:  # no image, whatever it is
        return b""


def check_material(gltf: Gltf, item: Json, pointer: str) -> Iterator[Issue]:
    """Texture references, extensions' included (raises where they lead nowhere)."""
    for where, slot in texture_slots(item, pointer):
        get_integer(slot, "index", where, below=len(gltf.items("textures")))
    yield from ()


def check_coordinates(gltf: Gltf, item: Json, pointer: str) -> Iterator[Issue]:
    """Every primitive has the UV sets that its material reads."""
    for place, value in enumerate(get_list(item, "primitives", pointer)):
        where = f"{pointer}/primitives/{place}"
        primitive = as_object(value, where)
        index = get_index(primitive, "material", where, len(gltf.items("materials")))
        if index is None:
            continue
        for slot_pointer, slot in texture_slots(gltf.items("materials")[index], f"/materials/{index}"):
            number = get_integer(slot, "texCoord", slot_pointer, 0)
            transform = get_object(get_object(slot, "extensions", slot_pointer), "KHR_texture_transform", slot_pointer)
            number = get_integer(transform, "texCoord", slot_pointer, number)
            if f"TEXCOORD_{number}" not in get_object(primitive, "attributes", where):
                yield issue("TEXCOORD_MISSING", where, f"{slot_pointer} reads TEXCOORD_{number}")


def texture_slots(value: Any, pointer: str) -> Iterator[tuple[str, Json]]:
    """The objects under keys that end in ``Texture``, wherever in a material they are; extras are left alone."""
    if isinstance(value, dict):
        for key, inner in value.items():
            where = f"{pointer}/{key}"
            if key.endswith("Texture"):
                yield where, as_object(inner, where)
            elif key != "extras":
                yield from texture_slots(inner, where)
