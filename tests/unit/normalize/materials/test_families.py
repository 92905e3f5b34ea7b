"""The table of shader families: every row is reached, and by the right shaders."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from tests.builders.surfaces import (
    EMPTY_SLOT,
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
from unity2gltf.diagnostics import Diagnostics
from unity2gltf.ir import AlphaMode
from unity2gltf.normalize.materials.columns import Family
from unity2gltf.normalize.materials.declared import as_declared
from unity2gltf.normalize.materials.families import FAMILIES
from unity2gltf.normalize.materials.family import find_family
from unity2gltf.normalize.materials.infer import UNKNOWN
from unity2gltf.raw import RawMaterial, RawShader, RawShaderProperty

URP, LWRP = "Universal Render Pipeline/", "Lightweight Render Pipeline/"
LEGACY = "Legacy Shaders/"
WHITE, RED = (1.0, 1.0, 1.0, 1.0), (1.0, 0.0, 0.0, 1.0)

ROWS = {
    "Standard": "Standard",
    "Standard (Specular setup)": "Standard (Specular setup)",
    "Standard (Roughness setup)": "Standard (Roughness setup)",
    "Autodesk Interactive": "Standard (Roughness setup)",
    "ProBuilder/Standard Vertex Color": "Standard with vertex colours",
    URP + "Lit": "URP Lit",
    URP + "Complex Lit": "URP Lit",
    LWRP + "Lit": "URP Lit",
    URP + "Simple Lit": "URP Simple Lit",
    LWRP + "Simple Lit": "URP Simple Lit",
    URP + "Baked Lit": "URP Baked Lit",
    URP + "Unlit": "URP Unlit",
    URP + "Autodesk Interactive/Autodesk Interactive": "URP Autodesk Interactive",
    "LightweightPipeline/Standard (Physically Based)": "LWRP Standard",
    URP + "Particles/Lit": "URP particles",
    URP + "Particles/Simple Lit": "URP particles",
    URP + "Particles/Unlit": "URP particles, unlit",
    URP + "2D/Sprite-Lit-Default": "lit sprites and UI",
    URP + "2D/Sprite-Unlit-Default": "sprites and UI",
    URP + "Nature/SpeedTree8": "SpeedTree 8",
    "HDRP/Lit": "HDRP Lit",
    "HDRP/LitTessellation": "HDRP Lit",
    "HDRenderPipeline/Lit": "HDRP Lit",
    "HDRP/LayeredLit": "HDRP LayeredLit",
    "HDRP/Decal": "HDRP, other lit",
    "HDRP/Unlit": "HDRP Unlit",
    LEGACY + "Diffuse": "legacy",
    "Diffuse": "legacy",
    LEGACY + "Bumped Diffuse": "legacy",
    LEGACY + "Transparent/Cutout/Diffuse": "legacy",
    LEGACY + "Transparent/Diffuse": "legacy",
    LEGACY + "Specular": "legacy specular",
    LEGACY + "Bumped Specular": "legacy specular",
    LEGACY + "VertexLit": "legacy vertex-lit",
    LEGACY + "Transparent/VertexLit": "legacy vertex-lit",
    LEGACY + "Self-Illumin/Diffuse": "legacy self-illuminated",
    LEGACY + "Transparent/Cutout/Soft Edge Unlit": "legacy unlit",
    LEGACY + "Particles/Additive": "particles",
    LEGACY + "Particles/Alpha Blended": "particles",
    "Particles/Additive": "particles",
    "Particles/Alpha Blended": "particles",
    "Particles/Additive (Soft)": "particles without tint",
    "Particles/Alpha Blended Premultiply": "premultiplied particles",
    "Particles/VertexLit Blended": "lit particles",
    "Particles/Standard Unlit": "Standard particles, unlit",
    "Particles/Standard Surface": "Standard particles",
    "Mobile/Particles/Additive": "particles without tint",
    "Mobile/Particles/Alpha Blended": "particles without tint",
    "Mobile/Diffuse": "mobile",
    "Mobile/VertexLit": "mobile",
    "Mobile/VertexLit (Only Directional Lights)": "mobile",
    "Mobile/Bumped Diffuse": "mobile bumped",
    "Mobile/Bumped Specular": "mobile bumped specular",
    "Mobile/Unlit (Supports Lightmap)": "unlit texture",
    "Mobile/Skybox": "sky",
    "Skybox/6 Sided": "sky",
    "Skybox/Cubemap": "sky",
    "Unlit/Texture": "unlit texture",
    "Unlit/Transparent": "unlit texture",
    "Unlit/Transparent Cutout": "unlit texture",
    "Unlit/Color": "unlit colour",
    "ProBuilder/UnlitVertexColor": "unlit with vertex colours",
    "Sprites/Default": "sprites and UI",
    "Sprites/Mask": "sprites and UI",
    "Sprites/Diffuse": "lit sprites and UI",
    "UI/Default": "sprites and UI",
    "UI/Lit/Transparent": "lit sprites and UI",
    "Spine/Skeleton": "Spine",
    "TextMeshPro/Distance Field": "text",
    "TextMeshPro/Mobile/Distance Field": "text",
    "TextMeshPro/Sprite": "sprites and UI",
    "TextMeshPro/Distance Field (Surface)": "lit text",
    "GUI/Text Shader": "text",
    "Nature/Terrain/Diffuse": "nature",
    "Nature/Tree Creator Bark": "nature",
    "Nature/Tree Creator Leaves": "tree leaves",
    "Hidden/Nature/Tree Soft Occlusion Leaves Rendertex": "tree leaves",
    "Nature/SpeedTree": "SpeedTree",
    "Nature/SpeedTree8": "SpeedTree 8",
    "VRM/MToon": "MToon",
    "VRM10/MToon10": "MToon",
    "VRM/UnlitTexture": "VRM unlit",
    "UniGLTF/UniUnlit": "VRM unlit",
    "lilToon": "lilToon",
    "Hidden/lilToonTransparent": "lilToon",
    "_lil/lilToonMulti": "lilToon",
    ".poiyomi/Poiyomi Toon": "Poiyomi",
    "Hidden/Locked/.poiyomi/Poiyomi Pro/abc": "Poiyomi",
    "UnityChanToonShader/Toon_ShadingGradeMap": "Unity Toon Shader",
    "Toon": "Unity Toon Shader",
    "Toon/Lit": "Unity Toon Shader",
    "Toon (Tessellation)": "Unity Toon Shader",
    URP + "Toon": "Unity Toon Shader",
    "HDRP/Toon": "Unity Toon Shader",
    "Toony Colors Pro 2/Hybrid Shader": "toon with URP's properties",
    "Toony Colors Pro 2/Legacy/Desktop": "toon",
    "FlatKit/Stylized Surface": "toon with URP's properties",
    "arktoon/Opaque": "toon",
    "MMD4Mecanim/MMDLit": "toon",
    "glTF/PbrMetallicRoughness": "glTF",
    "Shader Graphs/glTF-pbrMetallicRoughness": "glTF",
    "UnityGLTF/PBRGraph": "glTF",
    "glTF/Unlit": "glTF unlit",
    "Studio/Stone": "unknown",
    "Shader Graphs/Master": "unknown",
    "Hidden/InternalErrorShader": "unknown",
    "Standard/Double Sided": "unknown",
    "MyStandard": "unknown",
    "HDRP/TerrainLit": "unknown",
}


def family_of(raw: RawMaterial, rules: tuple[Family, ...] = ()) -> Family:
    return find_family(raw, rules, Diagnostics())


@pytest.mark.parametrize(("shader", "row"), list(ROWS.items()))
def test_the_row_of_a_shader(shader: str, row: str) -> None:
    assert family_of(raw_material(shader)).name == row


def test_every_row_is_reached_by_a_name() -> None:
    assert {family.name for family in FAMILIES} == set(ROWS.values()) - {"unknown"}


def test_names_are_matched_whole_and_in_any_case() -> None:
    assert family_of(raw_material("standard")).name == "Standard"
    assert family_of(raw_material("unlit/TEXTURE")).name == "unlit texture"
    assert family_of(raw_material("Unlit/Texture Plus")).name == "unknown"
    assert family_of(raw_material("My Unlit/Texture")).name == "unknown"
    assert family_of(raw_material("")).name == "unknown"


def with_properties(names: frozenset[str]) -> RawMaterial:
    """A material that has these properties, in the group that their names call for."""
    colors = {
        name: WHITE for name in names if name.endswith(("Color", "colorFactor", "ColorFactor", "_HColor", "_SColor"))
    }
    maps = {name for name in names if name.endswith(("Tex", "Map", "Map0", "Texture", "Ramp", "Coord"))}
    textures = {name: EMPTY_SLOT for name in maps - colors.keys()}
    floats = {name: 0.0 for name in names - colors.keys() - textures.keys()}
    return raw_material(None, textures=textures, floats=floats, colors=colors)


SIGNED = [(family, group) for family in FAMILIES for group in family.signature]


@pytest.mark.parametrize(
    ("family", "group"), SIGNED, ids=lambda item: getattr(item, "name", None) or "-".join(sorted(item))
)
def test_every_signature_tells_its_row(family: Family, group: frozenset[str]) -> None:
    """With the row's base texture, a group tells the row by itself, and says so."""
    raw = with_properties(group | set(family.textures[:1]))
    diagnostics = Diagnostics()
    assert find_family(raw, (), diagnostics).name == family.name
    (item,) = diagnostics.items
    assert item.code is codes.MATERIAL_SHADER_BY_PROPERTIES
    assert item.data["family"] == family.name
    for name in group:
        less = with_properties((group | set(family.textures[:1])) - {name})
        assert family_of(less).name != family.name or any(other <= (group - {name}) for other in family.signature)


