"""Animations: samplers, channels, and the pointers of KHR_animation_pointer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ...evaluate.document import Gltf
from ...evaluate.fields import GlbError, Json, as_object, get_index, get_integer, get_list, get_object, get_text
from ...evaluate.gltf.streams import mesh_streams
from ..issues import Issue, issue

WIDTHS = {"translation": 3, "rotation": 4, "scale": 3}
"""Components of a value by the path of the target."""


def check_animation(gltf: Gltf, item: Json, pointer: str) -> Iterator[Issue]:
    """Samplers, and channels with one target each."""
    samplers = [as_object(s, f"{pointer}/samplers/{i}") for i, s in enumerate(get_list(item, "samplers", pointer))]
    channels = get_list(item, "channels", pointer)
    if not samplers or not channels:
        yield issue("FORMAT_BROKEN", pointer, "an animation needs samplers and channels")
    for place, sampler in enumerate(samplers):
        yield from _input(gltf, sampler, f"{pointer}/samplers/{place}")
    targets: set[object] = set()
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
    if not {"min", "max"} <= gltf.items("accessors")[accessor].keys():
        yield issue("ACCESSOR_MIN_MAX", f"/accessors/{accessor}", "key times need min and max")


def _channel(gltf: Gltf, channel: Json, sampler: Json, pointer: str, targets: set[object]) -> Iterator[Issue]:
    target = get_object(channel, "target", pointer)
    node = get_index(target, "node", f"{pointer}/target", len(gltf.items("nodes")))
    path = get_text(target, "path", f"{pointer}/target")
    key: object = (node, path)
    if path == "pointer":
        extension = get_object(get_object(target, "extensions", pointer), "KHR_animation_pointer", pointer)
        key = text = get_text(extension, "pointer", f"{pointer}/target/extensions/KHR_animation_pointer")
        if not resolves(gltf.json, text):
            yield issue("POINTER_UNRESOLVED", pointer, f"{text!r} leads nowhere")
    elif path not in (*WIDTHS, "weights") or node is None:
        yield issue("ANIMATION_TARGET", f"{pointer}/target", f"path {path!r} of node {node}")
        return
    if key in targets:
        yield issue("ANIMATION_TARGET", f"{pointer}/target", "another channel has the same target")
    targets.add(key)
    if node is not None and path != "pointer":
        yield from _output(gltf, sampler, node, path, pointer)


def _output(gltf: Gltf, sampler: Json, node: int, path: str, pointer: str) -> Iterator[Issue]:
    keys = gltf.layout(get_integer(sampler, "input", pointer)).count
    mode = get_text(sampler, "interpolation", pointer, "LINEAR")
    if mode not in ("LINEAR", "STEP", "CUBICSPLINE"):
        raise GlbError(f"{pointer}/sampler", f"{mode!r} is no interpolation")
    layout = gltf.layout(get_integer(sampler, "output", pointer))
    values = keys * (3 if mode == "CUBICSPLINE" else 1)
    width = WIDTHS.get(path, 1)
    if path == "weights":
        mesh = get_index(gltf.items("nodes")[node], "mesh", f"/nodes/{node}", len(gltf.items("meshes")))
        streams = mesh_streams(gltf, mesh) if mesh is not None else []
        count = len(streams[0].targets) if streams else 0
        if count == 0:
            yield issue("ANIMATION_TARGET", pointer, f"node {node} has no morph targets")
            return
        values *= count
    if layout.count != values or layout.rows != width or layout.columns != 1:
        message = f"{layout.count} values of {layout.rows} components, wanted are {values} of {width}"
        yield issue("ANIMATION_OUTPUT", pointer, message)


def resolves(document: Json, pointer: str) -> bool:
    """Whether a JSON pointer leads to a property of something that is there; the property may have its default."""
    steps = [step.replace("~1", "/").replace("~0", "~") for step in pointer.split("/")]
    if len(steps) < 3 or steps[0] != "":
        return False
    value: Any = document
    for step in steps[1:-1]:
        if isinstance(value, list) and step.isdecimal() and len(step) < 10 and int(step) < len(value):
            value = value[int(step)]
        elif isinstance(value, dict) and step in value:
            value = value[step]
        else:
            return False
    return isinstance(value, dict) or (
        isinstance(value, list) and steps[-1].isdecimal() and len(steps[-1]) < 10 and int(steps[-1]) < len(value)
    )
