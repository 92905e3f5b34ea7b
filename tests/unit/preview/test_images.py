"""Images that no renderer could draw are told of before it tries."""

from __future__ import annotations

import base64
import io
import json
from pathlib import Path

import pytest
from PIL import Image

from tests.unit.preview.handmade import write_gltf
from unity2gltf.errors import Unity2GltfError
from unity2gltf.evaluate.glb import read_gltf
from unity2gltf.preview.images import LONGEST, check_images


def encoded(kind: str, width: int = 32, height: int = 32) -> bytes:
    data = io.BytesIO()
    Image.effect_noise((width, height), 90).save(data, kind)
    return data.getvalue()


def check(folder: Path, data: bytes, *, beside: bool) -> None:
    """A file with this image, beside it or within."""
    path = write_gltf(folder / "a.gltf", [{"mesh": 0}])
    uri = "a.image" if beside else f"data:image/png;base64,{base64.b64encode(data).decode()}"
    if beside:
        (folder / uri).write_bytes(data)
    document = json.loads(path.read_text("utf-8")) | {"images": [{"name": "bark", "uri": uri}]}
    path.write_text(json.dumps(document), encoding="utf-8")
    check_images(read_gltf(path))


@pytest.mark.parametrize("beside", [True, False])
@pytest.mark.parametrize("data", [encoded("PNG"), encoded("JPEG"), encoded("WEBP"), b"\xabKTX 20\xbb\r\n\x1a\n.."])
def test_whole_images_pass(tmp_path: Path, data: bytes, beside: bool) -> None:
    check(tmp_path, data, beside=beside)


@pytest.mark.parametrize("beside", [True, False])
@pytest.mark.parametrize(
    ("data", "told"),
    [
        (encoded("PNG")[:200], "is broken"),
        (encoded("JPEG")[:500], "is broken"),
        (encoded("WEBP")[:200], "is broken"),
        (encoded("PNG")[:40] + bytes(900), "is no PNG, JPEG, WebP or KTX2 that can be read"),
        (encoded("BMP"), "is no PNG, JPEG, WebP or KTX2 that can be read"),
        (b"", "is no PNG, JPEG, WebP or KTX2 that can be read"),
        (encoded("PNG", LONGEST + 1, 1), "is 16385 x 1 pixels; Filament takes 16384 a side"),
    ],
)
def test_others_are_one_sentence(tmp_path: Path, data: bytes, told: str, beside: bool) -> None:
    with pytest.raises(Unity2GltfError) as caught:
        check(tmp_path, data, beside=beside)
    assert str(caught.value).startswith(f"image 0 'bark' {told}")
    assert "\n" not in str(caught.value)
