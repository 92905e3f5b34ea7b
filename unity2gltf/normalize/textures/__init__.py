"""Textures: Unity's pixel formats to encoded images.

In: :class:`raw.RawTexture`. Out: :class:`ir.Image` with PNG bytes, top row first. ``formats`` is the table of
pixel formats, ``blocks`` and ``plain`` hold their decoders, ``crunch`` unpacks crunched data, ``decode`` checks sizes
and decodes the first mip, ``png`` encodes, ``image`` joins the last two for base colours.
"""
