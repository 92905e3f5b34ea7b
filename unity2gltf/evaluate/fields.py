"""Typed look-ups in untrusted JSON. Every error is a :class:`GlbError` that carries a JSON pointer (RFC 6901)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from ..errors import Unity2GltfError

Json = dict[str, Any]
_LARGEST = 1 << 53  # integers above this are not exact in JSON readers that use doubles


class GlbError(Unity2GltfError):
    """A .glb or .gltf file that breaks the format. ``pointer`` says where: ``/accessors/3/count``."""

    def __init__(self, pointer: str, message: str) -> None:
        super().__init__(f"{pointer or '/'}: {message}")
        self.pointer = pointer
        self.message = message


def as_object(value: object, pointer: str) -> Json:
    """``value`` as a JSON object."""
    if not isinstance(value, dict):
        raise GlbError(pointer, f"an object is wanted, not {_kind(value)}")
    return value


def get_object(owner: Mapping[str, Any], key: str, pointer: str) -> Json:
    """A sub-object, or an empty one where the key is absent."""
    return as_object(owner[key], f"{pointer}/{key}") if key in owner else {}


def unity_extras(item: Mapping[str, Any], pointer: str) -> Json:
    """``extras.unity``, what a file tells of Unity, or an empty object."""
    return get_object(get_object(item, "extras", pointer), "unity", f"{pointer}/extras")


def get_list(owner: Mapping[str, Any], key: str, pointer: str) -> list[Any]:
    """A list, or an empty one where the key is absent."""
    value = owner.get(key, [])
    if not isinstance(value, list):
        raise GlbError(f"{pointer}/{key}", f"a list is wanted, not {_kind(value)}")
    return value


def as_integer(value: object, pointer: str, low: int = 0, below: int | None = None) -> int:
    """``value`` as an integer of ``low <= value < below``. True, 3.0 and "3" are not integers."""
    if type(value) is not int:
        raise GlbError(pointer, f"an integer is wanted, not {_kind(value)}")
    top = _LARGEST if below is None else below
    if not low <= value < top:
        raise GlbError(pointer, f"{_short(value)} is outside {low} .. {top - 1}")
    return value


def get_integer(
    owner: Mapping[str, Any],
    key: str,
    pointer: str,
    default: int | None = None,
    low: int = 0,
    below: int | None = None,
) -> int:
    """An integer field; required where there is no ``default``."""
    if key in owner:
        return as_integer(owner[key], f"{pointer}/{key}", low, below)
    if default is None:
        raise GlbError(pointer, f"{key} is missing")
    return default


def get_index(owner: Mapping[str, Any], key: str, pointer: str, count: int) -> int | None:
    """A reference into a collection of ``count`` items, or None where the key is absent."""
    return as_integer(owner[key], f"{pointer}/{key}", 0, count) if key in owner else None


def get_indices(owner: Mapping[str, Any], key: str, pointer: str, count: int) -> list[int]:
    """A list of references into a collection of ``count`` items."""
    items = get_list(owner, key, pointer)
    return [as_integer(item, f"{pointer}/{key}/{place}", 0, count) for place, item in enumerate(items)]


def as_number(value: object, pointer: str) -> float:
    """``value`` as a finite number."""
    if type(value) is int and -_LARGEST <= value <= _LARGEST:
        return float(value)
    if type(value) is float and math.isfinite(value):
        return value
    raise GlbError(pointer, f"a finite number is wanted, not {_kind(value)}")


def get_numbers(
    owner: Mapping[str, Any], key: str, pointer: str, count: int | None = None, default: tuple[float, ...] = ()
) -> list[float]:
    """A list of finite numbers, of length ``count`` unless that is None; ``default`` where the key is absent."""
    if key not in owner:
        return list(default)
    items = get_list(owner, key, pointer)
    if count is not None and len(items) != count:
        raise GlbError(f"{pointer}/{key}", f"{count} numbers are wanted, not {len(items)}")
    return [as_number(item, f"{pointer}/{key}/{place}") for place, item in enumerate(items)]


def get_text(owner: Mapping[str, Any], key: str, pointer: str, default: str | None = None) -> str:
    """A string field; required where there is no ``default``."""
    value = owner.get(key, default)
    if not isinstance(value, str):
        raise GlbError(f"{pointer}/{key}", f"a string is wanted, not {_kind(value)}")
    return value


def _kind(value: object) -> str:
    names = {dict: "an object", list: "a list", str: "a string", bool: "a boolean", type(None): "nothing"}
    return names.get(type(value)) or _short(value)


def _short(value: object) -> str:
    # A hostile integer may have thousands of digits, which Python refuses to print.
    return "a huge number" if type(value) is int and abs(value) > _LARGEST else repr(value)
