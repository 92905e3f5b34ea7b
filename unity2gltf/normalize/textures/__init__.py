"""Textures: Unity's pixel formats to encoded images.

In: :class:`raw.RawTexture`. Out: :class:`ir.Image` with encoded bytes, top row first. ``formats`` is the table of
pixel formats, ``blocks`` and ``plain`` hold their decoders, ``crunch`` unpacks crunched data, ``levels`` lays out and
chooses mips, ``decode`` checks sizes and decodes one, ``resize`` scales pixels. ``encode`` writes them by ``png``,
Pillow or ``ktx2``, as ``--textures`` says; ``image`` joins the two for base colours.
"""
