"""What is written of a surface, what is unlit, and what MATERIAL_PARTS_LEFT says of the rest."""

from __future__ import annotations

import math
from typing import Any

import pytest

from tests.builders.surfaces import EMPTY_SLOT, raw_material, slot
from unity2gltf import codes
from unity2gltf.diagnostics import Diagnostics
from unity2gltf.ir import Material, Specular
from unity2gltf.normalize.materials.convert import convert_material
from unity2gltf.normalize.materials.rules import parse_rules
from unity2gltf.raw import RawMaterial
from unity2gltf.source import Missing

NAN, INF = math.nan, math.inf
URP = "Universal Render Pipeline/"
RED, BLACK = (1.0, 0.0, 0.0, 1.0), (0.0, 0.0, 0.0, 1.0)


def convert(raw: RawMaterial) -> tuple[Material, Diagnostics]:
    diagnostics = Diagnostics()
    return convert_material(raw, lambda _: 0, diagnostics), diagnostics


def left(raw: RawMaterial) -> dict[str, Any] | None:
    """The data of the material's one diagnostic of parts left, None without one."""
    found = [item.data for item in convert(raw)[1].items if item.code is codes.MATERIAL_PARTS_LEFT]
    assert len(found) <= 1
    return found[0] if found else None


def left_slots(raw: RawMaterial) -> list[str]:
    return [item["slot"] for item in (left(raw) or {"slots": []})["slots"]]


# --- unlit ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("shader", "expected"),
    [
        ("Unlit/Texture", True),
        ("Unlit/Color", True),
        ("Unlit/Transparent Cutout", True),
        ("Unlit/Transparent Colored", True),
        ("Mobile/Unlit (Supports Lightmap)", True),
        ("Universal Render Pipeline/Unlit", True),
        ("HDRP/Unlit", True),
        ("Sprites/Default", True),
        ("Sprites/Diffuse", False),
        ("UI/Default", True),
        ("UI/Lit/Bumped", False),
        ("Universal Render Pipeline/2D/Sprite-Lit-Default", False),
        ("Universal Render Pipeline/2D/Sprite-Unlit-Default", True),
        ("Spine/Skeleton", True),
        ("Spine/Sprite/Pixel Lit", False),
        ("TextMeshPro/Distance Field", True),
        ("TextMeshPro/Distance Field (Surface)", False),
        ("GUI/Text Shader", True),
        ("Particles/Additive", True),
        ("Mobile/Particles/Alpha Blended", True),
        ("Particles/VertexLit Blended", False),
        ("Particles/Standard Unlit", True),
        ("Particles/Standard Surface", False),
        ("Universal Render Pipeline/Particles/Unlit", True),
        ("Universal Render Pipeline/Particles/Simple Lit", False),
        ("ProBuilder/UnlitVertexColor", True),
        ("Transparent/Cutout/Soft Edge Unlit", True),
        ("VRM/UnlitTexture", True),
        ("VRM/MToon", False),
        ("Standard", False),
        ("Universal Render Pipeline/Lit", False),
        ("Universal Render Pipeline/Baked Lit", False),
        ("HDRP/Lit", False),
        ("Legacy Shaders/Diffuse", False),
        ("Studio/Unlit Glow", True),
        ("Studio/Stone", False),
        (None, False),
    ],
)
def test_unlit_by_family_and_name(shader: str | None, expected: bool) -> None:
    assert convert(raw_material(shader))[0].unlit is expected


@pytest.mark.parametrize(("shader", "expected"), [(None, True), ("Shader Graphs/Rock", False)])
def test_properties_of_an_unlit_family_do_not_overrule_a_name(shader: str | None, expected: bool) -> None:
    raw = raw_material(shader, textures={"_BaseMap": slot()}, floats={"_Surface": 0}, colors={"_BaseColor": RED})
    material, diagnostics = convert(raw)
    assert diagnostics.items[0].data["family"] == "URP Unlit"
    assert material.unlit is expected


# --- specular colours ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("red", [1e-35, 1e-25, 1e-12, 0.0])
def test_a_specular_colour_that_nobody_sees_reflects_nothing(red: float) -> None:
    material, diagnostics = convert(
        raw_material("Standard (Specular setup)", colors={"_SpecColor": (red, 0.0, 0.0, 1.0)})
    )
    assert material.specular == Specular(factor=0.0)
    assert diagnostics.items == []


def test_a_specular_colour_that_is_not_stored_is_unitys_default() -> None:
    """_SpecColor ("Specular", Color) = (0.2, 0.2, 0.2): 0.0331 linear."""
    material, _ = convert(raw_material("Standard (Specular setup)"))
    assert material.ior is not None and ((material.ior - 1) / (material.ior + 1)) ** 2 == pytest.approx(
        0.0331, abs=1e-4
    )


