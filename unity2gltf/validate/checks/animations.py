"""Animations: samplers, channels, and the pointers of KHR_animation_pointer."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...evaluate.document import Gltf
from ...evaluate.fields import GlbError, Json, as_object, get_index, get_integer, get_list, get_object, get_text
from ...evaluate.gltf.samplers import WIDTHS
from ...evaluate.gltf.streams import mesh_streams
from ..issues import Issue, issue
from .pointers import LIST, is_truth, resolves, target_keys, width

UNIT_TOLERANCE = 0.0077
"""How far a rotation key may be from unit length: Khronos's validator takes no more, either."""


def check_animation(gltf: Gltf, item: Json, pointer: str) -> Iterator[Issue]:
    """Samplers, and channels with one target each."""
    samplers = [as_object(s, f"{pointer}/samplers/{i}") for i, s in enumerate(get_list(item, "samplers", pointer))]
    channels = get_list(item, "channels", pointer)
    if not samplers or not channels:
        yield issue("FORMAT_BROKEN", pointer, "an animation needs samplers and channels")
    for place, sampler in enumerate(samplers):
        yield from _input(gltf, sampler, f"{pointer}/samplers/{place}")
    targets: dict[object, object] = {}
    for place, value in enumerate(channels):
        where = f"{pointer}/channels/{place}"
        channel = as_object(value, where)
        sampler = samplers[get_integer(channel, "sampler", where, below=len(samplers))]
        yield from _channel(gltf, channel, sampler, where, targets)


def _input(gltf: Gltf, sampler: Json, pointer: str) -> Iterator[Issue]:
    accessor = get_integer(sampler, "input", pointer)
    times = gltf.accessor(accessor)
    if times.ndim != 1 or times.dtype.kind != "f":
        yield issue("ANIMATION_INPUT", f"{pointer}/input", "key times are float scalars")
    elif times[0] < 0 or not np.all(times[1:] > times[:-1]):
        yield issue("ANIMATION_INPUT", f"{pointer}/input", "key times must rise strictly from 0 or later")
    if len(times) < 2 and sampler.get("interpolation") == "CUBICSPLINE":
        yield issue("ANIMATION_INPUT", f"{pointer}/input", "a cubic spline needs two keys")
    if not {"min", "max"} <= gltf.items("accessors")[accessor].keys():
        yield issue("ACCESSOR_MIN_MAX", f"/accessors/{accessor}", "key times need min and max")


def _channel(gltf: Gltf, channel: Json, sampler: Json, pointer: str, targets: dict[object, object]) -> Iterator[Issue]:
    target = get_object(channel, "target", pointer)
    node = get_index(target, "node", f"{pointer}/target", len(gltf.items("nodes")))
    path = get_text(target, "path", f"{pointer}/target")
    key: object = (node, path)
    whole = key
    if path == "pointer":
        extension = get_object(get_object(target, "extensions", pointer), "KHR_animation_pointer", pointer)
        text = get_text(extension, "pointer", f"{pointer}/target/extensions/KHR_animation_pointer")
        key, whole = target_keys(text)
        if node is not None:
            yield issue("ANIMATION_TARGET", f"{pointer}/target/node", "a pointer stands in place of a node")
        if not resolves(gltf.json, text):
            yield issue("POINTER_UNRESOLVED", pointer, f"{text!r} leads nowhere")
        yield from _pointer_output(gltf, sampler, text, pointer)
    elif path not in (*WIDTHS, "weights") or node is None:
        yield issue("ANIMATION_TARGET", f"{pointer}/target", f"path {path!r} of node {node}")
        return
    elif path != "weights" and "matrix" in gltf.items("nodes")[node]:
        yield issue("ANIMATION_TARGET", f"{pointer}/target/node", f"node {node} has a matrix")
    if key in targets or whole in targets or (key == whole and key in targets.values()):
        yield issue("ANIMATION_TARGET", f"{pointer}/target", "another channel has the same target")
    targets[key] = whole
    if node is not None and path != "pointer":
        yield from _output(gltf, sampler, node, path, pointer)


def _output(gltf: Gltf, sampler: Json, node: int, path: str, pointer: str) -> Iterator[Issue]:
    rows, count = WIDTHS.get(path, 1), 1
    if path == "weights":
        mesh = get_index(gltf.items("nodes")[node], "mesh", f"/nodes/{node}", len(gltf.items("meshes")))
        streams = mesh_streams(gltf, mesh) if mesh is not None else []
        count = len(streams[0].targets) if streams else 0
        if count == 0:
            yield issue("ANIMATION_TARGET", pointer, f"node {node} has no morph targets")
            return
    layout = gltf.layout(get_integer(sampler, "output", pointer))
    wanted = _value_count(gltf, sampler, pointer) * count
    if layout.count != wanted or layout.rows != rows or layout.columns != 1:
        message = f"{layout.count} values of {layout.rows} components, wanted are {wanted} of {rows}"
        yield issue("ANIMATION_OUTPUT", pointer, message)
    elif path == "rotation":
        yield from _unit_keys(gltf, sampler, pointer)


def _unit_keys(gltf: Gltf, sampler: Json, pointer: str) -> Iterator[Issue]:
    """Rotations at the keys are unit quaternions; tangents are not."""
    values = gltf.accessor(get_integer(sampler, "output", pointer)).astype(np.float64)
    keys = values[1::3] if sampler.get("interpolation") == "CUBICSPLINE" else values
    off = np.abs(np.sqrt(np.square(keys).sum(axis=1)) - 1.0)
    wrong = np.flatnonzero(~(off <= UNIT_TOLERANCE))
    if len(wrong):
        yield issue("ANIMATION_ROTATION", pointer, f"{len(wrong)} keys are not of unit length, such as key {wrong[0]}")


def _pointer_output(gltf: Gltf, sampler: Json, text: str, pointer: str) -> Iterator[Issue]:
    layout = gltf.layout(get_integer(sampler, "output", pointer))
    keys, rows = _value_count(gltf, sampler, pointer), width(text)
    if rows == LIST:
        fits = layout.rows == 1 and layout.count % keys == 0
    else:
        fits = layout.count == keys and rows in (None, layout.rows)
    if not fits or layout.columns != 1:
        message = f"{layout.count} values of {layout.rows} components do not fit {text} at {keys} values"
        yield issue("ANIMATION_OUTPUT", pointer, message)
    if is_truth(text) and (layout.dtype != np.uint8 or sampler.get("interpolation") != "STEP"):
        yield issue("ANIMATION_OUTPUT", pointer, f"{text} is true or false: bytes, and stepped")


def _value_count(gltf: Gltf, sampler: Json, pointer: str) -> int:
    """Values of one component of the target: one a key, three for cubic splines."""
    keys = gltf.layout(get_integer(sampler, "input", pointer)).count
    mode = get_text(sampler, "interpolation", pointer, "LINEAR")
    if mode not in ("LINEAR", "STEP", "CUBICSPLINE"):
        raise GlbError(f"{pointer}/sampler", f"{mode!r} is no interpolation")
    return keys * (3 if mode == "CUBICSPLINE" else 1)
