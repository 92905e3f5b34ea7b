"""Humanoid clips: how well they are baked, and how fast against the slow twin.

    python benchmarks/humanoid.py [INPUT]

The made-up clip has 800 frames; its body 40 bones. The twin poses it in plain Python at every key and beside it, one
moment at a time, as the slopes need it; ours bakes the whole clip. Both must agree on the keys. Then ours with 25, 50,
100 and 200 clips, to show that time grows with their number alone. With INPUT (a game folder with humanoid clips) a
table of residuals is printed and written to benchmarks/humanoid.csv: each clip on the avatar that it fits best.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from timing import seconds

sys.path.insert(0, str(Path(__file__).parent.parent))

from tests.builders.humans import Axes, Joint, human, stick
from tests.reference import humanoid_twin as twin
from unity2gltf.batch.inputs import open_inputs
from unity2gltf.diagnostics import Diagnostics
from unity2gltf.extract.content import ContentRoot
from unity2gltf.ir import Curve
from unity2gltf.math3d import Array
from unity2gltf.normalize.clips.decoded import DecodedClip
from unity2gltf.normalize.clips.muscles import AXES
from unity2gltf.normalize.content import Library
from unity2gltf.normalize.humanoid import goals
from unity2gltf.normalize.humanoid.bake import MuscleClip, bake
from unity2gltf.normalize.humanoid.body import Body, make_body
from unity2gltf.normalize.humanoid.frame import Frame
from unity2gltf.normalize.humanoid.pose import pose_body
from unity2gltf.normalize.humanoid.sampling import sample
from unity2gltf.raw import RawAvatar, RawHuman
from unity2gltf.source import Source

FRAMES, BONES, RATE = 800, 40, 30.0
BESIDE = 1e-4
"""Seconds before and after a key at which the twin poses the body, too."""

TABLE = Path(__file__).with_suffix(".csv")


def forty_bones() -> RawHuman:
    """The stick figure with fingers, and masses so that the body's centre moves."""
    joints = {name: joint if joint.bone is None else with_mass(joint) for name, joint in stick().items()}
    for place in range(BONES - len(joints) + 1):  # the topmost node is no bone
        hand, finger = divmod(place, 15)
        above = f"Finger{place - 1}" if finger % 3 else ("LeftHand", "RightHand")[hand]
        joints[f"Finger{place}"] = Joint(above, (0.02, 0.0, 0.01), finger=(hand, finger), axes=Axes())
    return human(joints, scale=0.9)


def with_mass(joint: Joint) -> Joint:
    return Joint(joint.parent, joint.position, joint.bone, axes=Axes(length=0.1), mass=1 / 20)


def wandering_clip(seed: int) -> MuscleClip:
    """A curve for every muscle: lines from frame to frame, as dense clips have them."""
    rng = np.random.default_rng(seed)
    names = sorted({name for axes in AXES.values() for name in axes if name})
    names += ["RootT.x", "RootT.y", "RootT.z", "RootQ.x", "RootQ.y", "RootQ.z", "RootQ.w"]
    times = np.arange(FRAMES) / RATE
    return MuscleClip(
        curves={name: line(times, wave(times, rng) + (name == "RootQ.w")) for name in names},
        duration=float(times[-1]),
        rate=RATE,
        flags={},
    )


def wave(times: Array, rng: np.random.Generator) -> Array:
    return 0.4 * np.sin(rng.uniform(0.8, 3.0) * times + rng.uniform(0, 6.3))


def line(times: Array, values: Array) -> Curve:
    slopes = np.append(np.diff(values) * RATE, 0.0)
    still = np.zeros_like(slopes)
    return Curve(times=times, coefficients=np.stack([still, still, slopes, values], axis=-1))


def by_twin(body: RawHuman, clip: MuscleClip, offsets: tuple[float, ...] = (0.0, BESIDE, -BESIDE)) -> list[twin.Posed]:
    """Every key, and both sides of it; those of the first offset."""
    keys = np.arange(FRAMES) / RATE
    posed = []
    for offset in offsets:
        values = sample(clip.curves, np.clip(keys + offset, 0.0, clip.duration))
        columns = {name: column.tolist() for name, column in values.items()}
        moments = [{name: column[k] for name, column in columns.items()} for k in range(FRAMES)]
        posed.append([twin.posed(body, moment) for moment in moments])
    return posed[0]


