"""Coats, sheen, transmission, anisotropy and iridescence, with numbers worked out by hand."""

from __future__ import annotations

import math

import pytest

from tests.builders.surfaces import Painted, painted, picture, raw_material, slot
from unity2gltf.ir import AlphaMode, Anisotropy, Clearcoat, Iridescence, Sheen, TextureUse, Transmission
from unity2gltf.normalize.materials.convert import without_tangents
from unity2gltf.raw import RawTexture

COMPLEX = "Universal Render Pipeline/Complex Lit"
GLTF = "glTF/PbrMetallicRoughness"
BLACK = (0.0, 0.0, 0.0, 1.0)
NO_GLOW = {"emissiveFactor": BLACK, "sheenColorFactor": BLACK}


def data(number: int, *pixels: tuple[int, ...]) -> RawTexture:
    return picture(number, list(pixels), color_space=0)


def pixel(result: Painted, use: TextureUse | None) -> tuple[int, ...]:
    return tuple(result.pixels(use)[0, 0].tolist())


# --- clear coat -----------------------------------------------------------------------------------------------------


def test_urps_coat_of_numbers() -> None:
    floats = {"_ClearCoatMask": 0.75, "_ClearCoatSmoothness": 0.25}
    coat = painted(raw_material(COMPLEX, keywords="_CLEARCOAT", floats=floats)).material.clearcoat
    assert coat == Clearcoat(factor=0.75, roughness=0.75)
    assert painted(raw_material(COMPLEX, floats=floats)).material.clearcoat is None


def test_urps_coat_map_holds_the_mask_in_red_and_smoothness_in_green() -> None:
    texture = data(1, (102, 204, 9, 9))
    floats = {"_ClearCoatMask": 0.5, "_ClearCoatSmoothness": 0.75}
    raw = raw_material(COMPLEX, keywords="_CLEARCOATMAP", textures={"_ClearCoatMap": slot(of=texture)}, floats=floats)
    result = painted(raw, texture)
    coat = result.material.clearcoat
    assert coat is not None
    assert (coat.factor, coat.roughness) == (1.0, 1.0)
    assert coat.texture == coat.roughness_texture
    # 102 x 0.5; 255 - 204 x 0.75
    assert pixel(result, coat.texture) == (51, 102, 255)


def test_hdrps_coat() -> None:
    """Its smoothness is fixed; a mask map multiplies the strength."""
    keywords = "_MATERIAL_FEATURE_CLEAR_COAT"
    coat = painted(raw_material("HDRP/Lit", keywords=keywords, floats={"_CoatMask": 0.5})).material.clearcoat
    assert coat == Clearcoat(factor=0.5, roughness=pytest.approx(0.1))
    assert painted(raw_material("HDRP/Lit", floats={"_CoatMask": 0.5})).material.clearcoat is None
    assert painted(raw_material("HDRP/Lit", keywords=keywords, floats={"_CoatMask": 0.0})).material.clearcoat is None
    texture = data(1, (102, 9, 9))
    raw = raw_material(
        "HDRP/Lit", keywords=keywords, textures={"_CoatMaskMap": slot(of=texture)}, floats={"_CoatMask": 0.5}
    )
    result = painted(raw, texture)
    coat = result.material.clearcoat
    assert coat is not None
    assert pixel(result, coat.texture) == (51, 255, 255)
    assert (coat.factor, coat.roughness, coat.roughness_texture) == (1.0, pytest.approx(0.1), None)


def test_gltfs_coat_stores_roughness() -> None:
    strength, rough = data(1, (102, 9, 9)), data(2, (9, 204, 9))
    raw = raw_material(
        GLTF,
        textures={"clearcoatTexture": slot(of=strength), "clearcoatRoughnessTexture": slot(of=rough)},
        floats={"clearcoatFactor": 1.0, "clearcoatRoughnessFactor": 0.5},
        colors=NO_GLOW,
    )
    result = painted(raw, strength, rough)
    coat = result.material.clearcoat
    assert coat is not None and coat.texture == coat.roughness_texture
    assert pixel(result, coat.texture) == (102, 102, 255)
    numbers = raw_material(GLTF, floats={"clearcoatFactor": 0.5, "clearcoatRoughnessFactor": 0.25}, colors=NO_GLOW)
    assert painted(numbers).material.clearcoat == Clearcoat(factor=0.5, roughness=0.25)


