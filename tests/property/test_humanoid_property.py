"""The bake of humanoid clips against the slow twin: any body, any muscles, the same bones. And which step does what:
with any one of them done in the usual wrong way, the clip of the sample misses the goals that it stores.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

from tests.builders.humans import Axes, Joint, avatar_of, human, sample_humanoid
from tests.reference import humanoid_twin as twin
from unity2gltf.diagnostics import Diagnostics
from unity2gltf.math3d import Array, multiply_quaternions
from unity2gltf.normalize.clips.decode import decode_clip
from unity2gltf.normalize.clips.decoded import DecodedClip
from unity2gltf.normalize.humanoid import goals, pose
from unity2gltf.normalize.humanoid.body import Body, make_body
from unity2gltf.normalize.humanoid.pose import pose_body
from unity2gltf.raw import RawHuman

SEEDS = range(40)
MOMENTS = 5
NEAR = 1e-9
VERSION = "2022.3.20f1"

# --- bodies at random ---------------------------------------------------------------------------------------------

OPTIONAL = ("Chest", "UpperChest", "Neck", "Shoulders", "Toes", "Eyes", "Jaw")
TORSO = ("Spine", "Chest", "UpperChest")


def turn(random: np.random.Generator) -> tuple[float, ...]:
    """Any rotation at all."""
    drawn = random.normal(size=4)
    return tuple((drawn / np.linalg.norm(drawn)).tolist())


def axes(random: np.random.Generator) -> Axes:
    signs = random.choice([-1.0, 1.0], 3).tolist()
    low, high = (-random.uniform(0, 100, 3)).tolist(), random.uniform(0, 100, 3).tolist()
    return Axes(turn(random), turn(random), signs, low, high, float(random.uniform(0, 0.2)))


def offset(random: np.random.Generator) -> list[float]:
    drawn: list[float] = random.uniform(-0.5, 0.5, 3).tolist()
    return drawn


def plan(random: np.random.Generator) -> list[tuple[str, str]]:
    """Bones and what each hangs on: required ones, and some of the others. Where the mass of the last of the torso
    lies when it has shoulders but no neck, or when it is the spine, no real avatar has told."""
    kept = {name for name in OPTIONAL if random.random() < 0.65}
    if "Neck" not in kept or kept.isdisjoint(TORSO):
        kept.discard("Shoulders")
    torso = [name for name in TORSO if name == "Spine" or name in kept]
    rows = list(zip(torso, ["Hips", *torso], strict=False))
    neck = torso[-1]
    if "Neck" in kept:
        rows.append(("Neck", torso[-1]))
        neck = "Neck"
    rows.append(("Head", neck))
    for side in ("Left", "Right"):
        rows += [(f"{side}UpperLeg", "Hips"), (f"{side}LowerLeg", f"{side}UpperLeg")]
        rows.append((f"{side}Foot", f"{side}LowerLeg"))
        rows += [(f"{side}Shoulder", torso[-1])] if "Shoulders" in kept else []
        rows.append((f"{side}UpperArm", f"{side}Shoulder" if "Shoulders" in kept else torso[-1]))
        rows += [(f"{side}LowerArm", f"{side}UpperArm"), (f"{side}Hand", f"{side}LowerArm")]
        rows += [(f"{side}Toes", f"{side}Foot")] if "Toes" in kept else []
        rows += [(f"{side}Eye", "Head")] if "Eyes" in kept else []
    return rows + ([("Jaw", "Head")] if "Jaw" in kept else [])


def random_human(seed: int) -> RawHuman:
    """A body without sense: bones lie anywhere, some under nodes that are no bones, stretched by some."""
    random = np.random.default_rng(seed)
    joints = {"Top": Joint(None, (0.0, 0.0, 0.0)), "Hips": joint(random, "Top", twin.BONES.index("Hips"))}
    for name, above in plan(random):
        while random.random() < 0.2:
            between = f"Between {len(joints)}"
            joints[between] = replace(joint(random, above, None), axes=None)
            above = between
        bone = joint(random, above, twin.BONES.index(name))
        joints[name] = replace(bone, mass=0.0) if name.endswith(("Eye", "Jaw")) else bone  # as in every real one
    for hand, side in enumerate(("Left", "Right")):
        above, share = f"{side}Hand", random.choice([0.0, 0.4, 0.9])
        for place in range(15):
            if random.random() < share:
                name = f"{side} {twin.FINGER_BONES[place]}"
                joints[name] = replace(joint(random, above if place % 3 else f"{side}Hand", None), finger=(hand, place))
                above = name
    factors = ("arm_twist", "fore_arm_twist", "upper_leg_twist", "leg_twist")
    made = human(
        joints,
        root_rotation=turn(random),
        scale=float(random.uniform(0.2, 3.0)),
        **{name: float(random.uniform()) for name in factors},
    )
    if made.bones[twin.BONES.index("UpperChest")] < 0 and random.random() < 0.5:
        made = older(made)
    return made if any(node >= 0 for node in made.right_hand) else replace(made, right_hand=())


def joint(random: np.random.Generator, above: str, bone: int | None) -> Joint:
    stretch = random.uniform(0.5, 1.5) if random.random() < 0.3 else 1.0
    return Joint(
        above,
        offset(random),
        bone,
        turn(random),
        (stretch,) * 3,
        axes(random),
        mass=float(random.uniform()) if random.random() < 0.8 else 0.0,
    )


def older(made: RawHuman) -> RawHuman:
    """As before 5.6."""
    at = twin.BONES.index("UpperChest")
    return replace(made, bones=made.bones[:at] + made.bones[at + 1 :], masses=made.masses[:at] + made.masses[at + 1 :])


def random_values(seed: int) -> dict[str, Array]:
    """Values of most muscles, some beyond their limits, and a body anywhere."""
    random = np.random.default_rng(seed + 1000)
    names = [name for name in twin.ATTRIBUTES if name.startswith("Root") or name in twin.ATTRIBUTES[42:]]
    return {name: random.uniform(-1.5, 1.5, MOMENTS) for name in names if random.random() < 0.9 or "Root" in name}


def each_moment(values: Mapping[str, Array]) -> Iterator[tuple[int, dict[str, float]]]:
    for moment in range(MOMENTS):
        yield moment, {name: float(numbers[moment]) for name, numbers in values.items()}


def same_turns(found: Any, wanted: Any) -> None:
    """Of unit quaternions, whose sign does not count."""
    dots = np.sum(np.asarray(found) * np.asarray(wanted), axis=-1, keepdims=True)
    assert np.abs(np.asarray(found) * np.sign(dots) - wanted).max() < NEAR


def test_the_random_bodies_are_of_many_kinds() -> None:
    made = [random_human(seed) for seed in SEEDS]
    assert {len(one.bones) for one in made} == {24, 25}
    assert {len(one.right_hand) for one in made} == {0, 15}
    mapped = [set(twin.bone_nodes(one)) for one in made]
    for names in (("Chest",), ("UpperChest",), ("Neck",), ("LeftShoulder",), ("LeftToes",), ("LeftEye",), ("Jaw",)):
        assert 5 < sum(names[0] in bones for bones in mapped) < len(made)
    assert any({"Chest", "UpperChest"}.isdisjoint(bones) for bones in mapped), "a torso of the spine alone"
    assert sum((one.axes < 0).sum() > 1 for one in made) > 20, "nodes between bones"
    assert sum(one.scales.min() < 1 for one in made) > 20


@pytest.mark.parametrize("seed", SEEDS)
def test_any_body_in_any_pose(seed: int) -> None:
    made = random_human(seed)
    body, values = make_body(avatar_of(made, "Random")), random_values(seed)
    found = pose_body(body, values, MOMENTS)
    for moment, muscles in each_moment(values):
        wanted = twin.posed(made, muscles)
        same_turns(found.local[moment], wanted.local)
        positions, rotations = zip(*wanted.places, strict=True)
        assert np.abs(found.positions[moment] - positions).max() < NEAR
        same_turns(found.rotations[moment], rotations)
        assert np.abs(found.body_position[moment] - wanted.body[0]).max() < NEAR
        same_turns(found.body_rotation[moment], wanted.body[1])


@pytest.mark.parametrize("seed", SEEDS)
def test_goals_of_any_body(seed: int) -> None:
    """Those of the twin, stored in the clip, are met."""
    made = random_human(seed)
    body, values = make_body(avatar_of(made, "Random")), random_values(seed)
    stored = {name: np.zeros(MOMENTS) for goal in twin.GOALS for name in places(goal)}
    for moment, muscles in each_moment(values):
        for goal, (position, rotation) in twin.posed(made, muscles).goals.items():
            for name, number in zip(places(goal), (*position, *rotation), strict=True):
                stored[name][moment] = number
    measured = goals.residual(body, values | stored, pose_body(body, values, MOMENTS))
    assert measured.metres.max() < NEAR and measured.degrees.max() < 1e-5
    stored["LeftFootT.x"] = stored["LeftFootT.x"] + 0.5
    measured = goals.residual(body, values | stored, pose_body(body, values, MOMENTS))
    assert measured.metres[:, 0] == pytest.approx(0.5 * body.scale), "and only then"


def places(name: str) -> list[str]:
    return [*(f"{name}T.{axis}" for axis in "xyz"), *(f"{name}Q.{axis}" for axis in "xyzw")]


@pytest.mark.parametrize("seed", SEEDS[:10])
def test_the_mass_centre_and_the_frame_of_a_t_pose(seed: int) -> None:
    made = random_human(seed)
    body = make_body(avatar_of(made, "Random"))
    rest = np.array([twin.t_pose(made)])
    positions, rotations = pose.forward_kinematics(body, rest)
    wanted = twin.model_space(made, twin.t_pose(made))
    assert np.abs(positions[0] - [place for place, _ in wanted]).max() < NEAR
    same_turns(rotations[0], [rotation for _, rotation in wanted])
    assert np.abs(pose.mass_centre(body, positions)[0] - twin.mass_centre(made, wanted)).max() < NEAR
    same_turns(pose.body_frame(body, positions)[0], twin.body_frame(made, wanted))


# --- what each step is for ----------------------------------------------------------------------------------------


@cache
def sample_clip() -> tuple[Body, DecodedClip]:
    """The humanoid of the sample and the clip that reaches far out; it stores goals, which the twin worked out."""
    avatar, clips = sample_humanoid(VERSION)
    return make_body(avatar), decode_clip(clips["Reach"], Diagnostics())


def measured(body: Body) -> goals.Residual:
    clip = sample_clip()[1]
    return goals.clip_residual(body, clip.muscles, np.linspace(0.0, clip.duration, 17))


def gates(body: Body) -> tuple[bool, bool]:
    """Whether the bones are turned right, and whether the feet come to their places, too."""
    found = measured(body)
    return goals.rotations_met(found), goals.goals_met(found, body)


def test_the_true_steps_meet_the_goals() -> None:
    body, _ = sample_clip()
    found = measured(body)
    assert gates(body) == (True, True)
    assert found.degrees.mean() < 0.01 and found.metres.mean() < 1e-4


def exponential(angles: Array) -> Array:
    """A twist, then a swing by the angle that y and z span together."""
    x, y, z = (np.asarray(angles[..., k]) for k in range(3))
    size = np.hypot(y, z)
    share = np.sin(size / 2) / np.where(size > 0, size, 1.0)
    swing = np.stack([0 * x, share * y, share * z, np.cos(size / 2)], axis=-1)
    return multiply_quaternions(swing, single(x, 0))


def euler(angles: Array) -> Array:
    x, y, z = (single(angles[..., k], k) for k in range(3))
    return multiply_quaternions(z, multiply_quaternions(y, x))


def swing_first(angles: Array) -> Array:
    x, y, z = (np.tan(angles[..., k] / 2) for k in range(3))
    swing = np.stack([0 * x, y, z, 1 + 0 * x], axis=-1)
    swing = swing / np.linalg.norm(swing, axis=-1, keepdims=True)
    return multiply_quaternions(single(angles[..., 0], 0), swing)


def single(angle: Array, axis: int) -> Array:
    turned = np.zeros((*np.shape(angle), 4))
    turned[..., axis], turned[..., 3] = np.sin(np.asarray(angle) / 2), np.cos(np.asarray(angle) / 2)
    return turned


def wrong_side(body: Body, bone: str, values: pose.Values, count: int) -> Array:
    """A bone by its muscles, with the twist from above on its right."""
    x, y, z = pose.bone_angles(body.axes[bone], bone, values, count).T
    given = 1 - body.given.get(bone, 0.0)
    axes_ = body.axes[bone]
    own = multiply_quaternions(axes_.pre, pose.swing_twist(np.stack([given * x, y, z], axis=-1)))
    own = multiply_quaternions(own, axes_.post * [-1, -1, -1, 1])
    taken = pose.taken_twist(body, bone, values, count) if bone in body.taken else np.array([0.0, 0, 0, 1])
    return multiply_quaternions(own, taken)


def no_twist_taken(body: Body, bone: str, values: pose.Values, count: int) -> Array:
    return np.tile([0.0, 0.0, 0.0, 1.0], (count, 1))


def full_limits(axes_: Any, bone: str, values: pose.Values, count: int) -> Array:
    """The upper limit to both sides."""
    return TRUE_ANGLES(replace(axes_, minimum=-axes_.maximum), bone, values, count)


TRUE_ANGLES = pose.bone_angles
TRUE_POINTS = pose.mass_points


def own_places(body: Body, positions: Array) -> Iterator[tuple[str, Array]]:
    """All mass in the joints."""
    return ((bone, positions[:, body.nodes[bone]]) for bone, _ in TRUE_POINTS(body, positions))


def sound_fore_arm(body: Body, positions: Array) -> Iterator[tuple[str, Array]]:
    """As if there were no slip."""
    for bone, point in TRUE_POINTS(body, positions):
        between = [positions[:, body.nodes[name]] for name in ("LeftLowerArm", "LeftHand")]
        yield bone, (between[0] + between[1]) / 2 if bone == "LeftLowerArm" else point


def plain_chest(body: Body, positions: Array) -> Iterator[tuple[str, Array]]:
    """The last of the torso as all others: half-way to the neck."""
    for bone, point in TRUE_POINTS(body, positions):
        between = [positions[:, body.nodes[name]] for name in ("Chest", "Neck")]
        yield bone, (between[0] + between[1]) / 2 if bone == "Chest" else point


STEPS: dict[str, tuple[str, Callable[..., Any]]] = {
    "swing_exponential": ("swing_twist", exponential),
    "swing_euler": ("swing_twist", euler),
    "swing_before_twist": ("swing_twist", swing_first),
    "twist_on_the_right": ("bone_rotation", wrong_side),
    "twist_not_taken": ("taken_twist", no_twist_taken),
    "limits_of_one_side": ("bone_angles", full_limits),
    "mass_in_the_joints": ("mass_points", own_places),
    "mass_of_a_sound_fore_arm": ("mass_points", sound_fore_arm),
    "mass_of_a_plain_chest": ("mass_points", plain_chest),
}
"""A function of the bake, and what it must not be."""

MISTURNED = {
    *("swing_exponential", "swing_euler", "swing_before_twist", "twist_on_the_right", "twist_not_taken"),
    "limits_of_one_side",
}
"""Where rotations are wrong; elsewhere the body is in the wrong place."""


@pytest.mark.parametrize("step", STEPS)
def test_a_step_done_wrong_misses_the_goals(step: str, monkeypatch: pytest.MonkeyPatch) -> None:
    name, wrong = STEPS[step]
    monkeypatch.setattr(pose, name, wrong)
    assert gates(sample_clip()[0]) == (step not in MISTURNED, False)


def with_axes(body: Body, **changes: Any) -> Body:
    return replace(body, axes={bone: replace(own, **changes) for bone, own in body.axes.items()})


NUMBERS: dict[str, tuple[Callable[[Body], Body], bool]] = {
    "the_lean_of_the_t_pose": (lambda body: replace(body, root_rotation=np.array([0.0, 0.0, 0.0, 1.0])), False),
    "the_scale": (lambda body: replace(body, scale=1.0), True),
    "the_soles": (lambda body: with_axes(body, length=0.0), True),
    "the_signs": (lambda body: with_axes(body, signs=np.ones(3)), False),
    "the_masses": (lambda body: replace(body, masses=dict.fromkeys(body.masses, 1 / len(body.masses))), True),
    "the_scales": (lambda body: replace(body, scales=np.ones_like(body.scales)), True),
}
"""A number of the avatar left out, and whether the bones are turned right none the less."""


@pytest.mark.parametrize("left_out", NUMBERS)
def test_a_number_left_out_misses_the_goals(left_out: str) -> None:
    change, rotations_met = NUMBERS[left_out]
    assert gates(change(sample_clip()[0])) == (rotations_met, False)


def test_the_share_of_a_twist_does_not_move_the_end_of_a_limb() -> None:
    """No goal can tell it; the bone that hands its twist on does."""
    body, clip = sample_clip()
    none = replace(body, given={}, taken={})
    assert gates(none) == (True, True)
    values = {name: np.array([curve.coefficients[8 % len(curve.times), 3]]) for name, curve in clip.muscles.items()}
    arm = body.nodes["RightUpperArm"]
    one, other = (pose_body(made, values, 1).local[0, arm] for made in (body, none))
    assert twin.angle_between(tuple(one.tolist()), tuple(other.tolist())) > 10
    assert math.isclose(float(np.linalg.norm(one)), 1.0, abs_tol=1e-12)
