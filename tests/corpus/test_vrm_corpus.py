"""Humanoid prefabs of the corpus as VRM avatars: proven, valid, and in a T-pose where their game has one."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.builders.avatars import VRM
from unity2gltf import convert
from unity2gltf.batch.prove import prove
from unity2gltf.evaluate.glb import read_gltf
from unity2gltf.validate.structure import check_structure

pytestmark = [pytest.mark.corpus, pytest.mark.slow]

PEOPLE = {
    "mfthomps+CyberCIEGE-port-to-Unity3d": [30, 32],
    "nicoco007+BeatSaberCustomAvatars": [51, 51, 52],
    "keenan-smith+LethalCompanyCrewmatePlayerModel": [19, 20],
}
"""How many human bones the avatars of a game have."""

NO_T_POSE = {"amogus"}
"""Its avatar stores hips at the floor and arms that hang."""


@pytest.mark.parametrize("game", PEOPLE)
def test_every_humanoid_prefab_is_an_avatar(game: str, corpus: Path, tmp_path: Path) -> None:
    report = convert(corpus / game, tmp_path, VRM)
    avatars = [asset for asset in report.assets if asset.kind == "vrm"]
    counts = []
    for avatar in avatars:
        assert avatar.output is not None and avatar.roundtrip is not None and avatar.roundtrip["passed"]
        gltf = read_gltf(tmp_path / avatar.output)
        wanted = {"VRM_POSE"} if avatar.name in NO_T_POSE else set()
        assert {issue.code for issue in check_structure(gltf)} == wanted
        assert {item.code.name for item in avatar.diagnostics} & {"VRM_POSE"} == wanted
        counts.append(len(gltf.json["extensions"]["VRMC_vrm"]["humanoid"]["humanBones"]))
    assert sorted(counts) == PEOPLE[game]
    files = [tmp_path / avatar.output for avatar in avatars if avatar.output]
    assert all(proof.result is not None and proof.result.passed for proof in prove(files, [corpus / game], "full"))
