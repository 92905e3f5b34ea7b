"""Every reader finds its fields in every Unity version from 3.4 to the newest that UnityPy knows."""

from __future__ import annotations

import struct
from functools import cache
from typing import Any, cast

import numpy as np
import pytest
from UnityPy.helpers.Tpk import get_typetree

from unity2gltf.diagnostics import Diagnostics
from unity2gltf.extract.assetbundle import read_bundle_info
from unity2gltf.extract.avatar import read_avatar
from unity2gltf.extract.clip import read_clip
from unity2gltf.extract.components import Components
from unity2gltf.extract.content import ContentRoot, GameFile
from unity2gltf.extract.controller import read_controller
from unity2gltf.extract.layout import ALIGN, SCALARS
from unity2gltf.extract.material import read_material
from unity2gltf.extract.mesh import read_mesh
from unity2gltf.extract.settings import _skin_weights
from unity2gltf.extract.texture import read_texture
from unity2gltf.extract.trees import bundled_plan, newest_version
from unity2gltf.raw import RawPackedKeys
from unity2gltf.source import Source

CLASSES = {
    1: "GameObject", 21: "Material", 23: "MeshRenderer", 28: "Texture2D", 33: "MeshFilter", 43: "Mesh",
    47: "QualitySettings", 74: "AnimationClip", 90: "Avatar", 91: "AnimatorController", 95: "Animator",
    111: "Animation", 137: "SkinnedMeshRenderer", 142: "AssetBundle", 205: "LODGroup",
    221: "AnimatorOverrideController",
}  # fmt: skip
NUMBER = {name: number for number, name in CLASSES.items()}


@cache
def versions_of(class_id: int) -> list[str]:
    """One version text for each time the class changed, from 3.4 on."""
    found = []
    for version, known in get_typetree().ClassInformation[class_id]:
        if known is not None and (version.major, version.minor) >= (3, 4):
            found.append(f"{version.major}.{version.minor}.{version.build}{version.type.name}{version.type_number}")
    return found


def ones(node: Any) -> bytes:
    """Bytes of an object of zeros in which every vector has one element and every string is empty."""
    out = bytearray()
    _write(node, out)
    return bytes(out)


def _write(node: Any, out: bytearray) -> None:
    align = (node.m_MetaFlag or 0) & ALIGN
    if node.m_Type in SCALARS:
        out += bytes(np.dtype(SCALARS[node.m_Type][1]).itemsize)
    elif node.m_Type in ("string", "TypelessData"):
        out += bytes(4)
    elif node.m_Children and node.m_Children[0].m_Type == "Array":
        align |= (node.m_Children[0].m_MetaFlag or 0) & ALIGN
        out += struct.pack("<i", 1)
        _write(node.m_Children[0].m_Children[1], out)
    else:
        for child in node.m_Children:
            _write(child, out)
    if align:
        out += bytes(-len(out) % 4)


class _OneVersion:
    """Stands in for a content root: every object is :func:`ones` of its class."""

    def __init__(self, version: str) -> None:
        self.version_text = version
        self.diagnostics = Diagnostics()
        major, minor, rest = version.split(".", 2)
        self.version = (int(major), int(minor), int(rest[0]))
        self.big_endian, self.platform = False, 19

    def file(self, source: Source) -> Any:
        return self

    def read(self, source: Source, fields: frozenset[str] | None = None) -> dict[str, Any]:
        plan = bundled_plan(NUMBER[source.type], self.version_text, "<")
        data = ones(plan.root)
        value, used = plan.read(memoryview(data), fields)
        assert used == len(data)
        return value

    def resolve(self, file: Any, pointer: Any) -> None:
        assert pointer == (0, 0) or pointer == {"m_FileID": 0, "m_PathID": 0}


def _case(name: str, version: str) -> tuple[ContentRoot, Source]:
    return cast(ContentRoot, _OneVersion(version)), Source("in", "file", 1, name)


def _cases(*names: str) -> list[Any]:
    return [pytest.param(name, version) for name in names for version in versions_of(NUMBER[name])]


def test_there_are_versions_to_test() -> None:
    assert len(versions_of(43)) >= 15
    assert versions_of(43)[0].startswith("3.4")
    assert newest_version() >= (6000, 0, 0)


