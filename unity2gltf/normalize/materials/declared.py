"""What a shader's object says of a material: its properties, with types, marks and defaults, and its first pass."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from ...raw import RawMaterial, RawPass, RawSetting, RawShaderProperty, RawTextureSlot

HIDDEN, NORMAL_MAP, HDR, GAMMA, MAIN_TEXTURE, MAIN_COLOR = 1, 8, 16, 32, 128, 256
"""UnityEngine.Rendering.ShaderPropertyFlags."""

_NUMBERS, _TEXTURE = (2, 3, 5), 4  # ShaderPropertyType: float, range, integer; the others are colours and vectors


def declared(raw: RawMaterial, name: str) -> RawShaderProperty | None:
    """What the shader says of a property; None where its object is not there or declares no such one."""
    return raw.program.properties.get(name) if raw.program and raw.program.properties else None


def flags_of(raw: RawMaterial, name: str) -> int:
    """A property's marks; 0 where they are not known."""
    found = declared(raw, name)
    return found.flags if found else 0


def first_pass(raw: RawMaterial) -> RawPass | None:
    """How the shader's first pass draws, where its object is there."""
    return raw.program.first_pass if raw.program else None


def setting_of(raw: RawMaterial, setting: RawSetting) -> float:
    """A render state of a pass as this material has it."""
    return raw.floats.get(setting.property, setting.value)


def first_of(names: Iterable[str], there: Iterable[str]) -> str | None:
    """The first of ``names`` that is ``there``."""
    return next((name for name in names if name in there), None)


def as_declared(raw: RawMaterial) -> RawMaterial:
    """The material without properties that its shader does not declare (they outlive a change of shader), and with the
    shader's defaults for those that it lacks; as it is where the shader's object is not there or declares nothing."""
    program = raw.program
    if program is None or not program.properties:
        return raw
    properties = program.properties
    floats = {name: item.default[0] for name, item in properties.items() if item.type in _NUMBERS}
    colors = {name: item.default for name, item in properties.items() if item.type not in (*_NUMBERS, _TEXTURE)}
    unset = RawTextureSlot(texture=None, scale=(1.0, 1.0), offset=(0.0, 0.0))
    textures = {name: unset for name, item in properties.items() if item.type == _TEXTURE}
    return replace(
        raw,
        floats=floats | {name: value for name, value in raw.floats.items() if name in floats},
        colors=colors | {name: value for name, value in raw.colors.items() if name in colors},
        textures=textures | {name: slot for name, slot in raw.textures.items() if name in textures},
    )
