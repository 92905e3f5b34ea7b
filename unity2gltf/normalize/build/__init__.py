"""A hierarchy (or a mesh alone) to an :class:`ir.Asset` in Unity's space, as the game draws it.

``asset`` runs the phases on a ``context``, the state of one asset: ``nodes`` for GameObjects, with ``tags`` and
colliders on request; ``skeleton`` for bones, rebuilt where Unity optimised them away; ``renderers`` for meshes, by way
of ``skin``, ``bindposes`` and ``lightmaps``; ``terrain`` for the ground; ``lights`` for those and cameras; ``clips``
for what ``uses`` says that a rig plays, by way of ``properties``, ``factors``, ``lightcurves`` and ``visibility``
(``--pointer``); ``humanoid`` finds the rigs with a human avatar, on which ``muscles`` bakes humanoid clips with one of
the ``avatars``, and ``bakereport`` says how well, ``trackreport`` what of any clip is no exact copy; ``levels`` takes
lower levels of detail out of the scene (``--lod msft``), to where ``levelplaces`` says; ``instancing`` joins nodes.
``finish`` renumbers and, on request, lets ``prune`` drop vertices. ``split`` makes assets of single clips from a
finished one (``--clips library``).
"""
