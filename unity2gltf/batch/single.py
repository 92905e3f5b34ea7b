"""``--single``: exactly one asset, to a file of the caller's choice, and nothing else."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from ..codes import VRM_AMBIGUOUS, VRM_BONE_MISSING
from ..emit.relocate import relocate
from ..errors import OutputError, UsageError
from ..options import Options
from ..pipeline import AssetResult
from ..text import counted
from .outcome import Report
from .run import Running, convert

_FORMATS = {".glb": "glb", ".gltf": "gltf", ".vrm": "glb"}


def convert_single(inputs: Sequence[Path], target: Path, options: Options, running: Running) -> Report:
    """Convert the one asset that ``options`` choose to ``target`` (.glb or .gltf), or with ``--vrm`` the one avatar to
    a .vrm. Raises UsageError where they choose none or several, and OutputError."""
    suffix = target.suffix.lower()
    if suffix not in _FORMATS:
        raise UsageError(f"--single must name a .glb, .gltf or .vrm file, not {target}")
    if options.vrm != (suffix == ".vrm"):
        wanted = f"--vrm writes a .vrm: name one with --single, not {target}" if options.vrm else "a .vrm needs --vrm"
        raise UsageError(wanted)
    if options.shared_textures:
        raise UsageError("--single writes one file: --shared-textures has no place")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        folder = Path(tempfile.mkdtemp(prefix=f".{target.stem}-", dir=target.parent))
    except OSError as error:
        raise OutputError(f"{target} cannot be written: {error.strerror}") from error
    try:
        report = convert(inputs, folder, replace(options, format=_FORMATS[suffix]), running=running)
        written = [asset for asset in report.assets if asset.output and (asset.kind == "vrm") == options.vrm]
        if len(written) != 1:
            raise UsageError(_wrong_number(report, written, "avatar" if options.vrm else "asset"))
        if options.vrm:
            report.assets = written  # not the prefab beside it
        names = [f"{folder.name}/{name}" for name in written[0].files]
        relocate(target.parent, names, target.stem)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return report


def _wrong_number(report: Report, written: Sequence[AssetResult], what: str) -> str:
    why = [item.message for item in report.diagnostics if item.code in (VRM_BONE_MISSING, VRM_AMBIGUOUS)]
    found = ", ".join(sorted(f"{asset.kind} {asset.name}" for asset in written)[:5] or why[:1])
    text = f"--single wants one {what}; --name and --include choose {counted(len(written), what)}"
    return f"{text}: {found}" if found else text
