"""Materials: Unity's saved properties to glTF's terms.

In: :class:`raw.RawMaterial`. Out: :class:`ir.Material`. ``table`` lists the shader families, one row each; ``family``
finds a material's row by its shader's name, else by its properties; ``alpha`` and ``values`` work out transparency
and usable numbers; ``convert`` puts a material together.
"""
