"""GameObjects with their Transforms and components, written in one go once all links are known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from . import typetree
from .values import GAME_OBJECT, TRANSFORM, pptr, vector
from .writer import FileBuilder

NO_LIGHTMAP = 0xFFFF


@dataclass(slots=True, eq=False)
class Item:
    """One GameObject: its path ids, local pose and links. ``components`` are (class id, path id)."""

    name: str
    game_object: int
    transform: int
    position: Sequence[float]
    rotation: Sequence[float]
    scale: Sequence[float]
    active: bool
    parent: Item | None
    children: list[Item] = field(default_factory=list)
    components: list[tuple[int, int]] = field(default_factory=list)


class Hierarchy:
    """Collects the GameObjects of one file. ``write`` adds them; components are added as they come."""

    def __init__(self, file: FileBuilder) -> None:
        self.file = file
        self.items: list[Item] = []

    def add(
        self,
        name: str,
        parent: Item | None = None,
        *,
        position: Sequence[float] = (0.0, 0.0, 0.0),
        rotation: Sequence[float] = (0.0, 0.0, 0.0, 1.0),
        scale: Sequence[float] = (1.0, 1.0, 1.0),
        active: bool = True,
    ) -> Item:
        """A GameObject under ``parent`` (None = a root) with its local pose: metres, xyzw quaternion."""
        game_object, transform = self.file.reserve(), self.file.reserve()
        item = Item(name, game_object, transform, position, rotation, scale, active, parent)
        self.items.append(item)
        if parent is not None:
            parent.children.append(item)
        return item

    def component(self, item: Item, class_id: int, fields: Mapping[str, Any]) -> int:
        """Add a component to a GameObject; m_GameObject, m_Enabled and "no lightmap" are filled in. Gives its path
        id."""
        filled: dict[str, Any] = {"m_GameObject": pptr(item.game_object)}
        usual = {"m_Enabled": True, "m_LightmapIndex": NO_LIGHTMAP, "m_LightmapIndexDynamic": NO_LIGHTMAP}
        filled |= {name: value for name, value in usual.items() if self.file.has_field(class_id, name)}
        path_id = self.file.add(class_id, filled | dict(fields))
        item.components.append((class_id, path_id))
        return path_id

    def write(self) -> None:
        """Add every GameObject and Transform to the file."""
        for item in self.items:
            self._write(item)

    def _write(self, item: Item) -> None:
        components = [(TRANSFORM, item.transform), *item.components]
        node = typetree.element(typetree.find(typetree.tree(GAME_OBJECT, self.file.version), "m_Component"))
        paired = node.m_Type == "pair"  # before 5.5 the list names each component's class
        self.file.add(
            GAME_OBJECT,
            {
                "m_Name": item.name,
                "m_IsActive": item.active,
                "m_Component": [
                    (class_id, pptr(path_id)) if paired else {"component": pptr(path_id)}
                    for class_id, path_id in components
                ],
            },
            item.game_object,
        )
        self.file.add(
            TRANSFORM,
            {
                "m_GameObject": pptr(item.game_object),
                "m_LocalPosition": vector(item.position),
                "m_LocalRotation": vector(item.rotation),
                "m_LocalScale": vector(item.scale),
                "m_Children": [pptr(child.transform) for child in item.children],
                "m_Father": pptr(item.parent.transform if item.parent else 0),
            },
            item.transform,
        )
