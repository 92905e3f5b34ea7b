"""How the eyes follow a look."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.builders.avatars import VRM, avatar, smile
from unity2gltf.diagnostics import Diagnostics
from unity2gltf.ir import Asset, LookAt
from unity2gltf.normalize.vrm.asset import vrm_asset

LOOKS = [smile(f"Look{way}") for way in ("Up", "Down", "Left", "Right")]


def look(asset: Asset) -> LookAt | None:
    found = vrm_asset(asset, VRM, Diagnostics())
    assert found is not None and found.vrm is not None
    return found.vrm.look_at


def test_eye_bones_turn_within_the_limits_of_their_muscles() -> None:
    found = look(avatar(shapes=LOOKS))
    assert found is not None and found.bones
    assert found.ranges == {"HorizontalInner": 20, "HorizontalOuter": 30, "VerticalDown": 10, "VerticalUp": 15}
    assert found.origin == pytest.approx((0.0, 0.1, 0.08))


def test_limits_are_the_average_of_both_eyes_or_left_open() -> None:
    asset = avatar()
    limits = {"Left Eye In-Out": (-10.0, 20.0), "Right Eye In-Out": (-20.0, 40.0)}
    found = look(replace(asset, humanoids=(replace(asset.humanoids[0], limits=limits),)))
    assert found is not None and found.ranges == {"HorizontalInner": 15.0, "HorizontalOuter": 30.0}


def test_without_eye_bones_expressions_do_it() -> None:
    found = look(avatar(shapes=LOOKS, without=["LeftEye"]))
    assert found is not None and not found.bones and found.origin is None and set(found.ranges.values()) == {1.0}


def test_without_either_there_is_no_gaze() -> None:
    assert look(avatar(shapes=LOOKS[:3], without=["RightEye"])) is None