# --- HDRP -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("amount", "expected"),
    [
        (0.5, Anisotropy(strength=0.5)),
        (-0.25, Anisotropy(strength=0.25, rotation=math.pi / 2)),
        (3.0, Anisotropy(strength=1.0)),
        (0.0, None),
    ],
)
def test_hdrps_anisotropy(amount: float, expected: Anisotropy | None) -> None:
    floats = {"_Anisotropy": amount}
    keywords = "_MATERIAL_FEATURE_ANISOTROPY"
    assert painted(raw_material("HDRP/Lit", keywords=keywords, floats=floats)).material.anisotropy == expected
    assert painted(raw_material("HDRP/Lit", floats=floats)).material.anisotropy is None


def test_hdrps_anisotropy_map_is_red_and_gltfs_strength_blue() -> None:
    texture = data(1, (102, 9, 9))
    raw = raw_material(
        "HDRP/Lit",
        keywords="_MATERIAL_FEATURE_ANISOTROPY",
        textures={"_AnisotropyMap": slot(of=texture)},
        floats={"_Anisotropy": 0.5},
    )
    result = painted(raw, texture)
    anisotropy = result.material.anisotropy
    assert anisotropy is not None and anisotropy.strength == 0.5
    assert pixel(result, anisotropy.texture) == (255, 128, 102)


def test_hdrps_iridescence_mask() -> None:
    texture = data(1, (102, 9, 9))
    floats = {"_IridescenceMask": 0.5, "_IridescenceThickness": 1.0}
    raw = raw_material("HDRP/Lit", keywords="_MATERIAL_FEATURE_IRIDESCENCE", floats=floats)
    film = painted(raw).material.iridescence
    assert film is not None
    assert (film.factor, film.texture, film.ior) == (0.5, None, 1.0)
    raw = raw_material(
        "HDRP/Lit",
        keywords="_MATERIAL_FEATURE_IRIDESCENCE _IRIDESCENCE_MASKMAP",
        textures={"_IridescenceMaskMap": slot(of=texture)},
        floats={**floats, "_IridescenceThickness": 0.25},
    )
    result = painted(raw, texture)
    film = result.material.iridescence
    assert film is not None and (film.factor, film.ior) == (1.0, 1.75)
    assert film.thickness[0] == film.thickness[1]
    assert pixel(result, film.texture) == (102, 255, 255)
    assert painted(raw_material("HDRP/Lit", floats=floats)).material.iridescence is None


@pytest.mark.parametrize(
    ("model", "thickness"),
    [(1.0, 2.0), (2.0, 2.0), (3.0, 0.0)],  # plane, sphere, thin
)
def test_hdrps_refraction(model: float, thickness: float) -> None:
    raw = raw_material(
        "HDRP/Lit",
        keywords="_SURFACE_TYPE_TRANSPARENT",
        floats={"_RefractionModel": model, "_Ior": 1.75, "_Thickness": 2.0, "_ATDistance": 0.5},
        colors={"_BaseColor": (1.0, 1.0, 1.0, 0.25), "_TransmittanceColor": (0.5, 1.0, 0.0, 1.0)},
    )
    material = painted(raw).material
    assert material.ior == 1.75
    assert material.transmission == Transmission(
        factor=0.75,
        thickness=thickness,
        attenuation_distance=0.5,
        attenuation_color=(pytest.approx(0.21404114), 1.0, 0.0),
    )


