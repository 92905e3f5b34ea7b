"""EXT_mesh_gpu_instancing: the places in which a node draws its mesh."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..document import Gltf
from ..fields import GlbError, get_integer, get_object
from .nodes import trs_matrices

NAME = "EXT_mesh_gpu_instancing"
_DEFAULTS = {"TRANSLATION": (0.0, 0.0, 0.0), "ROTATION": (0.0, 0.0, 0.0, 1.0), "SCALE": (1.0, 1.0, 1.0)}


def instance_matrices(gltf: Gltf, node_index: int) -> NDArray[np.float64]:
    """(I, 4, 4) from the mesh to the node's space; the identity alone for a node without the extension."""
    pointer = f"/nodes/{node_index}/extensions"
    extensions = get_object(gltf.items("nodes")[node_index], "extensions", f"/nodes/{node_index}")
    if NAME not in extensions:
        return np.eye(4)[None]
    pointer += f"/{NAME}/attributes"
    attributes = get_object(get_object(extensions, NAME, pointer), "attributes", pointer)
    columns = {}
    for name, default in _DEFAULTS.items():
        if name in attributes:
            index = get_integer(attributes, name, pointer, below=len(gltf.items("accessors")))
            columns[name] = gltf.accessor(index).astype(np.float64)
            if columns[name].shape[1:] != (len(default),):
                raise GlbError(f"{pointer}/{name}", f"{len(default)} components are wanted")
    counts = {len(values) for values in columns.values()}
    if len(counts) != 1:
        raise GlbError(pointer, f"attributes of one count are wanted, not {sorted(counts)}")
    count = counts.pop()
    full = (columns.get(name, np.tile(default, (count, 1))) for name, default in _DEFAULTS.items())
    return trs_matrices(list(zip(*full, strict=True)))
