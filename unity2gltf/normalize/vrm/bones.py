"""Human bones by VRM's names (VRM 1.0, humanoid): which there are, which must be there, and what each hangs on."""

from __future__ import annotations

from collections.abc import Sequence

from ...ir import Humanoid, Node
from ..chains import ancestors
from ..clips.muscles import REQUIRED as UNITY_REQUIRED

_SIDES = ("left", "right")
_FINGERS = {
    "Thumb": ("Metacarpal", "Proximal", "Distal"),
    **dict.fromkeys(("Index", "Middle", "Ring", "Little"), ("Proximal", "Intermediate", "Distal")),
}


def _finger(side: str, name: str) -> dict[str, str]:
    links = [f"{side}{name}{part}" for part in _FINGERS[name]]
    return dict(zip(links, (f"{side}Hand", *links), strict=False))


def _side(side: str) -> dict[str, str]:
    return {
        f"{side}UpperLeg": "hips",
        f"{side}LowerLeg": f"{side}UpperLeg",
        f"{side}Foot": f"{side}LowerLeg",
        f"{side}Toes": f"{side}Foot",
        f"{side}Shoulder": "upperChest",
        f"{side}UpperArm": f"{side}Shoulder",
        f"{side}LowerArm": f"{side}UpperArm",
        f"{side}Hand": f"{side}LowerArm",
        **{bone: above for name in _FINGERS for bone, above in _finger(side, name).items()},
    }


PARENTS: dict[str, str | None] = {
    "hips": None,
    "spine": "hips",
    "chest": "spine",
    "upperChest": "chest",
    "neck": "upperChest",
    "head": "neck",
    "leftEye": "head",
    "rightEye": "head",
    "jaw": "head",
    **{bone: above for side in _SIDES for bone, above in _side(side).items()},
}
"""Each bone and the one that it hangs on, parents first. Where that one is not there, the one above it counts."""

REQUIRED = tuple(bone[0].lower() + bone[1:] for bone in UNITY_REQUIRED)
"""The same as Unity requires of a human avatar."""

_OPTIONAL_PARENTS = ("chest", "upperChest", "neck", "leftShoulder", "rightShoulder")
"""A bone may be there without these, but for upperChest without chest."""

_THUMB = {"ThumbProximal": "ThumbMetacarpal", "ThumbIntermediate": "ThumbProximal"}
"""Unity counts a thumb's bones like those of other fingers; VRM by anatomy."""


def vrm_bone(name: str) -> str:
    """VRM's name of one of Unity's human bones."""
    for unity, vrm in _THUMB.items():
        if name.endswith(unity):
            name = name.removesuffix(unity) + vrm
            break
    return name[:1].lower() + name[1:]


def choose_bones(humanoid: Humanoid, nodes: Sequence[Node]) -> tuple[dict[str, int], list[str]]:
    """Nodes by VRM bone, and VRM's names of those mapped bones that it cannot take: without one that they need, or not
    below the one that they hang on. An upper chest without a chest is the chest."""
    mapped = {vrm_bone(bone): node for bone, node in humanoid.bones.items()}
    if "upperChest" in mapped and "chest" not in mapped:
        mapped["chest"] = mapped.pop("upperChest")
    kept: dict[str, int] = {}
    for bone, parent in PARENTS.items():
        if bone in mapped and _hangs(bone, parent, mapped[bone], kept, nodes):
            kept[bone] = mapped[bone]
    return kept, sorted(mapped.keys() - kept.keys())


def missing_bones(bones: dict[str, int], left_out: Sequence[str]) -> list[str]:
    """The required bones that are not there; where that is so for want of others, only these."""
    missing = [bone for bone in REQUIRED if bone not in bones]
    return [bone for bone in missing if bone not in left_out] or missing


def _hangs(bone: str, parent: str | None, node: int, kept: dict[str, int], nodes: Sequence[Node]) -> bool:
    if parent is None:
        return True
    if parent not in kept and (parent not in _OPTIONAL_PARENTS or bone == "upperChest"):
        return False
    above = parent
    while above not in kept:
        above = PARENTS[above] or ""
        if not above:
            return False
    return kept[above] in ancestors(nodes, node)[1:]
