"""A document as named parts with flat fields, so that two of them can be compared by name and not by index.

References become the names of what they lead to, accessors and images their :class:`Data`: a node more in front then
changes no other part.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from ...evaluate.document import Gltf
from ...evaluate.fields import Json
from .data import Data, accessor_data, image_data, view_data

Fields = dict[str, Any]
"""Values by path within a part (``primitives/0/attributes/POSITION``)."""

_NAMED = {
    "scenes": "scene",
    "nodes": "node",
    "meshes": "mesh",
    "skins": "skin",
    "materials": "material",
    "animations": "animation",
    "cameras": "camera",
    "images": "image",
}
_INSIDE = {*_NAMED, "accessors", "bufferViews", "buffers", "samplers", "textures"}
"""Collections that are parts, or are shown where they are used."""

_REFERENCES = {
    "mesh": "meshes",
    "skin": "skins",
    "camera": "cameras",
    "material": "materials",
    "scene": "scenes",
    "node": "nodes",
    "skeleton": "nodes",
    "nodes": "nodes",
    "children": "nodes",
    "joints": "nodes",
}
_ACCESSORS = {"indices", "inverseBindMatrices", "input", "output"}


def named_parts(gltf: Gltf) -> dict[str, Fields]:
    """Every part by its label, such as ``mesh "Body"``; ``document`` is what belongs to none.

    A broken reference stays a number; what is no glTF at all raises LookupError, TypeError or AttributeError.
    """
    return _Reader(gltf).parts()


class _Reader:
    def __init__(self, gltf: Gltf) -> None:
        self.gltf = gltf
        self.labels = {collection: _labels(gltf, collection, word) for collection, word in _NAMED.items()}
        self._accessors: dict[int, Data] = {}

    def parts(self) -> dict[str, Fields]:
        top = {key: value for key, value in self.gltf.json.items() if key not in _INSIDE}
        found = {"document": dict(_flat(self.resolve(top, "")))}
        for collection, labels in self.labels.items():
            for index, item in enumerate(self.gltf.items(collection)):
                found[labels[index]] = dict(_flat(self._part(collection, index, item)))
        return found

    def _part(self, collection: str, index: int, item: Json) -> Any:
        rest = {key: value for key, value in item.items() if key != "name"}
        if collection == "images":
            kept = {key: value for key, value in rest.items() if key not in ("bufferView", "uri")}
            return self.resolve(kept, "") | {"content": image_data(self.gltf, index, item)}
        if collection == "animations":
            kept = {key: value for key, value in rest.items() if key not in ("channels", "samplers")}
            return self.resolve(kept, "") | {"channels": self._channels(item)}
        return self.resolve(rest, "")

    def _channels(self, animation: Json) -> dict[str, Any]:
        """By target and path, each with its sampler."""
        found: dict[str, Any] = {}
        samplers = animation.get("samplers", [])
        for channel in animation.get("channels", []):
            target = self.resolve(channel.get("target", {}), "target")
            key = " ".join(str(value) for _, value in _flat(target))
            sampler = _at(samplers, channel.get("sampler"))
            found[key] = self.resolve(sampler, "sampler") if isinstance(sampler, dict) else sampler
        return found

    def resolve(self, value: Any, key: str) -> Any:
        """A value with its references followed; ``key``: the field that holds it."""
        if isinstance(value, dict):
            if key == "extras":
                return self._extras(value)
            if key == "attributes":
                return {name: self._accessor(index) for name, index in value.items()}
            if key.endswith("Texture") and "index" in value:
                value = value | {"index": self._texture(value["index"])}
            return {name: self.resolve(item, name) for name, item in value.items()}
        if isinstance(value, list):
            if key == "targets":
                return [self.resolve(item, "attributes") for item in value]
            return [self.resolve(item, key) for item in value]
        if key == "pointer" and isinstance(value, str):
            return re.sub(r"^/(\w+)/(\d+)", lambda found: self._label(found[1], int(found[2])) or found[0], value)
        return self._reference(value, key)

    def _reference(self, value: Any, key: str) -> Any:
        if type(value) is not int:
            return value
        if key in _REFERENCES:
            return self._label(_REFERENCES[key], value) or value
        if key in _ACCESSORS:
            return self._accessor(value)
        return view_data(self.gltf, value) if key == "bufferView" else value

    def _label(self, collection: str, index: int) -> str | None:
        label = _at(self.labels.get(collection, []), index)
        return label if isinstance(label, str) else None

    def _accessor(self, index: Any) -> Any:
        if type(index) is not int:
            return index
        if index not in self._accessors:
            self._accessors[index] = accessor_data(self.gltf, index)
        return self._accessors[index]

    def _texture(self, index: Any) -> Any:
        """Where a texture's pixels are, and how they are read."""
        texture = _at(self.gltf.items("textures"), index)
        if not isinstance(texture, dict):
            return index
        sampler = _at(self.gltf.items("samplers"), texture.get("sampler"))
        images = [texture, *texture.get("extensions", {}).values()]  # WebP and KTX2 have their image there
        sources = [self._label("images", item["source"]) for item in images if type(item.get("source")) is int]
        return {"images": ", ".join(map(str, sources)), "sampler": sampler}

    def _extras(self, extras: Json) -> Json:
        """The game's own values as they are, but for the nodes that a mark and a map of human bones name."""
        unity = extras.get("unity")
        if not isinstance(unity, dict):
            return extras
        named: Json = {"node": self._label("nodes", unity["node"])} if type(unity.get("node")) is int else {}
        body = unity.get("humanoid")
        if isinstance(body, dict) and "muscle_limits" in unity:  # of the file
            named["humanoid"] = self._bones(body)
        elif isinstance(body, dict) and isinstance(body.get("bones"), dict):  # of a rig
            named["humanoid"] = body | {"bones": self._bones(body["bones"])}
        return extras | {"unity": unity | named}

    def _bones(self, bones: Json) -> Json:
        return {bone: self._label("nodes", node) or node for bone, node in bones.items()}


def _at(items: Any, index: Any) -> Any:
    return items[index] if type(index) is int and 0 <= index < len(items) else None


def _labels(gltf: Gltf, collection: str, word: str) -> list[str]:
    """One for each item; those of one name are counted."""
    seen: Counter[str] = Counter()
    labels = []
    for item in gltf.items(collection):
        label = f'{word} "{item["name"]}"' if "name" in item else f"{word} without a name"
        seen[label] += 1
        labels.append(label if seen[label] == 1 else f"{label} #{seen[label]}")
    return labels


def _flat(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Leaves by path; a list of plain values is one leaf, so that a vector is one change."""
    if isinstance(value, dict) and value:
        for key, item in value.items():
            yield from _flat(item, f"{path}/{key}" if path else str(key))
    elif isinstance(value, list) and any(isinstance(item, dict | list | Data) for item in value):
        for place, item in enumerate(value):
            yield from _flat(item, f"{path}/{place}" if path else str(place))
    elif path or value:  # a part without any field has none
        yield path, value
