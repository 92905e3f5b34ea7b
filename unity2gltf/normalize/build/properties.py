"""``--pointer``: curves of materials and visibility, as channels of KHR_animation_pointer.

What glTF has a property for: an object's active flag and a renderer's enabled flag (KHR_node_visibility), and of a
material what ``ir.Material.properties`` says where it was written, and the tilings of its textures
(KHR_texture_transform); ``lightcurves`` adds lights and cameras. Unity animates the renderer's own copy of a material,
so an animated material is copied for its renderer.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from ...ir import Channel, Curve, Material, Path, TextureUse, placed_properties, texture_places, with_textures
from ...raw import Names
from ..clips.bindings import attribute_name
from ..clips.constant import constant_curve
from ..clips.decoded import DecodedCurve
from ..clips.piecewise import unite
from .context import AssetContext
from .factors import factor_channel
from .lightcurves import light_channels
from .visibility import visibility

GAME_OBJECT = 1

_PREFIX = "material."
_TILING = "_ST"

Property = tuple[int, DecodedCurve]


def pointer_channels(
    properties: Sequence[Property], names: Names, duration: float, context: AssetContext
) -> tuple[list[Channel], list[Property]]:
    """Channels for the properties that glTF has, and the rest. ``properties``: (node, curve) of one clip."""
    channels, properties = light_channels(properties, names, duration, context)
    rest: list[Property] = []
    materials: dict[tuple[int, str], dict[str, Property]] = defaultdict(dict)
    for node, curve in properties:
        text = attribute_name(curve, names)
        base, _, component = text.removeprefix(_PREFIX).partition(".")
        carrier = _carrier(node, context)
        if text == "m_IsActive" and curve.type_id == GAME_OBJECT and curve.curves:
            channels.append(visibility(node, curve))
        elif text == "m_Enabled" and carrier is not None and carrier != node and curve.curves:
            channels.append(visibility(carrier, curve))
        elif base and carrier is not None and curve.curves and _is_written(base, carrier, context):
            materials[carrier, base].setdefault(component, (node, curve))
        else:
            rest.append((node, curve))
    for (carrier, base), parts in materials.items():
        curves = {component: curve.curves[0] for component, (_, curve) in parts.items()}
        made = list(_material_channels(carrier, base, curves, duration, context))
        channels += made
        if not made:
            rest += parts.values()
    return channels, rest


def _carrier(node: int, context: AssetContext) -> int | None:
    """The node that carries the mesh of a GameObject's renderer."""
    for index, other in enumerate(context.nodes):
        if other.mesh is not None and (other.game_object == node or (index == node and other.game_object is None)):
            return index
    return None


def _materials_of(carrier: int, context: AssetContext) -> list[int]:
    mesh = context.meshes[context.nodes[carrier].mesh or 0]
    return list(dict.fromkeys(p.material for p in mesh.primitives if p.material is not None))


def _is_written(base: str, carrier: int, context: AssetContext) -> bool:
    """Is a material property, or tiling, in the file for any of the carrier's materials?"""
    materials = [_drawn(index, carrier, context) for index in _materials_of(carrier, context)]
    return any(base in material.properties or any(_tiled(material, base)) for material in materials)


def _drawn(index: int, carrier: int, context: AssetContext) -> Material:
    """The material as it is written for the carrier's mesh: without textures where that has no coordinates."""
    material = context.materials[index]
    if not context.geometries[context.meshes[context.nodes[carrier].mesh or 0].geometry].uvs:
        material = with_textures(material, lambda _: None)
    return replace(material, properties=placed_properties(material))


def _tiled(material: Material, base: str) -> Iterator[tuple[str, TextureUse]]:
    """(pointer from the material on, use) of each texture whose tiling the property is."""
    for place, use in texture_places(material):
        if base == use.slot + _TILING:
            yield place, use


def _material_channels(
    carrier: int, base: str, curves: dict[str, Curve], duration: float, context: AssetContext
) -> Iterable[Channel]:
    for index in own_materials(carrier, context):
        material = _drawn(index, carrier, context)
        if base in material.properties:
            moved, channel = factor_channel(
                carrier, f"/materials/{index}", base, material, curves, duration, context.diagnostics
            )
            context.materials[index] = replace(context.materials[index], emissive_strength=moved.emissive_strength)
            yield channel
        for place, use in _tiled(material, base):
            transform = f"/materials/{index}/{place}/extensions/KHR_texture_transform"
            yield from _tiling(carrier, transform, use, curves, duration)


def own_materials(carrier: int, context: AssetContext) -> list[int]:
    """The materials of one renderer's mesh, copied for it where other meshes draw with them too."""
    mesh = context.meshes[context.nodes[carrier].mesh or 0]
    used = _materials_of(carrier, context)
    shared = [
        material
        for material in used
        if any(p.material == material for other in context.meshes if other is not mesh for p in other.primitives)
        or sum(node.mesh == context.nodes[carrier].mesh for node in context.nodes) > 1
    ]
    if not shared:
        return used
    copies = {}
    for material in shared:
        copies[material] = len(context.materials)
        context.materials.append(context.materials[material])
    primitives = tuple(replace(p, material=copies.get(p.material, p.material)) for p in mesh.primitives)  # type: ignore[arg-type]
    context.replace_node(carrier, mesh=len(context.meshes))
    context.meshes.append(replace(mesh, primitives=primitives))
    return [copies.get(material, material) for material in used]


def _tiling(
    carrier: int, pointer: str, use: TextureUse, curves: dict[str, Curve], duration: float
) -> Iterable[Channel]:
    """Unity's _ST is scale x, y and offset z, w with v up; glTF's v runs down: offset y is 1 - w - y."""
    sx, sy, ox, oy = (
        curves.get(letter, constant_curve(value))
        for letter, value in zip("xyzw", (*use.scale, *use.offset), strict=True)
    )
    if "x" in curves or "y" in curves:
        yield Channel(node=carrier, path=Path.POINTER, curves=(sx, sy), pointer=f"{pointer}/scale")
    if set(curves) & {"y", "z", "w"}:
        yield Channel(
            node=carrier, path=Path.POINTER, curves=(ox, _one_minus(oy, sy, duration)), pointer=f"{pointer}/offset"
        )


def _one_minus(first: Curve, second: Curve, duration: float) -> Curve:
    """1 - first - second, exactly: cubics at the union of their times."""
    spline = unite([first, second], duration)
    coefficients = -spline.coefficients.sum(axis=2).T
    coefficients[:, 3] += 1.0
    return Curve(times=spline.times, coefficients=coefficients)
