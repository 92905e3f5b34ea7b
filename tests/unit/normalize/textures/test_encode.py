"""Image files in every format of ``--textures``, read back by Pillow."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image, features

from unity2gltf import codes
from unity2gltf.diagnostics import Diagnostics
from unity2gltf.errors import UsageError
from unity2gltf.normalize.textures.encode import COLOR, DATA, ENCODERS, WEBP_SIDE, encode_image, require_encoder
from unity2gltf.options import CHOICES


def _waves(channels: int, height: int = 33, width: int = 20) -> np.ndarray:
    """Smooth, and not the same in any two channels; alpha 0 in places, with colours below it."""
    rows, columns = np.mgrid[:height, :width]
    waves = [128 + 127 * np.sin((rows + columns * k) / (5 + k)) for k in range(channels)]
    return np.stack(waves, axis=-1).astype(np.uint8)


def _encoded(pixels: np.ndarray, kind: str, textures: str) -> tuple[str, np.ndarray]:
    diagnostics = Diagnostics()
    mime, data = encode_image(pixels, kind, textures=textures, diagnostics=diagnostics)
    assert encode_image(pixels, kind, textures=textures, diagnostics=diagnostics) == (mime, data)
    assert not diagnostics.items
    with Image.open(io.BytesIO(data)) as image:
        assert Image.MIME[str(image.format)] == mime
        return mime, np.asarray(image)


def test_every_format_of_the_option_has_an_encoder() -> None:
    assert set(ENCODERS) == set(CHOICES["textures"]) - {"none"}


@pytest.mark.parametrize("channels", [1, 3, 4])
@pytest.mark.parametrize("kind", [COLOR, DATA])
def test_png_and_webp_are_exact(channels: int, kind: str) -> None:
    pixels = _waves(channels)
    wanted = pixels if channels > 1 else pixels[..., 0]
    mime, back = _encoded(pixels, kind, "png")
    assert mime == "image/png"
    np.testing.assert_array_equal(back, wanted)
    mime, back = _encoded(pixels, kind, "webp")
    assert mime == "image/webp"
    np.testing.assert_array_equal(back, pixels if channels > 1 else np.repeat(pixels, 3, axis=2))


def test_jpeg_is_for_opaque_colours_alone() -> None:
    pixels = _waves(3)
    mime, back = _encoded(pixels, COLOR, "jpeg")
    assert mime == "image/jpeg"
    assert np.abs(back.astype(int) - pixels).mean() < 3
    for kind, channels in ((COLOR, 4), (COLOR, 1), (DATA, 1), (DATA, 3), (DATA, 4)):
        mime, back = _encoded(_waves(channels), kind, "jpeg")
        assert mime == "image/png"
        np.testing.assert_array_equal(back.reshape(33, 20, channels), _waves(channels))


def test_jpeg_keeps_colour_at_full_resolution() -> None:
    _, data = encode_image(_waves(3), COLOR, textures="jpeg", diagnostics=Diagnostics())
    with Image.open(io.BytesIO(data)) as image:
        assert {layer[1:3] for layer in image.layer} == {(1, 1)}


def test_views_of_any_strides() -> None:
    pixels = _waves(4)[::-1, :, :3]
    for textures in ("png", "webp", "jpeg"):
        _, back = _encoded(pixels, COLOR, textures)
        assert np.abs(back.astype(int) - pixels).mean() < 3


def test_an_image_too_long_for_webp_is_png() -> None:
    diagnostics = Diagnostics()
    mime, _ = encode_image(np.zeros((1, WEBP_SIDE + 1, 3), np.uint8), DATA, textures="webp", diagnostics=diagnostics)
    assert mime == "image/png"
    assert [item.code for item in diagnostics.items] == [codes.TEXTURE_ENCODING]
    assert encode_image(np.zeros((1, WEBP_SIDE, 3), np.uint8), DATA, textures="webp", diagnostics=Diagnostics())[0] == (
        "image/webp"
    )


@pytest.mark.parametrize("shape", [(4, 4), (4, 4, 2), (0, 4, 3), (4, 0, 4)])
def test_other_shapes_are_refused(shape: tuple[int, ...]) -> None:
    for textures in ENCODERS:
        with pytest.raises(ValueError):
            encode_image(np.zeros(shape, np.uint8), COLOR, textures=textures, diagnostics=Diagnostics())


def test_an_unknown_format_is_refused() -> None:
    with pytest.raises(ValueError, match="none"):
        encode_image(_waves(3), COLOR, textures="none", diagnostics=Diagnostics())


def test_webp_without_a_library_is_told_before_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    require_encoder("webp")
    monkeypatch.setattr(features, "check", lambda _: False)
    with pytest.raises(UsageError, match="pip install"):
        require_encoder("webp")
    for textures in ("png", "jpeg", "none"):
        require_encoder(textures)
