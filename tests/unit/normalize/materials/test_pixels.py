"""Every rule by which a channel of an image is made, on pixels worked out by hand.

Of sRGB: byte 188 is 0.5029 linear (128), byte 128 is 0.2159 (55), byte 64 is 0.0513 (13).
"""

from __future__ import annotations

import numpy as np
import pytest

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
from unity2gltf import codes
from unity2gltf.ir import AlphaMode
from unity2gltf.normalize.materials.rules import parse_rules
from unity2gltf.raw import RawShader, RawTexture, RawTextureSlot

URP = "Universal Render Pipeline/"
ALBEDO_ALPHA = "_SMOOTHNESS_TEXTURE_ALBEDO_CHANNEL_A"
LINEAR, SRGB = 0, 1
WHITE = (1.0, 1.0, 1.0, 1.0)
Slots = dict[str, RawTextureSlot]


def data(number: int, *rows: list[tuple[int, ...]], **more: object) -> RawTexture:
    """A texture that is not sRGB."""
    return picture(number, *rows, **{"color_space": LINEAR, **more})


def slots(**maps: RawTexture) -> Slots:
    return {name: slot(of=texture) for name, texture in maps.items()}


def surface(result: Painted) -> list[list[tuple[int, ...]]]:
    """The pixels of the metallic-roughness texture."""
    return rows(result.pixels(result.material.metallic_roughness_texture))


def rows(pixels: np.ndarray) -> list[list[tuple[int, ...]]]:
    return [[tuple(pixel) for pixel in row] for row in pixels.tolist()]


# --- occlusion, roughness, metallic ---------------------------------------------------------------------------------


def test_a_metallic_map_holds_metallic_in_red_and_smoothness_in_alpha() -> None:
    metal = data(1, [(255, 9, 9, 255), (51, 9, 9, 0)], [(0, 9, 9, 204), (128, 9, 9, 51)])
    raw = raw_material(
        "Standard", keywords="_METALLICGLOSSMAP", textures=slots(_MetallicGlossMap=metal), floats={"_GlossMapScale": 1}
    )
    result = painted(raw, metal)
    assert surface(result) == [[(255, 0, 255), (255, 255, 51)], [(255, 51, 0), (255, 204, 128)]]
    assert (result.material.metallic, result.material.roughness) == (1.0, 1.0)
    assert result.material.occlusion_texture is None


def test_smoothness_of_a_map_is_scaled() -> None:
    metal = data(1, [(255, 0, 0, 255), (255, 0, 0, 102)])
    floats = {"_GlossMapScale": 0.5, "_Glossiness": 0.9}  # the latter is for no map
    raw = raw_material("Standard", keywords="_METALLICGLOSSMAP", textures=slots(_MetallicGlossMap=metal), floats=floats)
    # 255 - 127.5, 255 - 51
    assert surface(painted(raw, metal)) == [[(255, 128, 255), (255, 204, 255)]]


def test_urp_scales_by_its_one_smoothness() -> None:
    metal = data(1, [(102, 0, 0, 255)])
    floats = {"_GlossMapScale": 0.5, "_Smoothness": 0.2, "_Metallic": 1.0}
    raw = raw_material(
        URP + "Lit", keywords="_METALLICSPECGLOSSMAP", textures=slots(_MetallicGlossMap=metal), floats=floats
    )
    assert surface(painted(raw, metal)) == [[(255, 204, 102)]]


@pytest.mark.parametrize(("shader", "main"), [("Standard", "_MainTex"), (URP + "Lit", "_BaseMap")])
def test_smoothness_from_the_alpha_of_the_base_texture(shader: str, main: str) -> None:
    base = picture(1, [(10, 20, 30, 255), (10, 20, 30, 51)])
    raw = raw_material(
        shader,
        keywords=ALBEDO_ALPHA,
        textures={main: slot(of=base)},
        floats={"_Metallic": 1.0, "_GlossMapScale": 1.0, "_Smoothness": 1.0},
    )
    result = painted(raw, base)
    assert surface(result) == [[(255, 0, 255), (255, 204, 255)]]
    assert (result.material.metallic, result.material.roughness) == (1.0, 1.0)


def test_urp_particles_smoothness_is_in_the_metallic_map() -> None:
    """255 - 102 x 0.5 (ParticlesLitInput.hlsl)."""
    texture = data(1, [(255, 0, 0, 102)])
    raw = raw_material(
        URP + "Particles/Lit",
        keywords="_METALLICSPECGLOSSMAP",
        textures=slots(_MetallicGlossMap=texture),
        floats={"_Smoothness": 0.5},
    )
    assert surface(painted(raw, texture)) == [[(255, 204, 255)]]


@pytest.mark.parametrize(
    ("shader", "name", "scale"), [("Standard", "_MainTex", "_GlossMapScale"), (URP + "Lit", "_BaseMap", "_Smoothness")]
)
def test_the_alpha_of_a_base_texture_that_is_not_set_is_full(shader: str, name: str, scale: str) -> None:
    raw = raw_material(
        shader, keywords=ALBEDO_ALPHA, textures={name: EMPTY_SLOT}, floats={"_Glossiness": 0.1, scale: 0.75}
    )
    assert painted(raw).material.roughness == 0.25


def test_metallic_from_its_map_and_smoothness_from_the_base_texture() -> None:
    base = picture(1, [(10, 20, 30, 51)])
    metal = data(2, [(102, 0, 0, 255)])
    raw = raw_material(
        "Standard",
        keywords=f"_METALLICGLOSSMAP {ALBEDO_ALPHA}",
        textures=slots(_MainTex=base, _MetallicGlossMap=metal),
    )
    assert surface(painted(raw, base, metal)) == [[(255, 204, 102)]]


def test_occlusion_is_the_green_of_its_map_and_shares_the_image() -> None:
    metal = data(1, [(102, 0, 0, 204)])
    occlusion = data(2, [(1, 77, 3)])
    raw = raw_material(
        "Standard",
        keywords="_METALLICGLOSSMAP",
        textures=slots(_MetallicGlossMap=metal, _OcclusionMap=occlusion),
        floats={"_OcclusionStrength": 0.25},
    )
    result = painted(raw, metal, occlusion)
    assert surface(result) == [[(77, 51, 102)]]
    assert result.material.occlusion_texture == result.material.metallic_roughness_texture
    assert result.material.occlusion_strength == 0.25
    assert len(result.images) == 1


