"""Decode and build: ``raw`` records in Unity's words to an :class:`ir.Asset`.

In: what a :class:`raw.RawProvider` gives. Out: one asset, first in Unity's space, as the game draws it, then in glTF's.

    content    decodes each object once, by way of ``mesh``, ``terrain``, ``clips``, ``materials`` and (by ``images``)
               ``textures``; ``missing`` reports references that lead nowhere, ``srgb`` is the curve of colours
    lighting   lights in glTF's units, with the colour of a ``temperature``; ``cameras`` in glTF's terms;
               ``plain`` values for extras
    humanoid   muscle curves and an avatar's body to rotations of bones
    build      puts the decoded parts on a hierarchy's nodes: an asset in Unity's space
    chains     a node and all that it hangs on, and the matrix of such a chain
    vrm        the same once more as a VRM avatar, in its T-pose (``--vrm``)
    space      mirrors a copy into glTF's space, and cuts influences: the one place where either happens
"""
