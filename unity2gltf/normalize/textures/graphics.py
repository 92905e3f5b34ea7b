"""GraphicsFormat numbers, which textures of several images store from 2019.1 on, as TextureFormat numbers.

The two differ in the colour space, which does not change the pixels as stored. Formats of integers that are no
fractions, and those that TextureFormat has no number for, are not in the table.
"""

from __future__ import annotations

# GraphicsFormat: UNorm 5..8 and sRGB 1..4 of one to four bytes, and so on, in order.
_RUNS: tuple[tuple[int, tuple[int, ...]], ...] = (
    (1, (63, 62, 3, 4)),  # R8 .. R8G8B8A8, sRGB
    (5, (63, 62, 3, 4)),  # UNorm
    (9, (75, 76, 77, 78)),  # SNorm
    (21, (9, 72, 73, 74)),  # R16 .. R16G16B16A16, UNorm
    (25, (79, 80, 81, 82)),  # SNorm
    (45, (15, 16)),  # R16, R16G16, SFloat
    (48, (17, 18, 19, 23, 20)),  # R16G16B16A16 SFloat; R32 .. R32G32B32A32, SFloat
    (56, (8, 14, 8, 14)),  # B8G8R8, B8G8R8A8, sRGB and UNorm
    (66, (13,)),  # R4G4B4A4, 16 bits
    (68, (7,)),  # R5G6B5
    (73, (22,)),  # E5B9G9R9
    (96, (10, 10, 11, 11, 12, 12, 26)),  # DXT1, DXT3, DXT5, sRGB and UNorm each; BC4
    (104, (27,)),  # BC5
    (106, (24,)),  # BC6H without a sign
    (108, (25, 25, 30, 30, 32, 32, 31, 31, 33, 33)),  # BC7; PVRTC RGB 2, 4 bits, RGBA 2, 4 bits
    (118, (34, 45, 45, 46, 46, 47, 47, 41, 42, 43, 44)),  # ETC, ETC2, with 1-bit and 8-bit alpha; EAC R, RG
    (129, (48, 48, 49, 49, 50, 50, 51, 51, 52, 52, 53, 53)),  # ASTC 4x4 .. 12x12
    (141, (21,)),  # YUY2
    (145, (66, 67, 68, 69, 70, 71)),  # ASTC HDR
)

TEXTURE_FORMATS: dict[int, int] = {
    first + index: number for first, numbers in _RUNS for index, number in enumerate(numbers)
}
"""TextureFormat by GraphicsFormat."""
