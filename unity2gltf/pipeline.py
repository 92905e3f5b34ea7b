"""One asset, all the way: extract -> normalize -> emit -> validate.

:func:`convert_asset` never raises for bad content: what goes wrong is in the result's diagnostics.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath
from typing import Any

from . import codes
from .diagnostics import Diagnostic, Diagnostics, Severity
from .emit.document import build_document
from .emit.muscles import muscles_bytes
from .emit.shared import FOLDER, shared_prefix
from .emit.write import write_atomic, write_document, write_shared
from .evaluate.glb import read_gltf
from .extract.content import ContentRoot
from .extract.graph import read_prefab, read_scene
from .ir import Asset, Clip, MuscleCurves
from .normalize.build.asset import build_hierarchy, build_mesh
from .normalize.build.clips import MoreClips, muscle_curves
from .normalize.build.muscles import report_unbaked
from .normalize.build.split import split_clip
from .normalize.content import Library
from .normalize.space import to_gltf
from .normalize.vrm.asset import vrm_asset
from .options import Options
from .raw import RawHierarchy
from .source import Source
from .text import counted, millimetres
from .validate.roundtrip import RoundTrip, roundtrip

BESIDE = "beside"
"""Status of a file that is no asset, but keeps what none of them could hold."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One asset to make. ``path`` is the output path wanted, below the folder of its kind and without extension;
    ``source`` the root GameObject of a prefab, the Mesh, for a scene the file (path id 0, type ``Scene``), and for
    muscles the clip that has no rig, for the ``reason`` given."""

    kind: str  # "scene", "prefab", "mesh", "muscles"
    name: str
    path: str
    source: Source
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AssetResult:
    """What became of a job, or of what it made beside its own file (kinds ``animation``, ``vrm``, ``muscles``).
    ``path`` is the one wanted, as of the job. ``status`` is exact, lossy, failed, ``beside`` (a side file), or empty:
    nothing to show, and nothing went wrong.

    ``output`` is relative to OUT, None when nothing was written (``reason`` says why unless empty). ``uses``: every
    Unity object that the output holds. ``files``: every file written for it, relative to OUT, shared images too.
    """

    kind: str
    name: str
    path: str
    source: Source
    output: str | None
    status: str
    reason: str | None = None
    diagnostics: tuple[Diagnostic, ...] = ()
    stats: dict[str, int] = field(default_factory=dict)
    roundtrip: dict[str, Any] | None = None
    uses: frozenset[Source] = frozenset()
    files: tuple[str, ...] = ()

    @property
    def is_asset(self) -> bool:
        """Whether it counts among the assets: neither empty nor a side file."""
        return self.status not in ("empty", BESIDE)

    def to_json(self) -> dict[str, Any]:
        """The entry of ``assets`` in report.json (DESIGN of the output, schema 1)."""
        result: dict[str, Any] = {
            "kind": self.kind,
            "name": self.name,
            "source": self.source.mark(),
            "output": self.output,
            "status": self.status,
            "diagnostics": [diagnostic.to_json() for diagnostic in self.diagnostics],
            "stats": dict(sorted(self.stats.items())),
            "roundtrip": self.roundtrip,
        }
        if self.reason is not None:
            result["reason"] = self.reason
        return result


def convert_asset(
    job: Job,
    root: ContentRoot,
    library: Library,
    options: Options,
    out: Path,
    name_output: Callable[[str, str, Source], str],
    more_clips: MoreClips,
) -> list[AssetResult]:
    """Make the output of one job below ``out``: one file, with ``--vrm`` one more for an avatar, and with ``--clips
    library`` one more a clip, also of a rig that draws nothing.

    ``name_output`` gives the path to write to, relative to ``out`` and without extension, for (kind, path wanted,
    source); it is asked only when there is something to write.
    """
    diagnostics = Diagnostics()
    asset: Asset | None = None
    beside: Iterator[Clip | MuscleCurves] = iter(())
    with diagnostics.guard(codes.ASSET_FAILED):
        asset, beside = build_asset(job, root, library, options, diagnostics, more_clips)
    results: list[AssetResult] = []
    with diagnostics.guard(codes.ASSET_FAILED):
        for item in beside:
            if isinstance(item, MuscleCurves):
                results.append(_keep_muscles(item, out, name_output))
            elif asset is not None:
                path, clip = split_clip(asset, item)
                about = diagnostics.take(clip.source)
                moved = replace(job, kind="animation", name=clip.name, path=path, source=clip.source)
                results.append(_write(moved, clip, about, options, out, name_output))
    if asset is None or not asset.meshes:
        if diagnostics.worst() is not Severity.ERROR:
            _report_empty(job, diagnostics)
        return [_result(job, None, None, diagnostics, options), *results]
    built = list(diagnostics.items)
    written = _write(job, asset, diagnostics, options, out, name_output)
    if options.vrm and job.kind == "prefab" and written.output is not None:
        results[:0] = _write_vrm(replace(job, kind="vrm"), asset, built, options, out, name_output)
    return [written, *results]


def _keep_muscles(muscles: MuscleCurves, out: Path, name_output: Callable[[str, str, Source], str]) -> AssetResult:
    """The side file of muscle curves: no asset, so it is listed with its clip's object alone."""
    name = muscles.name or "clip"
    path = f"{muscles.rig}/{name}" if muscles.rig else name
    target = f"{name_output('muscles', path, muscles.source)}.json"
    write_atomic(out / target, [muscles_bytes(muscles)])
    return AssetResult(
        kind="muscles",
        name=muscles.name,
        path=path,
        source=muscles.source,
        output=target,
        status=BESIDE,
        reason=muscles.reason,
        files=(target,),
    )


