"""Materials of any content: whatever a property holds, the written numbers are ones that glTF allows."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from tests.builders.assets import asset, one_mesh, quad_geometry
from tests.builders.surfaces import (
    EMPTY_SLOT,
    Painted,
    color_property,
    drawing,
    number_property,
    painted,
    picture,
    raw_material,
    slot,
    texture_property,
)
from unity2gltf.diagnostics import Diagnostics
from unity2gltf.emit.document import build_document, glb_bytes
from unity2gltf.ir import Mesh, Primitive, Space, Texture
from unity2gltf.normalize.materials.columns import Family
from unity2gltf.normalize.materials.families import FAMILIES
from unity2gltf.normalize.materials.layers import LAYERS
from unity2gltf.normalize.space import to_gltf
from unity2gltf.raw import RawMaterial, RawShader, RawTexture, RawTextureSlot
from unity2gltf.source import Missing
from unity2gltf.validate.khronos import Unavailable, find_khronos, run_khronos

NAN, INF = math.nan, math.inf
LARGEST, SMALLEST = 3.4028234663852886e38, 1e-45  # of 32 bits, which is what files hold
VALUES = (NAN, INF, -INF, -1.0, -LARGEST, LARGEST, SMALLEST, 0.0, 0.5, 2.0)
BUMP, GREY, BROKEN = picture(1, [(128, 128, 255)] * 2), picture(2, [(90, 90, 90, 90)]), picture(3, [(1, 2, 3)])
BROKEN = replace(BROKEN, format=9999)
LOST = Missing("lost.assets", 5, "file not found")

LAYER_NUMBERS = (
    *("_Anisotropy", "_IridescenceMask", "_IridescenceThickness", "_RefractionModel", "_Thickness", "_ATDistance"),
    *("_Ior", "_SurfaceType", "sheenRoughnessFactor", "transmissionFactor", "attenuationDistance", "ior"),
    *("thicknessFactor", "iridescenceFactor", "iridescenceThicknessMinimum", "iridescenceThicknessMaximum"),
    *("iridescenceIor", "anisotropyStrength", "anisotropyRotation"),
)
LAYER_COLORS = ("_TransmittanceColor", "sheenColorFactor", "attenuationColor")
FEATURES = (
    "_MATERIAL_FEATURE_ANISOTROPY _MATERIAL_FEATURE_IRIDESCENCE _MATERIAL_FEATURE_CLEAR_COAT"
    " _MATERIAL_FEATURE_SPECULAR_COLOR _SURFACE_TYPE_TRANSPARENT"
)


def words(record: Any) -> Iterator[str]:
    """Every text in a row and its sources."""
    if isinstance(record, str):
        yield record
    elif isinstance(record, tuple | frozenset):
        for item in record:
            yield from words(item)
    elif is_dataclass(record):
        for field in fields(record):
            yield from words(getattr(record, field.name))


def names_of(family: Family) -> list[str]:
    """The properties and keywords that a row names."""
    return sorted({word for word in words(family) if word.isidentifier() and len(word) > 3})


def filled(
    family: Family,
    value: float,
    texture: RawTexture | Missing | None,
    tiling: float = 1.0,
    channel: float | None = None,
) -> RawMaterial:
    """A material with ``value`` in every number of a row, ``channel`` (or the same) in every colour, ``texture`` in
    every slot, and every switch on (by keyword, so that the numbers may be anything)."""
    channel = value if channel is None else channel
    names = names_of(family)
    set_ = EMPTY_SLOT if texture is None else slot((tiling, 1.0), (0.0, tiling), of=texture)
    numbers = [*names, *LAYER_NUMBERS]
    return raw_material(
        "X",
        keywords=" ".join([*names, FEATURES]),
        textures=dict.fromkeys(names, set_),
        floats=dict.fromkeys(numbers, value),
        colors=dict.fromkeys((*names, *LAYER_COLORS), (channel, 0.5, channel, channel)),
    )


def paint(family: Family, raw: RawMaterial) -> Painted:
    return painted(raw, BUMP, GREY, BROKEN, rules=(replace(family, shaders="X"),))


def document(result: Painted) -> dict[str, Any]:
    """The written file's JSON, which holds no NaN."""
    return json.loads(json.dumps(built(result).json, allow_nan=False))


def built(result: Painted) -> Any:
    quad = one_mesh(
        quad_geometry(colors=None),
        materials=(result.material,),
        textures=tuple(
            Texture(image=n, wrap=(10497, 10497), mag_filter=9729, min_filter=9729) for n in range(len(result.images))
        ),
        images=tuple(result.images),
        space=Space.UNITY,
    )
    quad = replace(quad, meshes=(Mesh(geometry=0, primitives=(Primitive(submesh=0, material=0),)),))
    return build_document(to_gltf(quad, 0, Diagnostics()), Diagnostics())


# --- the ranges of glTF 2.0, 5.19, and of the extensions' schemas -----------------------------------------------------

