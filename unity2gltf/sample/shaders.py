"""Shader objects without programs: what they declare, and how their first pass draws."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

COLOR, FLOAT, RANGE, TEXTURE = 0, 2, 3, 4  # UnityEngine.Rendering.ShaderPropertyType
HIDDEN, NORMAL, HDR, GAMMA, MAIN_TEXTURE, MAIN_COLOR = 1, 8, 16, 32, 128, 256  # ShaderPropertyFlags
CULL_OFF, CULL_BACK = 0.0, 2.0  # UnityEngine.Rendering.CullMode
_NO_DIMENSION, _TEX_2D = 1, 2
_NO_PROPERTY = "<noninit>"

Setting = float | str
"""A number, or the name of the property that holds it."""


@dataclass(frozen=True, slots=True)
class Property:
    """A declared property; a texture's default is a word such as ``white``."""

    name: str
    label: str
    type: int
    default: Sequence[float] = ()
    texture: str = ""
    flags: int = 0


@dataclass(frozen=True, slots=True)
class ShaderContent:
    """``tags`` are those of the first pass, the subshader's among them."""

    name: str
    properties: tuple[Property, ...]
    tags: Mapping[str, str] = field(default_factory=dict)
    cull: Setting = CULL_BACK
    blend: tuple[Setting, Setting] = ("_SrcBlend", "_DstBlend")


def shader_fields(shader: ShaderContent) -> dict[str, Any]:
    """The fields of a Shader from 5.5 on."""
    source, destination = map(_setting, shader.blend)
    state = {
        "rtBlend0": {"srcBlend": source, "destBlend": destination, "colMask": _setting(15.0)},
        "zTest": _setting(4.0),
        "zWrite": _setting(1.0),
        "culling": _setting(shader.cull),
        "m_Tags": {"tags": list(shader.tags.items())},
    }
    properties = {"m_Props": [_property(item) for item in shader.properties]}
    passes = [{"m_Passes": [{"m_State": state}]}]
    return {"m_ParsedForm": {"m_Name": shader.name, "m_PropInfo": properties, "m_SubShaders": passes}}


def _setting(value: Setting) -> dict[str, Any]:
    named = isinstance(value, str)
    return {"val": 0.0 if named else value, "name": value if named else _NO_PROPERTY}


def _property(item: Property) -> dict[str, Any]:
    values = [*item.default, 0.0, 0.0, 0.0, 0.0][:4]
    dimension = _TEX_2D if item.type == TEXTURE else _NO_DIMENSION
    return {
        "m_Name": item.name,
        "m_Description": item.label,
        "m_Type": item.type,
        "m_Flags": item.flags,
        **{f"m_DefValue[{index}]": value for index, value in enumerate(values)},
        "m_DefTexture": {"m_DefaultName": item.texture, "m_TexDim": dimension},
    }


def color(name: str, label: str, default: Sequence[float] = (1.0, 1.0, 1.0, 1.0), flags: int = 0) -> Property:
    return Property(name, label, COLOR, default, flags=flags)


def number(name: str, label: str, default: float = 0.0, flags: int = 0) -> Property:
    return Property(name, label, FLOAT, (default,), flags=flags)


def share(name: str, label: str, default: float = 0.0, flags: int = 0) -> Property:
    """A range of 0..1."""
    return Property(name, label, RANGE, (default, 0.0, 1.0), flags=flags)


def texture(name: str, label: str, default: str = "white", flags: int = 0) -> Property:
    return Property(name, label, TEXTURE, texture=default, flags=flags)
