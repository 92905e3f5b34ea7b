"""Clips: what Unity stores (``raw.RawClip``) to exact piecewise cubics, then to the channels and tracks of a rig.

``decode`` runs the first half on one clip: ``compiled`` gives the curves of ``streamed``, ``dense`` and ``constant`` to
their bindings; ``keyed`` takes curves by path, whose keys ``legacy`` makes segments of (by way of ``packedkeys``,
``weighted`` and ``infinity``); ``segments`` is the arithmetic of cubics; ``decoded`` what comes out. ``bindings`` puts
the curves on a rig's nodes, ``merge`` makes the tracks that glTF writes.
"""
