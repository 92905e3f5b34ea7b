"""Materials, textures, images, extensions."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from tests.builders.assets import asset, material, one_mesh, painted, quad, quad_geometry, texture
from unity2gltf.diagnostics import Diagnostics
from unity2gltf.emit.document import build_document, glb_bytes
from unity2gltf.emit.extensions import TEXTURE_INFO
from unity2gltf.emit.extensions.texture_transform import texture_transform
from unity2gltf.evaluate.glb import read_gltf
from unity2gltf.ir import AlphaMode, Asset, Material, Mesh, Primitive, TextureUse
from unity2gltf.optional import Unavailable
from unity2gltf.validate.khronos import find_khronos, run_khronos
from unity2gltf.validate.structure import check_structure


def written(built: Asset) -> tuple[dict[str, Any], list[str]]:
    diagnostics = Diagnostics()
    return build_document(built, diagnostics).json, [item.code.name for item in diagnostics.items]


def shown_with(paint: Material, **more: Any) -> Asset:
    """A quad of UV set 0 (or ``more``) drawn with one material over one image."""
    built = one_mesh(quad_geometry(**more), materials=(paint,), textures=(texture(),), images=painted().images[:1])
    return replace(built, meshes=(Mesh(geometry=0, primitives=(Primitive(submesh=0, material=0),)),))


def test_factors_and_flags() -> None:
    red, glass = written(quad())[0]["materials"]
    assert red["pbrMetallicRoughness"] == {"baseColorFactor": [1, 0, 0, 1], "metallicFactor": 0}
    assert "alphaMode" not in red and "doubleSided" not in red
    assert glass["alphaMode"] == "BLEND" and glass["doubleSided"] is True
    assert glass["pbrMetallicRoughness"] == {"metallicFactor": 0, "roughnessFactor": 0.25}


def test_the_cutoff_is_written_for_mask_alone() -> None:
    for mode in AlphaMode:
        json, _ = written(asset([], materials=(material(alpha_mode=mode, alpha_cutoff=0.25),)))
        assert json["materials"][0].get("alphaCutoff") == (0.25 if mode is AlphaMode.MASK else None)


def test_extras_stand_beside_the_mark() -> None:
    json, _ = written(asset([], materials=(material(extras={"shader": "Standard"}),)))
    assert json["materials"][0]["extras"]["unity"]["shader"] == "Standard"
    assert json["materials"][0]["extras"]["unity"]["path_id"] == "20"


def test_texture_coordinates_follow_the_renumbering_by_a_copy_of_the_material() -> None:
    json, _ = written(painted())
    first, second = (mesh["primitives"][0]["material"] for mesh in json["meshes"])
    assert (first, second) == (0, 1)
    sets = [m["pbrMetallicRoughness"]["baseColorTexture"].get("texCoord", 0) for m in json["materials"]]
    assert sets == [0, 1]  # Unity's set 1 is the first of the first mesh, the second of the other
    assert json["materials"][0]["name"] == json["materials"][1]["name"]
    assert json["materials"][0]["extras"] == json["materials"][1]["extras"]


def test_copies_stand_behind_the_assets_own_materials() -> None:
    built = painted()
    json, _ = written(replace(built, materials=(*built.materials, material("Unused", path_id=21))))
    assert [m["name"] for m in json["materials"]] == ["Leaf", "Unused", "Leaf"]
    assert json["meshes"][1]["primitives"][0]["material"] == 2


def test_a_missing_uv_set_falls_back_to_the_first() -> None:
    json, codes = written(shown_with(material(base_color_texture=TextureUse(texture=0, uv=2))))
    assert json["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"] == {"index": 0}
    assert codes == ["VERTEX_COLORS_IGNORED", "UV_SET_MISSING"]


def test_without_any_uv_set_the_texture_is_left_out() -> None:
    json, codes = written(shown_with(material(base_color_texture=TextureUse(texture=0)), uvs={}))
    assert "baseColorTexture" not in json["materials"][0]["pbrMetallicRoughness"]
    assert codes == ["VERTEX_COLORS_IGNORED", "UV_SET_MISSING"]


def test_an_unused_material_keeps_unitys_set() -> None:
    built = painted()
    json, _ = written(replace(built, meshes=(), nodes=(), geometries=()))
    assert json["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"]["texCoord"] == 1


def test_tiling_is_an_extension_and_identity_is_not() -> None:
    json, _ = written(painted())
    info = json["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"]
    assert info["extensions"] == {"KHR_texture_transform": {"offset": [0.0, 0.5], "scale": [2.0, 3.0]}}
    assert json["extensionsUsed"] == ["KHR_texture_transform"]
    json, _ = written(shown_with(material(base_color_texture=TextureUse(texture=0))))
    assert "extensionsUsed" not in json
    assert texture_transform(TextureUse(texture=0, scale=(1.0, 2.0))) == {"scale": [1.0, 2.0]}
    assert "KHR_texture_transform" in TEXTURE_INFO


def test_unlit_is_an_extension_with_the_recommended_fallback() -> None:
    json, _ = written(asset([], materials=(material(unlit=True, metallic=0.75, roughness=0.1), material())))
    unlit, lit = json["materials"]
    assert unlit["extensions"] == {"KHR_materials_unlit": {}}
    assert (unlit["pbrMetallicRoughness"]["metallicFactor"], unlit["pbrMetallicRoughness"]["roughnessFactor"]) == (
        0,
        0.9,
    )
    assert "extensions" not in lit
    assert json["extensionsUsed"] == ["KHR_materials_unlit"]
    assert "extensionsRequired" not in json


def test_an_unlit_file_is_valid(tmp_path: Path) -> None:
    """Both extensions in one file; the run's last step gives it to the Khronos validator, where that is at hand."""
    paint = material(unlit=True, base_color_texture=TextureUse(texture=0, scale=(2.0, 2.0)))
    path = tmp_path / "unlit.glb"
    path.write_bytes(b"".join(glb_bytes(build_document(shown_with(paint), Diagnostics()))[0]))
    assert check_structure(read_gltf(path)) == []
    runner = find_khronos(None)
    if not isinstance(runner, Unavailable):
        (report,) = run_khronos([path], runner)
        assert (report.errors, report.warnings) == (0, 0)


