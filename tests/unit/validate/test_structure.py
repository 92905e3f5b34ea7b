"""Structural checks: a right file has no issue, and each code is raised by the damage that it is for."""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tests.unit.evaluate.draft import Draft, pack
from tests.unit.evaluate.handmade import by_hand, figure, source
from tests.unit.validate import test_humans
from unity2gltf.evaluate.glb import parse_glb
from unity2gltf.validate.issues import CODES
from unity2gltf.validate.structure import check_structure

PNG = b"\x89PNG\r\n\x1a\n" + bytes(8)


def rich() -> Draft:
    """The figure, and one of everything else that is checked: texture, image, animations, extensions."""
    draft = by_hand(figure())
    image = draft.add(np.frombuffer(PNG, np.uint8), "u1", "SCALAR")
    draft.json["images"] = [{"mimeType": "image/png", "extras": {"unity": source(30, "Texture2D").mark()}}]
    draft.json["images"][0]["bufferView"] = image
    draft.json["textures"] = [{"source": 0, "sampler": 0}]
    draft.json["samplers"] = [{}]
    slot = {"index": 0, "texCoord": 0, "extensions": {"KHR_texture_transform": {"texCoord": 1}}}
    draft.json["materials"][0]["pbrMetallicRoughness"] = {"baseColorTexture": slot}
    times = draft.add([0.0, 0.5, 1.0], "f4", "SCALAR", bounds=True)
    turns = draft.add([(0, 0, 0, 1)] * 3, "f4", "VEC4")
    smooth = draft.add(np.zeros((9, 3)), "f4", "VEC3")
    faces = draft.add(np.zeros(9), "f4", "SCALAR")
    draft.json["animations"] = [
        {
            "samplers": [
                {"input": times, "output": turns},
                {"input": times, "output": smooth, "interpolation": "CUBICSPLINE"},
                {"input": times, "output": faces, "interpolation": "STEP"},
            ],
            "channels": [
                {"sampler": 0, "target": {"node": 1, "path": "rotation"}},
                {"sampler": 1, "target": {"node": 1, "path": "translation"}},
                {"sampler": 2, "target": {"node": 4, "path": "weights"}},
                {"sampler": 0, "target": {"path": "pointer", "extensions": {"KHR_animation_pointer": {
                    "pointer": "/materials/0/pbrMetallicRoughness/baseColorFactor"}}}},
            ],
        }
    ]  # fmt: skip
    places = draft.add(np.zeros((4, 3)), "f4", "VEC3")
    instances = {"attributes": {"TRANSLATION": places, "ROTATION": draft.add([(0, 0, 0, 1)] * 4, "f4", "VEC4")}}
    draft.json["nodes"][5]["extensions"] = {"EXT_mesh_gpu_instancing": instances}
    draft.json["nodes"][3]["extensions"] = {"MSFT_lod": {"ids": [5, 2]}}
    draft.json["nodes"][3]["extras"]["MSFT_screencoverage"] = [0.5, 0.2, 0.01]
    draft.json["extensionsUsed"] = [
        "KHR_texture_transform", "KHR_animation_pointer", "EXT_mesh_gpu_instancing", "MSFT_lod", "KHR_lights_punctual",
    ]  # fmt: skip
    spot = {"type": "spot", "range": 4.0, "spot": {"innerConeAngle": 0.25, "outerConeAngle": 0.5}}
    draft.json["extensions"] = {"KHR_lights_punctual": {"lights": [spot]}}
    draft.json["nodes"][0]["extensions"] = {"KHR_lights_punctual": {"light": 0}}
    draft.json["cameras"] = [
        {"type": "perspective", "perspective": {"yfov": 1.0, "znear": 0.1, "zfar": 9.0}},
        {"type": "orthographic", "orthographic": {"xmag": 1.0, "ymag": 1.0, "znear": 0.0, "zfar": 9.0}},
    ]
    draft.json["nodes"][1]["camera"] = 0
    draft.json["extensionsRequired"] = ["EXT_mesh_gpu_instancing"]
    return draft


def test_a_right_file_has_no_issue() -> None:
    assert check_structure(parse_glb(rich().glb())) == []


LIGHT = "/extensions/KHR_lights_punctual/lights/0"


