"""Skin influences: the stored forms checked and made ragged lists, which of them is drawn, and cutting them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ... import codes
from ...diagnostics import Diagnostics
from ...ir import Geometry, Influences
from ...options import UNLIMITED
from ...text import counted
from .columns import MAX_JOINT, from_columns
from .ragged import from_lists

VARIABLE_TOTAL = 0xFFFF  # a vertex's variable weights are UNorm16 numbers of this sum


@dataclass(frozen=True, slots=True)
class CutLoss:
    """What a cut took: how many vertices lost influences, the most that one had, the most weight that one lost."""

    vertices: int
    max_influences: int
    mass: float


def dense_influences(
    weights: NDArray[np.floating], joints: NDArray[np.integer], step: float, diagnostics: Diagnostics
) -> Influences:
    """Influences of ``weights`` and ``joints``, both (V, n), stored with a rounding of ``step``.

    Weights that are not finite or negative count as 0 (SKIN_WEIGHTS_INVALID), as do those of joints that no skin can
    have (SKIN_BONE_RANGE); sums further from 1 than the rounding explains are reported (SKIN_WEIGHTS_NORMALISED).
    """
    influences, findings = from_columns(weights, joints, weights.shape[1] * step)
    if findings.weights:
        diagnostics.add(
            codes.SKIN_WEIGHTS_INVALID,
            f"{counted(findings.weights, 'weight is', 'weights are')} negative or not finite and counted as 0",
            weights=findings.weights,
        )
    if findings.joints:
        diagnostics.add(
            codes.SKIN_BONE_RANGE,
            f"{counted(findings.joints, 'weighted influence')} of bones below 0 or above {MAX_JOINT} counted as 0",
            influences=findings.joints,
        )
    if findings.sums:
        vertices = counted(findings.sums, "vertex", "vertices")
        diagnostics.add(
            codes.SKIN_WEIGHTS_NORMALISED,
            f"the weights of {vertices} did not sum to 1, by up to {findings.deviation:.3g}",
            vertices=findings.sums,
            deviation=findings.deviation,
        )
    return influences


def rigid_influences(joints: NDArray[np.integer], diagnostics: Diagnostics) -> Influences:
    """Indices without weights: each vertex moves with its one joint, the first of ``joints`` (V, n)."""
    return dense_influences(np.ones((len(joints), 1), np.float32), joints[:, :1], 0.0, diagnostics)


def variable_influences(words: NDArray[np.uint32], vertex_count: int, diagnostics: Diagnostics) -> Influences | None:
    """m_VariableBoneCountWeights: V + 1 start offsets in words, then one word an influence (weight << 16 | bone).

    Returns None, with SKIN_VARIABLE_INVALID, when anything about it is not as Unity writes it.
    """
    problem = _variable_problem(words, vertex_count)
    if problem:
        diagnostics.add(codes.SKIN_VARIABLE_INVALID, problem, words=len(words), vertices=vertex_count)
        return None
    starts, entries = words[: vertex_count + 1].astype(np.int64), words[vertex_count + 1 :].astype(np.uint32)
    weights, joints = entries >> np.uint32(16), entries & np.uint32(0xFFFF)
    offsets = starts - (vertex_count + 1)
    used = weights > 0
    counts = np.diff(np.concatenate([[0], np.cumsum(used)])[offsets])
    return from_lists(counts, joints[used], weights[used].astype(np.float32))


def _variable_problem(words: NDArray[np.uint32], vertex_count: int) -> str | None:
    """What is wrong with the variable weights, as a sentence, or None."""
    first = vertex_count + 1
    if len(words) < first:
        return f"the offsets of {vertex_count} vertices need {first} words, not {len(words)}"
    starts = words[:first].astype(np.int64)
    if starts[0] != first or starts[-1] != len(words):
        return f"the offsets run from {starts[0]} to {starts[-1]}, not from {first} to {len(words)}"
    if np.any(np.diff(starts) < 0):
        return "the offsets descend"
    weights = (words[first:] >> 16).astype(np.int64)
    vertices = np.repeat(np.arange(vertex_count), np.diff(starts))
    if np.any((np.diff(weights) > 0) & (np.diff(vertices) == 0)):
        return "the weights of a vertex do not descend"
    sums = np.bincount(vertices, weights, minlength=vertex_count)
    wrong = np.count_nonzero((sums != VARIABLE_TOTAL) & (np.diff(starts) > 0))
    return (
        f"the weights of {counted(int(wrong), 'vertex', 'vertices')} do not sum to {VARIABLE_TOTAL}" if wrong else None
    )


def drawn_influences(geometry: Geometry, limit: int, diagnostics: Diagnostics) -> Influences | None:
    """The influences that Unity draws at ``limit`` (1, 2, 4 or ``options.UNLIMITED``) influences a vertex.

    Unlimited takes the variable form where there is one; anything less takes the channels, cut to the ``limit``
    heaviest and renormalised. None for a mesh without a skin.
    """
    channels, variable = geometry.channel_influences, geometry.variable_influences
    if limit >= UNLIMITED and variable is not None:
        return variable
    stored = channels if channels is not None else variable
    if stored is None or limit >= UNLIMITED:
        return stored
    drawn, loss = cut_influences(stored, limit)
    if loss.vertices or variable is not None:
        most = max(form.max_count for form in (channels, variable) if form is not None)
        diagnostics.add(
            codes.SKIN_FORM,
            f"skin weights are drawn with at most {limit} influences a vertex; up to {most} are stored",
            limit=limit,
            stored=most,
            vertices_cut=loss.vertices,
            mass=loss.mass,
        )
    return drawn


def cut_influences(influences: Influences, limit: int) -> tuple[Influences, CutLoss]:
    """The ``limit`` heaviest influences of every vertex, renormalised, and what that lost."""
    counts = np.diff(influences.offsets)
    most = influences.max_count
    if most <= limit:
        return influences, CutLoss(0, most, 0.0)
    rank = np.arange(len(influences.joints)) - np.repeat(influences.offsets[:-1], counts)
    kept = rank < limit
    vertices = np.repeat(np.arange(len(counts)), counts)
    lost = np.bincount(vertices[~kept], influences.weights[~kept], minlength=len(counts))
    result = from_lists(np.minimum(counts, limit), influences.joints[kept], influences.weights[kept])
    return result, CutLoss(int(np.count_nonzero(counts > limit)), most, float(lost.max()))
