"""One line for every Unity object that a user would look for: where it went, or why it went nowhere."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from ..codes import OBJECT_UNREADABLE
from ..diagnostics import Diagnostic, Diagnostics, Severity
from ..extract.content import ContentRoot
from ..pipeline import AssetResult
from ..source import Source
from .outcome import ContentResult

TYPES = ("Mesh", "SkinnedMeshRenderer", "Material", "Texture2D", "AnimationClip", "Avatar")

UNUSED = {
    "Mesh": "left out by --include or --name",
    "SkinnedMeshRenderer": "in no hierarchy that was written",
    "Material": "no written primitive uses it",
    "Texture2D": "no written material uses it",
    "AnimationClip": "its rig is in no hierarchy that was written, or --clips none",
    "Avatar": "no written rig is humanoid by it, and no optimised hierarchy needed it",
}


def listed_objects(root: ContentRoot) -> Iterator[tuple[Source, str]]:
    """Every object of a root that the report lists, with its name."""
    for file in root.files:
        for kind in TYPES:
            yield from ((source, component_name(root, source)) for source in file.sources(kind))


def list_contents(
    objects: Iterable[tuple[Source, str]],
    unread: Iterable[tuple[Source, str]],
    assets: Iterable[AssetResult],
    other: Iterable[Diagnostic],
    left: Mapping[Source, str],
    beside: Iterable[AssetResult] = (),
) -> list[ContentResult]:
    """What became of the ``objects`` of one root, and of those of files without a version (``unread``, with the
    reason). ``other``: diagnostics of hierarchies that were not written; ``left``: clips that no rig takes, and why;
    ``beside``: side files, each with what its object lost elsewhere."""
    outputs: dict[Source, list[str]] = defaultdict(list)
    about: dict[Source, list[Diagnostic]] = defaultdict(list)
    for asset in assets:
        for source in asset.uses:
            if asset.output is not None:
                outputs[source].append(asset.output)
        for diagnostic in asset.diagnostics:
            if diagnostic.source is not None:
                about[diagnostic.source].append(diagnostic)
    for diagnostic in other:
        if diagnostic.source is not None:
            about[diagnostic.source].append(diagnostic)
    files: dict[Source, list[str]] = defaultdict(list)
    for side in beside:
        files[side.source] += side.files
    failed = [
        ContentResult(source=source, name="", status="failed", reason=reason)
        for source, reason in unread
        if source.type in TYPES
    ]
    return failed + [
        replace(
            _content(source, name, sorted(set(outputs.get(source, ()))), about.get(source, []), left.get(source)),
            files=tuple(sorted(files.get(source, ()))),
        )
        for source, name in objects
    ]


def _content(source: Source, name: str, outputs: list[str], about: list[Diagnostic], left: str | None) -> ContentResult:
    severities = {diagnostic.code.severity for diagnostic in about}
    reason = None
    if outputs:
        status = "lossy" if severities - {Severity.INFO} else "exact"
    elif Severity.ERROR in severities:
        status = "failed"
        reason = next(d.message for d in about if d.code.severity is Severity.ERROR)
    else:
        status = "skipped"
        gravest = next((d.message for d in about if d.code.severity is Severity.WARNING), None)
        reason = gravest or left or (about[0].message if about else UNUSED[source.type])
    return ContentResult(source=source, name=name, status=status, assets=tuple(outputs), reason=reason)


def component_name(root: ContentRoot, source: Source) -> str:
    """The object's name; a component has its GameObject's."""
    with Diagnostics().guard(OBJECT_UNREADABLE):  # a name is all that is lost, and the reading itself was reported
        pointer = root.peek(source, "m_GameObject")
        owner = None if pointer is None else root.resolve(root.file(source), pointer)
        if isinstance(owner, Source):
            return root.name(owner)
    return root.name(source)
