"""Broken and malicious files: the reader refuses or the checks complain; nothing crashes, hangs or eats memory."""

from __future__ import annotations

import json
import random
import struct
import time
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.evaluate.draft import Draft, pack
from tests.unit.evaluate.handmade import by_hand, figure
from unity2gltf.diagnostics import Diagnostics
from unity2gltf.evaluate.document import Gltf
from unity2gltf.evaluate.fields import GlbError
from unity2gltf.evaluate.glb import parse_glb
from unity2gltf.validate.roundtrip import RoundTrip, roundtrip
from unity2gltf.validate.structure import check_structure

DOCUMENT, BINARY = by_hand(figure()).document()
DATA = pack(DOCUMENT, BINARY)


def examine(data: bytes) -> tuple[Gltf, RoundTrip] | None:
    """Everything that is ever done with a file; None when the reader refuses it. Other errors escape and fail."""
    try:
        gltf = parse_glb(data)
    except GlbError:
        return None
    issues = check_structure(gltf)
    json.dumps([issue.message for issue in issues])
    diagnostics = Diagnostics()
    result = roundtrip(figure(), gltf, "quick", diagnostics=diagnostics, max_influences=8)
    json.dumps([result.to_json(), [item.to_json() for item in diagnostics.items]], allow_nan=False)
    return gltf, result


def test_cut_anywhere() -> None:
    step = max(1, len(DATA) // 300)
    assert all(examine(DATA[:end]) is None for end in range(0, len(DATA), step))


def test_cut_with_the_length_mended() -> None:
    """The header and the last chunk say what is left, so that the cut goes through the data."""
    length = len(DATA) - 12 - 8 - struct.unpack_from("<I", DATA, 12)[0] - 8
    for keep in range(0, length, max(4, length // 40 // 4 * 4)):
        assert examine(pack(DOCUMENT, BINARY[:keep])) is None, "the buffer is declared longer than the chunk"


def containers(value: Any) -> list[Any]:
    """Every object and list inside, outermost first."""
    found, stack = [], [value]
    while stack:
        item = stack.pop()
        if isinstance(item, dict | list):
            found.append(item)
            stack += item.values() if isinstance(item, dict) else item
    return found


STRANGE = (
    None,
    True,
    -1,
    0,
    1,
    7,
    2**31,
    2**63,
    10**400,
    0.5,
    1e308,
    -1e308,
    "",
    "x",
    "\ud800",
    [],
    {},
    [[]],
    [None] * 3,
)


@given(st.integers(0, 2**32 - 1))
def test_strange_values_anywhere_in_the_json(seed: int) -> None:
    dice = random.Random(seed)
    document = json.loads(json.dumps(DOCUMENT))
    for _ in range(dice.randint(1, 4)):
        place = dice.choice([item for item in containers(document) if item])
        key = dice.choice(list(place)) if isinstance(place, dict) else dice.randrange(len(place))
        if dice.random() < 0.2:
            del place[key]
        else:
            place[key] = dice.choice(STRANGE)
    examine(pack(document, BINARY))


@given(st.integers(0, 2**32 - 1))
def test_flipped_bytes_anywhere(seed: int) -> None:
    dice = random.Random(seed)
    data = bytearray(DATA)
    for _ in range(dice.randint(1, 8)):
        data[dice.randrange(len(data))] = dice.randrange(256)
    examine(bytes(data))


@given(st.integers(0, 2**32 - 1))
def test_random_binary(seed: int) -> None:
    noise = np.random.default_rng(seed).bytes(len(BINARY))
    result = examine(pack(DOCUMENT, noise))
    assert result is not None and not result[1].passed


def quickly(data: bytes, seconds: float = 15.0) -> tuple[Gltf, RoundTrip] | None:
    begin = time.perf_counter()
    result = examine(data)
    assert time.perf_counter() - begin < seconds
    return result


def changed(**changes: Any) -> bytes:
    return pack({**DOCUMENT, **changes}, BINARY)


def test_a_node_that_is_its_own_child() -> None:
    nodes = [dict(node) for node in DOCUMENT["nodes"]]
    nodes[2]["children"] = [2]
    found = quickly(changed(nodes=nodes))
    assert found is not None and not found[1].passed


def test_a_chain_of_many_nodes() -> None:
    count = 20_000
    nodes: list[dict[str, Any]] = [{"children": [n + 1]} for n in range(count)] + [{}]
    found = quickly(changed(nodes=nodes), 10.0)
    assert found is not None and not found[1].passed


def test_a_node_with_many_parents() -> None:
    assert quickly(changed(nodes=[{"children": [3999]} for _ in range(4000)])) is not None


def test_counts_beyond_all_memory() -> None:
    for count in (2**31, 2**40, 2**52):
        accessors = [{**item, "count": count} for item in DOCUMENT["accessors"]]
        assert quickly(changed(accessors=accessors)) is not None
        bare = [{key: item[key] for key in ("componentType", "type")} | {"count": count} for item in accessors]
        assert quickly(changed(accessors=bare)) is not None
        sparse = [item | {"sparse": {"count": count, "indices": {}, "values": {}}} for item in bare]
        assert quickly(changed(accessors=sparse)) is not None


def test_views_whose_sum_overflows() -> None:
    for offset, length in ((2**53 - 1, 1), (2**53 - 2, 2**53 - 2), (2**62, 2**62), (0, 2**53 - 1)):
        views = [{**view, "byteOffset": offset, "byteLength": length} for view in DOCUMENT["bufferViews"]]
        assert quickly(changed(bufferViews=views)) is not None


def test_buffers_beyond_the_chunk() -> None:
    assert quickly(changed(buffers=[{"byteLength": 2**52}])) is None
    assert quickly(changed(buffers=DOCUMENT["buffers"] * 2)) is None, "the second has no bytes"


def test_json_nested_too_deeply() -> None:
    assert quickly(pack(b'{"asset":{"version":"2.0"},"extras":' + b'{"a":' * 200_000 + b"1" + b"}" * 200_001)) is None


def test_an_object_nested_as_deeply_as_json_allows() -> None:
    extras: Any = {}
    for _ in range(400):
        extras = {"extensions": {"X": extras}, "baseTexture": extras}
        extras = [extras["extensions"]]
    assert quickly(changed(extensions={"KHR_x": extras}, materials=[{"extensions": {"KHR_x": extras}}])) is not None


def test_a_pointer_of_many_digits() -> None:
    pointer = {"pointer": "/nodes/" + "9" * 100_000 + "/translation"}
    target = {"path": "pointer", "extensions": {"KHR_animation_pointer": pointer}}
    animations = [{"samplers": [{"input": 0, "output": 0}], "channels": [{"sampler": 0, "target": target}]}]
    assert quickly(changed(animations=animations)) is not None


@pytest.mark.parametrize("value", [float("nan"), float("inf"), 3e38])
def test_floats_that_are_no_numbers(value: float) -> None:
    draft = by_hand(figure())
    for array in draft.arrays:
        if array.dtype == np.float32:
            array.reshape(-1)[:4] = value
    draft.bounds.clear()
    found = examine(draft.glb())
    assert found is not None and not found[1].passed


def test_an_empty_file_of_each_kind() -> None:
    for data in (b"", b"glTF", pack(b""), pack({}), pack({"asset": {}}), Draft().glb()):
        found = examine(data)
        assert found is None or not found[1].passed
