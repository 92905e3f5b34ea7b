"""A clip of every path and interpolation on the figure, and the animation that it must become, number by number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from unity2gltf.ir import Asset, Channel, Clip, Curve, Interpolation, Path, Track

from .draft import Draft
from .handmade import by_hand, figure, source

HIP, KNEE, BODY, PROP = 1, 2, 4, 5
BEFORE = float(np.nextafter(np.float32(1), np.float32(0)))
"""The last float32 time before a jump at 1 s."""

Segment = tuple[float, float, float, float, float]


def curve(*segments: Segment, end: tuple[float, float]) -> Curve:
    """Cubic Hermite segments (time, value, slope, value at the end, slope at the end); ``end`` is the last key."""
    times = [*(segment[0] for segment in segments), end[0]]
    rows = []
    for place, (time, v0, m0, v1, m1) in enumerate(segments):
        h = times[place + 1] - time
        rows.append(((m0 + m1) / h**2 - 2 * (v1 - v0) / h**3, 3 * (v1 - v0) / h**2 - (2 * m0 + m1) / h, m0, v0))
    rows.append((0.0, 0.0, 0.0, end[1]))
    return Curve(times=np.array(times), coefficients=np.array(rows))


def line(start: float, end: float, duration: float = 2.0) -> Curve:
    slope = (end - start) / duration
    return curve((0.0, start, slope, end, slope), end=(duration, end))


def still(value: float) -> Curve:
    return Curve(times=np.zeros(1), coefficients=np.array([[0.0, 0.0, 0.0, value]]))


def steps(*keys: tuple[float, float]) -> Curve:
    values = np.zeros((len(keys), 4))
    values[:, 3] = [value for _, value in keys]
    return Curve(times=np.array([time for time, _ in keys]), coefficients=values)


def track(
    node: int, path: Path, mode: str, times: Sequence[float], values: Any, tangents: Any = None, **more: Any
) -> Track:
    """``tangents``: (in, out)."""
    arriving, leaving = (None, None) if tangents is None else (np.array(rows, np.float32) for rows in tangents)
    return Track(
        node=node,
        path=path,
        interpolation=Interpolation(mode),
        times=np.array(times, np.float32),
        values=np.array(values, np.float32),
        in_tangents=arriving,
        out_tangents=leaving,
        **more,
    )


def walk(**more: Any) -> Clip:
    """Two seconds: the hip glides, jumps at 1 s and turns as Unity blends quaternions; the knee turns by Euler angles
    and grows at 0.5 s; the body smiles; the material changes its colour; the prop stays where it is put."""
    turn = (0.5, 0.5, -0.5, 0.5)
    channels = (
        Channel(
            node=HIP,
            path=Path.TRANSLATION,
            curves=(curve((0, 0, 1, 2, 3), (1, 5, 0, 4, -1), end=(2, 4)), still(0.5), line(0, 4)),
        ),
        Channel(node=HIP, path=Path.ROTATION, curves=tuple(map(line, (0, 0, 0, 1), turn))),
        Channel(node=KNEE, path=Path.EULER, curves=(still(0), line(0, 90), still(0))),
        Channel(node=KNEE, path=Path.SCALE, curves=tuple(steps((0, 1), (0.5, v)) for v in (2, 3, 4))),
        Channel(node=BODY, path=Path.WEIGHTS, curves=(line(0, 100), None)),
        Channel(node=-1, path=Path.POINTER, pointer=COLOR, curves=tuple(map(line, (1, 1, 1, 1), (0, 0.5, 1, 1)))),
        Channel(node=PROP, path=Path.TRANSLATION, curves=tuple(map(still, (1, 2, 3)))),
    )
    half, chord = 0.5**0.5, [(turn[k] - (k == 3)) / 2 for k in range(4)]
    tracks = (
        track(
            HIP,
            Path.TRANSLATION,
            "CUBICSPLINE",
            (0, BEFORE, 1, 2),
            [(0, 0.5, 0), (2, 0.5, 2), (5, 0.5, 2), (4, 0.5, 4)],
            ([(0, 0, 0), (3, 0, 2), (0, 0, 0), (-1, 0, 2)], [(1, 0, 2), (0, 0, 0), (0, 0, 2), (0, 0, 0)]),
        ),
        track(HIP, Path.ROTATION, "CUBICSPLINE", (0, 2), [(0, 0, 0, 1), turn], ([chord] * 2, [chord] * 2)),
        track(KNEE, Path.ROTATION, "LINEAR", (0, 2), [(0, 0, 0, 1), (0, half, 0, half)], error=1e-6),
        track(KNEE, Path.SCALE, "STEP", (0, 0.5, 2), [(1, 1, 1), (2, 3, 4), (2, 3, 4)]),
        track(BODY, Path.WEIGHTS, "LINEAR", (0, 2), [(0, 0, 1.2), (1, 0, 1.2)]),
        track(-1, Path.POINTER, "LINEAR", (0, 2), [(1, 1, 1, 1), (0, 0.5, 1, 1)], pointer=COLOR),
        track(PROP, Path.TRANSLATION, "STEP", (0, 2), [(1, 2, 3)] * 2),
    )
    fields: dict[str, Any] = {"channels": channels, "tracks": tracks, "rig": 0, "duration": 2.0, **more}
    return Clip(name="Walk", source=source(70, "AnimationClip"), extras={"loop": True}, **fields)


COLOR = "/materials/0/pbrMetallicRoughness/baseColorFactor"


def moving(*clips: Clip) -> Asset:
    return replace(figure(), clips=clips or (walk(),))


def moving_by_hand() -> Draft:
    """The file that :func:`moving` must become: x mirrored in places, y and z in turns."""
    draft = by_hand(figure())
    draft.json["materials"][0]["pbrMetallicRoughness"] = {}
    half, turned, chord = 0.5**0.5, (0.5, -0.5, 0.5, 0.5), (0.25, -0.25, 0.25, -0.25)
    nothing = (0, 0, 0)
    glide = [
        nothing, (0, 0.5, 0), (-1, 0, 2),
        (-3, 0, 2), (-2, 0.5, 2), nothing,
        nothing, (-5, 0.5, 2), (0, 0, 2),
        (1, 0, 2), (-4, 0.5, 4), nothing,
    ]  # fmt: skip
    samplers = (
        ("CUBICSPLINE", (0, BEFORE, 1, 2), glide, "VEC3", {"node": HIP, "path": "translation"}),
        ("CUBICSPLINE", (0, 2), [chord, (0, 0, 0, 1), chord, chord, turned, chord], "VEC4",
         {"node": HIP, "path": "rotation"}),
        ("LINEAR", (0, 2), [(0, 0, 0, 1), (0, -half, 0, half)], "VEC4", {"node": KNEE, "path": "rotation"}),
        ("STEP", (0, 0.5, 2), [(1, 1, 1), (2, 3, 4), (2, 3, 4)], "VEC3", {"node": KNEE, "path": "scale"}),
        ("LINEAR", (0, 2), [0, 0, 1.2, 1, 0, 1.2], "SCALAR", {"node": BODY, "path": "weights"}),
        ("LINEAR", (0, 2), [(1, 1, 1, 1), (0, 0.5, 1, 1)], "VEC4",
         {"path": "pointer", "extensions": {"KHR_animation_pointer": {"pointer": COLOR}}}),
        ("STEP", (0, 2), [(-1, 2, 3)] * 2, "VEC3", {"node": PROP, "path": "translation"}),
    )  # fmt: skip
    item: dict[str, Any] = {"name": "Walk", "samplers": [], "channels": []}
    for number, (mode, times, values, kind, target) in enumerate(samplers):
        keys = draft.add(times, "f4", "SCALAR", bounds=True)
        item["samplers"].append({"input": keys, "output": draft.add(values, "f4", kind), "interpolation": mode})
        item["channels"].append({"sampler": number, "target": target})
    item["extras"] = {"unity": {**source(70, "AnimationClip").mark(), "rig": 0}}
    draft.json["animations"] = [item]
    draft.json["extensionsUsed"] = ["KHR_animation_pointer"]
    return draft