@pytest.mark.parametrize(
    ("keywords", "floats"),
    [("", {"_RefractionModel": 1.0}), ("_SURFACE_TYPE_TRANSPARENT", {"_RefractionModel": 0.0})],
)
def test_no_refraction(keywords: str, floats: dict[str, float]) -> None:
    material = painted(raw_material("HDRP/Lit", keywords=keywords, floats=floats)).material
    assert (material.transmission, material.ior) == (None, None)


@pytest.mark.parametrize(("t", "nanometres"), [(0.0, 0.0), (0.5, 500.0), (1.0, 1500.0)])
def test_hdrps_thickness_of_a_film(t: float, nanometres: float) -> None:
    """Its path is 3 t micrometres, 2 n d in glTF: "mean 0.5 is 500nm" (BSDF.hlsl)."""
    raw = raw_material("HDRP/Lit", keywords="_MATERIAL_FEATURE_IRIDESCENCE", floats={"_IridescenceThickness": t})
    film = painted(raw).material.iridescence
    assert film is not None and film.thickness == (pytest.approx(nanometres),) * 2


GLASS = "_SURFACE_TYPE_TRANSPARENT"
PANE = {"_RefractionModel": 1.0}


def test_what_refracts_is_not_blended_too() -> None:
    raw = raw_material("HDRP/Lit", keywords=GLASS, floats=PANE, colors={"_BaseColor": (1.0, 1.0, 1.0, 0.1)})
    material = painted(raw).material
    assert material.transmission is not None and material.transmission.factor == pytest.approx(0.9)
    assert (material.alpha_mode, material.base_color[3]) == (AlphaMode.OPAQUE, 1.0)


def test_light_goes_through_by_the_alpha_of_the_base_texture_too() -> None:
    """204 / 255 x 0.5 = 0.4, in a range of 0.25 to 1: 0.55, so that 0.45 of the light passes."""
    base = picture(1, [(1, 2, 3, 204)])
    raw = raw_material(
        "HDRP/Lit",
        keywords=GLASS,
        textures={"_BaseColorMap": slot((2.0, 2.0), of=base)},
        floats={**PANE, "_AlphaRemapMin": 0.25},
        colors={"_BaseColor": (1.0, 1.0, 1.0, 0.5)},
    )
    result = painted(raw, base)
    glass = result.material.transmission
    assert glass is not None and glass.texture is not None
    assert (glass.factor, glass.texture.scale) == (1.0, (2.0, 2.0))
    assert pixel(result, glass.texture)[0] == round(0.45 * 255)


def test_an_alpha_that_is_no_number_lets_no_light_through() -> None:
    raw = raw_material("HDRP/Lit", keywords=GLASS, floats=PANE, colors={"_BaseColor": (1.0, 1.0, 1.0, math.nan)})
    glass = painted(raw).material.transmission
    assert glass is not None and glass.factor == 0.0


def test_the_index_of_refraction_tells_the_reflection() -> None:
    """HDRP takes the reflection at normal incidence from the index, whatever the specular colour is
    (FillMaterialTransparencyData in Lit.hlsl)."""
    raw = raw_material(
        "HDRP/Lit",
        keywords=f"_MATERIAL_FEATURE_SPECULAR_COLOR {GLASS}",
        floats={**PANE, "_Ior": 1.75},
        colors={"_SpecularColor": (0.5, 0.5, 0.5, 1.0)},
    )
    result = painted(raw)
    assert (result.material.ior, result.material.specular) == (1.75, None)
    assert "MATERIAL_SPECULAR" not in result.codes
    opaque = painted(raw_material("HDRP/Lit", keywords="_MATERIAL_FEATURE_SPECULAR_COLOR", colors=raw.colors)).material
    assert opaque.specular is not None and opaque.ior is not None


@pytest.mark.parametrize(("model", "sides", "reported"), [(1.0, False, True), (3.0, True, False)])
def test_what_has_a_thickness_is_closed(model: float, sides: bool, reported: bool) -> None:
    raw = raw_material("HDRP/Lit", keywords=GLASS, floats={"_RefractionModel": model, "_DoubleSidedEnable": 1.0})
    result = painted(raw)
    assert result.material.double_sided is sides
    found = [item.data for item in result.diagnostics.items if item.code.name == "MATERIAL_VALUE_FIXED"]
    assert found == ([{"property": "doubleSided", "stored": True}] if reported else [])


