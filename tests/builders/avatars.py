"""A humanoid prefab in Unity's space, made by hand: 21 bones, a body that hangs on them, and a face with shapes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from unity2gltf.ir import Asset, BlendShape, Humanoid, Mesh, Node, Primitive, Skin, Space
from unity2gltf.math3d import compose
from unity2gltf.options import Options

from .assets import asset, frame, geometry, ragged, shape, submesh
from .raw import source

VRM = Options(vrm=True, vrm_name="{name}", vrm_authors=("Ada",), vrm_license="https://vrm.dev/licenses/1.0/")

LIMITS = {
    f"{side} Eye {muscle}": limits
    for side in ("Left", "Right")
    for muscle, limits in (("In-Out", (-20.0, 30.0)), ("Down-Up", (-10.0, 15.0)))
}

_TORSO = {
    "Hips": ("", (0.0, 1.0, 0.0)),
    "Spine": ("Hips", (0.0, 1.1, 0.0)),
    "Chest": ("Spine", (0.0, 1.25, 0.0)),
    "Neck": ("Chest", (0.0, 1.5, 0.0)),
    "Head": ("Neck", (0.0, 1.6, 0.0)),
}
_LEFT = {
    "UpperLeg": ("Hips", (-0.1, 0.95, 0.0)),
    "LowerLeg": ("LeftUpperLeg", (-0.1, 0.5, 0.0)),
    "Foot": ("LeftLowerLeg", (-0.1, 0.1, 0.0)),
    "Shoulder": ("Chest", (-0.05, 1.45, 0.0)),
    "UpperArm": ("LeftShoulder", (-0.2, 1.45, 0.0)),
    "LowerArm": ("LeftUpperArm", (-0.45, 1.45, 0.0)),
    "Hand": ("LeftLowerArm", (-0.7, 1.45, 0.0)),
    "Eye": ("Head", (-0.03, 1.7, 0.08)),
}
BODY = {
    **_TORSO,
    **{f"Left{name}": place for name, place in _LEFT.items()},
    **{f"Right{name}": (above.replace("Left", "Right"), (-x, y, z)) for name, (above, (x, y, z)) in _LEFT.items()},
}
"""Unity's human bones: the bone above, and the place in the T-pose (metres, +X right), parents first."""

_DOWN = {"LeftUpperArm": 0.5, "RightUpperArm": -0.5}  # radians about Z: at rest the arms hang down


def avatar(
    *,
    shapes: Sequence[BlendShape] = (),
    without: Sequence[str] = (),
    top: Node | None = None,
    model: Node | None = None,
) -> Asset:
    """The prefab: ``top``, the rig ``model`` below it (top itself where None), bones, face. ``without``: human bones
    that are nodes, but not mapped."""
    nodes = [top or Node(name="Figure", source=source(100, "GameObject"))]
    if model is not None:
        nodes.append(replace(model, parent=0))
    rig = len(nodes) - 1
    index = {bone: len(nodes) + number for number, bone in enumerate(BODY)}
    t_pose = {index[bone]: (_local(bone), (0.0, 0.0, 0.0, 1.0)) for bone in BODY}
    for bone, (above, _) in BODY.items():
        half = _DOWN.get(bone, 0.0) / 2
        turn = (0.0, 0.0, float(np.sin(half)), float(np.cos(half)))
        parent = index.get(above, rig)
        mark = source(200 + index[bone], "Transform")
        nodes.append(Node(name=bone, source=mark, parent=parent, translation=_local(bone), rotation=turn))
    nodes.append(Node(name="Face", source=source(300, "GameObject"), parent=index["Head"], mesh=1))
    nodes.append(Node(name="Body", source=source(301, "GameObject"), parent=rig))
    renderer = source(302, "SkinnedMeshRenderer")
    nodes.append(Node(name="Body", source=renderer, mesh=0, skin=0, game_object=len(nodes) - 1))
    humanoid = Humanoid(
        rig=rig,
        avatar="FigureAvatar",
        source=source(400, "Avatar"),
        bones={bone: node for bone, node in index.items() if bone not in without},
        limits=LIMITS,
        t_pose=t_pose,
    )
    primitive = (Primitive(submesh=0, material=None),)
    return replace(
        asset(nodes, space=Space.UNITY, name="Figure"),
        geometries=(_body(), _face(shapes)),
        meshes=(
            Mesh(geometry=0, primitives=primitive, influences=ragged([{bone: 1.0} for bone in range(len(BODY))])),
            Mesh(geometry=1, primitives=primitive, weights=(0.0,) * len(shapes)),
        ),
        skins=(_skin(tuple(index.values())),),
        humanoids=(humanoid,),
    )


def smile(name: str = "Joy", *full_weights: float) -> BlendShape:
    """A shape of one frame, or of one each full weight."""
    return shape(name, *(frame(weight, {0: (0.0, weight, 0.0)}) for weight in full_weights or (1.0,)))


def _local(bone: str) -> tuple[float, float, float]:
    above, place = BODY[bone]
    x, y, z = np.subtract(place, BODY[above][1] if above else (0.0, 0.0, 0.0)).tolist()
    return x, y, z


def _body() -> Any:
    """A vertex at each bone, in triangles of three in a row."""
    triangles = [corner for first in range(len(BODY) - 2) for corner in (first, first + 1, first + 2)]
    return geometry([place for _, place in BODY.values()], [submesh(triangles)], name="Body", path_id=1)


def _face(shapes: Sequence[BlendShape]) -> Any:
    corners = [(-0.1, 0.0, 0.1), (0.0, 0.2, 0.1), (0.1, 0.0, 0.1)]
    return geometry(corners, [submesh([0, 1, 2])], name="Face", path_id=2, shapes=tuple(shapes))


def _skin(joints: tuple[int, ...]) -> Skin:
    """Bound in the T-pose."""
    places = np.array([place for _, place in BODY.values()])
    inverse = compose(-places, np.tile((0.0, 0.0, 0.0, 1.0), (len(places), 1)), np.ones_like(places))
    mark = source(302, "SkinnedMeshRenderer")
    return Skin(name="Body", source=mark, joints=joints, inverse_bind=inverse.astype(np.float32), skeleton=0)
