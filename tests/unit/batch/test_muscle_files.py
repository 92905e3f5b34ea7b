"""Side files of muscles that no rig can show, through whole runs: what is in them, who lists them, when they go."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tests.batch.small import VERSION, bundle, contents, leftovers, paths, redone, stamps, touch, triangle, write_game
from unity2gltf import Options, Report, pipeline
from unity2gltf.batch.contents import list_contents
from unity2gltf.batch.run import convert
from unity2gltf.pipeline import BESIDE, AssetResult
from unity2gltf.report.compare.outputs import compare_outputs
from unity2gltf.sample import (
    FileBuilder,
    Hierarchy,
    Keys,
    MuscleContent,
    State,
    controller_fields,
    mesh_fields,
    muscle_clip,
    unityfs,
)
from unity2gltf.sample.values import (
    ANIMATION_CLIP,
    ANIMATOR,
    ANIMATOR_CONTROLLER,
    ASSET_BUNDLE,
    MESH,
    MESH_FILTER,
    MESH_RENDERER,
    pptr,
)
from unity2gltf.source import Source

SCHEMA = Path(pipeline.__file__).parent / "report" / "schema-1.json"
WAVE, DOLL = "animations/Wave.muscles.json", "animations/Doll/Wave.muscles.json"
NO_RIG = "no rig of its file has a human avatar"


def wave(name: str = "Wave", height: float = 1.5) -> dict[str, Any]:
    """The body goes up and down in a second, by a parabola; the spine is bent, the hand turns at half-time."""
    content = MuscleContent(
        name,
        1.0,
        streamed={"RootT.y": Keys((0.0, 0.5, 1.0), (1.0, height, 1.0))},
        dense={"Left Hand In-Out": [0.0, 0.25, 0.75]},
        rate=2.0,
        constants={"Spine Front-Back": 0.5},
    )
    return muscle_clip(content, VERSION)


def clips_bundle(cab: str, *clips: dict[str, Any]) -> bytes:
    """Clips, and no object to play them."""
    file = FileBuilder(VERSION)
    numbers = [file.add(ANIMATION_CLIP, clip) for clip in clips]
    container = [(f"{n}.anim", {"preloadIndex": 0, "preloadSize": 0, "asset": pptr(n)}) for n in numbers]
    file.add(ASSET_BUNDLE, {"m_Name": cab, "m_Container": container})
    return unityfs({cab: file.to_bytes()}, VERSION)


def doll_bundle(cab: str, clip: dict[str, Any]) -> bytes:
    """A triangle whose Animator has no avatar, and plays the clip."""
    file = FileBuilder(VERSION)
    tree = Hierarchy(file)
    doll = tree.add("Doll")
    mesh = pptr(file.add(MESH, mesh_fields(triangle("Doll"), file)))
    tree.component(doll, MESH_FILTER, {"m_Mesh": mesh})
    tree.component(doll, MESH_RENDERER, {"m_Materials": [pptr(0)]})
    moves = controller_fields("Moves", [file.add(ANIMATION_CLIP, clip)], [State("Wave", 0)])
    tree.component(doll, ANIMATOR, {"m_Controller": pptr(file.add(ANIMATOR_CONTROLLER, moves))})
    tree.write()
    container = [("doll.prefab", {"preloadIndex": 0, "preloadSize": 0, "asset": pptr(doll.game_object)})]
    file.add(ASSET_BUNDLE, {"m_Name": cab, "m_Container": container})
    return unityfs({cab: file.to_bytes()}, VERSION)


@pytest.fixture
def game(tmp_path: Path) -> Path:
    folder = write_game(tmp_path / "game")
    (folder / "wave.bundle").write_bytes(clips_bundle("CAB-wave", wave()))
    return folder


def run(game: Path, out: Path, **options: Any) -> Report:
    report = convert(game, out, Options(**options))
    assert leftovers(out) == []
    jsonschema.validate(document(out), json.loads(SCHEMA.read_text("utf-8")))
    return report


def document(out: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((out / "report.json").read_text("utf-8"))
    return found


def listed(out: Path) -> list[dict[str, Any]]:
    """The report's lines of clips."""
    return [item for item in document(out)["contents"] if item["source"]["type"] == "AnimationClip"]


def muscle_files(out: Path) -> list[str]:
    return [name for name in paths(out) if ".muscles" in name]


# --- a clip without a rig -----------------------------------------------------------------------------------------


def test_a_clip_that_no_rig_plays_keeps_its_muscles(game: Path, tmp_path: Path) -> None:
    report = run(game, tmp_path / "out")
    (line,) = listed(tmp_path / "out")
    assert (line["name"], line["status"], line["files"]) == ("Wave", "skipped", [WAVE])
    assert line["reason"] == f"3 humanoid muscle curves not baked to bones: {NO_RIG}"
    assert muscle_files(tmp_path / "out") == [WAVE]
    assert {asset.kind for asset in report.assets} == {"prefab"}, "a side file is no asset"
    (told,) = [item for item in report.diagnostics if item.code.name == "CLIP_MUSCLES"]
    assert told.source is not None and told.source.mark() == line["source"]
    assert (report.exit_code("error"), report.exit_code("lossy")) == (0, 1)


