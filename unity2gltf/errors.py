"""The errors a caller may see. Everything below derives from :class:`Unity2GltfError`."""

from __future__ import annotations


class Unity2GltfError(Exception):
    """Base of every error this package raises on purpose; its text is one sentence for a user."""


class UsageError(Unity2GltfError):
    """The caller asked for something that makes no sense (exit code 2)."""


class InputError(Unity2GltfError):
    """A path does not exist or holds nothing that can be converted (exit code 3)."""


class OutputError(Unity2GltfError):
    """The output folder takes no more files (full, read-only): the run ends, whatever is left to do (exit code 1)."""
