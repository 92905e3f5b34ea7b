"""Where pictures go."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.builders.reports import report_value
from unity2gltf.errors import InputError, UsageError
from unity2gltf.preview.places import find_places


def touch(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()
    return path


def report(folder: Path) -> Path:
    """A run that wrote to ``folder``."""
    touch(folder / "report.json").write_text(json.dumps(report_value([])), encoding="utf-8")
    return folder


def test_pictures_lie_beside_the_report_of_the_run(tmp_path: Path) -> None:
    report(tmp_path)
    file = touch(tmp_path / "prefabs/a/b.gltf")
    (place,) = find_places([file], None)
    assert place.still == tmp_path / "previews/prefabs/a/b.gltf.png"
    assert place.turntable == tmp_path / "previews/prefabs/a/b.gltf.webp"
    assert place.out == tmp_path


def test_a_folder_gives_all_below_it_once_and_keeps_its_folders(tmp_path: Path) -> None:
    for name in ("b.gltf", "a/d.gltf", "c.txt", "A.GLB", "E.VRM"):
        touch(tmp_path / "in" / name)
    places = find_places([tmp_path / "in", tmp_path / "in/b.gltf"], tmp_path / "out")
    stills = [place.still.relative_to(tmp_path / "out").as_posix() for place in places]
    assert stills == ["A.GLB.png", "E.VRM.png", "a/d.gltf.png", "b.gltf.png"]
    assert all(place.out is None for place in places)


def test_without_a_report_one_must_say_where(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="say with -o"):
        find_places([touch(tmp_path / "a.gltf")], None)


def test_a_way_through_another_run_leads_to_the_files_own(tmp_path: Path) -> None:
    report(tmp_path / "out")
    touch(report(tmp_path / "other") / "x.gltf")
    (place,) = find_places([tmp_path / "out/../other/x.gltf"], None)
    assert (place.out, place.still) == (tmp_path / "other", tmp_path / "other/previews/x.gltf.png")
    (tmp_path / "link").symlink_to(report(tmp_path / "far/away"))
    touch(tmp_path / "far/y.gltf")
    with pytest.raises(UsageError, match="say with -o"):
        find_places([tmp_path / "link/../y.gltf"], None)  # it is far/y.gltf


@pytest.mark.parametrize("text", ["", "[]", '{"schema": 1}', '{"schema": 7}'])
def test_a_report_that_is_not_ours_is_told_before_anything_is_drawn(tmp_path: Path, text: str) -> None:
    touch(tmp_path / "report.json").write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match=r"report\.json is .*: say with -o"):
        find_places([touch(tmp_path / "a.gltf")], None)
    assert find_places([tmp_path / "a.gltf"], tmp_path / "pictures")[0].out is None


def test_two_files_never_share_a_picture(tmp_path: Path) -> None:
    files = [touch(tmp_path / "x/a.gltf"), touch(tmp_path / "y/a.gltf")]
    with pytest.raises(UsageError, match="the same picture"):
        find_places(files, tmp_path / "out")


def test_nothing_to_draw(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no \.glb, \.gltf or \.vrm files"):
        find_places([tmp_path], tmp_path)
    with pytest.raises(InputError, match="no such file"):
        find_places([tmp_path / "gone"], tmp_path)
