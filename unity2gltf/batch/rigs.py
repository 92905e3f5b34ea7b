"""The rigs of a file, as clips see them: objects with an Animator or Animation component, read but not built."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from .. import codes
from ..diagnostics import Diagnostics
from ..extract.content import ContentRoot, GameFile
from ..extract.graph import prefab_roots, read_prefab, read_scene
from ..normalize.clips.bindings import Rig, ShapeTarget, by_path_hash, paths_below
from ..normalize.content import Library
from ..normalize.humanoid.body import Body
from ..raw import RawHierarchy, RawNode
from ..source import Source


@dataclass(frozen=True, slots=True)
class Candidate:
    """An object with an Animator or Animation component, as a rig; ``body``: its Animator's human avatar."""

    game_object: Source
    name: str
    rig: Rig
    body: Body | None = None


def candidates(root: ContentRoot, file: GameFile, library: Library, diagnostics: Diagnostics) -> Iterator[Candidate]:
    """The rigs of one file: objects with an Animator or Animation component."""
    quiet = Diagnostics()  # the hierarchies report for themselves when they are converted
    with diagnostics.guard(codes.CLIP_UNREADABLE, f"{file.name}: rigs"):
        if file.is_scene:
            hierarchies = [read_scene(root, file, quiet)]
        else:
            hierarchies = [read_prefab(root, source, quiet) for source in prefab_roots(root, file)]
        for raw in hierarchies:
            for index, node in enumerate(raw.nodes):
                if node.animator is not None or node.animation is not None:
                    yield Candidate(node.source, node.name, _raw_rig(raw, index, library), _body(node, library))


def _body(node: RawNode, library: Library) -> Body | None:
    if node.animator is None or not isinstance(node.animator.avatar, Source):
        return None
    return library.body(node.animator.avatar, Diagnostics())  # told where the rig is converted


def _raw_rig(raw: RawHierarchy, root: int, library: Library) -> Rig:
    """Paths and blend shapes below an object, before anything is built; bones that Unity optimised away count too."""
    below = ((index, raw.nodes[index].parent, raw.nodes[index].name) for index in range(root, len(raw.nodes)))
    paths = paths_below(root, below)
    by_hash = by_path_hash(paths)
    shapes: dict[int, tuple[ShapeTarget, ...]] = {}
    for index in paths:
        renderer = raw.nodes[index].renderer
        if renderer is not None and renderer.skinned and isinstance(renderer.mesh, Source):
            geometry = library.geometry(renderer.mesh, renderer.source, Diagnostics())
            if geometry is not None and geometry.shapes:
                shapes[index] = (ShapeTarget(node=index, names=tuple(shape.name for shape in geometry.shapes)),)
    animator = raw.nodes[root].animator
    if animator is not None and not animator.has_transform_hierarchy and isinstance(animator.avatar, Source):
        with Diagnostics().guard(codes.CLIP_UNREADABLE):
            for hash_ in library.provider.avatar(animator.avatar).tos:
                by_hash.setdefault(hash_, root)
    return Rig(node=root, by_hash=by_hash, shapes=shapes)
