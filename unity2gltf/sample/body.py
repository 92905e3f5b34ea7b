"""The figure's mesh: capsules and balls by formula, smooth weights over the bones, three blend shapes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .meshdata import Frame, MeshContent, Skinning, surface_mesh
from .shapes import Surface, capsule, ellipsoid, join, normals, tangents
from .skeleton import Skeleton

Array = NDArray[np.float64]

MAX_INFLUENCES = 12

TRUNK_BONES = ("Hips", "Spine", "Chest", "UpperChest", "Neck", "Head")
SHAPE_WEIGHTS = (0.0, 25.0, 100.0)
"""The renderer's default weights of Nose, Breathe and Cheeks."""


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """A surface, and the names of the bones that may move it."""

    surface: Surface
    bones: tuple[str, ...]


def body_mesh(skeleton: Skeleton, name: str = "Figure") -> MeshContent:
    """Submesh 0 is the suit, submesh 1 the skin. About 2,500 vertices with 1 to 12 influences each."""
    suit, skin = suit_parts(skeleton), skin_parts(skeleton)
    parts = [*suit, *skin]
    surface = join([part.surface for part in parts])
    cut = sum(len(part.surface.triangles) for part in suit)
    normal = normals(surface.positions, surface.triangles)
    return surface_mesh(
        name,
        surface,
        normal,
        submeshes=(surface.triangles[:cut], surface.triangles[cut:]),
        skin=skinning(parts, skeleton),
        shapes=blend_shapes(surface, normal),
    )


def suit_parts(skeleton: Skeleton) -> list[Part]:
    """Trunk, sleeves, trousers, shoes and eyes."""
    trunk = capsule((0, 0.90, 0), (0, 1.29, -0.01), (0.145, 0.15), 0.68, 28, 24)
    limbs = tuple(side + name for side in ("Left", "Right") for name in ("Shoulder", "UpperArm", "UpperLeg"))
    parts = [Part(trunk, (*TRUNK_BONES, *limbs))]
    for side in ("Left", "Right"):
        bone = dict(zip(skeleton.names, zip(skeleton.heads, skeleton.tails, strict=True), strict=True))
        arm = _tube(bone[side + "UpperArm"][0], *bone[side + "LowerArm"], radii=(0.062, 0.048, 0.036))
        leg = _tube(bone[side + "UpperLeg"][0], *bone[side + "LowerLeg"], radii=(0.088, 0.068, 0.052))
        heel, toe = bone[side + "Foot"]
        shoe = ellipsoid((heel + toe) / 2 - [0, 0.012, -0.01], (0.055, 0.047, 0.125), 14, 9)
        parts += [
            Part(arm, ("UpperChest", *(side + name for name in ("Shoulder", "UpperArm", "LowerArm", "Hand")))),
            Part(leg, ("Hips", *(side + name for name in ("UpperLeg", "LowerLeg", "Foot")))),
            Part(shoe, _present(skeleton, side, ("LowerLeg", "Foot", "Toes"))),
        ]
    eyes = [Part(ellipsoid((x, 1.61, 0.112), (0.017, 0.024, 0.014), 10, 7), ("Head",)) for x in (-0.046, 0.046)]
    return parts + eyes


def skin_parts(skeleton: Skeleton) -> list[Part]:
    """Head, neck and hands."""
    neck = capsule((0, 1.38, -0.01), (0, 1.50, -0.005), (0.052, 0.048), 1.0, 14, 9)
    parts = [
        Part(ellipsoid((0, 1.60, 0), (0.115, 0.145, 0.125), 24, 19), ("UpperChest", "Neck", "Head")),
        Part(ellipsoid((0, 1.575, 0.128), (0.018, 0.022, 0.022), 10, 7), ("Head",)),
        Part(neck, ("UpperChest", "Neck", "Head")),
    ]
    for side in ("Left", "Right"):
        bone = skeleton.names.index(side + "Hand")
        wrist, tip = skeleton.heads[bone], skeleton.tails[bone]
        hand = capsule(wrist * 0.8 + tip * 0.2, wrist * 0.1 + tip * 0.9, (0.034, 0.042), 0.6, 12, 9)
        parts.append(Part(hand, _present(skeleton, side, ("LowerArm", "Hand", "Index", "IndexTip", "Thumb"))))
    return parts


def _present(skeleton: Skeleton, side: str, kinds: tuple[str, ...]) -> tuple[str, ...]:
    """The bones of a side that this skeleton has."""
    return tuple(side + kind for kind in kinds if side + kind in skeleton.names)