def test_samplers_are_shared_and_texture_indices_kept() -> None:
    json, _ = written(painted())
    assert [item["source"] for item in json["textures"]] == [0, 1, 2]
    assert [item["sampler"] for item in json["textures"]] == [0, 1, 0]
    assert json["samplers"][1]["wrapS"] == 33071 and "wrapT" not in json["samplers"][1]


def test_images_of_the_same_bytes_are_written_once() -> None:
    diagnostics = Diagnostics()
    document = build_document(painted(), diagnostics)
    images = document.json["images"]
    assert images[1]["bufferView"] == images[2]["bufferView"] != images[0]["bufferView"]
    assert bytes(document.chunks[images[1]["bufferView"]]).startswith(b"\x89PNG")
    assert [image["name"] for image in images] == ["Leaf", "Bark", "Copy of bark"]


def test_an_image_of_several_textures_names_them_all() -> None:
    images = written(painted())[0]["images"]
    assert [mark["path_id"] for mark in images[0]["extras"]["unity"]["sources"]] == ["30", "31"]
    assert images[1]["extras"]["unity"]["path_id"] == "30"


def test_a_null_material_is_a_primitive_without_one() -> None:
    assert "material" not in written(quad())[0]["meshes"][1]["primitives"][0]


def test_uvs_of_two_components_are_not_copied() -> None:
    uv = np.zeros((4, 2), np.float32)
    document = build_document(one_mesh(quad_geometry(uvs={0: uv})), Diagnostics())
    index = document.json["meshes"][0]["primitives"][0]["attributes"]["TEXCOORD_0"]
    view = document.chunks[document.json["accessors"][index]["bufferView"]]
    uv[0, 0] = 7
    assert np.frombuffer(view, np.float32)[0] == 7
