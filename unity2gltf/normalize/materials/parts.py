"""What a material has that is not written, or not exactly: other texture slots, numbers, a style of lighting.

Saved properties outlive a change of shader, so only what the family's shaders may read counts; all of it does where
the shader is not known by name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from ... import codes
from ...raw import RawMaterial
from ...source import Source
from .columns import Style
from .family import main_texture
from .infer import UNKNOWN
from .reading import Reading, style_of
from .values import json_numbers

_STYLES = {
    Style.TOON: "its light falls in steps, which glTF does not have: written as an even surface",
    Style.SIMPLE_LIT: "its highlight is a power of the half angle: written as a roughness of about the same width",
    Style.PHONG: "its highlight is a power of the half angle: written as a roughness of about the same width",
}
_HIDDEN = re.compile(r"unity_(Lightmaps|LightmapsInd|ShadowMasks)|_CameraDepthTexture|_GrabTexture")


def report_parts_left(reading: Reading, unlit: bool) -> None:
    """MATERIAL_PARTS_LEFT where there are any, and MATERIAL_STYLE."""
    family = reading.family
    slots = list(_slots(reading))
    numbers = reading.left | ({} if unlit else dict(_numbers(reading)))
    if slots or numbers:
        names = [slot["slot"] for slot in slots] + sorted(numbers)
        message = f"the material's look also comes from {', '.join(names)}: not written"
        reading.diagnostics.add(codes.MATERIAL_PARTS_LEFT, message, slots=slots, numbers=numbers)
    outline = reading.number(family.outline, 0.0)
    style = None if unlit else style_of(reading)
    if style or outline > 0:
        why = [_STYLES[style]] if style else []
        why += ["its outline is not written"] if outline > 0 else []
        reading.diagnostics.add(
            codes.MATERIAL_STYLE, "; ".join(why), family=family.name, outline=json_numbers([outline])[0]
        )


def _slots(reading: Reading) -> Iterator[dict[str, str]]:
    """Textures of slots that may be read and were not, but for copies of the base texture under the usual names."""
    raw = reading.raw
    main = main_texture(raw, reading.family)
    maps = re.compile(reading.family.maps if reading.named else r".*")
    switched_on = {s.map for s in reading.family.unwritten if reading.reads_map(s.map, s.switch)}
    for name, slot in sorted(raw.textures.items()):
        if slot.texture is None or name in reading.used or _HIDDEN.fullmatch(name):
            continue
        if not maps.fullmatch(name) and name not in switched_on:
            continue
        if main is not None and name in UNKNOWN.textures and slot == raw.textures[main]:
            continue
        texture = str(slot.texture.path_id) if isinstance(slot.texture, Source) else slot.texture.file
        yield {"slot": name, "texture": texture}


def _numbers(reading: Reading) -> Iterator[tuple[str, Any]]:
    for name in reading.family.numbers:
        if reading.raw.floats.get(name, 0.0) > 0:
            yield name, json_numbers([reading.raw.floats[name]])[0]


def kept_properties(raw: RawMaterial) -> dict[str, Any]:
    """All that Unity stores of a material, for ``--extras materials``; numbers that JSON lacks are null."""
    return {
        "shader": raw.shader,
        "keywords": sorted(raw.keywords),
        "tags": dict(sorted(raw.tags.items())),
        "render_queue": raw.render_queue,
        "textures": {
            name: {
                "texture": slot.texture.mark() if isinstance(slot.texture, Source) else _missing(slot.texture),
                "scale": json_numbers(slot.scale),
                "offset": json_numbers(slot.offset),
            }
            for name, slot in sorted(raw.textures.items())
        },
        "floats": {name: json_numbers([value])[0] for name, value in sorted(raw.floats.items())},
        "colors": {name: json_numbers(value) for name, value in sorted(raw.colors.items())},
    }


def _missing(reference: Any) -> dict[str, str] | None:
    return None if reference is None else {"file": reference.file, "path_id": str(reference.path_id)}
