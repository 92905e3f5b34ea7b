"""Which files get pictures, and where each picture goes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..errors import InputError, UsageError
from ..report.pictures import FOLDER, still_name, turntable_name
from ..report.write import read_report

SUFFIXES = (".glb", ".gltf", ".vrm")


@dataclass(frozen=True, slots=True)
class Place:
    """A file and its pictures. ``out``: the folder of the run that wrote it, where the pictures are the page's."""

    file: Path
    still: Path
    turntable: Path
    out: Path | None = None


def find_places(paths: Sequence[Path], into: Path | None) -> list[Place]:
    """The files named, and those below the folders named, sorted, each once.

    ``into`` None: beside the report of the run that wrote the file, where its page looks for them. Raises InputError
    without files, UsageError where a file is of no run, or of one whose report cannot be read, and ``into`` is None, or
    where two have one place.
    """
    found = {file.resolve(): (file, root) for root in paths for file in _files(root)}
    if not found:
        raise InputError(f"no .glb, .gltf or .vrm files in {', '.join(map(str, paths))}")
    outs: dict[Path, Path | None] = {}
    places = [_given(file, root, into) if into else _beside_report(file, outs) for file, root in found.values()]
    taken: dict[Path, Path] = {}
    for place in places:
        other = taken.setdefault(place.still, place.file)
        if other != place.file:
            raise UsageError(f"{other} and {place.file} would have the same picture {place.still}: draw them apart")
    return places


def _files(root: Path) -> Iterator[Path]:
    if root.is_dir():
        yield from sorted(path for path in root.rglob("*") if path.suffix.lower() in SUFFIXES and path.is_file())
    elif root.is_file():
        yield root
    else:
        raise InputError(f"there is no such file or folder: {root}")


def _given(file: Path, root: Path, into: Path) -> Place:
    below = file.relative_to(root).as_posix() if root.is_dir() else file.name
    return Place(file, into / still_name(below), into / turntable_name(below))


def _beside_report(file: Path, outs: dict[Path, Path | None]) -> Place:
    folder = file.absolute().parent
    if ".." in folder.parts:  # what it leads to depends on the links before it
        folder = folder.resolve()
    if folder not in outs:
        outs[folder] = _run_of(folder)
    out = outs[folder]
    if out is None:
        raise UsageError(f"{file} lies in no folder with a report.json: say with -o where the pictures shall go")
    below = (folder / file.name).relative_to(out).as_posix()
    return Place(file, out / FOLDER / still_name(below), out / FOLDER / turntable_name(below), out)


def _run_of(folder: Path) -> Path | None:
    """The nearest folder with a report, whose page can be drawn anew."""
    out = next((up for up in (folder, *folder.parents) if (up / "report.json").is_file()), None)
    if out is not None:
        try:
            read_report(out)
        except InputError as error:
            raise UsageError(f"{error}: say with -o where the pictures shall go") from error
    return out
