"""Put the humanoid into a file: an Avatar with a human part, two clips of muscles, and its GameObjects."""

from __future__ import annotations

from .body import body_mesh
from .controller import State, controller_fields
from .figure import add_bones, add_static, renderer_fields
from .hierarchy import Hierarchy, Item
from .human import RIG, avatar_fields, build_human
from .materials import Shelf
from .meshdata import mesh_fields
from .moves import reach, stroll
from .muscles import muscle_clip
from .props import HAT, SKIN, STONE, plain, turned_mesh
from .values import ANIMATION_CLIP, ANIMATOR, ANIMATOR_CONTROLLER, AVATAR, MESH, SKINNED_MESH_RENDERER, pptr
from .writer import FileBuilder

COAT = plain("Coat", (0.72, 0.36, 0.3), checked=True)
BODY, SHAPE, HAT_OBJECT = "Body", "Breathe", "Hat"


def add_humanoid(tree: Hierarchy, shelf: Shelf) -> Item:
    """The humanoid under a root with an Animator, a hat on its head."""
    file, skeleton = shelf.file, build_human()
    mesh = body_mesh(skeleton, "Humanoid")
    coat, skin, stone = (shelf.material(content) for content in (COAT, SKIN, STONE))
    body = file.add(MESH, mesh_fields(mesh, file))
    hat = file.add(MESH, mesh_fields(turned_mesh("Cap", HAT, 24), file))
    root = tree.add("Humanoid")
    moving = {"m_Avatar": pptr(add_avatar(file)), "m_Controller": pptr(add_moves(file))}
    tree.component(root, ANIMATOR, moving | {"m_HasTransformHierarchy": True})
    rig = tree.add(RIG.name, root, position=RIG.position, rotation=RIG.rotation, scale=(RIG.scale,) * 3)
    bones = add_bones(tree, rig, skeleton)
    size = (1 / RIG.scale,) * 3
    item = tree.add(HAT_OBJECT, bones[skeleton.names.index("Head")], position=(0.0, 0.23 / RIG.scale, 0.0), scale=size)
    add_static(tree, item, hat, (stone,))
    shown = tree.add(BODY, root)
    fields = renderer_fields(mesh, pptr(body), [pptr(coat), pptr(skin)], bones)
    tree.component(shown, SKINNED_MESH_RENDERER, fields)
    return root


def add_avatar(file: FileBuilder) -> int:
    """In any version from 4.0 on."""
    return file.add(AVATAR, avatar_fields(build_human(), file.version, (BODY,)))


def add_clips(file: FileBuilder) -> list[int]:
    """Both clips, in any version from 4.0 on."""
    head = dict(zip(build_human().names, build_human().paths, strict=True))["Head"]
    contents = (reach(f"{head}/{HAT_OBJECT}", BODY, SHAPE), stroll())
    return [file.add(ANIMATION_CLIP, muscle_clip(content, file.version)) for content in contents]


def add_moves(file: FileBuilder) -> int:
    """The clips and the controller that starts with a stroll; gives the controller."""
    clips = add_clips(file)
    states = [State("Reach", 0), State("Stroll", 1, loop=True)]
    return file.add(ANIMATOR_CONTROLLER, controller_fields("HumanoidController", clips, states, default=1))
