"""``--pointer``: curves of materials and visibility, as channels of KHR_animation_pointer.

What glTF has a property for in the files of this version: an object's active flag and a renderer's enabled flag
(KHR_node_visibility), the base colour factor, and the tiling of the base colour texture (KHR_texture_transform). Unity
animates the renderer's own copy of a material, so an animated material is copied for its renderer.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from ... import codes
from ...diagnostics import Diagnostics
from ...ir import Channel, Curve, Material, Path, TextureUse
from ...math3d import Array
from ...raw import Names
from ..clips.bindings import attribute_name
from ..clips.constant import constant_curve
from ..clips.cubics import value_at
from ..clips.decoded import DecodedCurve
from ..clips.piecewise import unite
from .context import AssetContext

GAME_OBJECT = 1
NODE = "{node}"  # stands for the node's index until the nodes have their last numbers
VISIBLE = f"/nodes/{NODE}/extensions/KHR_node_visibility/visible"

_COLORS = ("_BaseColor", "_Color", "_TintColor")
_TILINGS = ("_BaseMap_ST", "_BaseColorMap_ST", "_MainTex_ST")
_PREFIX = "material."
_GAMMA_PIECES = 64

Property = tuple[int, DecodedCurve]


def pointer_channels(
    properties: Sequence[Property], names: Names, duration: float, context: AssetContext
) -> tuple[list[Channel], list[Property]]:
    """Channels for the properties that glTF has, and the rest. ``properties``: (node, curve) of one clip."""
    channels: list[Channel] = []
    rest: list[Property] = []
    materials: dict[tuple[int, str], dict[str, Property]] = defaultdict(dict)
    for node, curve in properties:
        text = attribute_name(curve, names)
        base, _, component = text.removeprefix(_PREFIX).rpartition(".")
        carrier = _carrier(node, context)
        if text == "m_IsActive" and curve.type_id == GAME_OBJECT and curve.curves:
            channels.append(_visibility(node, curve))
        elif text == "m_Enabled" and carrier is not None and carrier != node and curve.curves:
            channels.append(_visibility(carrier, curve))
        elif base in _COLORS + _TILINGS and carrier is not None and curve.curves:
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


def _visibility(node: int, curve: DecodedCurve) -> Channel:
    return Channel(node=node, path=Path.POINTER, curves=(_truth(curve.curves[0]),), pointer=VISIBLE)


def _truth(curve: Curve) -> Curve:
    """0 or 1, stepping where the curve's keys do."""
    coefficients = np.zeros_like(curve.coefficients)
    coefficients[:, 3] = curve.coefficients[:, 3] != 0
    return Curve(times=curve.times, coefficients=coefficients)


def _material_channels(
    carrier: int, base: str, curves: dict[str, Curve], duration: float, context: AssetContext
) -> Iterable[Channel]:
    for index in own_materials(carrier, context):
        material = context.materials[index]
        place = f"/materials/{index}/pbrMetallicRoughness"
        if base in _COLORS:
            yield _color(carrier, f"{place}/baseColorFactor", material, curves, duration, context.diagnostics)
        elif material.base_color_texture is not None:
            transform = f"{place}/baseColorTexture/extensions/KHR_texture_transform"
            yield from _tiling(carrier, transform, material.base_color_texture, curves, duration)


def own_materials(carrier: int, context: AssetContext) -> list[int]:
    """The materials of one renderer's mesh, copied for it where other meshes draw with them too."""
    mesh = context.meshes[context.nodes[carrier].mesh or 0]
    used = list(dict.fromkeys(p.material for p in mesh.primitives if p.material is not None))
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


def _color(
    carrier: int,
    pointer: str,
    material: Material,
    curves: dict[str, Curve],
    duration: float,
    diagnostics: Diagnostics,
) -> Channel:
    """Colours are stored in gamma and written linear: red, green and blue follow within ``error``. glTF takes factors
    in 0..1 only: what lies outside is cut, and reported."""
    parts, error, most = [], 0.0, 0.0
    for letter, other, value in zip("rgba", "xyzw", material.base_color, strict=True):
        curve = curves.get(letter, curves.get(other))
        if curve is None:
            parts.append(constant_curve(value))
        else:
            converted, off, excess = _factor(curve, duration, gamma=letter != "a")
            parts.append(converted)
            error, most = max(error, off), max(most, excess)
    if most > 0:
        diagnostics.add(codes.CLIP_COLOR_CUT, f"animated colours leave 0..1 by up to {most:.3g}; cut", excess=most)
    return Channel(
        node=carrier, path=Path.POINTER, curves=tuple(parts), pointer=pointer, exact=error == 0.0, error=error
    )


def _factor(curve: Curve, duration: float, *, gamma: bool) -> tuple[Curve, float, float]:
    """A colour component as straight pieces of its cut (and linear) values, how far these are off at most (at their
    middles), and how far the curve leaves 0..1. A curve that needs neither is returned as it is."""
    spline = unite([curve], duration)
    if not spline.moves:
        steps = spline.coefficients[3, :, 0]
        return _pieces(spline.times, _written(steps, gamma), 0.0), 0.0, _excess(steps)
    splits = np.arange(_GAMMA_PIECES) / _GAMMA_PIECES
    starts = (spline.times[:-1, None] + spline.lengths[:, None] * splits).reshape(-1)
    lengths = np.repeat(spline.lengths / _GAMMA_PIECES, _GAMMA_PIECES)
    row = np.repeat(np.arange(len(spline.lengths)), _GAMMA_PIECES)
    stored = [
        value_at(spline.coefficients[:, row, 0], starts - spline.times[row] + share * lengths)
        for share in (0.0, 0.5, 1.0)
    ]
    excess = max(_excess(values) for values in stored)
    if not gamma and excess == 0:
        return curve, 0.0, 0.0
    begin, middle, end = (_written(values, gamma) for values in stored)
    error = float(np.abs((begin + end) / 2 - middle).max(initial=0.0))
    last = _written(spline.coefficients[3, -1:, 0], gamma)
    times, values = np.append(starts, spline.times[-1]), np.append(begin, last)
    return _pieces(times, values, np.append((end - begin) / lengths, 0.0)), 2 * error, excess


def _excess(values: Array) -> float:
    return float(np.maximum(values - 1.0, -values).max(initial=0.0))


def _written(values: Array, gamma: bool) -> Array:
    """Cut to 0..1, and for colours in gamma made linear by the sRGB curve (IEC 61966-2-1)."""
    cut = np.clip(values, 0.0, 1.0)
    if not gamma:
        return cut
    linear: Array = np.where(cut <= 0.04045, cut / 12.92, ((cut + 0.055) / 1.055) ** 2.4)
    return linear


def _pieces(times: Array, values: Array, slopes: Array | float) -> Curve:
    coefficients = np.zeros((len(values), 4))
    coefficients[:, 2], coefficients[:, 3] = slopes, values
    return Curve(times=times, coefficients=coefficients)


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
