"""Put the figure into a file: its assets, then its GameObjects, whole or with an optimised hierarchy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..math3d import name_hash
from .body import SHAPE_WEIGHTS, body_mesh
from .controller import State, controller_fields
from .hierarchy import Hierarchy, Item
from .materials import Shelf
from .meshdata import MeshContent, mesh_fields
from .motion import idle_clip, wave_clip
from .props import HAT, PEDESTAL, SKIN, STONE, SUIT, turned_mesh
from .skeleton import Skeleton, build_skeleton
from .values import (
    ANIMATION_CLIP,
    ANIMATOR,
    ANIMATOR_CONTROLLER,
    AVATAR,
    MESH,
    MESH_FILTER,
    MESH_RENDERER,
    SKINNED_MESH_RENDERER,
    bounds,
    pptr,
    xform,
)
from .writer import FileBuilder


@dataclass(frozen=True, slots=True)
class Props:
    """Path ids of the props' parts."""

    stone: int
    hat: int
    pedestal: int


@dataclass(frozen=True, slots=True)
class Assets:
    """Path ids of what the figure is made of."""

    suit: int
    skin: int
    body: int
    avatar: int
    props: Props
    controller: int


def add_assets(shelf: Shelf) -> Assets:
    """Everything the figure and the props need. The texture's pixels and the pedestal's vertices go to the shelf's
    .resS file, the other meshes keep theirs."""
    file, skeleton = shelf.file, build_skeleton()
    return Assets(
        suit=shelf.material(SUIT),
        skin=shelf.material(SKIN),
        body=file.add(MESH, mesh_fields(body_mesh(skeleton), file)),
        avatar=file.add(AVATAR, avatar_fields(skeleton)),
        props=add_props(shelf),
        controller=add_controller(file, skeleton),
    )


def add_controller(file: FileBuilder, skeleton: Skeleton) -> int:
    """The figure's two clips and the controller that starts idle; gives the controller."""
    clips = [file.add(ANIMATION_CLIP, clip) for clip in (wave_clip(skeleton), idle_clip(skeleton))]
    states = [State("Wave", 0, speed=1.5, loop=True), State("Idle", 1, loop=True)]
    return file.add(ANIMATOR_CONTROLLER, controller_fields("FigureController", clips, states, default=1))


def add_props(shelf: Shelf) -> Props:
    """The props' material and meshes."""
    file = shelf.file
    return Props(
        stone=shelf.material(STONE),
        hat=file.add(MESH, mesh_fields(turned_mesh("Hat", HAT, 24), file)),
        pedestal=file.add(MESH, mesh_fields(turned_mesh("Pedestal", PEDESTAL), file, shelf.stream)),
    )


def avatar_fields(skeleton: Skeleton) -> dict[str, Any]:
    """A generic Avatar: the root, every bone and the renderer's object, with hashes of their paths and rest pose."""
    paths = ["", *skeleton.paths, "Body"]
    parents = [-1, *(parent + 1 for parent in skeleton.parents), 0]
    still = xform((0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 1.0), (1.0, 1.0, 1.0))
    bones = zip(skeleton.local_positions.tolist(), skeleton.local_rotations.tolist(), strict=True)
    pose = {"data": {"m_X": [still, *(xform(t, q, (1.0, 1.0, 1.0)) for t, q in bones), still]}}
    nodes = [{"m_ParentId": parent, "m_AxesId": -1} for parent in parents]
    ids = [name_hash(path) for path in paths]
    return {
        "m_Name": "FigureAvatar",
        "m_Avatar": {
            "m_AvatarSkeleton": {"data": {"m_Node": nodes, "m_ID": ids}},
            "m_AvatarSkeletonPose": pose,
            "m_DefaultPose": pose,
            "m_SkeletonNameIDArray": [name_hash(path.rsplit("/", 1)[-1]) for path in paths],
            "m_Human": {"data": {"m_RootX": still, "m_HumanBoneIndex": [-1] * 25, "m_HumanBoneMass": [0.0] * 25}},
            "m_RootMotionBoneIndex": -1,
            "m_RootMotionBoneX": still,
        },
        "m_TOS": [(hash_, path) for hash_, path in sorted(zip(ids, paths, strict=True))],
    }


def add_figure(tree: Hierarchy, assets: Assets, file_id: int = 0, *, optimised: bool = False, **pose: Any) -> Item:
    """The figure under a root with an Animator; ``file_id`` says which file holds the assets.

    ``optimised`` leaves out the bones, as "Optimize Game Objects" does, but for the exposed head with the hat.
    ``pose`` is the root's position, rotation and scale.
    """
    skeleton = build_skeleton()
    root = tree.add("FigureOptimised" if optimised else "Figure", **pose)
    shared = {"m_Avatar": pptr(assets.avatar, file_id), "m_Controller": pptr(assets.controller, file_id)}
    tree.component(root, ANIMATOR, shared | {"m_HasTransformHierarchy": not optimised})
    bones = [_exposed_head(tree, root, skeleton)] if optimised else add_bones(tree, root, skeleton)
    hat = tree.add("Hat", bones[-1] if optimised else bones[skeleton.names.index("Head")], position=(0.0, 0.23, 0.0))
    add_static(tree, hat, assets.props.hat, (assets.props.stone,), file_id)
    mesh = body_mesh(skeleton)
    body = tree.add("Body", root)
    materials = [pptr(assets.suit, file_id), pptr(assets.skin, file_id)]
    shown = renderer_fields(mesh, pptr(assets.body, file_id), materials, [] if optimised else bones)
    tree.component(body, SKINNED_MESH_RENDERER, shown)
    return root


def add_bones(tree: Hierarchy, root: Item, skeleton: Skeleton) -> list[Item]:
    """One GameObject a bone, in the skeleton's order."""
    items: list[Item] = []
    for bone, parent in enumerate(skeleton.parents):
        pose = {
            "position": skeleton.local_positions[bone].tolist(),
            "rotation": skeleton.local_rotations[bone].tolist(),
        }
        items.append(tree.add(skeleton.names[bone], root if parent < 0 else items[parent], **pose))
    return items


def _exposed_head(tree: Hierarchy, root: Item, skeleton: Skeleton) -> Item:
    """An exposed bone of an optimised hierarchy hangs flat under the root."""
    head = skeleton.names.index("Head")
    pose = {"position": skeleton.heads[head].tolist(), "rotation": skeleton.rotations[head].tolist()}
    return tree.add("Head", root, **pose)


def renderer_fields(
    mesh: MeshContent, body: dict[str, int], materials: list[dict[str, int]], bones: list[Item]
) -> dict[str, Any]:
    """A SkinnedMeshRenderer of the body, whose mesh is the object ``body``."""
    return {
        "m_Mesh": body,
        "m_Materials": materials,
        "m_CastShadows": 1,
        "m_ReceiveShadows": 1,
        "m_Bones": [pptr(bone.transform) for bone in bones],
        "m_RootBone": pptr(bones[0].transform if bones else 0),
        "m_BlendShapeWeights": np.array(SHAPE_WEIGHTS, np.float32),
        "m_AABB": bounds(mesh.positions),
    }


def add_static(tree: Hierarchy, item: Item, mesh: int, materials: tuple[int, ...], file_id: int = 0) -> None:
    """A MeshFilter and a MeshRenderer."""
    tree.component(item, MESH_FILTER, {"m_Mesh": pptr(mesh, file_id)})
    slots = [pptr(material, file_id) for material in materials]
    tree.component(item, MESH_RENDERER, {"m_Materials": slots, "m_CastShadows": 1, "m_ReceiveShadows": 1})
