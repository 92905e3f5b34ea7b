"""One asset in Unity's space: a hierarchy (scene or prefab), or a mesh that stands alone."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ... import codes
from ...diagnostics import Diagnostics
from ...ir import Asset, Clip, MuscleCurves, Node, Primitive, Skin
from ...options import Options
from ...raw import RawHierarchy
from ...source import Source
from ..content import Library
from ..mesh.influences import drawn_influences
from .bindposes import joint_name, placed_joint, usable_bind_poses
from .clips import MoreClips, find_rigs, make_clips
from .context import AssetContext
from .finish import Numbers, finish, last_numbers, moved_clips
from .humanoid import find_humanoids
from .instancing import join_instances
from .levels import attach_levels
from .lights import place_lights
from .nodes import add_nodes, hidden_reasons, objects_active
from .renderers import draw_all, project_limit
from .skeleton import rebuild_optimised
from .skin import within_slots
from .tags import note_extras
from .terrain import add_terrain, draw_terrains


def build_hierarchy(
    raw: RawHierarchy,
    kind: str,
    name: str,
    source: Source,
    library: Library,
    options: Options,
    diagnostics: Diagnostics,
    more_clips: MoreClips | None = None,
) -> tuple[Asset, Iterator[Clip | MuscleCurves]]:
    """A scene or prefab. An asset whose nodes carry no mesh has nothing to show: see ``Asset.meshes``.

    Its clips are in the asset, but with ``--clips library`` beside it, each made when it is asked for: thousands of
    them on one rig must not be held at once. Also beside it are muscle curves that could not be baked.
    ``more_clips``: clips that nothing in the content names, by the GameObject of the rig they go to.
    """
    context = AssetContext(library, options, diagnostics)
    active = objects_active(raw, kind)
    add_nodes(raw, active, context)
    note_extras(raw, context)
    rebuild_optimised(raw, context)
    draw_all(raw, hidden_reasons(raw, active, options.lod), context)
    draw_terrains(raw, active, context)
    place_lights(raw, active, context)
    rigs = find_rigs(raw, context)
    humans = find_humanoids(raw, rigs, context)
    beside: Iterator[Clip | MuscleCurves] = iter(())
    embedded: tuple[Clip, ...] = ()
    if options.clips == "library" or (options.clips != "none" and context.meshes):
        beside = make_clips(raw, rigs, humans, more_clips or {}, context)
    if options.clips != "library":
        made = list(beside)
        embedded = tuple(clip for clip in made if isinstance(clip, Clip))
        beside = (curves for curves in made if isinstance(curves, MuscleCurves))
    if options.lod == "msft":
        embedded = attach_levels(raw.lods, context, embedded)
    unwanted = {index for index, is_active in enumerate(active) if not is_active and options.inactive == "skip"}
    if options.instancing:
        unwanted |= join_instances(raw, context, embedded)
    renumber = last_numbers(context, unwanted)
    asset = finish(context, kind, name, source, renumber, tuple(moved_clips(embedded, renumber)))
    return asset, _moved(beside, renumber)


def _moved(beside: Iterator[Clip | MuscleCurves], renumber: Numbers) -> Iterator[Clip | MuscleCurves]:
    """Clips on the asset's nodes; muscles have none."""
    for item in beside:
        if isinstance(item, Clip):
            yield from moved_clips([item], renumber)
        else:
            yield item


def build_mesh(source: Source, library: Library, options: Options, diagnostics: Diagnostics) -> Asset | None:
    """A mesh outside any hierarchy: all submeshes, no materials; a skin gets flat joints under one root. A terrain has
    its layers."""
    if source.type == "TerrainData":
        context = AssetContext(library, options, diagnostics)
        if not add_terrain(source, context):
            return None
        return finish(context, "mesh", context.nodes[0].name, source, last_numbers(context, set()))
    geometry = library.geometry(source, source, diagnostics)
    if geometry is None:
        return None
    context = AssetContext(library, options, diagnostics)
    drawn = [position for position, submesh in enumerate(geometry.submeshes) if len(submesh.indices)]
    if not drawn:
        diagnostics.add(codes.MESH_EMPTY, f"mesh {geometry.name!r} has no indices", mesh=geometry.name)
        return None
    primitives = tuple(Primitive(submesh=position, material=None) for position in drawn)
    influences = drawn_influences(geometry, project_limit(context), diagnostics)
    skin = None
    slots = len(geometry.bind_poses)
    if influences is not None and slots:
        influences = within_slots(influences, slots, diagnostics)
        skin = _flat_skin(geometry.name, geometry.bone_hashes, geometry.bind_poses, context)
    else:
        influences = None
    weights = (0.0,) * len(geometry.shapes)
    mesh = context.mesh(context.geometry(geometry), primitives, influences, weights)
    context.add_node(Node(name=geometry.name, source=source, mesh=mesh, skin=skin, weights=weights))
    return finish(context, "mesh", geometry.name, source, last_numbers(context, set()))


def _flat_skin(name: str, hashes: np.ndarray, bind_poses: np.ndarray, context: AssetContext) -> int:
    """Joints side by side under one root, each at inverse(bind pose), named by the name index or their slot."""
    names = context.content.provider.names
    bind = usable_bind_poses(bind_poses, len(bind_poses), context.diagnostics)
    root = context.add_node(Node(name=name))
    joints = []
    for slot in range(len(bind)):
        known = names.lookup(int(hashes[slot])) if slot < len(hashes) else ()
        label = joint_name(known, slot)
        joint = placed_joint(label, slot, bind, np.eye(4), np.eye(4), parent=root)
        joints.append(context.add_node(joint))
    return context.skin(Skin(name=name, source=None, joints=tuple(joints), inverse_bind=bind, skeleton=root))
