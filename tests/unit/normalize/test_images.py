"""Images made two at a time: the same bytes and the same reports as one at a time, and never too much at once."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from tests.builders.raw import FakeRoot
from tests.builders.surfaces import picture
from unity2gltf import codes
from unity2gltf.diagnostics import Code, Diagnostics
from unity2gltf.ir import Image
from unity2gltf.normalize import images
from unity2gltf.normalize.images import Images
from unity2gltf.normalize.textures.image import Settings
from unity2gltf.normalize.textures.recipes import Color, Normal, Packed, Recipe, Tap
from unity2gltf.raw import RawTexture
from unity2gltf.source import Missing, Source


def textures(count: int) -> list[RawTexture]:
    """Of 8 x 8 pixels each, all different."""
    return [
        picture(
            number,
            *[[((number * 37 + x * 11 + y * 5) % 256, x * 9, y * 7) for x in range(8)] for y in range(8)],
            color_space=None,
        )
        for number in range(count)
    ]


def recipes_of(given: list[RawTexture]) -> list[Recipe]:
    """Colours, packed data and normals in turn; some from two textures."""
    made: list[Recipe] = []
    for first, second in zip(given, given[1:] + given[:1], strict=True):
        made.append(Color(first.source))
        made.append(Packed((1.0, Tap(first.source, 0, 1.0, 0.0), Tap(second.source, 3))))
        made.append(Normal(first.source))
    return made


def broken(number: int) -> RawTexture:
    """A texture of a format that nobody knows."""
    return replace(picture(number, [(1, 2, 3)]), format=9999)


def run(
    given: list[RawTexture], recipes: list[Recipe], workers: int, monkeypatch: pytest.MonkeyPatch
) -> tuple[list[images.SampledImage], list[tuple[str, str, str]]]:
    monkeypatch.setattr(images, "WORKERS", workers)
    diagnostics = Diagnostics()
    made = Images(FakeRoot().add(*given), Settings()).make(recipes, diagnostics)
    return made, [(item.code.name, item.where, item.message) for item in diagnostics.items]


def test_two_workers_make_what_one_makes(monkeypatch: pytest.MonkeyPatch) -> None:
    given = [*textures(6), broken(50), broken(51)]
    recipes = recipes_of(given)
    recipes.insert(3, Color(Missing("lost.assets", 5, "file not found")))
    recipes.insert(9, Normal(Source("game", "sharedassets0.assets", 99, "Texture2D")))
    one, two, again = (run(given, recipes, workers, monkeypatch) for workers in (1, 2, 2))
    assert one == two == again
    assert len(one[0]) == len(recipes)
    assert {code for code, _, _ in one[1]} == {"TEXTURE_FORMAT", "TEXTURE_MISSING", "OBJECT_CORRUPT"}


def test_slow_images_do_not_change_the_order(monkeypatch: pytest.MonkeyPatch) -> None:
    given = [*textures(4), broken(50)]
    recipes = recipes_of(given)
    expected = run(given, recipes, 1, monkeypatch)
    make = images.make_image

    def slowly(recipe: Recipe, *rest: Any) -> Image:
        time.sleep(0.02 if recipes.index(recipe) % 3 == 0 else 0.0)
        return make(recipe, *rest)

    monkeypatch.setattr(images, "make_image", slowly)
    assert run(given, recipes, 2, monkeypatch) == expected


def test_a_texture_that_does_not_decode_leaves_the_others_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    given = [*textures(3), broken(50)]
    good = recipes_of(given[:3])
    alone, _ = run(given, good, 2, monkeypatch)
    recipes = [good[0], Color(given[3].source), *good[1:], Normal(given[3].source)]
    made, reported = run(given, recipes, 2, monkeypatch)
    assert [made[0], *made[2:-1]] == alone
    assert [item.image.placeholder for item in made] == [False, True, *[False] * (len(good) - 1), True]
    where = 'sharedassets0.assets:50/Texture2D "map 50"'
    assert [(code, place) for code, place, _ in reported] == [("TEXTURE_FORMAT", where)] * 2


def test_diagnostics_are_told_to_every_asset_that_uses_an_image() -> None:
    given = [picture(1, [(1, 2, 3)]), broken(2)]
    maker = Images(FakeRoot().add(*given), Settings())
    recipes: list[Recipe] = [Color(texture.source) for texture in given]
    for _ in range(3):
        diagnostics = Diagnostics()
        maker.make(recipes, diagnostics)
        assert [item.code for item in diagnostics.items] == [codes.TEXTURE_FORMAT]


def test_an_image_is_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    given = textures(3)
    made: list[Recipe] = []
    make = images.make_image
    monkeypatch.setattr(images, "make_image", lambda recipe, *rest: made.append(recipe) or make(recipe, *rest))
    maker = Images(FakeRoot().add(*given), Settings())
    recipes = recipes_of(given)
    first = maker.make(recipes[:5], Diagnostics())
    second = maker.make(list(reversed(recipes)), Diagnostics())
    assert sorted(map(str, made)) == sorted(map(str, recipes))
    assert list(reversed(second))[:5] == first


def test_images_out_of_the_budget_are_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    given = textures(3)
    made: list[Recipe] = []
    make = images.make_image
    monkeypatch.setattr(images, "BUDGET", 0)
    monkeypatch.setattr(images, "make_image", lambda recipe, *rest: made.append(recipe) or make(recipe, *rest))
    maker = Images(FakeRoot().add(*given), Settings())
    recipes: list[Recipe] = [Color(texture.source) for texture in given]
    first = maker.make(recipes, Diagnostics())
    assert maker.make(recipes[-1:], Diagnostics()) == first[-1:]  # the last used is kept
    assert len(made) == 3
    assert maker.make(recipes[:1], Diagnostics()) == first[:1]
    assert len(made) == 4


# --- what is in flight ----------------------------------------------------------------------------------------------


class Meter:
    """Counts the pixels and images that are being made, behind a gate that lets them gather."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.now: list[int] = []
        self.most_pixels = 0
        self.most_images = 0

    def __call__(self, recipe: Recipe, raws: Mapping[Any, RawTexture | None], *rest: Any) -> Image:
        pixels = sum(raw.width * raw.height for raw in raws.values() if raw is not None)
        with self.lock:
            self.now.append(pixels)
            self.most_pixels = max(self.most_pixels, sum(self.now))
            self.most_images = max(self.most_images, len(self.now))
        time.sleep(0.01)
        with self.lock:
            self.now.remove(pixels)
        return Image(name="", sources=(), mime="image/png", data=b"x", width=1, height=1)


