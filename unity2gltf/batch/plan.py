"""Which assets a content root holds, in the order of (input, file, path id), and what each may be made of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase

from .. import codes
from ..diagnostics import Diagnostics
from ..extract.content import ContentRoot, GameFile
from ..extract.graph import prefab_roots, scene_path
from ..extract.settings import MANAGERS
from ..normalize.build.nodes import hidden_reasons, objects_active
from ..normalize.content import Library
from ..options import Options
from ..pipeline import Job, read_hierarchy
from ..source import Missing, Source
from .clips import ClipPlan, match_clips
from .contents import listed_objects
from .records import RootPlan

FOLDERS = {
    "scene": "scenes",
    "prefab": "prefabs",
    "mesh": "meshes",
    "animation": "animations",
    "vrm": "vrm",
    "muscles": "animations",
}


def plan_root(root: ContentRoot, library: Library, options: Options) -> RootPlan:
    """Look through a root. What goes wrong with the plan itself is in its ``other`` diagnostics."""
    planning = Diagnostics()
    plan = RootPlan()
    clips = ClipPlan()
    with planning.guard(codes.ASSET_FAILED):
        clips = match_clips(root, library, options, planning)
        plan.jobs = [*hierarchy_jobs(root, options), *muscle_jobs(root, clips, options)]
        plan.meshes = list(mesh_jobs(root, set(), options))
    plan.more, plan.left = dict(clips.more), clips.left
    plan.contents = list(listed_objects(root))
    plan.unread = list(root.unversioned())
    _add_closures(plan, root)
    plan.other = planning.items
    return plan


def _add_closures(plan: RootPlan, root: ContentRoot) -> None:
    """Follow every reference of every file, without a word: what nobody uses may be missing or ambiguous."""
    before = len(root.diagnostics.items)
    everywhere = set(_settings_disks(root))
    for file in root.files:
        plan.closure[file.input, file.name] = sorted(everywhere | closure(file))
        if any(isinstance(other, Missing) for other in _referred(file)):
            plan.open_ends.add((file.input, file.name))
    del root.diagnostics.items[before:]
    for other in root.game.roots:
        other.forget_references()


def hierarchy_jobs(root: ContentRoot, options: Options) -> Iterator[Job]:
    """Scenes and prefabs that the options ask for; whether they show anything is found out later."""
    for file in root.files:
        if file.is_scene:
            if "scenes" in options.include:
                yield from _wanted(_scene_job(root, file), options, scene_path(root, file))
        elif "prefabs" in options.include:
            for source in prefab_roots(root, file):
                job = _prefab_job(root, file, source)
                yield from _wanted(job, options, file.container.get(source.path_id, ""))


def muscle_jobs(root: ContentRoot, clips: ClipPlan, options: Options) -> Iterator[Job]:
    """Humanoid clips without a rig, whose muscles go to side files."""
    for source, reason in clips.muscles.items():
        name = root.name(source) or f"clip_{source.path_id}"
        stored = root.file(source).container.get(source.path_id, "")
        path = root.name(source) or "clip"  # as the side file of a rig's clip has it, but below no rig
        yield from _wanted(Job(kind="muscles", name=name, path=path, source=source, reason=reason), options, stored)


def mesh_jobs(root: ContentRoot, written: set[Source], options: Options) -> Iterator[Job]:
    """Meshes and terrains that no written hierarchy uses."""
    if "meshes" not in options.include:
        return
    for file in root.files:
        for source in (*file.sources("Mesh"), *file.sources("TerrainData")):
            if source not in written:
                name = root.name(source) or f"mesh_{source.path_id}"
                job = Job(kind="mesh", name=name, path=name, source=source)
                yield from _wanted(job, options, file.container.get(source.path_id, ""))


def drawn_meshes(job: Job, root: ContentRoot, options: Options) -> set[Source]:
    """The meshes that a hierarchy draws by default, found without decoding anything."""
    if job.kind == "muscles":
        return set()
    raw = read_hierarchy(job, root, Diagnostics())
    active = objects_active(raw, job.kind)
    reasons = hidden_reasons(raw, active, options.lod)
    grounds = {node.terrain.data for node, on in zip(raw.nodes, active, strict=True) if on and node.terrain is not None}
    return {source for source in grounds if isinstance(source, Source)} | {
        node.renderer.mesh
        for node, reason in zip(raw.nodes, reasons, strict=True)
        if node.renderer is not None and isinstance(node.renderer.mesh, Source) and reason is None
    }


def closure(file: GameFile) -> set[str]:
    """Paths on disk of every file that an object of ``file`` may lead to: through references of any length, and the
    resource data beside each."""
    seen = {(file.input, file.name): file}
    pending = [file]
    while pending:
        for other in _referred(pending.pop()):
            if not isinstance(other, Missing) and (other.input, other.name) not in seen:
                seen[other.input, other.name] = other
                pending.append(other)
    return {disk for found in seen.values() for disk in _disks(found)}


def _settings_disks(root: ContentRoot) -> Iterator[str]:
    """Where the settings lie that every object of a root may depend on."""
    store = root.game.store
    for file in root.files:
        if any(file.objects.get(name) for name in ("QualitySettings", "PlayerSettings", "BuildSettings")):
            yield from map(str, store.files(file.entry.address[0]))
    for entry in (entry for name in MANAGERS for entry in root.resolver.named(name)):
        yield from map(str, store.files(entry.address[0]))


def _referred(file: GameFile) -> list[GameFile | Missing]:
    return [file.root.resolver.external(file, number) for number in range(1, len(file.index.externals) + 1)]


def _disks(file: GameFile) -> Iterator[str]:
    """Where a file's bytes lie on disk, and those of the resources named after it."""
    resolver, store = file.root.resolver, file.root.game.store
    stem = file.name.rsplit(".", 1)[0]
    beside = [f"{name}.{kind}" for name in (file.name, stem) for kind in ("resS", "resource")]
    for entry in (file.entry, *(entry for name in beside for entry in resolver.named(name))):
        yield from map(str, store.files(entry.address[0]))


def _scene_job(root: ContentRoot, file: GameFile) -> Job:
    """A scene of a bundle keeps the folders of its container path; a level file has its scene's name alone."""
    path = _without_extension(scene_path(root, file))
    name = path.rsplit("/", 1)[-1]
    in_bundle = any(other.bundle for other in root.files if other.input == file.input)
    source = Source(file.input, file.name, 0, "Scene")
    return Job(kind="scene", name=name, path=path if in_bundle else name, source=source)


def _prefab_job(root: ContentRoot, file: GameFile, source: Source) -> Job:
    """A prefab of a bundle keeps the folders of its container path; others have the object's name."""
    name = root.name(source) or f"prefab_{source.path_id}"
    stored = file.container.get(source.path_id) if file.bundle is not None else None
    return Job(kind="prefab", name=name, path=_without_extension(stored) if stored else name, source=source)


def _without_extension(path: str) -> str:
    head, dot, tail = path.rpartition(".")
    return head if dot and head and "/" not in tail and not head.endswith("/") else path


def _wanted(job: Job, options: Options, stored: str) -> Iterator[Job]:
    """The job where the options ask for it; ``stored`` is the path that a bundle stores for it."""
    texts = (job.name, job.path)
    if options.container and not _fits((stored,), options.container):
        return
    if (not options.name or _fits(texts, options.name)) and not _fits(texts, options.exclude):
        yield job


def _fits(texts: Iterable[str], globs: Iterable[str]) -> bool:
    """Does any of the texts fit any of the globs, without regard to case?"""
    return any(fnmatchcase(text.casefold(), glob.casefold()) for glob in globs for text in texts)
