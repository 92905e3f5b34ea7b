"""Materials. A material of the asset has the same index in the file; variants for other UV numberings follow."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import pygltflib

from ..codes import UV_SET_MISSING
from ..ir import AlphaMode, Material, TextureUse
from ..registry import Registry
from .context import Context, marked
from .extensions import MATERIAL, TEXTURE_INFO
from .extensions.unlit import FALLBACK

Json = dict[str, Any]
T = TypeVar("T")


def reserve_materials(context: Context) -> None:
    """Hold the asset's indices free: which UV sets a material reads is known only once a mesh uses it."""
    context.gltf.materials = [None] * len(context.asset.materials)


def material_with_uvs(context: Context, index: int, uv_sets: Mapping[int, int]) -> int:
    """The glTF material that draws asset material ``index`` on a mesh whose Unity UV sets are ``uv_sets`` in glTF.

    The first mesh settles the material itself; a mesh whose sets are numbered otherwise gets a copy, as glTF keeps
    the number of the set in the material. A texture on a set that the mesh lacks uses its first set, or is left out.
    """
    material = context.asset.materials[index]
    coordinate = _coordinate(material.base_color_texture, uv_sets)
    _report_missing(context, material, uv_sets)
    return context.once(("material", index, coordinate), lambda: _place(context, index, coordinate))


def write_unused_materials(context: Context) -> None:
    """Write the materials that no primitive names."""
    for index, written in enumerate(context.gltf.materials[: len(context.asset.materials)]):
        if written is None:
            use = context.asset.materials[index].base_color_texture
            _place(context, index, use.uv if use else None)


def _coordinate(use: TextureUse | None, uv_sets: Mapping[int, int]) -> int | None:
    """The glTF UV set a texture reads, None when there is no texture to read or no set to read it with."""
    if use is None or not uv_sets:
        return None
    return uv_sets.get(use.uv, 0)


def _report_missing(context: Context, material: Material, uv_sets: Mapping[int, int]) -> None:
    use = material.base_color_texture
    if use is not None and use.uv not in uv_sets:
        instead = "its first set is used" if uv_sets else "the texture is left out"
        text = f'material "{context.text(material.name)}" reads UV set {use.uv}, which the mesh lacks; {instead}'
        context.diagnostics.add(UV_SET_MISSING, text, uv=use.uv, sets=sorted(uv_sets))


def _place(context: Context, index: int, coordinate: int | None) -> int:
    """Write a material at the asset's index, or behind all others when that is taken."""
    written = _material(context, context.asset.materials[index], coordinate)
    if context.gltf.materials[index] is None:
        context.gltf.materials[index] = written
        return index
    context.gltf.materials.append(written)
    return len(context.gltf.materials) - 1


def _material(context: Context, material: Material, coordinate: int | None) -> pygltflib.Material:
    masked = material.alpha_mode is AlphaMode.MASK
    metallic, roughness = FALLBACK if material.unlit else (material.metallic, material.roughness)
    return pygltflib.Material(
        name=context.text(material.name),
        pbrMetallicRoughness=pygltflib.PbrMetallicRoughness(
            baseColorFactor=list(material.base_color),
            metallicFactor=metallic,
            roughnessFactor=roughness,
            baseColorTexture=_texture_info(context, material.base_color_texture, coordinate),
        ),
        alphaMode=material.alpha_mode.value,
        alphaCutoff=material.alpha_cutoff if masked else None,
        doubleSided=material.double_sided,
        extensions=_extensions(context, MATERIAL, material),
        extras=marked(material.source, **material.extras),
    )


def _texture_info(context: Context, use: TextureUse | None, coordinate: int | None) -> pygltflib.TextureInfo | None:
    if use is None or coordinate is None:
        return None
    extensions = _extensions(context, TEXTURE_INFO, use)
    return pygltflib.TextureInfo(index=use.texture, texCoord=coordinate, extensions=extensions)


def _extensions(context: Context, handlers: Registry[str, Callable[[T], Json | None]], item: T) -> dict[str, Json]:
    """What each extension says of the item, noted for extensionsUsed."""
    extensions = {}
    for name in handlers:
        handler = handlers.get(name)
        value = handler(item) if handler else None
        if value is not None:
            extensions[name] = value
    context.extensions.update(extensions)
    return extensions
