"""pygltflib's objects to JSON values and bytes.

Its own ``to_json`` copies deeply and drops empty strings; here a field is left out when it is unset, empty, or
equal to its default, which pygltflib takes from the glTF specification.
"""

from __future__ import annotations

import json
from dataclasses import MISSING, Field, fields, is_dataclass
from functools import cache
from typing import Any

import pygltflib

from .context import replace_surrogates

_REQUIRED = {"version"}  # asset.version must be written although it equals its default


def to_json(value: Any) -> Any:
    """A pygltflib object, or lists of them, as dicts and lists. Dicts (extras, extensions) pass as they are."""
    if isinstance(value, list):
        return [to_json(item) for item in value]
    if isinstance(value, pygltflib.Attributes):
        return {name: index for name, index in vars(value).items() if index is not None}
    if not is_dataclass(value) or isinstance(value, type):
        return value
    result = {}
    for name, default in _defaults(type(value)):
        item = getattr(value, name)
        if not _is_absent(item) and (item != default or name in _REQUIRED):
            result[name] = to_json(item)
    return result


def json_bytes(document: dict[str, Any]) -> bytes:
    """Compact UTF-8. Raises ValueError on NaN and infinity, TypeError on numpy scalars: neither is JSON."""
    text = json.dumps(document, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:  # a path of the file system inside extras that is not UTF-8
        return replace_surrogates(text).encode("utf-8")


def _is_absent(item: Any) -> bool:
    return item is None or (isinstance(item, (list, dict)) and not item)


@cache
def _defaults(cls: type[Any]) -> tuple[tuple[str, Any], ...]:
    """Names and default values of a class's fields, the common ``extensions`` and ``extras`` last."""
    pairs = [(item.name, _default(item)) for item in fields(cls)]
    return tuple(sorted(pairs, key=lambda pair: pair[0] in ("extensions", "extras")))


def _default(item: Field[Any]) -> Any:
    if item.default_factory is not MISSING:
        return item.default_factory()
    return None if item.default is MISSING else item.default
