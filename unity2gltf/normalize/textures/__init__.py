"""Textures: Unity's pixel formats to encoded images.

In: :class:`raw.RawTexture`. Out: :class:`ir.Image` with encoded bytes, top row first. ``formats`` is the table of
pixel formats (``graphics`` that of other numbers for them); ``blocks``, ``plain`` and ``eac`` hold their decoders,
``crunch`` unpacks crunched data, ``platforms`` undoes the orders of consoles, ``levels`` lays out and chooses mips,
``decode`` checks sizes and decodes one, ``strip`` all images of a cubemap or array; ``quantise`` makes 8 bits of
floats, ``resize`` scales pixels. ``recipes`` says what an image of a material is made of, ``pack`` puts the channels
together and ``blend`` the layers of a terrain, ``encode`` writes them by ``png``, Pillow or ``ktx2``, as ``--textures``
says; ``image`` follows a recipe through all of these. ``sampler`` is how a texture is sampled.
"""
