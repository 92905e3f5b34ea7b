"""Output paths: portable on every system, unique by case-folded path, never outside OUT."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Callable

from ..source import Source

MAX_BYTES = 200
SUFFIX_BYTES = 9  # "-" and eight hex digits
EXTENSION_BYTES = 5  # ".gltf"

_UNSAFE = re.compile(r'[<>:"|?*\\]')
_RESERVED = re.compile(r"(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\..*)?$", re.IGNORECASE)
_LIKE_A_FILE = re.compile(r"\.(glb|gltf|vrm|bin|png|jpg|webp|ktx2)$", re.IGNORECASE)
"""A folder of such a name would stand where another asset's file belongs."""
_LIKE_A_PART = re.compile(r"\.(?=(buffer|image)\d+$)", re.IGNORECASE)
"""``x.buffer1`` is left to the second buffer of the asset ``x``."""


class OutputNames:
    """Hands out paths. The first to ask for a path keeps it; others get ``-`` and 8 hex digits of their source."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def take(
        self,
        folder: str,
        wanted: str,
        source: Source,
        is_others: Callable[[str], bool] = lambda _: False,
        ending: str = "",
    ) -> str:
        """``folder/wanted`` with ``ending`` and without extension, made portable and unique. ``is_others``: whether a
        path, case-folded, is that of another asset that is not asked for now."""
        path = output_path(folder, wanted) + ending
        if path.casefold() in self._taken or is_others(path.casefold()):
            digest = source_digest(source)
            room = MAX_BYTES - len(folder) - 1 - EXTENSION_BYTES - SUFFIX_BYTES - len(ending)
            path = f"{folder}/{portable_path(wanted, room)}-{digest}{ending}"
            number = 2
            while path.casefold() in self._taken:
                path = f"{folder}/{portable_path(wanted, room - 4)}-{digest}-{number}{ending}"
                number += 1
        self._taken.add(path.casefold())
        return path


def output_path(folder: str, wanted: str) -> str:
    """``folder/wanted`` without extension, made portable; the path of an asset that no other wants."""
    return f"{folder}/{portable_path(wanted, MAX_BYTES - len(folder) - 1 - EXTENSION_BYTES)}"


def source_digest(source: Source) -> str:
    """8 hex digits of sha1(input:file:path_id)."""
    text = f"{source.input}:{source.file}:{source.path_id}"
    return hashlib.sha1(text.encode("utf-8", "surrogatepass"), usedforsecurity=False).hexdigest()[:8]


def portable_path(path: str, max_bytes: int) -> str:
    """A relative path that every system takes: no empty, dot or reserved parts, at most ``max_bytes`` of UTF-8."""
    parts = [portable_name(part) for part in path.replace("\\", "/").split("/") if part not in ("", ".", "..")]
    parts = [f"{part}_" if _LIKE_A_FILE.search(part) else part for part in parts[:-1]] + parts[-1:]
    return _LIKE_A_PART.sub("_", _cut("/".join(parts) or "_", max_bytes))


def portable_name(name: str) -> str:
    """Control, bidirectional and unsafe characters become ``_``, as do trailing dots and spaces."""
    text = "".join("_" if _is_control(char) else char for char in unicodedata.normalize("NFC", name))
    text = _UNSAFE.sub("_", text)
    kept = text.rstrip(". ")
    text = kept + "_" * (len(text) - len(kept)) if kept else "_"
    return f"_{text}" if _RESERVED.match(text) else text


def _is_control(char: str) -> bool:
    """Control (Cc), format (Cf: bidirectional marks and such), surrogates and private use, line separators."""
    return unicodedata.category(char) in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp")


def _cut(path: str, max_bytes: int) -> str:
    raw = path.encode("utf-8")
    if len(raw) <= max_bytes:
        return path
    cut = raw[:max_bytes].decode("utf-8", "ignore").rstrip(". /")
    return "/".join(part.rstrip(". ") or "_" for part in cut.split("/"))
