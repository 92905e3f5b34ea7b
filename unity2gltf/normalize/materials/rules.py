"""``--material-rules``: rows of the table from a TOML file, in the same columns.

A file holds ``[[family]]`` tables. Keys are the columns of :class:`columns.Family`; a list of one may be written
without brackets, and sources (``metallic``, ``smoothness``, ``normals``, ``emission`` ...) as one table or an array.
"""

from __future__ import annotations

import math
import re
import tomllib
import types
from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from functools import lru_cache
from typing import Any, Union, get_args, get_origin, get_type_hints

from ...errors import UsageError
from .columns import Coat, Family, Scalar, Tint
from .layers import LAYERS

_LONGEST = 10_000  # characters of a pattern; those of the table have hundreds
_TOLD = 80


@lru_cache(maxsize=8)
def parse_rules(text: str) -> tuple[Family, ...]:
    """The rows of a file's text, none for an empty one. Raises UsageError, with the place, for what is no row."""
    if not text:
        return ()
    try:
        return _rows(text)
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"--material-rules: {error}") from error
    except (RecursionError, MemoryError):
        raise UsageError("--material-rules: tables, lists or brackets are nested too deeply") from None
    except (OverflowError, ValueError):  # of Python's own conversions: more digits than it takes, or than fit a float
        raise UsageError("--material-rules: a number is too large") from None


def _rows(text: str) -> tuple[Family, ...]:
    document = tomllib.loads(text)
    rows = document.pop("family", [])
    if document or not isinstance(rows, list):
        wrong = next(iter(document), "family")
        raise UsageError(f"--material-rules: only [[family]] tables are known, not {wrong!r}")
    if not rows:
        raise UsageError("--material-rules: the file has no [[family]]")
    return tuple(_family(row, f"family {number}") for number, row in enumerate(rows, 1))


def _family(row: Any, place: str) -> Family:
    if isinstance(row, Mapping) and "signature" in row:
        row = {**row, "signature": [frozenset(str(group).split()) for group in _listed(row["signature"])]}
    family: Family = _record({"name": place, **row} if isinstance(row, Mapping) else row, Family, place)
    for pattern in (family.shaders, family.maps):
        _check_pattern(pattern, place)
    for layer in family.layers:
        if layer not in LAYERS:
            raise UsageError(f"--material-rules: {place}: layers must be of {', '.join(LAYERS)}, not {layer!r}")
    return family


_LIMITS: dict[type, tuple[tuple[str, str, Callable[[Any], bool]], ...]] = {
    Family: (
        ("color_scale", "a finite number of 0 or more", lambda scale: 0.0 <= scale < math.inf),
        ("alpha_range", "two properties", lambda names: len(names) in (0, 2)),
    ),
    Scalar: (
        ("channel", "r, g, b or a", lambda channel: channel in ("r", "g", "b", "a")),
        ("default", "a number of 0 to 1", lambda default: 0.0 <= default <= 1.0),
    ),
    Tint: (("default", "a finite number of 0 or more", lambda default: 0.0 <= default < math.inf),),
    Coat: (
        ("strength", "one source or more", bool),
        ("smoothness", "one source or more", bool),
    ),
}
"""By record: columns whose type does not say all, what they must be, and whether they are."""


def _shown(value: Any) -> str:
    return "an empty list" if value == () else repr(list(value) if isinstance(value, tuple) else value)


def _check_pattern(pattern: str, place: str) -> None:
    told = f"--material-rules: {place}: {pattern[:_TOLD]!r}"
    if len(pattern) > _LONGEST:
        raise UsageError(f"{told} .. is longer than the {_LONGEST:,} characters that a regular expression may have")
    try:
        re.compile(pattern)
    except (RecursionError, MemoryError):
        raise UsageError(f"{told} .. is no regular expression: its groups are nested too deeply") from None
    except (re.error, OverflowError) as error:
        raise UsageError(f"{told} is no regular expression: {error}") from error


def _record(row: Any, kind: type, place: str) -> Any:
    if not isinstance(row, Mapping):
        raise UsageError(f"--material-rules: {place} must be a table")
    hints = get_type_hints(kind)
    known = {field.name: field for field in fields(kind)}
    for key in row:
        if key not in known:
            raise UsageError(f"--material-rules: {place}: {key!r} is not one of {', '.join(sorted(known))}")
    for name, field in known.items():
        if name not in row and field.default is MISSING:
            raise UsageError(f"--material-rules: {place}: {name} is missing")
    record = kind(**{key: _value(value, hints[key], f"{place}: {key}") for key, value in row.items()})
    for column, wanted, holds in _LIMITS.get(kind, ()):
        value = getattr(record, column)
        if not holds(value):
            raise UsageError(f"--material-rules: {place}: {column} must be {wanted}, not {_shown(value)}")
    return record


def _value(value: Any, hint: Any, place: str) -> Any:
    """A TOML value as a column's type asks."""
    if get_origin(hint) in (Union, types.UnionType):
        hint = next(part for part in get_args(hint) if part is not type(None))
    if get_origin(hint) is tuple:
        element = get_args(hint)[0]
        return tuple(_value(item, element, place) for item in _listed(value))
    if isinstance(hint, type) and issubclass(hint, Enum):
        words = [member.name.lower() for member in hint]
        if str(value).lower() not in words:
            raise UsageError(f"--material-rules: {place} must be one of {', '.join(words)}, not {value!r}")
        return hint[str(value).upper()]
    if is_dataclass(hint) and isinstance(hint, type):
        return _record(value, hint, place)
    if hint is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    wanted = get_origin(hint) or hint
    if not isinstance(value, wanted):
        raise UsageError(f"--material-rules: {place} must be a {wanted.__name__}, not {value!r}")
    return value


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]
