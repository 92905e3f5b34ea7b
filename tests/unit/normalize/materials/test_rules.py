"""--material-rules: rows of the table from a file."""

from __future__ import annotations

import dataclasses

import pytest

from tests.builders.surfaces import painted, picture, raw_material, slot
from unity2gltf.errors import UsageError
from unity2gltf.normalize.materials.columns import AlphaRule, Coat, Family, Normals, Scalar, Style, Tint
from unity2gltf.normalize.materials.rules import parse_rules

ROW = "[[family]]\nshaders = 'x'\n"

EVERYTHING = """
[[family]]
name = "Studio"
shaders = "Studio/(Rock|Wood)"
signature = ["_Rock _Moss", "_Wood"]
colors = ["_Paint", "_Color"]
textures = "_Skin"
color_scale = 2
alpha_factor = false
alpha_range = ["_AlphaMin", "_AlphaMax"]
clip_level = "_ClipLevel"
premultiplied = true
uv = "_UvSet"
own_tiling = true
vertex_colors = true
unlit = false
alpha = "mask"
cutoff = ["_Clip"]
cull = "_Side"
double_sided = true
metallic = [{map = "_Metal", channel = "b", switch = "_HAS_METAL"}, {number = "_Metalness", gamma = true}]
smoothness = {map = "_Rough", inverted = true, low = "_Low", high = "_High", needs = ["_A", "_B"]}
specular = {color = "_Spec"}
specular_switch = "_SPEC"
occlusion = [{map = "_Dirt", channel = "g", scale = "_DirtScale", default = 0.5}]
occlusion_strength = "_DirtStrength"
normals = {map = "_Bumps", scale = "_BumpAmount", switch = ["_BUMPY"], alpha_green = true}
layers = ["HDRP anisotropy"]
style = "toon"
style_switch = "_STEPS"
outline = "_Line"
maps = "_(Extra|Other)"
numbers = "_Snow"

[family.alpha_map]
map = "_Holes"
channel = "r"
inverted_by = "_Inverse"

[family.unwritten]
map = "_Dust"
switch = "_DUSTY"

[[family.emission]]
color = "_Glow"
map = "_GlowMap"
scale = "_GlowScale"
switch = ["_GLOW"]
map_switch = "_GLOW_MAP"
linear = true
own_tiling = true
uv = "_GlowUv"
mask = {map = "_GlowMask"}

[family.coat]
switch = "_COAT"
strength = {number = "_Coat", default = 0}
smoothness = [{default = 0.75}]
normals = {map = "_CoatBump", scale = "_CoatBumpScale"}

[[family]]
shaders = "Studio/Glass"
alpha = "BLEND"
"""


def test_every_column_of_a_row() -> None:
    row, second = parse_rules(EVERYTHING)
    assert row == Family(
        name="Studio",
        shaders="Studio/(Rock|Wood)",
        signature=(frozenset({"_Rock", "_Moss"}), frozenset({"_Wood"})),
        colors=("_Paint", "_Color"),
        textures=("_Skin",),
        color_scale=2.0,
        alpha_factor=False,
        alpha_range=("_AlphaMin", "_AlphaMax"),
        clip_level="_ClipLevel",
        alpha_map=(Scalar(map="_Holes", channel="r", inverted_by=("_Inverse",)),),
        premultiplied=True,
        uv=("_UvSet",),
        own_tiling=True,
        vertex_colors=True,
        unlit=False,
        alpha=AlphaRule.MASK,
        cutoff=("_Clip",),
        cull=("_Side",),
        double_sided=True,
        metallic=(
            Scalar(map="_Metal", channel="b", switch=("_HAS_METAL",)),
            Scalar(number="_Metalness", gamma=True),
        ),
        smoothness=(Scalar(map="_Rough", inverted=True, low="_Low", high="_High", needs=("_A", "_B")),),
        specular=(Tint(color="_Spec"),),
        specular_switch=("_SPEC",),
        occlusion=(Scalar(map="_Dirt", channel="g", scale="_DirtScale", default=0.5),),
        occlusion_strength="_DirtStrength",
        normals=(Normals(map="_Bumps", scale="_BumpAmount", switch=("_BUMPY",), alpha_green=True),),
        emission=(
            Tint(
                color="_Glow",
                map="_GlowMap",
                scale="_GlowScale",
                switch=("_GLOW",),
                map_switch=("_GLOW_MAP",),
                linear=True,
                own_tiling=True,
                uv="_GlowUv",
                mask=Scalar(map="_GlowMask"),
            ),
        ),
        coat=Coat(
            switch=("_COAT",),
            strength=(Scalar(number="_Coat", default=0.0),),
            smoothness=(Scalar(default=0.75),),
            normals=Normals(map="_CoatBump", scale="_CoatBumpScale"),
        ),
        layers=("HDRP anisotropy",),
        style=Style.TOON,
        style_switch=("_STEPS",),
        outline="_Line",
        maps="_(Extra|Other)",
        numbers=("_Snow",),
        unwritten=(Scalar(map="_Dust", switch=("_DUSTY",)),),
    )
    assert isinstance(row.color_scale, float)
    assert second == Family(name="family 2", shaders="Studio/Glass", alpha=AlphaRule.BLEND)


