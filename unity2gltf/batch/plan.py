"""Which assets a content root holds, in the order of (input, file, path id)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase

from ..extract.content import ContentRoot, GameFile
from ..extract.graph import prefab_roots, scene_path
from ..options import Options
from ..pipeline import Job
from ..source import Source

FOLDERS = {"scene": "scenes", "prefab": "prefabs", "mesh": "meshes", "animation": "animations"}


def hierarchy_jobs(root: ContentRoot, options: Options) -> Iterator[Job]:
    """Scenes and prefabs that the options ask for; whether they show anything is found out later."""
    for file in root.files:
        if file.is_scene:
            if "scenes" in options.include:
                yield from _wanted(_scene_job(root, file), options)
        elif "prefabs" in options.include:
            for source in prefab_roots(root, file):
                yield from _wanted(_prefab_job(root, file, source), options)


def mesh_jobs(root: ContentRoot, written: set[Source], options: Options) -> Iterator[Job]:
    """Meshes and terrains that no written hierarchy uses."""
    if "meshes" not in options.include:
        return
    for file in root.files:
        for source in (*file.sources("Mesh"), *file.sources("TerrainData")):
            if source not in written:
                name = root.name(source) or f"mesh_{source.path_id}"
                yield from _wanted(Job(kind="mesh", name=name, path=name, source=source, file=file), options)


def _scene_job(root: ContentRoot, file: GameFile) -> Job:
    """A scene of a bundle keeps the folders of its container path; a level file has its scene's name alone."""
    path = _without_extension(scene_path(root, file))
    name = path.rsplit("/", 1)[-1]
    in_bundle = any(other.bundle for other in root.files if other.input == file.input)
    source = Source(file.input, file.name, 0, "Scene")
    return Job(kind="scene", name=name, path=path if in_bundle else name, source=source, file=file)


def _prefab_job(root: ContentRoot, file: GameFile, source: Source) -> Job:
    """A prefab of a bundle keeps the folders of its container path; others have the object's name."""
    name = root.name(source) or f"prefab_{source.path_id}"
    stored = file.container.get(source.path_id) if file.bundle is not None else None
    return Job(kind="prefab", name=name, path=_without_extension(stored) if stored else name, source=source, file=file)


def _without_extension(path: str) -> str:
    head, dot, tail = path.rpartition(".")
    return head if dot and head and "/" not in tail and not head.endswith("/") else path


def _wanted(job: Job, options: Options) -> Iterator[Job]:
    texts = (job.name, job.path)
    stored = job.path if job.kind == "scene" else job.file.container.get(job.source.path_id, "")
    if options.container and not _fits((stored,), options.container):
        return
    if (not options.name or _fits(texts, options.name)) and not _fits(texts, options.exclude):
        yield job


def _fits(texts: Iterable[str], globs: Iterable[str]) -> bool:
    """Does any of the texts fit any of the globs, without regard to case?"""
    return any(fnmatchcase(text.casefold(), glob.casefold()) for glob in globs for text in texts)
