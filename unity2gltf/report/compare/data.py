"""The binary parts of a document, to be compared: by digest, and where that differs in numbers."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field

import numpy as np

from ...errors import Unity2GltfError
from ...evaluate.document import Gltf
from ...evaluate.fields import Json


@dataclass(frozen=True, slots=True)
class Data:
    """An accessor or an image. Equal where what they hold is equal, wherever it lies in the file."""

    digest: str
    about: str
    accessor: int | None = field(default=None, compare=False)


def accessor_data(gltf: Gltf, index: int) -> Data:
    """The elements of an accessor. One that cannot be read is known by what is wrong with it."""
    try:
        values = gltf.stored(index)
        kind = gltf.items("accessors")[index]["type"]
    except (Unity2GltfError, LookupError) as error:
        return Data(str(error), f"unreadable: {error}")
    about = f"{len(values):,} {kind} of {values.dtype.name}"
    normalized = gltf.items("accessors")[index].get("normalized", False)
    return Data(_digest(about.encode() + bytes([bool(normalized)]), np.ascontiguousarray(values).data), about, index)


def image_data(gltf: Gltf, index: int, image: Json) -> Data:
    """The encoded bytes of an image, in the file or beside it."""
    try:
        if "bufferView" in image:
            content = bytes(gltf.view(image["bufferView"], f"/images/{index}")[0])
        elif index in gltf.image_files:
            content = gltf.image_files[index].read_bytes()
        else:
            content = str(image.get("uri", "")).encode("utf-8", "surrogatepass")
    except (Unity2GltfError, OSError) as error:
        return Data(str(error), f"unreadable: {error}")
    return Data(_digest(content), f"{len(content):,} bytes")


def view_data(gltf: Gltf, index: int) -> Data:
    """The bytes of a buffer view that an extension names."""
    try:
        content = bytes(gltf.view(index, "")[0])
    except Unity2GltfError as error:
        return Data(str(error), f"unreadable: {error}")
    return Data(_digest(content), f"{len(content):,} bytes")


def say_difference(old: Gltf, one: Data, new: Gltf, other: Data) -> str:
    """In what two unequal ones differ: ``3 of 24 elements, by up to 0.01``."""
    if one.about != other.about:
        return f"{one.about} -> {other.about}"
    if one.accessor is None or other.accessor is None:
        return f"other content ({one.about})"
    before, after = old.stored(one.accessor), new.stored(other.accessor)
    apart = np.abs(after.astype(np.float64) - before.astype(np.float64)).reshape(len(before), -1).max(axis=1)
    changed = ~(apart == 0)  # a NaN differs from anything
    return f"{np.count_nonzero(changed):,} of {len(before):,} elements differ, by up to {np.max(apart):.3g}"


def _digest(*contents: bytes | memoryview) -> str:
    found = hashlib.sha256()
    for content in contents:
        found.update(content)
    return found.hexdigest()
