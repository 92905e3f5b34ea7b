"""The round trip of lights and cameras: right files pass, every damage is named."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tests.builders.raw import FakeRoot, raw_mesh
from tests.unit.normalize.build.test_hierarchy import build
from tests.unit.normalize.build.test_lights import EYE, LINEAR, lit
from unity2gltf.diagnostics import Diagnostics
from unity2gltf.emit.document import build_document, glb_bytes
from unity2gltf.evaluate.glb import parse_glb
from unity2gltf.ir import Asset
from unity2gltf.normalize.space import to_gltf
from unity2gltf.validate.roundtrip import RoundTrip, roundtrip

Json = dict[str, Any]


def studio() -> Asset:
    box = replace(EYE, orthographic=True, aspect=2.0)
    asset, _ = build(lit(), FakeRoot(settings=LINEAR).add(raw_mesh()))
    other, _ = build(lit(light=None, camera=box), FakeRoot(settings=LINEAR).add(raw_mesh()))
    return replace(asset, cameras=(*asset.cameras, *other.cameras))


def proof(damage: Callable[[Json], Any]) -> RoundTrip:
    unity = studio()
    document = build_document(to_gltf(unity, 8, Diagnostics()), Diagnostics())
    damage(document.json)
    pieces, _ = glb_bytes(document)
    gltf = parse_glb(b"".join(bytes(piece) for piece in pieces))
    return roundtrip(unity, gltf, "quick", diagnostics=Diagnostics(), max_influences=8)


def light(json: Json) -> Json:
    item: Json = json["extensions"]["KHR_lights_punctual"]["lights"][0]
    return item


def test_a_right_file_passes() -> None:
    assert proof(lambda _: None).problems == []


DAMAGES: list[tuple[str, Callable[[Json], Any]]] = [
    ("lights in Unity", lambda j: j["extensions"].clear()),
    ("cameras in Unity", lambda j: j["cameras"].pop()),
    ("it is a point light", lambda j: light(j).update(type="point")),
    ("color", lambda j: light(j).update(color=[1, 1, 0.5])),
    ("intensity", lambda j: light(j).update(intensity=2.0)),
    ("range", lambda j: light(j).pop("range")),
    ("outerConeAngle", lambda j: light(j)["spot"].update(outerConeAngle=1.0)),
    ("it has no cone", lambda j: light(j).pop("spot")),
    ("yfov", lambda j: j["cameras"][0]["perspective"].update(yfov=1.0)),
    ("aspectRatio", lambda j: j["cameras"][0]["perspective"].update(aspectRatio=1.0)),
    ("zfar", lambda j: j["cameras"][0]["perspective"].pop("zfar")),
    ("xmag", lambda j: j["cameras"][1]["orthographic"].update(xmag=5.0)),
    ("it is perspective", lambda j: j["cameras"][1].update(j["cameras"][0])),
    ("its light or camera", lambda j: j["nodes"][2].pop("extensions")),
    ("its light or camera", lambda j: j["nodes"][3].update(camera=1)),
    ("it faces", lambda j: j["nodes"][2].pop("rotation")),
    ("it faces", lambda j: j["nodes"][0].update(rotation=[0.0, -np.sqrt(0.5), 0.0, -np.sqrt(0.5)])),
    ("a finite number is wanted", lambda j: light(j).update(intensity="bright")),
]


@pytest.mark.parametrize(("sentence", "damage"), DAMAGES, ids=[f"{n}-{d[0]}" for n, d in enumerate(DAMAGES)])
def test_damage_is_named(sentence: str, damage: Callable[[Json], Any]) -> None:
    result = proof(damage)
    assert not result.passed
    assert any(sentence in problem for problem in result.problems), result.problems