# --- metallic and roughness -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("shader", "keywords", "floats", "expected"),
    [
        ("Standard", "", {}, (0.0, 0.5)),  # the shader's own defaults
        ("Standard", "", {"_Metallic": 1, "_Glossiness": 0.75}, (1.0, 0.25)),
        ("Standard", "", {"_Metallic": 0.5, "_Smoothness": 1}, (pytest.approx(0.21404114), 0.5)),
        ("Autodesk Interactive", "", {"_Metallic": 1, "_Glossiness": 0.75}, (1.0, 0.75)),  # holds a roughness
        ("Standard (Specular setup)", "", {"_Metallic": 1, "_Glossiness": 0.75}, (0.0, 0.25)),
        (URP + "Lit", "", {"_Metallic": 0.5, "_Smoothness": 0.75, "_Glossiness": 0}, (0.5, 0.25)),
        (URP + "Lit", "_SPECULAR_SETUP", {"_Metallic": 1, "_Smoothness": 0.75}, (0.0, 0.25)),
        (URP + "Simple Lit", "", {"_Metallic": 1, "_Smoothness": 0.75}, (0.0, 1.0)),
        (URP + "Unlit", "", {"_Metallic": 1, "_Smoothness": 0.75}, (0.0, 1.0)),
        ("Studio/Stone", "", {"_Metallic": 1, "_Smoothness": 0.75}, (1.0, 0.25)),
        ("Studio/Stone", "", {"_Metallic": 0.5, "_Roughness": 0.75}, (pytest.approx(0.21404114), 0.75)),
        ("Studio/Stone", "", {}, (0.0, 1.0)),
    ],
)
def test_metallic_and_roughness(
    shader: str, keywords: str, floats: dict[str, float], expected: tuple[float, float]
) -> None:
    material, _ = convert(raw_material(shader, keywords=keywords, floats=floats))
    assert (material.metallic, material.roughness) == expected


@pytest.mark.parametrize(
    ("stored", "roughness", "told"), [(NAN, 0.5, None), (INF, 0.0, None), (-1.0, 1.0, -1.0), (1.5, 0.0, 1.5)]
)
def test_smoothness_out_of_range_is_cut_and_reported(stored: float, roughness: float, told: float | None) -> None:
    material, diagnostics = convert(raw_material("Standard", floats={"_Glossiness": stored}))
    assert material.roughness == roughness
    (item,) = diagnostics.items
    assert item.code is codes.MATERIAL_VALUE_FIXED
    assert item.data == {"property": "_Glossiness", "stored": told}


# --- what is left ---------------------------------------------------------------------------------------------------


def test_every_part_left_of_a_material_is_in_one_diagnostic() -> None:
    raw = raw_material(
        "Standard",
        keywords="_NORMALMAP _METALLICGLOSSMAP _EMISSION",
        textures={
            "_MainTex": slot(),
            "_OcclusionMap": slot(),
            "_BumpMap": slot(),
            "_MetallicGlossMap": slot(),
            "_EmissionMap": slot(),
            "_DetailMask": EMPTY_SLOT,
            "_DetailAlbedoMap": slot(of=Missing("sharedassets1", 5, "no such object")),
            "_ParallaxMap": slot(),
            "_SpecGlossMap": slot(),  # of another shader
        },
        colors={"_EmissionColor": RED},
    )
    (item,) = convert(raw)[1].items
    assert item.code is codes.MATERIAL_PARTS_LEFT
    assert item.data == {
        "slots": [{"slot": "_DetailAlbedoMap", "texture": "sharedassets1"}, {"slot": "_ParallaxMap", "texture": "7"}],
        "numbers": {},
    }
    assert "_DetailAlbedoMap, _ParallaxMap" in item.message


def test_numbers_that_a_row_lists_are_reported_with_their_values() -> None:
    (row,) = parse_rules('family = [{shaders = "Studio/.*", numbers = ["_Snow", "_Rust", "_Wet"]}]')
    diagnostics = Diagnostics()
    raw = raw_material("Studio/Rock", floats={"_Wet": 0.5, "_Snow": INF, "_Rust": 0.0})
    convert_material(raw, lambda _: 0, diagnostics, rules=(row,))
    (item,) = diagnostics.items
    assert item.data == {"slots": [], "numbers": {"_Snow": None, "_Wet": 0.5}}


