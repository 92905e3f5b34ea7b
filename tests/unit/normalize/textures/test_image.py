"""Recipes to encoded images, decoded again by Pillow."""

from __future__ import annotations

import io
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image as Pillow

from tests.builders.surfaces import picture
from unity2gltf.diagnostics import Diagnostics
from unity2gltf.ir import Image
from unity2gltf.normalize.textures.image import Settings, make_image
from unity2gltf.normalize.textures.recipes import Color, Normal, Packed, Recipe, Tap
from unity2gltf.raw import RawTexture
from unity2gltf.source import Missing

LOST = Missing("lost.assets", 5, "file not found")


def made(recipe: Recipe, *textures: RawTexture, **settings: object) -> tuple[Image, Diagnostics]:
    diagnostics = Diagnostics()
    given = {texture.source: texture for texture in textures}
    raws = {key: given.get(key) for key in recipe.textures}
    return make_image(recipe, raws, Settings(**settings), diagnostics), diagnostics


def pixels(image: Image) -> np.ndarray:
    picture = Pillow.open(io.BytesIO(image.data))
    assert (picture.width, picture.height) == (image.width, image.height)
    return np.asarray(picture)


def broken(number: int) -> RawTexture:
    return replace(picture(number, [(1, 2, 3)]), data=b"\x01")


def test_names_and_sources_of_an_image() -> None:
    one, two = picture(1, [(1, 2, 3)], name="bricks"), picture(2, [(1, 2, 3)], name="dirt")
    image, _ = made(Packed((Tap(two.source, 0), Tap(one.source, 0), Tap(two.source, 1))), one, two)
    assert (image.name, image.sources, image.mime) == ("dirt + bricks", (two.source, one.source), "image/png")
    image, _ = made(Packed((Tap(LOST, 0), Tap(one.source, 0), 1.0)), one)
    assert (image.name, image.sources) == ("bricks", (one.source,))


def test_the_first_row_is_on_top() -> None:
    one = picture(1, [(1, 0, 0), (2, 0, 0)], [(3, 0, 0), (4, 0, 0)])
    assert pixels(made(Color(one.source), one)[0])[..., 0].tolist() == [[1, 2], [3, 4]]


@pytest.mark.parametrize(
    ("recipe", "expected"),
    [
        (Color(LOST), (255, 255, 255)),
        (Color(LOST, neutral=0.0), (0, 0, 0)),  # emission
        (Color(LOST, neutral=0.04), (56, 56, 56)),  # the reflectance of a dielectric: 0.2209 in sRGB
        (Color(LOST, alpha=Tap(LOST, 0)), (255, 255, 255)),
        (Normal(LOST), (128, 128, 255)),
        (Packed((Tap(LOST, 1), Tap(LOST, 3, 1.0, 0.0, 1.0), Tap(LOST, 0, neutral=0.0))), (255, 255, 0)),
        (Packed((0.2, Tap(LOST, 3, neutral=0.4), 1.0)), (51, 102, 255)),
    ],
)
def test_placeholders(recipe: Recipe, expected: tuple[int, int, int]) -> None:
    image, _ = made(recipe)
    assert image.placeholder
    assert (image.width, image.height, image.sources) == (1, 1, ())
    assert pixels(image).tolist() == [[list(expected)]]


@pytest.mark.parametrize("recipe_of", [Color, Normal, lambda key: Packed((Tap(key, 0), 1.0, 1.0))])
def test_a_texture_that_does_not_decode_is_reported_and_replaced(recipe_of: type) -> None:
    bad = broken(7)
    image, diagnostics = made(recipe_of(bad.source), bad)
    assert image.placeholder
    assert image.sources == (bad.source,)
    (item,) = diagnostics.items
    assert (item.code.name, item.where) == ("TEXTURE_CORRUPT", 'sharedassets0.assets:7/Texture2D "map 7"')


def test_other_planes_of_an_image_survive_one_that_does_not_decode() -> None:
    bad, good = broken(7), picture(1, [(10, 20, 30), (40, 50, 60)])
    recipe = Packed((Tap(bad.source, 0, neutral=0.2), Tap(good.source, 1), Tap(good.source, 2, 1.0, 0.0)))
    image, diagnostics = made(recipe, bad, replace(good, color_space=0))
    assert not image.placeholder
    assert pixels(image).tolist() == [[[51, 20, 225], [51, 50, 195]]]
    assert [item.code.name for item in diagnostics.items] == ["TEXTURE_CORRUPT"]


def test_a_mask_or_alpha_that_does_not_decode_leaves_the_colours() -> None:
    bad, good = broken(7), picture(1, [(10, 20, 30, 40)])
    image, _ = made(Color(good.source, mask=Tap(bad.source, 0)), bad, good)
    assert pixels(image).tolist() == [[[10, 20, 30, 40]]]
    image, _ = made(Color(good.source, alpha=Tap(bad.source, 0)), bad, good)
    assert pixels(image).tolist() == [[[10, 20, 30]]]


def test_a_texture_that_several_planes_read_is_reported_once() -> None:
    bad = broken(7)
    _, diagnostics = made(Packed((Tap(bad.source, 0), Tap(bad.source, 1), Tap(bad.source, 2))), bad)
    assert len(diagnostics.items) == 1


def test_an_alpha_of_one_is_not_written() -> None:
    glow = picture(1, [(10, 20, 30, 40)])
    assert pixels(made(Color(glow.source, alpha=1.0), glow)[0]).tolist() == [[[10, 20, 30]]]
    assert pixels(made(Color(glow.source), glow)[0]).tolist() == [[[10, 20, 30, 40]]]


def test_division_by_alpha_comes_before_the_colour_space() -> None:
    """100 at 128 is 199 as stored, which of a linear texture is 229 in sRGB."""
    smoke = picture(1, [(100, 0, 0, 128)], color_space=0)
    image, diagnostics = made(Color(smoke.source, premultiplied=True), smoke)
    assert pixels(image).tolist() == [[[229, 0, 0, 128]]]
    assert [item.code.name for item in diagnostics.items] == ["TEXTURE_PREMULTIPLIED"]


def test_data_marked_srgb_is_reported_once_a_texture() -> None:
    one, two = picture(1, [(1, 2, 3)]), picture(2, [(1, 2, 3)])
    planes = (Tap(one.source, 0), Tap(one.source, 1), Tap(two.source, 3))  # alpha is not decoded
    _, diagnostics = made(Packed(planes), one, two)
    assert [item.code.name for item in diagnostics.items] == ["TEXTURE_SRGB_DATA"]
    _, diagnostics = made(Packed(planes), one, two, gamma_project=True)
    assert diagnostics.items == []


def test_images_are_made_smaller_on_request() -> None:
    one = picture(1, *[[(x * 10, y * 10, 0) for x in range(8)] for y in range(4)])
    image, _ = made(Color(one.source), one, max_side=4)
    assert (image.width, image.height) == (4, 2)
    assert pixels(image)[0, :, 0].tolist() == [5, 25, 45, 65]


def test_equal_recipes_give_equal_bytes() -> None:
    one = picture(1, *[[(x * 3, y * 5, x * y, 200) for x in range(16)] for y in range(16)])
    recipe = Color(one.source, premultiplied=True)
    assert made(recipe, one)[0] == made(recipe, one)[0]
