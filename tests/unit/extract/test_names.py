"""Names by hash: where each is from, and the packed numbers of material properties."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.builders.clips import add_controller, layer
from unity2gltf.batch.nametable import name_table
from unity2gltf.errors import InputError, UsageError
from unity2gltf.extract.content import ContentRoot
from unity2gltf.extract.game import open_game
from unity2gltf.extract.properties import component_properties, material_numbers
from unity2gltf.math3d import name_hash
from unity2gltf.options import Options
from unity2gltf.sample.hierarchy import Hierarchy
from unity2gltf.sample.values import MATERIAL, MESH, color
from unity2gltf.sample.writer import FileBuilder

VERSION = "2022.3.20f1"


def write(folder: Path, version: str = VERSION) -> ContentRoot:
    file = FileBuilder(version)
    tree = Hierarchy(file)
    top = tree.add("Top")
    tree.add("Arm", top)
    tree.write()
    shapes = {"channels": [{"name": "Smile", "nameHash": 4711, "frameCount": 1}], "fullWeights": [100.0]}
    file.add(MESH, {"m_Name": "face", "m_Shapes": shapes})
    saved = {
        "m_Colors": [("_Color", color(1, 1, 1))],
        "m_Floats": [("_Cutoff", 0.5)],
        "m_TexEnvs": [("_MainTex", None)],
    }
    file.add(MATERIAL, {"m_Name": "skin", "m_SavedProperties": saved})
    add_controller(file, [layer(0, 1)], [], [], {1: "Base Layer", name_hash("Speed"): "Speed"})
    (folder / "a.assets").write_bytes(file.to_bytes())
    (root,) = open_game(folder).roots
    return root


def test_each_kind_of_name_with_its_origin(tmp_path: Path) -> None:
    names = write(tmp_path).names
    origins = {
        "Speed": "AnimatorController a.assets:",
        "Top/Arm": "a path in a.assets",
        "Smile": "a blend shape of Mesh a.assets:",
        "m_IsActive": "a well-known property of any component",
        "m_Intensity": "a well-known property of a Light",
        "_Cutoff": "a material property of Material a.assets:",
        "_Color.r": "a material property of Material a.assets:",
        "_MainTex_ST.z": "a material property of Material a.assets:",
    }
    for name, origin in origins.items():
        ((found, where),) = names.entries(name_hash(name))
        assert found == name and where.startswith(origin)
    assert names.lookup(4711) == ["Smile"]  # the stored hash is not always that of the name
    assert names.lookup(0x1234_5678) == []


def test_known_hashes() -> None:
    known = {name: hash_ for hash_, name, _ in component_properties()}
    assert known["m_IsActive"] == 2086281974 and known["m_Enabled"] == 3305885265
    assert known["m_Alpha"] == 1574349066 and known["m_AnchoredPosition.x"] == 1460864421


def test_packed_numbers_of_material_properties(tmp_path: Path) -> None:
    low = name_hash("_Color") & 0x0FFF_FFFF
    numbers = dict((name, number) for number, name in material_numbers("_Color", "color"))
    assert numbers["_Color.r"] == low | 0x4000_0000 and numbers["_Color.a"] == low | 0x7000_0000
    assert numbers["_Color.x"] == low and numbers["_Color.w"] == low | 0x3000_0000
    ((number, name),) = material_numbers("_Cutoff", "float")
    assert (number, name) == (name_hash("_Cutoff") & 0x0FFF_FFFF | 0x8000_0000, "_Cutoff")
    names = write(tmp_path).names
    ((found, origin),) = names.entries(low | 0x5000_0000)
    assert found == "_Color.g" and origin.endswith("packed")


def test_search_by_text(tmp_path: Path) -> None:
    names = write(tmp_path).names
    assert [name for _, name, _ in names.containing("TOP/a")] == ["Top/Arm"]
    assert {hash_ for hash_, name, _ in names.containing("smile")} == {4711, name_hash("Smile")}
    everything = names.all()
    assert everything == sorted(everything, key=lambda entry: (entry[1], entry[0]))
    assert len({entry[:2] for entry in everything}) == len(everything)


@pytest.mark.parametrize("version", ["4.1.0f4", "4.3.4f1", "2017.4.40f1"])
def test_shape_names_of_old_versions(tmp_path: Path, version: str) -> None:
    file = FileBuilder(version)
    old = version.startswith("4.1")
    file.add(MESH, {"m_Shapes": [{"name": "Smile"}] if old else {"channels": [{"name": "Smile", "nameHash": 5}]}})
    (tmp_path / "a.assets").write_bytes(file.to_bytes())
    (root,) = open_game(tmp_path).roots
    assert root.names.lookup(name_hash("Smile")) == ["Smile"]
    assert root.names.lookup(5) == ([] if old else ["Smile"])


def test_objects_that_cannot_be_read_name_nothing(tmp_path: Path) -> None:
    file = FileBuilder(VERSION)
    for class_id in (MESH, MATERIAL, 91, 90):
        file.add_bytes(class_id, b"\xff" * 40)
    (tmp_path / "a.assets").write_bytes(file.to_bytes())
    (root,) = open_game(tmp_path).roots
    assert root.names.lookup(1) == []
    assert {item.code.name for item in root.diagnostics.items} == {"OBJECT_CORRUPT"}


def test_name_table(tmp_path: Path) -> None:
    write(tmp_path).close()
    table = name_table(tmp_path, Options())
    assert table["query"] is table["hash"] is None and table["files"] == 1 and table["diagnostics"] == []
    assert {"hash": 4711, "name": "Smile"}.items() <= next(e for e in table["names"] if e["hash"] == 4711).items()
    for query in ("4711", "0x1267"):
        found = name_table(tmp_path, Options(), query)
        assert found["hash"] == 4711 and [entry["name"] for entry in found["names"]] == ["Smile"]
    found = name_table(tmp_path, Options(), "Smi")
    assert found["hash"] == name_hash("Smi") and {entry["name"] for entry in found["names"]} == {"Smile"}
    assert name_table(tmp_path, Options(), "0xnothing")["names"] == []
    with pytest.raises(UsageError):
        name_table(tmp_path, Options(), "4294967296")
    with pytest.raises(InputError):
        name_table(tmp_path / "none", Options())