def light(draft: Draft) -> dict[str, Any]:
    item: dict[str, Any] = draft.json["extensions"]["KHR_lights_punctual"]["lights"][0]
    return item


def primitive(draft: Draft) -> dict[str, Any]:
    item: dict[str, Any] = draft.json["meshes"][0]["primitives"][0]
    return item


def array(draft: Draft, name: str) -> np.ndarray:
    return draft.arrays[primitive(draft)["attributes"][name]]


def replaced(draft: Draft, index: int, values: Any, dtype: str, kind: str) -> None:
    """Accessor ``index`` becomes another array."""
    other = draft.add(values, dtype, kind)
    draft.json["accessors"][index] = draft.json["accessors"].pop(other)
    draft.arrays[index] = draft.arrays.pop(other)


def set_rows(draft: Draft, name: str, values: list[float]) -> None:
    array(draft, name)[2] = values


def animation(draft: Draft) -> dict[str, Any]:
    item: dict[str, Any] = draft.json["animations"][0]
    return item


def lods(draft: Draft) -> dict[str, Any]:
    item: dict[str, Any] = draft.json["nodes"][3]["extensions"]["MSFT_lod"]
    return item


def aim(draft: Draft, pointer: str) -> None:
    animation(draft)["channels"][3]["target"]["extensions"]["KHR_animation_pointer"]["pointer"] = pointer


def one_key(draft: Draft) -> None:
    times = draft.add([0.0], "f4", "SCALAR", bounds=True)
    values = draft.add(np.zeros((3, 3)), "f4", "VEC3")
    animation(draft)["samplers"][1].update(input=times, output=values)


def turned_to_matrix(node: dict[str, Any]) -> None:
    for part in ("translation", "rotation", "scale"):
        node.pop(part, None)
    node["matrix"] = np.eye(4).ravel().tolist()


def key_times(*values: float) -> Callable[[Draft], None]:
    return lambda d: d.arrays[animation(d)["samplers"][0]["input"]].__setitem__(slice(None), values)


def wrong_bound(draft: Draft) -> None:
    index = primitive(draft)["attributes"]["NORMAL"]
    draft.json["accessors"][index]["min"] = [-0.6, 0.0, 0.7999]


def no_bounds(draft: Draft) -> None:
    draft.bounds.discard(primitive(draft)["attributes"]["POSITION"])


def matrix(draft: Draft, *where: int) -> np.ndarray:
    return draft.arrays[draft.json["skins"][0]["inverseBindMatrices"]]


def unity(item: dict[str, Any]) -> dict[str, Any]:
    mark: dict[str, Any] = item["extras"]["unity"]
    return mark


def as_ktx2(draft: Draft, *, cut: int | None = None, transfer: int = 2, **changes: int) -> None:
    """Turn the image into a KTX2 file of 8 x 4 pixels, ETC1S and sRGB, but for what is wrong on purpose."""
    values = {"form": 0, "size": 1, "width": 8, "height": 4, "depth": 0, "layers": 0, "faces": 1, "levels": 4}
    values |= {"scheme": 1, "model": 163} | changes
    header = struct.pack("<12s9I", b"\xabKTX 20\xbb\r\n\x1a\n", *(values[key] for key in list(values)[:9]))
    data = header + struct.pack("<4I2Q", 80, 44, 0, 0, 0, 0) + bytes(12) + bytes([values["model"], 1, transfer, 0])
    image = draft.json["images"][0]
    image["mimeType"] = "image/ktx2"
    draft.arrays[image["bufferView"]] = np.frombuffer(data[:cut], np.uint8)
    draft.json["accessors"][image["bufferView"]]["count"] = len(data[:cut])
    draft.json["textures"][0] = {"extensions": {"KHR_texture_basisu": {"source": 0}}}
    draft.json["extensionsUsed"] = [*draft.json.get("extensionsUsed", []), "KHR_texture_basisu"]


