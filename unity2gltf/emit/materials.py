"""Materials. A material of the asset has the same index in the file; variants for other UV numberings follow."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import pygltflib

from ..codes import UV_SET_MISSING
from ..ir import AlphaMode, Material, TextureUse, texture_uses
from ..registry import Registry
from .context import Context, marked
from .extensions import MATERIAL, TEXTURE_INFO
from .extensions.emissive_strength import split_emissive
from .extensions.unlit import FALLBACK

Json = dict[str, Any]
T = TypeVar("T")

UvSets = Mapping[int, int]
"""glTF's numbers of Unity's UV sets; empty where a mesh has none."""


def reserve_materials(context: Context) -> None:
    """Hold the asset's indices free: which UV sets a material reads is known only once a mesh uses it."""
    context.gltf.materials = [None] * len(context.asset.materials)


def material_with_uvs(context: Context, index: int, uv_sets: UvSets) -> int:
    """The glTF material that draws asset material ``index`` on a mesh whose Unity UV sets are ``uv_sets`` in glTF.

    The first mesh settles the material itself; a mesh whose sets are numbered otherwise gets a copy, as glTF keeps
    the number of the set in the material. A texture on a set that the mesh lacks uses its first set, or is left out.
    """
    material = context.asset.materials[index]
    read = sorted({use.uv for use in texture_uses(material)})
    _report_missing(context, material, read, uv_sets)
    numbers = {uv: uv_sets.get(uv, 0) for uv in read} if uv_sets else {}
    return context.once(("material", index, tuple(numbers.items())), lambda: _place(context, index, numbers))


def write_unused_materials(context: Context) -> None:
    """Write the materials that no primitive names."""
    for index, written in enumerate(context.gltf.materials[: len(context.asset.materials)]):
        if written is None:
            uses = texture_uses(context.asset.materials[index])
            _place(context, index, {use.uv: use.uv for use in uses})


def _report_missing(context: Context, material: Material, read: list[int], uv_sets: UvSets) -> None:
    for uv in read:
        if uv not in uv_sets:
            instead = "its first set is used" if uv_sets else "its textures are left out"
            text = f'material "{context.text(material.name)}" reads UV set {uv}, which the mesh lacks; {instead}'
            context.diagnostics.add(UV_SET_MISSING, text, uv=uv, sets=sorted(uv_sets))


def _place(context: Context, index: int, uv_sets: UvSets) -> int:
    """Write a material at the asset's index, or behind all others when that is taken."""
    written = _material(context, context.asset.materials[index], uv_sets)
    if context.gltf.materials[index] is None:
        context.gltf.materials[index] = written
        return index
    context.gltf.materials.append(written)
    return len(context.gltf.materials) - 1


def _material(context: Context, material: Material, uv_sets: UvSets) -> pygltflib.Material:
    def info(use: TextureUse | None, **more: Any) -> Json | None:
        """A texture info, with what else belongs in it; None where there is no set of coordinates to read."""
        if use is None or use.uv not in uv_sets:
            return None
        extensions = _extensions(context, TEXTURE_INFO, lambda handler: handler(use))
        coordinate = {"texCoord": uv_sets[use.uv]} if uv_sets[use.uv] else {}
        return {"index": use.texture, **coordinate, **more, **({"extensions": extensions} if extensions else {})}

    masked = material.alpha_mode is AlphaMode.MASK
    metallic, roughness = FALLBACK if material.unlit else (material.metallic, material.roughness)
    emissive, _ = split_emissive(material)
    return pygltflib.Material(
        name=context.text(material.name),
        pbrMetallicRoughness=pygltflib.PbrMetallicRoughness(
            baseColorFactor=list(material.base_color),
            metallicFactor=metallic,
            roughnessFactor=roughness,
            baseColorTexture=_typed(pygltflib.TextureInfo, info(material.base_color_texture)),
            metallicRoughnessTexture=_typed(pygltflib.TextureInfo, info(material.metallic_roughness_texture)),
        ),
        normalTexture=_typed(
            pygltflib.NormalMaterialTexture, info(material.normal_texture, scale=material.normal_scale)
        ),
        occlusionTexture=_typed(
            pygltflib.OcclusionTextureInfo, info(material.occlusion_texture, strength=material.occlusion_strength)
        ),
        emissiveFactor=list(emissive),
        emissiveTexture=_typed(pygltflib.TextureInfo, info(material.emissive_texture)),
        alphaMode=material.alpha_mode.value,
        alphaCutoff=material.alpha_cutoff if masked else None,
        doubleSided=material.double_sided,
        extensions=_extensions(context, MATERIAL, lambda handler: handler(material, info)),
        extras=marked(material.source, **material.extras),
    )


def _typed(kind: type[T], info: Json | None) -> T | None:
    return None if info is None else kind(**info)


def _extensions(context: Context, handlers: Registry[str, T], ask: Callable[[T], Json | None]) -> dict[str, Json]:
    """What each extension says, noted for extensionsUsed."""
    extensions = {}
    for name in handlers:
        handler = handlers.get(name)
        value = ask(handler) if handler else None
        if value is not None:
            extensions[name] = value
    context.extensions.update(extensions)
    return extensions
