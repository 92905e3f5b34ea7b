"""A runner that crashes, hangs or does not start costs one file, or one sentence."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from .batch import Runner, run_batch

SCRIPT = """
import json, os, signal, sys, time
for number, job in enumerate(json.load(open(sys.argv[1]))):
    print("noise")
    print(f"@start {number}", flush=True)
    if job["do"] == "crash": os.kill(os.getpid(), signal.SIGSEGV)
    if job["do"] == "hang": time.sleep(60)
    if job["do"] == "leave": print("no more", file=sys.stderr); sys.exit(3)
    if job["do"] == "once" and not os.path.exists(job["mark"]): open(job["mark"], "w"); os.abort()
    print(f"@done {number} " + json.dumps({"did": job["do"]}), flush=True)
"""


def results(folder: Path, *deeds: str) -> dict[int, Any]:
    script = folder / "script.py"
    script.write_text(SCRIPT, "utf-8")
    found: dict[int, Any] = {}
    jobs = [{"do": deed, "mark": str(folder / "mark")} for deed in deeds]
    run_batch(Runner((sys.executable, str(script))), jobs, found.__setitem__, silence=3.0)
    return found


def test_every_job_gives_its_result(tmp_path: Path) -> None:
    assert results(tmp_path, "a", "b") == {0: {"did": "a"}, 1: {"did": "b"}}


def test_a_crash_is_one_failed_job(tmp_path: Path) -> None:
    assert results(tmp_path, "a", "crash", "b", "leave") == {
        0: {"did": "a"},
        1: {"error": "ended by SIGSEGV"},
        2: {"did": "b"},
        3: {"error": "ended with exit code 3: no more"},
    }


@pytest.mark.slow
def test_a_hang_is_one_failed_job(tmp_path: Path) -> None:
    assert results(tmp_path, "hang", "b") == {0: {"error": "no answer within 3 s"}, 1: {"did": "b"}}


def test_what_an_earlier_job_left_behind_is_not_held_against_a_later_one(tmp_path: Path) -> None:
    assert results(tmp_path, "a", "once", "b") == {n: {"did": deed} for n, deed in enumerate(("a", "once", "b"))}


def test_a_runner_that_does_not_start_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="does not start"):
        run_batch(Runner((sys.executable, "-c", "raise SystemExit(9)")), [{"do": "a"}], lambda *_: None, silence=3.0)
