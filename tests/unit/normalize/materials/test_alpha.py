"""Transparency, rule by rule, and the table of families it rests on."""

from __future__ import annotations

import math
import re

import pytest

from tests.builders.surfaces import raw_material
from unity2gltf.diagnostics import Diagnostics
from unity2gltf.ir import AlphaMode
from unity2gltf.normalize.materials.convert import convert_material
from unity2gltf.normalize.materials.families import FAMILIES
from unity2gltf.raw import RawMaterial

OPAQUE, MASK, BLEND = AlphaMode.OPAQUE, AlphaMode.MASK, AlphaMode.BLEND


def _mode(raw: RawMaterial) -> AlphaMode:
    return convert_material(raw, lambda _: None, Diagnostics()).alpha_mode


@pytest.mark.parametrize(
    ("shader", "expected"),
    [
        ("Standard", OPAQUE),
        ("Unlit/Texture", OPAQUE),
        ("Unlit/Transparent", BLEND),
        ("Unlit/Transparent Cutout", MASK),
        ("Legacy Shaders/Transparent/Bumped Diffuse", BLEND),
        ("Legacy Shaders/Transparent/Cutout/Diffuse", MASK),
        ("Transparent/Cutout/Soft Edge Unlit", MASK),
        ("Sprites/Default", BLEND),
        ("Particles/Additive", BLEND),
        ("Nature/Tree Soft Occlusion Leaves", MASK),
        ("Nature/Tree Creator Bark", OPAQUE),
        ("Hidden/lilToonCutout", MASK),
        ("Hidden/lilToonTransparentOutline", BLEND),
        ("Studio/Glass Fade", BLEND),
        ("Studio/Stone", OPAQUE),
    ],
)
def test_by_the_shaders_name(shader: str, expected: AlphaMode) -> None:
    assert _mode(raw_material(shader)) is expected


@pytest.mark.parametrize(("mode", "expected"), [(0, OPAQUE), (1, MASK), (2, BLEND), (3, BLEND), (math.nan, OPAQUE)])
def test_mode_of_standard(mode: float, expected: AlphaMode) -> None:
    assert _mode(raw_material("Standard", floats={"_Mode": mode})) is expected


@pytest.mark.parametrize(
    ("shader", "floats", "expected"),
    [
        ("Universal Render Pipeline/Lit", {"_Surface": 1, "_AlphaClip": 1}, BLEND),
        ("Universal Render Pipeline/Lit", {"_Surface": 0, "_AlphaClip": 1}, MASK),
        ("Universal Render Pipeline/Lit", {"_Surface": 0, "_AlphaClip": 0}, OPAQUE),
        ("Universal Render Pipeline/Lit", {"_Mode": 3}, OPAQUE),  # left over from Standard
        ("HDRP/Lit", {"_SurfaceType": 1}, BLEND),
        ("HDRP/Unlit", {"_SurfaceType": 0, "_AlphaCutoffEnable": 1}, MASK),
        ("VRM/MToon", {"_BlendMode": 1}, MASK),
        ("VRM10/MToon10", {"_AlphaMode": 2}, BLEND),
        ("Unlit/Texture", {"_Mode": 3, "_Surface": 1}, OPAQUE),  # left over
        ("Shader Graphs/Leaf", {"_AlphaClip": 1}, MASK),
    ],
)
def test_by_the_familys_switches(shader: str, floats: dict[str, float], expected: AlphaMode) -> None:
    assert _mode(raw_material(shader, floats=floats)) is expected


@pytest.mark.parametrize(
    ("keywords", "expected"),
    [
        ("_ALPHATEST_ON", MASK),
        ("_ALPHABLEND_ON", BLEND),
        ("_ALPHAPREMULTIPLY_ON", BLEND),
        ("_SURFACE_TYPE_TRANSPARENT", BLEND),
        ("_ALPHATEST_ON _SURFACE_TYPE_TRANSPARENT", BLEND),
        ("_NORMALMAP", OPAQUE),
    ],
)
@pytest.mark.parametrize("shader", ["Standard", "Universal Render Pipeline/Lit", "Studio/Stone"])
def test_by_keywords(shader: str, keywords: str, expected: AlphaMode) -> None:
    assert _mode(raw_material(shader, keywords=keywords)) is expected


@pytest.mark.parametrize(
    ("queue", "expected"),
    [(-1, OPAQUE), (2000, OPAQUE), (2449, OPAQUE), (2450, MASK), (2999, MASK), (3000, BLEND), (4000, BLEND)],
)
@pytest.mark.parametrize("shader", ["Standard", "Universal Render Pipeline/Unlit", "HDRP/Lit", "Studio/Stone", None])
def test_by_the_render_queue(shader: str | None, queue: int, expected: AlphaMode) -> None:
    assert _mode(raw_material(shader, queue=queue)) is expected


def test_an_opaque_material_moved_behind_others_stays_opaque() -> None:
    assert _mode(raw_material("Standard", queue=3000, floats={"_Mode": 0})) is OPAQUE
    assert _mode(raw_material("Legacy Shaders/Diffuse", queue=3000)) is OPAQUE


@pytest.mark.parametrize(("tag", "expected"), [("Opaque", OPAQUE), ("TransparentCutout", MASK), ("Transparent", BLEND)])
def test_by_the_render_type(tag: str, expected: AlphaMode) -> None:
    assert _mode(raw_material("Studio/Stone", tag=tag, queue=2000)) is expected


def test_a_legacy_material_without_a_readable_shader_goes_by_its_queue() -> None:
    colors = {"_Color": (1.0, 1.0, 1.0, 1.0), "_SpecColor": (1.0, 1.0, 1.0, 1.0)}
    raw = raw_material(None, queue=3000, floats={"_Shininess": 0.1, "_MainTex": 0}, colors=colors)
    assert _mode(raw) is BLEND


@pytest.mark.parametrize(
    ("shader", "keywords", "floats", "reported"),
    [
        ("Particles/Additive", "", {}, True),
        ("Particles/Multiply (Double)", "", {}, True),
        ("Particles/Alpha Blended Premultiply", "", {}, False),
        ("Particles/Alpha Blended", "", {"_DstBlend": 1}, False),  # left over: the shader fixes its blending
        ("Particles/Standard Unlit", "_ALPHABLEND_ON", {"_DstBlend": 1}, True),
        ("Standard", "_ALPHABLEND_ON", {"_DstBlend": 10}, False),
        ("Standard", "", {"_DstBlend": 0}, False),
    ],
)
def test_blending_that_is_not_by_alpha_is_reported(
    shader: str, keywords: str, floats: dict[str, float], reported: bool
) -> None:
    diagnostics = Diagnostics()
    convert_material(raw_material(shader, keywords=keywords, floats=floats), lambda _: None, diagnostics)
    assert ("MATERIAL_BLENDING" in [item.code.name for item in diagnostics.items]) is reported


def test_rows_of_the_table_are_sound() -> None:
    assert len({family.name for family in FAMILIES}) == len(FAMILIES)
    for family in FAMILIES:
        re.compile(family.shaders)
        assert not family.matches("Studio/Stone"), family.name
        assert all(group for group in family.signature), family.name
    signatures = [group for family in FAMILIES for group in family.signature]
    for index, group in enumerate(signatures):
        assert not any(earlier <= group for earlier in signatures[:index]), sorted(group)
