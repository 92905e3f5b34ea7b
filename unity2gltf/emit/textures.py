"""Images, textures and samplers."""

from __future__ import annotations

import os
from typing import Any
from urllib.parse import quote

import pygltflib

from ..ir import Image, Texture
from .context import Context, marked
from .shared import shared_name

EXTENSIONS = {"image/webp": "EXT_texture_webp", "image/ktx2": "KHR_texture_basisu"}
"""How a texture names an image of a format that core glTF does not know. There is no other image to fall back on, so
that a reader must know the extension."""


def write_textures(context: Context) -> None:
    """Textures, samplers (each once), and images behind all other data, so that they can become files."""
    context.gltf.textures = [_texture(context, texture) for texture in context.asset.textures]
    context.gltf.images = [_image(context, image) for image in context.asset.images]


def uri(name: str) -> str:
    """A relative URI of a file, percent-encoded."""
    return quote(os.fsencode(name))


def _texture(context: Context, texture: Texture) -> pygltflib.Texture:
    settings = (texture.mag_filter, texture.min_filter, *texture.wrap)

    def make() -> int:
        mag, minimum, wrap_s, wrap_t = settings
        context.gltf.samplers.append(pygltflib.Sampler(magFilter=mag, minFilter=minimum, wrapS=wrap_s, wrapT=wrap_t))
        return len(context.gltf.samplers) - 1

    written = pygltflib.Texture(source=texture.image, sampler=context.once(("sampler", settings), make))
    name = EXTENSIONS.get(context.asset.images[texture.image].mime)
    if name is not None:
        written.source, written.extensions = None, {name: {"source": texture.image}}
        context.extensions.add(name)
        context.required.add(name)
    return written


def _image(context: Context, image: Image) -> pygltflib.Image:
    written = pygltflib.Image(name=context.text(image.name), mimeType=image.mime, extras=_extras(image))
    if context.shared_prefix is None:  # images of the same bytes share one view
        written.bufferView = context.once(("image", image.data), lambda: context.buffers.add(image.data))
    else:
        name = shared_name(image)
        context.shared_images[name] = image.data
        written.uri = context.shared_prefix + uri(name)
    return written


def _extras(image: Image) -> dict[str, Any]:
    more: dict[str, Any] = {"placeholder": True} if image.placeholder else {}
    if len(image.sources) == 1:
        return marked(image.sources[0], **more)
    return marked(None, sources=[source.mark() for source in image.sources], **more)
