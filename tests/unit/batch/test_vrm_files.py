"""``--vrm``: avatars beside their prefabs, through a whole run and what may follow it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tests.batch.small import bundle, contents, leftovers, paths, redone, stamps, touch, write_game
from tests.builders.avatars import VRM, avatar, smile
from unity2gltf import Options, Report, pipeline
from unity2gltf.batch.prove import prove
from unity2gltf.batch.run import Running, convert
from unity2gltf.batch.single import convert_single
from unity2gltf.errors import UsageError
from unity2gltf.evaluate.glb import read_gltf
from unity2gltf.ir import Asset
from unity2gltf.normalize.build.asset import build_hierarchy
from unity2gltf.report.compare.outputs import compare_outputs
from unity2gltf.report.merge import merge_reports
from unity2gltf.validate.structure import check_structure

SCHEMA = Path(pipeline.__file__).parent / "report" / "schema-1.json"
People = dict[str, Callable[[], Asset]]


def hero() -> Asset:
    return avatar(shapes=[smile("Joy"), smile("Smirk")])


def pair() -> Asset:
    one = avatar()
    return replace(one, humanoids=one.humanoids * 2)


@pytest.fixture
def people(monkeypatch: pytest.MonkeyPatch) -> People:
    """Prefabs that are people instead, by the object's name: the small games have none."""
    chosen: People = {"C": hero}

    def built(raw: Any, kind: str, name: str, source: Any, *rest: Any) -> Any:
        asset, beside = build_hierarchy(raw, kind, name, source, *rest)
        return (replace(chosen[name](), name=name, source=source), iter(())) if name in chosen else (asset, beside)

    monkeypatch.setattr(pipeline, "build_hierarchy", built)
    return chosen


@pytest.fixture
def game(tmp_path: Path) -> Path:
    return write_game(tmp_path / "game")


def run(game: Path, out: Path, options: Options = VRM, running: Running | None = None) -> Report:
    report = convert(game, out, options, running=running)
    assert leftovers(out) == []
    jsonschema.validate(json.loads((out / "report.json").read_text("utf-8")), json.loads(SCHEMA.read_text("utf-8")))
    return report


def test_a_humanoid_prefab_has_an_avatar_of_its_path(game: Path, tmp_path: Path, people: People) -> None:
    report = run(game, tmp_path / "out")
    (vrm,) = [asset for asset in report.assets if asset.kind == "vrm"]
    (prefab,) = [asset for asset in report.assets if asset.kind == "prefab" and asset.name == "C"]
    assert prefab.output is not None and vrm.output == prefab.output.replace("prefabs/", "vrm/").replace(".glb", ".vrm")
    assert (vrm.status, vrm.source, vrm.name) == ("exact", prefab.source, "C")
    assert vrm.roundtrip is not None and vrm.roundtrip["passed"]
    assert report.counts()["kinds"]["vrm"] == 1
    assert people["C"]().humanoids[0].source in vrm.uses
    gltf = read_gltf(tmp_path / "out" / vrm.output)
    assert check_structure(gltf) == [] and gltf.json["extensions"]["VRMC_vrm"]["meta"]["name"] == "C"


def test_without_the_option_there_is_none(game: Path, tmp_path: Path, people: People) -> None:
    report = run(game, tmp_path / "out", Options())
    assert "vrm" not in {asset.kind for asset in report.assets} and not (tmp_path / "out" / "vrm").exists()


def test_a_glb_whatever_the_format_of_the_others(game: Path, tmp_path: Path, people: People) -> None:
    run(game, tmp_path / "out", replace(VRM, format="gltf", shared_textures=True, max_glb=1))
    files = [name for name in paths(tmp_path / "out") if name.startswith("vrm/")]
    assert len(files) == 1 and (tmp_path / "out" / files[0]).read_bytes()[:4] == b"glTF"


def test_prefabs_of_one_path_have_avatars_of_their_own(tmp_path: Path, people: People) -> None:
    game = tmp_path / "game"
    game.mkdir()
    for number in (1, 2):
        data = bundle(f"CAB-{number}", {"hero.prefab": "C" if number == 2 else "B"}, mesh="M")
        (game / f"{number}.bundle").write_bytes(data)
    report = run(game, tmp_path / "out")
    (vrm,) = [asset.output for asset in report.assets if asset.kind == "vrm"]
    (prefab,) = [asset.output for asset in report.assets if asset.kind == "prefab" and asset.name == "C"]
    assert prefab is not None and "-" in prefab and vrm == prefab.replace("prefabs/", "vrm/").replace(".glb", ".vrm")


@pytest.mark.parametrize(
    ("who", "code"),
    [(lambda: avatar(without=["Head"]), "VRM_BONE_MISSING"), (pair, "VRM_AMBIGUOUS")],
)
def test_what_cannot_be_an_avatar_is_told(
    who: Callable[[], Asset], code: str, game: Path, tmp_path: Path, people: People
) -> None:
    people["C"] = who
    report = run(game, tmp_path / "out")
    assert "vrm" not in {asset.kind for asset in report.assets}
    assert {asset.status for asset in report.assets} == {"exact"}, "the prefab itself has lost nothing"
    (told,) = [item for item in report.diagnostics if item.code.name == code]
    assert told.source is not None and told.where and told.source.type == "GameObject"
    assert (report.exit_code("error"), report.exit_code("lossy")) == (0, 1)