@pytest.mark.parametrize(("name", "version"), _cases("Mesh"))
def test_mesh(name: str, version: str) -> None:
    mesh = read_mesh(*_case(name, version))
    number = tuple(map(int, version.split(".")[:2]))
    assert len(mesh.submeshes) == 1
    assert mesh.bind_poses.shape == (1, 4, 4)
    assert len(mesh.index_buffer) == 1
    assert (mesh.uv_info is not None) == (number >= (5, 0))
    assert len(mesh.bone_name_hashes) == (number >= (4, 3))
    assert "m_Vertices" in mesh.compressed and mesh.compressed["m_Triangles"].num_items == 0
    assert ("m_FloatColors" in mesh.compressed) == (number >= (5, 0))
    if number < (3, 5):
        assert mesh.vertex_count == 1 and mesh.index_format == 1
        assert {key: value.shape for key, value in mesh.separate.items()} == {
            "vertices": (1, 3), "normals": (1, 3), "tangents": (1, 4), "uv": (1, 2), "uv1": (1, 2), "colors": (1, 4),
        }  # fmt: skip
    else:
        assert mesh.separate == {} and mesh.index_format == 0
    assert len(mesh.channels) == (number >= (4, 0))
    assert (mesh.streams is None) == (number >= (5, 0) or number < (3, 5))
    if mesh.streams is not None:
        assert len(mesh.streams) == (4 if number < (4, 0) else 1)
    assert (mesh.skin is not None) == (number < (2018, 2))
    assert mesh.skin is None or mesh.skin[0].shape == mesh.skin[1].shape == (1, 4)
    assert (mesh.variable_weights is not None) == (number >= (2019, 1))
    assert (mesh.shapes is not None) == (number >= (4, 1))
    if mesh.shapes is not None:
        assert mesh.shapes.position.shape == (1, 3)
        assert len(mesh.shapes.channels) == len(mesh.shapes.shapes) == len(mesh.shapes.full_weights) == 1
        assert number >= (4, 3) or mesh.shapes.full_weights.tolist() == [100]


@pytest.mark.parametrize(("name", "version"), _cases("Material"))
def test_material(name: str, version: str) -> None:
    material = read_material(*_case(name, version))
    assert list(material.textures) == list(material.floats) == list(material.colors) == [""]
    assert material.textures[""].scale == (0, 0)
    assert material.colors[""] == (0, 0, 0, 0)


@pytest.mark.parametrize(("name", "version"), _cases("Texture2D"))
def test_texture(name: str, version: str) -> None:
    texture = read_texture(*_case(name, version))
    assert (texture.width, texture.height, texture.wrap) == (0, 0, (0, 0))
    assert len(texture.data) == 0 and texture.platform == 19


@pytest.mark.parametrize(("name", "version"), _cases("Avatar"))
def test_avatar(name: str, version: str) -> None:
    avatar = read_avatar(*_case(name, version))
    assert avatar.parents.tolist() == [0] and avatar.ids.tolist() == [0]
    assert (avatar.positions.shape, avatar.rotations.shape, avatar.scales.shape) == ((1, 3), (1, 4), (1, 3))
    assert avatar.tos == {0: ""}


@pytest.mark.parametrize(("name", "version"), _cases("SkinnedMeshRenderer", "MeshRenderer"))
def test_renderer(name: str, version: str) -> None:
    root, source = _case(name, version)
    components = Components(root, cast(GameFile, root))
    parts = {name: source, "MeshFilter": Source("in", "file", 2, "MeshFilter")}
    diagnostics = Diagnostics()
    renderer = components.renderer(parts, diagnostics)
    assert diagnostics.items == []
    assert renderer is not None and renderer.materials == (None,)
    assert renderer.skinned == (name == "SkinnedMeshRenderer")
    assert len(renderer.bones) == renderer.skinned
    number = tuple(map(int, version.split(".")[:2]))
    assert renderer.submeshes == ((0,) if number < (5, 5) else None)
    assert len(renderer.blend_shape_weights) == (renderer.skinned and number >= (4, 3))


@pytest.mark.parametrize(("name", "version"), _cases("GameObject"))
def test_game_object(name: str, version: str) -> None:
    root, source = _case(name, version)
    fields = root.read(source)
    assert Components(root, cast(GameFile, root))._every(fields["m_Component"]) == ()
    assert fields["m_Name"] == "" and not fields["m_IsActive"]


