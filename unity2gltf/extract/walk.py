"""Which files there are, and what each one is by its first bytes."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ..codes import INPUT_TRUNCATED, INPUT_UNREADABLE
from ..diagnostics import Diagnostics, Fault
from .codecs import gunzip, readable, unbrotli
from .serialized import read_header

HEAD = 512
"""Bytes that are enough to recognise any file."""

ARCHIVES = frozenset(("web", "zip"))
MAX_DEPTH = 4
"""Wrappers (gzip, brotli) and archives within each other."""

_MAGIC: tuple[tuple[bytes, str], ...] = (
    (b"\x89PNG", "an image"),
    (b"\xff\xd8\xff", "an image"),
    (b"GIF8", "an image"),
    (b"BM", "an image"),
    (b"8BPS", "an image"),
    (b"DDS ", "an image"),
    (b"\x00\x00\x01\x00", "an image"),
    (b"OggS", "audio"),
    (b"ID3", "audio"),
    (b"fLaC", "audio"),
    (b"FSB5", "audio"),
    (b"RIFF", "audio, video or an image"),
    (b"\x1aE\xdf\xa3", "video"),
    (b"7z\xbc\xaf\x27\x1c", "an archive that is not read (7z)"),
    (b"Rar!", "an archive that is not read (rar)"),
    (b"\xfd7zXZ\x00", "an archive that is not read (xz)"),
    (b"BZh", "an archive that is not read (bzip2)"),
    (b"\x28\xb5\x2f\xfd", "an archive that is not read (zstd)"),
    (b"MZ", "a program"),
    (b"\x7fELF", "a program"),
    (b"\xcf\xfa\xed\xfe", "a program"),
    (b"\xca\xfe\xba\xbe", "a program"),
    (b"\x00asm", "a program"),
    (b"\xaf\x1b\xb1\xfa", "IL2CPP metadata"),
    (b"%PDF", "a document"),
)
_OTHER_BUNDLE = re.compile(rb"(?s)([!-~]{3,16})\0.{4}[0-9]\.x\.x\0[0-9]+\.[0-9]+\.")
"""A bundle's header after a signature that is not Unity's."""
_BUNDLES = (".bundle", ".unity3d", ".assetbundle", ".ab")
_PART = re.compile(r"(.+)\.split(\d+)")
_RESOURCE = re.compile(r"(.+)\.(?:resS|resource)", re.IGNORECASE)


@dataclass(slots=True)
class InputFile:
    """A file of the input as it lies on disk. ``status``: ``read``, ``skipped`` or ``failed``, with the reason."""

    path: str
    size: int
    disk: Path
    status: str
    reason: str | None = None
    mtime: int = 0  # nanoseconds

    @property
    def sha256(self) -> str | None:
        """Hash of the contents, read anew; None for what is no regular file (a pipe never ends) or cannot be read."""
        try:
            if not self.disk.is_file():
                return None
            with self.disk.open("rb") as stream:
                return hashlib.file_digest(stream, "sha256").hexdigest()
        except OSError:
            return None

    def fail(self, reason: str) -> None:
        self.status, self.reason = "failed", reason


@dataclass(frozen=True, slots=True)
class Found:
    """A file to be looked into, parts joined. ``kind``: bundle, serialized, web, zip, or None for plain data."""

    path: str
    disk: tuple[Path, ...]
    kind: str | None


def recognise(head: memoryview, size: int, name: str, depth: int = 0) -> tuple[str | None, str]:
    """(kind, "") of Unity content, or (None, why it is none) from a file's first :data:`HEAD` bytes."""
    raw = bytes(head[:HEAD])
    if raw.startswith((b"UnityFS\0", b"UnityWeb\0", b"UnityRaw\0")):
        return "bundle", ""
    if raw.startswith((b"UnityWebData", b"TuanjieWebData")):
        return "web", ""
    if raw.startswith(b"PK\x03\x04"):
        return "zip", ""
    if raw.startswith(b"UnityArchive\0"):
        return None, "a UnityArchive, which is not read"
    if read_header(head, size) is not None:
        return "serialized", ""
    wrapper = wrapped(head, name)
    if wrapper and depth < MAX_DEPTH:
        kind, _ = _recognise_wrapped(head, wrapper, name, depth)
        return kind, "" if kind else f"{wrapper} data that holds no Unity content"
    return None, _describe(raw, size, name)


def wrapped(head: memoryview, name: str) -> str | None:
    """``gzip`` or ``brotli``. Brotli has no signature: Unity's comment or the file's extension tells."""
    if bytes(head[:2]) == b"\x1f\x8b":
        return "gzip"
    if b"UnityWeb Compressed Content (brotli)" in bytes(head[:64]) or name.lower().endswith(".br"):
        return "brotli"
    return None


def _recognise_wrapped(head: memoryview, wrapper: str, name: str, depth: int) -> tuple[str | None, str]:
    try:
        inner = gunzip(head, HEAD) if wrapper == "gzip" else unbrotli(head, HEAD)
    except Fault:
        return None, ""
    stem = name.rsplit(".", 1)[0] if name.lower().endswith(".br") else name
    return recognise(memoryview(inner), 1 << 62, stem, depth + 1)


