"""pygltflib's objects to JSON values and bytes.

Its own ``to_json`` copies deeply and drops empty strings; here a field is left out when it is unset, empty, or
equal to its default, which pygltflib takes from the glTF specification.
"""

from __future__ import annotations

import json
from dataclasses import MISSING, Field, fields
from functools import cache
from typing import Any

import pygltflib

from .context import replace_surrogates

_PLAIN = frozenset({int, float, str, bool, dict})
_REQUIRED = {"version"}  # asset.version must be written although it equals its default

_WHOLE = (pygltflib.AccessorSparseIndices, pygltflib.AccessorSparseValues)
"""Written with their byteOffset of 0: VTK (F3D 4) cannot load a file where a sparse accessor leaves it out."""


def to_json(value: Any) -> Any:
    """A pygltflib object, or lists of them, as dicts and lists. Dicts (extras, extensions) pass as they are."""
    kind = type(value)
    if kind in _PLAIN:
        return value
    if kind is list:
        return [to_json(item) for item in value]
    if kind is pygltflib.Attributes:
        return {name: index for name, index in vars(value).items() if index is not None}
    result = {}
    for name, default in _defaults(kind):  # type: ignore[arg-type]  # mypy does not see that classes hash
        item = getattr(value, name)
        if (
            item is None
            or (not item and type(item) in (list, dict))
            or (item == default and name not in _REQUIRED and kind not in _WHOLE)
        ):
            continue
        result[name] = item if type(item) in _PLAIN else to_json(item)
    return result


def json_bytes(document: dict[str, Any]) -> bytes:
    """Compact UTF-8. Raises ValueError on NaN and infinity, TypeError on numpy scalars: neither is JSON."""
    text = json.dumps(document, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:  # a path of the file system inside extras that is not UTF-8
        return replace_surrogates(text).encode("utf-8")


@cache
def _defaults(cls: Any) -> tuple[tuple[str, Any], ...]:
    """Names and default values of a class's fields, the common ``extensions`` and ``extras`` last."""
    pairs = [(item.name, _default(item)) for item in fields(cls)]
    return tuple(sorted(pairs, key=lambda pair: pair[0] in ("extensions", "extras")))


def _default(item: Field[Any]) -> Any:
    if item.default_factory is not MISSING:
        return item.default_factory()
    return None if item.default is MISSING else item.default
