"""Every clip and every controller of the real files, and how many of their hashes have a name."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from UnityPy import classes
from UnityPy.UnityPyBoost import read_typetree

from tests.corpus.objects import VERSION
from tests.corpus.test_extract_corpus import each_file, unitypy_node
from unity2gltf.extract.content import ContentRoot
from unity2gltf.extract.game import Game, open_game
from unity2gltf.extract.graph import prefab_roots, read_prefab, read_scene
from unity2gltf.raw import RawClip, RawController, RawKeys
from unity2gltf.source import Source

pytestmark = pytest.mark.corpus

WIDTHS = {1: 3, 2: 4, 3: 3, 4: 3}
TRANSFORM, MUSCLE = 4, 8
ROOT_CURVES = 7
"""Bindings of customType 8 that a clip without muscles may have: RootT and RootQ."""

FIELDS = {
    "position": ("m_PositionCurves", "xyz"),
    "rotation": ("m_RotationCurves", "xyzw"),
    "euler": ("m_EulerCurves", "xyz"),
    "scale": ("m_ScaleCurves", "xyz"),
    "float": ("m_FloatCurves", ""),
}


@pytest.fixture(scope="module")
def game(corpus: Path) -> Game:
    return open_game(corpus, unity_version=VERSION)


def kind_of(clip: RawClip) -> str:
    if clip.legacy:
        return "legacy"
    if clip.compiled is None:
        return "editor"
    return "humanoid" if sum(b.custom_type == MUSCLE for b in clip.bindings) > ROOT_CURVES else "generic"


def check_widths(clip: RawClip) -> None:
    """The bindings take exactly the curves that there are."""
    if clip.compiled is not None:
        compiled = clip.compiled
        curves = compiled.streamed_count + compiled.discrete_count + compiled.dense.shape[1] + len(compiled.constants)
        assert sum(WIDTHS[b.attribute] if b.type_id == TRANSFORM else 1 for b in clip.bindings) == curves


def check_equal(clip: RawClip, theirs: dict[str, Any]) -> None:
    for kind, (field, letters) in FIELDS.items():
        ours = [curve for curve in clip.curves if curve.kind == kind and isinstance(curve.keys, RawKeys)]
        for curve, stored in zip(ours, theirs.get(field, ()), strict=True):
            keys: Any = curve.keys
            rows = stored["curve"]["m_Curve"]
            assert curve.path == stored["path"] and curve.attribute == stored.get("attribute", "")
            assert keys.times.tolist() == [row["time"] for row in rows]
            for values, name in ((keys.values, "value"), (keys.in_slopes, "inSlope"), (keys.out_slopes, "outSlope")):
                expected = [[row[name][axis] for axis in letters] if letters else [row[name]] for row in rows]
                assert np.array_equal(values, np.asarray(expected, np.float32), equal_nan=True)
    if clip.compiled is not None:
        inner = theirs["m_MuscleClip"]["m_Clip"]["data"]
        assert clip.compiled.streamed.tolist() == inner["m_StreamedClip"]["data"]
        assert clip.compiled.dense.ravel().tolist() == inner["m_DenseClip"]["m_SampleArray"]
        assert clip.compiled.constants.tolist() == inner["m_ConstantClip"]["data"]
        rows = theirs["m_ClipBindingConstant"]["genericBindings"]
        expected_rows = [(row["path"], row["attribute"], row["typeID"]) for row in rows]
        assert [(b.path, b.attribute, b.type_id) for b in clip.bindings] == expected_rows


@pytest.mark.slow
def test_every_clip_is_read_and_some_equal_unitypys(game: Game) -> None:
    kinds: Counter[str] = Counter()
    for root, file in each_file(game):
        for number, source in enumerate(file.sources("AnimationClip")):
            clip = root.clip(source)
            kinds[kind_of(clip)] += 1
            assert clip.name == root.name(source) and 0 <= clip.start <= clip.stop < 60
            check_widths(clip)
            if number < 3:
                plan, data = root._locate(file, source)
                node = unitypy_node(plan.root)
                check_equal(clip, read_typetree(bytes(data), node, plan.endian, True, None, classes)[0])
                kinds["compared"] += 1
    floors = {"generic": 58, "legacy": 28, "humanoid": 20, "editor": 2, "compared": 54}
    assert all(kinds[kind] >= floor for kind, floor in floors.items()), kinds


def check_controller(root: ContentRoot, controller: RawController) -> Counter[str]:
    motions = [motion for state in controller.states for motion in state.motions]
    assert {motion.clip for motion in motions} == set(controller.clips)
    assert all(isinstance(clip, Source) and clip.type == "AnimationClip" for clip in controller.clips)
    assert all(state.full_path == f"{state.layer}.{state.name}" for state in controller.states)
    assert sum(state.default for state in controller.states) == len({s.layer for s in controller.states})
    clips = [(state.name, state.motions[0].clip) for state in controller.states if len(state.motions) == 1]
    alike = sum(isinstance(clip, Source) and root.name(clip) == name for name, clip in clips)
    return Counter({"states": len(controller.states), "motions": len(motions), "named alike": alike})


def check_components(root: ContentRoot, file: Any) -> Counter[str]:
    counts: Counter[str] = Counter()
    hierarchies = [read_scene(root, file)] if file.is_scene else []
    for hierarchy in hierarchies or [read_prefab(root, top) for top in prefab_roots(root, file)]:
        for node in hierarchy.nodes:
            if node.animation is not None:
                counts["animations"] += 1
                counts["animation clips"] += sum(isinstance(clip, Source) for clip in node.animation.clips)
            if node.animator is not None:
                counts["animators"] += 1
                counts["controlled"] += isinstance(node.animator.controller, Source)
    return counts


def test_every_controller_is_read_and_animators_lead_to_them(game: Game) -> None:
    counts: Counter[str] = Counter()
    before = len(game.diagnostics.items)
    for root, file in each_file(game):
        for type_ in ("AnimatorController", "AnimatorOverrideController"):
            for source in file.sources(type_):
                counts[type_] += 1
                counts += check_controller(root, root.controller(source))
        counts += check_components(root, file)
    floors = {
        "AnimatorController": 26, "AnimatorOverrideController": 1, "states": 66, "motions": 60, "named alike": 48,
        "animations": 5, "animators": 60, "controlled": 25,
    }  # fmt: skip
    assert all(counts[name] >= floor for name, floor in floors.items()), counts
    new = {item.code.name for item in game.diagnostics.items[before:]}
    assert new <= {"VERSION_ASSUMED", "REFERENCE_AMBIGUOUS"}  # games side by side share names of files


@pytest.mark.slow
def test_hashes_of_clips_have_names(game: Game) -> None:
    """What has none: clips of a bundle whose rig is not in the input, and one bone of an enemy."""
    found: Counter[str] = Counter()
    for root in game.roots:
        bindings = [b for source in root.objects("AnimationClip") for b in root.clip(source).bindings]
        for hash_ in {b.path for b in bindings if b.path}:
            found["path" if root.names.lookup(hash_) else "no path"] += 1
        for hash_ in {b.attribute for b in bindings if b.type_id != TRANSFORM and b.custom_type != MUSCLE}:
            found["attribute" if root.names.lookup(hash_) else "no attribute"] += 1
        root.close()
    assert found["path"] >= 256 and found["no path"] <= 59, found
    assert found["attribute"] >= 8 and found["no attribute"] == 0, found
