"""Material extensions: what is written, what is left out as a default, and where textures are read from."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.builders.assets import asset, material, painted, quad_geometry, texture
from tests.builders.raw import source
from unity2gltf.diagnostics import Diagnostics
from unity2gltf.emit.document import build_document, glb_bytes
from unity2gltf.emit.extensions import MATERIAL
from unity2gltf.emit.extensions.emissive_strength import split_emissive
from unity2gltf.evaluate.glb import read_gltf
from unity2gltf.ir import (
    Anisotropy,
    Asset,
    Clearcoat,
    Iridescence,
    Material,
    Mesh,
    Node,
    Primitive,
    Sheen,
    Specular,
    TextureUse,
    Transmission,
)
from unity2gltf.optional import Unavailable
from unity2gltf.validate.khronos import find_khronos, run_khronos
from unity2gltf.validate.structure import check_structure

USE = TextureUse(texture=0)


def drawn_on(paint: Material, *sets: dict[int, Any]) -> Asset:
    """A mesh for each numbering of UV sets, all drawn with one material."""
    geometries = tuple(quad_geometry(path_id=1 + n, uvs=uvs, colors=None) for n, uvs in enumerate(sets))
    meshes = tuple(Mesh(geometry=n, primitives=(Primitive(submesh=0, material=0),)) for n in range(len(sets)))
    nodes = [Node(name=f"Quad {n}", source=source(10 + n, "GameObject"), mesh=n) for n in range(len(sets))]
    return asset(
        nodes,
        geometries=geometries,
        meshes=meshes,
        materials=(paint,),
        textures=(texture(0), texture(0)),
        images=painted().images[:1],
    )


def coordinates() -> np.ndarray:
    return np.array([(0, 1), (1, 1), (1, 0), (0, 0)], np.float32)


def json_of(paint: Material, *sets: dict[int, Any]) -> dict[str, Any]:
    return build_document(drawn_on(paint, *(sets or ({0: coordinates()},))), Diagnostics()).json


def extensions_of(paint: Material) -> dict[str, Any]:
    json = json_of(paint)
    found: dict[str, Any] = json["materials"][0].get("extensions", {})
    assert set(found) <= set(json.get("extensionsUsed", []))
    assert "extensionsRequired" not in json
    return found


# --- emission -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("emissive", "factor", "strength"),
    [
        ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0), 1.0),
        ((0.5, 1.0, 0.25), (0.5, 1.0, 0.25), 1.0),
        ((2.0, 1.0, 0.5), (1.0, 0.5, 0.25), 2.0),
        ((0.0, 0.0, 1000.0), (0.0, 0.0, 1.0), 1000.0),
    ],
)
def test_emission_above_one_is_split(emissive: tuple[float, ...], factor: tuple[float, ...], strength: float) -> None:
    paint = material(emissive=emissive)
    assert split_emissive(paint) == (factor, strength)
    json = json_of(paint)["materials"][0]
    assert tuple(json.get("emissiveFactor", (0.0, 0.0, 0.0))) == factor
    expected = {"KHR_materials_emissive_strength": {"emissiveStrength": strength}} if strength > 1 else {}
    assert json.get("extensions", {}) == expected


def test_a_least_strength_leaves_room_for_animated_factors() -> None:
    paint = material(emissive=(1.0, 0.5, 0.0), emissive_strength=4.0)
    assert split_emissive(paint) == ((0.25, 0.125, 0.0), 4.0)


def test_scale_of_normals_and_strength_of_occlusion() -> None:
    json = json_of(material(normal_texture=USE, normal_scale=-0.5, occlusion_texture=USE, occlusion_strength=0.25))
    assert json["materials"][0]["normalTexture"] == {"index": 0, "scale": -0.5}
    assert json["materials"][0]["occlusionTexture"] == {"index": 0, "strength": 0.25}


# --- one extension at a time ----------------------------------------------------------------------------------------

CASES: list[tuple[str, Material, dict[str, Any]]] = [
    ("ior", material(ior=1.5), {}),
    ("ior", material(), {}),
    ("ior", material(ior=3.0), {"KHR_materials_ior": {"ior": 3.0}}),
    ("specular", material(specular=Specular()), {"KHR_materials_specular": {}}),
    ("specular", material(specular=Specular(factor=0.0)), {"KHR_materials_specular": {"specularFactor": 0.0}}),
    (
        "specular",
        material(specular=Specular(factor=0.5, texture=USE, color=(1.0, 0.5, 0.0), color_texture=USE)),
        {
            "KHR_materials_specular": {
                "specularFactor": 0.5,
                "specularTexture": {"index": 0},
                "specularColorFactor": [1.0, 0.5, 0.0],
                "specularColorTexture": {"index": 0},
            }
        },
    ),
    ("clearcoat", material(clearcoat=Clearcoat(factor=0.5)), {"KHR_materials_clearcoat": {"clearcoatFactor": 0.5}}),
    (
        "clearcoat",
        material(
            clearcoat=Clearcoat(
                factor=1.0, texture=USE, roughness=0.25, roughness_texture=USE, normal_texture=USE, normal_scale=0.5
            )
        ),
        {
            "KHR_materials_clearcoat": {
                "clearcoatFactor": 1.0,
                "clearcoatTexture": {"index": 0},
                "clearcoatRoughnessFactor": 0.25,
                "clearcoatRoughnessTexture": {"index": 0},
                "clearcoatNormalTexture": {"index": 0, "scale": 0.5},
            }
        },
    ),
    ("sheen", material(sheen=Sheen(color=(0.0, 0.0, 0.0))), {"KHR_materials_sheen": {}}),
    (
        "sheen",
        material(sheen=Sheen(color=(1.0, 0.5, 0.0), color_texture=USE, roughness=0.5, roughness_texture=USE)),
        {
            "KHR_materials_sheen": {
                "sheenColorFactor": [1.0, 0.5, 0.0],
                "sheenColorTexture": {"index": 0},
                "sheenRoughnessFactor": 0.5,
                "sheenRoughnessTexture": {"index": 0},
            }
        },
    ),
    (
        "transmission",
        material(transmission=Transmission(factor=0.75, texture=USE)),
        {"KHR_materials_transmission": {"transmissionFactor": 0.75, "transmissionTexture": {"index": 0}}},
    ),
    (
        "volume without absorption",
        material(transmission=Transmission(factor=1.0, thickness=2.0)),
        {"KHR_materials_transmission": {"transmissionFactor": 1.0}, "KHR_materials_volume": {"thicknessFactor": 2.0}},
    ),
    (
        "volume",
        material(
            transmission=Transmission(
                factor=1.0,
                thickness=2.0,
                thickness_texture=USE,
                attenuation_distance=0.5,
                attenuation_color=(1.0, 0.5, 0.0),
            )
        ),
        {
            "KHR_materials_transmission": {"transmissionFactor": 1.0},
            "KHR_materials_volume": {
                "thicknessFactor": 2.0,
                "thicknessTexture": {"index": 0},
                "attenuationDistance": 0.5,
                "attenuationColor": [1.0, 0.5, 0.0],
            },
        },
    ),
    (
        "anisotropy",
        material(anisotropy=Anisotropy(strength=0.5)),
        {"KHR_materials_anisotropy": {"anisotropyStrength": 0.5}},
    ),
    (
        "anisotropy",
        material(anisotropy=Anisotropy(strength=0.5, rotation=1.5, texture=USE)),
        {
            "KHR_materials_anisotropy": {
                "anisotropyStrength": 0.5,
                "anisotropyRotation": 1.5,
                "anisotropyTexture": {"index": 0},
            }
        },
    ),
    (
        "iridescence",
        material(iridescence=Iridescence(factor=0.5)),
        {"KHR_materials_iridescence": {"iridescenceFactor": 0.5}},
    ),
    (
        "iridescence",
        material(
            iridescence=Iridescence(factor=1.0, texture=USE, ior=1.75, thickness=(50.0, 500.0), thickness_texture=USE)
        ),
        {
            "KHR_materials_iridescence": {
                "iridescenceFactor": 1.0,
                "iridescenceTexture": {"index": 0},
                "iridescenceIor": 1.75,
                "iridescenceThicknessMinimum": 50.0,
                "iridescenceThicknessMaximum": 500.0,
                "iridescenceThicknessTexture": {"index": 0},
            }
        },
    ),
    ("unlit", material(unlit=True), {"KHR_materials_unlit": {}}),
]


@pytest.mark.parametrize(("paint", "expected"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_members_of_an_extension(paint: Material, expected: dict[str, Any]) -> None:
    assert extensions_of(paint) == expected


def test_every_extension_has_a_case() -> None:
    written = {name for _, _, expected in CASES for name in expected} | {"KHR_materials_emissive_strength"}
    assert written == set(MATERIAL)


# --- where textures are read from -----------------------------------------------------------------------------------

SLOTS = {
    "base_color_texture": ("pbrMetallicRoughness", "baseColorTexture"),
    "metallic_roughness_texture": ("pbrMetallicRoughness", "metallicRoughnessTexture"),
    "normal_texture": ("normalTexture",),
    "occlusion_texture": ("occlusionTexture",),
    "emissive_texture": ("emissiveTexture",),
    "specular.texture": ("extensions", "KHR_materials_specular", "specularTexture"),
    "specular.color_texture": ("extensions", "KHR_materials_specular", "specularColorTexture"),
    "clearcoat.texture": ("extensions", "KHR_materials_clearcoat", "clearcoatTexture"),
    "clearcoat.roughness_texture": ("extensions", "KHR_materials_clearcoat", "clearcoatRoughnessTexture"),
    "clearcoat.normal_texture": ("extensions", "KHR_materials_clearcoat", "clearcoatNormalTexture"),
    "sheen.color_texture": ("extensions", "KHR_materials_sheen", "sheenColorTexture"),
    "sheen.roughness_texture": ("extensions", "KHR_materials_sheen", "sheenRoughnessTexture"),
    "transmission.texture": ("extensions", "KHR_materials_transmission", "transmissionTexture"),
    "transmission.thickness_texture": ("extensions", "KHR_materials_volume", "thicknessTexture"),
    "anisotropy.texture": ("extensions", "KHR_materials_anisotropy", "anisotropyTexture"),
    "iridescence.texture": ("extensions", "KHR_materials_iridescence", "iridescenceTexture"),
    "iridescence.thickness_texture": ("extensions", "KHR_materials_iridescence", "iridescenceThicknessTexture"),
}
LAYERS = {
    "specular": Specular(),
    "clearcoat": Clearcoat(factor=1.0),
    "sheen": Sheen(color=(1.0, 1.0, 1.0)),
    "transmission": Transmission(factor=1.0, thickness=1.0),
    "anisotropy": Anisotropy(strength=1.0),
    "iridescence": Iridescence(factor=1.0),
}


def with_texture(slot: str, use: TextureUse) -> Material:
    layer, _, name = slot.rpartition(".")
    return material(**({layer: replace(LAYERS[layer], **{name: use})} if layer else {name: use}))


def info_at(json: dict[str, Any], path: tuple[str, ...]) -> dict[str, Any] | None:
    found: Any = json
    for step in path:
        found = found.get(step, {})
    return found or None


@pytest.mark.parametrize(("slot", "path"), SLOTS.items(), ids=SLOTS)
def test_every_slot_has_its_tiling(slot: str, path: tuple[str, ...]) -> None:
    use = TextureUse(texture=1, scale=(2.0, 3.0), offset=(0.25, -0.5))
    json = json_of(with_texture(slot, use))
    info = info_at(json["materials"][0], path)
    assert info is not None
    assert info["index"] == 1
    assert "texCoord" not in info
    assert info["extensions"] == {"KHR_texture_transform": {"scale": [2.0, 3.0], "offset": [0.25, -0.5]}}
    assert "KHR_texture_transform" in json["extensionsUsed"]


@pytest.mark.parametrize(("slot", "path"), SLOTS.items(), ids=SLOTS)
def test_every_slot_follows_the_numbering_of_the_meshs_sets(slot: str, path: tuple[str, ...]) -> None:
    """Unity's set 1 is the first of a mesh that has no set 0, and the second of one that has; a mesh without any sets
    leaves the texture out."""
    sets = ({1: coordinates()}, {0: coordinates(), 1: coordinates()}, {}, {1: coordinates()})
    json = json_of(with_texture(slot, TextureUse(texture=0, uv=1)), *sets)
    drawn = [mesh["primitives"][0]["material"] for mesh in json["meshes"]]
    assert drawn == [0, 1, 2, 0]
    infos = [info_at(json["materials"][index], path) for index in drawn]
    assert [info and info.get("texCoord", 0) for info in infos] == [0, 1, None, 0]


def test_two_slots_on_two_sets_are_numbered_each() -> None:
    paint = material(
        base_color_texture=TextureUse(texture=0, uv=3), emissive_texture=TextureUse(texture=0, uv=1),
    )  # fmt: skip
    json = json_of(paint, {1: coordinates(), 3: coordinates()}, {0: coordinates(), 1: coordinates(), 3: coordinates()})
    found = [
        (
            item["pbrMetallicRoughness"]["baseColorTexture"].get("texCoord", 0),
            item["emissiveTexture"].get("texCoord", 0),
        )
        for item in json["materials"]
    ]
    assert found == [(1, 0), (2, 1)]


# --- whole files ----------------------------------------------------------------------------------------------------


def test_a_file_of_all_extensions_is_valid(tmp_path: Path) -> None:
    use = TextureUse(texture=0, scale=(2.0, 2.0))
    paint = material(
        base_color_texture=use,
        metallic_roughness_texture=use,
        normal_texture=use,
        normal_scale=-0.5,
        occlusion_texture=use,
        occlusion_strength=0.5,
        emissive=(5.0, 1.0, 0.0),
        emissive_texture=use,
        ior=1000.0,
        specular=Specular(factor=0.5, texture=use, color=(1.004, 0.5, 0.0), color_texture=use),
        clearcoat=Clearcoat(factor=0.5, texture=use, roughness=0.5, roughness_texture=use, normal_texture=use),
        sheen=Sheen(color=(1.0, 0.5, 0.0), color_texture=use, roughness=0.5, roughness_texture=use),
        transmission=Transmission(
            factor=0.5,
            texture=use,
            thickness=1.0,
            thickness_texture=use,
            attenuation_distance=2.0,
            attenuation_color=(0.0, 0.5, 1.0),
        ),
        anisotropy=Anisotropy(strength=0.5, rotation=math.pi / 2, texture=use),
        iridescence=Iridescence(factor=0.5, texture=use, thickness=(0.0, 1500.0), thickness_texture=use),
    )
    path = tmp_path / "everything.glb"
    built = drawn_on(paint, {0: coordinates()})
    path.write_bytes(b"".join(glb_bytes(build_document(built, Diagnostics()))[0]))
    assert check_structure(read_gltf(path)) == []
    runner = find_khronos(None)
    if not isinstance(runner, Unavailable):
        (report,) = run_khronos([path], runner)
        assert (report.errors, report.warnings, report.messages) == (0, 0, report.messages)
