"""A texture as an encoded image for base colour."""

from __future__ import annotations

from ...diagnostics import Diagnostics
from ...ir import Image
from ...raw import RawTexture
from .decode import decode_texture
from .png import encode_png


def make_image(raw: RawTexture, diagnostics: Diagnostics) -> Image:
    """A PNG of the texture's first mip: RGB where alpha is 255 everywhere, else RGBA.

    Raises :class:`Fault` as :func:`decode_texture` does.
    """
    pixels = decode_texture(raw, diagnostics)
    opaque = int(pixels[..., 3].min()) == 255
    return Image(
        name=raw.name,
        sources=(raw.source,),
        mime="image/png",
        data=encode_png(pixels[..., :3] if opaque else pixels),
        width=raw.width,
        height=raw.height,
    )
