"""Bad animation clips, end to end through ``convert``: told with the clip's name, and the clips beside them play on."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.builders.clips import add_controller, add_override, layer, leaf, machine, state
from tests.hostile.test_pipeline_hostile import Run, run, save, show, triangle
from unity2gltf.batch.prove import prove
from unity2gltf.evaluate.glb import read_gltf
from unity2gltf.evaluate.gltf.samplers import GltfChannel, GltfPlayer
from unity2gltf.math3d import rotation_matrices
from unity2gltf.sample import (
    FileBuilder,
    Frame,
    Hierarchy,
    Segment,
    State,
    compiled_clip,
    controller_fields,
    curve,
    dense_fields,
    key,
    keyed,
    legacy_clip,
    mesh_fields,
    shape_binding,
    transform_binding,
)
from unity2gltf.sample.hierarchy import Item
from unity2gltf.sample.values import (
    ANIMATION,
    ANIMATION_CLIP,
    ANIMATOR,
    ANIMATOR_CONTROLLER,
    MESH,
    SKINNED_MESH_RENDERER,
    bounds,
    pptr,
)

VERSION = "2022.3.20f1"
NAN = math.nan
BONE = transform_binding("Bone", "position")

Fields = dict[str, Any]


@pytest.fixture(autouse=True)
def quiet(capfd: pytest.CaptureFixture[str]) -> Iterator[None]:
    """Nothing may be printed."""
    yield
    assert capfd.readouterr() == ("", "")


# --- a small stage ------------------------------------------------------------------------------------------------


def moving(name: str = "Good", length: float = 1.0, **more: Any) -> Fields:
    """x of the bone runs from 0 to 1, at even speed."""
    keys = [(0.0, 1.0), (0.0, 0.0), (0.0, 0.0)]
    streamed = [
        segment
        for number, ends in enumerate(keys)
        for segment in keyed(number, (0.0, length), ends, [(ends[1] - ends[0]) / length] * 2)
    ]
    return compiled_clip(name, [BONE], streamed=streamed, **{"stop": length} | more)


@dataclass
class Stage:
    """A file with rigs; each is an object with a triangle, ``Bone/Tip`` and ``Face`` with the shapes A and B."""

    file: FileBuilder = field(default_factory=lambda: FileBuilder(VERSION))

    def __post_init__(self) -> None:
        self.tree = Hierarchy(self.file)
        self.mesh = self.file.add(MESH, mesh_fields(triangle(), self.file))
        lift = {name: (Frame(100.0, np.array([0]), np.array([[0.0, 1.0, 0.0]])),) for name in "AB"}
        self.face = self.file.add(MESH, mesh_fields(triangle("Face", shapes=lift), self.file))

    def rig(self, name: str = "Rig", **pose: Any) -> Item:
        """``pose``: parent, position and the like of its root."""
        root = self.tree.add(name, **pose)
        show(self.tree, root, self.mesh)
        self.tree.add("Tip", self.tree.add("Bone", root), position=(0.0, 1.0, 0.0))
        drawn = {"m_Mesh": pptr(self.face), "m_Materials": [pptr(0)], "m_BlendShapeWeights": np.zeros(2, np.float32)}
        face = self.tree.add("Face", root)
        self.tree.component(face, SKINNED_MESH_RENDERER, drawn | {"m_AABB": bounds(triangle().positions)})
        return root

    def clip(self, fields: Mapping[str, Any]) -> int:
        return self.file.add(ANIMATION_CLIP, fields)

    def controller(self, clips: Sequence[int]) -> int:
        states = [State(f"State {number}", number) for number in range(len(clips))]
        return self.file.add(ANIMATOR_CONTROLLER, controller_fields("Controller", clips, states))

    def animate(self, item: Item, controller: int) -> None:
        fields = {"m_Controller": pptr(controller), "m_HasTransformHierarchy": True}
        self.tree.component(item, ANIMATOR, fields)

    def convert(self, folder: Path, **options: Any) -> Run:
        """And hold what was written to its input, as ``validate --against`` does."""
        self.tree.write()
        game = save(folder / "game", self.file)
        result = run(game, out=folder / "out", **options)
        files = sorted((folder / "out").rglob("*.glb"))
        for proof in prove(files, [game], "quick") if files else ():
            assert proof.result is not None and proof.result.passed, proof.diagnostics
        return result


def converted(folder: Path, *clips: Mapping[str, Any], **options: Any) -> Run:
    """The clips, and after them ``Good``, on one rig by its controller."""
    stage = Stage()
    stage.animate(stage.rig(), stage.controller([stage.clip(fields) for fields in (*clips, moving())]))
    return stage.convert(folder, **options)


def animations(result: Run, output: str = "prefabs/Rig.glb") -> dict[str, dict[tuple[str, str], GltfChannel]]:
    """Channels by (node name, path) of each animation by name."""
    gltf = read_gltf(result.out / output)
    names = [node["name"] for node in gltf.items("nodes")]
    player, found = GltfPlayer(gltf), {}
    for number, animation in enumerate(gltf.items("animations")):
        assert animation["name"] not in found
        channels = player.channels(number)
        found[animation["name"]] = {(names[channel.node], channel.path): channel for channel in channels}
        assert len(found[animation["name"]]) == len(channels)
    return found


def told(result: Run, name: str) -> set[str]:
    """Codes of the diagnostics that name the clip."""
    lists = [result.report["diagnostics"], *(asset["diagnostics"] for asset in result.report["assets"])]
    return {
        item["code"]
        for items in lists
        for item in items
        if f'"{name}"' in item["where"] or repr(name) in item["message"]
    }


def plays_on(result: Run, output: str = "prefabs/Rig.glb", name: str = "Good") -> bool:
    """Whether the bone moves as it should."""
    channel = animations(result, output)[name]["Bone", "translation"]
    return bool(channel.times.tolist() == [0.0, 1.0] and channel.values[:, 0].tolist() == [0.0, -1.0])


# --- what a stream may claim --------------------------------------------------------------------------------------


def stream(change: Callable[[np.ndarray[Any, Any]], np.ndarray[Any, Any]], **more: Any) -> Fields:
    """``Bad``, with other words: a lead-in of 17, then 17 for 0 s, 17 for 1 s and two for the end."""
    fields = moving("Bad", **more)
    stored = stored_curves(fields)["m_StreamedClip"]
    stored["data"] = change(stored["data"].copy())
    return fields


def stored_curves(fields: Fields) -> Fields:
    return fields["m_MuscleClip"]["m_Clip"]["data"]  # type: ignore[no-any-return]


def word(at: int, value: int) -> Callable[[np.ndarray[Any, Any]], np.ndarray[Any, Any]]:
    def change(words: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        words[at] = value
        return words

    return change


def number(at: int, value: float) -> Callable[[np.ndarray[Any, Any]], np.ndarray[Any, Any]]:
    return word(at, int(np.float32(value).view(np.uint32)))


def dense(**changes: Any) -> Fields:
    fields = compiled_clip("Bad", [BONE], dense=dense_fields([[0, 0, 0], [1, 2, 3]], 30.0))
    stored_curves(fields)["m_DenseClip"].update(changes)
    return fields


def counting(curves: int) -> Fields:
    fields = moving("Bad")
    stored_curves(fields)["m_StreamedClip"]["curveCount"] = curves
    return fields


def turning(degrees: float) -> Fields:
    """A legacy clip of Euler angles that get there in a second, at even speed."""
    far, still = (degrees,) * 3, (0.0,) * 3
    return legacy_clip(
        "Bad", 1.0, {"?m_EulerCurves": [curve("Bone", [key(0.0, still, far, far), key(1.0, far, far, far)])]}
    )


def positions(*keys: Mapping[str, Any]) -> Fields:
    return legacy_clip("Bad", 1.0, {"m_PositionCurves": [curve("Bone", keys)]})


ONE, NOWHERE, ORIGIN = (1.0, 0.0, 0.0), (NAN, 0.0, 0.0), (0.0, 0.0, 0.0)
ROTATION = transform_binding("Bone", "rotation")
LINES = [segment for number_ in range(3) for segment in keyed(number_, (0.0, 1.0), (0.0, 1.0), (1.0, 1.0))]

LOST: dict[str, tuple[Fields, str]] = {
    "one_word": (stream(lambda words: words[:1]), "CLIP_INVALID"),
    "more_curves_than_words": (counting(65535), "CLIP_INVALID"),
    "dense_of_a_billion_frames": (dense(m_FrameCount=1 << 30), "CLIP_INVALID"),
    "dense_of_a_billion_curves": (dense(m_CurveCount=1 << 30), "CLIP_INVALID"),
    "coefficients_beyond_float32": (stream(number(20, 3.4e38)), "CLIP_INVALID"),
    "constants_without_a_number": (compiled_clip("Bad", [BONE], constants=[NAN, 1.0, np.inf]), "CLIP_INVALID"),
    "rotation_order_that_is_none": (
        legacy_clip("Bad", 1.0, {"?m_EulerCurves": [curve("Bone", [key(0.0, ONE, ONE, ONE)], rotation_order=9)]}),
        "CLIP_INVALID",
    ),
    "without_curves": (compiled_clip("Bad", []), "CLIP_EMPTY"),
    "legacy_without_keys": (positions(), "CLIP_EMPTY"),
    "paths_of_another_rig": (
        compiled_clip("Bad", [transform_binding("Nowhere", "position")], constants=[1.0, 2.0, 3.0]),
        "CLIP_LEFT_OUT",
    ),
    "shapes_beyond_the_mesh": (
        compiled_clip("Bad", [shape_binding(path, "Z") for path in ("Face", "Bone")], constants=[50.0, 60.0]),
        "CLIP_LEFT_OUT",
    ),
}

KEPT: dict[str, tuple[Fields, str | None]] = {
    "stream_without_its_end": (stream(lambda words: words[:-2]), "CLIP_TRUNCATED"),
    "stream_cut_within_a_record": (stream(lambda words: words[:-10]), "CLIP_TRUNCATED"),
    "frame_of_billions_of_records": (stream(word(18, 0xFFFFFFFF)), "CLIP_TRUNCATED"),
    "curve_number_beyond_the_curves": (stream(word(19, 77)), "CLIP_INVALID"),
    "time_that_falls": (stream(number(34, -5.0)), "CLIP_INVALID"),
    "time_that_is_no_number": (stream(number(34, NAN)), "CLIP_INVALID"),
    "coefficient_that_is_no_number": (stream(number(20, NAN)), "CLIP_INVALID"),
    "coefficient_that_is_infinite": (stream(number(20, np.inf)), None),
    "value_that_is_infinite": (stream(number(23, np.inf)), "CLIP_INVALID"),
    "bindings_longer_than_the_curves": (compiled_clip("Bad", [BONE, ROTATION], streamed=LINES), "CLIP_INVALID"),
    "curves_longer_than_the_bindings": (compiled_clip("Bad", [BONE], streamed=LINES, constants=[1.0]), "CLIP_INVALID"),
    "two_bindings_of_one_thing": (compiled_clip("Bad", [BONE, BONE], constants=range(6)), "CLIP_DUPLICATE"),
    "dense_without_a_rate": (dense(m_SampleRate=0.0), "CLIP_INVALID"),
    "dense_that_begins_in_31_years": (dense(m_BeginTime=1e9), None),
    "quaternion_of_length_0": (compiled_clip("Bad", [ROTATION], constants=[0.0] * 4), "CLIP_INVALID"),
    "numbers_at_the_end_of_float32": (compiled_clip("Bad", [BONE, ROTATION], constants=[3e38] * 7), None),
    "no_length": (moving("Bad", stop=0.0), None),
    "stop_before_the_start": (moving("Bad", start=2.0), "CLIP_INVALID"),
    "stop_that_is_no_time": (moving("Bad", stop=NAN), "CLIP_INVALID"),
    "a_billion_seconds": (moving("Bad", 1e9), None),
    "a_tenth_of_a_microsecond": (moving("Bad", 1e-7), None),
    "a_denormal_length": (moving("Bad", stop=1e-40), None),
    "start_in_31_years": (moving("Bad", start=1e9, stop=1e9 + 64), None),
    "event_without_a_time": (moving("Bad", events=[{"time": NAN, "functionName": "F"}]), "CLIP_INVALID"),
    "legacy_slope_and_value_of_nan": (
        positions(key(0.0, NOWHERE, ONE, ONE), key(1.0, ONE, NOWHERE, ONE)),
        "CLIP_INVALID",
    ),
    "legacy_times_that_fall": (positions(key(1.0, ONE, ONE, ONE), key(0.0, ORIGIN, ONE, ONE)), "CLIP_INVALID"),
    "tangent_weights_without_measure": (
        positions(key(0.0, ORIGIN, ONE, ONE, weight=1e30), key(1.0, ONE, ONE, ONE, weight=NAN)),
        "CLIP_RESAMPLED",
    ),
    "thousands_of_turns_a_second": (turning(1e6), "CLIP_EULER_COARSE"),
    "name_that_is_a_path": (moving("../../Bad\n\u202e"), None),
    "name_of_the_other": (moving("Good"), None),
    "no_name": (moving(""), None),
}


@pytest.mark.parametrize("case", LOST)
def test_clip_that_cannot_be_played_is_told_by_name_and_the_other_plays(case: str, tmp_path: Path) -> None:
    fields, code = LOST[case]
    result = converted(tmp_path, fields)
    assert list(animations(result)) == ["Good"]
    assert plays_on(result)
    assert code in told(result, "Bad")
    (content,) = (item for item in result.report["contents"] if item["name"] == "Bad")
    assert content["assets"] == [] and content["reason"]


@pytest.mark.parametrize("case", KEPT)
def test_what_is_whole_of_a_clip_is_played_and_the_rest_is_told(case: str, tmp_path: Path) -> None:
    fields, code = KEPT[case]
    result = converted(tmp_path, fields)
    assert len(animations(result)) == 2
    assert plays_on(result, name="Good@Rig" if fields["m_Name"] == "Good" else "Good")
    assert code in told(result, "Bad") if code else told(result, "Bad") == set()


def test_curves_that_go_nowhere_are_not_called_kept(tmp_path: Path) -> None:
    """A clip that moves nothing is in no file, and so are its curves."""
    for number_, case in enumerate(("paths_of_another_rig", "shapes_beyond_the_mesh")):
        result = converted(tmp_path / str(number_), LOST[case][0])
        assert not any(
            "extras" in item["message"] for asset in result.report["assets"] for item in asset["diagnostics"]
        )
        assert result.statuses == {"Rig": "lossy"}


def test_a_hundred_thousand_keys_take_no_minute(tmp_path: Path) -> None:
    steps = [Segment(axis, k / 64, 0.0, 0.0, 0.0, float(k % 7)) for k in range(33_000) for axis in range(3)]
    result = converted(tmp_path, compiled_clip("Long", [BONE], streamed=steps, stop=33_000 / 64), verify="quick")
    assert len(animations(result)["Long"]["Bone", "translation"].times) == 33_001


def test_weights_without_measure_are_written_as_they_are(tmp_path: Path) -> None:
    swing = keyed(0, (0.0, 1.0), (1e30, -1e30), (0.0, 0.0))
    result = converted(
        tmp_path,
        compiled_clip("Swing", [shape_binding("Face", "B")], streamed=swing),
        compiled_clip("Below", [shape_binding("Face", "A"), shape_binding("Face", "Z")], constants=[-250.0, 1.0]),
    )
    assert plays_on(result)
    assert animations(result)["Below"]["Face", "weights"].values.tolist() == [[-2.5, 0.0]] * 2
    assert told(result, "Below") == {"CLIP_HASH_UNRESOLVED"}


# --- rigs ---------------------------------------------------------------------------------------------------------


def test_one_clip_on_two_rigs_of_a_name_shares_accessors(tmp_path: Path) -> None:
    stage = Stage()
    controller = stage.controller([stage.clip(moving())])
    top = stage.tree.add("Top")
    for _ in range(2):
        rig = stage.rig(parent=top)
        stage.animate(rig, controller)
    result = stage.convert(tmp_path)
    assert list(animations(result, "prefabs/Top.glb")) == ["Good", "Good@Rig"]
    one, two = read_gltf(result.out / "prefabs/Top.glb").items("animations")
    assert one["samplers"] == two["samplers"]
    assert one["extras"]["unity"]["rig"] != two["extras"]["unity"]["rig"]


def test_clips_keep_the_order_of_their_controller_and_the_first_its_name(tmp_path: Path) -> None:
    stage = Stage()
    names = ("Walk", "Run", "Walk", "Walk")
    stage.animate(stage.rig(), stage.controller([stage.clip(moving(name)) for name in names]))
    assert list(animations(stage.convert(tmp_path))) == ["Walk", "Run", "Walk@Rig", "Walk@Rig#2"]


def test_library_names_of_clips_that_no_file_system_takes(tmp_path: Path) -> None:
    names = ("CON", "Good", "good", "../../etc/passwd\n\u202e" + "x" * 3000)
    result = converted(tmp_path, *map(moving, names), clips="library")
    files = {path.relative_to(result.out).as_posix() for path in (result.out / "animations").rglob("*.glb")}
    assert len({name.lower() for name in files}) == 5 and max(map(len, files)) <= 200
    assert "animations/Rig/Good.glb" in files and "animations/Rig/CON.glb" not in files


def test_library_writes_clips_of_a_rig_that_draws_nothing(tmp_path: Path) -> None:
    stage = Stage()
    rig = stage.tree.add("Bare")
    stage.tree.add("Bone", rig)
    stage.animate(rig, stage.controller([stage.clip(moving())]))
    embedded = stage.convert(tmp_path)
    (content,) = (item for item in embedded.report["contents"] if item["type"] == "AnimationClip")
    assert "Bare" in content["reason"] and content["status"] == "skipped"
    library = run(tmp_path / "game", out=tmp_path / "library", clips="library")
    assert plays_on(library, "animations/Bare/Good.glb")
    (proof,) = prove([library.out / "animations/Bare/Good.glb"], [tmp_path / "game"], "full")
    assert proof.result is not None and proof.result.passed


@pytest.mark.parametrize("inactive", ["keep", "flag", "skip"])
def test_rig_below_an_inactive_object(inactive: str, tmp_path: Path) -> None:
    stage = Stage()
    top = stage.tree.add("Top")
    show(stage.tree, top, stage.mesh)
    rig = stage.rig(parent=stage.tree.add("Off", top, active=False))
    stage.animate(rig, stage.controller([stage.clip(moving())]))
    result = stage.convert(tmp_path, inactive=inactive)
    if inactive != "skip":
        assert plays_on(result, "prefabs/Top.glb")
        return
    assert animations(result, "prefabs/Top.glb") == {}
    (content,) = (item for item in result.report["contents"] if item["type"] == "AnimationClip")
    assert "Rig" in content["reason"]


def test_root_of_a_prefab_that_moves_itself(tmp_path: Path) -> None:
    stage = Stage()
    bindings = [transform_binding("", "position"), transform_binding("", "rotation")]
    clip = compiled_clip("Root", bindings, constants=[4.0, 5.0, 6.0, 0.0, 0.0, 0.0, 1.0])
    stage.animate(stage.rig(position=(1.0, 2.0, 3.0)), stage.controller([stage.clip(clip)]))
    result = stage.convert(tmp_path)
    assert animations(result)["Root"]["Rig", "translation"].values.tolist() == [[-4.0, 5.0, 6.0]] * 2


def test_path_that_two_objects_have_moves_the_first(tmp_path: Path) -> None:
    stage = Stage()
    rig = stage.rig()
    stage.tree.add("Bone", rig)
    stage.animate(rig, stage.controller([stage.clip(moving())]))
    result = stage.convert(tmp_path)
    (animation,) = read_gltf(result.out / "prefabs/Rig.glb").items("animations")
    (channel,) = animation["channels"]
    nodes = read_gltf(result.out / "prefabs/Rig.glb").items("nodes")
    assert nodes[channel["target"]["node"]]["children"]  # of the two, the one with the tip


def test_clip_that_no_rig_takes_names_the_best_and_its_share(tmp_path: Path) -> None:
    stage = Stage()
    bindings = [BONE, transform_binding("Nowhere", "position")]
    stage.clip(compiled_clip("Half", bindings, constants=[1.0] * 6))
    stage.animate(stage.rig(), 0)
    (content,) = (c for c in stage.convert(tmp_path).report["contents"] if c["type"] == "AnimationClip")
    assert content["status"] == "skipped"
    assert "'Rig'" in content["reason"] and "50%" in content["reason"]


# --- controllers --------------------------------------------------------------------------------------------------


def ring(stage: Stage) -> int:
    one, two = stage.file.reserve(), stage.file.reserve()
    add_override(stage.file, two, {}, one)
    return add_override(stage.file, one, {}, two)


def own_base(stage: Stage) -> int:
    own = stage.file.reserve()
    return add_override(stage.file, own, {}, own)


@pytest.mark.parametrize("build", [ring, own_base])
def test_overrides_based_on_each_other_end_and_the_clip_finds_its_rig(
    build: Callable[[Stage], int], tmp_path: Path
) -> None:
    stage = Stage()
    stage.clip(moving())
    stage.animate(stage.rig(), build(stage))
    result = stage.convert(tmp_path)
    assert plays_on(result)
    assert result.codes == {"CONTROLLER_INVALID"}


def test_overrides_a_thousand_deep(tmp_path: Path) -> None:
    stage = Stage()
    controller = stage.controller([stage.clip(moving())])
    for _ in range(1000):
        controller = add_override(stage.file, controller, {})
    stage.animate(stage.rig(), controller)
    assert plays_on(stage.convert(tmp_path))


@pytest.mark.parametrize("children", [[1, 0], list(range(1, 3000))], ids=["in_a_ring", "without_end"])
def test_blend_trees(children: list[int], tmp_path: Path) -> None:
    stage = Stage()
    nodes = [leaf(0xFFFFFFFF, m_ChildIndices=np.array([child], np.uint32)) for child in children]
    machines = [machine([state(5, [[*nodes, leaf(0)]])])]
    stage.animate(stage.rig(), add_controller(stage.file, [layer(0, 1)], machines, [stage.clip(moving())], {}))
    result = stage.convert(tmp_path)
    assert plays_on(result)
    assert result.codes == {"CONTROLLER_INVALID"}


def test_references_to_what_is_no_clip_and_no_controller(tmp_path: Path) -> None:
    stage = Stage()
    rig, clip = stage.rig(), stage.clip(moving())
    stage.animate(rig, clip)
    clips = [pptr(clip), pptr(clip), pptr(99999), pptr(stage.mesh)]
    stage.tree.component(rig, ANIMATION, {"m_Animation": pptr(clip), "m_Animations": clips})
    result = stage.convert(tmp_path)
    assert plays_on(result)
    assert result.codes == {"OBJECT_CORRUPT", "REFERENCE_MISSING"}


def test_stub_at_a_place_where_the_chain_cancels_is_proven(tmp_path: Path) -> None:
    """Two thirds of a metre out and back again: the place has the rounding of the way, not of its own size."""
    stage = Stage()
    rig = stage.tree.add("Rig")
    turn = tuple(float(np.float32(part)) for part in (-0.5, -0.5, -0.49999934, 0.50000066))
    neck = stage.tree.add("Neck", rig, position=(0.6654852, 0.03924, 0.0), rotation=turn)
    back = rotation_matrices(turn).T @ [-0.6654852, -0.03924, 0.0]
    face = stage.tree.add("Face", neck, position=back.astype(np.float32).tolist())
    drawn = {"m_Mesh": pptr(stage.face), "m_Materials": [pptr(0)], "m_BlendShapeWeights": np.zeros(2, np.float32)}
    stage.tree.component(face, SKINNED_MESH_RENDERER, drawn | {"m_AABB": bounds(triangle().positions)})
    clip = compiled_clip("Smile", [shape_binding("Neck/Face", "A")], constants=[50.0])
    stage.animate(rig, stage.controller([stage.clip(clip)]))
    result = stage.convert(tmp_path, clips="library")
    assert set(result.statuses.values()) == {"exact"}
