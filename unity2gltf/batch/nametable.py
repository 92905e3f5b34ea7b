"""The names of an INPUT by their hashes, and the other way round."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from ..diagnostics import Diagnostics
from ..errors import UsageError
from ..extract.content import ContentRoot
from ..extract.game import open_game
from ..math3d import name_hash
from ..options import Options

LARGEST = 0xFFFF_FFFF


def name_table(path: str | Path, options: Options, query: str | None = None) -> dict[str, Any]:
    """One JSON value: ``query``, ``hash`` (the number asked for, or the CRC-32 of the text), ``files`` (their number),
    ``names`` (``hash``, ``name``, ``origin``, ``root``) and ``diagnostics``.

    Without a query every name; with a number (decimal or 0x) those of that hash; with a text those that contain it.
    Raises :class:`errors.InputError` when the path does not exist, :class:`UsageError` for a number above 32 bits.
    """
    number = _number(query)
    diagnostics = Diagnostics()
    game = open_game(path, unity_version=options.unity_version, diagnostics=diagnostics)
    names: list[dict[str, Any]] = []
    files = 0
    for root in game.roots:
        files += len(root.files)
        names += [
            {"hash": hash_, "name": name, "origin": origin, "root": root.path}
            for hash_, name, origin in _found(root, query, number)
        ]
        root.close()
    return {
        "query": query,
        "hash": name_hash(query) if number is None and query is not None else number,
        "files": files,
        "names": names,
        "diagnostics": [item.to_json() for item in diagnostics.items],
    }


def _number(query: str | None) -> int | None:
    """The hash that a query names; None when it is a text (or there is none)."""
    if query is None:
        return None
    try:
        number = int(query, 16) if query[:2].lower() == "0x" else int(query) if query.isdecimal() else None
    except ValueError:
        return None
    if number is not None and number > LARGEST:
        raise UsageError(f"{query} is no 32-bit hash")
    return number


def _found(root: ContentRoot, query: str | None, number: int | None) -> Iterable[tuple[int, str, str]]:
    if query is None:
        return root.names.all()
    if number is None:
        return root.names.containing(query)
    return [(number, name, origin) for name, origin in root.names.entries(number)]
