"""Structural checks of a file that was read back: what the Khronos validator does not look at, or needs JavaScript for.

A new check is a generator in ``checks`` and a row in one of the tables here; a new code is a row of ``issues.CODES``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from ..evaluate.document import Gltf
from ..evaluate.fields import GlbError, Json
from .checks.accessors import check_accessor, check_view
from .checks.animations import check_animation
from .checks.contract import check_image_mark, check_mark, check_node_mark, check_skin_nodes, check_submesh_numbers
from .checks.extensions import check_declarations, check_instancing, check_lod
from .checks.humanoids import check_file_humanoid, check_rig
from .checks.ktx2 import check_curves, check_ktx2
from .checks.lights import check_camera, check_lights, check_node_light
from .checks.materials import check_coordinates, check_image, check_material, check_texture
from .checks.meshes import check_mesh
from .checks.skins import check_node, check_skin, check_weights
from .checks.tree import check_tree
from .checks.vrm import check_vrm
from .issues import Issue, issue

DocumentCheck = Callable[[Gltf], Iterator[Issue]]
ItemCheck = Callable[[Gltf, Json, str], Iterator[Issue]]

DOCUMENT: tuple[DocumentCheck, ...] = (check_tree, check_declarations, check_curves, check_lights, check_vrm)

ITEMS: tuple[tuple[str, ItemCheck], ...] = (
    ("bufferViews", check_view),
    ("accessors", check_accessor),
    ("meshes", check_mesh),
    ("meshes", check_weights),
    ("meshes", check_coordinates),
    ("skins", check_skin),
    ("nodes", check_node),
    ("nodes", check_instancing),
    ("nodes", check_lod),
    ("nodes", check_node_light),
    ("cameras", check_camera),
    ("materials", check_material),
    ("textures", check_texture),
    ("images", check_image),
    ("images", check_ktx2),
    ("animations", check_animation),
)
"""Collection and check of each of its items, in the order of the report."""

CONTRACT: tuple[tuple[str, ItemCheck], ...] = (
    ("nodes", check_node_mark),
    ("nodes", check_rig),
    ("meshes", check_mark),
    ("meshes", check_submesh_numbers),
    ("materials", check_mark),
    ("images", check_image_mark),
    ("skins", check_node_mark),
    ("animations", check_node_mark),
)
"""Checks of what our own output promises; files of other makers may break them."""


def check_structure(gltf: Gltf, *, contract: bool = True) -> list[Issue]:
    """All issues of a file, each once. ``contract``: hold it to our own output's promises, too."""
    issues: list[Issue] = []
    with np.errstate(all="ignore"):
        for document_check in (*DOCUMENT, *((check_skin_nodes, check_file_humanoid) if contract else ())):
            issues += _guarded(document_check(gltf))
        for collection, check in (*ITEMS, *(CONTRACT if contract else ())):
            for index, item in enumerate(gltf.items(collection)):
                issues += _guarded(check(gltf, item, f"/{collection}/{index}"))
    return list(dict.fromkeys(issues))


def _guarded(found: Iterator[Issue]) -> Iterator[Issue]:
    """The issues of one check; a malformed field that it meets is the last of them."""
    try:
        yield from found
    except GlbError as error:
        yield issue("FORMAT_BROKEN", error.pointer, error.message)