DAMAGES: list[tuple[str, str, Callable[[Draft], Any]]] = [
    ("FORMAT_BROKEN", "/nodes/4", lambda d: d.json["nodes"][4].update(mesh=2)),
    ("FORMAT_BROKEN", "/nodes/4", lambda d: d.json["nodes"][4].update(skin="0")),
    ("FORMAT_BROKEN", "/accessors/0", lambda d: d.json["accessors"][0].update(type="VEC9")),
    ("FORMAT_BROKEN", "/meshes/1", lambda d: d.json["meshes"][1].update(primitives=[])),
    ("FORMAT_BROKEN", "/textures/0", lambda d: d.json["textures"][0].update(source=1)),
    ("FORMAT_BROKEN", "/materials/0", lambda d: d.json["textures"].clear()),
    ("FORMAT_BROKEN", "/scene", lambda d: d.json.update(scene=1)),
    ("FORMAT_BROKEN", "/nodes/0", lambda d: d.json["nodes"][0].update(scale=[1, 1])),
    ("FORMAT_BROKEN", "/bufferViews/", lambda d: d.json.update(bufferViews=[{"buffer": 0, "byteLength": 1 << 40}])),
    ("FORMAT_BROKEN", "/animations/0", lambda d: animation(d)["samplers"][0].update(interpolation="SMOOTH")),
    ("FORMAT_BROKEN", "/animations/0", lambda d: animation(d).update(channels=[])),
    ("NODE_TREE", "/nodes", lambda d: d.json["nodes"][5].update(children=[2])),
    ("NODE_TREE", "/nodes", lambda d: d.json["nodes"][5].update(children=[0])),
    ("NODE_TREE", "/scenes/0", lambda d: d.json["scenes"][0]["nodes"].append(1)),
    ("NODE_TREE", "/scenes/0", lambda d: d.json["scenes"][0]["nodes"].append(0)),
    ("NODE_UNREACHED", "/nodes/6", lambda d: d.json["nodes"].append({})),
    ("ACCESSOR_NOT_FINITE", "/accessors/1", lambda d: d.arrays[1].__setitem__((0, 0), np.nan)),
    ("ACCESSOR_MIN_MAX", "/accessors/1/min", wrong_bound),
    ("ACCESSOR_MIN_MAX", "/meshes/0", no_bounds),
    ("ACCESSOR_MIN_MAX", "/accessors/", lambda d: d.bounds.discard(animation(d)["samplers"][0]["input"])),
    ("ATTRIBUTE_TYPE", "/meshes/0", lambda d: primitive(d)["attributes"].update(NORMAL=2)),
    ("ATTRIBUTE_TYPE", "/meshes/0", lambda d: primitive(d)["attributes"].update(SHAPE=1)),
    ("ATTRIBUTE_TYPE", "/meshes/0", lambda d: primitive(d)["attributes"].update(TEXCOORD_3=3)),
    ("ATTRIBUTE_TYPE", "/meshes/0", lambda d: primitive(d)["targets"][0].update(TEXCOORD_7=1)),
    ("ATTRIBUTE_TYPE", "/meshes/0", lambda d: primitive(d).update(indices=1)),
    ("ATTRIBUTE_COUNT", "/meshes/0", lambda d: replaced(d, 1, np.full((7, 3), 0.57735), "f4", "VEC3")),
    ("INDEX_RANGE", "/meshes/0", lambda d: d.arrays[primitive(d)["indices"]].__setitem__(0, 8)),
    ("INDEX_RANGE", "/meshes/0", lambda d: d.arrays[primitive(d)["indices"]].__setitem__(0, 65535)),
    ("INDEX_COUNT", "/meshes/0", lambda d: replaced(d, primitive(d)["indices"], [0, 1, 2, 3], "u2", "SCALAR")),
    ("TARGET_COUNT", "/meshes/0", lambda d: primitive(d)["targets"].pop()),
    ("TARGET_COUNT", "/meshes/0/weights", lambda d: d.json["meshes"][0]["weights"].pop()),
    ("TARGET_COUNT", "/nodes/4/weights", lambda d: d.json["nodes"][4]["weights"].pop()),
    ("TARGET_COUNT", "/meshes/0/extras", lambda d: d.json["meshes"][0]["extras"]["targetNames"].pop()),
    ("TARGET_NAMES", "/meshes/0/extras", lambda d: d.json["meshes"][0]["extras"].update(targetNames=["a", "b", "a"])),
    ("TARGET_NAMES", "/meshes/0/extras", lambda d: d.json["meshes"][0]["extras"].update(targetNames=["a", "b", {}])),
    ("WEIGHTS_SUM", "/accessors/", lambda d: set_rows(d, "WEIGHTS_0", [0.5, 0.4999, 0, 0])),
    ("WEIGHTS_SUM", "/accessors/", lambda d: set_rows(d, "WEIGHTS_0", [1.5, -0.5, 0, 0])),
    ("JOINTS_SETS", "/meshes/0", lambda d: primitive(d)["attributes"].pop("WEIGHTS_0")),
    ("JOINTS_SETS", "/meshes/1", lambda d: d.json["nodes"][4].update(mesh=1)),
    ("JOINTS_RANGE", "/accessors/", lambda d: set_rows(d, "JOINTS_0", [0, 1, 2, 0])),
    ("JOINTS_REPEATED", "/accessors/", lambda d: set_rows(d, "JOINTS_0", [1, 1, 0, 0])),
    ("SKIN_JOINTS", "/skins/0/joints", lambda d: d.json["skins"][0].update(joints=[1, 1])),
    ("SKIN_JOINTS", "/skins/0/inverse", lambda d: d.json["skins"][0].update(joints=[1, 2, 3])),
    ("SKIN_MATRIX", "/skins/0", lambda d: matrix(d).__setitem__((0, 3), 0.5)),
    ("SKIN_MATRIX", "/skins/0", lambda d: matrix(d).__setitem__((1, slice(0, 12)), 0)),
    ("SKIN_NODE", "/nodes/4", lambda d: d.json["nodes"][4].update(translation=[0, 0, 1])),
    ("SKIN_NODE", "/nodes/4", lambda d: (d.json["nodes"].append({}), d.json["nodes"][4].update(children=[6]))),
    ("SKIN_NODE", "/nodes/4", lambda d: d.json["nodes"][3].update(children=[4])),
    ("SKIN_NODE", "/nodes/4", lambda d: d.json["scenes"][0]["nodes"].remove(4)),
    ("SKIN_NODE", "/nodes/4/extras", lambda d: unity(d.json["nodes"][4]).update(node=6)),
    ("SKIN_NODE", "/nodes/4/extras", lambda d: unity(d.json["nodes"][4]).update(node=4)),
    ("SKIN_NODE", "/nodes/4/extras", lambda d: unity(d.json["nodes"][4]).pop("node")),
    ("SKIN_NODE", "/nodes/3", lambda d: d.json["nodes"][3].update(skin=0)),
    ("TEXCOORD_MISSING", "/meshes/0", lambda d: primitive(d)["attributes"].pop("TEXCOORD_1")),
    ("IMAGE_SOURCE", "/images/0", lambda d: d.json["images"][0].update(mimeType="image/jpeg")),
    ("TEXTURE_SOURCE", "/textures/0/source", lambda d: d.json["images"][0].update(mimeType="image/webp")),
    ("KTX2_INVALID", "/images/0", lambda d: as_ktx2(d, model=9)),
    ("KTX2_INVALID", "/images/0", lambda d: as_ktx2(d, width=6)),
    ("KTX2_INVALID", "/images/0", lambda d: as_ktx2(d, width=0)),
    ("KTX2_INVALID", "/images/0", lambda d: as_ktx2(d, levels=2)),
    ("KTX2_INVALID", "/images/0", lambda d: as_ktx2(d, levels=0)),
    ("KTX2_INVALID", "/images/0", lambda d: as_ktx2(d, faces=6)),
    ("KTX2_INVALID", "/images/0", lambda d: as_ktx2(d, scheme=2)),
    ("KTX2_INVALID", "/images/0", lambda d: as_ktx2(d, form=43)),
    ("KTX2_INVALID", "/images/0", lambda d: as_ktx2(d, cut=14)),
    ("KTX2_CURVE", "/materials/0", lambda d: as_ktx2(d, transfer=1)),
    ("IMAGE_SOURCE", "/images/0", lambda d: d.json["images"][0].pop("bufferView")),
    ("IMAGE_SOURCE", "/images/0", lambda d: d.json["images"][0].update(uri="data:image/png;base64,")),
    ("ANIMATION_INPUT", "/animations/0", key_times(0, 1, 1)),
    ("ANIMATION_INPUT", "/animations/0", key_times(-1, 0, 1)),
    ("ANIMATION_INPUT", "/animations/0", lambda d: animation(d)["samplers"][0].update(input=1)),
    ("ANIMATION_OUTPUT", "/animations/0", lambda d: animation(d)["samplers"][1].pop("interpolation")),
    ("ANIMATION_OUTPUT", "/animations/0", lambda d: animation(d)["channels"][0].update(sampler=1)),
    ("ANIMATION_TARGET", "/animations/0", lambda d: animation(d)["channels"][0]["target"].update(path="scales")),
    ("ANIMATION_TARGET", "/animations/0", lambda d: animation(d)["channels"][0]["target"].pop("node")),
    ("ANIMATION_TARGET", "/animations/0", lambda d: animation(d)["channels"][2]["target"].update(node=3)),
    ("ANIMATION_TARGET", "/animations/0", lambda d: animation(d)["channels"].append(animation(d)["channels"][0])),
    ("ANIMATION_INPUT", "/animations/0", lambda d: one_key(d)),
    ("ANIMATION_OUTPUT", "/animations/0", lambda d: aim(d, "/materials/0/emissiveFactor")),
    ("ANIMATION_OUTPUT", "/animations/0", lambda d: aim(d, "/nodes/3/weights")),
    ("ANIMATION_OUTPUT", "/animations/0", lambda d: aim(d, "/nodes/3/extensions/KHR_node_visibility/visible")),
    ("ANIMATION_TARGET", "/animations/0", lambda d: aim(d, "/nodes/1/rotation")),
    ("ANIMATION_TARGET", "/animations/0", lambda d: aim(d, "/nodes/4/weights/0")),
    ("ANIMATION_TARGET", "/animations/0", lambda d: animation(d)["channels"][3]["target"].update(node=3)),
    ("ANIMATION_TARGET", "/animations/0", lambda d: turned_to_matrix(d.json["nodes"][1])),
    ("ANIMATION_ROTATION", "/animations/0", lambda d: d.arrays[animation(d)["samplers"][0]["output"]].__imul__(1.01)),
    ("POINTER_UNRESOLVED", "/animations/0", lambda d: d.json["materials"][0].pop("pbrMetallicRoughness")),
    ("EXTENSION_UNDECLARED", "/nodes/3/extensions", lambda d: d.json["extensionsUsed"].remove("MSFT_lod")),
    ("EXTENSION_UNDECLARED", "/extensionsRequired", lambda d: d.json["extensionsRequired"].append("KHR_x")),
    ("EXTENSION_UNUSED", "/extensionsUsed", lambda d: d.json["extensionsUsed"].append("KHR_x")),
    ("INSTANCING_COUNT", "/nodes/5", lambda d: replaced(d, len(d.arrays) - 2, np.zeros((3, 3)), "f4", "VEC3")),
    ("INSTANCING_COUNT", "/nodes/5", lambda d: replaced(d, len(d.arrays) - 2, np.zeros((4, 2)), "f4", "VEC2")),
    ("LOD_INVALID", "/nodes/3", lambda d: lods(d).update(ids=[3])),
    ("LOD_INVALID", "/nodes/3", lambda d: lods(d).update(ids=[5, 5])),
    ("LOD_INVALID", "/nodes/3", lambda d: lods(d).update(ids=[5])),
    ("LOD_INVALID", "/nodes/3", lambda d: d.json["nodes"][5]["extensions"].update(MSFT_lod={"ids": [3]})),
    ("FORMAT_BROKEN", "/nodes/0", lambda d: d.json["nodes"][0]["extensions"]["KHR_lights_punctual"].update(light=1)),
    ("FORMAT_BROKEN", "/nodes/1", lambda d: d.json["nodes"][1].update(camera=2)),
    ("LIGHT_INVALID", LIGHT, lambda d: light(d).update(type="area")),
    ("LIGHT_INVALID", LIGHT, lambda d: light(d).update(color=[0, 0, 1.5])),
    ("LIGHT_INVALID", LIGHT, lambda d: light(d).update(intensity=-1)),
    ("LIGHT_INVALID", LIGHT, lambda d: light(d).update(range=0)),
    ("LIGHT_INVALID", LIGHT, lambda d: light(d)["spot"].update(innerConeAngle=0.5)),
    ("CAMERA_INVALID", "/cameras/0", lambda d: d.json["cameras"][0].update(type="fisheye")),
    ("CAMERA_INVALID", "/cameras/0", lambda d: d.json["cameras"][0]["perspective"].update(yfov=0)),
    ("CAMERA_INVALID", "/cameras/0", lambda d: d.json["cameras"][0]["perspective"].update(znear=0)),
    ("CAMERA_INVALID", "/cameras/1", lambda d: d.json["cameras"][1]["orthographic"].update(zfar=0)),
    ("FORMAT_BROKEN", "/cameras/1", lambda d: d.json["cameras"][1]["orthographic"].pop("xmag")),
    ("SOURCE_MARK", "/nodes/1", lambda d: unity(d.json["nodes"][1]).update(path_id=11)),
    ("SOURCE_MARK", "/nodes/1", lambda d: unity(d.json["nodes"][1]).update(path_id="0x11")),
    ("SOURCE_MARK", "/meshes/0", lambda d: d.json["meshes"][0]["extras"].pop("unity")),
    ("SOURCE_MARK", "/meshes/0", lambda d: unity(d.json["meshes"][0]).pop("type")),
    ("SOURCE_MARK", "/materials/0", lambda d: d.json["materials"][0].pop("extras")),
    ("SOURCE_MARK", "/images/0", lambda d: unity(d.json["images"][0]).update(sources=[{}])),
    ("SOURCE_MARK", "/meshes/0/primitives/0", lambda d: unity(primitive(d)).update(submesh="0")),
    ("SOURCE_MARK", "/skins/0", lambda d: unity(d.json["skins"][0]).pop("file")),
]


