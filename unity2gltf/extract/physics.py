"""Colliders and rigid bodies, with all their fields."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ..raw import RawPart
from ..source import Missing, Source
from .objects import expect_fields

if TYPE_CHECKING:
    from .content import ContentRoot, GameFile

PHYSICS = (
    "BoxCollider",
    "SphereCollider",
    "CapsuleCollider",
    "MeshCollider",
    "TerrainCollider",
    "WheelCollider",
    "CharacterController",
    "Rigidbody",
)
"""The classes that ``--extras colliders`` keeps."""


def read_part(root: ContentRoot, source: Source) -> RawPart:
    """The component by Unity's names, less where it belongs. Raises Fault."""
    file = root.file(source)
    with expect_fields(source):
        fields = root.read(source)
        return RawPart(
            source=source,
            fields={key: _plain(root, file, value) for key, value in fields.items() if key != "m_GameObject"},
        )


def _plain(root: ContentRoot, file: GameFile, value: Any) -> Any:
    """As JSON has it: a reference is the mark of what it leads to (or says what is missing), a bit field its bits."""
    if isinstance(value, Mapping):
        if value.keys() == {"m_FileID", "m_PathID"}:
            return _mark(root, file, value)
        if value.keys() == {"m_Bits"}:
            return value["m_Bits"]
        return {key: _plain(root, file, inner) for key, inner in value.items()}
    return value


def _mark(root: ContentRoot, file: GameFile, pointer: Mapping[str, int]) -> dict[str, str] | None:
    target = root.resolve(file, pointer)
    if isinstance(target, Missing):
        return {"file": target.file, "path_id": str(target.path_id), "missing": target.reason}
    return target.mark() if isinstance(target, Source) else None
