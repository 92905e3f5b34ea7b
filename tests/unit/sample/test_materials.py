"""Materials, textures and shaders of the sample, read back by UnityPy and by extract."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import UnityPy

from unity2gltf.extract.game import open_game
from unity2gltf.raw import RawMaterial
from unity2gltf.sample import DEFAULT_VERSIONS, FileBuilder, MaterialContent, Picture, Shelf, Slot, write_player
from unity2gltf.sample.pictures import DENTS, LEAF
from unity2gltf.sample.row import ball_mesh, card_mesh
from unity2gltf.sample.shader_table import STANDARD
from unity2gltf.sample.values import MATERIAL, SHADER, TEXTURE_2D
from unity2gltf.source import Source


@pytest.fixture(scope="module", params=DEFAULT_VERSIONS)
def player(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("player") / "Game_Data"
    write_player(folder, request.param, broken=True)
    return folder


def unitypy(player: Path, kind: str) -> dict[str, Any]:
    objects = UnityPy.load(str(player / "sharedassets0.assets")).objects
    found = [reader for reader in objects if reader.type.name == kind]
    return {reader.peek_name() or reader.parse_as_dict()["m_ParsedForm"]["m_Name"]: reader for reader in found}


def extracted(player: Path) -> dict[str, RawMaterial]:
    (root,) = open_game(player).roots
    materials = [root.material(source) for source in root.objects("Material")]
    return {material.name: material for material in materials}


def test_unitypy_reads_keywords_slots_and_numbers(player: Path) -> None:
    readers = unitypy(player, "Material")
    assert len(readers) == 3 + 7 + 2 + 1
    brass = readers["Brass"].parse_as_dict()
    stored = brass["m_ValidKeywords"] if "m_ValidKeywords" in brass else brass["m_ShaderKeywords"].split()
    assert stored == ["_METALLICGLOSSMAP"]
    slots = dict(brass["m_SavedProperties"]["m_TexEnvs"])
    assert slots["_MainTex"]["m_Texture"] == {"m_FileID": 0, "m_PathID": 0}
    assert (slots["_MainTex"]["m_Scale"], slots["_MainTex"]["m_Offset"]) == ({"x": 2, "y": 1}, {"x": 0.25, "y": 0})
    assert dict(brass["m_SavedProperties"]["m_Floats"])["_GlossMapScale"] == np.float32(0.8)
    names = {reader.path_id: name for name, reader in unitypy(player, "Texture2D").items()}
    assert names[slots["_MetallicGlossMap"]["m_Texture"]["m_PathID"]] == "BrassMetallicSmoothness"


def test_unitypy_decodes_every_picture_but_the_torn_one(player: Path) -> None:
    readers = unitypy(player, "Texture2D")
    assert len(readers) == 11
    for name, reader in readers.items():
        if name != "Torn":
            texture = reader.read()
            assert texture.image.size == (texture.m_Width, texture.m_Height)
    leaf = np.asarray(readers["Leaf"].read().image)
    assert np.array_equal(leaf[::-1], LEAF.pixels)
    dents = np.asarray(readers["DentsNormal"].read().image)[::-1].astype(int)
    assert (dents[..., 0] == 255).all()
    assert np.abs(dents[..., [1, 3]] - DENTS.pixels[..., [1, 3]]).max() <= 8


def test_textures_say_what_they_hold(player: Path) -> None:
    (root,) = open_game(player).roots
    raws = {raw.name: raw for raw in map(root.texture, root.objects("Texture2D"))}
    assert {name for name, raw in raws.items() if raw.color_space == 0} == {
        *("BrassMetallicSmoothness", "DentsNormal", "EnamelMask", "Sparkle")
    }
    assert {name: (raw.usage, raw.format) for name, raw in raws.items() if raw.usage} == {"DentsNormal": (3, 12)}
    short = {name: len(raw.data) for name, raw in raws.items() if raw.format == 4}
    sizes = {name: raws[name].width * raws[name].height * 4 for name in short}
    assert {name for name in short if short[name] != sizes[name]} == {"Torn"}
    assert root.settings.linear is True


def test_shaders_declare_what_their_materials_store(player: Path) -> None:
    for material in extracted(player).values():
        assert material.program is not None and material.program.properties is not None
        stored = material.textures.keys() | material.floats.keys() | material.colors.keys()
        assert stored <= material.program.properties.keys(), material.name
        assert material.program.first_pass is not None
    shaders = unitypy(player, "Shader")
    assert len(shaders) == 5
    form = shaders["Sample/Crystal"].parse_as_dict()["m_ParsedForm"]
    flags = {item["m_Name"]: (item["m_Description"], item["m_Flags"]) for item in form["m_PropInfo"]["m_Props"]}
    assert flags["_Facets"] == ("Facet Picture", 128)
    assert (flags["_Hue"][1], flags["_Bend"][1], flags["_FireColor"][1]) == (256, 8, 16)
    assert form["m_SubShaders"][0]["m_Passes"][0]["m_State"]["culling"] == {"val": 0.0, "name": "<noninit>"}


def test_extract_reads_the_same(player: Path) -> None:
    materials = extracted(player)
    assert {name: material.shader for name, material in materials.items() if material.shader != "Standard"} == {
        "Copper": "Standard (Specular setup)",
        "Enamel": "HDRP/Lit",
        "Screen": "Universal Render Pipeline/Lit",
        "Banner": "Universal Render Pipeline/Lit",
        "Gem": "Sample/Crystal",
    }
    leaf, banner, gem = (materials[name] for name in ("Leaf", "Banner", "Gem"))
    assert (leaf.keywords, leaf.tags, leaf.render_queue) == (
        {"_ALPHATEST_ON"},
        {"RenderType": "TransparentCutout"},
        2450,
    )
    assert (banner.textures["_BaseMap"].scale, banner.textures["_BaseMap"].offset) == ((3, 2), (0.25, 0.5))
    cull = {name: culling(material) for name, material in materials.items()}
    assert {name for name, value in cull.items() if value == 0} == {"Banner", "Gem"}
    assert isinstance(gem.textures["_Sparkle"].texture, Source)


def culling(material: RawMaterial) -> float:
    assert material.program is not None and material.program.first_pass is not None
    state = material.program.first_pass.cull
    default = material.program.properties[state.property].default[0] if state.property else state.value  # type: ignore[index]
    return material.floats.get(state.property, default)


def test_meshes_of_the_row_face_outwards_and_have_tangents() -> None:
    ball, card = ball_mesh(), card_mesh()
    for mesh in (ball, card):
        a, b, c = (mesh.positions[mesh.submeshes[0][:, corner]].astype(float) for corner in range(3))
        faces = np.cross(b - a, c - a)
        assert (np.einsum("ij,ij->i", faces, mesh.normals[mesh.submeshes[0][:, 0]]) > 0).all()
        assert np.allclose(np.linalg.norm(mesh.tangents[:, :3], axis=1), 1, atol=1e-6)
    assert (card.normals == [0, 0, 1]).all()
    assert np.array_equal(card.uv[:, 0] < 0.5, card.positions[:, 0] > 0), "from the front, +X is on the left"
    assert card.positions[:, 1].min() == 0 and abs(ball.positions[:, 1].min()) < 1e-7


def test_a_shelf_adds_shaders_and_textures_once() -> None:
    file = FileBuilder("2022.3.20f1")
    shelf = Shelf(file)
    dot = Picture("Dot", np.full((1, 1, 4), 9, np.uint8))
    slots: Mapping[str, Slot] = {"_MainTex": Slot(dot)}
    first, second = (shelf.material(MaterialContent(name=name, shader=STANDARD, slots=slots)) for name in "ab")
    assert first != second
    kinds = [written.class_id for written in file.objects.values()]
    assert sorted(kinds) == sorted([SHADER, TEXTURE_2D, MATERIAL, MATERIAL])
    (texture,) = (written.value for written in file.objects.values() if written.class_id == TEXTURE_2D)
    assert texture["image data"] == b"\x09" * 4, "without a stream the pixels are in the object"