def _tube(start: Array, middle: Array, end: Array, radii: tuple[float, float, float]) -> Surface:
    """A limb of 17 rings that bends at its middle joint: a capsule pulled onto the bent line."""
    limb = capsule(start, end, (radii[0], radii[2]), 1.0, 16, 17)
    span = end - start
    share = np.clip((limb.positions - start) @ span / (span @ span), 0.0, 1.0)
    knee = (middle - start) @ span / (span @ span)
    bend = np.interp(share, np.array([0.0, knee, 1.0]), [0.0, 1.0, 0.0])
    smooth = (bend * bend * (3 - 2 * bend))[:, None]
    swelling = (radii[1] / (radii[0] + knee * (radii[2] - radii[0])) - 1.0) * smooth
    line = start + share[:, None] * span
    bent = limb.positions + smooth * (middle - start - knee * span) + swelling * (limb.positions - line)
    return Surface(bent, limb.uv, limb.triangles)


# --- weights ------------------------------------------------------------------------------------------------------


def skinning(parts: list[Part], skeleton: Skeleton) -> Skinning:
    """Weights fall with the fourth power of the distance to a bone, over the bones a part may follow."""
    weights = np.concatenate([_part_weights(part, skeleton) for part in parts])
    return _quantise(weights, skeleton)


def _part_weights(part: Part, skeleton: Skeleton) -> Array:
    bones = skeleton.index(part.bones)
    weights = np.zeros((len(part.surface.positions), len(skeleton.names)))
    distance = _distances(part.surface.positions, skeleton.heads[bones], skeleton.tails[bones])
    weights[:, bones] = 1.0 / (distance**2 + 0.02**2) ** 2
    return weights


def _distances(points: Array, heads: Array, tails: Array) -> Array:
    """(V, B) distance of points (V, 3) to segments."""
    span = tails - heads
    share = ((points[:, None] - heads) * span).sum(-1) / (span * span).sum(-1)
    nearest = heads + np.clip(share, 0.0, 1.0)[..., None] * span
    return np.asarray(np.linalg.norm(points[:, None] - nearest, axis=-1))


def _quantise(weights: Array, skeleton: Skeleton) -> Skinning:
    """Keep the twelve heaviest of each row, in whole units of 1 / 65535; the heaviest takes what rounding leaves."""
    order = np.argsort(-weights, axis=1, kind="stable")[:, :MAX_INFLUENCES]
    heaviest = np.take_along_axis(weights, order, axis=1)
    units = np.floor(heaviest / heaviest.sum(axis=1, keepdims=True) * 65535).astype(np.int64)
    units[:, 0] += 65535 - units.sum(axis=1)
    present = units > 0
    return Skinning(
        offsets=np.concatenate([[0], np.cumsum(present.sum(axis=1))]),
        joints=order[present].astype(np.int32),
        units=units[present],
        bind_poses=skeleton.bind_poses,
        bone_paths=skeleton.paths,
    )


# --- blend shapes -------------------------------------------------------------------------------------------------


def blend_shapes(surface: Surface, normal: Array) -> dict[str, tuple[Frame, ...]]:
    """Nose (longer), Breathe (two frames: the chest first rises, then widens) and Cheeks (rounder)."""
    p = surface.positions
    nose = _bump(p, (0.0, 1.575, 0.14), 0.035) * [0.0, -0.1, 1.0] * 0.09
    chest = _bump(p, (0.0, 1.24, 0.03), 0.17)
    rise, wide = (
        chest * [0.0, 0.02, 0.015],
        chest * np.stack([p[:, 0] * 0.3, 0 * p[:, 0] + 0.03, 0 * p[:, 0] + 0.05], 1),
    )
    cheeks = (_bump(p, (-0.07, 1.56, 0.07), 0.06) + _bump(p, (0.07, 1.56, 0.07), 0.06)) * normal * 0.02
    return {
        "Nose": (_frame(100.0, surface, normal, nose),),
        "Breathe": (_frame(50.0, surface, normal, rise), _frame(100.0, surface, normal, wide)),
        "Cheeks": (_frame(100.0, surface, normal, cheeks, with_tangents=True),),
    }


def _bump(points: Array, centre: tuple[float, float, float], width: float) -> Array:
    """(V, 1) a smooth hill of height 1 that ends at ``width``."""
    square = ((points - centre) ** 2).sum(axis=1, keepdims=True) / width**2
    return np.asarray(np.maximum(0.0, 1.0 - square) ** 2)


def _frame(full_weight: float, surface: Surface, normal: Array, moved: Array, with_tangents: bool = False) -> Frame:
    posed = Surface(surface.positions + moved, surface.uv, surface.triangles)
    turned = normals(posed.positions, posed.triangles)
    index = np.flatnonzero((np.abs(moved) > 1e-7).any(axis=1) | (np.abs(turned - normal) > 1e-6).any(axis=1))
    bent = (tangents(posed, turned) - tangents(surface, normal))[:, :3] if with_tangents else None
    return Frame(full_weight, index, moved[index], (turned - normal)[index], None if bent is None else bent[index])
