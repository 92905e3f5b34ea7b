"""A renderer that crashes, hangs or does not start costs one picture, and says so."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from unity2gltf.preview import pool, run
from unity2gltf.preview.look import Look
from unity2gltf.preview.pictures import part_of
from unity2gltf.preview.places import Place
from unity2gltf.preview.pool import Pool

FAKE = (sys.executable, str(Path(__file__).with_name("fake_worker.py")))


def test_one_process_draws_many_files() -> None:
    with Pool(64, 64, command=FAKE) as workers:
        answers = [workers.draw({"file": name}) for name in "abc"]
    assert [answer["file"] for answer in answers] == ["a", "b", "c"]
    assert len({answer["process"] for answer in answers}) == 1


@pytest.mark.parametrize(
    ("word", "reason"),
    [
        ("crash", "ended by SIGSEGV"),
        ("exit", "memory"),
        pytest.param("hang", "no answer within 0.541 s", marks=pytest.mark.slow),
    ],
)
def test_a_file_that_ends_the_process_fails_alone(word: str, reason: str) -> None:
    with Pool(64, 64, seconds=0.5, command=FAKE) as workers:
        assert workers.draw({"file": "a"})["status"] == "rendered"
        answer = workers.draw({"file": word})
        assert answer["status"] == "failed"
        assert reason in answer["reason"]
        assert workers.draw({"file": "b"})["status"] == "rendered"


def test_what_earlier_files_left_behind_is_not_a_files_fault() -> None:
    with Pool(64, 64, command=FAKE) as workers:
        first = workers.draw({"file": "a"})
        second = workers.draw({"file": "tired"})
    assert second["status"] == "rendered"
    assert first["process"] != second["process"]


def test_a_renderer_that_does_not_start_says_why() -> None:
    with Pool(64, 64, command=(*FAKE, "mute")) as workers:
        assert workers.start() == "no display"
        assert workers.draw({"file": "a"}) == {"status": "failed", "reason": "Filament does not start: no display"}


def test_processes_are_replaced_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "FILES_PER_PROCESS", 2)
    with Pool(64, 64, command=FAKE) as workers:
        processes = [workers.draw({"file": "a"})["process"] for _ in range(5)]
    assert len(set(processes)) == 3


def test_a_turntable_may_take_longer_by_its_pixels() -> None:
    with Pool(1000, 500, seconds=0.1, command=FAKE) as workers:
        assert workers.draw({"file": "slow"}, frames=2)["status"] == "rendered"  # may take 10.1 s


def test_nothing_stays_of_a_picture_when_the_process_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Ended(Pool):
        def draw(self, job: dict[str, Any], frames: int = 1) -> dict[str, Any]:
            part_of(Path(job["still"])).touch()
            part_of(Path(job["turntable"])).touch()
            return {"status": "failed", "reason": f"no answer with {frames} frames"}

    monkeypatch.setattr(run, "Pool", Ended)
    place = Place(tmp_path / "a.glb", tmp_path / "a.png", tmp_path / "a.webp")
    (drawn,) = run.draw_all([place], Look(frames=4))
    assert (drawn.status, drawn.reason) == ("failed", "no answer with 4 frames")
    assert list(tmp_path.iterdir()) == []
