"""Blend trees of an AnimatorController's states: which clips a state plays, and where in its tree."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ..codes import CONTROLLER_INVALID
from ..diagnostics import Diagnostics
from ..raw import RawMotion
from ..source import Reference
from .objects import Fields, inner

NONE = 0xFFFFFFFF
"""No clip (of a node with children), no parameter (of a leaf)."""

TYPES = ("1D", "2D simple directional", "2D freeform directional", "2D freeform cartesian", "direct")
"""m_BlendType; before 4.1 every tree is 1D."""

DEEPEST = 64
"""Levels of a blend tree that are followed."""


class Trees:
    """Reads the trees of one controller: ``tos`` names its hashes, ``clips`` is its m_AnimationClips in order."""

    def __init__(self, tos: Mapping[int, str], clips: tuple[Reference, ...], diagnostics: Diagnostics) -> None:
        self.diagnostics = diagnostics
        self._tos = tos
        self._clips = clips
        self._leaves_fit = True

    def name(self, hash_: int) -> str:
        return self._tos.get(hash_, f"#{hash_}")

    def report(self, message: str, **data: Any) -> None:
        self.diagnostics.add(CONTROLLER_INVALID, message, **data)

    def number(self, value: float, default: float = 0.0) -> float:
        """A number that JSON can hold; another is reported and replaced."""
        if math.isfinite(value):
            return float(value)
        self.report("a number of a controller is not finite", value=float(value))
        return default

    def check_leaves(self, states: Iterable[Fields]) -> None:
        """To 5.1 each state lists the ids of its leaves and where their clips start. That these ranges fill the list of
        clips without gap or overlap is what shows that they are meant so; otherwise no state gets a clip."""
        spans = sorted(
            (int(leaf["m_IndexOffset"]), int(leaf["m_IndexOffset"]) + len(leaf["m_IDArray"]))
            for state in states
            for leaf in state.get("m_LeafInfoArray", ())
            if len(leaf["m_IDArray"])
        )
        stop = 0
        for start, end in spans:
            self._leaves_fit &= start == stop
            stop = end
        if not (self._leaves_fit and (not spans or stop == len(self._clips))):
            self._leaves_fit = False
            self.report("the leaves of the states do not fit the list of clips; no state is given a clip")

    def motions(self, state: Fields, motion_set: int) -> Iterator[RawMotion]:
        """The clips that a state plays in a motion set, in the order of the tree; none for an empty state."""
        indices = state["m_BlendTreeConstantIndexArray"]
        if not motion_set < len(indices):
            self.report("a layer plays a motion set that a state has not", motion_set=motion_set)
            return
        index = int(indices[motion_set])
        if index < 0:
            return
        trees = state["m_BlendTreeConstantArray"]
        if index >= len(trees):
            self.report("a state plays a blend tree that is not there", tree=index)
            return
        nodes = [inner(node) for node in inner(trees[index])["m_NodeArray"]]
        leaves = state.get("m_LeafInfoArray")
        if leaves is not None and not motion_set < len(leaves):
            self.report("a layer plays a motion set whose leaves a state does not list", motion_set=motion_set)
            return
        yield from self._leaves(nodes, None if leaves is None else leaves[motion_set])

    def _leaves(self, nodes: list[Fields], leaf: Fields | None) -> Iterator[RawMotion]:
        """Depth first from node 0; a node is visited once, so that a ring or a shared child ends."""
        pending: list[tuple[int, tuple[Fields, ...]]] = [(0, ())]
        seen: set[int] = set()
        while pending:
            number, chain = pending.pop()
            if number >= len(nodes) or number in seen or len(chain) > DEEPEST:
                if nodes:
                    self.report("a blend tree names a child that is not there, is another's, or too deep", child=number)
                continue
            seen.add(number)
            node = nodes[number]
            children = node["m_ChildIndices"].tolist()
            if children:
                places = self._places(node, len(children))
                below = [(child, (*chain, place)) for child, place in zip(children, places, strict=True)]
                pending += reversed(below)
            else:
                yield from self._motion(node, leaf, chain)

    def _motion(self, node: Fields, leaf: Fields | None, chain: tuple[Fields, ...]) -> Iterator[RawMotion]:
        id_ = int(node["m_ClipID"])
        if id_ == NONE or not self._leaves_fit:
            return
        if leaf is not None:
            ids = leaf["m_IDArray"].tolist()
            index = int(leaf["m_IndexOffset"]) + ids.index(id_) if id_ in ids else len(self._clips)
        else:
            index = id_
        if index >= len(self._clips):
            self.report("a state plays a clip that the controller does not list", clip=id_, clips=len(self._clips))
        elif self._clips[index] is not None:
            yield RawMotion(clip=self._clips[index], blend=self._blend(node, chain))

    def _places(self, node: Fields, count: int) -> list[Fields]:
        """Where in the node each child lies, as far as the node tells."""
        type_ = int(node.get("m_BlendType", 0))
        kind = TYPES[type_] if type_ < len(TYPES) else str(type_)
        names = [int(node.get(name, NONE)) for name in ("m_BlendEventID", "m_BlendEventYID")]
        used = names[:1] if kind == "1D" else names if kind.startswith("2D") else []
        common = {"type": kind, "parameters": [self.name(name) for name in used if name != NONE]}
        own = self._child_values(node, kind)
        if own and len(own) != count:
            self.report("a blend tree has not one place for each child", children=count, places=len(own))
        return [common | (own[child] if child < len(own) else {}) for child in range(count)]

    def _child_values(self, node: Fields, kind: str) -> list[dict[str, Any]]:
        if kind == "1D":
            data = inner(node["m_Blend1dData"]) if "m_Blend1dData" in node else node  # before 4.1
            return [{"threshold": self.number(value)} for value in data["m_ChildThresholdArray"].tolist()]
        if kind == "direct":
            data = inner(node["m_BlendDirectData"])
            return [{"parameter": self.name(hash_)} for hash_ in data["m_ChildBlendEventIDArray"].tolist()]
        if kind.startswith("2D"):
            places = inner(node["m_Blend2dData"])["m_ChildPositionArray"].tolist()
            return [{"position": [self.number(x), self.number(y)]} for x, y in places]
        return []

    def _blend(self, node: Fields, chain: tuple[Fields, ...]) -> dict[str, Any]:
        if not chain:
            return {}
        return {
            "tree": list(chain),
            "duration": self.number(node["m_Duration"]),
            "cycle_offset": self.number(node.get("m_CycleOffset", 0.0)),
            "mirror": bool(node.get("m_Mirror", False)),
        }