def test_occlusion_alone_leaves_metallic_and_roughness_numbers() -> None:
    occlusion = data(2, [(1, 77, 3)])
    raw = raw_material(
        "Standard", textures=slots(_OcclusionMap=occlusion), floats={"_Glossiness": 0.75, "_Metallic": 1.0}
    )
    result = painted(raw, occlusion)
    assert rows(result.pixels(result.material.occlusion_texture)) == [[(77, 77, 77)]]
    assert result.material.metallic_roughness_texture is None
    assert (result.material.metallic, result.material.roughness, result.material.occlusion_strength) == (1.0, 0.25, 1.0)


@pytest.mark.parametrize(("stored", "strength"), [(0.0, 0.0), (0.3, 0.3), (7.0, 1.0), (-2.0, 0.0)])
def test_strength_of_occlusion(stored: float, strength: float) -> None:
    occlusion = data(2, [(0, 77, 0)])
    raw = raw_material("Standard", textures=slots(_OcclusionMap=occlusion), floats={"_OcclusionStrength": stored})
    assert painted(raw, occlusion).material.occlusion_strength == strength


def test_hdrps_mask_map() -> None:
    """Metallic R, occlusion G, detail B, smoothness A."""
    mask = data(1, [(51, 102, 7, 204)])
    raw = raw_material("HDRP/Lit", keywords="_MASKMAP", textures=slots(_MaskMap=mask), floats={"_Metallic": 1.0})
    result = painted(raw, mask)
    assert surface(result) == [[(102, 51, 51)]]
    assert result.material.occlusion_texture == result.material.metallic_roughness_texture
    assert result.material.occlusion_strength == 1.0


def test_hdrps_mask_map_with_ranges() -> None:
    mask = data(1, [(0, 0, 0, 0), (255, 255, 0, 255), (51, 51, 0, 51)])
    floats = {
        "_MetallicRemapMin": 0.2, "_MetallicRemapMax": 0.6,
        "_AORemapMin": 0.4, "_AORemapMax": 1.0,
        "_SmoothnessRemapMin": 0.8, "_SmoothnessRemapMax": 0.4,
    }  # fmt: skip
    raw = raw_material("HDRP/Lit", keywords="_MASKMAP", textures=slots(_MaskMap=mask), floats=floats)
    # at 0, 1 and 0.2: occlusion 0.4, 1, 0.52; smoothness 0.8, 0.4, 0.72; metallic 0.2, 0.6, 0.28
    assert surface(painted(raw, mask)) == [[(102, 51, 51), (255, 153, 153), (133, 71, 71)]]


def test_of_hdrps_layers_the_first_counts() -> None:
    mask, other = data(1, [(51, 102, 7, 204)]), data(2, [(9, 9, 9, 9)])
    raw = raw_material(
        "HDRP/LayeredLit",
        keywords="_MASKMAP0 _MASKMAP1",
        textures=slots(_MaskMap0=mask, _MaskMap1=other),
        floats={"_SmoothnessRemapMax0": 0.5},
    )
    assert surface(painted(raw, mask, other)) == [[(102, 153, 51)]]


def test_the_roughness_setup_stores_roughness() -> None:
    rough, metal = data(1, [(51, 0, 0)]), data(2, [(102, 0, 0)])
    raw = raw_material(
        "Autodesk Interactive",
        keywords="_SPECGLOSSMAP _METALLICGLOSSMAP",
        textures=slots(_SpecGlossMap=rough, _MetallicGlossMap=metal),
        floats={"_GlossMapScale": 0.5},  # it has none
    )
    assert surface(painted(raw, rough, metal)) == [[(255, 51, 102)]]


@pytest.mark.parametrize(
    ("shader", "keywords", "name", "expected"),
    [
        ("Standard", "_METALLICGLOSSMAP", "_MetallicGlossMap", (1.0, 0.25)),
        (URP + "Lit", "_METALLICSPECGLOSSMAP", "_MetallicGlossMap", (1.0, 0.5)),
        ("Autodesk Interactive", "_SPECGLOSSMAP", "_SpecGlossMap", (0.3, 1.0)),
    ],
)
def test_a_map_that_is_called_for_and_not_set_is_white(
    shader: str, keywords: str, name: str, expected: tuple[float, float]
) -> None:
    floats = {"_Metallic": 0.3, "_Glossiness": 0.5, "_Smoothness": 0.5, "_GlossMapScale": 0.75}
    material = painted(raw_material(shader, keywords=keywords, floats=floats, textures={name: EMPTY_SLOT})).material
    assert (material.metallic, material.roughness) == expected
    assert material.metallic_roughness_texture is None


def test_a_default_that_the_shader_declares() -> None:
    properties = {
        "_MetallicGlossMap": texture_property("black"),
        "_Metallic": number_property(0.5),
        "_GlossMapScale": number_property(1.0),
    }
    program = RawShader(name="Standard", properties=properties)
    material = painted(raw_material("Standard", keywords="_METALLICGLOSSMAP", program=program)).material
    assert (material.metallic, material.roughness) == (0.0, 1.0)


@pytest.mark.parametrize(
    ("default", "expected"), [("", 0.5), ("gray", 0.5), ("no such", 0.5), ("red", 1.0), ("White", 1.0), ("black", 0.0)]
)
def test_the_red_of_a_default(default: str, expected: float) -> None:
    program = RawShader(name="Autodesk Interactive", properties={"_SpecGlossMap": texture_property(default)})
    material = painted(raw_material("Autodesk Interactive", keywords="_SPECGLOSSMAP", program=program)).material
    assert material.roughness == expected


def test_a_red_default_has_no_green() -> None:
    program = RawShader(name=URP + "Complex Lit", properties={"_ClearCoatMap": texture_property("red")})
    coat = painted(raw_material(URP + "Complex Lit", keywords="_CLEARCOATMAP", program=program)).material.clearcoat
    assert coat is not None and (coat.factor, coat.roughness) == (1.0, 1.0)


