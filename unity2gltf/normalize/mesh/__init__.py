"""Meshes: what Unity stores (``raw.RawMesh``) to float arrays in Unity's own space (``ir.Geometry``).

``formats`` is the tables of vertex formats and channel orders, ``vertex`` reads m_VertexData by them, ``packed`` and
``packed_skin`` read m_CompressedMesh; ``primitives`` makes the submeshes' index lists, ``influences`` the skin's two
forms (by way of ``columns`` and ``ragged``), ``blendshapes`` the shapes' frames; ``decode`` runs them all on one mesh,
with ``values`` for numbers that are none. ``builtin`` generates Unity's built-in meshes.
"""
