"""Recipes as keys: equal where the images are, and which textures they are made of."""

from __future__ import annotations

from unity2gltf.normalize.textures.recipes import ALPHA, Color, Normal, Packed, Tap, first_texture
from unity2gltf.source import Missing, Source

A, B = (Source("game", "a.assets", number, "Texture2D") for number in (1, 2))
LOST = Missing("lost.assets", 3, "file not found")


def test_textures_of_a_recipe_in_order_and_once() -> None:
    assert Packed((Tap(B, 0), 0.5, Tap(A, 1), Tap(B, 2))).textures == (B, A)
    assert Color(A).textures == (A,)
    assert Color(A, alpha=Tap(B, 0), mask=Tap(LOST, 1)).textures == (A, B, LOST)
    assert Color(A, alpha=Tap(A, ALPHA, 0.2, 0.6)).textures == (A,)
    assert Color(A, alpha=0.5).textures == (A,)
    assert Color(None, mask=Tap(B, 0)).textures == (B,)
    assert Normal(LOST).textures == (LOST,)


def test_the_first_texture_stands_for_the_whole() -> None:
    assert first_texture(Packed((1.0, Tap(B, 0), Tap(A, 1)))) == B
    assert first_texture(Color(A, mask=Tap(B, 0))) == A


def test_the_slot_of_a_tap_is_no_part_of_a_recipe() -> None:
    assert len({Packed((Tap(A, 0, slot="_Mask"),)), Packed((Tap(A, 0, slot="_Other"),)), Packed((Tap(A, 0),))}) == 1


def test_recipes_are_equal_where_all_is() -> None:
    assert {Color(A), Color(A), Normal(A)} == {Normal(A), Color(A)}
    different = [
        Color(A),
        Color(B),
        Color(A, premultiplied=True),
        Color(A, alpha=1.0),
        Color(A, neutral=0.0),
        Color(A, mask=Tap(A, 0)),
        Normal(A),
        Normal(A, alpha_green=True),
        Packed((Tap(A, 0),)),
        Packed((Tap(A, 1),)),
        Packed((Tap(A, 0, 0.0, 0.5),)),
        Packed((Tap(A, 0, neutral=0.0),)),
        Packed((Tap(A, 0), 1.0)),
    ]
    assert len(set(different)) == len(different)