def test_a_map_without_its_keyword_is_not_read() -> None:
    metal = data(1, [(102, 0, 0, 204)])
    raw = raw_material("Standard", textures=slots(_MetallicGlossMap=metal), floats={"_Glossiness": 0.25})
    material = painted(raw, metal).material
    assert (material.metallic, material.roughness, material.metallic_roughness_texture) == (0.0, 0.75, None)


def test_a_map_of_a_shader_known_by_properties_alone_is_read() -> None:
    metal = data(1, [(102, 0, 0, 204)])
    raw = raw_material(
        "Studio/StandardPlus",
        textures=slots(_MetallicGlossMap=metal) | {"_MainTex": EMPTY_SLOT},
        floats={"_Glossiness": 0.25, "_Metallic": 0.0},
        colors={"_Color": WHITE},
    )
    assert surface(painted(raw, metal)) == [[(255, 51, 102)]]


def test_planes_of_other_sizes_are_stretched_to_the_largest() -> None:
    metal = data(1, [(0, 0, 0, 255), (255, 0, 0, 255), (0, 0, 0, 255), (255, 0, 0, 255)])
    occlusion = data(2, [(0, 40, 0)], [(0, 80, 0)])
    raw = raw_material(
        "Standard",
        keywords="_METALLICGLOSSMAP",
        textures=slots(_MetallicGlossMap=metal, _OcclusionMap=occlusion),
    )
    pixels = painted(raw, metal, occlusion).pixels(painted(raw, metal, occlusion).material.metallic_roughness_texture)
    assert pixels.shape == (2, 4, 3)
    assert pixels[:, :, 0].tolist() == [[40] * 4, [80] * 4]
    assert pixels[:, :, 2].tolist() == [[0, 255, 0, 255]] * 2


def test_a_number_beside_a_map_stays_the_factor_of_a_full_channel() -> None:
    metal = data(1, [(102, 0, 0)])
    (row,) = parse_rules("""
[[family]]
shaders = "Studio/.*"
metallic = {map = "_Metal"}
smoothness = {number = "_Smooth"}
""")
    raw = raw_material("Studio/Iron", textures=slots(_Metal=metal), floats={"_Smooth": 0.25})
    result = painted(raw, metal, rules=(row,))
    assert surface(result) == [[(255, 255, 102)]]
    assert (result.material.metallic, result.material.roughness) == (1.0, 0.75)


def test_maps_of_other_tilings_do_not_share_an_image() -> None:
    surface_map, occlusion = data(1, [(0, 51, 102)]), data(2, [(77, 0, 0)])
    raw = raw_material(
        "glTF/PbrMetallicRoughness",
        textures={
            "metallicRoughnessTexture": slot((2.0, 2.0), of=surface_map),
            "occlusionTexture": slot((3.0, 3.0), of=occlusion),
        },
    )
    result = painted(raw, surface_map, occlusion)
    assert surface(result) == [[(255, 51, 102)]]
    use = result.material.occlusion_texture
    assert rows(result.pixels(use)) == [[(77, 77, 77)]]
    assert use is not None and use.scale == (3.0, 3.0)
    assert result.material.metallic_roughness_texture.scale == (2.0, 2.0)  # type: ignore[union-attr]


# --- specular colours -----------------------------------------------------------------------------------------------


def test_a_specular_colour_is_an_index_of_refraction_and_a_tint() -> None:
    """0.25 (137 sRGB would be 0.2502) reflects as (1 + 0.5) / (1 - 0.5) = 3, and 0.0625 as a quarter of that."""
    program = RawShader(
        name="Standard (Specular setup)",
        properties={"_SpecColor": color_property(flags=16), "_Glossiness": number_property(0.5)},
    )
    raw = raw_material("Standard (Specular setup)", colors={"_SpecColor": (0.25, 0.0625, 0.0, 1.0)}, program=program)
    result = painted(raw)
    assert result.material.ior == pytest.approx(3.0)
    assert result.material.specular is not None
    assert result.material.specular.color == (pytest.approx(1.0), pytest.approx(0.25), 0.0)
    assert result.material.specular.factor == 1.0
    assert result.material.metallic == 0.0
    (item,) = result.diagnostics.items
    assert item.code is codes.MATERIAL_SPECULAR
    assert item.data["error"] == pytest.approx(0.21)


def test_specular_colours_are_stored_in_gamma() -> None:
    raw = raw_material("Standard (Specular setup)", colors={"_SpecColor": (0.5, 0.5, 0.5, 1.0)})
    # 0.5 is 0.21404 linear, of a root of 0.46265
    assert painted(raw).material.ior == pytest.approx(1.46265 / 0.53735, abs=1e-4)


def test_a_specular_colour_of_gltfs_own_is_not_written() -> None:
    raw = raw_material("Standard (Specular setup)", colors={"_SpecColor": (0.22, 0.22, 0.22, 1.0)})
    result = painted(raw)
    assert (result.material.ior, result.material.specular, result.codes) == (None, None, [])


def test_a_black_specular_colour_reflects_nothing() -> None:
    raw = raw_material("Standard (Specular setup)", colors={"_SpecColor": (0.0, 0.0, 0.0, 1.0)})
    material = painted(raw).material
    assert material.ior is None
    assert material.specular is not None and material.specular.factor == 0.0


def test_a_specular_map_is_a_colour_map_and_its_alpha_the_smoothness() -> None:
    spec = picture(1, [(188, 64, 0, 204)])
    raw = raw_material(
        "Standard (Specular setup)",
        keywords="_SPECGLOSSMAP",
        textures=slots(_SpecGlossMap=spec),
        floats={"_GlossMapScale": 1.0},
        colors={"_SpecColor": (0.5, 0.0, 0.0, 1.0)},  # not read beside the map
    )
    result = painted(raw, spec)
    specular = result.material.specular
    assert specular is not None
    assert rows(result.pixels(specular.color_texture)) == [[(188, 64, 0)]]
    assert surface(result) == [[(255, 51, 255)]]
    assert result.material.metallic == 0.0
    # what reflects at normal incidence is ((ior - 1) / (ior + 1))^2 times the tint: here 1 times the map
    root = (result.material.ior - 1) / (result.material.ior + 1)  # type: ignore[operator]
    assert [channel * root**2 for channel in specular.color] == pytest.approx([1.0] * 3)


