"""What an AssetBundle object says about the bundle's files."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..source import Source

if TYPE_CHECKING:
    from .content import ContentRoot

_FIELDS = frozenset(("m_Container", "m_IsStreamedSceneAssetBundle", "m_SceneHashes"))


@dataclass(frozen=True, slots=True)
class BundleInfo:
    """``container``: first stored path of each object of the file; ``paths``: all paths in stored order;
    ``scene_hashes``: scene path to the name of its file; ``scenes``: the bundle holds scenes."""

    container: dict[int, str]
    paths: tuple[str, ...]
    scenes: bool
    scene_hashes: dict[str, str]


def read_bundle_info(root: ContentRoot, source: Source) -> BundleInfo:
    """Read an AssetBundle object; raises :class:`diagnostics.Fault` if it is corrupt."""
    fields = root.read(source, _FIELDS)
    container: dict[int, str] = {}
    paths = []
    for path, info in fields.get("m_Container", ()):
        paths.append(path)
        pointer = info["asset"]
        if pointer["m_FileID"] == 0 and pointer["m_PathID"]:
            container.setdefault(pointer["m_PathID"], path)
    hashes = dict(fields.get("m_SceneHashes", ()))
    return BundleInfo(container, tuple(paths), bool(fields.get("m_IsStreamedSceneAssetBundle", False)), hashes)
