"""Materials: Unity's saved properties to glTF's terms.

In: :class:`raw.RawMaterial`. Out: :class:`ir.Material`, and the ``textures.recipes`` of its images. ``families`` lists
the shader families, one row each, in the terms of ``columns``; ``rules`` reads more rows from a file; ``family`` finds
a material's row by its shader's name, else by its properties, else lets ``infer`` make one of what these are called.

``declared`` is what the shader's object says, ``reading`` a material as its shader reads it, and ``maps`` turns the
sources that a row names into numbers and textures. With them ``alpha``, ``coverage``, ``surface`` and ``layers`` work
out transparency, base colour and its alpha, what light meets, and what lies on top; ``values`` makes numbers usable;
``convert`` puts a material together, and ``parts`` reports what it leaves out. ``builtin`` has Unity's own default
materials.
"""
