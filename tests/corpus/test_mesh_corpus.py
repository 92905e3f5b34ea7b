"""Every mesh of the corpus decodes without a complaint, and the generated built-in meshes are like the real ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from tests.corpus.objects import objects_below
from unity2gltf import codes
from unity2gltf.diagnostics import Diagnostics
from unity2gltf.ir import Geometry
from unity2gltf.normalize.mesh.builtin import BUILTINS, builtin_mesh
from unity2gltf.normalize.mesh.decode import decode_mesh
from unity2gltf.raw import RawMesh

pytestmark = pytest.mark.corpus

DEFAULT_RESOURCES = "PSkinnerTech+RunnAR/Data/Resources/unity default resources"


def decoded(path: Path, diagnostics: Diagnostics) -> Iterator[tuple[RawMesh, Geometry]]:
    for root, source in objects_below(path, "Mesh", diagnostics):
        with diagnostics.guard(codes.MESH_UNREADABLE, source.place("mesh"), source):
            raw = root.mesh(source)
            yield raw, decode_mesh(raw, diagnostics)


def test_every_mesh(corpus: Path) -> None:
    seen: Counter[str] = Counter()
    for folder in sorted(path for path in corpus.iterdir() if path.is_dir()):
        diagnostics = Diagnostics()
        for raw, geometry in decoded(folder, diagnostics):
            check(geometry)
            seen["meshes"] += 1
            seen[f"{raw.version[0]}"] += 1
            seen["compressed"] += raw.mesh_compression > 0
            seen["streamed or resident"] += raw.vertex_count > 0
            seen["skins"] += geometry.channel_influences is not None
            seen["m_Skin"] += raw.skin is not None
            seen["shapes"] += len(geometry.shapes)
            seen["wide"] += raw.index_format == 1
        codes_seen = {item.code.name for item in diagnostics.items}
        assert not {name for name in codes_seen if name.startswith(("MESH", "SKIN", "SHAPE"))}, folder.name
    floors = {"meshes": 570, "compressed": 4, "skins": 150, "m_Skin": 20, "shapes": 15, "wide": 1}
    floors |= {"3": 11, "5": 25, "2017": 100, "2018": 18, "2019": 150, "2021": 120, "2022": 55, "6000": 45}
    assert not {name: (seen[name], floor) for name, floor in floors.items() if seen[name] < floor}


def check(geometry: Geometry) -> None:
    count = geometry.vertex_count
    assert count > 0
    for submesh in geometry.submeshes:
        assert submesh.indices.max(initial=0) < count
    if geometry.normals is not None:
        lengths = np.linalg.norm(geometry.normals, axis=1)
        assert np.count_nonzero(np.abs(lengths - 1) < 0.05) >= 0.95 * count
    if geometry.tangents is not None:
        assert set(np.unique(geometry.tangents[:, 3]).tolist()) <= {-1.0, 0.0, 1.0}
    for uv in geometry.uvs.values():
        assert len(uv) == count
    if geometry.channel_influences is not None:
        influences = geometry.channel_influences
        vertices = np.repeat(np.arange(count), np.diff(influences.offsets))
        sums = np.bincount(vertices, influences.weights, minlength=count)
        assert np.all((np.abs(sums - 1) < 1e-7) | (sums == 0))
        assert influences.max_count <= 4
    for shape in geometry.shapes:
        assert [len(frame.indices) > 0 or len(frame.positions) == 0 for frame in shape.frames]


def test_generated_built_in_meshes_are_like_unitys(corpus: Path) -> None:
    compared = 0
    for raw, real in decoded(corpus / DEFAULT_RESOURCES, Diagnostics()):
        if raw.source.path_id not in BUILTINS:
            continue
        ours = builtin_mesh(raw.source.path_id, raw.source)
        assert ours is not None
        compared += 1
        assert (ours.name, ours.vertex_count) == (real.name, real.vertex_count)
        assert len(ours.submeshes[0].indices) == len(real.submeshes[0].indices)
        for side in (np.min, np.max):
            np.testing.assert_allclose(side(ours.positions, axis=0), side(real.positions, axis=0), atol=1e-6)
        assert signed_size(ours) == pytest.approx(signed_size(real), rel=0.005, abs=1e-6)
        at_same_place(ours, real)
    assert compared == len(BUILTINS)


def signed_size(geometry: Geometry) -> tuple[float, float]:
    """Surface and enclosed volume (positive for faces wound outward), in square and cubic metres."""
    a, b, c = np.moveaxis(geometry.positions.astype(np.float64)[geometry.submeshes[0].indices.reshape(-1, 3)], 1, 0)
    area = np.linalg.norm(np.cross(b - a, c - a), axis=1).sum() / 2
    return float(area), float(np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6)


def at_same_place(ours: Geometry, real: Geometry) -> None:
    """Each of our vertices has one of Unity's near it that has its normal and its UV, to what the grids differ."""
    assert ours.normals is not None
    assert real.normals is not None
    round_ = ours.name in ("Sphere", "Capsule")
    near, turned, shifted = (0.04, 0.1, 0.065) if round_ else (1e-5, 1e-5, 0.01)
    distance = np.linalg.norm(ours.positions[:, None] - real.positions, axis=2)
    normal = np.linalg.norm(ours.normals[:, None] - real.normals, axis=2)
    uv = np.abs(ours.uvs[0][:, None] - real.uvs[0]).max(axis=2)
    axis = np.hypot(ours.positions[:, 0], ours.positions[:, 2]) < (0.15 if round_ else -1)  # there u is a convention
    assert ((distance < near) & (normal < turned) & ((uv < shifted) | axis[:, None])).any(axis=1).all(), ours.name