def test_urps_specular_workflow_needs_its_keyword() -> None:
    colors = {"_SpecColor": (0.5, 0.5, 0.5, 1.0)}
    assert painted(raw_material(URP + "Lit", colors=colors)).material.specular is None
    assert painted(raw_material(URP + "Lit", keywords="_SPECULAR_SETUP", colors=colors)).material.specular is not None


def test_in_urps_specular_workflow_smoothness_is_in_the_specular_map() -> None:
    spec, metal = picture(1, [(188, 64, 0, 204)]), data(2, [(255, 0, 0, 0)])
    raw = raw_material(
        URP + "Lit",
        keywords="_SPECULAR_SETUP _METALLICSPECGLOSSMAP",
        textures=slots(_SpecGlossMap=spec, _MetallicGlossMap=metal),
        floats={"_Smoothness": 0.5},
    )
    result = painted(raw, spec, metal)
    assert surface(result) == [[(255, 153, 255)]]
    assert result.material.metallic == 0.0


# --- normals --------------------------------------------------------------------------------------------------------


def normals(texture: RawTexture, *, shader: str = "Standard", name: str = "_BumpMap", gamma: bool = False) -> list:
    raw = raw_material(shader, keywords="_NORMALMAP", textures={name: slot(of=texture)})
    result = painted(raw, texture, gamma_project=gamma)
    return rows(result.pixels(result.material.normal_texture))


X, Y, Z = 179, 89, 237
"""x = 0.404 and y = -0.302 leave z = 0.863: 127.5 (z + 1) = 237.6, near enough to the Z of a plain map."""


def depth(x: int, y: int) -> int:
    rest = 1 - (x / 127.5 - 1) ** 2 - (y / 127.5 - 1) ** 2
    return round((max(rest, 0.0) ** 0.5 / 2 + 0.5) * 255)


@pytest.mark.parametrize(
    ("pixel", "usage"),
    [
        ((255, Y, 128, X), 3),  # DXT5nm
        ((255, Y, 0, X), 3),
        ((255, Y, 255, X), 0),  # the same layout where nothing is noted
        ((X, Y, 0, 255), 0),  # BC5
        ((X, Y, 0, 255), 3),
        ((X, Y, Z, 255), 4),  # plain
        ((X, Y, Z, 7), 4),  # plain, with something else in alpha
        ((X, Y, Z, 7), 0),  # unit vectors, with something else in alpha
        ((Y, Y, Y, X), 10),  # ASTC's own
        ((Y, Y, Y, X), 3),  # DXT5nm of Unity before 2017
        ((Y + 3, Y, Y - 5, X), 3),  # the same in DXT5's 5 and 6 bits
        ((X, Y, Z, 0), 4),
        ((X, Y, 0, 7), 4),  # plain by what is noted alone
    ],
)
def test_layouts_of_normal_maps(pixel: tuple[int, ...], usage: int) -> None:
    (row,) = normals(data(1, [pixel, pixel], [pixel, pixel], usage=usage))[:1]
    assert row == [(X, Y, depth(X, Y))] * 2


def test_depth_is_worked_out_and_never_below_the_surface() -> None:
    flat = data(1, [(128, 128, 0), (255, 255, 9), (255, 128, 0), (0, 128, 77)], usage=4)
    assert normals(flat) == [[(128, 128, 255), (255, 255, 128), (255, 128, 128), (0, 128, 128)]]


def test_a_full_red_is_no_plain_map() -> None:
    """(255, 128, 128, x) is of unit length, and would lie on its side everywhere."""
    texture = data(1, [(255, 128, 128, 128), (255, 128, 128, 140)], usage=0)
    assert [x for x, _, _ in normals(texture)[0]] == [128, 140]


def test_red_times_alpha() -> None:
    """Neither full: 200 x 179 / 255 = 140.4, as the game's own shaders multiply."""
    assert normals(data(1, [(200, 128, 0, 179), (10, 128, 0, 179)], usage=0))[0][0][0] == 140


def test_green_of_a_normal_map_is_not_turned() -> None:
    assert normals(data(1, [(128, 200, 0)], usage=4))[0][0][1] == 200


def test_a_normal_map_flagged_srgb_is_decoded_as_the_game_does() -> None:
    assert normals(picture(1, [(188, 128, 255)], usage=4)) == [[(128, 55, depth(128, 55))]]
    assert normals(picture(1, [(188, 128, 255)], usage=4), gamma=True) == [[(188, 128, depth(188, 128))]]
    # alpha is never decoded
    assert normals(picture(1, [(255, 188, 255, 188)], usage=3)) == [[(188, 128, depth(188, 128))]]


def test_optimised_trees_keep_normals_in_alpha_and_green() -> None:
    """Red holds the gloss."""
    texture = data(1, [(40, Y, 50, X)], usage=0)
    assert normals(texture, shader="Hidden/Nature/Tree Creator Leaves Optimized", name="_BumpSpecMap") == [
        [(X, Y, depth(X, Y))]
    ]


@pytest.mark.parametrize(
    ("shader", "keywords", "name", "floats", "scale"),
    [
        ("Standard", "_NORMALMAP", "_BumpMap", {"_BumpScale": 0.5}, 0.5),
        ("Standard", "_NORMALMAP", "_BumpMap", {}, 1.0),
        ("Standard", "_NORMALMAP", "_BumpMap", {"_BumpScale": -2.0}, -2.0),
        ("Standard", "", "_BumpMap", {"_BumpScale": 0.5}, None),
        ("HDRP/Lit", "_NORMALMAP", "_NormalMap", {"_NormalScale": 3.0, "_BumpScale": 9.0}, 3.0),
        ("Legacy Shaders/Bumped Diffuse", "", "_BumpMap", {"_BumpScale": 0.5}, 1.0),
        ("lilToon", "", "_BumpMap", {"_UseBumpMap": 1, "_BumpScale": 0.5}, 0.5),
        ("lilToon", "", "_BumpMap", {"_UseBumpMap": 0, "_BumpScale": 0.5}, None),
        ("glTF/PbrMetallicRoughness", "", "normalTexture", {"normalScale": 0.25}, 0.25),
    ],
)
def test_when_normal_maps_are_read_and_their_scale(
    shader: str, keywords: str, name: str, floats: dict[str, float], scale: float | None
) -> None:
    texture = data(1, [(128, 128, 255)])
    raw = raw_material(shader, keywords=keywords, textures={name: slot(of=texture)}, floats=floats)
    material = painted(raw, texture).material
    assert (material.normal_texture is not None) is (scale is not None)
    assert material.normal_scale == (1.0 if scale is None else scale)