@pytest.mark.parametrize(
    ("shader", "keywords", "floats", "expected"),
    [
        ("lilToon", "", {"_UseOutline": 1}, ("lilToon", 1.0)),
        ("lilToon", "", {}, ("lilToon", 0.0)),
        ("Mobile/Bumped Specular", "", {}, ("mobile bumped specular", 0.0)),
        (URP + "Simple Lit", "_SPECULAR_COLOR", {}, ("URP Simple Lit", 0.0)),
        (URP + "Simple Lit", "", {}, None),  # it draws no highlight then
        ("Standard", "", {"_OutlineWidth": 1}, None),
        ("VRM/MToon", "", {"_OutlineWidth": NAN}, ("MToon", 0.0)),
    ],
)
def test_styles_of_lighting_are_reported(
    shader: str, keywords: str, floats: dict[str, float], expected: tuple[str, float] | None
) -> None:
    items = convert(raw_material(shader, keywords=keywords, floats=floats))[1].items
    found = [item.data for item in items if item.code is codes.MATERIAL_STYLE]
    assert found == ([{"family": expected[0], "outline": expected[1]}] if expected else [])


@pytest.mark.parametrize(
    ("shader", "keywords", "names", "expected"),
    [
        ("Standard", "", "_MainTex _BaseMap _MaskMap _Cube", []),
        ("Standard", "", "_MainTex _EmissionMap", []),  # not read without its keyword
        ("Standard", "", "_MainTex _BumpMap _DetailNormalMap", ["_DetailNormalMap"]),
        (URP + "Lit", "", "_BaseMap _MainTex _BumpMap _MaskMap", []),
        (URP + "Lit", "", "_BaseMap _ParallaxMap _DetailMask", ["_DetailMask", "_ParallaxMap"]),
        (URP + "Unlit", "", "_BaseMap _BumpMap", []),
        ("HDRP/Lit", "", "_BaseColorMap _MainTex _MaskMap _NormalMap", ["_MaskMap", "_NormalMap"]),
        ("HDRP/Lit", "", "_BaseColorMap _ThicknessMap", ["_ThicknessMap"]),
        ("Unlit/Texture", "", "_MainTex _BumpMap", []),
        ("Unlit/Color", "", "_MainTex", []),
        ("Mobile/Diffuse", "", "_MainTex _BumpMap", []),
        ("Mobile/Bumped Diffuse", "", "_MainTex _BumpMap _SpecGlossMap", []),
        ("Legacy Shaders/Diffuse", "", "_MainTex _BumpMap", []),
        ("Legacy Shaders/Bumped Diffuse", "", "_MainTex _BumpMap _ParallaxMap", ["_ParallaxMap"]),
        (URP + "Simple Lit", "_SPECGLOSSMAP", "_BaseMap _SpecGlossMap", ["_SpecGlossMap"]),
        (URP + "Simple Lit", "", "_BaseMap _SpecGlossMap", []),
        ("lilToon", "", "_MainTex _EmissionMap", []),  # not read without its number
        ("lilToon", "", "_MainTex _ShadowColorTex", ["_ShadowColorTex"]),
        ("Studio/Stone", "", "_MainTex _EmissionMap _Weird", ["_EmissionMap", "_Weird"]),
        ("Studio/Stone", "", "_BaseMap _MainTex", []),  # the same texture twice: nothing is lost
    ],
)
def test_slots_that_the_shader_may_read(shader: str, keywords: str, names: str, expected: list[str]) -> None:
    raw = raw_material(shader, keywords=keywords, textures={name: slot() for name in names.split()})
    assert left_slots(raw) == expected


def test_a_family_told_by_properties_may_read_every_slot() -> None:
    raw = raw_material(
        "Studio/StandardPlus",
        textures={"_MainTex": slot(), "_Dirt": slot()},
        colors={"_Color": RED},
        floats={"_Glossiness": 0.5, "_Metallic": 0.0},
    )
    assert left_slots(raw) == ["_Dirt"]


def test_another_tiling_of_the_base_texture_counts() -> None:
    raw = raw_material("Studio/Stone", textures={"_BaseMap": slot(), "_MainTex": slot((2.0, 2.0))})
    assert left_slots(raw) == ["_MainTex"]


def test_a_map_of_a_black_emission_is_not_missed() -> None:
    raw = raw_material(
        "HDRP/Lit",
        keywords="_EMISSIVE_COLOR_MAP",
        textures={"_BaseColorMap": slot(), "_EmissiveColorMap": slot()},
        colors={"_EmissiveColor": BLACK},
    )
    assert left_slots(raw) == []


def test_smoothness_alone_is_not_reported() -> None:
    assert left(raw_material("HDRP/Lit", floats={"_Smoothness": 0.9})) is None


@pytest.mark.parametrize(("highest", "expected"), [(0.25, {"_AORemapMax": 0.25}), (1.0, None)])
def test_occlusion_that_is_a_number_is_reported(highest: float, expected: dict[str, float] | None) -> None:
    """A mask map that is switched on and not set is white; glTF has occlusion in textures alone."""
    raw = raw_material(
        "HDRP/Lit", keywords="_MASKMAP", textures={"_MaskMap": EMPTY_SLOT}, floats={"_AORemapMax": highest}
    )
    assert left(raw) == (None if expected is None else {"slots": [], "numbers": expected})
