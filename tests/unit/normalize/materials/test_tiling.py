"""Which tiling and which UV set each map has, and what becomes of it in glTF's space."""

from __future__ import annotations

import pytest

from tests.builders.assets import asset
from tests.builders.surfaces import painted, picture, raw_material, slot
from unity2gltf import codes
from unity2gltf.diagnostics import Diagnostics
from unity2gltf.ir import Material, Space, TextureUse
from unity2gltf.normalize.space import to_gltf
from unity2gltf.raw import RawMaterial, RawTexture

URP = "Universal Render Pipeline/"
GLOW = dict.fromkeys(("_EmissionColor", "_EmissiveColor", "emissiveFactor"), (1.0, 1.0, 1.0, 1.0))
ALL = "_NORMALMAP _METALLICGLOSSMAP _METALLICSPECGLOSSMAP _MASKMAP _EMISSION _EMISSIVE_COLOR_MAP _OCCLUSIONMAP"
MAPS = {number: picture(number, [(128, 128, 255)], color_space=0) for number in range(1, 7)}


def all_mapped(shader: str, names: str, **floats: float) -> RawMaterial:
    """A material whose maps (names with spaces between) have the tilings 2, 3, 4 ... in their order."""
    textures = {
        name: slot((float(number + 1), 1.0), (0.25, number / 16), of=MAPS[number])
        for number, name in enumerate(names.split(), 1)
    }
    return raw_material(shader, keywords=ALL, textures=textures, floats=floats, colors=GLOW)


def scales(material: Material) -> list[float | None]:
    """The tilings of base colour, surface, occlusion, normal and emission."""
    uses = (
        material.base_color_texture,
        material.metallic_roughness_texture,
        material.occlusion_texture,
        material.normal_texture,
        material.emissive_texture,
    )
    return [use.scale[0] if use else None for use in uses]


@pytest.mark.parametrize(
    ("shader", "names", "expected"),
    [
        # the base texture's for all
        ("Standard", "_MainTex _MetallicGlossMap _OcclusionMap _BumpMap _EmissionMap", [2, 2, 2, 2, 2]),
        (URP + "Lit", "_BaseMap _MetallicGlossMap _OcclusionMap _BumpMap _EmissionMap", [2, 2, 2, 2, 2]),
        # all but emission
        ("HDRP/Lit", "_BaseColorMap _MaskMap _NormalMap _EmissiveColorMap", [2, 2, 2, 2, 5]),
        # each its own
        ("Legacy Shaders/Bumped Diffuse", "_MainTex _BumpMap", [2, None, None, 3, None]),
        (
            "glTF/PbrMetallicRoughness",
            "baseColorTexture metallicRoughnessTexture occlusionTexture normalTexture emissiveTexture",
            [2, 3, 4, 5, 6],
        ),
    ],
)
def test_whose_tiling_a_map_has(shader: str, names: str, expected: list[float | None]) -> None:
    assert scales(painted(all_mapped(shader, names), *MAPS.values()).material) == expected


def test_the_base_textures_tiling_counts_where_no_texture_is_set() -> None:
    textures = {"_MainTex": slot((7.0, 1.0)), "_BumpMap": slot((3.0, 1.0), of=MAPS[2])}
    textures["_MainTex"] = type(textures["_MainTex"])(texture=None, scale=(7.0, 1.0), offset=(0.5, 0.0))
    material = painted(raw_material("Standard", keywords="_NORMALMAP", textures=textures), MAPS[2]).material
    assert material.normal_texture == TextureUse(texture=0, slot="_MainTex", scale=(7.0, 1.0), offset=(0.5, 0.0))


@pytest.mark.parametrize(
    ("uv", "expected", "reported"), [(0, 0, 0), (1, 1, 0), (2, 2, 0), (3, 3, 0), (4, 0, 1), (5, 0, 1), (-1, 0, 1)]
)
def test_hdrps_uv_set(uv: int, expected: int, reported: int) -> None:
    raw = all_mapped("HDRP/Lit", "_BaseColorMap _MaskMap _NormalMap", _UVBase=float(uv))
    result = painted(raw, *MAPS.values())
    material = result.material
    uses = (material.base_color_texture, material.metallic_roughness_texture, material.normal_texture)
    assert [use.uv for use in uses if use] == [expected] * 3
    fixed = [item for item in result.diagnostics.items if item.code is codes.MATERIAL_VALUE_FIXED]
    assert len(fixed) == reported
    assert all(item.data == {"property": "_UVBase", "stored": float(uv)} for item in fixed)


def test_hdrps_emission_has_a_uv_set_of_its_own() -> None:
    raw = all_mapped("HDRP/Lit", "_BaseColorMap _EmissiveColorMap", _UVBase=1.0, _UVEmissive=2.0)
    material = painted(raw, *MAPS.values()).material
    assert material.base_color_texture is not None and material.base_color_texture.uv == 1
    assert material.emissive_texture is not None
    assert (material.emissive_texture.uv, material.emissive_texture.slot) == (2, "_EmissiveColorMap")


def test_other_shaders_read_the_first_set() -> None:
    raw = all_mapped("Standard", "_MainTex _BumpMap", _UVBase=1.0, _UVSec=1.0)
    material = painted(raw, *MAPS.values()).material
    assert material.base_color_texture is not None and material.base_color_texture.uv == 0