def test_rules_come_before_the_table() -> None:
    mine = Family(name="mine", shaders="Standard", colors=("_Mine",))
    assert family_of(raw_material("Standard"), (mine,)) is mine
    assert family_of(raw_material("Unlit/Texture"), (mine,)).name == "unlit texture"
    second = Family(name="second", shaders=".*")
    assert family_of(raw_material("Standard"), (mine, second)) is mine
    by_properties = Family(name="signed", shaders="(?!)", signature=(frozenset({"_MainTex"}),))
    properties = {"_MainTex": EMPTY_SLOT}
    floats = {"_Glossiness": 0.5, "_Metallic": 0.0}
    raw = raw_material(None, textures=properties, floats=floats, colors={"_Color": WHITE})
    assert family_of(raw).name == "Standard"
    assert family_of(raw, (by_properties,)) is by_properties


# --- shaders that no row speaks of ----------------------------------------------------------------------------------


def main_of(raw: RawMaterial) -> str | None:
    return next(iter(family_of(raw).textures), None)


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ("_BaseMap _MainTex", "_BaseMap"),
        ("_Diffuse _Normal _Mask", "_Diffuse"),
        ("_Noise _GroundAlbedo", "_GroundAlbedo"),
        ("_BaseNormal _BaseTex1", "_BaseTex1"),
        ("_BumpMap _Texture0", "_Texture0"),
        ("_Other _MetalAlbedo", "_MetalAlbedo"),  # of what it is the albedo
        ("_Other _RoughWoodDiffuse", "_RoughWoodDiffuse"),
        ("_Other _LightMetalBaseColorMap", "_LightMetalBaseColorMap"),
        ("_Other _DetailAlbedo", "_Other"),
        ("_DetailAlbedoMap _MetalAlbedo", "_MetalAlbedo"),
        ("_Other _AlbedoMetal", "_Other"),
        ("_Other _DiffuseRamp _SpecularMap", "_Other"),
        ("_Other _Other2 _EmissionColorMap", None),
        ("_EmissionMap _NormalMap", None),
        ("_Texture0 _Texture1", None),
        ("", None),
    ],
)
def test_the_base_texture_by_its_name(names: str, expected: str | None) -> None:
    assert main_of(raw_material("Studio/Rock", textures={name: slot() for name in names.split()})) == expected