def _write_vrm(
    job: Job,
    asset: Asset,
    built: Iterable[Diagnostic],
    options: Options,
    out: Path,
    name_output: Callable[[str, str, Source], str],
) -> Iterator[AssetResult]:
    """The avatar of a prefab, if it is one. ``built``: what was remarked while the prefab was built holds for the
    avatar, too, but for its clips. An empty result tells why there is no avatar where one could be looked for."""
    diagnostics = Diagnostics()
    avatar: Asset | None = None
    with diagnostics.guard(codes.ASSET_FAILED):
        avatar = vrm_asset(asset, options, diagnostics)
    if avatar is not None:
        diagnostics.items[:0] = [item for item in built if not item.code.name.startswith(("CLIP_", "CONTROLLER_"))]
        yield _write(job, avatar, diagnostics, options, out, name_output)
    elif diagnostics.items:
        yield _result(job, None, None, diagnostics, options)


def _write(
    job: Job,
    asset: Asset,
    diagnostics: Diagnostics,
    options: Options,
    out: Path,
    name_output: Callable[[str, str, Source], str],
) -> AssetResult:
    """Emit, write and prove one asset. An avatar is one file by itself."""
    written: _Written | None = None
    format, shared = ("vrm", False) if job.kind == "vrm" else (options.format, options.shared_textures)
    with diagnostics.guard(codes.ASSET_FAILED):
        gltf = to_gltf(asset, options.max_influences, diagnostics)
        target = PurePosixPath(f"{name_output(job.kind, job.path, job.source)}.{format}")
        document = build_document(
            gltf,
            diagnostics,
            custom_attributes=options.custom_attributes,
            sparse_morphs=options.morphs == "sparse",
            shared_prefix=shared_prefix(target) if shared else None,
        )
        write_shared(document.shared_images, out)
        paths = write_document(document, out / target, format=format, max_glb=options.max_glb, diagnostics=diagnostics)
        stats = dict(document.stats) | {"bytes": sum(part.stat().st_size for part in paths)}
        if shared:
            stats["shared_bytes"] = sum(map(len, document.shared_images.values()))
        files = (
            *(path.relative_to(out).as_posix() for path in paths),
            *(f"{FOLDER}/{name}" for name in document.shared_images),
        )
        written = _Written(paths[0].relative_to(out).as_posix(), stats, files)
        written.proof = _prove(asset, paths[0], out, options, diagnostics)
    return _result(job, asset, written, diagnostics, options)


@dataclass(slots=True)
class _Written:
    output: str
    stats: dict[str, int]
    files: tuple[str, ...]
    proof: RoundTrip | None = None


def _result(
    job: Job, asset: Asset | None, written: _Written | None, diagnostics: Diagnostics, options: Options
) -> AssetResult:
    found = tuple(_merged(_placed(diagnostic, job) for diagnostic in diagnostics.items))
    status = _status(written, diagnostics.worst())
    if job.kind == "muscles" and written is None:
        status = "empty"  # its side file is a result of its own
    reason: str | None = None
    if status == "failed" and written is None:
        reason = next(d.message for d in found if d.code.severity is Severity.ERROR)
    elif written is not None and written.proof is None:
        reason = "verification was switched off" if options.verify == "none" else "the round trip could not be run"
    return AssetResult(
        kind=job.kind,
        name=job.name,
        path=job.path,
        source=job.source,
        output=written.output if written else None,
        status=status,
        reason=reason,
        diagnostics=found,
        stats=written.stats if written else {},
        roundtrip=written.proof.to_json() if written and written.proof else None,
        uses=_uses(asset) if written and asset else frozenset(),
        files=written.files if written else (),
    )


