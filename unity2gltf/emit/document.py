"""The document: glTF JSON beside its binary chunks, and the two ways to lay it out as files."""

from __future__ import annotations

import gc
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import pygltflib

from ..diagnostics import Diagnostics
from ..ir import Asset, Space, Topology
from .animations import write_animations
from .buffers import Chunk, aligned, lay_out, padded
from .cameras import write_cameras
from .context import Context
from .contract import IMAGE_SUFFIXES, check_asset
from .extensions.lights_punctual import write_lights
from .extensions.vrm import write_vrm
from .materials import reserve_materials, write_unused_materials
from .meshes import write_meshes
from .nodes import write_nodes
from .serialise import json_bytes, to_json
from .skins import write_skins
from .textures import uri, write_textures

_HEADER_BYTES, _CHUNK_HEADER_BYTES = 12, 8
_JSON_CHUNK, _BIN_CHUNK = 0x4E4F534A, 0x004E4942


@dataclass(frozen=True, slots=True, eq=False)
class Document:
    """``json`` is laid out in one buffer; ``chunks[i]`` holds the bytes of ``bufferViews[i]``, those of images last.

    ``stats`` counts what report.json wants of an asset, but for the bytes, which depend on how it is written.
    ``shared_images``: files for ``shared.write_shared`` that the document refers to, by name.
    """

    json: dict[str, Any]
    chunks: list[Chunk]
    stats: dict[str, int]
    shared_images: dict[str, Chunk] = field(default_factory=dict)


def build_document(
    asset: Asset,
    diagnostics: Diagnostics,
    *,
    custom_attributes: bool = False,
    sparse_morphs: bool = False,
    shared_prefix: str | None = None,
) -> Document:
    """Write ``asset``, which must be in glTF space, as a document that shares the memory of its arrays.

    ``custom_attributes``: colours that the shader ignores and wide UVs become attributes (``_COLOR``, ``_UVn``) instead
    of accessors named in the primitive's extras. ``sparse_morphs``: morph targets are sparse where that is smaller.
    ``shared_prefix`` (see ``shared``): images become files of their own, whose URIs begin with it.

    Raises :class:`Fault` where the asset breaks its contract so that no valid file could come of it.
    """
    if asset.space is not Space.GLTF:
        raise ValueError("only an asset in glTF space can be written")
    check_asset(asset)
    context = Context(asset, diagnostics, custom_attributes, sparse_morphs, shared_prefix=shared_prefix)
    with _without_collector():
        reserve_materials(context)
        write_meshes(context)
        write_skins(context)
        write_lights(context)
        write_cameras(context)
        write_nodes(context)
        write_vrm(context)
        write_unused_materials(context)
        write_animations(context)
        write_textures(context)
        return _finish(context)


def glb_bytes(document: Document) -> tuple[list[Chunk], int]:
    """The pieces of a binary glTF in order, and their length in all: header, JSON chunk, BIN chunk (if any)."""
    text = json_bytes(document.json)
    text += b" " * (-len(text) % 4)
    pieces: list[Chunk] = [struct.pack("<II", len(text), _JSON_CHUNK), text]
    length = sum(aligned(len(chunk)) for chunk in document.chunks)
    if document.chunks:
        pieces += [struct.pack("<II", length, _BIN_CHUNK), *padded(document.chunks)]
    total = _HEADER_BYTES + sum(len(piece) for piece in pieces)
    # a file past 4 GiB has no length that fits; the caller sees it by the total and writes a .gltf instead
    return [struct.pack("<4sII", b"glTF", 2, min(total, 0xFFFFFFFF)), *pieces], total