@pytest.mark.parametrize(("code", "pointer", "damage"), DAMAGES, ids=[f"{n}-{d[0]}" for n, d in enumerate(DAMAGES)])
def test_damage_is_caught(code: str, pointer: str, damage: Callable[[Draft], Any]) -> None:
    draft = rich()
    damage(draft)
    issues = check_structure(parse_glb(draft.glb()))
    found = [item for item in issues if item.code == code and item.pointer.startswith(pointer)]
    assert found, issues
    assert found[0].severity is CODES[code][0] and found[0].message


@pytest.mark.parametrize("changes", [{}, {"levels": 1}, {"model": 166, "scheme": 0}, {"model": 166, "scheme": 2}])
def test_ktx2_images_that_are_right(changes: dict[str, int]) -> None:
    draft = rich()
    as_ktx2(draft, **changes)
    assert check_structure(parse_glb(draft.glb())) == []


def test_every_code_has_its_damage() -> None:
    assert {code for code, _, _ in (*DAMAGES, *test_humans.DAMAGES)} == CODES.keys()


def test_overlapping_sparse_indices_are_caught() -> None:
    binary = struct.pack("<2H6f", 1, 1, *range(6))
    views = [{"buffer": 0, "byteLength": 4}, {"buffer": 0, "byteOffset": 4, "byteLength": 24}]
    item = {"count": 2, "indices": {"bufferView": 0, "componentType": 5123}, "values": {"bufferView": 1}}
    document = {
        "asset": {"version": "2.0"},
        "buffers": [{"byteLength": len(binary)}],
        "bufferViews": views,
        "accessors": [{"componentType": 5126, "type": "VEC3", "count": 4, "sparse": item}],
    }
    found = [(item.code, item.pointer) for item in check_structure(parse_glb(pack(document, binary)))]
    assert found == [("FORMAT_BROKEN", "/accessors/0/sparse/indices")]


def test_files_of_other_makers_need_not_keep_our_promises() -> None:
    draft = rich()
    draft.json["meshes"][0]["extras"].pop("unity")
    draft.json["nodes"][4]["translation"] = [0, 0, 1]
    assert check_structure(parse_glb(draft.glb()), contract=False) == []


def test_an_image_of_several_sources() -> None:
    draft = rich()
    draft.json["images"][0]["extras"]["unity"] = {"sources": [source(n, "Texture2D").mark() for n in (30, -31)]}
    assert check_structure(parse_glb(draft.glb())) == []


def test_bounds_of_normalised_integers_are_of_the_stored_numbers() -> None:
    draft = rich()
    draft.bounds.add(primitive(draft)["attributes"]["COLOR_0"])
    assert check_structure(parse_glb(draft.glb())) == []


def test_extensions_in_extras_do_not_count() -> None:
    draft = rich()
    draft.json["extras"] = {"extensions": {"SOME_thing": {}}}
    assert check_structure(parse_glb(draft.glb())) == []