def held_by(monkeypatch: pytest.MonkeyPatch, given: list[RawTexture], recipes: list[Recipe]) -> Meter:
    meter = Meter()
    monkeypatch.setattr(images, "make_image", meter)
    Images(FakeRoot().add(*given), Settings()).make(recipes, Diagnostics())
    return meter


def test_small_images_are_made_two_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    given = textures(8)
    meter = held_by(monkeypatch, given, [Color(texture.source) for texture in given])
    assert meter.most_images == 2


def test_pixels_in_flight_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Images of 64 pixels with a bound of 100: never two of them."""
    monkeypatch.setattr(images, "PIXELS_IN_FLIGHT", 100)
    given = textures(6)
    meter = held_by(monkeypatch, given, [Color(texture.source) for texture in given])
    assert (meter.most_images, meter.most_pixels) == (1, 64)


def test_an_image_of_two_textures_counts_both(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(images, "PIXELS_IN_FLIGHT", 200)
    given = textures(6)
    pairs: list[Recipe] = [Packed((Tap(a.source, 0), Tap(b.source, 1), 1.0)) for a, b in pairwise(given)]
    assert held_by(monkeypatch, given, pairs).most_pixels == 128


def test_an_image_beyond_the_bound_is_made_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(images, "PIXELS_IN_FLIGHT", 10)
    given = textures(4)
    recipes: list[Recipe] = [Color(texture.source) for texture in given]
    meter = held_by(monkeypatch, given, recipes)
    assert (meter.most_images, meter.most_pixels) == (1, 64)


def test_bytes_are_read_on_the_callers_thread() -> None:
    """What extract reads from is not made for several threads."""
    seen: set[int] = set()

    class Root(FakeRoot):
        def texture(self, wanted: Source) -> RawTexture:
            seen.add(threading.get_ident())
            return super().texture(wanted)

    given = textures(5)
    root = Root()
    root.add(*given)
    Images(root, Settings()).make(recipes_of(given), Diagnostics())
    assert seen == {threading.get_ident()}


# --- what is no flat texture ----------------------------------------------------------------------------------------


def of_type(kind: str, **more: Any) -> RawTexture:
    return picture(1, [(1, 2, 3)], source=Source("game", "sharedassets0.assets", 1, kind), **more)


@pytest.mark.parametrize(
    ("kind", "images", "told"),
    [
        ("Cubemap", 6, "a Cubemap stands where glTF has flat textures: the +X side is written, of 6 images"),
        ("Texture3D", 8, "a Texture3D stands where glTF has flat textures: the lowest layer is written, of 8 images"),
    ],
)
def test_what_is_not_flat_is_told(kind: str, images: int, told: str) -> None:
    raw, diagnostics = of_type(kind, images=images), Diagnostics()
    (made,) = Images(FakeRoot().add(raw), Settings()).make([Color(raw.source)], diagnostics)
    (item,) = diagnostics.items
    assert (item.code, item.message, item.source) == (codes.TEXTURE_SHAPE, told, raw.source)
    assert not made.image.placeholder


@pytest.mark.parametrize(
    ("kind", "code", "told"),
    [
        ("RenderTexture", codes.TEXTURE_RUNTIME, "the game fills a RenderTexture when it runs"),
        ("WebCamTexture", codes.TEXTURE_RUNTIME, "the game fills a WebCamTexture when it runs"),
        ("Sprite", codes.TEXTURE_MISSING, "a Sprite is no texture"),
    ],
)
def test_what_holds_no_pixels_is_not_read(kind: str, code: Code, told: str) -> None:
    raw, diagnostics = of_type(kind), Diagnostics()
    (made,) = Images(FakeRoot().add(raw), Settings()).make([Color(raw.source)], diagnostics)
    (item,) = diagnostics.items
    assert (item.code, item.source) == (code, raw.source)
    assert item.message.startswith(told)
    assert made.image.placeholder


# --- what goes wrong ------------------------------------------------------------------------------------------------


def test_an_image_that_cannot_be_made_costs_one_image(monkeypatch: pytest.MonkeyPatch) -> None:
    given = textures(3)
    make = images.make_image

    def fails(recipe: Recipe, *rest: Any) -> Image:
        if recipe == Color(given[1].source):
            raise MemoryError("64 GiB")
        return make(recipe, *rest)

    monkeypatch.setattr(images, "make_image", fails)
    diagnostics = Diagnostics()
    made = Images(FakeRoot().add(*given), Settings()).make([Color(t.source) for t in given], diagnostics)
    assert [item.image.placeholder for item in made] == [False, True, False]
    (item,) = diagnostics.items
    assert item.code is codes.TEXTURE_UNREADABLE
    assert (item.where, item.source) == (given[1].source.place("map 1"), given[1].source)
    assert item.message == "MemoryError: 64 GiB"


# --- samplers -------------------------------------------------------------------------------------------------------


def test_the_first_texture_of_an_image_gives_its_sampler() -> None:
    clamped = picture(1, [(1, 2, 3)], wrap=(1, 2), filter=0)
    other = picture(2, [(1, 2, 3)], wrap=(0, 0), filter=1)
    recipes: list[Recipe] = [
        Packed((1.0, Tap(clamped.source, 0), Tap(other.source, 0))),
        Packed((Tap(other.source, 0), Tap(clamped.source, 0), 1.0)),
        Color(Missing("lost.assets", 5, "file not found")),
    ]
    made = Images(FakeRoot().add(clamped, other), Settings()).make(recipes, Diagnostics())
    assert [(item.wrap, item.mag_filter) for item in made] == [
        ((33071, 33648), 9728),
        ((10497, 10497), 9729),
        ((10497, 10497), 9729),
    ]
