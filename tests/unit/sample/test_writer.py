"""Files and archives written from nothing, read back by UnityPy: versions, byte orders, type trees, compressions."""

from __future__ import annotations

import struct
import textwrap

import numpy as np
import pytest
import UnityPy

import unity2gltf.sample
from tests.unit.sample.readback import assert_reads_back
from unity2gltf.sample import FileBuilder, Hierarchy, unityfs
from unity2gltf.sample.typetree import encode, fill, tree
from unity2gltf.sample.values import GAME_OBJECT, MESH, TRANSFORM, pptr

VERSIONS = {
    "4.6.9f1": 9,
    "5.0.4f1": 15,
    "5.6.7f1": 17,
    "2018.4.30f1": 17,
    "2019.4.40f1": 21,
    "2020.3.48f1": 22,
    "2022.3.20f1": 22,
    "6000.2.5f1": 22,
}


def small_file(version: str, type_trees: bool, big_endian: bool) -> FileBuilder:
    file = FileBuilder(version, type_trees, big_endian)
    file.external("sharedassets0.assets")
    objects = Hierarchy(file)
    root = objects.add("Wurzel ü", position=(1.0, 2.0, 3.0))
    objects.add("Kind", root, active=False)
    objects.write()
    file.add(MESH, {"m_Name": "Netz", "m_BindPose": [{"e00": 1.0, "e32": -2.5}], "m_IndexBuffer": b"\1\0\2\0\3\0"})
    return file


@pytest.mark.parametrize("big_endian", [False, True])
@pytest.mark.parametrize("type_trees", [False, True])
@pytest.mark.parametrize("version", VERSIONS)
def test_serialized_file_reads_back(version: str, type_trees: bool, big_endian: bool) -> None:
    file = small_file(version, type_trees, big_endian)
    data = file.to_bytes()
    assert struct.unpack_from(">I", data, 8)[0] == VERSIONS[version] == file.format
    assert assert_reads_back(data, file, version) == 5
    (asset,) = UnityPy.load(data).assets
    assert (asset.unity_version, asset.externals[0].path) == (version, "sharedassets0.assets")
    assert asset.header.file_size == len(data)


@pytest.mark.parametrize("compression", ["none", "lzma", "lz4", "lz4hc"])
@pytest.mark.parametrize("version", ["2018.4.30f1", "2019.4.10f1", "2019.4.40f1", "2021.3.30f1", "6000.0.30f1"])
def test_archive_reads_back(version: str, compression: str) -> None:
    file = small_file(version, True, False)
    noise = np.random.default_rng(3).bytes(300_000)  # three blocks that do not compress
    data = unityfs({"CAB-1": file.to_bytes(), "CAB-1.resS": noise}, version, compression)
    assert assert_reads_back(data, file, version) == 5
    assert struct.unpack_from(">q", data, data.index(version.encode()) + len(version) + 1)[0] == len(data)
    (bundle,) = UnityPy.load(data).files.values()
    assert bytes(bundle.files["CAB-1.resS"].bytes) == noise


def test_game_object_links() -> None:
    file = small_file("2022.3.20f1", False, False)
    objects = {w.value["m_Name"]: w.value for w in file.objects.values() if w.class_id == GAME_OBJECT}
    root = file.objects[objects["Wurzel ü"]["m_Component"][0]["component"]["m_PathID"]].value
    child = file.objects[root["m_Children"][0]["m_PathID"]].value
    assert root["m_Father"] == pptr(0)
    assert file.objects[child["m_Father"]["m_PathID"]].value is root
    assert file.objects[child["m_GameObject"]["m_PathID"]].value["m_IsActive"] is False


def test_field_the_version_lacks_is_an_error_unless_marked() -> None:
    node = tree(MESH, "2018.4.30f1")
    with pytest.raises(KeyError, match="m_VariableBoneCountWeights"):
        fill(node, {"m_VariableBoneCountWeights": {}})
    assert "m_VariableBoneCountWeights" not in fill(node, {"?m_VariableBoneCountWeights": {}})


@pytest.mark.parametrize("order", ["<", ">"])
def test_array_encodes_like_its_list(order: str) -> None:
    node = tree(MESH, "2022.3.20f1")
    words = [1, 0xFFFF0003, 7]
    one, other = bytearray(), bytearray()
    encode(node, fill(node, {"m_BoneNameHashes": words}), order, one)
    encode(node, fill(node, {"m_BoneNameHashes": np.array(words, np.uint32)}), order, other)
    assert one == other


def test_array_of_the_wrong_width_is_refused() -> None:
    with pytest.raises(ValueError, match="takes 4 bytes, not 8"):
        FileBuilder("2022.3.20f1").add(MESH, {"m_BoneNameHashes": np.zeros(3, np.int64)})


def test_raw_bodies_for_hostile_files() -> None:
    file = FileBuilder("2022.3.20f1")
    file.add_bytes(MESH, b"short", path_id=-7)
    (reader,) = UnityPy.load(file.to_bytes()).objects
    assert (reader.path_id, reader.get_raw_data()) == (-7, b"short")


def test_path_id_taken_twice_is_refused() -> None:
    file = FileBuilder("2022.3.20f1")
    file.add(TRANSFORM, {}, path_id=4)
    assert file.reserve() == 5
    with pytest.raises(ValueError, match="path id 4 is taken"):
        file.add(TRANSFORM, {}, path_id=4)


def test_the_package_docstring_runs() -> None:
    _, _, rest = (unity2gltf.sample.__doc__ or "").partition("::\n")
    code, _, _ = rest.partition("\n- ")
    names: dict[str, object] = {}
    exec(textwrap.dedent(code), names)
    (bundle,) = UnityPy.load(names["archive"]).files.values()
    assert [reader.type.name for reader in bundle.get_objects()]
    assert len(list(UnityPy.load(names["data"]).objects)) == 5
