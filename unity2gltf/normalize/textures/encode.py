"""Pixels to the bytes of an image file, in the format that ``--textures`` names: one function a format.

What a format cannot hold as exactly as it should becomes PNG. WebP is lossless for colours too: a converter is one
step of several, and what it throws away the next step cannot have back; at that it is less than half of PNG's size.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ... import codes
from ...diagnostics import Diagnostics
from ...errors import UsageError
from ...optional import Unavailable
from ...registry import Registry
from .ktx2 import SIDES, NotEncoded, encode_ktx2, find_encoder
from .png import encode_png

COLOR, DATA = "color", "data"
"""Kinds of pixels: colours of the sRGB curve; numbers (normals; occlusion, roughness, metalness) that follow none."""

Encoded = tuple[str, bytes]
"""(media type, the file's bytes)."""

Encoder = Callable[[NDArray[np.uint8], str, Diagnostics], Encoded]
ENCODERS: Registry[str, Encoder] = Registry("image encoder")

WEBP_SIDE = 16383
_JPEG = {"quality": 92, "subsampling": 0, "optimize": True}  # 0: colour at full resolution, 4:4:4
_WEBP = {"lossless": True, "exact": True, "quality": 50, "method": 2}  # exact: colours under alpha 0 are kept


def encode_image(pixels: NDArray[np.uint8], kind: str, *, textures: str, diagnostics: Diagnostics) -> Encoded:
    """(H, W, 1 | 3 | 4) uint8, first row on top, as a file of the format that ``textures`` (a key of
    :data:`ENCODERS`) asks for. ``kind``: :data:`COLOR` or :data:`DATA`. Equal pixels give equal bytes.

    A format that cannot hold these pixels gives way to PNG; where that is not by its nature, as for JPEG, the
    diagnostic TEXTURE_ENCODING says why. Raises ValueError for another shape or format.
    """
    encoder = ENCODERS.get(textures)
    if encoder is None:
        raise ValueError(f"no image format: {textures!r}")
    if pixels.ndim != 3 or pixels.shape[2] not in (1, 3, 4) or 0 in pixels.shape or pixels.dtype != np.uint8:
        raise ValueError(f"not an image of 8 bits a channel: {pixels.dtype} {pixels.shape}")
    return encoder(pixels, kind, diagnostics)


def require_encoder(textures: str) -> None:
    """Raises UsageError, saying what to install, when ``textures`` names a format that cannot be written here."""
    if textures == "ktx2":
        found = find_encoder()
        if isinstance(found, Unavailable):
            raise UsageError(f"--textures ktx2: {found.reason}")
        try:
            encode_ktx2(np.zeros((SIDES, SIDES, 3), np.uint8), color=True, encoder=found)
        except NotEncoded as error:
            raise UsageError(f"--textures ktx2: {found.path} does not work: {error}") from error
    elif textures == "webp":
        from PIL import features

        if not features.check("webp"):
            raise UsageError("--textures webp: this Pillow was built without WebP (pip install --upgrade pillow)")


@ENCODERS.add("png")
def _png(pixels: NDArray[np.uint8], kind: str, diagnostics: Diagnostics) -> Encoded:
    return "image/png", encode_png(pixels)


@ENCODERS.add("jpeg")
def _jpeg(pixels: NDArray[np.uint8], kind: str, diagnostics: Diagnostics) -> Encoded:
    """Opaque colours only: JPEG has no alpha, and its errors bend normals and roughness visibly."""
    if kind != COLOR or pixels.shape[2] != 3:
        return _png(pixels, kind, diagnostics)
    return "image/jpeg", _by_pillow(pixels, "JPEG", _JPEG)


@ENCODERS.add("webp")
def _webp(pixels: NDArray[np.uint8], kind: str, diagnostics: Diagnostics) -> Encoded:
    if max(pixels.shape[:2]) > WEBP_SIDE:
        return _instead(pixels, f"WebP holds at most {WEBP_SIDE} pixels a side", diagnostics)
    return "image/webp", _by_pillow(pixels, "WEBP", _WEBP)


@ENCODERS.add("ktx2")
def _ktx2(pixels: NDArray[np.uint8], kind: str, diagnostics: Diagnostics) -> Encoded:
    if pixels.shape[0] % SIDES or pixels.shape[1] % SIDES:
        return _instead(pixels, f"KTX2 needs sides divisible by {SIDES}", diagnostics)
    found = find_encoder()
    if isinstance(found, Unavailable):
        return _instead(pixels, found.reason, diagnostics)
    try:
        return "image/ktx2", encode_ktx2(pixels, color=kind == COLOR, encoder=found)
    except NotEncoded as error:
        return _instead(pixels, f"{found.path.name} failed: {error}", diagnostics)


def _instead(pixels: NDArray[np.uint8], why: str, diagnostics: Diagnostics) -> Encoded:
    height, width = pixels.shape[:2]
    text = f"an image of {width} x {height} pixels is written as PNG: {why}"
    diagnostics.add(codes.TEXTURE_ENCODING, text, width=width, height=height)
    return "image/png", encode_png(pixels)


def _by_pillow(pixels: NDArray[np.uint8], name: str, settings: dict[str, Any]) -> bytes:
    from PIL import Image

    if pixels.shape[2] == 1:
        pixels = pixels[..., 0]
    buffer = io.BytesIO()
    Image.fromarray(np.ascontiguousarray(pixels)).save(buffer, name, **settings)
    return buffer.getvalue()