# --- numbers out of range -------------------------------------------------------------------------------------------


def test_layers_of_numbers_beyond_what_gltf_allows() -> None:
    floats = {
        **{"sheenRoughnessFactor": -1.0, "transmissionFactor": 1.0, "thicknessFactor": 1.0},
        **{"iridescenceFactor": 1.0, "iridescenceThicknessMinimum": -5.0, "iridescenceThicknessMaximum": -1.0},
    }
    bright = (2.0, 0.5, -1.0, 1.0)
    result = painted(raw_material(GLTF, floats=floats, colors={"sheenColorFactor": bright, "attenuationColor": bright}))
    material = result.material
    assert material.sheen == Sheen(color=(1.0, 0.5, 0.0), roughness=0.0)
    assert material.transmission is not None and material.transmission.attenuation_color == (1.0, 0.5, 0.0)
    assert material.iridescence is not None and material.iridescence.thickness == (0.0, 0.0)
    fixed = {item.data["property"] for item in result.diagnostics.items}
    assert fixed == {"sheenColorFactor", "attenuationColor"}


# --- shaders of glTF importers --------------------------------------------------------------------------------------


def test_gltfs_own_numbers_and_maps_pass() -> None:
    packed, occlusion = data(1, (9, 51, 102)), data(2, (77, 9, 9))
    bump, glow = picture(3, [(128, 128, 255)], color_space=0, usage=4), picture(4, [(188, 1, 2)])
    base = picture(5, [(10, 20, 30)])
    raw = raw_material(
        GLTF,
        textures={
            "baseColorTexture": slot(of=base),
            "metallicRoughnessTexture": slot(of=packed),
            "occlusionTexture": slot(of=occlusion),
            "normalTexture": slot(of=bump),
            "emissiveTexture": slot(of=glow),
        },
        floats={"metallicFactor": 0.5, "roughnessFactor": 0.5, "occlusionStrength": 0.25, "normalScale": 2.0},
        colors={**NO_GLOW, "emissiveFactor": (0.5, 3.0, 0.0, 1.0)},
    )
    result = painted(raw, base, packed, occlusion, bump, glow)
    material = result.material
    assert pixel(result, material.base_color_texture) == (10, 20, 30)
    # the factors are in the pixels: 51 x 0.5 is 25.5, 102 x 0.5 is 51
    assert pixel(result, material.metallic_roughness_texture) in ((77, 25, 51), (77, 26, 51))
    assert material.occlusion_texture == material.metallic_roughness_texture
    assert (material.metallic, material.roughness, material.occlusion_strength) == (1.0, 1.0, 0.25)
    assert pixel(result, material.normal_texture) == (128, 128, 255)
    assert material.normal_scale == 2.0
    assert pixel(result, material.emissive_texture) == (188, 1, 2)
    assert material.emissive == (0.5, 3.0, 0.0)
    assert result.codes == []


def test_gltfs_numbers_without_maps() -> None:
    floats = {"metallicFactor": 0.25, "roughnessFactor": 0.125}
    material = painted(raw_material(GLTF, floats=floats, colors=NO_GLOW)).material
    assert (material.metallic, material.roughness) == (0.25, 0.125)
    default = painted(raw_material(GLTF, colors=NO_GLOW)).material
    assert (default.metallic, default.roughness, default.emissive) == (1.0, 1.0, (0.0, 0.0, 0.0))
    assert (default.sheen, default.transmission, default.iridescence, default.anisotropy) == (None,) * 4