def declared(**properties: RawShaderProperty) -> RawShader:
    return RawShader(name="Studio/Rock", properties=properties)


def described(
    program: RawShader, *set_: str, colors: Mapping[str, tuple[float, float, float, float]] | None = None
) -> RawMaterial:
    return raw_material("Studio/Rock", textures={name: slot() for name in set_}, colors=colors, program=program)


def test_the_base_texture_that_the_shader_marks() -> None:
    program = declared(_Noise=texture_property(flags=128), _MainTex=texture_property())
    assert main_of(described(program, "_MainTex", "_Noise")) == "_Noise"
    assert main_of(described(program, "_MainTex")) == "_MainTex"  # the marked one is not set


def test_the_base_texture_by_its_label() -> None:
    program = declared(_T1=texture_property(label="Detail noise"), _T2=texture_property(label="Albedo (RGB)"))
    assert main_of(described(program, "_T1", "_T2")) == "_T2"
    program = declared(_T1=texture_property(label="Normal"), _T2=texture_property(label="Anything"))
    assert main_of(described(program, "_T1", "_T2")) == "_T2"


@pytest.mark.parametrize(
    "marked", [texture_property(flags=8), texture_property("bump"), texture_property(label="Bumps")]
)
def test_normal_maps_that_the_shader_marks(marked: RawShaderProperty) -> None:
    program = declared(_T1=marked, _T2=texture_property())
    raw = described(program, "_T1", "_T2")
    family = family_of(raw)
    assert [normals.map for normals in family.normals] == ["_T1"]
    assert family.textures == ("_T2",)


