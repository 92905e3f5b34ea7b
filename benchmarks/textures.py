"""Time from stored textures to PNG files, ours against UnityPy's, and what a second thread gains.

Usage: python benchmarks/textures.py GAME
       python benchmarks/textures.py --threads [SIZE]

GAME is a file or folder of Unity content. Each side runs in a process of its own and makes a PNG in memory of every
Texture2D: ours by ``decode_texture`` and ``encode_png``, UnityPy by ``image.save``. The times are from the object in
its file to the PNG's bytes, without opening files, and are summed over the textures that both sides made; they are
printed with the peak memory of each process. ``--threads`` times each library alone and two at once.
"""

from __future__ import annotations

import io
import json
import resource
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from corpus import open_with_unitypy
from numpy.typing import NDArray
from texture_png import picture, texture
from timing import seconds

from unity2gltf.diagnostics import Diagnostics, Fault
from unity2gltf.extract.game import open_game
from unity2gltf.normalize.textures.decode import decode_texture
from unity2gltf.normalize.textures.formats import FORMATS
from unity2gltf.normalize.textures.png import encode_png
from unity2gltf.normalize.textures.resize import resize

Times = dict[str, tuple[str, float, int]]
"""Texture to (format, seconds, pixels)."""

_FORMATS = (3, 10, 12, 25, 34, 47, 48, 50, 42)
_RUNS = 7


def ours(game: Path) -> Times:
    times: Times = {}
    for root in open_game(game, unity_version="2020.3.33f1").roots:
        for source in root.objects("Texture2D"):
            start = perf_counter()
            try:
                raw = root.texture(source)
                pixels = decode_texture(raw, Diagnostics())
            except Fault:
                continue
            encode_png(pixels[..., :3] if int(pixels[..., 3].min()) == 255 else pixels)
            key = f"{source.input.partition('!')[0]}:{source.file.lower()}:{source.path_id}"
            times[key] = (FORMATS[raw.format].name, perf_counter() - start, raw.width * raw.height)
        root.close()
    return times


def unitypys(game: Path) -> Times:
    times: Times = {}
    folder = game if game.is_dir() else game.parent
    for environment in open_with_unitypy(game, dict.fromkeys(("failed", "files", "largest input"), 0)):
        for reader in environment.objects:
            if reader.type.name != "Texture2D":
                continue
            start = perf_counter()
            try:
                stored = reader.parse_as_object()
                stored.image.save(io.BytesIO(), "PNG")
            except Exception:  # noqa: BLE001 - a tool that is measured, not ours
                continue
            path = Path(environment.path, next(iter(environment.files), ""))
            key = f"{_below(path, folder)}:{reader.assets_file.name.lower()}:{reader.path_id}"
            times[key] = (str(int(stored.m_TextureFormat)), perf_counter() - start, stored.m_Width * stored.m_Height)
    return times


def _below(path: Path, folder: Path) -> str:
    return path.resolve().relative_to(folder.resolve()).as_posix()


SIDES: dict[str, Callable[[Path], Times]] = {"ours": ours, "unitypy": unitypys}


def measure(side: str, game: Path) -> None:
    """Run one side in this process and print its times as JSON."""
    times = SIDES[side](game)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10
    print(json.dumps({"times": times, "peak": peak}))


def run_side(side: str, game: Path) -> dict[str, Any]:
    command = [sys.executable, __file__, "--measure", side, str(game)]
    child = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    result: dict[str, Any] = json.loads(child.stdout.splitlines()[-1])
    return result


def compare(game: Path) -> None:
    sides = {side: run_side(side, game) for side in SIDES}
    mine, theirs = (sides[side]["times"] for side in SIDES)
    both = sorted(mine.keys() & theirs.keys())
    print(f"{'format':16}{'textures':>9}{'Mpixels':>9}{'ours s':>9}{'UnityPy s':>11}{'ratio':>8}")
    formats = sorted({mine[key][0] for key in both})
    for name in (*formats, "all"):
        keys = [key for key in both if name in (mine[key][0], "all")]
        pixels = sum(mine[key][2] for key in keys) / 1e6
        first, second = (sum(side[key][1] for key in keys) for side in (mine, theirs))
        print(f"{name:16}{len(keys):9}{pixels:9.1f}{first:9.2f}{second:11.2f}{second / first:8.1f}")
    for side, result in sides.items():
        print(f"{side}: {len(result['times'])} textures, peak memory {result['peak'] >> 20} MB")


def steps(size: int) -> dict[str, Callable[[], object]]:
    """Pieces of the work on a picture of ``size`` x ``size``, by what does it."""
    from isal import isal_zlib

    pixels = picture(size)
    data = pixels.tobytes()
    work: dict[str, Callable[[], object]] = {}
    for number in _FORMATS:
        raw = texture(number, size)
        work[f"decode {FORMATS[number].name}"] = lambda raw=raw: decode_texture(raw, Diagnostics())
    work["isal deflate"] = lambda: isal_zlib.compressobj(level=1).compress(data)
    work["numpy subtract"] = lambda: _subtract(pixels)
    work["encode_png"] = lambda: encode_png(pixels)
    work["box to a half"] = lambda: resize(pixels, size // 2, size // 2)
    return work


def _subtract(pixels: NDArray[np.uint8]) -> None:
    for start in range(0, len(pixels), 64):
        np.subtract(pixels[start + 1 : start + 64], pixels[start : start + 63])


def threads(size: int) -> None:
    """A gain of 2 is a library that lets a second thread work; 1 is one that does not."""
    print(f"{f'{size} x {size}':24}{'alone ms':>10}{'two at once ms':>16}{'gain':>7}")
    with ThreadPoolExecutor(2) as pool:
        for name, work in steps(size).items():
            work()
            alone = seconds(work, _RUNS)
            together = seconds(lambda work=work: [f.result() for f in (pool.submit(work), pool.submit(work))], _RUNS)
            print(f"{name:24}{alone * 1000:10.1f}{together * 1000:16.1f}{2 * alone / together:7.2f}")


def main() -> None:
    arguments = sys.argv[1:]
    if len(arguments) == 3 and arguments[0] == "--measure":
        measure(arguments[1], Path(arguments[2]))
    elif arguments[:1] == ["--threads"]:
        threads(int(arguments[1]) if len(arguments) > 1 else 2048)
    elif len(arguments) == 1:
        compare(Path(arguments[0]))
    else:
        sys.exit("usage: textures.py GAME | --threads [SIZE]")


if __name__ == "__main__":
    main()