def test_the_file_has_the_curves(game: Path, tmp_path: Path) -> None:
    """A parabola from 1 to 1.5 and back: slopes 2, 0, -2, so that the pieces are -2 d^2 + 2 d, and -2 d^2."""
    run(game, tmp_path / "out")
    kept = json.loads((tmp_path / "out" / WAVE).read_text("utf-8"))
    (line,) = listed(tmp_path / "out")
    head = {key: value for key, value in kept.items() if key != "curves"}
    assert head == {
        "name": "Wave", "source": line["source"], "rig": "", "reason": "no rig of its file has a human avatar",
        "duration": 1.0, "sample_rate": 30.0,
    }  # fmt: skip
    curves = {item["attribute"]: item for item in kept["curves"]}
    assert curves.keys() == {"RootT.y", "Left Hand In-Out", "Spine Front-Back"}
    assert curves["Spine Front-Back"] == {
        "attribute": "Spine Front-Back", "interpolation": "step", "times": [0.0], "values": [0.5]
    }  # fmt: skip
    assert curves["Left Hand In-Out"] == {
        "attribute": "Left Hand In-Out", "interpolation": "linear", "times": [0, 0.5, 1], "values": [0, 0.25, 0.75]
    }  # fmt: skip
    root = curves["RootT.y"]
    assert (root["interpolation"], root["times"], root["values"]) == ("cubic", [0.0, 0.5, 1.0], [1.0, 1.5, 1.0])
    assert root["cubics"] == [pytest.approx([0, -2, 2], abs=1e-6), pytest.approx([0, -2, 0], abs=1e-6), [0, 0, 0]]