def speed() -> None:
    raw = forty_bones()
    source = Source("made up", "made up", 1, "Avatar")
    skeleton: dict[str, Any] = {"parents": raw.parents, "ids": raw.ids, "positions": raw.positions}
    skeleton |= {"rotations": raw.rotations, "scales": raw.scales, "tos": {}}
    body = make_body(RawAvatar(source=source, name="Stick", human=raw, **skeleton))
    clip = wandering_clip(1)
    frames = dict.fromkeys(body.nodes, Frame.still())
    slow = seconds(lambda: by_twin(raw, clip), 1)
    fast = seconds(lambda: bake(body, clip, frames, "keep"), 5)
    off = largest_difference(by_twin(raw, clip, (0.0,)), body, clip)
    print(f"{len(body.nodes)} bones, {FRAMES} frames: {1000 * fast:.0f} ms, the twin {slow:.2f} s")
    print(f"{slow / fast:.0f} times as fast; places at the keys differ by {off:.1e} m at most")
    alone = 0.0
    for count in (25, 50, 100, 200):
        clips = [wandering_clip(seed) for seed in range(count)]
        took = seconds(lambda clips=clips: [bake(body, clip, frames, "keep") for clip in clips], 1) / count  # type: ignore[misc]
        alone = alone or took
        print(f"{count:4} clips: {1000 * took:.1f} ms a clip, {took / alone:.2f} times those of 25")


def largest_difference(posed: list[twin.Posed], body: Body, clip: MuscleClip) -> float:
    keys = np.arange(FRAMES) / RATE
    ours = pose_body(body, sample(clip.curves, keys), FRAMES).positions
    theirs = np.array([[place[0] for place in moment.places] for moment in posed])
    return float(np.abs(ours - theirs).max())


# --- residuals --------------------------------------------------------------------------------------------------------

COLUMNS = (
    *("clip", "unity", "seconds", "keys", "avatar", "numbering", "rotation_mean_deg", "rotation_p95_deg"),
    *("rotation_max_deg", "feet_mean_mm", "feet_p95_mm", "feet_max_mm", "feet_mean_of_scale_percent"),
    *("hands_mean_mm", "hands_p95_mm", "hands_max_mm", "between_keys_mean_deg", "between_keys_max_deg", "gates"),
)


def residuals(folder: str) -> Iterator[dict[str, Any]]:
    """A row for every humanoid clip."""
    for game in open_inputs([folder]):
        for root in game.roots:
            library = Library(root)
            for source in root.objects("AnimationClip"):
                decoded = library.clip(source, Diagnostics())
                if decoded is not None and decoded.kind == "humanoid":
                    yield row(root, library, source, decoded)
            root.close()


def row(root: ContentRoot, library: Library, source: Source, decoded: DecodedClip) -> dict[str, Any]:
    told: dict[str, Any] = dict.fromkeys(COLUMNS, "")
    told |= {"clip": decoded.name, "unity": root.file(source).unity_version, "seconds": f"{decoded.duration:.3f}"}
    bodies = library.bodies()
    if not bodies or not goals.has_goals(decoded.muscles):
        return told | {"gates": "no avatar in its game" if not bodies else "no goals"}
    body = min(bodies, key=lambda body: library.misfit(body, decoded))
    baked = bake(body, MuscleClip.of(decoded), dict.fromkeys(body.nodes, Frame.still()), "keep")
    measured = goals.clip_residual(body, decoded.muscles, baked.keys)
    numbering = goals.numbering_residual(decoded.muscles, decoded.humanoid, decoded.duration)
    moved = list(baked.bones.values())
    feet = 1000 * measured.metres[:, :2]
    told |= {"keys": len(baked.keys), "avatar": body.name}
    told |= {"numbering": "" if numbering is None else f"{numbering:.1e}"}
    told |= columns("rotation", "deg", measured.degrees) | columns("feet", "mm", feet)
    told |= columns("hands", "mm", 1000 * measured.metres[:, 2:])
    told |= {"feet_mean_of_scale_percent": f"{feet.mean() / 10 / body.scale:.3f}"}
    told |= {"between_keys_mean_deg": f"{np.degrees(np.mean([part.mean_error for part in moved])):.5f}"}
    told |= {"between_keys_max_deg": f"{np.degrees(max(part.error for part in moved)):.4f}"}
    return told | {"gates": "passed" if goals.goals_met(measured, body) else "missed"}


def columns(name: str, unit: str, values: Array) -> dict[str, str]:
    sizes = {"mean": values.mean(), "p95": np.percentile(values, 95), "max": values.max()}
    return {f"{name}_{size}_{unit}": f"{value:.4f}" for size, value in sizes.items()}


def main() -> None:
    speed()
    if len(sys.argv) > 1:
        rows = list(residuals(sys.argv[1]))
        with TABLE.open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, COLUMNS)
            writer.writeheader()
            writer.writerows(rows)
        print(TABLE.read_text(encoding="utf-8"), end="")


if __name__ == "__main__":
    main()
