"""Which rig gets a clip that no controller and no Animation component names."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from .. import codes
from ..diagnostics import Diagnostics
from ..extract.content import ContentRoot
from ..normalize.clips.bindings import resolved_share
from ..normalize.clips.decoded import DecodedClip
from ..normalize.content import Library
from ..normalize.humanoid.body import Body
from ..options import Options
from ..source import Source
from .contents import component_name
from .rigs import Candidate, candidates

NO_RIG = "no rig of its file has a human avatar"
ENOUGH = 0.9
"""The share of a clip's curves that a rig must have to get the clip unasked."""


@dataclass(slots=True)
class ClipPlan:
    """``more``: clips by the GameObject of the rig they were matched with; ``left``: why the others went nowhere;
    ``muscles``: humanoid ones among these, whose muscles are kept, with that reason."""

    more: dict[Source, list[Source]] = field(default_factory=lambda: defaultdict(list))
    left: dict[Source, str] = field(default_factory=dict)
    muscles: dict[Source, str] = field(default_factory=dict)


def match_clips(root: ContentRoot, library: Library, options: Options, diagnostics: Diagnostics) -> ClipPlan:
    """Match every clip of ``root`` that nothing names with the rigs of its own file: the one that resolves most of its
    curves, at least :data:`ENOUGH`, ties by path id; with ``--clips all-rigs`` every one that resolves as many."""
    plan = ClipPlan()
    if options.clips == "none":
        return plan
    named: dict[Source, str] = {}
    for clip, owner in _named_clips(root, library, diagnostics):
        named.setdefault(clip, f"it belongs to {owner!r}, which was not written (--clips library writes clips alone)")
    plan.left.update(named)
    for file in root.files:
        free = [clip for clip in file.sources("AnimationClip") if clip not in named]
        if free:
            rigs = list(candidates(root, file, library, diagnostics))
            for source in free:
                _match(source, rigs, library, options, plan)
    return plan


def _match(
    source: Source,
    rigs: list[Candidate],
    library: Library,
    options: Options,
    plan: ClipPlan,
) -> None:
    """Give one clip to a rig, or say why none gets it."""
    decoded = library.clip(source, Diagnostics())  # reported where the clip is used, or as its own reason
    if decoded is None:
        plan.left[source] = "the clip could not be decoded"
        return
    if not decoded.curves and decoded.kind != "humanoid":
        plan.left[source] = "the clip has no curves"
        return
    shares = ranked(decoded, rigs, library)
    good = [candidate for share, candidate in shares if share >= ENOUGH]
    for candidate in good if options.clips == "all-rigs" else good[:1]:
        plan.more[candidate.game_object].append(source)
    if not good:
        best = f"the best is {shares[0][1].name!r} with {shares[0][0]:.0%}" if shares else "it has none"
        plan.left[source] = f"no rig of its file resolves {ENOUGH:.0%} of its curves; {best}"
        if decoded.kind == "humanoid":
            reason = NO_RIG if all(candidate.body is None for candidate in rigs) else plan.left[source]
            plan.left[source] = plan.muscles[source] = reason


def ranked(clip: DecodedClip, rigs: list[Candidate], library: Library) -> list[tuple[float, Candidate]]:
    """Rigs by the share of the clip's curves that they resolve, most first; then those whose avatar fits a humanoid
    clip best; ties by path id. Muscles are resolved by every human avatar, and by no other rig."""
    shares = [(_share(clip, candidate), candidate) for candidate in rigs]
    misfits = _misfits(clip, [candidate.body for share, candidate in shares if share >= ENOUGH], library)

    def order(pair: tuple[float, Candidate]) -> tuple[float, float, Source]:
        share, candidate = pair
        misfit = 0.0 if candidate.body is None else misfits.get(candidate.body.source, 0.0)
        return -share, misfit, candidate.game_object

    return sorted(shares, key=order)


def _share(clip: DecodedClip, candidate: Candidate) -> float:
    if clip.kind != "humanoid":
        return resolved_share(clip, candidate.rig)
    if candidate.body is None:
        return 0.0
    others, muscles = len(clip.curves), len(clip.muscles) + len(clip.lost_muscles)
    return (resolved_share(clip, candidate.rig) * others + muscles) / (others + muscles)


def _misfits(clip: DecodedClip, bodies: Iterable[Body | None], library: Library) -> dict[Source, float]:
    """How badly each avatar fits a humanoid clip; nothing where there is no choice."""
    distinct = {body.source: body for body in bodies if body is not None}
    if clip.kind != "humanoid" or len(distinct) < 2:
        return {}
    return {source: library.misfit(body, clip) for source, body in distinct.items()}


def _named_clips(root: ContentRoot, library: Library, diagnostics: Diagnostics) -> Iterator[tuple[Source, str]]:
    """Clips that an Animator's controller or an Animation component of this root names, with its object's name."""
    for source in root.objects("Animator"):
        with diagnostics.guard(codes.CLIP_UNREADABLE, source.place(""), source):
            pointer = root.read(source, frozenset({"m_Controller"})).get("m_Controller")
            reference = root.resolve(root.file(source), pointer) if pointer is not None else None
            controller = library.controller(reference, Diagnostics()) if isinstance(reference, Source) else None
            if controller is not None:
                owner = component_name(root, source)
                yield from ((clip, owner) for clip in controller.clips if isinstance(clip, Source))
    for source in root.objects("Animation"):
        with diagnostics.guard(codes.CLIP_UNREADABLE, source.place(""), source):
            fields = root.read(source, frozenset({"m_Animation", "m_Animations"}))
            for pointer in [fields["m_Animation"], *fields["m_Animations"]]:
                reference = root.resolve(root.file(source), pointer)
                if isinstance(reference, Source):
                    yield reference, component_name(root, source)