def gltf_files(document: Document, stem: str, limit: int | None = None) -> dict[str, list[Chunk]]:
    """The files of a .gltf by name, the .gltf first: buffers as ``stem.bin`` (``stem.buffer1.bin`` and on where a
    buffer would pass ``limit`` bytes), images as ``stem.image<n>`` with the suffix of their format. URIs are relative
    and percent-encoded."""
    json = dict(document.json)
    files: dict[str, list[Chunk]] = {f"{stem}.gltf": []}
    views = document.json.get("bufferViews", [])
    image_views = {image["bufferView"] for image in json.get("images", ()) if "bufferView" in image}
    kept = len(views) - len(image_views)
    places, lengths = lay_out((len(chunk) for chunk in document.chunks[:kept]), limit)
    names = [f"{stem}.bin" if number == 0 else f"{stem}.buffer{number}.bin" for number in range(len(lengths))]
    files.update({name: [] for name in names})
    for chunk, (buffer, _) in zip(document.chunks[:kept], places, strict=True):
        files[names[buffer]] += padded([chunk])
    _set(json, "bufferViews", [_placed(view, *place) for view, place in zip(views, places, strict=False)])
    _set(json, "buffers", [{"uri": uri(n), "byteLength": length} for n, length in zip(names, lengths, strict=True)])
    _set(json, "images", [_external(document, image, kept, stem, files) for image in json.get("images", ())])
    files[f"{stem}.gltf"].append(json_bytes(json))
    return files


@contextmanager
def _without_collector() -> Iterator[None]:
    """Pause the cycle collector: a big file is many thousand small objects, none of them in a cycle, and walking
    them over and over takes two thirds of the time."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _finish(context: Context) -> Document:
    gltf, buffers = context.gltf, context.buffers
    gltf.extensionsUsed = sorted(context.extensions)
    gltf.extensionsRequired = sorted(context.required)
    places, lengths = lay_out(len(chunk) for chunk in buffers.chunks)
    gltf.buffers = [pygltflib.Buffer(byteLength=length) for length in lengths]
    gltf.bufferViews = buffers.views
    json = to_json(gltf)
    _set(json, "bufferViews", [_placed(v, *p) for v, p in zip(json.get("bufferViews", ()), places, strict=True)])
    return Document({"asset": json.pop("asset"), **json}, buffers.chunks, _stats(context), context.shared_images)


def _set(json: dict[str, Any], key: str, items: list[dict[str, Any]]) -> None:
    """glTF has no empty lists."""
    json.pop(key, None)
    if items:
        json[key] = items


def _placed(view: dict[str, Any], buffer: int, offset: int) -> dict[str, Any]:
    placed = {key: value for key, value in view.items() if key not in ("buffer", "byteOffset")}
    return {"buffer": buffer, **({"byteOffset": offset} if offset else {}), **placed}


def _external(
    document: Document, image: dict[str, Any], first: int, stem: str, files: dict[str, list[Chunk]]
) -> dict[str, Any]:
    """The image with a URI for its view; views are numbered from ``first``, so equal images share a file."""
    if "bufferView" not in image:
        return image
    name = f"{stem}.image{image['bufferView'] - first}.{IMAGE_SUFFIXES[image['mimeType']]}"
    files[name] = [document.chunks[image["bufferView"]]]
    return {**{key: value for key, value in image.items() if key != "bufferView"}, "uri": uri(name)}


def _stats(context: Context) -> dict[str, int]:
    asset = context.asset
    triangles = sum(
        len(submesh.indices) // 3
        for mesh in asset.meshes
        for submesh in (asset.geometries[mesh.geometry].submeshes[primitive.submesh] for primitive in mesh.primitives)
        if submesh.topology is Topology.TRIANGLES
    )
    return {
        "nodes": len(asset.nodes),
        "meshes": len(asset.meshes),
        "vertices": sum(asset.geometries[index].vertex_count for index in context.geometries),
        "triangles": triangles,
        "joints": sum(len(skin.joints) for skin in asset.skins),
        "morph_targets": sum(len(context.geometries[mesh.geometry].targets) for mesh in asset.meshes),
        "clips": len(context.gltf.animations),
        "channels": sum(len(animation.channels) for animation in context.gltf.animations),
        "textures": len(asset.textures),
    }