def test_normal_maps_of_details_are_not_taken() -> None:
    names = ("_DetailNormal", "_NormalMap2", "_BlendNormal", "_Normal")
    family = family_of(raw_material("Studio/Rock", textures={name: slot() for name in names}))
    assert [normals.map for normals in family.normals] == ["_Normal"]


def test_the_base_colour_that_the_shader_marks() -> None:
    program = declared(_Glow=color_property(), _Paint=color_property(flags=256), _Color=color_property())
    colors = {"_Glow": WHITE, "_Paint": RED, "_Color": WHITE}
    assert painted(described(program, colors=colors)).material.base_color == RED
    assert painted(raw_material("Studio/Rock", colors={"_Tint": RED, "_Paint": WHITE})).material.base_color == RED


def test_emission_of_an_unknown_shader() -> None:
    glow = picture(1, [(188, 0, 0)])
    textures = {"_EmissiveTex": slot(of=glow)}
    colors = {"_EmissionColor": (0.5, 0.5, 0.5, 1.0)}
    dark = painted(raw_material("Studio/Rock", textures=textures, colors=colors), glow)
    assert dark.material.emissive == (0.0, 0.0, 0.0)
    lit = painted(raw_material("Studio/Rock", keywords="_EMISSION", textures=textures, colors=colors), glow)
    assert lit.material.emissive[0] == pytest.approx(0.21404114)
    assert lit.material.emissive_texture is not None
    program = declared(_EmissiveTex=texture_property("black"), _EmissionColor=color_property(flags=16))
    bright = painted(raw_material("Studio/Rock", textures=textures, colors=colors, program=program), glow)
    assert bright.material.emissive == (0.5, 0.5, 0.5)
    hidden = declared(_EmissiveTex=texture_property(), _EmissionColor=color_property(flags=17))
    raw = raw_material("Studio/Rock", textures=textures, colors=colors, program=hidden)
    assert painted(raw, glow).material.emissive == (0.0, 0.0, 0.0)


# --- what the shader's first pass tells -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cull", "floats", "expected"),
    [
        (0.0, {}, True),
        (2.0, {}, False),
        ("_Side", {"_Side": 0.0}, True),
        ("_Side", {"_Side": 2.0}, False),
        (1.0, {}, False),  # an outline; what follows it is not known
        (2.0, {"_Cull": 0.0}, True),  # a number of a usual name comes first
    ],
)
def test_sides_by_the_first_pass(cull: float | str, floats: dict[str, float], expected: bool) -> None:
    program = RawShader(name="Studio/Leaf", first_pass=drawing(cull=cull))
    assert painted(raw_material("Studio/Leaf", floats=floats, program=program)).material.double_sided is expected


@pytest.mark.parametrize(
    ("source", "destination", "floats", "expected", "reported"),
    [
        (1.0, 0.0, {}, AlphaMode.OPAQUE, False),
        (5.0, 10.0, {}, AlphaMode.BLEND, False),
        (1.0, 1.0, {}, AlphaMode.BLEND, True),  # adds
        (2.0, 0.0, {}, AlphaMode.OPAQUE, False),
        ("_Src", "_Dst", {"_Src": 5.0, "_Dst": 10.0}, AlphaMode.BLEND, False),
        ("_Src", "_Dst", {"_Src": 1.0, "_Dst": 0.0}, AlphaMode.OPAQUE, False),
    ],
)
def test_transparency_by_the_first_pass(
    source: float | str, destination: float | str, floats: dict[str, float], expected: AlphaMode, reported: bool
) -> None:
    program = RawShader(name="Studio/Leaf", first_pass=drawing(source=source, destination=destination))
    result = painted(raw_material("Studio/Leaf", queue=3000, floats=floats, program=program))
    assert result.material.alpha_mode is expected
    assert (codes.MATERIAL_BLENDING.name in result.codes) is reported


@pytest.mark.parametrize(
    ("tags", "queue", "expected"),
    [
        ({"RENDERTYPE": "TransparentCutout"}, -1, AlphaMode.MASK),
        ({"QUEUE": "AlphaTest"}, -1, AlphaMode.MASK),
        ({"QUEUE": "AlphaTest+10"}, -1, AlphaMode.MASK),
        ({"QUEUE": "AlphaTest"}, 2000, AlphaMode.OPAQUE),
        ({"QUEUE": "Geometry"}, -1, AlphaMode.OPAQUE),
    ],
)
def test_cutting_out_by_the_first_passs_tags(tags: dict[str, str], queue: int, expected: AlphaMode) -> None:
    program = RawShader(name="Studio/Leaf", first_pass=drawing(tags=tags))
    assert painted(raw_material("Studio/Leaf", queue=queue, program=program)).material.alpha_mode is expected


