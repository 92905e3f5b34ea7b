"""Lights, cameras, lightmaps, tags and colliders on the nodes of a hierarchy."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tests.builders.raw import FakeNames, FakeRoot, hierarchy, node, raw_mesh, renderer, source
from tests.unit.normalize.build.test_hierarchy import build
from unity2gltf.diagnostics import Diagnostics
from unity2gltf.emit.document import build_document
from unity2gltf.evaluate.gltf.lights import forward
from unity2gltf.evaluate.unity.pose import UnityPoser
from unity2gltf.ir import Asset, Curve
from unity2gltf.math3d import name_hash
from unity2gltf.normalize.build.context import AssetContext
from unity2gltf.normalize.build.lightcurves import CAMERA, LIGHT, light_channels
from unity2gltf.normalize.build.lights import place_lights
from unity2gltf.normalize.build.nodes import add_nodes
from unity2gltf.normalize.build.tags import convert_part, object_tags
from unity2gltf.normalize.clips.decoded import DecodedCurve
from unity2gltf.normalize.clips.piecewise import evaluate, unite
from unity2gltf.normalize.content import Library
from unity2gltf.normalize.space import to_gltf
from unity2gltf.options import Options
from unity2gltf.raw import RawCamera, RawHierarchy, RawLight, RawLightmap, RawNode, RawPart, RawSettings

HALF = math.sqrt(0.5)
SPOT = RawLight(
    source=source(7, "Light"),
    enabled=True,
    type=0,
    color=(1.0, 1.0, 1.0, 1.0),
    intensity=2.0,
    range=10.0,
    spot_angle=60.0,
    inner_angle=30.0,
)
EYE = RawCamera(
    source=source(8, "Camera"),
    enabled=True,
    near=0.25,
    far=100.0,
    field_of_view=60.0,
    orthographic=False,
    orthographic_size=5.0,
)
LINEAR = RawSettings(linear=True, linear_intensity=True, color_temperature=True, pipeline="")


def lit(**changes: Any) -> RawHierarchy:
    """An object turned by 90 degrees about Y, so that it faces +X, with a spot and a camera; a child that draws."""
    faces_x = node(1, "Lamp", rotation=(0.0, HALF, 0.0, HALF))
    lamp = replace(faces_x, **{"light": SPOT, "camera": EYE, **changes})
    return hierarchy(lamp, node(3, "Shade", 0, renderer=renderer(9, source(100, "Mesh"))))


def gltf_of(asset: Asset) -> dict[str, Any]:
    return build_document(to_gltf(asset, 8, Diagnostics()), Diagnostics()).json


def test_light_and_camera_have_nodes_of_their_own_below_the_object() -> None:
    asset, _ = build(lit())
    lamp, shade, light, camera = asset.nodes
    assert (lamp.light, lamp.camera, shade.mesh) == (None, None, 0)
    assert (light.light, light.game_object, light.source, light.name) == (0, 0, SPOT.source, "Lamp")
    assert (camera.camera, camera.game_object, camera.source) == (0, 0, EYE.source)
    assert [n.parent for n in asset.nodes] == [-1, 0, 0, 0]


def test_what_faces_plus_x_in_unity_faces_minus_x_in_gltf() -> None:
    """By the world matrices of both spaces: Unity's light goes along +Z, glTF's along -Z, and x is mirrored."""
    asset, _ = build(lit())
    unity = UnityPoser(asset).world()
    assert unity[0, :3, 2] == pytest.approx((1.0, 0.0, 0.0))
    mirrored = to_gltf(asset, 8, Diagnostics())
    world = UnityPoser(replace(mirrored, space=asset.space)).world()  # matrices alone: no convention is used
    for index in (2, 3):
        assert forward(world, index) == pytest.approx((-1.0, 0.0, 0.0))


def test_the_document_says_it_all() -> None:
    json = gltf_of(build(lit(), FakeRoot(settings=LINEAR).add(raw_mesh()))[0])
    (light,) = json["extensions"]["KHR_lights_punctual"]["lights"]
    assert json["extensionsUsed"] == ["KHR_lights_punctual"]
    assert (light["type"], light["range"], light["name"]) == ("spot", 10.0, "Lamp")
    assert light["intensity"] == pytest.approx(2 * math.pi)
    assert light["spot"] == pytest.approx({"innerConeAngle": math.pi / 12, "outerConeAngle": math.pi / 6})
    assert light["extras"]["unity"]["path_id"] == "7"
    assert json["cameras"][0]["perspective"] == {"yfov": pytest.approx(math.pi / 3), "znear": 0.25, "zfar": 100.0}
    assert json["nodes"][2]["extensions"] == {"KHR_lights_punctual": {"light": 0}}
    assert json["nodes"][3]["camera"] == 0 and json["nodes"][3]["extras"]["unity"]["node"] == 0


@pytest.mark.parametrize(
    ("inactive", "nodes", "lights"), [("keep", 4, 0), ("skip", 3, 0), ("flag", 4, 1)], ids=["keep", "skip", "flag"]
)
def test_a_light_that_is_off_is_left_out_like_a_renderer(inactive: str, nodes: int, lights: int) -> None:
    asset, diagnostics = build(lit(light=replace(SPOT, enabled=False)), inactive=inactive)
    assert (len(asset.nodes), len(asset.lights)) == (nodes, lights)
    if nodes == 4:
        assert not asset.nodes[2].active and asset.nodes[0].active
    assert [d.data["reason"] for d in diagnostics.items if d.code.name == "COMPONENT_OFF"] == ["disabled"]


def test_an_inactive_object_has_no_light() -> None:
    asset, _ = build(hierarchy(node(1, "Root"), replace(lit().nodes[0], active=False, parent=0)))
    assert asset.lights == () and asset.cameras == ()
    assert [n.active for n in asset.nodes] == [True, False, False, False]


def test_lights_alone_draw_nothing() -> None:
    asset, _ = build(hierarchy(lit().nodes[0]))
    assert asset.meshes == () and len(asset.lights) == 1


# --- lightmaps --------------------------------------------------------------------------------------------------------


def with_uvs(*channels: int) -> FakeRoot:
    """A quad with UV sets 0 and, where asked for, 1: float pairs behind the positions."""
    from unity2gltf.raw import RawChannel

    positions = np.array([[0, 0, 0], [0, 1, 0], [1, 1, 0], [1, 0, 0]], np.float32)
    data = np.hstack([positions, np.zeros((4, 2 * len(channels)), np.float32)])
    place = {number: 12 + 8 * slot for slot, number in enumerate(channels)}
    layout = [RawChannel(stream=0, offset=0, format=0, dimension=3)] + [
        RawChannel(stream=0, offset=place.get(number, 0), format=0, dimension=2 * (number in place))
        for number in (-3, -2, 0, 1, 2, 3, -1)
    ]
    return FakeRoot().add(raw_mesh(channels=tuple(layout), vertex_data=data.astype("<f4").tobytes()))


@pytest.mark.parametrize(("channels", "uv"), [((0, 1), 1), ((0,), 0), ((1,), 0)])
def test_a_lightmap_has_the_set_of_the_file_and_v_down(channels: tuple[int, ...], uv: int) -> None:
    lightmap = RawLightmap(index=2, scale_offset=(0.25, 0.5, 0.125, 0.0625))
    drawn = renderer(9, source(100, "Mesh"), lightmap=lightmap)
    json = gltf_of(build(hierarchy(node(1, "Wall", renderer=drawn)), with_uvs(*channels))[0])
    told = json["nodes"][0]["extras"]["unity"]["lightmap"]
    assert told == {"index": 2, "uv": uv, "scale": [0.25, 0.5], "offset": [0.125, 1 - 0.0625 - 0.5]}


def test_without_uvs_there_is_no_place_in_a_lightmap() -> None:
    lightmap = RawLightmap(index=0, scale_offset=(1.0, 1.0, 0.0, 0.0))
    drawn = renderer(9, source(100, "Mesh"), lightmap=lightmap)
    asset, _ = build(hierarchy(node(1, "Wall", renderer=drawn)))
    assert asset.nodes[0].lightmaps == {}


# --- tags and colliders -----------------------------------------------------------------------------------------------


def tags_of(item: RawNode, **settings: Any) -> dict[str, Any]:
    return object_tags(item, RawSettings(**settings))


def test_tags_and_layers_by_name_or_number() -> None:
    thing = node(1, "Thing")
    assert tags_of(thing) == {"tag": "Untagged", "layer": "Default"}
    assert tags_of(replace(thing, tag=5, layer=5)) == {"tag": "MainCamera", "layer": "UI"}
    own = replace(thing, tag=20001, layer=8)
    assert tags_of(own) == {"tag": 20001, "layer": 8}
    assert tags_of(own, tags=("Enemy", "Heal"), layers=("Default",) * 8 + ("Floor",)) == {
        "tag": "Heal",
        "layer": "Floor",
    }
    assert tags_of(replace(thing, tag="Boss", static=0b101)) == {
        "tag": "Boss",
        "layer": "Default",
        "static": ["ContributeGI", "BatchingStatic"],
    }
    assert tags_of(replace(thing, tag=-1, layer=99)) == {"tag": -1, "layer": 99}


def test_a_collider_is_in_unitys_words_and_gltfs_space() -> None:
    class Root(FakeRoot):
        def part(self, wanted: Any) -> RawPart:
            fields = {"m_IsTrigger": True, "m_Center": (1.0, 2.0, 3.0), "m_Size": (4.0, 5.0, 6.0), "m_Drag": math.inf}
            return RawPart(source=wanted, fields=fields)

    thing = replace(lit().nodes[1], parent=-1, physics=(source(11, "BoxCollider"),))
    asset, _ = build(hierarchy(thing), Root().add(raw_mesh()), extras=("colliders", "tags"))
    unity = gltf_of(asset)["nodes"][0]["extras"]["unity"]
    assert unity["colliders"] == [
        {
            **source(11, "BoxCollider").mark(),
            "is_trigger": True,
            "size": [4.0, 5.0, 6.0],
            "drag": None,
            "center": [-1.0, 2.0, 3.0],
        }
    ]
    assert (unity["tag"], unity["layer"]) == ("Untagged", "Default")


def test_rotations_of_bodies_are_mirrored_and_bad_points_are_no_points() -> None:
    part = convert_part(
        RawPart(
            source=source(1, "Rigidbody"),
            fields={"m_InertiaRotation": (0.1, 0.2, 0.3, 0.9), "m_CenterOfMass": (math.nan, 0.0, 0.0)},
        )
    )
    assert part.rotations == {"inertia_rotation": (0.1, 0.2, 0.3, 0.9)} and part.points == {}
    assert part.values == {"center_of_mass": [None, 0.0, 0.0]}


# --- curves -----------------------------------------------------------------------------------------------------------


def moved(attribute: str | int, start: float, slope: float, type_id: int = LIGHT) -> tuple[int, DecodedCurve]:
    line = Curve(times=np.zeros(1), coefficients=np.array([[0.0, 0.0, slope, start]]))
    curve = DecodedCurve(path=None, path_hash=0, type_id=type_id, attribute=attribute, custom_type=0, curves=(line,))
    return 0, curve


def channels_of(*given: tuple[int, DecodedCurve]) -> tuple[dict[str, list[float]], list[Any]]:
    """Values half way by pointer, and what is left."""
    context = AssetContext(Library(FakeRoot(settings=LINEAR)), Options(), Diagnostics())
    raw = lit()
    add_nodes(raw, [True, True], context)
    place_lights(raw, [True, True], context)
    channels, rest = light_channels(given, FakeNames(), 1.0, context)
    values = {
        channel.pointer: evaluate(unite([c for c in channel.curves if c], 1.0), np.array([0.5]))[0].tolist()
        for channel in channels
    }
    return values, rest


def test_curves_of_lights_and_cameras_lead_to_their_numbers() -> None:
    place = "/extensions/KHR_lights_punctual/lights/0"
    values, rest = channels_of(
        moved(name_hash("m_Intensity"), 1.0, 2.0),
        moved("m_Color.g", 0.0, 1.0),
        moved("m_Range", 5.0, 2.0),
        moved("m_SpotAngle", 80.0, 20.0),
        moved(name_hash("field of view"), 30.0, 60.0, CAMERA),
        moved("m_Enabled", 1.0, 0.0),
        moved("m_ShadowBias", 1.0, 0.0),
        moved("m_Intensity", 1.0, 0.0, 23),
    )
    assert values[f"{place}/intensity"] == pytest.approx([2 * math.pi])
    assert values[f"{place}/color"] == pytest.approx([1.0, 0.2140, 1.0], abs=1e-3)
    assert values[f"{place}/range"] == pytest.approx([6.0])
    assert values[f"{place}/spot/outerConeAngle"] == pytest.approx([math.radians(45)])
    assert values["/cameras/0/perspective/yfov"] == pytest.approx([math.radians(60)])
    assert values["/nodes/{node}/extensions/KHR_node_visibility/visible"] == [1.0]
    assert [curve.attribute for _, curve in rest] == ["m_ShadowBias", "m_Intensity"]
