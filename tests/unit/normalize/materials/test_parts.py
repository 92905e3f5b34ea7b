"""What is written of a surface, what is unlit, and what MATERIAL_PARTS_LEFT says of the rest."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest

from tests.builders.surfaces import EMPTY_SLOT, raw_material, slot
from unity2gltf import codes
from unity2gltf.diagnostics import Diagnostics
from unity2gltf.ir import Material
from unity2gltf.normalize.materials.convert import convert_material
from unity2gltf.raw import RawMaterial
from unity2gltf.source import Missing

NAN, INF = math.nan, math.inf
URP = "Universal Render Pipeline/"
ALBEDO_ALPHA = "_SMOOTHNESS_TEXTURE_ALBEDO_CHANNEL_A"
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


# --- metallic and roughness -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("shader", "keywords", "floats", "expected"),
    [
        ("Standard", "", {}, (0.0, 0.5)),  # the shader's own defaults
        ("Standard", "", {"_Metallic": 1, "_Glossiness": 0.75}, (1.0, 0.25)),
        ("Standard", "", {"_Metallic": 0.5, "_Smoothness": 1}, (pytest.approx(0.21404114), 0.5)),
        ("Standard", "_METALLICGLOSSMAP", {"_Metallic": 1, "_Glossiness": 0.75}, (0.0, 1.0)),
        ("Standard", ALBEDO_ALPHA, {"_Metallic": 1, "_Glossiness": 0.75}, (1.0, 1.0)),
        ("Autodesk Interactive", "", {"_Metallic": 1, "_Glossiness": 0.75}, (1.0, 0.75)),  # holds a roughness
        ("Autodesk Interactive", "_SPECGLOSSMAP", {"_Metallic": 1, "_Glossiness": 0.75}, (1.0, 1.0)),
        ("Standard (Specular setup)", "", {"_Metallic": 1, "_Glossiness": 0.75}, (0.0, 0.25)),
        (URP + "Lit", "", {"_Metallic": 0.5, "_Smoothness": 0.75, "_Glossiness": 0}, (0.5, 0.25)),
        (URP + "Lit", "_SPECULAR_SETUP", {"_Metallic": 1, "_Smoothness": 0.75}, (0.0, 0.25)),
        (URP + "Lit", "_METALLICSPECGLOSSMAP", {"_Metallic": 1, "_Smoothness": 0.75}, (0.0, 1.0)),
        (URP + "Simple Lit", "", {"_Metallic": 1, "_Smoothness": 0.75}, (0.0, 1.0)),
        (URP + "Unlit", "", {"_Metallic": 1, "_Smoothness": 0.75}, (0.0, 1.0)),
        ("Studio/Stone", "", {"_Metallic": 1, "_Smoothness": 0.75}, (0.0, 1.0)),
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
            "_OcclusionMap": replace(slot(), texture=Missing("sharedassets1", 5, "no such object")),
            "_BumpMap": slot(),
            "_MetallicGlossMap": slot(),
            "_EmissionMap": slot(),
            "_DetailMask": EMPTY_SLOT,
            "_SpecGlossMap": slot(),  # of another shader
        },
        floats={"_Metallic": 0.5, "_Glossiness": 0.25, "_GlossMapScale": 1.0},
        colors={"_EmissionColor": (2.0, 0.5, 0.0, INF)},
    )  # fmt: skip
    material, diagnostics = convert(raw)
    (item,) = diagnostics.items
    assert item.code is codes.MATERIAL_PARTS_LEFT
    assert item.data == {
        "slots": [
            {"slot": "_BumpMap", "texture": "7"},
            {"slot": "_EmissionMap", "texture": "7"},
            {"slot": "_MetallicGlossMap", "texture": "7"},
            {"slot": "_OcclusionMap", "texture": "sharedassets1"},
        ],
        "numbers": {"_EmissionColor": [2.0, 0.5, 0.0, None]},
        "keywords": ["_METALLICGLOSSMAP"],
        "smoothness": {"_Glossiness": 0.25},
    }
    assert (material.metallic, material.roughness) == (0.0, 1.0)


@pytest.mark.parametrize(
    ("shader", "keywords", "names", "expected"),
    [
        ("Standard", "", "_MainTex _BaseMap _MaskMap _Cube", []),
        ("Standard", "", "_MainTex _EmissionMap", []),  # not read without its keyword
        (URP + "Lit", "", "_BaseMap _MainTex _BumpMap _MaskMap", ["_BumpMap"]),
        (URP + "Simple Lit", "", "_BaseMap _MetallicGlossMap _SpecGlossMap", ["_SpecGlossMap"]),
        (URP + "Unlit", "", "_BaseMap _BumpMap", []),
        ("HDRP/Lit", "", "_BaseColorMap _MainTex _MaskMap _NormalMap", ["_MaskMap", "_NormalMap"]),
        ("HDRP/Lit", "", "_BaseColorMap _EmissiveColorMap", []),  # times black
        ("Unlit/Texture", "", "_MainTex _BumpMap", []),
        ("Unlit/Color", "", "_MainTex", []),
        ("Mobile/Diffuse", "", "_MainTex _BumpMap", []),
        ("Mobile/Bumped Diffuse", "", "_MainTex _BumpMap _SpecGlossMap", ["_BumpMap"]),
        ("Legacy Shaders/Diffuse", "", "_MainTex _BumpMap", []),
        ("Legacy Shaders/Bumped Diffuse", "", "_MainTex _BumpMap", ["_BumpMap"]),
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


@pytest.mark.parametrize(
    ("shader", "keywords", "floats", "colors", "expected"),
    [
        ("Standard", "", {}, {"_EmissionColor": RED}, None),
        ("Standard", "_EMISSION", {}, {"_EmissionColor": BLACK}, None),
        ("Standard", "_EMISSION", {}, {"_EmissionColor": (NAN, 0.0, 0.0, 1.0)}, None),
        ("Standard", "_EMISSION", {}, {"_EmissionColor": RED}, {"_EmissionColor": [1.0, 0.0, 0.0, 1.0]}),
        ("HDRP/Lit", "", {}, {"_EmissionColor": RED, "_EmissiveColor": BLACK}, None),
        ("HDRP/Unlit", "", {}, {"_EmissiveColor": RED}, {"_EmissiveColor": [1.0, 0.0, 0.0, 1.0]}),
        ("lilToon", "", {"_UseEmission": 0}, {"_EmissionColor": RED}, None),
        ("lilToon", "", {"_UseEmission": 1}, {"_EmissionColor": RED}, {"_EmissionColor": [1.0, 0.0, 0.0, 1.0]}),
        ("VertexLit", "", {}, {"_Emission": RED}, {"_Emission": [1.0, 0.0, 0.0, 1.0]}),
        ("Unlit/Color", "_EMISSION", {"_Metallic": 1}, {"_EmissionColor": RED}, None),
        ("Standard", "", {"_Metallic": 1, "_Glossiness": 0.9}, {}, None),
        ("Standard", "", {"_Metallic": 0.5}, {}, {"_Metallic": 0.5}),
        (URP + "Lit", "", {"_Metallic": 0.5}, {}, {"_Metallic": 0.5}),
        ("HDRP/Lit", "", {"_Metallic": 1}, {}, {"_Metallic": 1.0}),
        ("HDRP/Lit", "", {"_Metallic": INF}, {}, {"_Metallic": None}),
        ("Standard (Specular setup)", "", {}, {"_SpecColor": (0.2, 0.2, 0.2, 1.0)}, None),
        ("Standard (Specular setup)", "", {}, {"_SpecColor": RED}, {"_SpecColor": [1.0, 0.0, 0.0, 1.0]}),
        (URP + "Lit", "", {}, {"_SpecColor": RED}, None),
        (URP + "Lit", "_SPECULAR_SETUP", {}, {"_SpecColor": RED}, {"_SpecColor": [1.0, 0.0, 0.0, 1.0]}),
    ],
)
def test_numbers_that_change_the_look(
    shader: str, keywords: str, floats: dict[str, float], colors: dict[str, Any], expected: dict[str, Any] | None
) -> None:
    found = left(raw_material(shader, keywords=keywords, floats=floats, colors=colors))
    assert (found and found["numbers"]) == expected


def test_a_map_of_the_shaders_own_in_the_place_of_a_number() -> None:
    """The keyword is on and the slot empty: the shader reads its default texture."""
    raw = raw_material("Standard", keywords=ALBEDO_ALPHA, textures={"_MainTex": slot()}, floats={"_Glossiness": 0.5})
    assert left(raw) == {"slots": [], "numbers": {}, "keywords": [ALBEDO_ALPHA], "smoothness": {"_Glossiness": 0.5}}


def test_smoothness_alone_is_not_reported() -> None:
    assert left(raw_material("HDRP/Lit", floats={"_Smoothness": 0.9})) is None
