"""glTF extensions, a decorated function in a file each; an import here is all that adds one."""

from __future__ import annotations

from . import emissive_strength, layers, specular, texture_transform, transmission, unlit  # noqa: F401
from .hooks import MATERIAL, TEXTURE_INFO

__all__ = ["MATERIAL", "TEXTURE_INFO"]