def test_a_second_run_keeps_the_file(game: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    run(game, out)
    before, report = stamps(out), document(out)
    run(game, out)
    assert redone(before, out) == set() and WAVE in before
    assert document(out) == report
    (game / "more.bundle").write_bytes(clips_bundle("CAB-more", wave(""), wave("Nod")))
    run(game, out)
    assert redone(before, out) == {"animations/clip.muscles.json", "animations/Nod.muscles.json"}
    before = stamps(out)
    touch(game / "c.bundle", bundle("CAB-c", {"c.prefab": "C"}, size=2.0))
    run(game, out)
    assert redone(before, out) == {"prefabs/c.glb"}


def test_a_changed_clip_is_written_anew_and_alone(game: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    run(game, out)
    before = stamps(out)
    touch(game / "wave.bundle", clips_bundle("CAB-wave", wave(height=2.0)))
    run(game, out)
    assert redone(before, out) == {WAVE}
    run(game, tmp_path / "anew")
    assert contents(out) == contents(tmp_path / "anew")


def test_a_file_that_is_lost_is_written_again(game: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    run(game, out)
    before, data = stamps(out), (out / WAVE).read_bytes()
    (out / WAVE).unlink()
    run(game, out)
    assert redone(before, out) == {WAVE} and (out / WAVE).read_bytes() == data


def test_the_file_goes_with_its_clip(game: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    run(game, out)
    before = stamps(out)
    (game / "wave.bundle").unlink()
    run(game, out)
    assert redone(before, out) == set() and not (out / "animations").exists() and listed(out) == []
    run(game, tmp_path / "anew")
    assert contents(out) == contents(tmp_path / "anew")


@pytest.mark.parametrize("options", [{"clips": "none"}, {"name": ("A*",)}, {"exclude": ("wave",)}])
def test_who_wants_no_clips_gets_no_file(game: Path, tmp_path: Path, options: dict[str, Any]) -> None:
    """One of an earlier run goes where no clips are wanted at all; a run of some assets leaves others alone."""
    run(game, tmp_path / "out", **options)
    assert muscle_files(tmp_path / "out") == [] and all("files" not in line for line in listed(tmp_path / "out"))
    run(game, tmp_path / "before")
    run(game, tmp_path / "before", **options)
    assert muscle_files(tmp_path / "before") == ([] if "clips" in options else [WAVE])
    assert all("files" not in line for line in listed(tmp_path / "before"))


@pytest.mark.parametrize("options", [{"clips": "library"}, {"clips": "all-rigs"}, {"name": ("wa*",)}])
def test_who_asks_for_it_gets_it(game: Path, tmp_path: Path, options: dict[str, Any]) -> None:
    run(game, tmp_path / "out", **options)
    assert muscle_files(tmp_path / "out") == [WAVE]


def test_a_clip_none_of_whose_curves_can_be_read_is_told(game: Path, tmp_path: Path) -> None:
    content = MuscleContent("Broken", 1.0, streamed={}, constants={"Spine Front-Back": math.nan})
    (game / "wave.bundle").write_bytes(clips_bundle("CAB-wave", muscle_clip(content, VERSION)))
    report = run(game, tmp_path / "out")
    (line,) = listed(tmp_path / "out")
    assert line["reason"] != "the clip has no curves"
    assert "CLIP_MUSCLES" in {item.code.name for item in report.diagnostics}


def test_clips_of_one_name_have_files_of_their_own(game: Path, tmp_path: Path) -> None:
    (game / "more.bundle").write_bytes(clips_bundle("CAB-more", wave(), wave("", 1.25), wave("Up/Down")))
    run(game, tmp_path / "out")
    files = {(line["source"]["file"], line["name"]): line["files"] for line in listed(tmp_path / "out")}
    assert len(files) == 4 and all(len(own) == 1 for own in files.values())
    names = [name for own in files.values() for name in own]
    assert sorted(names) == muscle_files(tmp_path / "out") and len(set(names)) == 4
    assert all(name.startswith("animations/") for name in names)
    for (file, _), (name,) in files.items():
        assert json.loads((tmp_path / "out" / name).read_text("utf-8"))["source"]["file"] == file


def test_reports_are_compared_with_their_side_files(game: Path, tmp_path: Path) -> None:
    for name in ("one", "two"):
        run(game, tmp_path / name)
    assert compare_outputs(tmp_path / "one", tmp_path / "two")["same"]


# --- beside a rig -------------------------------------------------------------------------------------------------


def only(folder: Path, files: Sequence[tuple[str, bytes]]) -> Path:
    folder.mkdir()
    for name, data in files:
        (folder / name).write_bytes(data)
    return folder


@pytest.mark.parametrize("clips", ["embed", "library"])
def test_a_rig_without_an_avatar_keeps_the_muscles_of_its_clips(clips: str, tmp_path: Path) -> None:
    game = only(tmp_path / "game", [("doll.bundle", doll_bundle("CAB-doll", wave()))])
    out = tmp_path / "out"
    report = run(game, out, clips=clips)
    assert muscle_files(out) == [DOLL]
    assert json.loads((out / DOLL).read_text("utf-8"))["rig"] == "Doll"
    (line,) = listed(out)
    assert (line["status"], line["files"], "assets" in line and line["assets"]) == ("skipped", [DOLL], [])
    assert "no human avatar fits this rig" in line["reason"]
    (prefab,) = report.assets
    assert (prefab.kind, prefab.status) == ("prefab", "lossy")
    assert (out / prefab.output).is_file() if prefab.output else False
    before = stamps(out)
    run(game, out, clips=clips)
    assert redone(before, out) == set()
    (game / "doll.bundle").unlink()
    (game / "wave.bundle").write_bytes(clips_bundle("CAB-wave", wave()))
    run(game, out, clips=clips)
    assert muscle_files(out) == [WAVE] and not (out / "animations/Doll").exists()


def test_a_rig_that_draws_nothing_has_no_clips_unless_they_go_to_files(tmp_path: Path) -> None:
    """Its clip is told to be its own, and is not taken for one without a rig."""
    file = FileBuilder(VERSION)
    tree = Hierarchy(file)
    moves = controller_fields("Moves", [file.add(ANIMATION_CLIP, wave())], [State("Wave", 0)])
    ghost = tree.add("Doll")
    tree.component(ghost, ANIMATOR, {"m_Controller": pptr(file.add(ANIMATOR_CONTROLLER, moves))})
    tree.write()
    game = only(tmp_path / "game", [("ghost.assets", file.to_bytes())])
    run(game, tmp_path / "out")
    (line,) = listed(tmp_path / "out")
    assert muscle_files(tmp_path / "out") == [] and "it belongs to 'Doll'" in line["reason"]
    run(game, tmp_path / "out", clips="library")
    assert muscle_files(tmp_path / "out") == [DOLL]


def test_a_clip_lists_its_files_of_all_rigs() -> None:
    """One that was written to an asset, too, for another rig's sake; and one that was not."""
    clip, other = (Source("a.bundle", "CAB-a", number, "AnimationClip") for number in (1, 2))

    def result(kind: str, source: Source, output: str, **more: Any) -> AssetResult:
        return AssetResult(kind=kind, name="Wave", path="Wave", source=source, output=output, files=(output,), **more)

    asset = result("prefab", Source("a.bundle", "CAB-a", 9, "GameObject"), "prefabs/A.glb", status="exact", uses={clip})
    beside = [
        result("muscles", source, name, status=BESIDE)
        for source, name in ((clip, "animations/B/Wave.muscles.json"), (clip, "animations/A/Wave.muscles.json"))
    ]
    assert not any(side.is_asset for side in beside)
    first, second = list_contents([(clip, "Wave"), (other, "Nod")], [], [asset], [], {other: "why not"}, beside)
    assert first.assets == ("prefabs/A.glb",)
    assert first.files == ("animations/A/Wave.muscles.json", "animations/B/Wave.muscles.json")
    assert (second.status, second.reason, second.files) == ("skipped", "why not", ())
    assert "files" not in second.to_json() and first.to_json()["files"] == list(first.files)
