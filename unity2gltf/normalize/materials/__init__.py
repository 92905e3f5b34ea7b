"""Materials: Unity's saved properties to glTF's terms.

In: :class:`raw.RawMaterial`. Out: :class:`ir.Material`. ``table`` lists the shader families, one row each, in the
terms of ``columns``; ``family`` finds a material's row by its shader's name, else by its properties; ``alpha``,
``surface`` and ``values`` work out transparency, metallic and roughness, and usable numbers; ``convert`` puts a
material together, and ``parts`` reports what it leaves out.
"""
