"""What a report must hold for those who read it: less than ``schema-1.json`` says, and without a library for it.

A shape is data: a type; a set of words; a pattern; ``[shape]`` for a list; a dict for an object with these fields,
those with ``?`` at their end only where they are there; ``Each`` for an object of any fields; ``Maybe`` for what may be
null.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Each:
    """An object whose fields, of any name, are all of one shape."""

    shape: Any


@dataclass(frozen=True, slots=True)
class Maybe:
    """Null, or the shape."""

    shape: Any


_PATH_ID = re.compile(r"-?[0-9]{1,30}")
_MARK = {"input": str, "file": str, "path_id": _PATH_ID, "type": str}
_DIAGNOSTIC = {
    "code": str,
    "severity": {"info", "warning", "error"},
    "message": str,
    "where": str,
    "data": dict,
    "source": Maybe(_MARK),
}
_WORST = {f"max_{what}": float for what in ("translation_m", "rotation_deg", "scale", "weight", "pointer", "vertex_m")}
_CLIPS = _WORST | {"count": int, "channels": int, "kinds": Each(int), "approximate": _WORST | {"channels": int}}
_PROOF = {
    "level": str,
    "max_error_m": float,
    "rms_error_m": float,
    "tolerance_m": float,
    "poses": int,
    "vertices": int,
    "passed": bool,
    "cut": Maybe({"max_m": float, "vertices": int}),
    "clips": Maybe(_CLIPS),
    "problems": [str],
}
_COUNTS = {
    "assets": Each(int),
    "inputs": Each(int),
    "contents": Each(Each(int)),
    "diagnostics": Each(int),
    "max_error_m": Maybe(float),
    "max_cut_m": Maybe(float),
}

REPORT = {
    "tool": {"name": str, "version": str},
    "options": dict,
    "inputs": [{"path": str, "sha256": Maybe(str), "status": {"read", "skipped", "failed"}, "reason?": str}],
    "contents": [
        {
            "source": _MARK,
            "type": str,
            "name": str,
            "status": {"exact", "lossy", "failed", "skipped"},
            "assets": [str],
            "files?": [str],
            "reason?": str,
        }
    ],
    "assets": [
        {
            "kind": str,
            "name": str,
            "source": _MARK,
            "output": Maybe(str),
            "status": {"exact", "lossy", "failed"},
            "reason?": str,
            "diagnostics": [_DIAGNOSTIC],
            "stats": Each(int),
            "roundtrip": Maybe(_PROOF),
        }
    ],
    "diagnostics": [_DIAGNOSTIC],
    "counts": _COUNTS,
}


def require_shape(value: Any, shape: Any, pointer: str = "") -> None:
    """Raise ValueError with a JSON pointer (RFC 6901) to the first thing that is not of the shape."""
    if isinstance(shape, Maybe):
        if value is not None:
            require_shape(value, shape.shape, pointer)
    elif isinstance(shape, Each):
        for key, item in _object(value, pointer).items():
            require_shape(item, shape.shape, f"{pointer}/{key}")
    elif isinstance(shape, dict):
        _require_fields(_object(value, pointer), shape, pointer)
    elif isinstance(shape, list):
        _require(isinstance(value, list), pointer, "a list")
        for place, item in enumerate(value):
            require_shape(item, shape[0], f"{pointer}/{place}")
    elif isinstance(shape, set):
        _require(isinstance(value, str) and value in shape, pointer, f"one of {', '.join(sorted(shape))}")
    elif isinstance(shape, re.Pattern):
        _require(isinstance(value, str) and bool(shape.fullmatch(value)), pointer, "a number as text")
    else:
        wanted = (int, float) if shape is float else shape
        _require(isinstance(value, wanted) and (shape is bool or not isinstance(value, bool)), pointer, _NAMES[shape])


_NAMES = {str: "a text", int: "a whole number", float: "a number", bool: "true or false", dict: "an object"}


def _require_fields(value: dict[str, Any], shape: dict[str, Any], pointer: str) -> None:
    for key, inner in shape.items():
        name = key.rstrip("?")
        if name in value:
            require_shape(value[name], inner, f"{pointer}/{name}")
        else:
            _require(key.endswith("?"), f"{pointer}/{name}", "there")


def _object(value: Any, pointer: str) -> dict[str, Any]:
    _require(isinstance(value, dict), pointer, "an object")
    found: dict[str, Any] = value
    return found


def _require(holds: bool, pointer: str, wanted: str) -> None:
    if not holds:
        raise ValueError(f"{pointer or '/'} is not {wanted}")