@pytest.mark.parametrize(
    ("scale", "offset", "expected"),
    [
        ((1.0, 1.0), (0.0, 0.0), (0.0, 0.0)),
        ((2.0, 3.0), (0.25, 0.5), (0.25, -2.5)),  # 1 - 0.5 - 3
        ((1.0, -1.0), (0.0, 1.0), (0.0, 1.0)),
        ((0.5, 0.5), (0.5, 0.5), (0.5, 0.0)),
        ((1.0, 0.0), (0.0, 0.75), (0.0, 0.25)),
    ],
)
@pytest.mark.parametrize("name", ["_MainTex", "_BumpMap", "_EmissionMap", "_OcclusionMap", "_MetallicGlossMap"])
def test_v_points_down_in_gltf(
    name: str, scale: tuple[float, float], offset: tuple[float, float], expected: tuple[float, float]
) -> None:
    """A texture coordinate v is 1 - v there, and so is what the tiling makes of it."""
    raw = raw_material("Standard", keywords=ALL, textures={name: slot(scale, offset, of=MAPS[1])}, colors=GLOW)
    if name != "_MainTex":
        empty = type(slot())(texture=None, scale=scale, offset=offset)
        raw = raw_material("Standard", keywords=ALL, textures={**raw.textures, "_MainTex": empty}, colors=GLOW)
    uses = uses_in_gltf(raw, MAPS[1])
    assert uses
    for use in uses:
        assert (use.scale, use.offset) == (scale, expected)
        for u, v in ((0.0, 0.0), (0.25, 0.75)):
            in_unity = (u * scale[0] + offset[0], v * scale[1] + offset[1])
            in_gltf = (u * use.scale[0] + use.offset[0], (1 - v) * use.scale[1] + use.offset[1])
            assert in_gltf == pytest.approx((in_unity[0], 1 - in_unity[1]))


def uses_in_gltf(raw: RawMaterial, *textures: RawTexture) -> list[TextureUse]:
    material = painted(raw, *textures).material
    built = to_gltf(asset([], materials=(material,), space=Space.UNITY), 0, Diagnostics())
    (moved,) = built.materials
    uses = (
        moved.base_color_texture,
        moved.metallic_roughness_texture,
        moved.occlusion_texture,
        moved.normal_texture,
        moved.emissive_texture,
    )
    return [use for use in uses if use is not None]


def test_tilings_of_layers_are_turned_too() -> None:
    raw = raw_material(
        "glTF/PbrMetallicRoughness",
        textures={"clearcoatTexture": slot((1.0, 2.0), (0.0, 0.25), of=MAPS[1])},
        floats={"clearcoatFactor": 1.0},
        colors={"emissiveFactor": (0.0,) * 4, "sheenColorFactor": (0.0,) * 4},
    )
    built = to_gltf(asset([], materials=(painted(raw, MAPS[1]).material,), space=Space.UNITY), 0, Diagnostics())
    coat = built.materials[0].clearcoat
    assert coat is not None and coat.texture is not None
    assert coat.texture.offset == (0.0, -1.25)


# --- slots of one texture, and maps that would share an image ---------------------------------------------------------

GLTF = "glTF/PbrMetallicRoughness"
DARK = {"emissiveFactor": (0.0,) * 4, "sheenColorFactor": (0.0,) * 4}


def test_one_texture_in_two_slots_of_other_tilings() -> None:
    textures = {
        "baseColorTexture": slot((2.0, 2.0), of=MAPS[1]),
        "emissiveTexture": slot((3.0, 3.0), of=MAPS[1]),
        "metallicRoughnessTexture": slot((4.0, 4.0), of=MAPS[1]),
        "occlusionTexture": slot((5.0, 5.0), of=MAPS[1]),
    }
    result = painted(raw_material(GLTF, textures=textures, colors=GLOW), *MAPS.values())
    assert scales(result.material) == [2, 4, 5, None, 3]
    assert result.codes.count("MATERIAL_VALUE_FIXED") == 0


def test_coats_of_other_tilings() -> None:
    textures = {
        "clearcoatTexture": slot((2.0, 2.0), of=MAPS[1]),
        "clearcoatRoughnessTexture": slot((3.0, 3.0), of=MAPS[2]),
    }
    floats = {"clearcoatFactor": 1.0, "clearcoatRoughnessFactor": 1.0}
    coat = painted(raw_material(GLTF, textures=textures, floats=floats, colors=DARK), *MAPS.values()).material.clearcoat
    assert coat is not None and coat.texture is not None and coat.roughness_texture is not None
    assert (coat.texture.scale, coat.roughness_texture.scale) == ((2.0, 2.0), (3.0, 3.0))
    assert coat.texture.texture != coat.roughness_texture.texture


def test_maps_of_one_image_that_differ_in_their_tiling_are_reported() -> None:
    """glTF has no place for a mask of its own."""
    textures = {"_MainTex": slot((2.0, 1.0), of=MAPS[1]), "_Illum": slot((3.0, 1.0), of=MAPS[2])}
    raw = raw_material("Legacy Shaders/Self-Illumin/Diffuse", textures=textures, colors={"_Color": (1.0,) * 4})
    result = painted(raw, *MAPS.values())
    assert result.material.emissive_texture is not None and result.material.emissive_texture.scale == (2.0, 1.0)
    (item,) = (item for item in result.diagnostics.items if item.code is codes.MATERIAL_VALUE_FIXED)
    assert item.data == {"property": "_Illum"}


def test_hdrps_emission_as_the_base() -> None:
    raw = all_mapped("HDRP/Lit", "_BaseColorMap _EmissiveColorMap", _UVBase=1.0, _UVEmissive=6.0)
    result = painted(raw, *MAPS.values())
    use = result.material.emissive_texture
    assert use is not None and (use.uv, use.slot, use.scale) == (1, "_BaseColorMap", (2.0, 1.0))
    assert "MATERIAL_VALUE_FIXED" not in result.codes