# --- emission -------------------------------------------------------------------------------------------------------


def test_emission_is_the_colour_times_the_map() -> None:
    glow = picture(1, [(188, 64, 255, 9)])
    raw = raw_material(
        "Standard",
        keywords="_EMISSION",
        textures=slots(_EmissionMap=glow),
        colors={"_EmissionColor": (0.5, 1.0, 0.0, 1.0)},
    )
    result = painted(raw, glow)
    assert rows(result.pixels(result.material.emissive_texture)) == [[(188, 64, 255)]]
    assert result.material.emissive == (pytest.approx(0.21404, abs=1e-5), 1.0, 0.0)


@pytest.mark.parametrize(
    ("shader", "expected"),
    [
        ("Standard", (2.0**2.2, 0.21404114, 0.0)),  # gamma: a power of 2.2 above 1
        (URP + "Lit", (2.0, 0.5, 0.0)),  # marked [HDR]: linear as it is
    ],
)
def test_emission_above_one(shader: str, expected: tuple[float, float, float]) -> None:
    raw = raw_material(shader, keywords="_EMISSION", colors={"_EmissionColor": (2.0, 0.5, 0.0, 1.0)})
    assert painted(raw).material.emissive == pytest.approx(expected)


@pytest.mark.parametrize(("flags", "expected"), [(0, 0.21404114), (16, 0.5), (16 | 2, 0.5), (8, 0.21404114)])
@pytest.mark.parametrize("shader", ["Standard", URP + "Lit"])
def test_the_shaders_hdr_mark_decides(shader: str, flags: int, expected: float) -> None:
    program = RawShader(name=shader, properties={"_EmissionColor": color_property(flags=flags)})
    colors = {"_EmissionColor": (0.5, 0.0, 0.0, 1.0)}
    material = painted(raw_material(shader, keywords="_EMISSION", colors=colors, program=program)).material
    assert material.emissive[0] == pytest.approx(expected)


@pytest.mark.parametrize(
    ("shader", "switch", "number", "mask_name"),
    [
        ("lilToon", "_UseEmission", "_EmissionBlend", "_EmissionBlendMask"),
        (".poiyomi/Poiyomi Toon", "_EnableEmission", "_EmissionStrength", "_EmissionMask"),
    ],
)
def test_masks_of_emission(shader: str, switch: str, number: str, mask_name: str) -> None:
    """The mask multiplies linear colours: 188 is 0.5029, times 102 / 255 is 0.2012, which is 124 in sRGB."""
    glow, mask = picture(1, [(188, 255, 0)]), data(2, [(102, 9, 9)])
    raw = raw_material(
        shader,
        textures={"_EmissionMap": slot(of=glow), mask_name: slot(of=mask)},
        floats={switch: 1.0, number: 0.5},
        colors={"_EmissionColor": (1.0, 0.5, 0.0, 1.0)},
    )
    result = painted(raw, glow, mask)
    assert rows(result.pixels(result.material.emissive_texture)) == [[(124, 170, 0)]]
    assert result.material.emissive == (0.5, 0.25, 0.0)
    assert codes.MATERIAL_PARTS_LEFT.name not in result.codes
    off = painted(raw_material(shader, textures=raw.textures, floats={switch: 0.0}, colors=raw.colors), glow, mask)
    assert off.material.emissive == (0.0, 0.0, 0.0)
    assert off.images == []


@pytest.mark.parametrize("unset", [{"_EmissionMap": EMPTY_SLOT}, {}], ids=["unset", "no slot"])
@pytest.mark.parametrize(
    ("shader", "switch", "mask_name"),
    [("lilToon", "_UseEmission", "_EmissionBlendMask"), (".poiyomi/Toon", "_EnableEmission", "_EmissionMask")],
)
def test_a_mask_of_emission_without_a_map(shader: str, switch: str, mask_name: str, unset: Slots) -> None:
    """102 / 255 is 0.4 linear, 170 in sRGB."""
    mask = data(1, [(102, 0, 0), (255, 0, 0)])
    raw = raw_material(
        shader, textures={**unset, **slots(**{mask_name: mask})}, floats={switch: 1.0}, colors={"_EmissionColor": WHITE}
    )
    result = painted(raw, mask)
    assert rows(result.pixels(result.material.emissive_texture)) == [[(170, 170, 170), (255, 255, 255)]]
    assert result.material.emissive == (1.0, 1.0, 1.0)
    assert codes.MATERIAL_PARTS_LEFT.name not in result.codes


def test_a_mask_that_cannot_be_had_leaves_the_emission_dark() -> None:
    raw = raw_material(
        "lilToon",
        textures=slots(_EmissionBlendMask=data(1, [(102, 0, 0)])),
        floats={"_UseEmission": 1.0},
        colors={"_EmissionColor": WHITE},
    )
    result = painted(raw)
    assert rows(result.pixels(result.material.emissive_texture)) == [[(0, 0, 0)]]


def test_self_illumination_without_a_base_texture() -> None:
    glow = data(1, [(9, 9, 9, 102)])
    textures = {"_MainTex": EMPTY_SLOT, **slots(_Illum=glow)}
    raw = raw_material("Legacy Shaders/Self-Illumin/Diffuse", textures=textures, colors={"_Color": WHITE})
    result = painted(raw, glow)
    assert rows(result.pixels(result.material.emissive_texture)) == [[(170, 170, 170)]]


def test_a_negative_strength_of_emission_is_none() -> None:
    floats = {"_UseEmission": 1.0, "_EmissionBlend": -1.0}
    result = painted(raw_material("lilToon", floats=floats, colors={"_EmissionColor": WHITE}))
    assert result.material.emissive == (0.0, 0.0, 0.0)
    (item,) = (item for item in result.diagnostics.items if item.code is codes.MATERIAL_VALUE_FIXED)
    assert item.data == {"property": "_EmissionBlend", "stored": -1.0}


