"""The images of a content root: each recipe made once, two at a time.

Block decoders, deflate and numpy's inner loops let go of the interpreter lock, so that one image is encoded while the
next is decoded. Bytes are read on the caller's thread. What is in flight is bounded by pixels, not by their number.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass

from .. import codes
from ..diagnostics import Diagnostic, Diagnostics, Fault
from ..ir import Image
from ..raw import RawProvider, RawTexture
from ..source import Missing, Source
from .missing import report_missing
from .textures.image import Settings, make_image, placeholder
from .textures.recipes import Blend, Recipe, TextureKey, first_texture
from .textures.sampler import BLEND_SAMPLER, sampler_of

_RUNTIME = frozenset(
    {"RenderTexture", "CustomRenderTexture", "MovieTexture", "SparseTexture", "WebCamTexture", "ProceduralTexture"}
)
_FIRST = {
    "Cubemap": "the +X side",
    "CubemapArray": "the +X side of the first cubemap",
    "Texture2DArray": "the first image",
    "Texture3D": "the lowest layer",
}
"""What is written of a texture that is not flat."""

WORKERS = 2
PIXELS_IN_FLIGHT = 1 << 24  # 4096 x 4096; a larger image is made alone
BUDGET = 96 << 20  # bytes of encoded images that are kept, oldest use out first


@dataclass(frozen=True, slots=True)
class SampledImage:
    """An encoded image with the sampler that its first texture asks for (glTF numbers)."""

    image: Image
    wrap: tuple[int, int]
    mag_filter: int
    min_filter: int


@dataclass(frozen=True, slots=True)
class _Made:
    sampled: SampledImage
    diagnostics: list[Diagnostic]


class Images:
    """Made for one content root and one set of options."""

    def __init__(self, provider: RawProvider, settings: Settings) -> None:
        self._provider = provider
        self._settings = settings
        self._made: OrderedDict[Recipe, _Made] = OrderedDict()
        self._pool: ThreadPoolExecutor | None = None

    def make(self, recipes: Sequence[Recipe], diagnostics: Diagnostics) -> list[SampledImage]:
        """The images of ``recipes`` in their order. What was reported while one was made is reported for every asset
        that uses it."""
        made = dict(self._known(recipes)) | dict(self._new([r for r in recipes if r not in self._made]))
        for recipe in recipes:
            self._made[recipe] = made[recipe]
            self._made.move_to_end(recipe)
            diagnostics.extend(made[recipe].diagnostics)
        held = sum(len(item.sampled.image.data) for item in self._made.values())
        while held > BUDGET and len(self._made) > 1:
            held -= len(self._made.popitem(last=False)[1].sampled.image.data)
        return [made[recipe].sampled for recipe in recipes]

    def _known(self, recipes: Sequence[Recipe]) -> Iterator[tuple[Recipe, _Made]]:
        return ((recipe, self._made[recipe]) for recipe in recipes if recipe in self._made)

    def _new(self, recipes: Sequence[Recipe]) -> Iterator[tuple[Recipe, _Made]]:
        if len(recipes) > 1 and self._pool is None:
            self._pool = ThreadPoolExecutor(WORKERS, thread_name_prefix="image")
        running: deque[tuple[Recipe, int, Future[_Made]]] = deque()
        for recipe in recipes:
            inner = Diagnostics()
            raws = self._raws(recipe, inner)
            pixels = sum(raw.width * raw.height for raw in raws.values() if raw is not None)
            if self._pool is None:
                yield recipe, self._one(recipe, raws, inner)
                continue
            while running and (len(running) > WORKERS or sum(n for _, n, _ in running) + pixels > PIXELS_IN_FLIGHT):
                done, _, future = running.popleft()
                yield done, future.result()
            running.append((recipe, pixels, self._pool.submit(self._one, recipe, raws, inner)))
        for done, _, future in running:
            yield done, future.result()

    def _raws(self, recipe: Recipe, diagnostics: Diagnostics) -> dict[TextureKey, RawTexture | None]:
        """The textures of a recipe as stored; None, after a diagnostic, for one that cannot be had."""
        raws: dict[TextureKey, RawTexture | None] = dict.fromkeys(recipe.textures)
        for key in raws:
            if isinstance(key, Missing):
                report_missing(key, "texture", diagnostics, codes.TEXTURE_MISSING)
                continue
            with diagnostics.guard(codes.TEXTURE_UNREADABLE, key.place(self._provider.name(key)), key):
                if _is_stored(key, diagnostics):
                    raws[key] = raw = self._provider.texture(key)
                    _report_shape(raw, diagnostics)
        return raws

    def _one(self, recipe: Recipe, raws: dict[TextureKey, RawTexture | None], diagnostics: Diagnostics) -> _Made:
        first = first_texture(recipe)
        raw = raws[first]
        place, source = (None, None) if raw is None else (raw.source.place(raw.name), raw.source)
        made: list[Image] = []
        failures = Diagnostics()
        with failures.guard(codes.TEXTURE_UNREADABLE, place, source):  # packing and encoding can fail, too
            made.append(make_image(recipe, raws, self._settings, diagnostics))
        diagnostics.extend(failures.items)
        image = made[0] if made else placeholder(recipe, raws)
        if isinstance(recipe, Blend):  # one image over the whole terrain, whatever its layers do
            return _Made(SampledImage(image, *BLEND_SAMPLER), diagnostics.items)
        return _Made(SampledImage(image, *sampler_of(raw)), diagnostics.items)


def _is_stored(key: Source, diagnostics: Diagnostics) -> bool:
    """Has the object pixels? Reported where not. Raises :class:`Fault` for what is no texture."""
    if key.type in _RUNTIME:
        text = f"the game fills a {key.type} when it runs; a placeholder is written"
        diagnostics.add(codes.TEXTURE_RUNTIME, text, type=key.type)
        return False
    if key.type != "Texture2D" and key.type not in _FIRST:
        raise Fault(codes.TEXTURE_MISSING, f"a {key.type} is no texture", type=key.type)
    return True


def _report_shape(raw: RawTexture, diagnostics: Diagnostics) -> None:
    kind = raw.source.type
    if kind in _FIRST:
        text = f"a {kind} stands where glTF has flat textures: {_FIRST[kind]} is written, of {raw.images} images"
        diagnostics.add(codes.TEXTURE_SHAPE, text, type=kind, images=raw.images)
