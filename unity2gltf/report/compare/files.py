"""Two written files: whether they are the same, and which of their parts are not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ...errors import Unity2GltfError
from ...evaluate.document import Gltf
from ...evaluate.glb import output_root, read_gltf
from .data import Data, say_difference
from .parts import Fields, named_parts

Json = dict[str, Any]


def compare_files(old: Path, new: Path) -> Json | None:
    """None where both are the same with what they refer to, else ``{"bytes": [old, new], "parts": [..]}``, or
    ``"error"`` instead where one cannot be read.

    A part: ``{"part": 'mesh "Body"', "field": "primitives/0/..", "what": added | gone | changed, "old", "new",
    "note"}``, the values only where they are short and the note only for accessors and images. No parts: the bytes
    differ, and what they hold does not.
    """
    try:
        before, after = old.read_bytes(), new.read_bytes()
    except OSError as error:
        return {"bytes": [_size(old), _size(new)], "error": f"{error.filename}: {error.strerror}"}
    except ValueError as error:  # no file can have such a name
        return {"bytes": [None, None], "error": str(error)}
    if before == after and not _refers(before):
        return None
    found: Json = {"bytes": [len(before), len(after)]}
    try:
        parts = list(_compare(read_gltf(old, output_root(old)), read_gltf(new, output_root(new))))
    except (Unity2GltfError, OSError) as error:
        return found | {"error": str(error)}
    except (LookupError, TypeError, ValueError, AttributeError, RecursionError) as error:
        return found | {"error": f"one of them is no glTF ({type(error).__name__}: {error})"}
    return None if before == after and not parts else found | {"parts": parts}


def _size(path: Path) -> int | None:
    return path.stat().st_size if path.is_file() else None


def _refers(data: bytes) -> bool:
    """Whether a file names others: a URI in its JSON."""
    head = data[20 : 20 + int.from_bytes(data[12:16], "little")] if data[:4] == b"glTF" else data
    return b'"uri"' in head


def _compare(old: Gltf, new: Gltf) -> list[Json]:
    before, after = named_parts(old), named_parts(new)
    found: list[Json] = []
    for part in [*before, *(part for part in after if part not in before)]:
        if part not in after or part not in before:
            found.append({"part": part, "what": "gone" if part in before else "added"})
        else:
            found += (_field(part, *item, old, new) for item in _unlike(before[part], after[part]))
    return found


_ABSENT = object()


def _unlike(before: Fields, after: Fields) -> list[tuple[str, Any, Any]]:
    fields = [*before, *(field for field in after if field not in before)]
    values = ((field, before.get(field, _ABSENT), after.get(field, _ABSENT)) for field in fields)
    return [(field, one, other) for field, one, other in values if one is _ABSENT or other is _ABSENT or one != other]


def _field(part: str, field: str, one: Any, other: Any, old: Gltf, new: Gltf) -> Json:
    found: Json = {"part": part, "field": field, "what": "changed"}
    if one is _ABSENT or other is _ABSENT:
        value, found["what"] = (other, "added") if one is _ABSENT else (one, "gone")
        return found | {"new" if one is _ABSENT else "old": _plain(value)}
    if isinstance(one, Data) and isinstance(other, Data):
        return found | {"note": say_difference(old, one, new, other)}
    return found | {"old": _plain(one), "new": _plain(other)}


def _plain(value: Any) -> Any:
    return value.about if isinstance(value, Data) else value