FREE = (-math.inf, math.inf)
POSITIVE = (0.0, math.inf)
RANGES = {
    "normalTexture.scale": FREE,
    "clearcoatNormalTexture.scale": FREE,
    "scale": FREE,
    "offset": FREE,
    "alphaCutoff": POSITIVE,
    "emissiveStrength": POSITIVE,
    "ior": (1.0, math.inf),
    "specularColorFactor": POSITIVE,
    "thicknessFactor": POSITIVE,
    "attenuationDistance": (math.ulp(0.0), math.inf),
    "anisotropyRotation": FREE,
    "iridescenceIor": (1.0, math.inf),
    "iridescenceThicknessMinimum": POSITIVE,
    "iridescenceThicknessMaximum": POSITIVE,
}
"""What may be beyond 0..1."""
INDICES = {"index", "texCoord"}


def out_of_range(value: Any, *path: str) -> Iterator[tuple[str, float]]:
    """(place, number) of what lies outside."""
    if isinstance(value, dict):
        for name, item in value.items():
            if name not in (*INDICES, "extras", "name", "alphaMode", "doubleSided"):
                yield from out_of_range(item, *path, name)
    elif isinstance(value, list):
        for item in value:
            yield from out_of_range(item, *path)
    else:
        low, high = RANGES.get(".".join(path[-2:]), RANGES.get(path[-1], (0.0, 1.0)))
        if not low <= value <= high:
            yield ".".join(path), value


def assert_allowed(result: Painted) -> None:
    (material,) = document(result)["materials"]
    assert list(out_of_range(material)) == []


def test_the_check_of_ranges_finds_what_it_should() -> None:
    bad = {
        "emissiveFactor": [0.5, -0.1, 2.0],
        "occlusionTexture": {"index": 7, "strength": 1.5},
        "normalTexture": {"index": 7, "scale": -2.0},
        "extensions": {"KHR_materials_ior": {"ior": 0.5}},
    }
    assert [place for place, _ in out_of_range(bad)] == [
        "emissiveFactor",
        "emissiveFactor",
        "occlusionTexture.strength",
        "extensions.KHR_materials_ior.ior",
    ]


@pytest.mark.parametrize("value", VALUES, ids=repr)
@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_any_number_in_every_property(family: Family, value: float) -> None:
    for texture in (None, GREY):
        for number, channel in ((value, value), (value, 1.0), (1.0, value)):
            assert_allowed(paint(family, filled(family, number, texture, channel=channel)))


def test_layers_of_every_kind_are_met() -> None:
    """The list of numbers above is that of the layers' functions."""
    used = {name for family in FAMILIES for name in family.layers}
    assert used == set(LAYERS)


@pytest.mark.parametrize("tiling", [NAN, INF, -INF, LARGEST, -LARGEST, 0.0, SMALLEST], ids=repr)
@pytest.mark.parametrize("name", ["Standard", "HDRP Lit", "glTF", "legacy"])
def test_any_tiling(name: str, tiling: float) -> None:
    (family,) = (family for family in FAMILIES if family.name == name)
    assert_allowed(paint(family, filled(family, 0.5, GREY, tiling)))


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_textures_that_cannot_be_had(family: Family) -> None:
    """References that lead nowhere: one pixel each, and the numbers as they are."""
    result = paint(family, filled(family, 0.5, LOST))
    assert_allowed(result)
    assert all(image.placeholder and (image.width, image.height) == (1, 1) for image in result.images)


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_textures_that_do_not_decode(family: Family) -> None:
    result = paint(family, filled(family, 0.5, BROKEN))
    assert_allowed(result)
    assert all(image.placeholder for image in result.images)
    assert result.codes.count("TEXTURE_FORMAT") == len(result.images)


ROLES = "_MainTex _MetallicGlossMap _OcclusionMap _BumpMap _EmissionMap"
NEUTRAL = {
    "base_color_texture": (255, 255, 255),
    "metallic_roughness_texture": (255, 255, 0),  # rough, and no metal
    "occlusion_texture": (255, 255, 0),
    "normal_texture": (128, 128, 255),
    "emissive_texture": (0, 0, 0),  # dark, not glaring
}


@pytest.mark.parametrize("lost", [LOST, BROKEN], ids=["missing", "broken"])
def test_placeholders_change_nothing_or_least(lost: RawTexture | Missing) -> None:
    raw = raw_material(
        "Standard",
        keywords="_METALLICGLOSSMAP _NORMALMAP _EMISSION",
        textures=dict.fromkeys(ROLES.split(), slot(of=lost)),
        colors={"_EmissionColor": (1.0, 1.0, 1.0, 1.0)},
    )
    result = painted(raw, BROKEN)
    for name, pixel in NEUTRAL.items():
        use = getattr(result.material, name)
        assert result.images[use.texture].placeholder
        assert tuple(result.pixels(use)[0, 0]) == pixel, name


@pytest.mark.parametrize("lost", [LOST, BROKEN], ids=["missing", "broken"])
def test_other_planes_of_a_packed_image_stay_right(lost: RawTexture | Missing) -> None:
    occlusion = picture(9, [(1, 77, 3), (1, 90, 3)], color_space=0)
    raw = raw_material(
        "Standard",
        keywords="_METALLICGLOSSMAP",
        textures={"_MetallicGlossMap": slot(of=lost), "_OcclusionMap": slot(of=occlusion)},
    )
    result = painted(raw, BROKEN, occlusion)
    assert result.pixels(result.material.metallic_roughness_texture).tolist() == [[[77, 255, 0], [90, 255, 0]]]
    assert not result.images[0].placeholder


