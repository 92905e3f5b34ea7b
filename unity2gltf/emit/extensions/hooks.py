"""The places where an extension may add to a file. A handler gives the extension's JSON, or None for nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from ...ir import Material, TextureUse
from ...registry import Registry

Json = dict[str, Any]


class TextureInfo(Protocol):
    """Writes a texture info with further members; None for no texture, or no coordinates to read it by."""

    def __call__(self, use: TextureUse | None, **more: Any) -> Json | None: ...


TextureInfoHandler = Callable[[TextureUse], Json | None]

MaterialHandler = Callable[[Material, TextureInfo], Json | None]

TEXTURE_INFO: Registry[str, TextureInfoHandler] = Registry("texture info extension")
"""By extension name: what it says about one use of a texture."""

MATERIAL: Registry[str, MaterialHandler] = Registry("material extension")
"""By extension name: what it says about a material."""


def members(**values: Any) -> Json:
    """The members that are set: neither None nor the default that a pair (value, default) names."""
    result: Json = {}
    for name, value in values.items():
        value, default = value if isinstance(value, tuple) else (value, None)
        if value is not None and value != default:
            result[name] = value
    return result