def test_self_illumination_is_the_base_colour_by_the_alpha_of_its_map() -> None:
    base, glow = picture(1, [(188, 255, 0)]), data(2, [(9, 9, 9, 102)])
    raw = raw_material(
        "Legacy Shaders/Self-Illumin/Diffuse",
        textures=slots(_MainTex=base, _Illum=glow),
        colors={"_Color": (0.5, 1.0, 1.0, 1.0)},
    )
    result = painted(raw, base, glow)
    assert rows(result.pixels(result.material.emissive_texture)) == [[(124, 170, 0)]]
    assert result.material.emissive == (pytest.approx(0.21404, abs=1e-5), 1.0, 1.0)
    assert rows(result.pixels(result.material.base_color_texture)) == [[(188, 255, 0)]]


def test_a_black_emission_asks_for_no_image() -> None:
    glow = picture(1, [(188, 64, 255)])
    raw = raw_material(
        "Standard",
        keywords="_EMISSION",
        textures=slots(_EmissionMap=glow),
        colors={"_EmissionColor": (0.0, 0.0, 0.0, 1.0)},
    )
    assert painted(raw, glow).images == []


# --- colour spaces --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("space", "gamma", "expected"),
    [(SRGB, False, 128), (None, False, 128), (LINEAR, False, 188), (LINEAR, True, 128), (SRGB, True, 128)],
)
def test_base_colours_are_written_in_srgb(space: int | None, gamma: bool, expected: int) -> None:
    """128 of a texture flagged linear is 0.502, which is 188 in sRGB."""
    base = picture(1, [(128, 0, 255, 128)], color_space=space)
    raw = raw_material("Sprites/Default", textures=slots(_MainTex=base))
    result = painted(raw, base, gamma_project=gamma)
    assert rows(result.pixels(result.material.base_color_texture)) == [[(expected, 0, 255, 128)]]


@pytest.mark.parametrize("name", ["_OcclusionMap", "_BumpMap"])
def test_data_flagged_srgb_is_told_with_its_place(name: str) -> None:
    texture = picture(1, [(1, 2, 3)], color_space=SRGB)
    result = painted(raw_material("Standard", keywords="_NORMALMAP", textures=slots(**{name: texture})), texture)
    (item,) = (item for item in result.diagnostics.items if item.code is codes.TEXTURE_SRGB_DATA)
    assert (item.where, item.source) == (texture.source.place("map 1"), texture.source)


@pytest.mark.parametrize(
    ("space", "gamma", "expected"),
    [(SRGB, False, 128), (None, False, 188), (LINEAR, False, 188), (SRGB, True, 188)],
)
def test_data_flagged_srgb_is_decoded_as_the_game_does(space: int | None, gamma: bool, expected: int) -> None:
    metal = picture(1, [(188, 0, 0, 188)], color_space=space)
    occlusion = picture(2, [(0, 188, 0)], color_space=space)
    raw = raw_material(
        "Standard",
        keywords="_METALLICGLOSSMAP",
        textures=slots(_MetallicGlossMap=metal, _OcclusionMap=occlusion),
    )
    # alpha is not of a colour: 255 - 188
    assert surface(painted(raw, metal, occlusion, gamma_project=gamma)) == [[(expected, 67, expected)]]


# --- alpha ----------------------------------------------------------------------------------------------------------

PREMULTIPLIED = "Particles/Alpha Blended Premultiply"


def test_colours_stored_times_alpha_are_divided_by_it() -> None:
    """100 at alpha 128 is 199.2; what is opaque or nothing stays."""
    base = picture(1, [(100, 0, 128, 128), (10, 20, 30, 255), (0, 0, 0, 0)])
    result = painted(raw_material(PREMULTIPLIED, textures=slots(_MainTex=base)), base)
    assert rows(result.pixels(result.material.base_color_texture)) == [
        [(199, 0, 255, 128), (10, 20, 30, 255), (0, 0, 0, 0)]
    ]
    (item,) = [item for item in result.diagnostics.items if item.code is codes.TEXTURE_PREMULTIPLIED]
    assert item.data["pixels"] == 1


def test_colours_that_exceed_alpha_were_not_stored_times_it() -> None:
    base = picture(1, [(100, 0, 129, 128), (10, 20, 30, 255)])
    result = painted(raw_material(PREMULTIPLIED, textures=slots(_MainTex=base)), base)
    assert rows(result.pixels(result.material.base_color_texture)) == [[(100, 0, 129, 128), (10, 20, 30, 255)]]
    assert codes.TEXTURE_PREMULTIPLIED.name not in result.codes


@pytest.mark.parametrize(
    ("shader", "blend", "keywords", "divided"),
    [
        (PREMULTIPLIED, None, "", True),
        ("Spine/Skeleton", None, "", True),
        ("Sprites/Default", None, "", False),
        ("Studio/Smoke", (1.0, 10.0), "", True),  # the pass adds colours that alpha has not touched
        ("Studio/Smoke", (5.0, 10.0), "", False),
        ("Studio/Smoke", (1.0, 10.0), "_ALPHAPREMULTIPLY_ON", False),  # the program does it
        ("Studio/Smoke", (1.0, 0.0), "", False),
        ("Studio/Premultiplied Smoke", None, "_ALPHABLEND_ON", True),
    ],
)
def test_which_shaders_read_colours_times_alpha(
    shader: str, blend: tuple[float, float] | None, keywords: str, divided: bool
) -> None:
    base = picture(1, [(100, 0, 64, 128)])
    first = None if blend is None else drawing(source=blend[0], destination=blend[1])
    program = None if first is None else RawShader(name=shader, first_pass=first)
    raw = raw_material(shader, keywords=keywords, textures=slots(_MainTex=base), program=program)
    result = painted(raw, base)
    assert result.pixels(result.material.base_color_texture)[0, 0, 0] == (199 if divided else 100)


