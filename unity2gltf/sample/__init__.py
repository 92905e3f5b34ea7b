"""Write small Unity games from nothing: for the demo, for tests, and for anyone without game files at hand.

In: a folder and Unity versions. Out: ``<version>/Game_Data`` (a player's data folder) and ``<version>/bundle``
(AssetBundles), holding one figure with a skeleton, up to 12 influences a vertex, blend shapes, props, two compiled
clips in an AnimatorController, a legacy clip on a turning pedestal, a row of balls and cards of one material each, and
a humanoid with two clips of muscles.

From the outside in: ``game`` lays out folders, ``figure``, ``humanoid``, ``turntable``, ``props``, ``row``, ``stage``
(lights and a camera) and ``garden`` (a terrain, levels of detail, equal posts) fill a file with objects (``hierarchy``
for GameObjects, ``meshdata`` for meshes, ``body`` and ``skeleton`` and ``shapes`` for their numbers; ``clips`` and
``controller`` for animation, ``motion`` for its numbers; ``human`` for an Avatar that has muscles, ``muscles`` for
their clips, ``moves`` and ``goals`` for the numbers of these; ``materials``, ``shaders`` and ``textures`` with ``bc3``
for looks, ``showcase``, ``shader_table`` and ``pictures`` for their numbers), ``writer`` and ``bundle`` make the files,
``typetree`` encodes objects.

Building other files, right or wrong, takes a few lines::

    from unity2gltf.sample import FileBuilder, Hierarchy, unityfs
    from unity2gltf.sample.values import MESH, MESH_FILTER, pptr

    file = FileBuilder("2022.3.20f1", type_trees=True)
    mesh = file.add(MESH, {"m_Name": "Broken", "m_IndexBuffer": b"\\xff\\xff"})   # fields left out are zero
    file.add_bytes(MESH, b"too short")                                         # any body
    tree = Hierarchy(file)
    item = tree.add("Thing", position=(0, 1, 0))
    tree.component(item, MESH_FILTER, {"m_Mesh": pptr(mesh)})
    tree.write()
    data = file.to_bytes()                                                     # a SerializedFile
    archive = unityfs({"CAB-1": data}, file.version, "lz4")                    # a bundle

- Own meshes: a ``MeshContent`` with ``Skinning`` (variable bone counts and channels come from the same ragged
  influences) and ``Frame`` lists (several frames a shape), given to ``mesh_fields``; change the dict before adding it.
- Own clips: ``compiled_clip`` from ``Segment`` lists (or ``keyed`` curves), ``dense_fields`` and constants, in this
  order, with a ``transform_binding`` or ``shape_binding`` each; ``streamed_words`` gives the stream alone, to be
  damaged. ``legacy_clip`` from ``curve`` and ``key``. ``controller_fields`` makes states of clips.
- Own humanoid clips: a ``MuscleContent``, given to ``muscle_clip``; ``humanoid.add_avatar`` adds the body to play them,
  as any version from 4.0 on has it.
- Own materials: a ``MaterialContent``, given to ``Shelf(file).material``, which adds its shader and its textures, too.
  A ``Picture`` with ``keep`` has fewer bytes than it declares; ``write_player(.., broken=True)`` has one.
- Optimised hierarchy: ``add_figure(tree, assets, optimised=True)``.
- Static batch: add ``{"m_StaticBatchInfo": {"firstSubMesh": 1, "subMeshCount": 1}, "m_StaticBatchRoot": pptr(..)}``
  to a MeshRenderer's fields.
- A key that starts with ``?`` is left out in versions without the field.
"""

from __future__ import annotations

from .bundle import unityfs
from .clips import (
    Segment,
    compiled_clip,
    curve,
    dense_fields,
    key,
    keyed,
    legacy_clip,
    shape_binding,
    shape_curve,
    streamed_words,
    transform_binding,
)
from .controller import State, controller_fields
from .game import DEFAULT_VERSIONS, write_bundles, write_player, write_sample
from .hierarchy import Hierarchy
from .materials import MaterialContent, Shelf, Slot
from .meshdata import Frame, MeshContent, Skinning, mesh_fields
from .muscles import Keys, MuscleContent, muscle_clip
from .shaders import Property, ShaderContent
from .textures import Picture
from .writer import FileBuilder

__all__ = [
    "DEFAULT_VERSIONS",
    "FileBuilder",
    "Frame",
    "Hierarchy",
    "Keys",
    "MaterialContent",
    "MeshContent",
    "MuscleContent",
    "Picture",
    "Property",
    "Segment",
    "ShaderContent",
    "Shelf",
    "Skinning",
    "Slot",
    "State",
    "compiled_clip",
    "controller_fields",
    "curve",
    "dense_fields",
    "key",
    "keyed",
    "legacy_clip",
    "mesh_fields",
    "muscle_clip",
    "shape_binding",
    "shape_curve",
    "streamed_words",
    "transform_binding",
    "unityfs",
    "write_bundles",
    "write_player",
    "write_sample",
]
