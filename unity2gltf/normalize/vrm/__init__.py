"""A prefab with a humanoid rig to a VRM 1.0 avatar (``--vrm``): an asset of its own, in Unity's space.

``asset`` says whether there can be one, and puts it together: ``pose`` stands it upright at the origin in the avatar's
T-pose, ``bones`` gives Unity's human bones VRM's names, ``expressions`` makes presets of blend shapes by their usual
``names``, and ``gaze`` says how eyes follow a look.
"""
