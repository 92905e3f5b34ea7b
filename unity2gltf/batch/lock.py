"""One process an OUT: a lock on a file, which the system frees when the process ends, however it ends."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ..errors import OutputError, UsageError


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold ``folder``. Raises UsageError when another process has it, OutputError where no file can be made."""
    path = folder / "lock"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
    except OSError as error:
        raise OutputError(f"{path} cannot be written: {error.strerror}") from error
    try:
        if not _lock(handle):
            raise UsageError(f"another run is writing to {folder.parent}: wait for it, or give another --out")
        yield
    finally:
        os.close(handle)


def _lock(handle: int) -> bool:
    try:
        import fcntl
    except ImportError:
        return _lock_on_windows(handle)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _lock_on_windows(handle: int) -> bool:
    import msvcrt

    try:
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]  # there on Windows only
    except OSError:
        return False
    return True
