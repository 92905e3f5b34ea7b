"""What an asset must keep to, checked before anything is written: every index leads somewhere."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ..ir import Asset, Mesh, Node, Skin, texture_uses
from .context import require

IMAGE_SUFFIXES = {"image/png": "png", "image/jpeg": "jpg", "image/webp": "webp", "image/ktx2": "ktx2"}
"""The image formats that can be written, and the suffixes of their files."""


def check_asset(asset: Asset) -> None:
    """Raises :class:`Fault` on an index outside its list, a node before its parent, or a foreign image format."""
    for index, node in enumerate(asset.nodes):
        _check_node(asset, index, node)
    for mesh in asset.meshes:
        _check_mesh(asset, mesh)
    for skin in asset.skins:
        _check_skin(asset, skin)
    uses = (use for material in asset.materials for use in texture_uses(material))
    _within((use.texture for use in uses), asset.textures, "a material names a texture that does not exist")
    _within((item.image for item in asset.textures), asset.images, "a texture names an image that does not exist")
    _check_bodies(asset)
    for image in asset.images:
        require(image.mime in IMAGE_SUFFIXES, "an image is neither PNG, JPEG, WebP nor KTX2", mime=image.mime)


def _check_bodies(asset: Asset) -> None:
    """Humanoids, and what a VRM says of nodes."""
    for humanoid in asset.humanoids:
        _within((humanoid.rig, *humanoid.bones.values()), asset.nodes, "a humanoid names a node that does not exist")
    if asset.vrm is None:
        return
    _within(asset.vrm.bones.values(), asset.nodes, "a VRM names a node that does not exist")
    for node, shape in (pair for expression in asset.vrm.expressions for pair in expression.shapes):
        _within([node], asset.nodes, "an expression names a node that does not exist")
        _within([shape], asset.geometry_of(node).shapes, "an expression names a blend shape that does not exist")


def _check_node(asset: Asset, index: int, node: Node) -> None:
    require(-1 <= node.parent < index, "a node does not come after its parent", node=index, parent=node.parent)
    _within([node.mesh], asset.meshes, "a node names a mesh that does not exist")
    _within([node.skin], asset.skins, "a node names a skin that does not exist")
    _within([node.game_object, *node.levels], asset.nodes, "a node names a node that does not exist")
    _within([node.light], asset.lights, "a node names a light that does not exist")
    _within([node.camera], asset.cameras, "a node names a camera that does not exist")


def _check_mesh(asset: Asset, mesh: Mesh) -> None:
    require(len(mesh.primitives) > 0, "a mesh without primitives cannot be written")
    _within([mesh.geometry], asset.geometries, "a mesh names a geometry that does not exist")
    submeshes = asset.geometries[mesh.geometry].submeshes
    for primitive in mesh.primitives:
        _within([primitive.submesh], submeshes, "a primitive names a submesh that does not exist")
        _within([primitive.material], asset.materials, "a primitive names a material that does not exist")


def _check_skin(asset: Asset, skin: Skin) -> None:
    require(len(skin.joints) > 0, "a skin without joints cannot be written")
    _within([*skin.joints, skin.skeleton], asset.nodes, "a skin names a node that does not exist")
    matrices = skin.inverse_bind
    require(matrices.shape == (len(skin.joints), 4, 4), "a skin has not as many inverse bind matrices as joints")
    require(bool((matrices[:, 3] == (0, 0, 0, 1)).all()), "an inverse bind matrix is not affine")


def _within(indices: Iterable[int | None], items: Sequence[Any], sentence: str) -> None:
    for index in indices:
        require(index is None or 0 <= index < len(items), sentence, index=index)
