"""What is written of human bodies, and of avatars."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.builders.avatars import VRM, avatar, smile
from tests.builders.proof import document_of
from unity2gltf.diagnostics import Diagnostics, Fault
from unity2gltf.emit import write
from unity2gltf.emit.document import build_document
from unity2gltf.emit.write import write_document
from unity2gltf.ir import Asset, Expression
from unity2gltf.normalize.space import to_gltf
from unity2gltf.normalize.vrm.asset import vrm_asset
from unity2gltf.options import Options


def human(options: Options = VRM) -> Asset:
    found = vrm_asset(avatar(shapes=[smile("Joy", 0.25, 0.5, 1.0), smile("A")]), options, Diagnostics())
    assert found is not None
    return found


def vrm(asset: Asset) -> dict[str, Any]:
    item: dict[str, Any] = document_of(asset).json["extensions"]["VRMC_vrm"]
    return item


def test_bones_and_limits_are_in_the_extras_of_file_and_rig() -> None:
    asset = avatar()
    json = document_of(asset).json
    humanoid = asset.humanoids[0]
    assert json["asset"]["extras"]["unity"]["humanoid"] == humanoid.bones
    limits = json["asset"]["extras"]["unity"]["muscle_limits"]
    assert limits["Left Eye In-Out"] == [-20.0, 30.0] and len(limits) == 4
    told = json["nodes"][0]["extras"]["unity"]["humanoid"]
    assert told == {
        "avatar": "FigureAvatar", "source": humanoid.source.mark(), "bones": humanoid.bones, "muscle_limits": limits,
    }  # fmt: skip


def test_without_a_humanoid_nothing_is_said() -> None:
    json = document_of(replace(avatar(), humanoids=())).json
    assert "extras" not in json["asset"] and "humanoid" not in json["nodes"][0]["extras"]["unity"]


def test_the_last_frame_of_a_shape_is_the_expression() -> None:
    presets = vrm(human())["expressions"]["preset"]
    assert presets["happy"]["morphTargetBinds"] == [{"node": 22, "index": 2, "weight": 1.0}]
    assert presets["aa"]["morphTargetBinds"] == [{"node": 22, "index": 3, "weight": 1.0}]


def test_another_licence_stands_beside_vrm_s_own() -> None:
    """VRM 1.0 takes one document as licenseUrl, and readers refuse files that name another."""
    meta = vrm(human(replace(VRM, vrm_license="https://example.com/licence")))["meta"]
    assert meta["licenseUrl"] == "https://vrm.dev/licenses/1.0/"
    assert meta["otherLicenseUrl"] == "https://example.com/licence"
    assert "otherLicenseUrl" not in vrm(human())["meta"]


def test_odd_characters_in_what_is_said_are_kept_but_for_surrogates() -> None:
    said = vrm(human(replace(VRM, vrm_name='"\\\n/☃', vrm_authors=("\udc80", "𝔸da"))))
    assert said["meta"]["name"] == '"\\\n/☃' and said["meta"]["authors"] == ["\ufffd", "𝔸da"]


def test_what_leads_nowhere_is_a_fault() -> None:
    asset = human()
    assert asset.vrm is not None
    lost = (
        replace(asset, vrm=replace(asset.vrm, bones={"hips": 99})),
        replace(asset, humanoids=(replace(asset.humanoids[0], rig=99),)),
        replace(asset, vrm=replace(asset.vrm, expressions=(Expression(name="x", preset=False, shapes=((99, 0),)),))),
        replace(asset, vrm=replace(asset.vrm, expressions=(Expression(name="x", preset=False, shapes=((22, 9),)),))),
    )
    for broken in lost:
        with pytest.raises(Fault, match="does not exist"):
            build_document(to_gltf(broken, 8, Diagnostics()), Diagnostics())


def test_a_vrm_is_one_file_however_large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    document = document_of(human())
    (path,) = write_document(document, tmp_path / "a.b", format="vrm", max_glb=1, diagnostics=Diagnostics())
    assert path.name == "a.b.vrm" and path.read_bytes()[:4] == b"glTF"
    monkeypatch.setattr(write, "GLB_MAXIMUM", 100)
    with pytest.raises(Fault, match="more than one file can hold"):
        write_document(document, tmp_path / "a.b", format="vrm", max_glb=1, diagnostics=Diagnostics())
