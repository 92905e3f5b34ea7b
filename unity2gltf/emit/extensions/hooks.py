"""The places where an extension may add to a file. A handler gives the extension's JSON, or None for nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...ir import Material, TextureUse
from ...registry import Registry

TextureInfoHandler = Callable[[TextureUse], dict[str, Any] | None]

MaterialHandler = Callable[[Material], dict[str, Any] | None]

TEXTURE_INFO: Registry[str, TextureInfoHandler] = Registry("texture info extension")
"""By extension name: what it says about one use of a texture."""

MATERIAL: Registry[str, MaterialHandler] = Registry("material extension")
"""By extension name: what it says about a material."""