def test_what_goes_wrong_costs_the_avatar_alone(
    game: Path, tmp_path: Path, people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pipeline, "vrm_asset", lambda asset, *_: 1 / 0 if asset.humanoids else None)
    report = run(game, tmp_path / "out")
    (vrm,) = [asset for asset in report.assets if asset.kind == "vrm"]
    assert vrm.status == "failed" and vrm.output is None and vrm.reason == "ZeroDivisionError: division by zero"
    assert {asset.status for asset in report.assets if asset.kind == "prefab"} == {"exact"}


def test_a_second_run_does_nothing_and_a_change_redoes_both(game: Path, tmp_path: Path, people: People) -> None:
    out = tmp_path / "out"
    run(game, out)
    before = stamps(out)
    run(game, out)
    assert redone(before, out) == set()
    touch(game / "c.bundle", bundle("CAB-c", {"c.prefab": "C"}, size=2.0))
    run(game, out)
    assert redone(before, out) >= {"prefabs/c.glb", "vrm/c.vrm"}
    run(game, tmp_path / "anew")
    assert contents(out) == contents(tmp_path / "anew")


def test_avatars_that_are_not_asked_for_any_more_go(game: Path, tmp_path: Path, people: People) -> None:
    run(game, tmp_path / "out")
    assert (tmp_path / "out" / "vrm").is_dir()
    run(game, tmp_path / "out", Options())
    assert not (tmp_path / "out" / "vrm").exists()
    run(game, tmp_path / "anew", Options())
    assert contents(tmp_path / "out") == contents(tmp_path / "anew")


def test_what_says_more_of_an_avatar_writes_it_anew(game: Path, tmp_path: Path, people: People) -> None:
    run(game, tmp_path / "out")
    report = run(game, tmp_path / "out", replace(VRM, vrm_name="Hero"))
    (vrm,) = [asset.output for asset in report.assets if asset.kind == "vrm"]
    assert vrm is not None
    assert read_gltf(tmp_path / "out" / vrm).json["extensions"]["VRMC_vrm"]["meta"]["name"] == "Hero"


def test_files_are_proven_again_later(game: Path, tmp_path: Path, people: People) -> None:
    report = run(game, tmp_path / "out")
    files = [tmp_path / "out" / asset.output for asset in report.assets if asset.output]
    proofs = list(prove(files, [game], "full"))
    assert sorted(proof.path for proof in proofs) == sorted(files)
    assert all(proof.result is not None and proof.result.passed for proof in proofs)
    only = [path for path in files if path.suffix == ".vrm"]
    assert [proof.path for proof in prove(only, [game], "quick")] == only


def test_reports_are_compared_and_joined(game: Path, tmp_path: Path, people: People) -> None:
    for name in ("one", "two"):
        run(game, tmp_path / name)
    assert compare_outputs(tmp_path / "one", tmp_path / "two")["same"]
    run(game, tmp_path / "two", replace(VRM, vrm_name="Hero"))
    (changed,) = compare_outputs(tmp_path / "one", tmp_path / "two")["assets"]["changed"]
    assert changed["kind"] == "vrm"
    joined = merge_reports([tmp_path / "one", tmp_path / "two"], tmp_path / "all")
    assert joined["counts"]["kinds"]["vrm"] == 2
    with pytest.raises(UsageError, match="report of a run of its own"):
        merge_reports([tmp_path / "one"], tmp_path / "two")


def test_one_avatar_to_a_file(game: Path, tmp_path: Path, people: People) -> None:
    target = tmp_path / "here" / "Hero.vrm"
    report = convert_single([game], target, VRM, Running())
    assert [asset.kind for asset in report.assets] == ["vrm"]
    assert [path.name for path in target.parent.iterdir()] == ["Hero.vrm"]
    assert check_structure(read_gltf(target)) == []


@pytest.mark.parametrize(
    ("name", "options", "words"),
    [
        ("a.vrm", Options(), "a .vrm needs --vrm"),
        ("a.glb", VRM, "--vrm writes a .vrm: name one with --single"),
        ("a.vrm", replace(VRM, name=("B",)), "choose 0 avatars"),
        ("a.fbx", VRM, "must name a .glb, .gltf or .vrm file"),
    ],
)
def test_one_avatar_that_is_none(
    name: str, options: Options, words: str, game: Path, tmp_path: Path, people: People
) -> None:
    with pytest.raises(UsageError, match=words):
        convert_single([game], tmp_path / "here" / name, options, Running())


def test_one_avatar_that_lacks_a_bone(game: Path, tmp_path: Path, people: People) -> None:
    people["C"] = lambda: avatar(without=["Head"])
    with pytest.raises(UsageError, match="choose 0 avatars: avatar 'FigureAvatar' lacks bones"):
        convert_single([game], tmp_path / "a.vrm", VRM, Running())
