"""Every texture of the corpus against UnityPy's own decoding."""

from __future__ import annotations

import contextlib
import io
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from UnityPy.export.Texture2DConverter import parse_image_data

from tests.corpus.objects import objects_below
from unity2gltf.diagnostics import Diagnostics, Fault
from unity2gltf.normalize.textures.decode import decode_texture, image_bytes
from unity2gltf.normalize.textures.formats import FORMATS
from unity2gltf.normalize.textures.png import encode_png
from unity2gltf.normalize.textures.strip import strip
from unity2gltf.raw import RawTexture

pytestmark = pytest.mark.corpus

_MAX_PIXELS, _EACH = 1 << 20, 12
# Formats whose missing channels or alpha UnityPy fills otherwise; compared where both mean the same.
_COLOR_ONLY, _ALPHA_ONLY = {9, 62, 63}, {1}


def _textures(corpus: Path) -> Iterator[RawTexture]:
    """As stored. That they are read as UnityPy reads them is for the tests of extract."""
    for root, source in objects_below(corpus, "Texture2D"):
        with contextlib.suppress(Fault):
            yield root.texture(source)


@pytest.mark.slow
def test_pixels_agree_with_unitypy(corpus: Path) -> None:
    compared: Counter[int] = Counter()
    for raw in _textures(corpus):
        number = raw.format
        if not len(raw.data) or not 0 < raw.width * raw.height <= _MAX_PIXELS or compared[number] >= _EACH:
            continue
        ours = decode_texture(raw, Diagnostics())
        blob = list(raw.platform_blob)
        stored = bytes(raw.data)
        image = parse_image_data(stored, raw.width, raw.height, number, (*raw.version, 0), raw.platform, blob)
        theirs = np.asarray(image.convert("RGBA"))
        channels = slice(0, 3) if number in _COLOR_ONLY else slice(3, 4) if number in _ALPHA_ONLY else slice(0, 4)
        np.testing.assert_array_equal(ours[..., channels], theirs[..., channels], err_msg=f"{raw.name} {number}")
        read_back = Image.open(io.BytesIO(encode_png(ours))).convert("RGBA")
        np.testing.assert_array_equal(np.asarray(read_back), ours, err_msg=raw.name)
        compared[number] += 1
    names = {FORMATS[number].name for number in compared}
    assert sum(compared.values()) >= 80
    assert len(names) >= 10, names
    assert {"DXT1", "DXT5", "DXT1Crunched", "ETC_RGB4", "ETC2_RGBA8", "ASTC_4x4", "ASTC_6x6"} <= names


def test_cubemaps_are_six_images_with_the_top_row_first(corpus: Path) -> None:
    """Each image has the size that Unity states; the top rows of the four sides are like the face +Y, not like -Y."""
    decoded, skies = 0, 0
    for root, source in objects_below(corpus, "Cubemap"):
        with contextlib.suppress(Fault):
            raw = root.texture(source)
            stated = root.read(source, frozenset(["m_CompleteImageSize"]))["m_CompleteImageSize"]
            assert (image_bytes(raw), raw.images, raw.cube) == (stated, 6, True)
            faces = strip(raw, Diagnostics(), 32).reshape(6, 32, 32, 4).astype(float)
            decoded += 1
            if raw.name == "Default-Skybox-Cubemap":
                top, sides = faces[2, ..., :3].mean((0, 1)), faces[[0, 1, 4, 5], :8, :, :3].mean((1, 2))
                bottom = faces[3, ..., :3].mean((0, 1))
                assert (np.abs(sides - top).sum(-1) < np.abs(sides - bottom).sum(-1)).all()
                skies += 1
    assert decoded >= 20 and skies >= 4


@pytest.mark.slow
def test_a_stored_mip_is_like_its_texture_scaled_down(corpus: Path) -> None:
    compared: Counter[int] = Counter()
    for raw in _textures(corpus):
        side = max(raw.width, raw.height)
        if raw.mip_count < 3 or not 64 <= side <= 1024 or compared[raw.format] >= 4:
            continue
        full, half = (decode_texture(raw, Diagnostics(), limit) for limit in (side, side // 2))
        assert half.shape[:2] == (raw.height // 2, raw.width // 2)
        means = [pixels.astype(float).mean((0, 1)) for pixels in (full, half)]
        assert np.abs(means[0] - means[1]).max() < 12, raw.name
        compared[raw.format] += 1
    assert len(compared) >= 6 and compared[28] and compared[29]
