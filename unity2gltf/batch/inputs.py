"""The INPUT arguments of a run, so that a path in the report names one file only."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from ..diagnostics import Diagnostics
from ..errors import InputError, UsageError
from ..extract.game import Game, open_game


def open_inputs(
    inputs: Sequence[str | Path], *, unity_version: str | None = None, out: Path | None = None
) -> Iterator[Game]:
    """Open every INPUT, one that is given twice once; ``out``, where it lies in one, is not looked into.

    Paths are relative to their INPUT. The n-th INPUT's get ``n:/`` before them where an earlier INPUT has one of them
    too. Raises InputError for a path that does not exist and UsageError for an ``out`` that is an INPUT itself.
    """
    paths = list(map(Path, inputs))
    for path in paths:
        _check_exists(path)
        if out is not None and path.resolve() == out.resolve():
            raise UsageError(f"the output folder is the INPUT {path} itself: give a folder of its own")
    return _open(list({path.resolve(): path for path in reversed(paths)}.values())[::-1], unity_version, out)


def _check_exists(path: Path) -> None:
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError, ValueError):
        raise InputError(f"there is no such file or folder: {path}") from None
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from error


def _open(paths: Sequence[Path], unity_version: str | None, out: Path | None) -> Iterator[Game]:
    taken: set[str] = set()
    for number, path in enumerate(paths, 1):
        label = ""
        while True:
            game = open_game(path, unity_version=unity_version, diagnostics=Diagnostics(), without=out, label=label)
            names = {item.path for item in game.inputs}
            if taken.isdisjoint(names):
                break
            label += f"{number}:/"
        taken |= names
        yield game
