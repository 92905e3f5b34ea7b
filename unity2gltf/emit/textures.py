"""Images, textures and samplers."""

from __future__ import annotations

import pygltflib

from ..ir import Image, Texture
from .context import Context, marked


def write_textures(context: Context) -> None:
    """Textures, samplers (each once), and images behind all other data, so that they can become files."""
    context.gltf.textures = [_texture(context, texture) for texture in context.asset.textures]
    context.gltf.images = [_image(context, image) for image in context.asset.images]


def _texture(context: Context, texture: Texture) -> pygltflib.Texture:
    settings = (texture.mag_filter, texture.min_filter, *texture.wrap)

    def make() -> int:
        mag, minimum, wrap_s, wrap_t = settings
        context.gltf.samplers.append(pygltflib.Sampler(magFilter=mag, minFilter=minimum, wrapS=wrap_s, wrapT=wrap_t))
        return len(context.gltf.samplers) - 1

    return pygltflib.Texture(source=texture.image, sampler=context.once(("sampler", settings), make))


def _image(context: Context, image: Image) -> pygltflib.Image:
    """Images of the same bytes share one view."""
    if len(image.sources) == 1:
        extras = marked(image.sources[0])
    else:
        extras = marked(None, sources=[source.mark() for source in image.sources])
    view = context.once(("image", image.data), lambda: context.buffers.add(image.data))
    return pygltflib.Image(name=context.text(image.name), mimeType=image.mime, bufferView=view, extras=extras)
