"""``--dry-run``: what a run would write, and about how much of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from .. import codes
from ..diagnostics import Diagnostics
from ..extract.content import ContentRoot
from ..options import Options
from ..source import Source
from .flow import Shard
from .inputs import open_inputs
from .plan import drawn_meshes, hierarchy_jobs


def forecast(inputs: Sequence[Path], options: Options, shard: Shard) -> Iterator[dict[str, Any]]:
    """Every hierarchy that would be written, with the bytes of its meshes as Unity stores them.

    Raises InputError for a path that does not exist.
    """
    for game in open_inputs(inputs, unity_version=options.unity_version):
        for root in game.roots:
            for job in hierarchy_jobs(root, options):
                meshes: set[Source] = set()
                with Diagnostics().guard(codes.ASSET_FAILED):  # a plan only; the run itself tells
                    meshes = drawn_meshes(job, root, options)
                if meshes and shard.has(job):
                    size = sum(_stored_bytes(root, mesh) for mesh in meshes)
                    yield {
                        "kind": job.kind,
                        "name": job.name,
                        "path": job.path,
                        "source": job.source.mark(),
                        "bytes": size,
                    }
            root.close()


def _stored_bytes(root: ContentRoot, mesh: Source) -> int:
    """Bytes of a mesh in its file, and in the resource file beside it."""
    size = 0
    with Diagnostics().guard(codes.ASSET_FAILED):
        size += root.size(mesh)
        size += int(root.peek(mesh, "m_StreamData", "size") or 0)
    return size