@pytest.mark.parametrize(
    ("shader", "tags", "expected"),
    [
        ("Studio/Glow", {}, True),
        ("Studio/Glow", {"LIGHTMODE": "Always"}, True),
        ("Studio/Glow", {"LIGHTMODE": "ForwardBase"}, False),
        ("Studio/Glow", {"LIGHTMODE": "UniversalForward"}, False),
        ("Studio/Glow", {"LIGHTMODE": "SRPDefaultUnlit"}, True),
        ("Studio/Glow", {"LIGHTMODE": "UniversalForward", "UNIVERSALMATERIALTYPE": "Unlit"}, True),
        ("Studio/Glow", {"SHADERGRAPHTARGETID": "UniversalUnlitSubTarget"}, True),
        ("Studio/Glow", {"SHADERGRAPHTARGETID": "UniversalLitSubTarget", "LIGHTMODE": "UniversalForward"}, False),
        ("Studio/Toon Glow", {}, False),  # a name that speaks of light
        ("Studio/Lambert", {}, False),
        ("Standard", {}, False),  # a row that is known says it
    ],
)
def test_light_by_the_first_pass(shader: str, tags: dict[str, str], expected: bool) -> None:
    program = RawShader(name=shader, first_pass=drawing(tags=tags))
    assert painted(raw_material(shader, program=program)).material.unlit is expected


# --- what the shader declares ---------------------------------------------------------------------------------------


def test_what_a_shader_does_not_declare_is_left_over() -> None:
    program = declared(_MainTex=texture_property(), _Color=color_property(), _Glossiness=number_property(0.5))
    raw = raw_material(
        "Studio/Rock",
        textures={"_MainTex": slot((2.0, 2.0)), "_BumpMap": slot()},
        floats={"_Glossiness": 0.25, "_Metallic": 1.0},
        colors={"_Color": RED, "_EmissionColor": RED},
        program=program,
    )
    kept = as_declared(raw)
    assert kept.textures == {"_MainTex": slot((2.0, 2.0))}
    assert kept.floats == {"_Glossiness": 0.25}
    assert kept.colors == {"_Color": RED}
    material = painted(raw).material
    assert (material.metallic, material.roughness, material.normal_texture) == (0.0, 0.75, None)


def test_what_a_material_lacks_has_the_shaders_default() -> None:
    program = declared(
        _MainTex=texture_property(),
        _Color=color_property((0.0, 1.0, 0.0, 1.0)),
        _Glossiness=number_property(0.75),
        _Steps=RawShaderProperty(type=5, flags=0, default=(3.0, 0.0, 0.0, 0.0)),
        _Slide=RawShaderProperty(type=3, flags=0, default=(0.5, 0.0, 1.0, 0.0)),
        _Wind=RawShaderProperty(type=1, flags=0, default=(1.0, 2.0, 3.0, 4.0)),
    )
    kept = as_declared(raw_material("Studio/Rock", program=program))
    assert kept.textures == {"_MainTex": EMPTY_SLOT}
    assert kept.floats == {"_Glossiness": 0.75, "_Steps": 3.0, "_Slide": 0.5}
    assert kept.colors == {"_Color": (0.0, 1.0, 0.0, 1.0), "_Wind": (1.0, 2.0, 3.0, 4.0)}
    assert painted(raw_material("Standard", program=program)).material.base_color == (0.0, 1.0, 0.0, 1.0)


@pytest.mark.parametrize(
    "program", [None, RawShader(name="Standard"), RawShader(name="Standard", first_pass=drawing())]
)
def test_without_a_list_of_properties_all_that_is_stored_counts(program: RawShader | None) -> None:
    raw = raw_material("Standard", floats={"_Metallic": 1.0, "_Whatever": 2.0}, program=program)
    assert as_declared(raw) is raw


def test_extras_keep_what_is_stored() -> None:
    from unity2gltf.normalize.materials.convert import convert_material

    raw = raw_material("Studio/Rock", floats={"_Old": 1.0}, program=declared(_Color=color_property()))
    material = convert_material(raw, lambda _: None, Diagnostics(), keep_properties=True)
    assert material.extras["floats"] == {"_Old": 1.0}
    assert material.extras["colors"] == {}


def test_unknown_is_no_row() -> None:
    assert UNKNOWN not in FAMILIES
