"""Which files are tried: the converted sample, real games when there are any, a bounded number of each kind."""

from __future__ import annotations

import json
import shutil
import struct
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from unity2gltf import Options, convert
from unity2gltf.sample import write_sample

SAMPLE_VERSION = "2022.3.20f1"
EACH = 24
"""Files of one kind from one folder."""

LARGEST = 12 << 20
"""Bytes of a file that is tried."""


def sample_folder(cache: Path) -> Path:
    """The sample, converted anew."""
    return _converted([_sample(cache)], cache / "out" / "sample")


def corpus_folder(corpus: Path, cache: Path) -> Path:
    """Real games, converted anew."""
    return _converted([corpus], cache / "out" / "corpus")


def _sample(cache: Path) -> Path:
    game = cache / "out" / "sample-game"
    shutil.rmtree(game, ignore_errors=True)
    write_sample(game, (SAMPLE_VERSION,))
    return game


def _converted(inputs: Sequence[Path], out: Path) -> Path:
    shutil.rmtree(out, ignore_errors=True)
    convert(inputs, out, Options(verify="none"))
    return out


def choose(folder: Path, each: int = EACH) -> list[Path]:
    """All GLBs of a small folder; of a large one ``each`` of every kind, spread over their sizes."""
    files = sorted(path for path in folder.rglob("*.glb") if path.stat().st_size <= LARGEST)
    if len(files) <= 2 * each:
        return files
    kinds: dict[tuple[str, ...], list[Path]] = {}
    for path in files:
        kinds.setdefault(kind(path), []).append(path)
    return sorted(path for group in kinds.values() for path in _spread(group, each))


def _spread(group: Sequence[Path], each: int) -> Iterable[Path]:
    """The smallest, the largest and what lies evenly between them."""
    ordered = sorted(group, key=lambda path: (path.stat().st_size, str(path)))
    steps = min(each, len(ordered))
    return {ordered[round(k * (len(ordered) - 1) / max(steps - 1, 1))] for k in range(steps)}


def kind(path: Path) -> tuple[str, ...]:
    """What a file holds that an engine can get wrong."""
    document = read_json(path)
    primitives = [item for mesh in document.get("meshes", ()) for item in mesh["primitives"]]
    traits = {
        "skin": bool(document.get("skins")),
        "many": any("WEIGHTS_1" in item["attributes"] for item in primitives),
        "morph": any(item.get("targets") for item in primitives),
        "clip": bool(document.get("animations")),
        "pose": len(document.get("nodes", ())) > 1,
    }
    return tuple(name for name, has in traits.items() if has)


def read_json(path: Path) -> dict[str, Any]:
    """The document of a GLB."""
    with path.open("rb") as file:
        (length,) = struct.unpack("<I", file.read(20)[12:16])
        document: dict[str, Any] = json.loads(file.read(length))
    return document
