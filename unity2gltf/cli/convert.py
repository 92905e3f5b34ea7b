"""``unity2gltf convert``: parse -> Options -> one API call -> render -> exit code."""

from __future__ import annotations

import re
import sys
from decimal import Decimal
from pathlib import Path
from typing import Annotated

import typer

from ..errors import UsageError
from ..options import CHOICES, Options
from .conversion import Asked, print_plan, write_folder, write_single

_MOST_RULES = 1 << 20
"""Bytes of a file of rules."""

_DEFAULT = Options()
_UNITS = {"": 1, "b": 1} | {
    f"{letter}{ending}": base**power
    for power, letter in enumerate("kmgt", 1)
    for ending, base in (("b", 1000), ("ib", 1024))
}
_NAME_HELP = (
    "Only assets whose name, or output path below its folder (assets/prefabs/*), fits this glob, without regard to "
    "case; repeatable."
)


def _words(key: str) -> str:
    return "|".join(CHOICES[key])


def run(
    inputs: Annotated[list[Path], typer.Argument(metavar="INPUT...", help="Files or folders with Unity content.")],
    out: Annotated[
        Path | None, typer.Option("-o", "--out", metavar="OUT", help="Folder to write to; made if missing.")
    ] = None,
    include: Annotated[str, typer.Option(help="Comma-separated kinds: scenes, prefabs, meshes.")] = ",".join(
        _DEFAULT.include
    ),
    name: Annotated[list[str] | None, typer.Option(help=_NAME_HELP)] = None,
    exclude: Annotated[
        list[str] | None, typer.Option(help="What is left out all the same; a glob, repeatable.")
    ] = None,
    container: Annotated[
        list[str] | None, typer.Option(help="Only what bundles store below this path; a glob, repeatable.")
    ] = None,
    format_: Annotated[str, typer.Option("--format", help=_words("format"))] = _DEFAULT.format,
    skin_weights: Annotated[
        str, typer.Option(help=f"Influences the game draws: {_words('skin_weights')}")
    ] = _DEFAULT.skin_weights,
    max_influences: Annotated[
        str, typer.Option(help="Influences a vertex keeps in the output, such as 4, 8 or all.")
    ] = str(_DEFAULT.max_influences),
    lod: Annotated[str, typer.Option(help=f"LOD levels with meshes: {_words('lod')}")] = _DEFAULT.lod,
    instancing: Annotated[
        bool, typer.Option("--instancing", help="Repeated meshes by EXT_mesh_gpu_instancing.")
    ] = False,
    inactive: Annotated[
        str,
        typer.Option(help="Hidden objects: keep the node, skip the node, or flag it and write its mesh too."),
    ] = _DEFAULT.inactive,
    textures: Annotated[str, typer.Option(help=_words("textures"))] = _DEFAULT.textures,
    max_texture_size: Annotated[
        int, typer.Option(metavar="N", help="Longest side of an image in pixels; 0 = as it is.")
    ] = _DEFAULT.max_texture_size,
    shared_textures: Annotated[
        bool, typer.Option("--shared-textures", help="Each image once in OUT/textures, for all outputs.")
    ] = False,
    extras: Annotated[
        str, typer.Option(metavar="LIST", help=f"Stored data to keep in extras.unity: {_words('extras')}")
    ] = "",
    material_rules: Annotated[
        Path | None, typer.Option(metavar="FILE", help="TOML file with rows for shaders of your own.")
    ] = None,
    morphs: Annotated[
        str, typer.Option(help=f"Morph targets: {_words('morphs')}; sparse is smaller, VTK drops it.")
    ] = _DEFAULT.morphs,
    clips: Annotated[
        str, typer.Option(help=f"Animation clips: {_words('clips')}; library = a file a clip.")
    ] = _DEFAULT.clips,
    key_tolerance: Annotated[
        float, typer.Option(help="Key density for readers without tangents: 1 = 0.1 degrees; 0 = own keys only.")
    ] = _DEFAULT.key_tolerance,
    resample: Annotated[
        float | None, typer.Option(metavar="HZ", help="Straight lines at this rate instead of cubic splines.")
    ] = None,
    pointer: Annotated[
        bool, typer.Option("--pointer", help="Animate colours, tiling and visibility by KHR_animation_pointer.")
    ] = False,
    avatar: Annotated[
        str, typer.Option(metavar="NAME", help="Avatar that humanoid clips are baked with, instead of the rig's own.")
    ] = "",
    root_motion: Annotated[
        str, typer.Option(help=f"Motion of the whole object in humanoid clips: {_words('root_motion')}")
    ] = _DEFAULT.root_motion,
    vrm: Annotated[
        bool, typer.Option("--vrm", help="A VRM 1.0 avatar, too, of every prefab with a humanoid rig, in OUT/vrm.")
    ] = False,
    vrm_name: Annotated[
        str, typer.Option(metavar="TEXT", help="What a VRM is called; {name} in it is the prefab's name.")
    ] = "",
    vrm_author: Annotated[
        list[str] | None, typer.Option(metavar="TEXT", help="Author of the VRM avatars; repeatable.")
    ] = None,
    vrm_license: Annotated[str, typer.Option(metavar="URL", help="Licence of the VRM avatars.")] = "",
    verify: Annotated[str, typer.Option(help=f"Round trip: {_words('verify')}")] = _DEFAULT.verify,
    prune_vertices: Annotated[bool, typer.Option("--prune-vertices", help="Drop vertices no primitive uses.")] = False,
    custom_attributes: Annotated[
        bool,
        typer.Option(
            "--custom-attributes", help="Unused colours and wide UVs as _COLOR and _UVn; Filament refuses them."
        ),
    ] = False,
    unity_version: Annotated[
        str | None, typer.Option(help="Version for files that name none, such as 2020.3.33f1.")
    ] = None,
    max_glb: Annotated[
        str, typer.Option(help="Size above which a GLB becomes .gltf + .bin: bytes, 500MB or 2GiB.")
    ] = f"{_DEFAULT.max_glb >> 30}GiB",
    jobs: Annotated[str, typer.Option(metavar="N", help="Worker processes; auto: one a processor.")] = "auto",
    max_memory: Annotated[
        str | None, typer.Option(metavar="SIZE", help="Memory that a worker may allocate, such as 4GiB.")
    ] = None,
    timeout: Annotated[float | None, typer.Option(metavar="SECONDS", help="Time that an asset may take.")] = None,
    dask: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="Run on a Dask cluster; local: start one here.")
    ] = None,
    shard: Annotated[str, typer.Option(metavar="I/N", help="Do the I-th of N parts of the plan.")] = "1/1",
    single: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the one asset that is chosen to this .glb, .gltf or .vrm."),
    ] = None,
    depfile: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write a Make rule of report.json and what it was made from.")
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print what would be converted, and write nothing.")
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Do everything anew.")] = False,
    keep_stale: Annotated[bool, typer.Option("--keep-stale", help="Keep outputs whose source is gone.")] = False,
    fail_on: Annotated[str, typer.Option(help=f"Exit 1 on: {_words('fail_on')}")] = "error",
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Nothing on stderr but errors.")] = False,
    json_: Annotated[bool, typer.Option("--json", help="One JSON object a finished asset, then the summary.")] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Tracebacks of surprises.")] = False,
) -> None:
    """Convert Unity content below every INPUT to glTF files below OUT."""
    if fail_on not in CHOICES["fail_on"]:
        raise UsageError(f"--fail-on must be one of {', '.join(CHOICES['fail_on'])}, not {fail_on!r}")
    options = Options(
        include=_list(include),
        name=tuple(name or ()),
        exclude=tuple(exclude or ()),
        container=tuple(container or ()),
        format=format_,
        skin_weights=skin_weights,
        max_influences=_count(max_influences),
        lod=lod,
        instancing=instancing,
        inactive=inactive,
        textures=textures,
        max_texture_size=max_texture_size,
        shared_textures=shared_textures,
        extras=_list(extras),
        material_rules="" if material_rules is None else _rules(material_rules),
        morphs=morphs,
        clips=clips,
        key_tolerance=key_tolerance,
        resample_hz=resample,
        pointer=pointer,
        avatar=avatar,
        root_motion=root_motion,
        vrm=vrm,
        vrm_name=vrm_name,
        vrm_authors=tuple(vrm_author or ()),
        vrm_license=vrm_license,
        verify=verify,
        prune_vertices=prune_vertices,
        custom_attributes=custom_attributes,
        unity_version=unity_version,
        max_glb=_size(max_glb, "--max-glb"),
    )
    asked = Asked(
        inputs=inputs,
        options=options,
        jobs=_jobs(jobs),
        max_memory=None if max_memory is None else _size(max_memory, "--max-memory"),
        timeout=timeout,
        dask=dask,
        shard=_shard(shard),
        force=force,
        keep_stale=keep_stale,
        depfile=depfile,
        fail_on=fail_on,
        quiet=quiet,
        json=json_,
        debug=debug,
    )
    if dry_run:
        code = print_plan(asked)
    elif single is not None:
        if out is not None:
            raise UsageError("--single and --out exclude each other: --single names the file")
        code = write_single(asked, single)
    elif out is None:
        raise UsageError("an output folder is missing: give --out OUT (or --single FILE)")
    else:
        code = write_folder(asked, out)
    sys.exit(code)


