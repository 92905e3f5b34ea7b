"""Coded diagnostics: nothing is lost in silence.

A stage reports with :meth:`Diagnostics.add`, or raises :class:`Fault` to give up on the object at hand; the nearest
:meth:`Diagnostics.guard` turns the fault into a diagnostic and the rest of the file goes on.
"""

from __future__ import annotations

import math
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from .errors import OutputError, Unity2GltfError
from .source import Source


class Severity(StrEnum):
    """``INFO`` loses nothing; ``WARNING`` makes an asset lossy; ``ERROR`` means that a part is missing or broken."""

    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class Code:
    """A kind of diagnostic. Declared once in ``codes.py`` and never renamed."""

    name: str
    severity: Severity
    sentence: str


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One thing that happened. ``data`` holds JSON values only; ``where`` is ``file:path_id/Mesh "Body"/submesh 2``."""

    code: Code
    message: str
    where: str
    data: dict[str, Any] = field(default_factory=dict)
    source: Source | None = None
    traceback: str | None = None  # of a surprise, for --debug; not part of the report

    def to_json(self) -> dict[str, Any]:
        return {
            "code": self.code.name,
            "severity": self.code.severity.value,
            "message": self.message,
            "where": self.where,
            "data": self.data,
            "source": self.source.mark() if self.source else None,
        }


def finite_json(value: Any) -> Any:
    """The value with numbers that are not finite, which JSON lacks, as text, at any depth."""
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, dict):
        return {key: finite_json(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [finite_json(item) for item in value]
    return value


class Fault(Unity2GltfError):
    """Raised to give up on one object; carries the diagnostic's code, sentence and numbers."""

    def __init__(self, code: Code, message: str, **data: Any) -> None:
        super().__init__(message)
        self.code = code
        self.data = data


class Diagnostics:
    """Collects diagnostics and keeps the place they belong to."""

    def __init__(self) -> None:
        self.items: list[Diagnostic] = []
        self._places: list[str] = []
        self._sources: list[Source | None] = []

    def add(self, code: Code, message: str, **data: Any) -> None:
        """Record a diagnostic at the current place. ``data`` are JSON values; a number that is not finite is told as
        text, since JSON has none."""
        source = next((s for s in reversed(self._sources) if s), None)
        self.items.append(Diagnostic(code, message, "/".join(self._places), finite_json(data), source))

    @contextmanager
    def at(self, place: str, source: Source | None = None) -> Iterator[None]:
        """Everything reported inside belongs to ``place`` (below the places already entered) and ``source``."""
        self._places.append(place)
        self._sources.append(source)
        try:
            yield
        finally:
            self._places.pop()
            self._sources.pop()

    @contextmanager
    def guard(self, unexpected: Code, place: str | None = None, source: Source | None = None) -> Iterator[None]:
        """Like :meth:`at`, and survive what goes wrong inside.

        A :class:`Fault` becomes its diagnostic. Any other exception is a surprise that hostile data or a bug caused:
        it becomes a diagnostic of code ``unexpected`` with the exception's type, text and innermost line. Only
        :class:`OutputError` passes.
        """
        depth = len(self._places)
        if place is not None:
            self._places.append(place)
            self._sources.append(source)
        try:
            yield
        except Fault as fault:
            self.add(fault.code, str(fault), **fault.data)
        except OutputError:
            raise  # every object that follows would meet the same
        except Exception as error:  # noqa: BLE001 - the one place that survives surprises, and reports them
            frame = traceback.extract_tb(error.__traceback__)[-1]
            line = f"{frame.filename.rsplit('/', 1)[-1]}:{frame.lineno}"
            text = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
            self.add(unexpected, text, exception=type(error).__name__, line=line)
            self.items[-1] = replace(self.items[-1], traceback=traceback.format_exc())
        finally:
            del self._places[depth:]
            del self._sources[depth:]

    def extend(self, items: list[Diagnostic]) -> None:
        """Take over diagnostics that were found while making something shared (a mesh decoded once, used twice)."""
        self.items.extend(items)

    def take(self, source: Source) -> Diagnostics:
        """Those about one object, taken out into a collection of their own."""
        taken = Diagnostics()
        taken.items = [item for item in self.items if item.source == source]
        self.items = [item for item in self.items if item.source != source]
        return taken

    def worst(self) -> Severity | None:
        """The gravest severity seen, or None."""
        order = (Severity.ERROR, Severity.WARNING, Severity.INFO)
        seen = {item.code.severity for item in self.items}
        return next((severity for severity in order if severity in seen), None)
