"""Controllers: layers, blend trees, overrides, and what they name but have not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.builders.clips import add_clip, add_controller, add_override, compiled, layer, leaf, machine, state
from unity2gltf.diagnostics import Diagnostics, Fault
from unity2gltf.extract.content import ContentRoot
from unity2gltf.extract.game import open_game
from unity2gltf.raw import RawController
from unity2gltf.sample.writer import FileBuilder
from unity2gltf.source import Source

VERSION = "2022.3.20f1"
TOS = {1: "Base", 2: "Upper", 10: "Walk", 11: "Run", 12: "Blend", 20: "Speed", 21: "Turn", 22: "Smile"}


def clips_of(file: FileBuilder, count: int) -> list[int]:
    return [add_clip(file, compiled((), 0), m_Name=f"clip{number}") for number in range(count)]


def open_root(tmp_path: Path, file: FileBuilder) -> tuple[ContentRoot, Diagnostics]:
    diagnostics = Diagnostics()
    (tmp_path / "a.assets").write_bytes(file.to_bytes())
    (root,) = open_game(tmp_path, diagnostics=diagnostics).roots
    return root, diagnostics


def read(
    tmp_path: Path, file: FileBuilder, type_: str = "AnimatorController"
) -> tuple[RawController, ContentRoot, list[str]]:
    root, diagnostics = open_root(tmp_path, file)
    controller = root.controller(list(root.objects(type_))[-1])
    return controller, root, [item.code.name for item in diagnostics.items]


def names(root: ContentRoot, controller: RawController) -> list[list[str]]:
    return [[root.name(m.clip) for m in s.motions if isinstance(m.clip, Source)] for s in controller.states]


@pytest.mark.parametrize("version", ["5.2.0f3", "2017.3.0f3", "2018.3.0f2", VERSION, "6000.0.23f1"])
def test_states_of_layers(tmp_path: Path, version: str) -> None:
    file = FileBuilder(version)
    clips = clips_of(file, 3)
    states = [
        state(10, [[leaf(0)], [leaf(2)]], m_Speed=0.5, m_Mirror=True, m_CycleOffset=0.25),
        state(99, [], [-1, -1]),
    ]
    layers = [layer(0, 1), layer(0, 2, motion_set=1, weight=0.75, additive=True)]
    add_controller(file, layers, [machine(states, 1)], clips, TOS)
    controller, root, codes = read(tmp_path, file)
    assert codes == [] and controller.name == "controller"
    assert [root.name(clip) for clip in controller.clips if isinstance(clip, Source)] == ["clip0", "clip1", "clip2"]
    assert names(root, controller) == [["clip0"], [], ["clip2"], []]
    walk, empty, upper, _ = controller.states
    assert (walk.layer, walk.layer_index, walk.name, walk.full_path) == ("Base", 0, "Walk", "Walk")
    assert (walk.speed, walk.mirror, walk.cycle_offset, walk.default, walk.additive) == (0.5, True, 0.25, False, False)
    assert walk.layer_weight == 1.0 and walk.motions[0].blend == {}
    assert (empty.name, empty.default, empty.motions) == ("#99", True, ())
    assert (upper.layer, upper.layer_index, upper.additive, upper.layer_weight) == ("Upper", 1, True, 0.75)


def nested_tree() -> list[dict[str, Any]]:
    return [
        {"m_BlendType": 0, "m_BlendEventID": 20, "m_ChildIndices": [1, 2],
         "m_Blend1dData": {"data": {"m_ChildThresholdArray": np.array([0, 1.5], np.float32)}}},
        leaf(0, m_CycleOffset=0.5, m_Mirror=True),
        {"m_BlendType": 2, "m_BlendEventID": 20, "m_BlendEventYID": 21, "m_ChildIndices": [3, 4],
         "m_Blend2dData": {"data": {"m_ChildPositionArray": np.array([[0, 1], [-1, 0]], np.float32)}}},
        leaf(1),
        {"m_BlendType": 4, "m_ChildIndices": [5], "m_BlendEventID": 0xFFFFFFFF,
         "m_BlendDirectData": {"data": {"m_ChildBlendEventIDArray": [22]}}},
        leaf(2),
    ]  # fmt: skip


def test_nested_blend_tree(tmp_path: Path) -> None:
    file = FileBuilder(VERSION)
    add_controller(file, [layer(0, 1)], [machine([state(12, [nested_tree()])])], clips_of(file, 3), TOS)
    controller, root, codes = read(tmp_path, file)
    assert codes == [] and names(root, controller) == [["clip0", "clip1", "clip2"]]
    first, second, third = [motion.blend for motion in controller.states[0].motions]
    top = {"type": "1D", "parameters": ["Speed"]}
    assert first == {
        "tree": [top | {"threshold": 0.0}], "duration": 1.0, "cycle_offset": 0.5, "mirror": True
    }  # fmt: skip
    plane = {"type": "2D freeform directional", "parameters": ["Speed", "Turn"]}
    assert second["tree"] == [top | {"threshold": 1.5}, plane | {"position": [0.0, 1.0]}]
    direct = {"type": "direct", "parameters": [], "parameter": "Smile"}
    assert third["tree"] == [top | {"threshold": 1.5}, plane | {"position": [-1.0, 0.0]}, direct]


def old_state(name: int, node: dict[str, Any], ids: list[int], offset: int) -> Any:
    return state(name, [[node]], m_LeafInfoArray=[{"m_IDArray": ids, "m_IndexOffset": offset}])


@pytest.mark.parametrize("version", ["4.3.4f1", "5.0.2f1", "5.1.0f3"])
@pytest.mark.parametrize(
    ("offset", "expected", "codes"), [(1, [["clip0"], ["clip1"]], []), (5, [[], []], 1), (0, [[], []], 1)]
)
def test_leaves_before_5_2_are_counted_by_state(
    tmp_path: Path, version: str, offset: int, expected: list[list[str]], codes: Any
) -> None:
    file = FileBuilder(version)
    states = [old_state(10, leaf(777), [777], 0), old_state(11, leaf(888), [888], offset)]
    add_controller(file, [layer(0, 1)], [machine(states)], clips_of(file, 2), TOS)
    controller, root, found = read(tmp_path, file)
    assert names(root, controller) == expected
    assert found == (["CONTROLLER_INVALID"] * codes if codes else [])


def test_clip_ids_beyond_the_list_leave_the_state_empty(tmp_path: Path) -> None:
    file = FileBuilder(VERSION)
    states = [state(10, [[leaf(2)]]), state(11, [[leaf(0)]])]
    add_controller(file, [layer(0, 1)], [machine(states)], clips_of(file, 2), TOS)
    controller, root, codes = read(tmp_path, file)
    assert names(root, controller) == [[], ["clip0"]] and codes == ["CONTROLLER_INVALID"]
    root.controller(controller.source)
    assert [item.code.name for item in root.diagnostics.items] == codes  # read once, reported once


def ring() -> list[dict[str, Any]]:
    return [{"m_ChildIndices": [1, 1]}, {"m_ChildIndices": [0]}]


def deep() -> list[dict[str, Any]]:
    return [{"m_ChildIndices": [number + 1]} for number in range(3000)] + [leaf(0)]


@pytest.mark.parametrize("nodes", [ring(), deep(), [{"m_ChildIndices": [7]}]], ids=["ring", "deep", "no child"])
def test_blend_trees_that_do_not_end(tmp_path: Path, nodes: list[dict[str, Any]]) -> None:
    file = FileBuilder(VERSION)
    add_controller(file, [layer(0, 1)], [machine([state(10, [nodes])])], clips_of(file, 1), TOS)
    controller, root, codes = read(tmp_path, file)
    assert names(root, controller) == [[]] and set(codes) == {"CONTROLLER_INVALID"}


@pytest.mark.parametrize(
    ("layers", "indices"), [([layer(5, 1)], [0]), ([layer(0, 1), layer(0, 2)], [0]), ([layer(0, 1)], [4])]
)
def test_layers_and_trees_that_are_not_there(tmp_path: Path, layers: list[Any], indices: list[int]) -> None:
    file = FileBuilder(VERSION)
    add_controller(file, layers, [machine([state(10, [[leaf(0)]], indices)])], clips_of(file, 1), TOS)
    controller, _, codes = read(tmp_path, file)
    assert codes == ["CONTROLLER_INVALID"] and len(controller.states) <= 1


def test_numbers_that_are_not_finite_are_replaced(tmp_path: Path) -> None:
    file = FileBuilder(VERSION)
    states = [state(10, [[leaf(0)]], m_Speed=float("nan"), m_CycleOffset=float("inf"))]
    add_controller(file, [layer(0, 1)], [machine(states)], clips_of(file, 1), TOS)
    controller, _, codes = read(tmp_path, file)
    assert (controller.states[0].speed, controller.states[0].cycle_offset) == (1.0, 0.0)
    assert codes == ["CONTROLLER_INVALID"] * 2


def test_many_layers_of_one_machine_are_limited(tmp_path: Path) -> None:
    file = FileBuilder(VERSION)
    layers = [layer(0, 1, motion_set=number) for number in range(400)]
    add_controller(file, layers, [machine([state(10, [], [-1] * 400)] * 200)], [], TOS)
    with pytest.raises(Fault) as fault:
        read(tmp_path, file)
    assert fault.value.code.name == "CONTROLLER_INVALID" and "limit" in fault.value.data


# --- overrides ------------------------------------------------------------------------------------------------------


def with_base(file: FileBuilder) -> tuple[int, list[int]]:
    clips = clips_of(file, 5)
    states = [state(10, [[leaf(0)]]), state(11, [[leaf(1)]])]
    return add_controller(file, [layer(0, 1)], [machine(states)], clips[:2], TOS), clips


def test_override_replaces_clips_and_keeps_the_others(tmp_path: Path) -> None:
    file = FileBuilder(VERSION)
    base, clips = with_base(file)
    add_override(file, base, {clips[0]: clips[2], clips[1]: 0})
    controller, root, codes = read(tmp_path, file, "AnimatorOverrideController")
    assert codes == [] and controller.name == "override" and controller.source.type == "AnimatorOverrideController"
    assert names(root, controller) == [["clip2"], ["clip1"]]
    assert [root.name(clip) for clip in controller.clips if isinstance(clip, Source)] == ["clip2", "clip1"]


@pytest.mark.parametrize("by_first", [False, True])
def test_override_of_an_override(tmp_path: Path, by_first: bool) -> None:
    file = FileBuilder(VERSION)
    base, clips = with_base(file)
    inner = add_override(file, base, {clips[0]: clips[2], clips[1]: clips[3]})
    add_override(file, inner, {clips[0 if by_first else 2]: clips[4]})
    controller, root, _ = read(tmp_path, file, "AnimatorOverrideController")
    assert names(root, controller) == [["clip4"], ["clip3"]]


def test_two_clips_overridden_by_one_are_listed_once(tmp_path: Path) -> None:
    file = FileBuilder(VERSION)
    base, clips = with_base(file)
    add_override(file, base, {clips[0]: clips[2], clips[1]: clips[2]})
    controller, _, _ = read(tmp_path, file, "AnimatorOverrideController")
    assert len(controller.clips) == 1


def test_overrides_in_a_ring_and_of_nothing(tmp_path: Path) -> None:
    file = FileBuilder(VERSION)
    file.reserve()
    add_override(file, 2, {}, path_id=1)
    add_override(file, 1, {}, path_id=2)
    add_override(file, 0, {}, path_id=3)
    add_override(file, 77, {}, path_id=4)
    add_override(file, clips_of(file, 1)[0], {}, path_id=9)
    root, _ = open_root(tmp_path, file)
    outcomes = []
    for source in root.objects("AnimatorOverrideController"):
        try:
            outcomes.append(str(root.controller(source).clips))
        except Fault as fault:
            outcomes.append(fault.code.name)
    assert outcomes == ["CONTROLLER_INVALID", "CONTROLLER_INVALID", "()", "REFERENCE_MISSING", "OBJECT_CORRUPT"]