def _list(text: str) -> tuple[str, ...]:
    """Comma-separated words."""
    return tuple(word.strip() for word in text.split(",") if word.strip())


def _rules(path: Path) -> str:
    """The text of a file of rules, which is looked into later."""
    try:
        if path.exists() and not path.is_file():  # a pipe would wait, and a device may have no end
            raise UsageError(f"--material-rules: {path} is not a file")
        with path.open("rb") as file:
            data = file.read(_MOST_RULES + 1)
        text = data.decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise UsageError(f"--material-rules: {path} cannot be read: {reason}") from error
    if len(data) > _MOST_RULES:
        raise UsageError(f"--material-rules: {path} has more than 1 MiB")
    if not text.strip():
        raise UsageError(f"--material-rules: {path} is empty: it has no [[family]]")
    return text


def _count(text: str) -> int:
    """A number of influences; 0 stands for all of them."""
    if text == "all":
        return 0
    if not text.isascii() or not text.isdigit() or int(text) == 0:
        raise UsageError(f"--max-influences must be a number above 0 or all, not {text!r}")
    return int(text)


def _jobs(text: str) -> int | None:
    """A number of worker processes; None lets the run decide."""
    if text == "auto":
        return None
    if not text.isascii() or not text.isdigit() or int(text) == 0:
        raise UsageError(f"--jobs must be a number above 0 or auto, not {text!r}")
    return int(text)


def _shard(text: str) -> tuple[int, int]:
    found = re.fullmatch(r"([0-9]{1,9})/([0-9]{1,9})", text, re.ASCII)
    if found is None or not 1 <= int(found[1]) <= int(found[2]):
        raise UsageError(f"--shard must be I/N, such as 1/4 to 4/4, not {text!r}")
    return int(found[1]), int(found[2])


def _size(text: str, option: str) -> int:
    """Bytes, also written with a unit: ``500MB`` (millions), ``2GiB`` (powers of 1024)."""
    found = re.fullmatch(r"([0-9]{1,18}(?:\.[0-9]{1,6})?) ?([a-z]*)", text.strip().lower(), re.ASCII)
    if found is None or found[2] not in _UNITS:
        raise UsageError(f"{option} must be a size such as 1000000, 500MB or 2GiB, not {text!r}")
    return int(Decimal(found[1]) * _UNITS[found[2]])
