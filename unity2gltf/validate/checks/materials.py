"""Materials, textures and images."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...evaluate.document import Gltf
from ...evaluate.fields import Json, as_object, get_index, get_integer, get_list, get_object, get_text
from ..issues import Issue, issue

SIGNATURES = {
    "image/png": b"\x89PNG\r\n\x1a\n",
    "image/jpeg": b"\xff\xd8\xff",
    "image/webp": b"RIFF",
    "image/ktx2": b"\xabKTX 20\xbb\r\n\x1a\n",
}


def check_texture(gltf: Gltf, item: Json, pointer: str) -> Iterator[Issue]:
    """References of a texture (raises where they lead nowhere)."""
    get_index(item, "source", pointer, len(gltf.items("images")))
    get_index(item, "sampler", pointer, len(gltf.items("samplers")))
    yield from ()


def check_image(gltf: Gltf, item: Json, pointer: str) -> Iterator[Issue]:
    """One source, and bytes that begin as their type does."""
    if ("bufferView" in item) == ("uri" in item):
        yield issue("IMAGE_SOURCE", pointer, "an image has either a buffer view or a URI")
    elif "bufferView" in item:
        mime = get_text(item, "mimeType", pointer)
        data, _ = gltf.view(item["bufferView"], f"{pointer}/bufferView")
        if mime not in SIGNATURES or bytes(data[:16]).startswith(SIGNATURES[mime]) is False:
            yield issue("IMAGE_SOURCE", pointer, f"these bytes are not {mime}")


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