def _describe(raw: bytes, size: int, name: str) -> str:
    if size == 0:
        return "empty"
    other = _OTHER_BUNDLE.match(raw)
    if other:
        return f"a bundle of signature {str(other[1], 'ascii')}, which is not Unity's: it is probably encrypted"
    owner = _RESOURCE.fullmatch(name)
    if owner:
        return f"resource data of {owner[1]}"
    for magic, text in _MAGIC:
        if raw.startswith(magic):
            return text
    if raw[4:8] == b"ftyp":
        return "video"
    try:
        text = raw[: max(len(raw) - 4, 1)].decode("utf-8")
    except UnicodeDecodeError:
        text = "\0"
    if text.isprintable() or not set(text) & set(map(chr, range(9))):
        return "text"
    if name.lower().endswith(_BUNDLES):
        return "unknown binary data; as a bundle it would be encrypted or damaged"
    return "unknown binary data"


# --- the disk -----------------------------------------------------------------------------------------------------


def list_files(folder: Path, diagnostics: Diagnostics, without: Path | None = None) -> Iterator[Path]:
    """Every file below ``folder``, sorted by path. Links are followed, but no folder is entered twice, and ``without``
    (the output folder) not at all."""
    seen: set[tuple[int, int]] = set()
    if without is not None and without.is_dir():
        stat = without.stat()
        seen.add((stat.st_dev, stat.st_ino))
    pending = [folder]
    while pending:
        current = pending.pop()
        try:
            stat = current.stat()
            if (stat.st_dev, stat.st_ino) in seen:
                continue
            seen.add((stat.st_dev, stat.st_ino))
            entries = sorted(os.scandir(current), key=lambda entry: entry.name)
        except OSError as error:
            diagnostics.add(INPUT_UNREADABLE, f"folder {current.name} cannot be listed: {error.strerror}")
            continue
        pending += [Path(entry.path) for entry in reversed(entries) if _is_folder(entry)]
        yield from (Path(entry.path) for entry in entries if not _is_folder(entry))


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False


def look(
    paths: Iterator[Path], base: Path, diagnostics: Diagnostics, label: str = ""
) -> tuple[list[InputFile], list[Found]]:
    """Recognise each file, and join ``x.split0``, ``x.split1`` .. to ``x``. Paths are relative to ``base``, below
    ``label``."""
    inputs: list[InputFile] = []
    found: list[Found] = []
    parts: dict[Path, dict[int, InputFile]] = {}
    for disk in paths:
        match = _PART.fullmatch(disk.name)
        item = InputFile(label + readable(disk.relative_to(base).as_posix()), 0, disk, "read")
        inputs.append(item)
        kind = None
        with diagnostics.guard(INPUT_UNREADABLE, item.path):
            kind = _look_at(item)
        if item.status == "failed":
            diagnostics.add(INPUT_UNREADABLE, f"{item.path} cannot be read: {item.reason}")
        elif match:
            parts.setdefault(disk.with_name(match[1]), {})[int(match[2])] = item
        else:
            found.append(Found(item.path, (disk,), kind))
    found += [
        joined
        for whole, items in parts.items()
        for joined in _join(whole, label + readable(whole.relative_to(base).as_posix()), items, diagnostics)
    ]
    inputs.sort(key=lambda item: item.path)
    found.sort(key=lambda file: file.path)
    return inputs, found


def _look_at(item: InputFile) -> str | None:
    try:
        stat = item.disk.stat()
        item.size, item.mtime = stat.st_size, stat.st_mtime_ns
        if not item.disk.is_file():
            item.status, item.reason = "skipped", "not a regular file"
            return None
        with item.disk.open("rb") as stream:
            head = stream.read(1 << 16 if item.disk.suffix == ".br" else 4096)
    except OSError as error:
        item.fail(error.strerror or str(error))
        return None
    kind, reason = recognise(memoryview(head), item.size, item.disk.name)
    if kind is None:
        item.status, item.reason = "skipped", reason
    return kind


def _join(whole: Path, path: str, items: dict[int, InputFile], diagnostics: Diagnostics) -> Iterator[Found]:
    kind = None
    if sorted(items) != list(range(len(items))):
        diagnostics.add(INPUT_TRUNCATED, f"parts of {path} are missing", parts=sorted(items))
        for item in items.values():
            item.fail(f"other parts of {path} are missing")
        return
    with diagnostics.guard(INPUT_UNREADABLE, path), items[0].disk.open("rb") as stream:
        size = sum(item.size for item in items.values())
        kind, reason = recognise(memoryview(stream.read(4096)), size, whole.name)
        for item in items.values():
            item.status = "read" if kind else "skipped"
            item.reason = f"part of {path}" if kind else reason
        yield Found(path, tuple(items[number].disk for number in sorted(items)), kind)
