"""pygltflib's objects as JSON."""

from __future__ import annotations

import json

import numpy as np
import pygltflib
import pytest

from unity2gltf.emit.serialise import json_bytes, to_json


def test_defaults_and_empty_lists_vanish() -> None:
    accessor = pygltflib.Accessor(bufferView=0, componentType=5126, count=1, type="VEC3")
    assert to_json(accessor) == {"bufferView": 0, "componentType": 5126, "count": 1, "type": "VEC3"}
    assert to_json(pygltflib.Node(children=[])) == {}


def test_an_empty_name_is_a_name() -> None:
    assert to_json(pygltflib.Node(name="")) == {"name": ""}


def test_the_version_is_written_although_it_is_the_default() -> None:
    assert to_json(pygltflib.GLTF2(asset=pygltflib.Asset(generator="x"))) == {
        "asset": {"generator": "x", "version": "2.0"}
    }


def test_zero_is_not_taken_for_nothing() -> None:
    assert to_json(pygltflib.Node(mesh=0)) == {"mesh": 0}


def test_attributes_keep_their_own_names() -> None:
    assert to_json(pygltflib.Attributes(POSITION=0, _UV3=2)) == {"POSITION": 0, "_UV3": 2}


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_numbers_that_json_lacks_are_refused(value: float) -> None:
    with pytest.raises(ValueError):
        json_bytes({"x": value})


def test_numpy_scalars_are_refused() -> None:
    with pytest.raises(TypeError):
        json_bytes({"x": np.float32(1)})
    with pytest.raises(TypeError):
        to_json(pygltflib.Node(mesh=np.int64(1)))


def test_text_stays_readable_and_lone_surrogates_are_replaced() -> None:
    assert json_bytes({"n": "Ĝ日😀"}) == '{"n":"Ĝ日😀"}'.encode()
    assert json.loads(json_bytes({"n": "a\ud800b"})) == {"n": "a\ufffdb"}
