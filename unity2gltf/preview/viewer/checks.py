"""What is wrong with one file, in the words of our reader and of the structural validator."""

from __future__ import annotations

from pathlib import Path

from ...errors import Unity2GltfError
from ...evaluate.glb import read_gltf
from ...validate.structure import check_structure

SHOWN = 50
"""Issues that are told of one file."""


def check_file(path: Path, out: Path, *, ours: bool) -> list[dict[str, str]]:
    """Severity, code, message and place of each issue of a file below ``out``. ``ours``: hold it to our own output's
    promises, too."""
    try:
        issues = check_structure(read_gltf(path, out), contract=ours)
    except (Unity2GltfError, OSError) as error:
        return [{"severity": "error", "code": "FILE_BROKEN", "message": str(error), "where": ""}]
    told = [
        {"severity": issue.severity.value, "code": issue.code, "message": issue.message, "where": issue.pointer}
        for issue in issues[:SHOWN]
    ]
    if len(issues) > SHOWN:
        told.append({"severity": "info", "code": "", "message": f"and {len(issues) - SHOWN:,} more", "where": ""})
    return told
