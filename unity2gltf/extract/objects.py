"""Fields of objects: values behind an OffsetPtr, and type trees that are not those of their class."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from ..codes import OBJECT_CORRUPT
from ..diagnostics import Fault
from ..source import Source

Fields = Mapping[str, Any]
"""The fields of an object, or of a structure within it, by name."""


def inner(pointer: Fields) -> Fields:
    """What an OffsetPtr leads to; versions without that level give the value itself."""
    value: Fields = pointer.get("data", pointer)
    return value


@contextmanager
def expect_fields(source: Source) -> Iterator[None]:
    """A field that is missing, or of another type than its class has, is a :class:`Fault` OBJECT_CORRUPT.

    Type trees come from the file, so any of them may lie about names, types and nesting.
    """
    try:
        yield
    except (KeyError, IndexError, TypeError, ValueError, AttributeError, OverflowError) as error:
        reason = f"{type(error).__name__}: {error}"
        raise Fault(OBJECT_CORRUPT, f"a {source.type} has not the fields of its class ({reason})") from error
