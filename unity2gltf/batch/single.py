"""``--single``: exactly one asset, to a file of the caller's choice, and nothing else."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from ..emit.relocate import relocate
from ..errors import OutputError, UsageError
from ..options import Options
from ..text import counted
from .outcome import Report
from .run import Running, convert

_FORMATS = {".glb": "glb", ".gltf": "gltf"}


def convert_single(inputs: Sequence[Path], target: Path, options: Options, running: Running) -> Report:
    """Convert the one asset that ``options`` choose to ``target`` (.glb or .gltf). Raises UsageError where they choose
    none or several, and OutputError."""
    if target.suffix.lower() not in _FORMATS:
        raise UsageError(f"--single must name a .glb or .gltf file, not {target}")
    if options.shared_textures:
        raise UsageError("--single writes one file: --shared-textures has no place")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        folder = Path(tempfile.mkdtemp(prefix=f".{target.stem}-", dir=target.parent))
    except OSError as error:
        raise OutputError(f"{target} cannot be written: {error.strerror}") from error
    try:
        report = convert(inputs, folder, replace(options, format=_FORMATS[target.suffix.lower()]), running=running)
        written = [asset for asset in report.assets if asset.output]
        if len(written) != 1:
            found = ", ".join(sorted(f"{asset.kind} {asset.name}" for asset in written)[:5])
            raise UsageError(
                f"--single wants one asset; --name and --include choose {counted(len(written), 'asset')}"
                + (f": {found}" if found else "")
            )
        names = [f"{folder.name}/{name}" for name in written[0].files]
        relocate(target.parent, names, target.stem)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return report
