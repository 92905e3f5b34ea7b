"""Clips: what Unity stores (``raw.RawClip``) to exact piecewise cubics, then to the channels and tracks of a rig.

``decode`` runs the first half on one clip: ``compiled`` gives the curves of ``streamed``, ``dense`` and ``constant``
to their bindings (``muscles`` names those of humanoid clips); ``keyed`` takes curves by path, whose keys ``legacy``
makes segments of (by way of ``packedkeys``, ``weighted`` and ``infinity``); ``segments`` cuts and joins them;
``cubics`` is the arithmetic; ``decoded`` what comes out. ``bindings`` puts the curves on a rig's nodes.

``merge`` runs the second half on one channel: ``piecewise`` joins its curves about common keys; ``euler``,
``rotation`` and ``weights`` make quaternions of angles, quaternions that readers can take, and morph target weights
(``fit`` is their approximation, where one is needed); ``density`` says how closely keys must lie; ``keys`` writes the
sampler, ``resample`` one at a fixed rate.
"""
