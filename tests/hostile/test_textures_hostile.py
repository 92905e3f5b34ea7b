"""Textures that lie about themselves: a Fault each, never a crash and never a great allocation."""

from __future__ import annotations

import binascii
import struct

import numpy as np
import pytest

from tests.builders.surfaces import raw_texture
from unity2gltf import codes
from unity2gltf.diagnostics import Code, Diagnostics, Fault
from unity2gltf.normalize.textures import blocks
from unity2gltf.normalize.textures.decode import decode_texture
from unity2gltf.normalize.textures.formats import FORMATS
from unity2gltf.raw import RawTexture

DECODED = [n for n, form in FORMATS.items() if form.decode]


def _fault(raw: RawTexture) -> Fault:
    with pytest.raises(Fault) as caught:
        decode_texture(raw, Diagnostics())
    assert caught.value.data is not None
    return caught.value


@pytest.mark.parametrize("format_", DECODED)
def test_data_short_by_one_byte(format_: int) -> None:
    data = bytes(FORMATS[format_].size(64, 64) - 1)
    assert _fault(raw_texture(format_, 64, 64, data)).code is codes.TEXTURE_CORRUPT


@pytest.mark.parametrize("format_", DECODED)
def test_one_byte_for_a_huge_texture(format_: int) -> None:
    assert _fault(raw_texture(format_, 16384, 16384, b"\0")).code is codes.TEXTURE_CORRUPT


@pytest.mark.parametrize(
    ("width", "height", "code"),
    [
        (0, 4, codes.TEXTURE_CORRUPT),
        (4, 0, codes.TEXTURE_CORRUPT),
        (-4, 4, codes.TEXTURE_CORRUPT),
        (-4, -4, codes.TEXTURE_CORRUPT),
        (16385, 1, codes.TEXTURE_LIMIT),
        (1, 2**31 - 1, codes.TEXTURE_LIMIT),
        (2**31 - 1, 2**31 - 1, codes.TEXTURE_LIMIT),
    ],
)
def test_absurd_sides(width: int, height: int, code: Code) -> None:
    assert _fault(raw_texture(4, width, height, bytes(64))).code is code


@pytest.mark.parametrize("data", [b"", memoryview(b""), np.zeros(0, np.uint8)])
def test_no_pixels_at_all(data: bytes) -> None:
    assert _fault(raw_texture(12, 64, 64, data)).code is codes.TEXTURE_MISSING


def test_an_empty_texture_that_the_game_fills_later() -> None:
    assert _fault(raw_texture(1, 0, 0, b"")).code is codes.TEXTURE_MISSING
    assert _fault(raw_texture(1, 0, 0, b"\0")).code is codes.TEXTURE_CORRUPT


@pytest.mark.parametrize("format_", [0, -1, 999, -127, 2**31 - 1])
def test_unknown_format(format_: int) -> None:
    fault = _fault(raw_texture(format_, 4, 4, bytes(64)))
    assert fault.code is codes.TEXTURE_FORMAT
    assert fault.data["format"] == format_


@pytest.mark.parametrize("format_", [n for n, form in FORMATS.items() if not form.decode])
def test_known_format_without_decoder_is_named(format_: int) -> None:
    fault = _fault(raw_texture(format_, 4, 4, bytes(64)))
    assert fault.code is codes.TEXTURE_FORMAT
    assert FORMATS[format_].name in str(fault)


@pytest.mark.parametrize(("width", "height"), [(24, 8), (12, 20), (8, 100)])
def test_pvrtc_with_sides_that_are_no_powers_of_two(width: int, height: int) -> None:
    assert _fault(raw_texture(33, width, height, bytes(4096))).code is codes.TEXTURE_CORRUPT


def _crc(part: bytes) -> int:
    return 0xFFFF ^ binascii.crc_hqx(part, 0xFFFF)


