"""The independent oracle: what Unity would draw, and what a glTF viewer would draw, in float64.

``glb`` reads a written file back by its bytes alone; ``unity`` poses the intermediate representation by Unity's
conventions, ``gltf`` the file by glTF's. Neither side imports the other, nor ``normalize`` or ``emit``: a mistake made
twice in one place cannot cancel itself out.
"""
