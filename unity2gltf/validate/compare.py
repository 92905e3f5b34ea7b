"""Both sides side by side: the poses in which they are compared, and by how much each vertex may differ."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

import numpy as np
from numpy.typing import NDArray

from ..evaluate.fields import GlbError
from ..evaluate.gltf.pose import GltfPoser
from ..evaluate.gltf.samplers import GltfPlayer
from ..evaluate.unity.pose import UnityPoser
from ..ir import Asset
from .claims import check_nodes, check_skins, check_unlit
from .claims_humanoids import check_humanoids
from .claims_lights import check_directions, check_lights
from .claims_marks import check_marks
from .claims_meshes import MeshClaims
from .clip_vertices import ClipVertices
from .clips import ClipComparison
from .cut import cut_rows, mass_lost
from .measure import Measure, Problems, tolerance
from .mirror import TRS, mirrored_matrices, mirrored_points, mirrored_trs
from .poses import RANDOM_POSES, generator, random_pose, random_shape_weights, shape_states, target_weights
from .sizes import chain_sizes, largest, node_size

Array = NDArray[np.float64]


class Comparison:
    """All comparisons of one file: what it claims, then rest, random poses, single shapes and clips. ``run`` makes
    them; ``measure``, ``poses`` and ``clips`` tell the outcome, ``problems`` what does not match."""

    def __init__(self, asset: Asset, poser: GltfPoser, level: str, max_influences: int, problems: Problems) -> None:
        self.asset, self.level, self.max_influences = asset, level, max_influences
        self.unity, self.gltf = UnityPoser(asset), poser
        self.problems, self.measure, self.poses = problems, Measure(problems), 0
        self.clips = ClipComparison(asset, GltfPlayer(poser.gltf), level, problems)
        self._lost: dict[int, Array] = {}
        self.meshes = [index for index, node in enumerate(asset.nodes) if node.mesh is not None]

    def run(self) -> None:
        """Make all comparisons. A part of the file that cannot be read is a problem; the rest goes on."""
        check_nodes(self.asset, self.gltf, self.problems)
        check_skins(self.asset, self.gltf, self.problems)
        check_marks(self.asset, self.gltf.gltf, self.problems)
        check_humanoids(self.asset, self.gltf.gltf, self.problems)
        check_unlit(self.asset, self.gltf.gltf, self.problems)
        check_lights(self.asset, self.gltf.gltf, self.problems)
        MeshClaims(self.asset, self.gltf.gltf, self.problems).check()
        self._rest()
        self._random_poses()
        self._shapes()
        self._clips()

    def _rest(self) -> None:
        """Every vertex at rest, each side with the default weights that it states itself."""
        worlds = self._worlds("at rest", {})
        check_directions(self.asset, *worlds, self.gltf.gltf, self.problems)
        for index in self.meshes:
            self._node(index, "at rest", worlds, self.unity.default_weights(index), None)

    def _random_poses(self) -> None:
        """All joints and shapes moved at once; nodes that neither skin nor shape moves are proven by their matrices."""
        random = generator(self.asset)
        moving = [i for i in self.meshes if self.asset.nodes[i].skin is not None or self.asset.geometry_of(i).shapes]
        for number in range(RANDOM_POSES[self.level] if moving else 0):
            what = f"in pose {number}"
            worlds = self._worlds(what, random_pose(self.asset, random))
            for index in moving:
                weights = random_shape_weights(self.asset.geometry_of(index), random)
                self._node(index, what, worlds, weights, target_weights(self.asset.geometry_of(index), weights))

    def _shapes(self) -> None:
        """Each shape alone, in mesh space, once for each geometry: by the first mesh that uses it."""
        first = {mesh.geometry: index for index, mesh in reversed(list(enumerate(self.asset.meshes)))}
        for geometry_index, mesh_index in sorted(first.items()):
            geometry = self.asset.geometries[geometry_index]
            size = largest(geometry.positions)
            for place, shape in enumerate(geometry.shapes):
                for weight in shape_states(shape, self.level):
                    weights = [0.0] * place + [weight]
                    what = f'mesh {mesh_index} "{geometry.name}", shape "{shape.name}" at {weight:.3g}'
                    unity = mirrored_points(self.unity.morphed(mesh_index, weights))
                    self.poses += 1
                    with _problem_of(what, self.problems):
                        found = self.gltf.morphed(mesh_index, target_weights(geometry, weights))
                        self.measure.compare(what, unity, found, tolerance(max(size, largest(unity))))

    def _clips(self) -> None:
        """Every channel of every clip over time, then vertices in some of its poses."""
        count = len(self.asset.clips)
        vertices = ClipVertices(self.clips, self.unity, self.gltf, self._allowance, count)
        for number, clip, label, pairs in self.clips.pairs():
            with _problem_of(label, self.problems):
                vertices.compare(number, clip, label, pairs)

    def _worlds(self, what: str, pose: Mapping[int, TRS]) -> tuple[Array, Array]:
        """Both sides' world matrices, compared."""
        self.poses += 1
        unity = self.unity.world(pose)
        gltf = self.gltf.world({index: mirrored_trs(transform) for index, transform in pose.items()})
        wanted = mirrored_matrices(unity)
        errors = np.abs(wanted - gltf).max(axis=(1, 2), initial=0.0)
        wrong = np.flatnonzero(~(errors <= tolerance(1.0) * chain_sizes(self.asset, wanted)))
        if len(wrong):
            worst = int(wrong[np.argmax(np.nan_to_num(errors[wrong], nan=np.inf))])
            self.problems.add(
                f"{what}: the world transforms of {len(wrong)} nodes differ, that of node {worst} "
                f'"{self.asset.nodes[worst].name}" by {errors[worst]:.6g}'
            )
        return unity, gltf

    def _node(
        self,
        index: int,
        what: str,
        worlds: tuple[Array, Array],
        weights: Sequence[float],
        targets: Sequence[float] | None,
    ) -> None:
        """Compare the vertices of one node; ``targets`` None = the file's own default weights."""
        what = f'node {index} "{self.asset.nodes[index].name}" {what}'
        unity = mirrored_points(self.unity.vertices(index, worlds[0], weights))
        with _problem_of(what, self.problems):
            given = self.gltf.default_weights(index) if targets is None else targets
            found = self.gltf.vertices(index, worlds[1], given)
            limit = tolerance(max(largest(unity), node_size(self.asset, index, worlds[0])))
            self.measure.compare(what, unity, found, limit, self._allowance(index, worlds[0], weights))

    def _allowance(self, index: int, world: Array, weights: Sequence[float]) -> Array | None:
        """(V,) metres that the cut of influences explains, NaN for vertices that keep all; None if all do."""
        mesh = self.asset.nodes[index].mesh
        influences = None if mesh is None else self.asset.meshes[mesh].influences
        rows = cut_rows(influences, self.max_influences)
        if influences is None or self.asset.nodes[index].skin is None or not len(rows):
            return None
        allowance = np.full(self.asset.geometry_of(index).vertex_count, np.nan)
        if id(influences) not in self._lost:
            self._lost[id(influences)] = mass_lost(influences, self.max_influences, rows)
        allowance[rows] = self._lost[id(influences)] * self.unity.spread(index, world, weights, rows)
        return allowance


@contextmanager
def _problem_of(what: str, problems: Problems) -> Iterator[None]:
    """A file that cannot be posed is a problem of ``what``; the rest goes on."""
    try:
        yield
    except GlbError as error:
        problems.add(f"{what}: {error}")