@pytest.mark.parametrize(("name", "version"), _cases("AnimationClip"))
def test_clip(name: str, version: str) -> None:
    clip = read_clip(*_case(name, version))
    number = tuple(map(int, version.split(".")[:2]))
    kinds = [curve.kind for curve in clip.curves]
    assert kinds == ["position", "rotation"] + ["euler"] * (number >= (5, 3)) + ["scale", "rotation", "float"] + [
        "pptr"
    ] * (number >= (4, 3))
    assert clip.legacy == (number < (4, 0))
    for curve in clip.curves:
        if isinstance(curve.keys, RawPackedKeys):
            assert curve.keys.times.num_items == 0 and len(curve.keys.values.data) == 1
        elif curve.keys is not None:
            width = {"rotation": 4, "float": 1}.get(curve.kind, 3)
            assert curve.keys.values.shape == curve.keys.in_slopes.shape == (1, width)
            assert (curve.keys.weighted is not None) == (number >= (2018, 1))
            assert curve.keys.in_weights is None or curve.keys.in_weights.shape == (1, width)
    assert (clip.compiled is not None) == (number >= (4, 0))
    assert len(clip.bindings) == (number >= (4, 3))
    assert len(clip.events) == 1 and len(clip.muscles.index_array) == (number >= (4, 0))
    assert ("m_LoopTime" in clip.flags) == (number >= (4, 3))
    assert ("m_Mirror" in clip.flags) == (number >= (4, 0))
    assert ("m_HasGenericRootTransform" in clip.flags) == (number >= (2018, 3))
    if clip.compiled is not None:
        assert clip.compiled.streamed.tolist() == [0] and clip.compiled.dense.shape == (0, 0)
        assert len(clip.compiled.constants) == (number >= (4, 3))


@pytest.mark.parametrize(("name", "version"), _cases("AnimatorController", "AnimatorOverrideController"))
def test_controller(name: str, version: str) -> None:
    root, source = _case(name, version)
    controller = read_controller(root, source)
    codes = [item.code.name for item in root.diagnostics.items]
    assert controller.clips == ()
    if name == "AnimatorOverrideController":
        assert controller.states == () and codes == []
    elif version.startswith(("4.0", "4.1", "4.2")):
        assert controller.states == () and codes == ["CONTROLLER_OLD"]
    else:
        (state,) = controller.states
        assert state.default and state.motions == () and not state.additive and state.full_path == ""
        assert codes == ["CONTROLLER_INVALID"]  # its node names itself as a child


@pytest.mark.parametrize(("name", "version"), _cases("Animation"))
def test_animation(name: str, version: str) -> None:
    root, source = _case(name, version)
    diagnostics = Diagnostics()
    animation = Components(root, cast(GameFile, root)).animation({name: source}, diagnostics)
    assert diagnostics.items == [] and animation is not None
    assert animation.clips == (None,) and animation.default is None and not animation.play_automatically


@pytest.mark.parametrize(("name", "version"), _cases("LODGroup", "Animator"))
def test_lods_and_animators(name: str, version: str) -> None:
    root, source = _case(name, version)
    components, diagnostics = Components(root, cast(GameFile, root)), Diagnostics()
    if name == "LODGroup":
        (lod,) = components.lods(source, diagnostics)
        assert lod.levels == ((0.0, (None,)),)
    else:
        animator = components.animator({name: source}, diagnostics)
        assert animator is not None
        assert animator.has_transform_hierarchy == (tuple(map(int, version.split(".")[:2])) < (4, 3))
    assert diagnostics.items == []


@pytest.mark.parametrize(("name", "version"), _cases("QualitySettings"))
def test_quality_levels(name: str, version: str) -> None:
    root, source = _case(name, version)
    levels = _skin_weights(root.read(source))
    assert len(levels) in (1, 6) and {weights for _, weights in levels} == {0}


@pytest.mark.parametrize(("name", "version"), _cases("AssetBundle"))
def test_bundle_info(name: str, version: str) -> None:
    info = read_bundle_info(*_case(name, version))
    assert info.paths == ("",) and info.container == {} and not info.scenes
