"""The player of files by numbers worked out by hand, and files that make no sense."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from unity2gltf.evaluate.fields import GlbError
from unity2gltf.evaluate.glb import parse_glb
from unity2gltf.evaluate.gltf.samplers import GltfChannel, GltfPlayer

from .clip_by_hand import BODY, HIP, KNEE, PROP, moving_by_hand
from .draft import Draft

HALF = math.sqrt(0.5)


def player(draft: Draft) -> GltfPlayer:
    return GltfPlayer(parse_glb(draft.glb()))


def channel(path: str, mode: str, times: Any, values: Any, arriving: Any = None, leaving: Any = None) -> GltfChannel:
    arrays = [None if rows is None else np.array(rows, np.float64) for rows in (times, values, arriving, leaving)]
    return GltfChannel(0, path, "", mode, *arrays)  # type: ignore[arg-type]


def sample(one: GltfChannel, *times: float) -> list[Any]:
    values: list[Any] = player(moving_by_hand()).sample(one, np.array(times)).tolist()
    return values


def test_steps_hold_until_the_next_key() -> None:
    stepped = channel("scale", "STEP", (1, 2), [[1, 1, 1], [2, 2, 2]])
    assert [row[0] for row in sample(stepped, -5, 1, 1.999, 2, 5)] == [1, 1, 1, 2, 2]


def test_lines_are_clamped_at_both_ends() -> None:
    straight = channel("translation", "LINEAR", (1, 3), [[0, 4, 0], [8, 0, 0]])
    assert sample(straight, 0, 1, 2, 2.5, 3, 9) == [[0, 4, 0], [0, 4, 0], [4, 2, 0], [6, 1, 0], [8, 0, 0], [8, 0, 0]]


def test_rotations_go_round_the_sphere_at_an_even_pace() -> None:
    turn = channel("rotation", "LINEAR", (0, 3), [[0, 0, 0, 1], [0, 1, 0, 0]])  # 180 degrees in 3 s
    assert sample(turn, 1.0)[0] == pytest.approx([0, 0.5, 0, math.sqrt(0.75)])


def test_rotations_take_the_shorter_way() -> None:
    turn = channel("rotation", "LINEAR", (0, 2), [[0, 0, 0, 1], [0, -HALF, 0, -HALF]])
    assert sample(turn, 1.0)[0] == pytest.approx([0, math.sin(math.pi / 8), 0, math.cos(math.pi / 8)])


def test_nearly_equal_rotations_do_not_divide_by_zero() -> None:
    turn = channel("rotation", "LINEAR", (0, 2), [[0, 0, 0, 1], [1e-9, 0, 0, 1]])
    assert sample(turn, 1.0)[0] == pytest.approx([5e-10, 0, 0, 1], abs=1e-12)
    opposite = channel("rotation", "LINEAR", (0, 2), [[0, 0, 0, 1], [0, 0, 0, -1]])
    assert np.abs(sample(opposite, 1.0)[0]).tolist() == [0, 0, 0, 1]


def test_splines_scale_tangents_by_the_length_of_the_segment() -> None:
    curved = channel("translation", "CUBICSPLINE", (0, 2), np.zeros((2, 3)), [[0] * 3] * 2, [[3, 0, 0], [0, 0, 0]])
    assert sample(curved, 0.5, 1.0)[0][0] == pytest.approx(2 * 3 * 0.25 * 0.75**2)
    assert sample(curved, 1.0)[0][0] == pytest.approx(2 * 3 * 0.125)


def test_splines_of_rotations_are_normalised() -> None:
    rest = [[0] * 4] * 2
    curved = channel("rotation", "CUBICSPLINE", (0, 1), [[0, 0, 0, 1], [0, 1, 0, 0]], rest, rest)
    assert sample(curved, 0.5)[0] == pytest.approx([0, HALF, 0, HALF])


def test_the_file_made_by_hand_poses_as_worked_out() -> None:
    overrides, weights = player(moving_by_hand()).pose(0, 1.0)
    assert sorted(overrides) == [HIP, KNEE, PROP]
    assert list(overrides[HIP][0]) == [-5, 0.5, 2]
    assert list(overrides[HIP][1]) == pytest.approx(np.array([1, -1, 1, 3]) / math.sqrt(12))
    assert list(overrides[HIP][2]) == [1, 1, 1]
    assert list(overrides[KNEE][0]) == [-0.25, 1, 0] and list(overrides[KNEE][2]) == [2, 3, 4]
    assert weights == {BODY: pytest.approx((0.5, 0, 1.2))}


def test_many_times_at_once_are_the_same_as_one_by_one() -> None:
    hand, times = player(moving_by_hand()), np.linspace(-0.5, 2.5, 13)
    assert hand.poses(0, times) == [hand.pose(0, time) for time in times]


def test_channels_that_readers_ignore_are_left_out() -> None:
    draft = moving_by_hand()
    del draft.json["animations"][0]["channels"][0]["target"]["node"]
    assert len(player(draft).channels(0)) == 6


def test_bytes_under_a_pointer_are_truth_values() -> None:
    draft = moving_by_hand()
    item = draft.json["animations"][0]
    item["samplers"].append({"input": item["samplers"][3]["input"], "output": draft.add([0, 7, 1], "u1", "SCALAR")})
    item["samplers"][-1]["interpolation"] = "STEP"
    pointer = {"KHR_animation_pointer": {"pointer": "/nodes/1/extensions/KHR_node_visibility/visible"}}
    item["channels"].append({"sampler": 7, "target": {"path": "pointer", "extensions": pointer}})
    one = player(draft).channels(0)[-1]
    assert one.truth and sample(one, 0, 0.5, 2) == [[0], [1], [1]]


DAMAGE: list[tuple[str, Callable[[Draft, dict[str, Any]], Any]]] = [
    ("no such interpolation", lambda d, a: a["samplers"][0].update(interpolation="SMOOTH")),
    ("no such accessor", lambda d, a: a["samplers"][0].update(output=999)),
    ("no such node", lambda d, a: a["channels"][0]["target"].update(node=99)),
    ("no such path", lambda d, a: a["channels"][0]["target"].update(path="colour")),
    ("no such sampler", lambda d, a: a["channels"][0].update(sampler=-1)),
    ("times that fall", lambda d, a: d.arrays[a["samplers"][0]["input"]].__setitem__(2, 0.5)),
    ("times that are vectors", lambda d, a: a["samplers"][3].update(input=a["samplers"][3]["output"])),
    ("too few values", lambda d, a: a["samplers"][0].update(output=a["samplers"][1]["output"])),
    ("values of the wrong width", lambda d, a: a["samplers"][2].update(output=a["samplers"][6]["output"])),
    ("scalars for a place", lambda d, a: a["samplers"][6].update(output=a["samplers"][4]["output"])),
    ("a spline without tangents", lambda d, a: a["samplers"][6].update(interpolation="CUBICSPLINE")),
    ("a node with a matrix", lambda d, a: d.json["nodes"][HIP].update(matrix=np.eye(4).ravel().tolist())),
    ("a pointer without a pointer", lambda d, a: a["channels"][5]["target"].pop("extensions")),
]


@pytest.mark.parametrize(("name", "damage"), DAMAGE, ids=[name for name, _ in DAMAGE])
def test_nonsense_is_an_error_of_the_file(name: str, damage: Callable[[Draft, dict[str, Any]], Any]) -> None:
    draft = moving_by_hand()
    damage(draft, draft.json["animations"][0])
    with pytest.raises(GlbError):
        player(draft).channels(0)
