"""What a file claims of its meshes: drawn submeshes, indices, attributes, morph targets, weights, materials."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..evaluate.document import Gltf
from ..evaluate.fields import (
    GlbError,
    Json,
    as_object,
    get_index,
    get_integer,
    get_list,
    get_numbers,
    get_object,
    unity_extras,
)
from ..ir import Asset, Geometry, Mesh, Primitive, Submesh, Topology
from .attributes import Check, expected_attributes, expected_target
from .measure import Problems
from .mirror import mirrored_triangles
from .poses import target_weights

WEIGHT_TOLERANCE = 1e-6


class MeshClaims:
    """Compares all meshes of one file; accessors that several primitives share are looked at once."""

    def __init__(self, asset: Asset, gltf: Gltf, problems: Problems) -> None:
        self.asset = asset
        self.gltf = gltf
        self.problems = problems
        self._seen: set[tuple[object, ...]] = set()

    def check(self) -> None:
        """Every mesh, and the weights of every node; a mesh that cannot be read is one problem."""
        for index, mesh in enumerate(self.asset.meshes):
            try:
                self._mesh(index, mesh)
            except GlbError as error:
                self.problems.add(str(error))
        for index, node in enumerate(self.asset.nodes):
            if node.mesh is not None and node.weights:
                geometry = self.asset.geometry_of(index)
                item = self.gltf.items("nodes")[index]
                self._weights(geometry, node.weights, item, f"/nodes/{index}")

    def _mesh(self, index: int, mesh: Mesh) -> None:
        pointer, item = f"/meshes/{index}", self.gltf.items("meshes")[index]
        geometry = self.asset.geometries[mesh.geometry]
        written = get_list(item, "primitives", pointer)
        if len(written) != len(mesh.primitives):
            self.problems.add(f"{pointer}: {len(mesh.primitives)} primitives in Unity, {len(written)} in the file")
            return
        for place, (primitive, value) in enumerate(zip(mesh.primitives, written, strict=True)):
            where = f"{pointer}/primitives/{place}"
            self._primitive(mesh, geometry, primitive, as_object(value, where), where)
        self._weights(geometry, mesh.weights, item, pointer)

    def _primitive(self, mesh: Mesh, geometry: Geometry, primitive: Primitive, item: Json, pointer: str) -> None:
        submesh = geometry.submeshes[primitive.submesh]
        mode = get_integer(item, "mode", pointer, 4, below=7)
        if mode != submesh.topology:
            self.problems.add(f"{pointer}: its mode is {mode}, wanted is {int(submesh.topology)}")
        else:
            self._indices(mesh, primitive.submesh, submesh, item, pointer)
        self._attributes(mesh, primitive, submesh, item, pointer)
        self._targets(mesh.geometry, item, pointer)
        self._material(primitive, item, pointer)

    def _indices(self, mesh: Mesh, place: int, submesh: Submesh, item: Json, pointer: str) -> None:
        accessor = get_index(item, "indices", pointer, len(self.gltf.items("accessors")))
        if accessor is None:
            found: NDArray[Any] = np.arange(self.asset.geometries[mesh.geometry].vertex_count)
        elif self._first("indices", mesh.geometry, place, accessor):
            found = self.gltf.accessor(accessor)
        else:
            return
        if problem := _index_problem(submesh, found):
            self.problems.add(f"{pointer}/indices: {problem}")

    def _attributes(self, mesh: Mesh, primitive: Primitive, submesh: Submesh, item: Json, pointer: str) -> None:
        written = {**_aside(item, pointer), **get_object(item, "attributes", pointer)}
        checks, optional = expected_attributes(
            self.asset.geometries[mesh.geometry],
            vertex_colors=primitive.vertex_colors,
            points=submesh.topology is Topology.POINTS,
        )
        absent = checks.keys() - written.keys() - optional
        surplus = {name for name in written if not name.startswith(("JOINTS_", "WEIGHTS_"))} - checks.keys()
        for what, names in (("are missing", absent), ("are not Unity's", surplus)):
            if names:
                self.problems.add(f"{pointer}/attributes: {', '.join(sorted(names))} {what}")
        self._values(mesh.geometry, checks, written, f"{pointer}/attributes")

    def _targets(self, geometry_index: int, item: Json, pointer: str) -> None:
        geometry = self.asset.geometries[geometry_index]
        frames = [frame for shape in geometry.shapes for frame in shape.frames]
        written = get_list(item, "targets", pointer)
        if len(written) != len(frames):
            self.problems.add(f"{pointer}: {len(frames)} blend shape frames, {len(written)} morph targets")
            return
        for place, (frame, value) in enumerate(zip(frames, written, strict=True)):
            where = f"{pointer}/targets/{place}"
            target = as_object(value, where)
            base = get_object(item, "attributes", pointer)
            for semantic, deltas in (("NORMAL", frame.normals), ("TANGENT", frame.tangents)):
                if deltas is not None and deltas.any() and semantic in base and semantic not in target:
                    self.problems.add(f"{where}: its {semantic} deltas are missing")
            keys = [(semantic, target[semantic]) for semantic in ("NORMAL", "TANGENT") if semantic in target]
            if keys and self._first("target", geometry_index, place, str(keys)):
                self._values((geometry_index, place), expected_target(geometry, frame), target, where)

    def _values(self, key: object, checks: dict[str, Check], written: Json, pointer: str) -> None:
        for name in checks.keys() & written.keys():
            accessor = get_integer(written, name, pointer, below=len(self.gltf.items("accessors")))
            if self._first(key, name, accessor) and (problem := checks[name](self.gltf.accessor(accessor))):
                self.problems.add(f"{pointer}/{name}: {problem}")

    def _weights(self, geometry: Geometry, weights: tuple[float, ...], item: Json, pointer: str) -> None:
        wanted = target_weights(geometry, weights)
        found = get_numbers(item, "weights", pointer, default=(0.0,) * len(wanted))
        if len(found) != len(wanted):
            self.problems.add(f"{pointer}/weights: {len(found)} weights, wanted are {len(wanted)}")
        elif wanted and not np.abs(np.subtract(found, wanted)).max() <= WEIGHT_TOLERANCE * (1 + np.abs(wanted).max()):
            self.problems.add(f"{pointer}/weights: they differ from the default weights")

    def _material(self, primitive: Primitive, item: Json, pointer: str) -> None:
        materials = self.gltf.items("materials")
        found = get_index(item, "material", pointer, len(materials))
        if found == primitive.material:
            return
        if found is not None and primitive.material is not None and found >= len(self.asset.materials):
            mark = self.asset.materials[primitive.material].source.mark()
            unity = unity_extras(materials[found], f"/materials/{found}")
            if {key: unity.get(key) for key in mark} == mark:
                return  # a copy for another numbering of the UV sets
        self.problems.add(f"{pointer}: its material is {found}, wanted is {primitive.material}")

    def _first(self, *key: object) -> bool:
        """Whether this comparison has not been made yet."""
        new = key not in self._seen
        self._seen.add(key)
        return new


def _aside(item: Json, pointer: str) -> Json:
    """Accessors that a primitive keeps in its extras, under the names they would have as attributes."""
    unity = unity_extras(item, pointer)
    return get_object(unity, "attributes", f"{pointer}/extras/unity")


def _index_problem(submesh: Submesh, found: NDArray[Any]) -> str | None:
    """Triangles as oriented triangles, each starting at any of its corners; lines and points in order."""
    if found.shape != submesh.indices.shape:
        return f"{len(found)} indices, wanted are {len(submesh.indices)}"
    if submesh.topology is not Topology.TRIANGLES:
        wrong = np.flatnonzero(found != submesh.indices)
        return f"{len(wrong)} differ, the first is number {wrong[0]}" if len(wrong) else None
    if len(found) % 3:
        return f"{len(found)} indices are no whole number of triangles"
    wanted, corners = mirrored_triangles(submesh.indices), found.astype(np.int64).reshape(-1, 3)
    same = np.zeros(len(wanted), bool)
    for turn in range(3):
        same |= np.all(np.roll(wanted, turn, axis=1) == corners, axis=1)
    wrong = np.flatnonzero(~same)
    return f"{len(wrong)} of {len(same)} triangles differ, the first is number {wrong[0]}" if len(wrong) else None
