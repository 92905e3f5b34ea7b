"""Materials against their slow twin: what Unity's shader sees at a texel, and what a reader of the document does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.builders.assets import asset, quad_geometry
from tests.builders.raw import source
from tests.builders.surfaces import EMPTY_SLOT, painted, picture, raw_material, slot
from tests.reference.material_twin import DXT5NM, PLAIN, SHADERS, Picture, Reader, Stored, Surface, unity_surface
from unity2gltf.diagnostics import Diagnostics
from unity2gltf.emit.document import build_document
from unity2gltf.ir import Mesh, Node, Primitive, Space, Texture
from unity2gltf.normalize.space import to_gltf

BYTE = 1 / 255
ASTC_NM = 10
ALBEDO_ALPHA = "_SMOOTHNESS_TEXTURE_ALBEDO_CHANNEL_A"

MAPS: dict[str, tuple[str, ...]] = {
    "Standard": ("_MainTex", "_MetallicGlossMap", "_OcclusionMap", "_EmissionMap"),
    "Standard (Specular setup)": ("_MainTex", "_SpecGlossMap", "_OcclusionMap", "_EmissionMap"),
    "Autodesk Interactive": ("_MainTex", "_MetallicGlossMap", "_SpecGlossMap", "_OcclusionMap", "_EmissionMap"),
    "Universal Render Pipeline/Lit": (
        "_BaseMap",
        "_MetallicGlossMap",
        "_SpecGlossMap",
        "_OcclusionMap",
        "_EmissionMap",
    ),
    "HDRP/Lit": ("_BaseColorMap", "_MaskMap", "_EmissiveColorMap"),
}
KEYWORDS: dict[str, tuple[str, ...]] = {
    "Standard": ("_METALLICGLOSSMAP", ALBEDO_ALPHA, "_NORMALMAP", "_EMISSION"),
    "Standard (Specular setup)": ("_SPECGLOSSMAP", ALBEDO_ALPHA, "_NORMALMAP", "_EMISSION"),
    "Autodesk Interactive": ("_METALLICGLOSSMAP", "_SPECGLOSSMAP", "_NORMALMAP", "_EMISSION"),
    "Universal Render Pipeline/Lit": (
        *("_METALLICSPECGLOSSMAP", ALBEDO_ALPHA, "_NORMALMAP", "_EMISSION", "_SPECULAR_SETUP", "_OCCLUSIONMAP"),
    ),
    "HDRP/Lit": ("_MASKMAP", "_NORMALMAP", "_EMISSIVE_COLOR_MAP"),
}
NUMBERS = ("_Metallic", "_Glossiness", "_Smoothness", "_GlossMapScale", "_OcclusionStrength")
RANGES = tuple(f"_{name}Remap{end}" for name in ("Metallic", "AO", "Smoothness", "Alpha") for end in ("Min", "Max"))
unit = st.floats(0, 1, width=32)
colors = st.tuples(unit, unit, unit, unit)
byte = st.integers(0, 255)


@st.composite
def pictures(draw: st.DrawFn, *, width: int = 3, height: int = 2) -> Picture:
    """Of the full size or smaller. Filtering comes after decoding in a game and before it here: a smaller picture is
    not sRGB."""
    small = draw(st.booleans())
    across, down = (draw(st.integers(1, width)), draw(st.integers(1, height))) if small else (width, height)
    pixels = draw(st.lists(st.tuples(byte, byte, byte, byte), min_size=across * down, max_size=across * down))
    space = draw(st.sampled_from([0, None] if (across, down) != (width, height) else [0, 1, None]))
    return Picture([pixels[row * across : (row + 1) * across] for row in range(down)], space)


@st.composite
def normal_maps(draw: st.DrawFn) -> Picture:
    """3 x 2 pixels in any of Unity's layouts."""
    usage, layout = draw(
        st.sampled_from([(DXT5NM, "ag"), (DXT5NM, "rg"), (0, "rg"), (PLAIN, "xyz"), (ASTC_NM, "astc")])
    )
    pixels = []
    for _ in range(6):
        x, y, junk = draw(byte), draw(byte), draw(byte)
        depth = round(127.5 * (1 + max(0.0, 1 - (x / 127.5 - 1) ** 2 - (y / 127.5 - 1) ** 2) ** 0.5))
        pixel = {"ag": (255, y, junk, x), "rg": (x, y, 0, 255), "xyz": (x, y, depth, junk), "astc": (junk, y, junk, x)}
        pixels.append(pixel[layout])
    return Picture([pixels[:3], pixels[3:]], draw(st.sampled_from([0, 1, None])), usage)


@st.composite
def materials(draw: st.DrawFn) -> tuple[str, Stored]:
    shader = draw(st.sampled_from(sorted(SHADERS)))
    maps = {name: draw(pictures()) for name in MAPS[shader] if draw(st.booleans())}
    main = MAPS[shader][0]
    if main in maps:  # what others are stretched to must not be smaller than they are
        full = draw(pictures().filter(lambda item: len(item.rows) == 2 and len(item.rows[0]) == 3))
        maps[main] = full
    bump = "_NormalMap" if shader.startswith("HDRP") else "_BumpMap"
    if draw(st.booleans()):
        maps[bump] = draw(normal_maps())
    keywords = frozenset(draw(st.sets(st.sampled_from(KEYWORDS[shader]))))
    floats = {name: draw(unit) for name in (*NUMBERS, *(RANGES if shader.startswith("HDRP") else ()))}
    tint = draw(colors)
    if shader.startswith("HDRP") and "_MaskMap" not in maps:
        floats |= {"_AORemapMax": 1.0}  # white, then: glTF has occlusion in textures alone
    glow = tuple(channel * draw(st.sampled_from([1.0, 4.0])) for channel in draw(colors))
    stored = Stored(
        keywords=keywords,
        floats=floats,
        colors={
            "_Color": tint,
            "_BaseColor": tint,
            "_SpecColor": draw(colors),
            "_EmissionColor": glow,  # type: ignore[dict-item]
            "_EmissiveColor": glow,  # type: ignore[dict-item]
        },
        maps=maps,
        linear=draw(st.sampled_from([True, True, False])),
    )
    return shader, stored