def _crunched(
    width: int = 64,
    height: int = 64,
    *,
    levels: int = 1,
    form: int = 0,
    palette: tuple[int, int, int] = (74, 8, 1),
    tables: tuple[int, int] = (74, 8),
    level: int = 82,
    payload: bytes = bytes(range(32)),
    size: int | None = None,
    crc: int | None = None,
) -> bytes:
    """A CRN file whose checksums hold, with nonsense for codes."""
    header_size = 70 + 4 * levels
    total = header_size + len(payload) if size is None else size
    data_crc = _crc(payload) if crc is None else crc
    offset, length, count = palette
    tail = struct.pack(">IHHHBBBHIII", total, data_crc, width, height, levels, 1, form, 0, 0, 0, 0)
    tail += (offset.to_bytes(3, "big") + length.to_bytes(3, "big") + count.to_bytes(2, "big")) * 2 + bytes(16)
    tail += tables[1].to_bytes(2, "big") + tables[0].to_bytes(3, "big") + struct.pack(">I", level) * levels
    return struct.pack(">HHH", 0x4878, header_size, _crc(tail)) + tail + payload


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"Hx", id="cut off in the header"),
        pytest.param(b"XX" + _crunched()[2:], id="signature"),
        pytest.param(_crunched(width=128), id="other width"),
        pytest.param(_crunched(form=2), id="other format"),
        pytest.param(_crunched(form=99), id="unknown format"),
        pytest.param(_crunched(levels=0), id="no levels"),
        pytest.param(_crunched(size=10_000), id="size past the end"),
        pytest.param(_crunched(size=3), id="size within the header"),
        pytest.param(_crunched(crc=1), id="checksum"),
        pytest.param(_crunched()[:-1] + b"\xff", id="one byte changed"),
        pytest.param(_crunched(palette=(74, 0xFFFFFF, 1)), id="palette past the end"),
        pytest.param(_crunched(palette=(0, 8, 1)), id="palette in the header"),
        pytest.param(_crunched(tables=(0xFFFFFF, 8)), id="tables past the end"),
        pytest.param(_crunched(tables=(74, 0)), id="tables empty"),
        pytest.param(_crunched(level=0xFFFFFFFF), id="level past the end"),
        pytest.param(_crunched(), id="nonsense that checks out"),
        pytest.param(_crunched(palette=(74, 32, 0xFFFF)), id="palette of more entries than bits"),
    ],
)
def test_crunched_data(data: bytes) -> None:
    assert _fault(raw_texture(28, 64, 64, data)).code is codes.TEXTURE_CORRUPT


@pytest.mark.parametrize("format_", [n for n in DECODED if not FORMATS[n].crunch])
@pytest.mark.parametrize("max_side", [0, 1, 5])
def test_random_bytes_with_an_absurd_count_of_mips(format_: int, max_side: int) -> None:
    """Whatever the bytes are, pixels come of them or a Fault."""
    size = FORMATS[format_].size(16, 16)
    data = np.random.default_rng(format_).integers(0, 256, size * 2, dtype=np.uint8).tobytes()
    pixels = decode_texture(raw_texture(format_, 16, 16, data, mip_count=2**31 - 1), Diagnostics(), max_side)
    assert pixels.dtype == np.uint8
    assert 1 <= max(pixels.shape[:2]) <= max_side or (max_side == 0 and pixels.shape == (16, 16, 4))


@pytest.mark.parametrize("level", [1, 3])
def test_crunched_levels_of_nonsense(level: int) -> None:
    data = _crunched(levels=4, palette=(86, 8, 1), tables=(86, 8), level=94)
    with pytest.raises(Fault) as caught:
        decode_texture(raw_texture(28, 64, 64, data, mip_count=7), Diagnostics(), 64 >> level)
    assert caught.value.code is codes.TEXTURE_CORRUPT


@pytest.mark.parametrize(("format_", "package"), [(34, "texture2ddecoder"), (48, "astc-encoder-py"), (10, "pillow")])
def test_a_missing_library_says_what_to_install(format_: int, package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise ImportError(name)

    monkeypatch.setattr(blocks, "import_module", missing)
    fault = _fault(raw_texture(format_, 4, 4, bytes(64)))
    assert fault.code is codes.TEXTURE_FORMAT and f"pip install {package}" in str(fault)
