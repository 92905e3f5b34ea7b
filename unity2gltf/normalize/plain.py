"""Stored values for ``extras``: as JSON has them, by names in small letters."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any

_WORD = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def snake_case(name: str) -> str:
    """Unity's m_IsTrigger is ``is_trigger``."""
    return _WORD.sub("_", name.removeprefix("m_")).lower()


def plain_json(value: Any) -> Any:
    """Dicts, lists, texts and numbers. JSON has no infinity and no NaN: null stands for them."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {snake_case(str(key)): plain_json(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [plain_json(inner) for inner in value]
    return value if isinstance(value, bool | int | str | None) else str(value)
