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
from unity2gltf.normalize.textures.decode import decode_texture
from unity2gltf.normalize.textures.formats import FORMATS
from unity2gltf.normalize.textures.image import make_image
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
        written = make_image(raw, Diagnostics())
        read_back = Image.open(io.BytesIO(written.data)).convert("RGBA")
        np.testing.assert_array_equal(np.asarray(read_back), ours, err_msg=raw.name)
        compared[number] += 1
    names = {FORMATS[number].name for number in compared}
    assert sum(compared.values()) >= 80
    assert len(names) >= 10, names
    assert {"DXT1", "DXT5", "DXT1Crunched", "ETC_RGB4", "ETC2_RGBA8", "ASTC_4x4", "ASTC_6x6"} <= names
