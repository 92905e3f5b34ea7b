"""The independent oracle: what Unity would draw, and what a glTF viewer would draw, in float64.

``glb`` reads a written file back by its bytes alone, as a ``document`` whose ``fields`` are checked when they are asked
for; ``unity`` poses the intermediate representation by Unity's
conventions, ``gltf`` the file by glTF's. Neither side imports the other, nor ``normalize`` or ``emit``: a mistake made
twice in one place cannot cancel itself out.
"""
