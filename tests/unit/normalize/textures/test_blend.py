"""The ground of a terrain, by hand."""

from __future__ import annotations

import io

import numpy as np
from numpy.typing import NDArray
from PIL import Image as Pillow

from tests.builders.surfaces import picture
from unity2gltf.diagnostics import Diagnostics
from unity2gltf.ir import Image
from unity2gltf.normalize.textures.image import Settings, make_image
from unity2gltf.normalize.textures.recipes import Blend, Layer, Tap, TextureKey
from unity2gltf.raw import RawTexture
from unity2gltf.source import Missing

RED, GREEN, BLUE = (255, 0, 0), (0, 255, 0), (0, 0, 255)
LEFT_RIGHT = picture(1, [(255, 0, 0, 0), (0, 255, 0, 0)], color_space=0)
"""Layer 0 on the left, layer 1 on the right."""


def baked(layers: tuple[Layer, ...], *textures: RawTexture, **more: object) -> Image:
    recipe = Blend("ground", layers, (4, 4), centred=False)
    raws: dict[TextureKey, RawTexture | None] = dict.fromkeys(recipe.textures)
    raws |= {texture.source: texture for texture in textures}
    return make_image(recipe, raws, Settings(**more), Diagnostics())


def pixels(image: Image) -> NDArray[np.uint8]:
    return np.asarray(Pillow.open(io.BytesIO(image.data)).convert("RGB"))


def whole(texture: RawTexture, channel: int | None = None, **more: object) -> Layer:
    weight = None if channel is None else Tap(LEFT_RIGHT.source, channel)
    return Layer(texture.source, weight, (1.0, 1.0), **more)


def test_weights_choose_between_layers() -> None:
    red, green = picture(2, [RED]), picture(3, [GREEN])
    image = baked((whole(red, 0), whole(green, 1)), LEFT_RIGHT, red, green)
    assert pixels(image)[0, 0].tolist() == [255, 0, 0] and pixels(image)[3, 3].tolist() == [0, 255, 0]
    assert (image.name, image.mime, image.width, image.height) == ("ground", "image/png", 4, 4)
    assert image.sources == (LEFT_RIGHT.source, red.source, green.source)


def test_layers_are_mixed_in_linear_light_or_as_a_gamma_game_does() -> None:
    half = picture(1, [(128, 127, 0, 0)], color_space=0)
    white, black = picture(2, [(255, 255, 255)]), picture(3, [(0, 0, 0)])
    layers = (whole(white, 0), whole(black, 1))
    assert pixels(baked(layers, half, white, black))[1, 1].tolist() == [188] * 3  # 0.502 of the light
    assert pixels(baked(layers, half, white, black, gamma_project=True))[1, 1].tolist() == [128] * 3


def test_tiles_begin_at_the_lower_left_and_are_moved_by_their_offset() -> None:
    """Two by two pixels, two tiles each way: every other pixel of the image."""
    tile = picture(2, [RED, GREEN], [BLUE, (255, 255, 255)])
    image = pixels(baked((Layer(tile.source, None, (2.0, 2.0)),), tile))
    assert image[3, 0].tolist() == [0, 0, 255] and image[2, 0].tolist() == [255, 0, 0]
    assert image[3, 1].tolist() == [255, 255, 255] and image[1, 2].tolist() == [0, 0, 255]
    moved = pixels(baked((Layer(tile.source, None, (2.0, 2.0), (0.5, 0.0)),), tile))
    assert moved[3, 0].tolist() == [255, 255, 255]


def test_a_finer_tile_is_averaged_in_linear_light() -> None:
    stripes = picture(2, *[[(255, 255, 255), (0, 0, 0)] * 4] * 8)
    image = pixels(baked((Layer(stripes.source, None, (4.0, 4.0)),), stripes))
    assert np.abs(image.astype(int) - 188).max() <= 1


def test_colours_are_remapped() -> None:
    white = picture(2, [(255, 255, 255)])
    layer = whole(white, low=(0.5, 0.0, 0.0), high=(0.5, 0.25, 1.0))
    assert pixels(baked((layer,), white))[0, 0].tolist() == [188, 137, 255]


def test_a_layer_that_cannot_be_had_is_grey() -> None:
    red = picture(2, [RED])
    gone = Missing("cab-1", 9, "file not found")
    image = pixels(baked((whole(red, 0), Layer(gone, Tap(LEFT_RIGHT.source, 1), (1.0, 1.0))), LEFT_RIGHT, red))
    assert image[0, 0].tolist() == [255, 0, 0] and image[0, 3].tolist() == [128, 128, 128]


def test_without_weights_the_first_layer_is_everywhere() -> None:
    red, green = picture(2, [RED]), picture(3, [GREEN])
    image = pixels(baked((whole(red, 0), whole(green, 1)), red, green))
    assert (image == RED).all()


def test_nothing_at_all_is_a_placeholder() -> None:
    image = baked((whole(picture(2, [RED]), 0),))
    assert image.placeholder and pixels(image)[0, 0].tolist() == [128, 128, 128]
    assert (image.width, image.height) == (1, 1)


def test_the_image_is_no_larger_than_what_it_shows() -> None:
    red = picture(2, [RED])
    recipe = Blend("ground", (Layer(red.source, None, (8.0, 1.0)),), (2048, 2048))
    image = make_image(recipe, {red.source: red}, Settings(), Diagnostics())
    assert (image.width, image.height) == (8, 4)