def test_gltfs_sheen() -> None:
    tint, rough = picture(1, [(188, 1, 2)]), picture(2, [(9, 9, 9, 77)], color_space=0)
    raw = raw_material(
        GLTF,
        textures={"sheenColorTexture": slot(of=tint), "sheenRoughnessTexture": slot(of=rough)},
        floats={"sheenRoughnessFactor": 0.5},
        colors={**NO_GLOW, "sheenColorFactor": (0.25, 0.5, 1.0, 1.0)},
    )
    result = painted(raw, tint, rough)
    sheen = result.material.sheen
    assert isinstance(sheen, Sheen)
    assert (sheen.color, sheen.roughness) == ((0.25, 0.5, 1.0), 0.5)
    assert pixel(result, sheen.color_texture) == (188, 1, 2)
    assert pixel(result, sheen.roughness_texture)[3] == 77


def test_gltfs_transmission() -> None:
    through, thick = data(1, (102, 9, 9)), data(2, (9, 77, 9))
    raw = raw_material(
        GLTF,
        textures={"transmissionTexture": slot(of=through), "thicknessTexture": slot(of=thick)},
        floats={"transmissionFactor": 0.5, "ior": 1.25, "thicknessFactor": 3.0, "attenuationDistance": 2.0},
        colors={**NO_GLOW, "attenuationColor": (0.5, 1.0, 0.0, 1.0)},
    )
    result = painted(raw, through, thick)
    material = result.material
    assert material.ior == 1.25
    glass = material.transmission
    assert glass is not None
    assert (glass.factor, glass.thickness, glass.attenuation_distance) == (0.5, 3.0, 2.0)
    assert glass.attenuation_color == (0.5, 1.0, 0.0)
    assert pixel(result, glass.texture)[0] == 102
    assert pixel(result, glass.thickness_texture)[1] == 77


def test_gltfs_iridescence_and_anisotropy() -> None:
    film, lines = data(1, (102, 77, 9)), data(2, (1, 2, 3))
    raw = raw_material(
        GLTF,
        textures={"iridescenceThicknessTexture": slot(of=film), "anisotropyTexture": slot(of=lines)},
        floats={
            "iridescenceFactor": 0.5,
            "iridescenceIor": 1.5,
            "iridescenceThicknessMinimum": 50.0,
            "iridescenceThicknessMaximum": 500.0,
            "anisotropyStrength": 0.25,
            "anisotropyRotation": 1.5,
        },
        colors=NO_GLOW,
    )
    result = painted(raw, film, lines)
    iridescence, anisotropy = result.material.iridescence, result.material.anisotropy
    assert isinstance(iridescence, Iridescence) and isinstance(anisotropy, Anisotropy)
    assert (iridescence.factor, iridescence.ior, iridescence.thickness) == (0.5, 1.5, (50.0, 500.0))
    assert pixel(result, iridescence.thickness_texture) == (102, 77, 9)
    assert (anisotropy.strength, anisotropy.rotation) == (0.25, 1.5)
    assert pixel(result, anisotropy.texture) == (1, 2, 3)


def test_no_stored_sheen_is_no_sheen() -> None:
    assert painted(raw_material(GLTF, colors={"emissiveFactor": BLACK})).material.sheen is None


# --- meshes without tangents ----------------------------------------------------------------------------------------


def test_without_tangents_nothing_is_left_that_needs_them() -> None:
    bump = data(1, (128, 128, 255))
    raw = raw_material(
        "HDRP/Lit",
        keywords="_NORMALMAP _MATERIAL_FEATURE_ANISOTROPY _MATERIAL_FEATURE_CLEAR_COAT",
        textures={"_NormalMap": slot(of=bump)},
        floats={"_Anisotropy": 0.5, "_CoatMask": 1.0, "_NormalScale": 2.0},
    )
    material = painted(raw, bump).material
    assert material.normal_texture is not None
    assert material.properties["_NormalScale"].pointer == "normalTexture/scale"
    flat = without_tangents(material)
    assert (flat.normal_texture, flat.anisotropy) == (None, None)
    assert flat.properties == {name: t for name, t in material.properties.items() if name != "_NormalScale"}
    assert flat.clearcoat is not None and flat.clearcoat.factor == 1.0
    plain = painted(raw_material("Standard")).material
    assert without_tangents(plain) == plain
