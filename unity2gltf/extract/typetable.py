"""The types of a SerializedFile: class ids, each with its type tree or the place where that lies."""

from __future__ import annotations

from typing import TypeAlias

from ..codes import INPUT_CORRUPT
from ..diagnostics import Fault
from .cursor import Cursor
from .readers import MAX_DEPTH
from .trees import TreeNode, build_tree

Tree: TypeAlias = tuple[int, int] | TreeNode | None
"""A type's tree: (offset, size) of its blob in the file, or parsed (formats 7 to 9 and 11), or absent."""


def read_types(cursor: Cursor, format_: int, has_trees: bool) -> tuple[list[int], dict[int, Tree]]:
    """Class ids in order, and trees by what objects name their type by: its number, before format 16 its class id."""
    classes: list[int] = []
    trees: dict[int, Tree] = {}
    for number in range(cursor.count(4, "types")):
        class_id, tree = _read_type(cursor, format_, has_trees)
        classes.append(class_id)
        trees[number if format_ >= 16 else class_id] = tree
    return classes, trees


def _read_type(cursor: Cursor, format_: int, has_trees: bool) -> tuple[int, Tree]:
    class_id = cursor.i32()
    if format_ >= 16:
        cursor.skip(1)
    if format_ >= 17:
        cursor.skip(2)
    if format_ >= 13:
        scripted = class_id == 114 if format_ >= 16 else class_id < 0
        cursor.skip(32 if scripted else 16)
    if not has_trees:
        return class_id, None
    tree: Tree = None
    size = None
    if format_ >= 23:
        cursor.skip(16)
        size = cursor.i32()
    if format_ >= 12 or format_ == 10:
        if size != 0:
            tree = _blob_range(cursor, format_)
    else:
        tree = _nested_tree(cursor)
    if format_ >= 21:
        cursor.skip(4 * cursor.count(4, "type dependencies"))
    return class_id, tree


def _blob_range(cursor: Cursor, format_: int) -> tuple[int, int]:
    start = cursor.position
    if format_ >= 23:
        cursor.skip(8)
    nodes = cursor.i32()
    strings = cursor.i32()
    if nodes < 0 or strings < 0:
        raise Fault(INPUT_CORRUPT, "a type tree has a negative size", nodes=nodes, strings=strings)
    cursor.skip(nodes * (32 if format_ >= 19 else 24) + strings)
    return start, cursor.position - start


def _nested_tree(cursor: Cursor) -> TreeNode:
    """A tree of formats 7 to 9 and 11: nodes one after the other, each with its number of children."""
    nodes: list[tuple[int, TreeNode]] = []
    pending = [1]
    while pending:
        if pending[-1] == 0:
            pending.pop()
            continue
        pending[-1] -= 1
        kind, name = cursor.text(), cursor.text()
        cursor.skip(16)
        nodes.append((len(pending) - 1, TreeNode(kind, name, cursor.i32())))
        pending.append(cursor.count(26, "type tree nodes"))
        if len(pending) > MAX_DEPTH:
            raise Fault(INPUT_CORRUPT, "a type tree is nested too deeply", depth=len(pending))
    return build_tree(nodes)
