"""Every clip of the corpus decodes without a complaint, and its segments join."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from tests.corpus.objects import objects_below
from unity2gltf import codes
from unity2gltf.diagnostics import Diagnostics
from unity2gltf.normalize.clips.compiled import is_muscle
from unity2gltf.normalize.clips.decode import decode_clip
from unity2gltf.normalize.clips.decoded import DecodedClip, DecodedCurve
from unity2gltf.normalize.clips.streamed import read_streamed
from unity2gltf.raw import RawClip

pytestmark = pytest.mark.corpus

WIDTHS = {"position": 3, "rotation": 4, "euler": 3, "scale": 3}
HARMLESS = {"CLIP_REPEATED", "CLIP_UNLANDED"}


def clips(corpus: Path, diagnostics: Diagnostics) -> Iterator[tuple[RawClip, DecodedClip]]:
    for folder in sorted(path for path in corpus.iterdir() if path.is_dir()):
        for root, source in objects_below(folder, "AnimationClip", diagnostics):
            with diagnostics.guard(codes.CLIP_UNREADABLE, source.place("clip"), source):
                raw = root.clip(source)
                yield raw, decode_clip(raw, diagnostics)


def test_every_clip(corpus: Path) -> None:
    seen: Counter[str] = Counter()
    landing: Counter[str] = Counter()
    diagnostics = Diagnostics()
    for raw, clip in clips(corpus, diagnostics):
        seen["clips"] += 1
        seen[clip.kind] += 1
        seen["muscles"] += len(clip.muscles)
        for curve in clip.curves:
            check(curve, clip.duration)
            seen[curve.attribute if isinstance(curve.attribute, str) and curve.type_id == 4 else "other"] += 1
            seen["blend shapes"] += curve.type_id == 137
        if raw.compiled is not None:
            read_streamed(raw.compiled.streamed, raw.compiled.streamed_count, landing)
            seen["dense"] += raw.compiled.dense.size > 0
            seen["without muscles"] += unlanded_without_muscles(raw)
    told = {item.code.name for item in diagnostics.items if item.code.name.startswith("CLIP")}
    assert told <= HARMLESS
    assert seen["without muscles"] == 0
    assert landing["unlanded"] <= 0.002 * landing["moving"]
    floors = {"clips": 108, "legacy": 23, "generic": 53, "humanoid": 20, "muscles": 2943, "dense": 23}
    floors |= {"position": 1000, "rotation": 1000, "scale": 1000, "euler": 2, "blend shapes": 2, "other": 10}
    assert not {name: (seen[name], floor) for name, floor in floors.items() if seen[name] < floor}
    assert landing["moving"] >= 88_000


def check(curve: DecodedCurve, duration: float) -> None:
    assert len(curve.curves) == (WIDTHS.get(str(curve.attribute), 1) if curve.type_id == 4 else 1)
    assert curve.exact
    for part in curve.curves:
        assert np.all(np.diff(part.times) > 0)
        assert part.times[0] >= 0 and part.times[-1] <= duration
        assert np.isfinite(part.coefficients).all()
    if curve.attribute == "rotation" and curve.type_id == 4:
        values = np.array([[row[3] for row in part.coefficients[:1]] for part in curve.curves])
        assert abs(np.linalg.norm(values) - 1) < 2e-3


def unlanded_without_muscles(raw: RawClip) -> int:
    """Segments that miss their next key, in a clip without muscle curves: every one of them should land."""
    tally: Counter[str] = Counter()
    if raw.compiled is not None and not any(map(is_muscle, raw.bindings)):
        read_streamed(raw.compiled.streamed, raw.compiled.streamed_count, tally)
    return tally["unlanded"]