def test_the_file_above_names_every_column() -> None:
    for kind in (Family, Scalar, Tint, Normals, Coat):
        for field in dataclasses.fields(kind):
            assert f"{field.name} =" in EVERYTHING or f"family.{field.name}]" in EVERYTHING, field.name


def test_no_text_has_no_rows() -> None:
    assert parse_rules("") == ()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("family = [", "at end of document"),
        ("[[family]]\nshaders = 'x'\nshaders = 'y'", "at end of document"),
        ("[[shader]]\nname = 'x'", "'shader'"),
        ("name = 'x'", "only [[family]] tables are known, not 'name'"),
        ("[family]\nshaders = 'x'", "only [[family]] tables are known, not 'family'"),
        ("family = 'x'", "only [[family]] tables are known, not 'family'"),
        ("family = [3]", "family 1 must be a table"),
        ("[[family]]\nname = 'x'", "family 1: shaders is missing"),
        ("[[family]]\nshaders = 'a'\n[[family]]\nname = 'x'", "family 2: shaders is missing"),
        ("[[family]]\nshaders = '('", "family 1: '(' is no regular expression"),
        ("[[family]]\nshaders = 'x'\nmaps = '[a'", "family 1: '[a' is no regular expression"),
        ("[[family]]\nshaders = 3", "family 1: shaders must be a str, not 3"),
        ("[[family]]\nshaders = ['x']", "family 1: shaders must be a str, not ['x']"),
        ("[[family]]\nshaders = 'x'\nname = 7", "family 1: name must be a str, not 7"),
        ("[[family]]\nshaders = 'x'\ncolour = '_C'", "family 1: 'colour' is not one of alpha, "),
        ("[[family]]\nshaders = 'x'\ncolors = [1]", "family 1: colors must be a str, not 1"),
        ("[[family]]\nshaders = 'x'\ncolor_scale = 'two'", "family 1: color_scale must be a float, not 'two'"),
        ("[[family]]\nshaders = 'x'\ncolor_scale = true", "family 1: color_scale must be a float, not True"),
        ("[[family]]\nshaders = 'x'\nunlit = 1", "family 1: unlit must be a bool, not 1"),
        ("[[family]]\nshaders = 'x'\nunlit = 'yes'", "family 1: unlit must be a bool, not 'yes'"),
        ("[[family]]\nshaders = 'x'\nalpha = 'cutout'", "family 1: alpha must be one of name, opaque, mask, "),
        ("[[family]]\nshaders = 'x'\nalpha = ['mask']", "family 1: alpha must be one of name, "),
        ("[[family]]\nshaders = 'x'\nstyle = 'cel'", "family 1: style must be one of toon, phong, simple_lit"),
        ("[[family]]\nshaders = 'x'\nlayers = 'fur'", "family 1: layers must be of glTF sheen, "),
        ("[[family]]\nshaders = 'x'\nmetallic = 0.5", "family 1: metallic must be a table"),
        ("[[family]]\nshaders = 'x'\nmetallic = {maps = '_M'}", "family 1: metallic: 'maps' is not one of channel, "),
        ("[[family]]\nshaders = 'x'\nmetallic = [{}, {default = 'x'}]", "metallic: default must be a float, not 'x'"),
        ("[[family]]\nshaders = 'x'\nsmoothness = {inverted = 'no'}", "smoothness: inverted must be a bool, not 'no'"),
        ("[[family]]\nshaders = 'x'\nemission = {mask = 3}", "family 1: emission: mask must be a table"),
        ("[[family]]\nshaders = 'x'\nemission = {mask = {chanel = 'r'}}", "emission: mask: 'chanel' is not one of"),
        ("[[family]]\nshaders = 'x'\nnormals = '_Bump'", "family 1: normals must be a table"),
        ("[[family]]\nshaders = 'x'\ncoat = {}", "family 1: coat: strength is missing"),
        ("[[family]]\nshaders = 'x'\ncoat = [{}]", "family 1: coat must be a table"),
        (ROW + "metallic = {map = '_M', channel = 'x'}", "family 1: metallic: channel must be r, g, b or a, not 'x'"),
        (ROW + "metallic = {map = '_M', channel = 'rg'}", "family 1: metallic: channel must be r, g, b or a, not 'rg'"),
        (ROW + "metallic = {map = '_M', channel = ''}", "family 1: metallic: channel must be r, g, b or a, not ''"),
        (ROW + "metallic = {default = nan}", "family 1: metallic: default must be a number of 0 to 1, not nan"),
        (ROW + "metallic = {default = 7}", "family 1: metallic: default must be a number of 0 to 1, not 7.0"),
        (ROW + "smoothness = [{}, {default = -1.0}]", "smoothness: default must be a number of 0 to 1, not -1.0"),
        (ROW + "emission = {default = inf}", "emission: default must be a finite number of 0 or more, not inf"),
        (ROW + "emission = {mask = {channel = 'q'}}", "family 1: emission: mask: channel must be r, g, b or a"),
        (ROW + "color_scale = nan", "family 1: color_scale must be a finite number of 0 or more, not nan"),
        (ROW + "color_scale = -2", "family 1: color_scale must be a finite number of 0 or more, not -2.0"),
        (ROW + "alpha_range = '_Min'", "family 1: alpha_range must be two properties, not ['_Min']"),
        (ROW + "coat = {strength = []}", "family 1: coat: strength must be one source or more, not an empty list"),
        (ROW + "coat = {strength = {}, smoothness = []}", "family 1: coat: smoothness must be one source or more"),
    ],
)
def test_what_is_no_row(text: str, expected: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_rules(text)
    message = str(caught.value)
    assert message.startswith("--material-rules: ")
    assert expected in message
    assert "\n" not in message


def test_a_rule_paints_a_material() -> None:
    """Rows of a file are read as the table's are: a shader of the studio's with roughness in blue."""
    (row,) = parse_rules("""
[[family]]
name = "rock"
shaders = "Studio/Rock"
textures = "_Skin"
colors = "_Paint"
alpha = "opaque"
smoothness = {map = "_Pack", channel = "b", inverted = true}
metallic = {map = "_Pack", channel = "a"}
occlusion = {map = "_Pack"}
normals = {map = "_Bumps", scale = "_Amount"}
emission = {color = "_Glow", linear = true}
""")
    skin, pack, bumps = picture(1, [(1, 2, 3)]), picture(2, [(77, 0, 51, 102)], color_space=0), picture(3, [(9, 9, 9)])
    raw = raw_material(
        "Studio/Rock",
        queue=3000,
        textures={"_Skin": slot(of=skin), "_Pack": slot(of=pack), "_Bumps": slot(of=bumps), "_MainTex": slot()},
        floats={"_Amount": 0.5},
        colors={"_Paint": (1.0, 0.0, 0.0, 1.0), "_Color": (0.0, 0.0, 1.0, 1.0), "_Glow": (0.0, 0.5, 0.0, 1.0)},
    )
    result = painted(raw, skin, pack, bumps, rules=(row,))
    material = result.material
    assert material.base_color == (1.0, 0.0, 0.0, 1.0)
    assert result.pixels(material.base_color_texture).tolist() == [[[1, 2, 3]]]
    assert result.pixels(material.metallic_roughness_texture).tolist() == [[[77, 51, 102]]]
    assert material.occlusion_texture == material.metallic_roughness_texture
    assert material.normal_scale == 0.5
    assert material.emissive == (0.0, 0.5, 0.0)
    assert material.alpha_mode.name == "OPAQUE"
    assert "MATERIAL_SHADER_GUESSED" not in result.codes


BAD = '[[family]]\nshaders = "x"\n'


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x = " + "[" * 3000 + "]" * 3000, "nested too deeply"),
        (BAD + "color_scale = 1" + "0" * 400, "a number is too large"),  # more than a float holds
        (BAD + "color_scale = 1" + "0" * 5000, "a number is too large"),  # more digits than Python reads
        (BAD + "name = 0x" + "f" * 5000, "a number is too large"),  # or writes
        (f"[[family]]\nshaders = '{'(' * 3000}{')' * 3000}'", "its groups are nested too deeply"),
        (f"[[family]]\nshaders = '{'a' * 20000}'", "is longer than the 10,000 characters"),
        ("[[family]]\nshaders = 'a{99999999999999}'", "is no regular expression: the repetition number is too large"),
        ("# nothing but a remark\n", "the file has no [[family]]"),
        ("family = []", "the file has no [[family]]"),
    ],
)
def test_what_python_cannot_hold_is_one_sentence(text: str, expected: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_rules(text)
    message = str(caught.value)
    assert expected in message
    assert message.startswith("--material-rules: ") and "\n" not in message and len(message) < 250
