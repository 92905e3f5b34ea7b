"""Blend shapes by their usual names: which preset, which custom expression."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.builders.avatars import avatar, smile
from unity2gltf.ir import Asset, BlendShape, Node
from unity2gltf.normalize.vrm.expressions import make_expressions
from unity2gltf.normalize.vrm.names import PRESETS, plain, readings


def named(*names: str) -> dict[str, list[int]]:
    """Shape numbers by ``preset:`` or ``custom:`` and the expression's name."""
    found = make_expressions(avatar(shapes=[smile(name) for name in names]))
    return {
        f"{'preset' if item.preset else 'custom'}:{item.name}": [shape for _, shape in item.shapes] for item in found
    }


@pytest.mark.parametrize(
    ("name", "preset"),
    [
        ("happy", "happy"),
        ("Joy", "happy"),
        ("Fcl_ALL_Joy", "happy"),
        ("Face.M_F00_000_00_Fcl_ALL_Sorrow", "sad"),
        ("Sorrow", "sad"),
        ("Fun", "relaxed"),
        ("Fcl_ALL_Surprised", "surprised"),
        ("びっくり", "surprised"),
        ("怒り", "angry"),
        ("A", "aa"),
        ("blendShape1.MTH_A", "aa"),
        ("Face_blendShape.A", "aa"),
        ("vrc.v_aa", "aa"),
        ("vrc.v_ih", "ih"),
        ("vrc.v_ou", "ou"),
        ("vrc.v_e", "ee"),
        ("vrc.v_oh", "oh"),
        ("VRC.V_AA", "aa"),
        ("Fcl_MTH_E", "ee"),
        ("viseme_O", "oh"),
        ("お", "oh"),
        ("Blink", "blink"),
        ("vrc.blink", "blink"),
        ("まばたき", "blink"),
        ("eyesClosed", "blink"),
        ("Blink_L", "blinkLeft"),
        ("Blink.L", "blinkLeft"),
        ("blink left", "blinkLeft"),
        ("Fcl_EYE_Close_R", "blinkRight"),
        ("eyeBlinkLeft", "blinkLeft"),
        ("eyeBlink_R", "blinkRight"),
        ("ウィンク２右", "blinkRight"),
        ("ｳｨﾝｸ", "blinkLeft"),
        ("LookUp", "lookUp"),
        ("Look_Down", "lookDown"),
        ("Neutral", "neutral"),
        ("jawOpen", "custom"),
        ("vrc.v_sil", "custom"),
    ],
)
def test_a_known_name_is_a_preset(name: str, preset: str) -> None:
    (expression,) = make_expressions(avatar(shapes=[smile(name)]))
    assert (expression.name if expression.preset else "custom") == preset


def test_the_better_name_wins_and_the_other_is_custom() -> None:
    assert named("あ", "vrc.v_aa", "Fcl_MTH_A") == {"preset:aa": [2], "custom:あ": [0], "custom:vrc.v_aa": [1]}


def test_two_sides_make_what_no_shape_is_and_stay_what_they_are() -> None:
    found = named("eyeBlinkLeft", "eyeBlinkRight", "eyeLookUpLeft", "eyeLookUpRight")
    assert found == {
        "preset:blink": [0, 1],
        "preset:blinkLeft": [0],
        "preset:blinkRight": [1],
        "preset:lookUp": [2, 3],
        "custom:eyeLookUpLeft": [2],
        "custom:eyeLookUpRight": [3],
    }


def test_one_side_alone_is_no_pair() -> None:
    assert named("eyeLookOutLeft") == {"custom:eyeLookOutLeft": [0]}


def test_a_shape_for_both_eyes_is_better_than_two() -> None:
    assert named("Blink_L", "Blink_R", "Blink")["preset:blink"] == [2]


def test_custom_names_are_unique_and_none_of_the_presets() -> None:
    found = named("X.aa", "Y.aa", "Smirk", "Smirk", "blendShape2.Smirk", "", "")
    assert found == {
        "preset:aa": [0],
        "custom:Y.aa": [1],
        "custom:Smirk": [2],
        "custom:Smirk#2": [3],
        "custom:Smirk#3": [4],
        "custom:shape": [5],
        "custom:shape#2": [6],
    }
    assert "custom:aa#2" in named("aa", "aa")


def test_lone_surrogates_do_not_make_two_names_one() -> None:
    assert list(named("\udc80", "\ud800", "\N{GRINNING FACE}")) == [
        "custom:\ufffd", "custom:\ufffd#2", "custom:\N{GRINNING FACE}",
    ]  # fmt: skip


def test_a_shape_without_frames_has_no_target() -> None:
    assert make_expressions(avatar(shapes=[BlendShape(name="A", frames=())])) == ()


def two_faces(*names: str) -> Asset:
    asset = avatar(shapes=[smile(name) for name in names])
    return replace(asset, nodes=(*asset.nodes, Node(name="Brows", parent=0, mesh=1)))


def test_meshes_share_expressions() -> None:
    asset = two_faces("Joy", "Smirk")
    happy, smirk = make_expressions(asset)
    face, brows = len(asset.nodes) - 4, len(asset.nodes) - 1
    assert happy.shapes == ((face, 0), (brows, 0)) and smirk.shapes == ((face, 1), (brows, 1))


def test_presets_come_in_the_order_of_the_table() -> None:
    found = make_expressions(avatar(shapes=[smile("O"), smile("A"), smile("Joy")]))
    assert [item.name for item in found] == ["happy", "aa", "oh"]


def test_the_table_is_in_plain_names() -> None:
    names = [name for ways in PRESETS.values() for way in ways for name in way]
    assert [name for name in names if plain(name) != name] == []
    assert len(PRESETS) == 18 and all(plain(preset) in {way[0] for way in ways} for preset, ways in PRESETS.items())


def test_a_single_name_is_of_one_preset() -> None:
    singles = [way[0] for ways in PRESETS.values() for way in ways if len(way) == 1]
    assert sorted(singles) == sorted(set(singles))


def test_readings() -> None:
    assert list(readings("Face.Blink.L")) == ["faceblinkl", "blinkl", "l"]
    assert list(readings("...")) == [] and list(readings("")) == []
