"""Random clips all the way: both players agree with their slow twins, the round trip of what is written passes, and
a number changed in the file makes it fail."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.property.test_clip_merge_property import DURATION, curves, numbers, percent, quaternion_channels, seeds
from tests.reference.clip_sampler import channel_value, track_value, unit
from tests.unit.evaluate.clip_by_hand import BODY, HIP, KNEE, moving, walk
from unity2gltf.diagnostics import Diagnostics
from unity2gltf.emit.document import build_document, glb_bytes
from unity2gltf.evaluate.document import Gltf
from unity2gltf.evaluate.glb import parse_glb
from unity2gltf.evaluate.gltf.samplers import GltfPlayer
from unity2gltf.evaluate.unity.curves import UnityPlayer
from unity2gltf.ir import Asset, Channel, Curve, Interpolation, Path, Track
from unity2gltf.normalize.clips.merge import TrackOptions, make_track
from unity2gltf.normalize.space import mirror_track, to_gltf
from unity2gltf.validate.clip_times import Rounding, sample_times, single, unity_times
from unity2gltf.validate.roundtrip import roundtrip

OPTIONS = (
    TrackOptions(key_tolerance=0.0, resample_hz=None, rig_size=1.0),
    TrackOptions(key_tolerance=1.0, resample_hz=None, rig_size=1.0),
)
DAMAGE = 1 / 16


def three() -> st.SearchStrategy[tuple[Curve, ...]]:
    return st.lists(curves(), min_size=3, max_size=3).map(tuple)


def in_degrees(parts: tuple[Curve, ...]) -> tuple[Curve, ...]:
    return tuple(Curve(times=part.times, coefficients=part.coefficients * 20.0) for part in parts)


@st.composite
def channels(draw: st.DrawFn) -> tuple[Channel, ...]:
    """One of each path, on the nodes of the figure made by hand."""
    smile, blink = draw(curves().map(percent)), draw(st.none() | curves().map(percent))
    euler = in_degrees(draw(three()))
    return (
        Channel(node=HIP, path=Path.TRANSLATION, curves=draw(three())),
        replace(draw(quaternion_channels()), node=HIP),
        Channel(node=KNEE, path=Path.SCALE, curves=draw(three())),
        Channel(node=KNEE, path=Path.EULER, curves=euler, rotation_order=draw(st.integers(0, 5))),
        Channel(node=BODY, path=Path.WEIGHTS, curves=(smile, blink)),
    )


def made(parts: tuple[Channel, ...], options: TrackOptions, *, clamp: bool = False) -> Asset:
    """The figure with a clip of these channels, in Unity's space."""
    asset = moving()
    shapes, weights = asset.geometries[0].shapes, asset.nodes[BODY].weights
    if clamp:
        weights = (0.25, 1.0)
        nodes = [replace(node, weights=weights) if node.weights else node for node in asset.nodes]
        asset = replace(asset, nodes=tuple(nodes), clamp_weights=True)
        options = replace(options, clamp_weights=True)
    tracks = [
        make_track(part, DURATION, shapes if part.path is Path.WEIGHTS else (), weights, options, Diagnostics())
        for part in parts
    ]
    kept = [(part, track) for part, track in zip(parts, tracks, strict=True) if track is not None]
    clip = walk(duration=DURATION, channels=tuple(p for p, _ in kept), tracks=tuple(t for _, t in kept))
    return replace(asset, clips=(clip,))


def write(asset: Asset) -> Gltf:
    document = build_document(to_gltf(asset, 8, Diagnostics()), Diagnostics())
    return parse_glb(b"".join(map(bytes, glb_bytes(document)[0])))


def problems(asset: Asset, gltf: Gltf, level: str) -> list[str]:
    return roundtrip(asset, gltf, level, diagnostics=Diagnostics(), max_influences=8).problems


@given(channels(), st.sampled_from(OPTIONS), st.booleans(), st.sampled_from(["quick", "full"]))
def test_what_is_written_plays_as_unity_does(
    parts: tuple[Channel, ...], options: TrackOptions, clamp: bool, level: str
) -> None:
    asset = made(parts, options, clamp=clamp)
    assert problems(asset, write(asset), level) == []


