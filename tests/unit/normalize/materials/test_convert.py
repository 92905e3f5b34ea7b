"""Materials: base colour, texture, sides, vertex colours, samplers."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from tests.builders.surfaces import (
    EMPTY_SLOT,
    MATERIAL,
    color_property,
    painted,
    picture,
    raw_material,
    raw_texture,
    slot,
)
from unity2gltf import codes
from unity2gltf.diagnostics import Diagnostics
from unity2gltf.ir import AlphaMode, Material, TextureUse
from unity2gltf.normalize.materials.convert import convert_material
from unity2gltf.normalize.textures.recipes import Color, Recipe
from unity2gltf.normalize.textures.sampler import sampler_of
from unity2gltf.raw import RawMaterial, RawShader
from unity2gltf.source import Missing

NAN, INF = math.nan, math.inf
WHITE = (1.0, 1.0, 1.0, 1.0)
RED, GREEN = (1.0, 0.0, 0.0, 1.0), (0.0, 1.0, 0.0, 1.0)


def _convert(raw: RawMaterial) -> tuple[Material, Diagnostics]:
    diagnostics = Diagnostics()
    return convert_material(raw, lambda _: 3, diagnostics), diagnostics


def _codes(diagnostics: Diagnostics) -> list[str]:
    return [item.code.name for item in diagnostics.items]


def test_standard_material() -> None:
    raw = raw_material(
        "Standard",
        textures={"_MainTex": slot((2.0, 3.0), (0.25, 0.5)), "_BumpMap": EMPTY_SLOT},
        floats={"_Metallic": 1.0, "_Glossiness": 0.25},
        colors={"_Color": (0.5, 0.04, 1.0, 0.5), "_EmissionColor": RED},  # without the keyword it is not read
    )
    material, diagnostics = _convert(raw)
    assert diagnostics.items == []
    assert replace(material, properties={}) == Material(
        name="wall",
        source=MATERIAL,
        base_color=(pytest.approx(0.21404114), pytest.approx(0.04 / 12.92), 1.0, 0.5),
        base_color_texture=TextureUse(texture=3, slot="_MainTex", scale=(2.0, 3.0), offset=(0.25, 0.5)),
        metallic=1.0,
        roughness=0.75,
    )


@pytest.mark.parametrize(
    ("shader", "color"),
    [
        ("Standard", "_Color"),
        ("Standard (Specular setup)", "_Color"),
        ("Legacy Shaders/Diffuse", "_Color"),
        ("Bumped Specular", "_Color"),
        ("Transparent/Cutout/VertexLit", "_Color"),
        ("Unlit/Color", "_Color"),
        ("Universal Render Pipeline/Lit", "_BaseColor"),
        ("Universal Render Pipeline/Simple Lit", "_BaseColor"),
        ("Universal Render Pipeline/Complex Lit", "_BaseColor"),
        ("Universal Render Pipeline/Baked Lit", "_BaseColor"),
        ("Universal Render Pipeline/Unlit", "_BaseColor"),
        ("Universal Render Pipeline/Particles/Unlit", "_BaseColor"),
        ("Lightweight Render Pipeline/Lit", "_BaseColor"),
        ("HDRP/Lit", "_BaseColor"),
        ("HDRP/Unlit", "_UnlitColor"),
        ("Sprites/Default", "_Color"),
        ("UI/Default", "_Color"),
        ("TextMeshPro/Distance Field", "_FaceColor"),
        ("Nature/Tree Creator Bark", "_Color"),
        ("lilToon", "_Color"),
        ("Hidden/lilToonCutout", "_Color"),
        (".poiyomi/Toon", "_Color"),
        ("VRM/MToon", "_Color"),
        ("UnityChanToonShader/Toon_DoubleShadeWithFeather", "_BaseColor"),
    ],
)
def test_base_colour_property_of_each_family(shader: str, color: str) -> None:
    left_over = {"_Color", "_BaseColor", "_TintColor", "_UnlitColor", "_FaceColor"} - {color}
    if color == "_Color":
        left_over.discard("_BaseColor")  # toon rows read either
    specular = {"_SpecColor": (0.22, 0.22, 0.22, 1.0)}  # glTF's own, which is not reported
    raw = raw_material(shader, colors={color: RED, **dict.fromkeys(sorted(left_over), GREEN), **specular})
    material, diagnostics = _convert(raw)
    assert material.base_color == RED
    assert set(_codes(diagnostics)) <= {"MATERIAL_STYLE"}


@pytest.mark.parametrize("shader", ["Unlit/Texture", "Mobile/Diffuse", "Mobile/Particles/Additive"])
def test_a_colour_left_over_from_another_shader_does_not_tint(shader: str) -> None:
    material, _ = _convert(raw_material(shader, colors={"_Color": RED, "_TintColor": RED}))
    assert material.base_color == WHITE


def test_a_particle_tint_of_one_half_is_neutral() -> None:
    raw = raw_material("Legacy Shaders/Particles/Alpha Blended", colors={"_TintColor": (0.5, 0.25, 0.5, 0.25)})
    material, diagnostics = _convert(raw)
    assert material.base_color == (1.0, pytest.approx(0.21404114), 1.0, 0.5)
    assert diagnostics.items == []


@pytest.mark.parametrize(
    ("shader", "name"),
    [
        ("Standard", "_MainTex"),
        ("Universal Render Pipeline/Lit", "_BaseMap"),
        ("HDRP/Lit", "_BaseColorMap"),
        ("HDRP/Unlit", "_UnlitColorMap"),
    ],
)
def test_main_texture_property_of_each_family(shader: str, name: str) -> None:
    maps = {
        other: picture(number, [(number, 0, 0)])
        for number, other in enumerate(("_BumpMap", "_MainTex", "_BaseMap", "_BaseColorMap", "_UnlitColorMap"))
    }
    slots = {other: slot((float(number + 2), 1.0), of=maps[other]) for number, other in enumerate(maps)}
    use = painted(raw_material(shader, textures=slots), *maps.values()).material.base_color_texture
    assert painted(raw_material(shader, textures=slots)).recipes[0] == Color(maps[name].source)
    assert use is not None
    assert (use.slot, use.scale) == (name, slots[name].scale)


def test_a_texture_left_over_from_another_shader_is_not_drawn() -> None:
    raw = raw_material("Universal Render Pipeline/Lit", textures={"_BaseMap": EMPTY_SLOT, "_MainTex": slot()})
    assert _convert(raw)[0].base_color_texture is None


def test_without_textures_the_colours_stay() -> None:
    missing = Missing("sharedassets1", 5, "file not found")
    asked: list[Recipe] = []
    raw = raw_material("Standard", textures={"_MainTex": slot(of=missing)}, colors={"_Color": RED})
    material = convert_material(raw, lambda recipe: asked.append(recipe), Diagnostics())
    assert asked == [Color(missing)]
    assert (material.base_color, material.base_color_texture) == (RED, None)


def test_unknown_shader_is_guessed_and_reported() -> None:
    raw = raw_material(
        "Studio/Weird Metal",
        textures={"_NormalMap": slot(), "_StoneAlbedo": slot((2.0, 2.0)), "_Ramp": slot(), "_Other": EMPTY_SLOT},
        colors={"_BaseColor": RED, "_Glow": GREEN},
    )
    material, diagnostics = _convert(raw)
    item, parts = diagnostics.items
    assert parts.code is codes.MATERIAL_PARTS_LEFT
    assert parts.data["slots"] == [{"slot": "_Ramp", "texture": "7"}]
    assert item.code is codes.MATERIAL_SHADER_GUESSED
    assert item.data == {
        "shader": "Studio/Weird Metal",
        "textures": ["_NormalMap", "_Ramp", "_StoneAlbedo"],
        "colors": ["_BaseColor", "_Glow"],
    }
    assert "_StoneAlbedo, _BaseColor, _NormalMap" in item.message
    assert material.base_color == RED
    assert material.base_color_texture == TextureUse(texture=3, slot="_StoneAlbedo", scale=(2.0, 2.0))
    assert material.normal_texture == TextureUse(texture=3, slot="_StoneAlbedo", scale=(2.0, 2.0))


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["_texture"], True),
        (["_Sample_4ce7_Texture", "_BumpMap"], True),
        (["_First", "_Second"], False),  # nothing tells which
        (["_DetailNormal"], False),
    ],
)
def test_the_only_texture_left_of_an_unknown_shader_is_its_main_one(names: list[str], expected: bool) -> None:
    material, _ = _convert(raw_material("Studio/Weird", textures={name: slot() for name in names}))
    assert (material.base_color_texture is not None) is expected


@pytest.mark.parametrize("shader", [None, "Studio/StandardPlus"])
def test_properties_tell_the_family_of_an_unread_shader(shader: str | None) -> None:
    raw = raw_material(
        shader,
        textures={"_MainTex": slot()},
        colors={"_Color": RED},
        floats={"_Glossiness": 0.5, "_Metallic": 0.0, "_Mode": 1.0, "_Cutoff": 0.25},
    )
    material, diagnostics = _convert(raw)
    (item,) = diagnostics.items
    assert item.code is codes.MATERIAL_SHADER_BY_PROPERTIES
    assert item.data == {"shader": shader, "family": "Standard"}
    assert (material.alpha_mode, material.alpha_cutoff) == (AlphaMode.MASK, 0.25)


def test_properties_of_urp_win_over_those_it_keeps_for_compatibility() -> None:
    raw = raw_material(
        None,
        textures={"_MainTex": slot(), "_BaseMap": slot()},
        colors={"_Color": GREEN, "_BaseColor": RED},
        floats={"_Glossiness": 0, "_Metallic": 0, "_Smoothness": 0.5, "_Cull": 0},
    )
    material, diagnostics = _convert(raw)
    assert diagnostics.items[0].data["family"] == "URP Lit"
    assert material.base_color == RED
    assert material.double_sided


def test_numbers_left_by_hdrp_do_not_hide_the_texture_of_urp() -> None:
    raw = raw_material(
        None,
        textures={"_MainTex": slot(), "_BaseMap": slot((2.0, 2.0))},
        colors={"_Color": GREEN, "_BaseColor": RED},
        floats={"_SurfaceType": 0, "_DoubleSidedEnable": 1, "_Metallic": 0, "_Smoothness": 0.5, "_Cull": 2},
    )
    material, diagnostics = _convert(raw)
    assert diagnostics.items[0].data["family"] == "URP Lit"
    assert material.base_color_texture is not None
    assert material.base_color_texture.scale == (2.0, 2.0)
    assert not material.double_sided


def test_an_unread_shader_without_the_slot_of_any_family_is_guessed() -> None:
    raw = raw_material(
        None,
        textures={"_Albedo": slot()},
        colors={"_BaseColor": RED},
        floats={"_SurfaceType": 0, "_DoubleSidedEnable": 0, "_Metallic": 0},
    )
    material, diagnostics = _convert(raw)
    assert diagnostics.items[0].code is codes.MATERIAL_SHADER_GUESSED
    assert material.base_color == RED
    assert material.base_color_texture is not None


@pytest.mark.parametrize(
    ("stored", "expected"),
    [
        ((4.0, 0.0, 1.0, 1.0), (1.0, 0.0, 1.0, 1.0)),
        ((-1.0, 0.0, 0.0, 2.0), (0.0, 0.0, 0.0, 1.0)),
        ((NAN, 0.0, INF, -INF), (1.0, 0.0, 1.0, 0.0)),
    ],
)
def test_colours_out_of_range_are_cut_and_reported(stored: tuple[float, ...], expected: tuple[float, ...]) -> None:
    material, diagnostics = _convert(raw_material("Standard", colors={"_Color": stored}))  # type: ignore[dict-item]
    assert material.base_color == expected
    (item,) = diagnostics.items
    assert item.code is codes.MATERIAL_VALUE_FIXED
    assert item.data["stored"] == [x if math.isfinite(x) else None for x in stored]


def test_a_colour_above_one_by_rounding_is_one() -> None:
    material, diagnostics = _convert(raw_material("Standard", colors={"_Color": (1.0000001, 1, 1, 1)}))
    assert (material.base_color, diagnostics.items) == (WHITE, [])


def test_tiling_and_cutoff_that_are_not_finite() -> None:
    raw = raw_material("Standard", textures={"_MainTex": slot((NAN, 1.0), (0.0, INF))}, floats={"_Cutoff": NAN})
    material, diagnostics = _convert(raw)
    assert material.base_color_texture == TextureUse(texture=3, slot="_MainTex")
    assert material.alpha_cutoff == 0.5
    assert _codes(diagnostics) == ["MATERIAL_VALUE_FIXED"] * 3


@pytest.mark.parametrize(
    ("shader", "floats", "expected"),
    [
        ("Standard", {}, False),
        ("Standard", {"_Cull": 0}, False),  # left over: Standard has no such property
        ("Universal Render Pipeline/Lit", {"_Cull": 0}, True),
        ("Universal Render Pipeline/Lit", {"_Cull": 2}, False),
        ("HDRP/Lit", {"_DoubleSidedEnable": 1, "_CullMode": 2}, True),
        ("HDRP/Lit", {"_DoubleSidedEnable": 0, "_CullMode": 0}, False),
        ("VRM/MToon", {"_CullMode": 0}, True),
        ("Sprites/Default", {}, True),
        ("Particles/Additive", {}, True),
        ("Nature/Tree Creator Leaves Fast", {}, True),
        ("Nature/Tree Creator Bark", {}, False),
        ("DoubleSided/Standard/Standard DS", {}, True),
        ("StandardCullOFF", {}, True),
        ("Studio/Cloth", {"_Cull": 0}, True),
        ("Studio/Cloth", {"_Cull": NAN}, False),
    ],
)
def test_sides(shader: str, floats: dict[str, float], expected: bool) -> None:
    assert _convert(raw_material(shader, floats=floats))[0].double_sided is expected


def test_drawing_back_faces_only_is_reported() -> None:
    material, diagnostics = _convert(raw_material("Universal Render Pipeline/Unlit", floats={"_Cull": 1}))
    assert material.double_sided
    assert _codes(diagnostics) == ["MATERIAL_CULLING"]


@pytest.mark.parametrize(
    ("shader", "expected"),
    [
        ("Standard", False),
        ("Universal Render Pipeline/Lit", False),
        ("HDRP/Lit", False),
        ("Legacy Shaders/VertexLit", False),  # has no ColorMaterial: the vertex colour is not read
        ("Mobile/Diffuse", False),
        ("Particles/Standard Unlit", True),
        ("Mobile/Particles/Alpha Blended", True),
        ("Particles/VertexLit Blended", True),
        ("Universal Render Pipeline/Particles/Lit", True),
        ("Sprites/Diffuse", True),
        ("UI/Default", True),
        ("GUI/Text Shader", True),
        ("ProBuilder/Standard Vertex Color", True),
        ("Studio/VertexColour Lambert", True),
        ("Studio/Lambert", False),
        (None, False),
    ],
)
def test_vertex_colours(shader: str | None, expected: bool) -> None:
    assert _convert(raw_material(shader))[0].vertex_colors is expected


@pytest.mark.parametrize(
    ("filter_", "mips", "wrap", "expected"),
    [
        (0, 1, (0, 1), ((10497, 33071), 9728, 9728)),
        (0, 5, (2, 3), ((33648, 33648), 9728, 9984)),
        (1, 1, (0, 0), ((10497, 10497), 9729, 9729)),
        (1, 5, (0, 0), ((10497, 10497), 9729, 9985)),
        (2, 5, (1, 1), ((33071, 33071), 9729, 9987)),
        (-7, 1, (99, -1), ((10497, 10497), 9729, 9729)),
    ],
)
def test_samplers(filter_: int, mips: int, wrap: tuple[int, int], expected: tuple[object, ...]) -> None:
    raw = raw_texture(4, 1, 1, bytes(4), filter=filter_, mip_count=mips, wrap=wrap)
    assert sampler_of(raw) == expected


# --- colours that are not stored, and marked ones -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("shader", "keywords"),
    [
        ("HDRP/Lit", ""),
        ("Legacy Shaders/VertexLit", ""),
        ("glTF/PbrMetallicRoughness", ""),
        ("VRM/MToon", ""),
        ("Toon/Lit", ""),
        ("Standard", "_EMISSION"),
        ("Universal Render Pipeline/Lit", "_EMISSION"),
    ],
)
def test_no_stored_emission_is_no_emission(shader: str, keywords: str) -> None:
    assert painted(raw_material(shader, keywords=keywords)).material.emissive == (0.0, 0.0, 0.0)


@pytest.mark.parametrize(("flags", "gamma", "expected"), [(16, False, 0.5), (0, False, 0.21404), (16, True, 0.21404)])
def test_the_hdr_mark_of_a_base_colour(flags: int, gamma: bool, expected: float) -> None:
    program = RawShader(name="Studio/Glow", properties={"_Color": color_property(flags=flags)})
    raw = raw_material("Studio/Glow", colors={"_Color": (0.5, 0.5, 0.5, 1.0)}, program=program)
    material = painted(raw, gamma_project=gamma).material
    assert material.base_color == (pytest.approx(expected, abs=1e-5),) * 3 + (1.0,)
    assert material.properties["_Color"].gamma is (expected < 0.5)