def written(shader: str, stored: Stored) -> Reader:
    """The material in a document, transparent so that alpha counts."""
    given_maps = {
        name: replace(picture(number, *item.rows), color_space=item.space, usage=item.usage)
        for number, (name, item) in enumerate(stored.maps.items(), 1)
    }
    bumps = {"_BumpMap", "_NormalMap"}
    slots = dict.fromkeys((*MAPS[shader], *bumps), EMPTY_SLOT) | {n: slot(of=item) for n, item in given_maps.items()}
    raw = raw_material(
        shader,
        keywords=" ".join((*stored.keywords, "_SURFACE_TYPE_TRANSPARENT")),
        textures=slots,
        floats=stored.floats,
        colors=stored.colors,
    )
    result = painted(raw, *given_maps.values(), gamma_project=not stored.linear)
    built = asset(
        [Node(name="Quad", source=source(10, "GameObject"), mesh=0)],
        space=Space.UNITY,
        geometries=(quad_geometry(colors=None),),
        meshes=(Mesh(geometry=0, primitives=(Primitive(submesh=0, material=0),)),),
        materials=(result.material,),
        textures=tuple(
            Texture(image=n, wrap=(10497, 10497), mag_filter=9729, min_filter=9729) for n in range(len(result.images))
        ),
        images=tuple(result.images),
    )
    document = build_document(to_gltf(built, 0, Diagnostics()), Diagnostics())
    return Reader(document.json, [bytes(chunk) for chunk in document.chunks])


def near(found: float | Sequence[float], expected: float | Sequence[float], bytes_: float, what: str) -> None:
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=bytes_ * BYTE + 1e-6, err_msg=what)


def agree(found: Surface, seen: Surface, glow: float) -> None:
    """Within the rounding of one map (half a byte), of a map that was stretched (half a byte more), and for colours of
    the curve, whose steepest slope is 2.3."""
    near(found.albedo, seen.albedo, 1.3, "albedo")
    near(found.alpha, seen.alpha, 1.01, "alpha")
    near(found.metallic, seen.metallic, 1.01, "metallic")
    near(found.roughness, seen.roughness, 1.01, "roughness")
    near(found.occlusion, seen.occlusion, 1.01, "occlusion")
    near(found.emission, seen.emission, 2.5 * max(glow, 1.0), "emission")
    x, y, z = found.normal
    near((x, y), seen.normal[:2], 2.1, "normal")
    near(z, max(0.0, 1 - x * x - y * y) ** 0.5, 1.01, "depth")


@settings(max_examples=40)
@given(materials())
def test_a_reader_sees_what_the_game_sees(case: tuple[str, Stored]) -> None:
    shader, stored = case
    reader = written(shader, stored)
    glow = max(max(stored.colors[name][:3]) for name in ("_EmissionColor", "_EmissiveColor")) ** 2.2
    for x in range(3):
        for y in range(2):
            u, v = (x + 0.5) / 3, (y + 0.5) / 2
            found, seen = reader.surface(u, v), unity_surface(shader, stored, u, v)
            agree(found, seen, glow)
            if seen.reflectance is not None:
                # up to 0.002 about glTF's own is not written, and no index reflects more than 99.6 %
                near(found.reflectance, seen.reflectance, 2.5, "reflectance")


@pytest.mark.parametrize("shader", sorted(SHADERS))
def test_every_shader_is_compared_with_all_its_maps(shader: str) -> None:
    """One whole case each, so that no run leaves a shader out."""
    rows = [[(40, 90, 200, 120), (255, 0, 10, 30), (5, 128, 77, 255)], [(0, 0, 0, 0), (255,) * 4, (9, 200, 33, 64)]]
    maps: dict[str, Any] = {
        name: Picture(rows, space) for name, space in zip(MAPS[shader], (1, 0, 0, 1, 1), strict=False)
    }
    maps |= dict.fromkeys(("_BumpMap", "_NormalMap"), Picture([[(255, 90, 7, 179)] * 3] * 2, 0, DXT5NM))
    numbers = dict.fromkeys((*NUMBERS, *RANGES), 0.75) | {name: 0.25 for name in RANGES if name.endswith("Min")}
    palette = dict.fromkeys(("_Color", "_BaseColor", "_SpecColor"), (0.5, 0.75, 0.25, 1.0))
    palette |= dict.fromkeys(("_EmissionColor", "_EmissiveColor"), (2.0, 0.5, 0.0, 1.0))
    for linear in (True, False):
        stored = Stored(frozenset(KEYWORDS[shader]), numbers, palette, maps, linear)
        reader = written(shader, stored)
        for x, y in ((0, 0), (1, 0), (2, 1)):
            found = reader.surface((x + 0.5) / 3, (y + 0.5) / 2)
            agree(found, unity_surface(shader, stored, (x + 0.5) / 3, (y + 0.5) / 2), 5.0)