@pytest.mark.parametrize(("keywords", "alpha"), [("_ALPHATEST_ON", 77), ("", None)])
def test_alpha_from_a_clipping_mask(keywords: str, alpha: int | None) -> None:
    base, mask = picture(1, [(1, 2, 3), (1, 2, 3)]), data(2, [(77, 5, 5), (200, 5, 5)])
    raw = raw_material(
        "UnityChanToonShader/Toon_DoubleShadeWithFeather_Clipping",
        keywords=keywords,
        textures=slots(_MainTex=base, _ClippingMask=mask),
    )
    result = painted(raw, base, mask)
    pixels = result.pixels(result.material.base_color_texture)
    assert pixels[0, 0].tolist() == [1, 2, 3, *([] if alpha is None else [alpha])]


def test_a_clipping_mask_has_the_base_textures_size() -> None:
    base = picture(1, [(1, 2, 3)])
    mask = data(2, [(10, 0, 0), (20, 0, 0)], [(30, 0, 0), (40, 0, 0)])
    raw = raw_material(
        "UnityChanToonShader/X", keywords="_ALPHATEST_ON", textures=slots(_MainTex=base, _ClippingMask=mask)
    )
    result = painted(raw, base, mask)
    assert rows(result.pixels(result.material.base_color_texture)) == [[(1, 2, 3, 25)]]


@pytest.mark.parametrize(
    ("floats", "expected"),
    [
        ({}, [0, 128, 255]),
        ({"_AlphaRemapMin": 0.2, "_AlphaRemapMax": 0.6}, [51, 102, 153]),
        ({"_AlphaRemapMin": 1.0, "_AlphaRemapMax": 0.0}, [255, 127, 0]),
    ],
)
def test_hdrps_range_of_alpha(floats: dict[str, float], expected: list[int]) -> None:
    base = picture(1, [(1, 2, 3, 0), (1, 2, 3, 128), (1, 2, 3, 255)])
    raw = raw_material("HDRP/Lit", textures=slots(_BaseColorMap=base), floats={"_SurfaceType": 1.0, **floats})
    result = painted(raw, base)
    assert result.material.alpha_mode is AlphaMode.BLEND
    assert result.pixels(result.material.base_color_texture)[0, :, 3].tolist() == expected


@pytest.mark.parametrize("textured", [True, False])
@pytest.mark.parametrize(
    ("low", "high", "expected"), [(0.5, 1.0, 0.75), (0.0, 0.5, 0.25), (0.0, 1.5, 0.75), (1.0, 0.0, 0.5)]
)
def test_hdrps_range_of_alpha_comes_after_the_factor(low: float, high: float, expected: float, textured: bool) -> None:
    """lerp(low, high, map x colour), LitDataIndividualLayer.hlsl."""
    base = picture(1, [(1, 2, 3, 255)])
    raw = raw_material(
        "HDRP/Lit",
        textures={"_BaseColorMap": slot(of=base) if textured else EMPTY_SLOT},
        floats={"_SurfaceType": 1.0, "_AlphaRemapMin": low, "_AlphaRemapMax": high},
        colors={"_BaseColor": (1.0, 1.0, 1.0, 0.5)},
    )
    result = painted(raw, base)
    stored = result.pixels(result.material.base_color_texture)[0, 0].tolist() if textured else []
    alpha = (stored[3] if len(stored) == 4 else 255) / 255 * result.material.base_color[3]
    assert alpha == pytest.approx(expected, abs=0.003)


UTS = "UnityChanToonShader/Toon_DoubleShadeWithFeather_Clipping"


@pytest.mark.parametrize(
    ("level", "cutoff"), [(0.0, 0.5), (0.2, 0.3), (1.0, 0.0), (-0.25, 0.75), (-9.0, 1.0), (float("nan"), 0.5)]
)
def test_clipping_level_of_uts(level: float, cutoff: float) -> None:
    """It clips where mask + level < 0.5."""
    material = painted(raw_material(UTS, tag="TransparentCutout", floats={"_Clipping_Level": level})).material
    assert material.alpha_cutoff == pytest.approx(cutoff)


@pytest.mark.parametrize(
    ("floats", "expected"),
    [
        ({}, 77),
        ({"_Inverse_Clipping": 1.0}, 178),
        ({"_IsBaseMapAlphaAsClippingMask": 1.0}, 200),
        ({"_IsBaseMapAlphaAsClippingMask": 1.0, "_Inverse_Clipping": 1.0}, 55),
    ],
)
def test_what_uts_clips_by(floats: dict[str, float], expected: int) -> None:
    """The mask alone, neither the texture's nor the colour's alpha."""
    base, mask = picture(1, [(1, 2, 3, 200)]), data(2, [(77, 5, 5)])
    raw = raw_material(
        UTS,
        keywords="_ALPHATEST_ON",
        textures=slots(_MainTex=base, _ClippingMask=mask),
        floats=floats,
        colors={"_BaseColor": (1.0, 1.0, 1.0, 0.25)},
    )
    result = painted(raw, base, mask)
    assert rows(result.pixels(result.material.base_color_texture)) == [[(1, 2, 3, expected)]]
    assert result.material.base_color[3] == 1.0


def test_a_clipping_mask_that_is_not_set_is_white() -> None:
    base = picture(1, [(1, 2, 3, 200)])
    textures = {**slots(_MainTex=base), "_ClippingMask": EMPTY_SLOT}
    result = painted(raw_material(UTS, keywords="_ALPHATEST_ON", textures=textures), base)
    assert rows(result.pixels(result.material.base_color_texture)) == [[(1, 2, 3)]]


def test_an_opaque_texture_has_no_alpha() -> None:
    base = picture(1, [(1, 2, 3)])
    result = painted(raw_material("Sprites/Default", textures=slots(_MainTex=base)), base)
    assert result.pixels(result.material.base_color_texture).shape == (1, 1, 3)


# --- unlit ----------------------------------------------------------------------------------------------------------


def test_what_only_light_shows_is_not_made_for_an_unlit_material() -> None:
    base, bump = picture(1, [(1, 2, 3)]), data(2, [(128, 128, 255)])
    raw = raw_material(URP + "Unlit", keywords="_NORMALMAP _EMISSION", textures=slots(_BaseMap=base, _BumpMap=bump))
    result = painted(raw, base, bump)
    assert [recipe.textures for recipe in result.recipes] == [(base.source,)]
    assert result.material.normal_texture is None