@given(channels(), seeds)
def test_unity_s_player_is_its_slow_twin(parts: tuple[Channel, ...], seed: int) -> None:
    asset, times = moving(), np.random.default_rng(seed).uniform(-1, DURATION + 1, 10)
    shapes, weights = asset.geometries[0].shapes, asset.nodes[BODY].weights
    for part in parts:
        keys = np.concatenate([times, *(curve.times for curve in part.curves if curve is not None)])
        found = UnityPlayer(asset).sample(part, keys)
        for row, time in zip(found, keys.tolist(), strict=True):
            if part.path is Path.WEIGHTS:
                shares = [row[0], *_blink(row[1])]
                assert np.allclose(shares, channel_value(part, time, shapes, weights), rtol=1e-12, atol=1e-12)
            else:
                assert np.allclose(row, channel_value(part, time), rtol=1e-9, atol=1e-9)


def _blink(weight: float) -> list[float]:
    """A shape of frames at 0.5 and 1."""
    if weight <= 0.5:
        return [weight / 0.5, 0.0]
    return [0.0, weight] if weight > 1 else [2 - 2 * weight, 2 * weight - 1]


@given(channels(), st.sampled_from([Interpolation.LINEAR, None]), seeds)
def test_the_file_s_player_is_its_slow_twin(parts: tuple[Channel, ...], mode: Interpolation | None, seed: int) -> None:
    asset, times = made(parts, OPTIONS[0]), np.random.default_rng(seed).uniform(-1, DURATION + 1, 10)
    clip = asset.clips[0]
    tracks = [_drawn(track, mode) for track in clip.tracks]
    gltf = write(replace(asset, clips=(replace(clip, tracks=tuple(tracks)),)))
    player = GltfPlayer(gltf)
    for channel, track in zip(player.channels(0), tracks, strict=True):
        at = np.concatenate([times, track.times])
        for row, time in zip(player.sample(channel, at), at.tolist(), strict=True):
            wanted = track_value(mirror_track(track), time)
            found = unit(row.tolist()) if track.path is Path.ROTATION else row
            assert np.allclose(found, wanted, rtol=1e-6, atol=1e-6)


def _drawn(track: Track, mode: Interpolation | None) -> Track:
    return replace(track, interpolation=mode, in_tangents=None, out_tangents=None) if mode else track


@given(channels(), seeds, st.sampled_from(["quick", "full"]))
def test_a_value_or_time_that_is_changed_is_caught(parts: tuple[Channel, ...], seed: int, level: str) -> None:
    """A value off by a sixteenth, of any key of any sampler. Of rotations a component is moved that turns them."""
    random = np.random.default_rng(seed)
    asset = made(parts, OPTIONS[1])
    clip = asset.clips[0]
    place = int(random.integers(len(clip.tracks)))
    track = clip.tracks[place]
    values = track.values.copy()
    row, column = int(random.integers(len(values))), int(random.integers(values.shape[1]))
    if track.path is Path.ROTATION:
        column = int(np.argmin(np.abs(values[row])))
    values[row, column] += DAMAGE
    damaged = [*clip.tracks[:place], replace(track, values=values), *clip.tracks[place + 1 :]]
    gltf = write(replace(asset, clips=(replace(clip, tracks=tuple(damaged)),)))
    assert problems(asset, gltf, level)


@given(st.lists(st.floats(0, 100), min_size=1, max_size=8, unique=True), seeds)
def test_both_sides_are_on_the_same_side_of_every_jump(jumps: list[float], seed: int) -> None:
    at = np.array(sorted(jumps))
    written = single(at)
    about = np.concatenate([written, single(np.nextafter(written.astype(np.float32), np.float32(-1)))])
    times = np.unique(np.concatenate([about, np.random.default_rng(seed).uniform(0, 100, 20)]))
    asked = unity_times(times, at)
    assert ((times[:, None] >= written) == (asked[:, None] >= at)).all()
    assert (np.diff(asked) >= 0).all()
    assert np.abs(asked - times).max() <= np.spacing(np.float32(100))


@given(three(), numbers)
def test_sample_times_hold_every_key_within_the_clip(parts: tuple[Curve, ...], extra: float) -> None:
    channel = Channel(node=HIP, path=Path.TRANSLATION, curves=parts)
    written = np.array([0.0, abs(extra), DURATION])
    times = sample_times(written, channel, Rounding(channel, DURATION).jumps, DURATION, "full")
    keys = single(np.concatenate([written, *(part.times for part in parts)]))
    assert np.isin(keys[(keys >= 0) & (keys <= DURATION)], times).all()
    assert times[0] == 0 and times[-1] == DURATION and (np.diff(times) > 0).all()
    assert np.array_equal(times, single(times))