def build_asset(
    job: Job,
    root: ContentRoot,
    library: Library,
    options: Options,
    diagnostics: Diagnostics,
    more_clips: MoreClips,
) -> tuple[Asset | None, Iterator[Clip | MuscleCurves]]:
    """The asset in Unity's space, as the game draws it; None for a mesh that cannot be decoded, and for the muscles of
    a clip without a rig. Beside it the clips that go to files of their own (``--clips library``), each made when it is
    asked for, and muscle curves that could not be baked.

    ``more_clips``: clips that nothing names, by the GameObject of the rig they go to.
    """
    if job.kind == "mesh":
        return build_mesh(job.source, library, options, diagnostics), iter(())
    if job.kind == "muscles":
        return None, _muscles_alone(job, library, diagnostics)
    raw = read_hierarchy(job, root, diagnostics)
    return build_hierarchy(raw, job.kind, job.name, job.source, library, options, diagnostics, more_clips)


def _muscles_alone(job: Job, library: Library, diagnostics: Diagnostics) -> Iterator[MuscleCurves]:
    """Of a clip without a rig."""
    decoded = library.clip(job.source, diagnostics)
    if decoded is not None:
        with diagnostics.at(job.source.place(job.name), job.source):
            report_unbaked(decoded, job.reason, diagnostics)
        yield muscle_curves(decoded, "", job.reason)


def read_hierarchy(job: Job, root: ContentRoot, diagnostics: Diagnostics) -> RawHierarchy:
    """The GameObjects of a scene or prefab job."""
    if job.kind == "scene":
        return read_scene(root, root.file(job.source), diagnostics)
    return read_prefab(root, job.source, diagnostics)


def _prove(asset: Asset, path: Path, out: Path, options: Options, diagnostics: Diagnostics) -> RoundTrip | None:
    """Re-read the file from disk and pose both sides."""
    if options.verify == "none":
        diagnostics.add(codes.ROUNDTRIP_SKIPPED, "verification was switched off")
        return None
    result = roundtrip(
        asset, read_gltf(path, out), options.verify, diagnostics=diagnostics, max_influences=options.max_influences
    )
    if result.cut is not None:
        most, mean = result.cut["max_m"], result.cut["rms_m"]
        text = f"influence cuts move vertices by up to {millimetres(most)}, {millimetres(mean)} RMS"
        diagnostics.add(codes.SKIN_CUT_MEASURED, text, max_m=most, rms_m=mean)
    return result


def _report_empty(job: Job, diagnostics: Diagnostics) -> None:
    """Say that a scene, or a prefab with renderers, was not written. Prefabs without any (UI, scripts) are no news."""
    hidden = sum(item.code is codes.RENDERER_NOT_DRAWN for item in diagnostics.items)
    if job.kind == "scene" or (job.kind == "prefab" and hidden):
        why = f": {counted(hidden, 'renderer is', 'renderers are')} hidden" if hidden else ""
        text = f"{job.kind} {job.name!r} draws nothing{why}; no file was written"
        diagnostics.add(codes.ASSET_EMPTY, text, kind=job.kind, hidden=hidden)


def _status(written: _Written | None, worst: Severity | None) -> str:
    if written is None:
        return "failed" if worst is Severity.ERROR else "empty"
    if written.proof is not None and not written.proof.passed:
        return "failed"
    return "lossy" if worst in (Severity.WARNING, Severity.ERROR) else "exact"


def _merged(items: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
    """Equal ones as one, which tells how often it was met."""
    times: dict[str, int] = {}
    first: dict[str, Diagnostic] = {}
    for item in items:
        key = repr((item.code.name, item.message, item.where, item.data, item.source))
        times[key] = times.get(key, 0) + 1
        first.setdefault(key, item)
    for key, item in first.items():
        yield item if times[key] == 1 else replace(item, data=item.data | {"times": times[key]})


def _placed(diagnostic: Diagnostic, job: Job) -> Diagnostic:
    """What was reported without a place belongs to the asset as a whole."""
    if diagnostic.where:
        return diagnostic
    return replace(diagnostic, where=job.source.place(job.name), source=diagnostic.source or job.source)


def _uses(asset: Asset) -> frozenset[Source]:
    nodes = (source for node in asset.nodes for source in (node.source, node.renderer))
    geometries = (asset.geometries[mesh.geometry].source for mesh in asset.meshes)
    materials = (material.source for material in asset.materials)
    images = (source for image in asset.images for source in image.sources)
    clips = (clip.source for clip in asset.clips)
    avatars = (humanoid.source for humanoid in asset.humanoids)
    groups = (nodes, geometries, materials, images, clips, avatars)
    return frozenset(source for group in groups for source in group if source)
