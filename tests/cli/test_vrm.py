"""``unity2gltf convert --vrm`` on the sample's humanoid, as a user runs it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.batch.small import cli as run
from unity2gltf.evaluate.glb import read_gltf
from unity2gltf.sample import write_bundles
from unity2gltf.validate.structure import check_structure

ABOUT = ("--vrm-name", "{name}", "--vrm-author", "Ada", "--vrm-author", "Eve", "--vrm-license", "https://example.com/l")
VRM = "vrm/assets/prefabs/humanoid.vrm"


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("game")
    write_bundles(folder, "2022.3.20f1")
    return folder


@pytest.fixture(scope="module")
def out(game: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What ``--vrm`` writes."""
    folder = tmp_path_factory.mktemp("out")
    result = run("convert", game, "-o", folder, "--vrm", *ABOUT, "--json", "--quiet")
    assert result.returncode == 0, result.stderr
    told = [json.loads(line) for line in result.stdout.splitlines()]
    assert [item["output"] for item in told[:-1] if item["kind"] == "vrm"] == [VRM]
    assert told[-1]["summary"]["kinds"]["vrm"] == 1
    return folder


def test_the_avatar_is_right_and_says_whose_it_is(out: Path) -> None:
    gltf = read_gltf(out / VRM)
    assert check_structure(gltf) == []
    meta = gltf.json["extensions"]["VRMC_vrm"]["meta"]
    assert (meta["name"], meta["authors"], meta["otherLicenseUrl"]) == (
        "Humanoid",
        ["Ada", "Eve"],
        "https://example.com/l",
    )


def test_the_files_of_the_rig_name_its_bones(out: Path) -> None:
    prefab = read_gltf(out / "prefabs/assets/prefabs/humanoid.glb")
    bones = prefab.json["asset"]["extras"]["unity"]["humanoid"]
    assert {"Hips", "Spine", "Head", "LeftHand", "RightFoot"} <= bones.keys()
    limits = prefab.json["asset"]["extras"]["unity"]["muscle_limits"]
    assert limits["Head Nod Down-Up"][0] < 0 < limits["Head Nod Down-Up"][1]
    assert prefab.json["animations"] and "animations" not in read_gltf(out / VRM).json


def test_validate_proves_it_against_the_game(game: Path, out: Path) -> None:
    result = run("validate", out / "vrm", "--against", game, "--json")
    assert result.returncode == 0, result.stdout
    assert json.loads(result.stdout)["files"] == 1 and "round trip, full: 1 file" in result.stderr


def test_a_clip_s_own_file_has_the_bones_of_its_rig(game: Path, tmp_path: Path) -> None:
    result = run("convert", game, "-o", tmp_path, "--clips", "library", "--name", "humanoid", "-q")
    assert result.returncode == 0, result.stderr
    clip, *_ = sorted((tmp_path / "animations/Humanoid").glob("*.glb"))
    gltf = read_gltf(clip)
    assert check_structure(gltf) == []
    names = [node["name"] for node in gltf.json["nodes"]]
    bones = gltf.json["asset"]["extras"]["unity"]["humanoid"]
    whole = json.loads((tmp_path / "report.json").read_text("utf-8"))
    assert len(bones) >= 15 and max(bones.values()) < len(names) and whole["counts"]["kinds"]["animation"] >= 1


def test_single_writes_the_avatar_alone(game: Path, tmp_path: Path) -> None:
    target = tmp_path / "hero.vrm"
    result = run("convert", game, "--single", target, "--vrm", *ABOUT, "--depfile", tmp_path / "d")
    assert result.returncode == 0, result.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["d", "hero.vrm"]
    assert "hero.vrm" in (tmp_path / "d").read_text("utf-8")
    assert result.stderr.startswith(f"{target}: ")


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("--vrm",), "--vrm needs --vrm-name, --vrm-author, --vrm-license: an avatar says whose it is"),
        (("--vrm", *ABOUT[:2]), "--vrm needs --vrm-author, --vrm-license"),
        (("--vrm", *ABOUT[:-1], "CC-BY"), "--vrm-license must be a URL"),
        (("--vrm", *ABOUT, "--vrm-author", " "), "--vrm needs --vrm-author"),
        (("--vrm", *ABOUT, "--vrm-author", ""), "an argument is empty"),
        (ABOUT, "--vrm-name has no effect without --vrm"),
        (("--vrm", *ABOUT, "--single", "x.glb"), "--vrm writes a .vrm: name one with --single, not x.glb"),
    ],
)
def test_wrong_use_is_one_sentence(args: tuple[str, ...], words: str, game: Path, tmp_path: Path) -> None:
    where = () if "--single" in args else ("-o", tmp_path / "out")
    result = run("convert", game, *where, *args)
    assert result.returncode == 2 and words in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1 and result.stdout == ""


def test_a_game_without_avatars_is_told_so(game: Path, tmp_path: Path) -> None:
    props = next(game.rglob("props.bundle"))
    result = run("convert", props, "-o", tmp_path / "out", "--vrm", *ABOUT)
    assert result.returncode == 0 and "no VRM was written" in result.stderr
