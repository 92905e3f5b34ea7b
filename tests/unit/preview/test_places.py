"""Where pictures go."""

from __future__ import annotations

from pathlib import Path

import pytest

from unity2gltf.errors import InputError, UsageError
from unity2gltf.preview.places import find_places


def touch(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()
    return path


def test_pictures_lie_beside_the_report_of_the_run(tmp_path: Path) -> None:
    touch(tmp_path / "report.json")
    file = touch(tmp_path / "prefabs/a/b.gltf")
    (place,) = find_places([file], None)
    assert place.still == tmp_path / "previews/prefabs/a/b.gltf.png"
    assert place.turntable == tmp_path / "previews/prefabs/a/b.gltf.webp"
    assert place.out == tmp_path


def test_a_folder_gives_all_below_it_once_and_keeps_its_folders(tmp_path: Path) -> None:
    for name in ("b.gltf", "a/d.gltf", "c.txt", "A.GLB"):
        touch(tmp_path / "in" / name)
    places = find_places([tmp_path / "in", tmp_path / "in/b.gltf"], tmp_path / "out")
    stills = [place.still.relative_to(tmp_path / "out").as_posix() for place in places]
    assert stills == ["A.GLB.png", "a/d.gltf.png", "b.gltf.png"]
    assert all(place.out is None for place in places)


def test_without_a_report_one_must_say_where(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="say with -o"):
        find_places([touch(tmp_path / "a.gltf")], None)


def test_two_files_never_share_a_picture(tmp_path: Path) -> None:
    files = [touch(tmp_path / "x/a.gltf"), touch(tmp_path / "y/a.gltf")]
    with pytest.raises(UsageError, match="the same picture"):
        find_places(files, tmp_path / "out")


def test_nothing_to_draw(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no \.glb or \.gltf files"):
        find_places([tmp_path], tmp_path)
    with pytest.raises(InputError, match="no such file"):
        find_places([tmp_path / "gone"], tmp_path)
