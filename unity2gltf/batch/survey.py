"""What an INPUT holds and what would be made of it, without writing a file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from .. import codes
from ..diagnostics import Diagnostics
from ..errors import InputError
from ..extract.content import ContentRoot, GameFile
from ..extract.game import open_game
from ..normalize.clips.bindings import is_blend_shape
from ..normalize.clips.decoded import TRANSFORM, DecodedClip, DecodedCurve
from ..normalize.content import Library
from ..options import Options
from ..raw import RawMesh
from ..source import Source
from .clips import ranked
from .plan import drawn_meshes, hierarchy_jobs
from .rigs import Candidate, candidates


def survey(path: str | Path, options: Options) -> dict[str, Any]:
    """One JSON value: ``inputs``, ``files``, ``meshes``, ``clips``, ``exports`` and ``diagnostics`` of an INPUT."""
    if not Path(path).exists():
        raise InputError(f"there is no such file or folder: {path}")
    diagnostics = Diagnostics()
    game = open_game(path, unity_version=options.unity_version, diagnostics=diagnostics)
    result: dict[str, Any] = {"files": [], "meshes": [], "clips": [], "exports": []}
    for root in game.roots:
        result["files"] += [_file(file, root) for file in root.files]
        result["meshes"] += _meshes(root, diagnostics)
        result["clips"] += _clips(root, diagnostics)
        result["exports"] += _exports(root, options, diagnostics)
        root.close()
    inputs = [{"path": i.path, "status": i.status, "reason": i.reason, "bytes": i.size} for i in game.inputs]
    return {"inputs": inputs, **result, "diagnostics": [item.to_json() for item in diagnostics.items]}


def _file(file: GameFile, root: ContentRoot) -> dict[str, Any]:
    return {
        "input": file.input,
        "file": file.name,
        "root": root.path,
        "unity": file.unity_version,
        "scene": file.is_scene,
        "objects": {kind: len(ids) for kind, ids in sorted(file.objects.items())},
    }


def _meshes(root: ContentRoot, diagnostics: Diagnostics) -> Iterator[dict[str, Any]]:
    for file in root.files:
        for source in file.sources("Mesh"):
            with diagnostics.guard(codes.MESH_UNREADABLE, source.place(root.name(source)), source):
                yield _mesh(root.mesh(source))


def _mesh(raw: RawMesh) -> dict[str, Any]:
    compressed = {key: packed.num_items for key, packed in raw.compressed.items()}
    return {
        "source": raw.source.mark(),
        "name": raw.name,
        "vertices": raw.vertex_count or compressed.get("m_Vertices", 0) // 3,
        "submeshes": len(raw.submeshes),
        "joints": len(raw.bind_poses),
        "influences": _influence_form(raw, compressed.get("m_Weights", 0)),
        "shapes": [name for name, *_ in raw.shapes.channels] if raw.shapes else [],
    }


def _influence_form(raw: RawMesh, packed_weights: int) -> str:
    """Which forms the mesh stores: variable, channels, list (before 2018.2), compressed, or none."""
    if raw.variable_weights is not None and len(raw.variable_weights):
        return "variable"
    if raw.skin is not None and len(raw.skin[0]):
        return "list"
    if packed_weights:
        return "compressed"
    blend_indices = 13
    has_channels = len(raw.channels) > blend_indices and raw.channels[blend_indices].dimension & 0xF
    return "channels" if has_channels else "none"


def _clips(root: ContentRoot, diagnostics: Diagnostics) -> Iterator[dict[str, Any]]:
    library = Library(root)
    if not any(file.objects.get("AnimationClip") for file in root.files):
        return
    rigs = {file: list(candidates(root, file, library, diagnostics)) for file in root.files}
    everywhere = [rig for found in rigs.values() for rig in found]
    for file, own in rigs.items():
        for source in file.sources("AnimationClip"):
            decoded = library.clip(source, diagnostics)
            if decoded is not None:
                yield _clip(decoded, own or everywhere, library)


def _clip(clip: DecodedClip, rigs: list[Candidate], library: Library) -> dict[str, Any]:
    """``share``: the part of its curves that the best rig resolves, of its own file or, if that has none, of all."""
    kinds = Counter(_curve_kind(curve) for curve in clip.curves)
    if clip.muscles:
        kinds["muscle"] = len(clip.muscles)
    share, best = next(((share, rig.name) for share, rig in ranked(clip, rigs, library)), (0.0, None))
    return {
        "source": clip.source.mark(),
        "name": clip.name,
        "kind": clip.kind,
        "duration": clip.duration,
        "curves": dict(sorted(kinds.items())),
        "rig": best if share else None,
        "share": round(share, 4),
    }


def _curve_kind(curve: DecodedCurve) -> str:
    if curve.type_id == TRANSFORM and isinstance(curve.attribute, str):
        return curve.attribute
    return "blend shape" if is_blend_shape(curve) else "property"


def _exports(root: ContentRoot, options: Options, diagnostics: Diagnostics) -> Iterator[dict[str, Any]]:
    used: set[Source] = set()
    for job in hierarchy_jobs(root, options):
        with diagnostics.guard(codes.ASSET_FAILED, job.source.place(job.name), job.source):
            meshes = drawn_meshes(job, root, options)
            used |= meshes
            if meshes:
                yield _export(job.kind, job.name, job.source, len(meshes))
    if "meshes" in options.include:
        for source in (*root.objects("Mesh"), *root.objects("TerrainData")):
            if source not in used:
                yield _export("mesh", root.name(source), source, 1)


def _export(kind: str, name: str, source: Source, meshes: int) -> dict[str, Any]:
    return {"kind": kind, "name": name, "source": source.mark(), "meshes": meshes}
