"""Images in files of their own that all outputs of a run refer to (``--shared-textures``)."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from pathlib import PurePath

from ..ir import Image
from .contract import IMAGE_SUFFIXES

FOLDER = "textures"
"""Below OUT."""

_NAME_BYTES = 120  # of UTF-8; with hash and suffix well below what file systems take
_UNSAFE = re.compile(r'[<>:"|?*\\/]')


def shared_prefix(output: PurePath) -> str:
    """What a URI of a shared image begins with in the file ``output`` (relative to OUT): ``../textures/``."""
    return "../" * len(output.parent.parts) + f"{FOLDER}/"


def shared_name(image: Image) -> str:
    """The image's name made portable, 8 hex digits of sha1 of its bytes, and the suffix of its format."""
    digest = hashlib.sha1(image.data, usedforsecurity=False).hexdigest()[:8]
    return f"{_portable(image.name)}-{digest}.{IMAGE_SUFFIXES[image.mime]}"


def _portable(name: str) -> str:
    """Without separators, control, formatting and private characters, spaces or dots in front."""
    kept = (
        "_" if unicodedata.category(char)[0] in "CZ" and char != " " else char
        for char in unicodedata.normalize("NFC", name)
    )
    text = _UNSAFE.sub("_", "".join(kept)).strip(" .")
    return text.encode("utf-8")[:_NAME_BYTES].decode("utf-8", "ignore") or "image"
