"""Property curves as pointers: visibility, base colour, tiling."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.builders.raw import FakeNames, FakeRoot, source
from unity2gltf.diagnostics import Diagnostics
from unity2gltf.ir import Curve, Geometry, Material, Node, Primitive, PropertyTarget, TextureUse
from unity2gltf.math3d import name_hash
from unity2gltf.normalize.build.context import AssetContext
from unity2gltf.normalize.build.properties import pointer_channels
from unity2gltf.normalize.build.visibility import NODE
from unity2gltf.normalize.clips.decoded import DecodedCurve
from unity2gltf.normalize.clips.piecewise import evaluate, unite
from unity2gltf.normalize.content import Library
from unity2gltf.options import Options

PROPERTIES = {
    "_Color": PropertyTarget(pointer="pbrMetallicRoughness/baseColorFactor", gamma=True),
    "_Glossiness": PropertyTarget(pointer="pbrMetallicRoughness/roughnessFactor", inverted=True),
    "_EmissionColor": PropertyTarget(pointer="emissiveFactor", gamma=True, limits=(0.0, np.inf)),
    "_BumpScale": PropertyTarget(pointer="normalTexture/scale", limits=(-np.inf, np.inf)),
}


def context(*, uvs: bool = True) -> AssetContext:
    """Two nodes that draw one mesh with one material."""
    made = AssetContext(Library(FakeRoot()), Options(), Diagnostics())
    geometry = Geometry(
        source=source(100, "Mesh"),
        name="Quad",
        positions=np.zeros((3, 3), np.float32),
        bind_poses=np.zeros((0, 4, 4), np.float32),
        bone_hashes=np.zeros(0, np.uint32),
        uvs={0: np.zeros((3, 2), np.float32)} if uvs else {},
    )
    use = TextureUse(texture=0, slot="_MainTex", scale=(2.0, 3.0), offset=(0.5, 0.25))
    made.materials.append(
        Material(
            name="M",
            source=source(5, "Material"),
            base_color=(0.1, 0.2, 0.3, 0.4),
            base_color_texture=use,
            normal_texture=use,
            properties=PROPERTIES,
        )
    )
    mesh = made.mesh(made.geometry(geometry), (Primitive(submesh=0, material=0),), None, ())
    made.add_node(Node(name="A", mesh=mesh))
    made.add_node(Node(name="B", mesh=mesh))
    return made


def line(start: float, slope: float) -> Curve:
    return Curve(times=np.zeros(1), coefficients=np.array([[0.0, 0.0, slope, start]]))


def curve(attribute: str | int, shape: Curve, type_id: int = 23) -> DecodedCurve:
    return DecodedCurve(path=None, path_hash=0, type_id=type_id, attribute=attribute, custom_type=0, curves=(shape,))


def at(channel_curves: tuple[Curve | None, ...], time: float) -> list[float]:
    curves = [c for c in channel_curves if c is not None]
    return evaluate(unite(curves, 1.0), np.array([time]))[0].tolist()  # type: ignore[no-any-return]


def test_the_active_flag_becomes_visibility_that_steps() -> None:
    steps = Curve(times=np.array([0.0, 0.5]), coefficients=np.array([[0, 0, 0, 1.0], [0, 0, 0, 0.0]]))
    (channel,), rest = pointer_channels([(0, curve("m_IsActive", steps, 1))], FakeNames(), 1.0, context())
    assert rest == []
    assert channel.pointer == f"/nodes/{NODE}/extensions/KHR_node_visibility/visible"
    assert (at(channel.curves, 0.25), at(channel.curves, 0.75)) == ([1.0], [0.0])


def test_a_renderers_flag_is_left_alone_where_hiding_its_node_would_hide_its_children() -> None:
    given = [(0, curve("m_Enabled", line(1, 0)))]
    assert pointer_channels(given, FakeNames(), 1.0, context()) == ([], given)


def test_a_colour_is_linear_and_the_material_is_the_renderers_own() -> None:
    made = context()
    names = FakeNames(["_Color.g"])
    given = [(0, curve("material._Color.r", line(0, 1))), (0, curve(name_hash("_Color.g"), line(0.5, 0)))]
    (channel,), rest = pointer_channels(given, names, 1.0, made)
    assert rest == []
    assert channel.pointer == "/materials/1/pbrMetallicRoughness/baseColorFactor"
    assert [p.material for n in made.nodes if n.mesh is not None for p in made.meshes[n.mesh].primitives] == [1, 0]
    red, green, blue, alpha = at(channel.curves, 0.5)
    linear_half = ((0.5 + 0.055) / 1.055) ** 2.4
    assert (red, green) == pytest.approx((linear_half, linear_half), abs=1e-3)
    assert (blue, alpha) == (0.3, 0.4)
    assert 0 < channel.error < 2e-3 and not channel.exact


def test_tiling_follows_the_flip_of_v() -> None:
    made = context()
    made.replace_node(1, mesh=None)
    given = [(0, curve("material._MainTex_ST.y", line(3, 1))), (0, curve("material._MainTex_ST.w", line(0.25, 2)))]
    made.materials[0] = replace(made.materials[0], normal_texture=None)
    channels, rest = pointer_channels(given, FakeNames(), 1.0, made)
    assert rest == [] and len(made.materials) == 1  # nobody else draws with it
    by_end = {channel.pointer.rsplit("/", 1)[-1]: channel for channel in channels}
    assert at(by_end["scale"].curves, 0.5) == [2.0, 3.5]
    assert at(by_end["offset"].curves, 0.5) == [0.5, 1 - 1.25 - 3.5]


def test_tiling_without_a_texture_and_unknown_properties_are_left() -> None:
    made = context()
    made.materials[0] = replace(made.materials[0], base_color_texture=None, normal_texture=None)
    given = [(0, curve("material._MainTex_ST.x", line(1, 0))), (0, curve("material._Glow", line(1, 0)))]
    channels, rest = pointer_channels(given, FakeNames(), 1.0, made)
    assert channels == []
    assert {c.attribute for _, c in rest} == {"material._MainTex_ST.x", "material._Glow"}


def test_colours_outside_the_range_are_cut_and_reported() -> None:
    made = context()
    given = [(0, curve("material._Color.a", line(0.5, 1))), (0, curve("material._Color.r", line(2, 0)))]
    (channel,), _ = pointer_channels(given, FakeNames(), 1.0, made)
    red, _, _, alpha = at(channel.curves, 0.75)
    assert (red, alpha) == (1.0, 1.0)
    assert at(channel.curves, 0.25)[3] == pytest.approx(0.75)
    (item,) = made.diagnostics.items
    assert (item.code.name, item.data) == ("CLIP_COLOR_CUT", {"excess": 1.0})


def test_a_smoothness_becomes_a_roughness() -> None:
    made = context()
    (channel,), rest = pointer_channels([(0, curve("material._Glossiness", line(0.25, 0.5)))], FakeNames(), 1.0, made)
    assert rest == []
    assert channel.pointer == "/materials/1/pbrMetallicRoughness/roughnessFactor"
    assert at(channel.curves, 0.5) == [pytest.approx(0.5)]
    assert channel.error < 1e-12  # a line stays a line


def test_an_emission_above_1_moves_the_factor_below_a_strength() -> None:
    made = context()
    given = [(0, curve("material._EmissionColor.r", line(0, 2))), (0, curve("material._EmissionColor.g", line(1, 0)))]
    (channel,), _ = pointer_channels(given, FakeNames(), 1.0, made)
    assert channel.pointer == "/materials/1/emissiveFactor"
    strongest = 2.0**2.2  # Unity's conversion above 1
    assert made.materials[1].emissive_strength == pytest.approx(strongest, abs=1e-9)
    assert made.materials[0].emissive_strength == 1.0
    assert at(channel.curves, 1.0) == pytest.approx([1.0, 1.0 / strongest, 0.0], abs=1e-9)
    assert at(channel.curves, 0.5)[0] == pytest.approx(1.0 / strongest, abs=2e-3)


def test_a_tiling_moves_every_texture_that_has_it() -> None:
    made = context()
    base = made.materials[0].base_color_texture
    assert base is not None
    own = replace(base, slot="_BumpMap")
    made.materials[0] = replace(made.materials[0], occlusion_texture=base, normal_texture=own)
    channels, rest = pointer_channels([(0, curve("material._MainTex_ST.x", line(1, 1)))], FakeNames(), 1.0, made)
    place = "/materials/1/{}/extensions/KHR_texture_transform/scale"
    assert [c.pointer for c in channels] == [
        place.format("pbrMetallicRoughness/baseColorTexture"),
        place.format("occlusionTexture"),
    ]
    assert rest == []


def test_a_number_of_a_map_scale_passes_1() -> None:
    made = context()
    (channel,), _ = pointer_channels([(0, curve("material._BumpScale", line(1, 2)))], FakeNames(), 1.0, made)
    assert (channel.pointer, at(channel.curves, 1.0)) == ("/materials/1/normalTexture/scale", [3.0])
    assert channel.exact and made.diagnostics.items == []


def test_what_lies_in_a_texture_is_left_where_the_material_has_none() -> None:
    made = context()
    made.materials[0] = replace(made.materials[0], normal_texture=None)
    given = [(0, curve("material._BumpScale", line(1, 2)))]
    assert pointer_channels(given, FakeNames(), 1.0, made) == ([], given)


@pytest.mark.parametrize("attribute", ["material._BumpScale", "material._MainTex_ST.x"])
def test_what_lies_in_a_texture_is_left_where_the_mesh_has_no_coordinates(attribute: str) -> None:
    given = [(0, curve(attribute, line(1, 2)))]
    made = context(uvs=False)
    assert pointer_channels(given, FakeNames(), 1.0, made) == ([], given)
    (channel,), _ = pointer_channels([(0, curve("material._Color.r", line(0, 1)))], FakeNames(), 1.0, made)
    assert channel.pointer == "/materials/1/pbrMetallicRoughness/baseColorFactor"
    assert made.materials[1].normal_texture is not None  # emit leaves it out, and says so
