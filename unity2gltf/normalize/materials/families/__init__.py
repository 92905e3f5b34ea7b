"""The table of shader families: what a shader reads and how it draws, one row a family, a module a kind of shader.

Saved properties outlive a change of shader, so a row names exactly what its shaders read: a left-over ``_Color`` does
not tint a shader that has none. The first row that fits counts: ``flat``, ``hdrp``, ``urp``, ``toon``, ``standard``,
``legacy``, ``nature``, ``gltf``; ``common`` holds what they share.
"""

from __future__ import annotations

from ..columns import Family
from . import flat, gltf, hdrp, legacy, nature, standard, toon, urp

FAMILIES: tuple[Family, ...] = tuple(
    family for module in (flat, hdrp, urp, toon, standard, legacy, nature, gltf) for family in module.FAMILIES
)
