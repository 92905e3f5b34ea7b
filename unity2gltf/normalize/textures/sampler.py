"""How a texture is sampled: Unity's numbers to glTF's (WebGL's)."""

from __future__ import annotations

from ...raw import RawTexture

_WRAP = {0: 10497, 1: 33071, 2: 33648, 3: 33648}  # repeat, clamp, mirror; mirror once is not in glTF
_NEAREST, _LINEAR = 9728, 9729
# Unity's filter: (magnification, minification without mips, minification with mips)
_FILTERS = {0: (_NEAREST, _NEAREST, 9984), 1: (_LINEAR, _LINEAR, 9985), 2: (_LINEAR, _LINEAR, 9987)}

BLEND_SAMPLER = ((_WRAP[1], _WRAP[1]), _FILTERS[2][0], _FILTERS[2][2])
"""Of an image that covers a terrain once: clamped, trilinear."""


def sampler_of(raw: RawTexture | None) -> tuple[tuple[int, int], int, int]:
    """((wrap s, wrap t), mag filter, min filter) in glTF's numbers; repeat and bilinear for values out of range, and
    without a texture."""
    if raw is None:
        return (_WRAP[0], _WRAP[0]), _LINEAR, _LINEAR
    magnify, plain, mipmapped = _FILTERS.get(raw.filter, _FILTERS[1])
    wrap = (_WRAP.get(raw.wrap[0], _WRAP[0]), _WRAP.get(raw.wrap[1], _WRAP[0]))
    return wrap, magnify, mipmapped if raw.mip_count > 1 else plain
