"""Every texture of the corpus against UnityPy's own decoding."""

from __future__ import annotations

import contextlib
import io
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import UnityPy
from PIL import Image
from UnityPy.enums import BuildTarget

from unity2gltf.diagnostics import Diagnostics
from unity2gltf.normalize.textures.decode import decode_texture
from unity2gltf.normalize.textures.formats import FORMATS
from unity2gltf.normalize.textures.image import make_image
from unity2gltf.raw import RawTexture
from unity2gltf.source import Source

pytestmark = pytest.mark.corpus

_SKIPPED = {".json", ".md", ".resS", ".resource"}
_MAX_FILE, _MAX_PIXELS, _EACH = 60_000_000, 1 << 20, 12
# Formats whose missing channels or alpha UnityPy fills otherwise; compared where both mean the same.
_COLOR_ONLY, _ALPHA_ONLY = {9, 62, 63}, {1}


def _textures(corpus: Path) -> Iterator[tuple[Any, bytes]]:
    for path in sorted(corpus.rglob("*")):
        if not path.is_file() or path.suffix in _SKIPPED or path.stat().st_size > _MAX_FILE:
            continue
        with contextlib.suppress(Exception), contextlib.redirect_stdout(io.StringIO()):
            objects = [o for o in UnityPy.load(str(path)).objects if o.type.name == "Texture2D"]
            for o in objects:
                with contextlib.suppress(Exception):
                    texture = o.parse_as_object()
                    yield texture, bytes(texture.get_image_data())


def _raw(texture: Any, data: bytes) -> RawTexture:
    reader = texture.object_reader
    return RawTexture(
        source=Source("corpus", "file", reader.path_id, "Texture2D"),
        name=texture.m_Name,
        version=tuple(reader.version[:3]),
        width=texture.m_Width,
        height=texture.m_Height,
        format=int(texture.m_TextureFormat),
        data=data,
        mip_count=int(texture.m_MipCount or 1),
        color_space=1,
        filter=1,
        aniso=1,
        wrap=(0, 0),
        platform=int(getattr(reader, "platform", BuildTarget.UnknownPlatform)),
        platform_blob=b"",
    )


def test_pixels_agree_with_unitypy(corpus: Path) -> None:
    compared: Counter[int] = Counter()
    for texture, data in _textures(corpus):
        number, pixels = int(texture.m_TextureFormat), texture.m_Width * texture.m_Height
        if not data or not 0 < pixels <= _MAX_PIXELS or compared[number] >= _EACH:
            continue
        raw = _raw(texture, data)
        ours = decode_texture(raw, Diagnostics())
        theirs = np.asarray(texture.image.convert("RGBA"))
        channels = slice(0, 3) if number in _COLOR_ONLY else slice(3, 4) if number in _ALPHA_ONLY else slice(0, 4)
        np.testing.assert_array_equal(ours[..., channels], theirs[..., channels], err_msg=f"{raw.name} {number}")
        image = make_image(raw, Diagnostics())
        read_back = Image.open(io.BytesIO(image.data)).convert("RGBA")
        np.testing.assert_array_equal(np.asarray(read_back), ours, err_msg=raw.name)
        compared[number] += 1
    names = {FORMATS[number].name for number in compared}
    assert sum(compared.values()) >= 80
    assert len(names) >= 10, names
    assert {"DXT1", "DXT5", "DXT1Crunched", "ETC_RGB4", "ETC2_RGBA8", "ASTC_4x4", "ASTC_6x6"} <= names