# --- names and numbers of properties --------------------------------------------------------------------------------

ODD = ["", " ", "_", "\0", "\ud800", "_MainTex\n", "é" * 300, "../..", "_MainTex", "__proto__", "'\"<>&"]


@pytest.mark.parametrize("shader", [None, "", " ", "\0", "(", "[a", "Standard\n", "x" * 10000, "\ud800", "Unlit/" * 50])
def test_odd_names(shader: str | None) -> None:
    raw = raw_material(
        shader,
        keywords=" ".join(ODD),
        textures=dict.fromkeys(ODD, slot(of=GREY)),
        floats=dict.fromkeys(ODD, 0.5),
        colors=dict.fromkeys(ODD, (0.5, 0.5, 0.5, 0.5)),
    )
    assert_allowed(painted(replace(raw, name=""), GREY))


@pytest.mark.parametrize("shader", ["Standard", "Studio/Rock", None])
@pytest.mark.parametrize("declared", [False, True])
def test_ten_thousand_properties(shader: str | None, declared: bool) -> None:
    names = [f"_{'Emission' * (n % 2)}Number{n}" for n in range(10_000)]
    properties = {name: texture_property(label="a map of noise " * 3) for name in names}
    program = RawShader(name=shader, properties=properties, first_pass=drawing()) if declared else None
    raw = raw_material(
        shader,
        textures=dict.fromkeys(names, slot(of=GREY)),
        floats=dict.fromkeys(names, NAN),
        colors=dict.fromkeys(names, (NAN, INF, 0.0, 0.0)),
        program=program,
    )
    began = time.perf_counter()
    result = painted(raw, GREY)
    assert time.perf_counter() - began < 2.0
    assert len(result.images) <= 3
    assert_allowed(result)


@pytest.mark.parametrize("value", VALUES, ids=repr)
@pytest.mark.parametrize("shader", ["Standard", "Studio/Rock", "Studio/Toon"])
def test_any_state_of_the_shaders_object(shader: str, value: float) -> None:
    properties = {
        "_Color": replace(color_property(flags=-1), default=(value,) * 4),
        "_MainTex": replace(texture_property("no such default"), flags=2**31),
        "_Metallic": number_property(value, flags=2**40),
        "_EmissionColor": color_property((value,) * 4, flags=16),
        "_Odd": replace(number_property(value), type=99),
        "": texture_property(""),
    }
    program = RawShader(
        name=shader, properties=properties, first_pass=drawing(cull=value, source=value, destination=value)
    )
    assert_allowed(painted(raw_material(shader, program=program)))
    stated = RawShader(name=None, properties={}, first_pass=drawing(cull="_A", source="", destination="_B"))
    assert_allowed(painted(raw_material(shader, floats={"_A": value, "_B": value, "": value}, program=stated)))


@pytest.mark.parametrize("queue", [-(2**31), -1, 0, 2**31 - 1])
@pytest.mark.parametrize("tag", [None, "", "Transparent\0", "x" * 1000])
def test_any_queue_and_tag(queue: int, tag: str | None) -> None:
    assert_allowed(painted(raw_material("Studio/Rock", queue=queue, tag=tag)))


def test_one_texture_in_every_slot() -> None:
    """A base texture that is its own normal map, mask and glow."""
    for family in FAMILIES:
        result = paint(family, filled(family, 0.5, BUMP))
        assert_allowed(result)
        assert not any(image.placeholder for image in result.images)


def test_slots_with_shared_textures_of_many_tilings() -> None:
    (family,) = (family for family in FAMILIES if family.name == "glTF")
    raw = filled(family, 0.5, GREY)
    textures: dict[str, RawTextureSlot] = {
        name: slot((float(n), 1.0), of=GREY) for n, name in enumerate(sorted(raw.textures))
    }
    assert_allowed(paint(family, replace(raw, textures=textures)))


# --- files ----------------------------------------------------------------------------------------------------------


def test_files_of_hostile_materials_are_valid(tmp_path: Path) -> None:
    """One a family, by the Khronos validator; the run's last step looks at them, too."""
    paths = []
    for number, family in enumerate(FAMILIES):
        for value, texture in ((NAN, GREY), (INF, None), (LARGEST, BROKEN), (-1.0, LOST), (2.0, BUMP), (0.5, GREY)):
            path = tmp_path / f"{number}-{value}.glb"
            path.write_bytes(b"".join(glb_bytes(built(paint(family, filled(family, value, texture))))[0]))
            paths.append(path)
    runner = find_khronos(None)
    if not isinstance(runner, Unavailable):
        for report in run_khronos(paths, runner):
            assert (report.errors, report.warnings, report.messages) == (0, 0, report.messages), report.path


def test_an_asset_without_anything_is_one() -> None:
    assert build_document(asset([], materials=(painted(raw_material(None)).material,)), Diagnostics()).json["materials"]