HALF_RED, BLACK = (0.5, 0.0, 0.0, 1.0), (0.0, 0.0, 0.0, 1.0)


def unlit(
    base: tuple[float, ...],
    glow: tuple[float, ...],
    *,
    keywords: str = "_EMISSIVE_COLOR_MAP",
    floats: dict[str, float] | None = None,
    **maps: RawTexture,
) -> Painted:
    """An HDRP/Unlit material; its emission is linear."""
    colors = {"_UnlitColor": base, "_EmissiveColor": glow}
    textures = {"_UnlitColorMap": EMPTY_SLOT, "_EmissiveColorMap": EMPTY_SLOT, **slots(**maps)}
    raw = raw_material("HDRP/Unlit", keywords=keywords, textures=textures, floats=floats, colors=colors)  # type: ignore[arg-type]
    return painted(raw, *maps.values())


def test_unlit_emission_without_maps_is_added() -> None:
    result = unlit((0.0, 0.5, 1.0, 1.0), HALF_RED)
    assert result.material.base_color == (0.5, pytest.approx(0.21404, abs=1e-5), 1.0, 1.0)
    assert result.material.emissive == (0.0, 0.0, 0.0)
    assert "_UnlitColor" not in result.material.properties  # it is a part of the factor alone
    assert result.codes == []


def test_unlit_emission_beyond_white_is_cut_and_reported() -> None:
    result = unlit(BLACK, (0.5, 4.0, 0.0, 1.0))
    assert result.material.base_color == (0.5, 1.0, 0.0, 1.0)
    (item,) = result.diagnostics.items
    assert (item.code, item.data["property"]) == (codes.MATERIAL_VALUE_FIXED, "_EmissiveColor")


def test_unlit_emission_by_the_base_texture_is_added() -> None:
    base = picture(1, [(9, 8, 7)])
    result = unlit((0.0, 0.0, 1.0, 1.0), HALF_RED, _UnlitColorMap=base, _EmissiveColorMap=base)
    assert result.material.base_color == (0.5, 0.0, 1.0, 1.0)
    assert rows(result.pixels(result.material.base_color_texture)) == [[(9, 8, 7)]]
    assert (len(result.images), result.codes) == (1, [])


def test_a_black_unlit_surface_is_its_emission() -> None:
    base, glow = picture(1, [(9, 8, 7)]), picture(2, [(1, 2, 3)])
    result = unlit(BLACK, HALF_RED, _UnlitColorMap=base, _EmissiveColorMap=glow)
    assert result.material.base_color == HALF_RED
    assert rows(result.pixels(result.material.base_color_texture)) == [[(1, 2, 3)]]
    assert result.codes == []


@pytest.mark.parametrize("floats", [{}, {"_SurfaceType": 1.0}])
def test_unlit_emission_that_has_no_place_is_reported(floats: dict[str, float]) -> None:
    base, glow = picture(1, [(9, 8, 7)]), picture(2, [(1, 2, 3)])
    color = BLACK if floats else WHITE  # what is blended shows what is behind it, too
    result = unlit(color, HALF_RED, floats=floats, _UnlitColorMap=base, _EmissiveColorMap=glow)
    assert result.material.base_color == color
    (item,) = result.diagnostics.items
    assert item.code is codes.MATERIAL_PARTS_LEFT
    assert item.data["numbers"] == {"_EmissiveColor": [0.5, 0.0, 0.0]}
    assert [entry["slot"] for entry in item.data["slots"]] == ["_EmissiveColorMap"]


def test_emission_that_vertex_colours_do_not_multiply_is_reported() -> None:
    colors = {"_Color": BLACK, "_EmissionColor": WHITE}
    result = painted(raw_material("Particles/Standard Unlit", keywords="_EMISSION", colors=colors))
    assert result.material.base_color == BLACK
    (item,) = result.diagnostics.items
    assert item.data == {"slots": [], "numbers": {"_EmissionColor": [1.0, 1.0, 1.0]}}


# --- what the mark of a number and the width of a highlight come to -----------------------------------------------


@pytest.mark.parametrize(("flags", "expected"), [(0, 0.5), (32, 0.21404114), (32 | 1, 0.21404114)])
@pytest.mark.parametrize("shader", ["Standard", URP + "Lit"])
def test_the_shaders_gamma_mark_decides(shader: str, flags: int, expected: float) -> None:
    program = RawShader(name=shader, properties={"_Metallic": number_property(0.0, flags=flags)})
    material = painted(raw_material(shader, floats={"_Metallic": 0.5}, program=program)).material
    assert material.metallic == pytest.approx(expected)
    assert (
        painted(raw_material(shader, floats={"_Metallic": 0.5}, program=program), gamma_project=True).material.metallic
        == 0.5
    )


@pytest.mark.parametrize(
    ("shader", "keywords", "number", "stored", "roughness"),
    [
        # alpha^2 = 2 / (n + 2), and alpha is the square of the roughness: n = 30 is (1 / 16)^(1 / 4)
        ("Legacy Shaders/Specular", "", "_Shininess", 30 / 128, 0.5),
        ("Mobile/Bumped Specular", "", "_Shininess", 0.0, 1.0),
        (URP + "Simple Lit", "_SPECULAR_COLOR", "_Smoothness", 0.0, 0.5**0.25),  # n = 2
        (URP + "Simple Lit", "", "_Smoothness", 0.9, 1.0),  # no highlight
    ],
)
def test_the_width_of_a_phong_highlight(
    shader: str, keywords: str, number: str, stored: float, roughness: float
) -> None:
    material = painted(raw_material(shader, keywords=keywords, floats={number: stored})).material
    assert material.roughness == pytest.approx(roughness)


def test_only_blended_colours_are_divided_by_alpha() -> None:
    base = picture(1, [(100, 0, 64, 128)])
    raw = raw_material("Studio/Premultiplied Leaf", keywords="_ALPHATEST_ON", textures=slots(_MainTex=base))
    result = painted(raw, base)
    assert result.material.alpha_mode is AlphaMode.MASK
    assert rows(result.pixels(result.material.base_color_texture)) == [[(100, 0, 64, 128)]]
