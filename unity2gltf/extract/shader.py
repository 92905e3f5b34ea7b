"""Shader objects: the name, the declared properties, and how the first pass draws.

The compiled programs are not looked at: what a shader does with its properties is not in here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ..diagnostics import Fault
from ..raw import RawPass, RawSetting, RawShader, RawShaderProperty
from ..source import Source

if TYPE_CHECKING:
    from .content import ContentRoot

_FIRST = ("Array", "data")  # of a vector, by the names that the type tree gives its parts
_PASSES = ("m_ParsedForm", "m_SubShaders", *_FIRST, "m_Passes")
_SCRIPT_NAME = re.compile(r'\s*Shader\s+"([^"]+)"')
_NO_PROPERTY = "<noninit>"


def read_shader(root: ContentRoot, source: Source) -> RawShader:
    """A shader of any version; before 5.5 nothing but its name is stored. What cannot be read is left out."""
    return RawShader(
        name=_name(root, source), properties=_properties(root, source), first_pass=_first_pass(root, source)
    )


def _peek(root: ContentRoot, source: Source, *path: str) -> Any:
    """A field, or None: an unreadable shader is an unknown one."""
    try:
        return root.peek(source, *path)
    except Fault:
        return None


def _name(root: ContentRoot, source: Source) -> str | None:
    """m_ParsedForm.m_Name from 5.5 on. Before, m_Script is ShaderLab text that begins with the name; m_Name is the
    name of the shader's own file there."""
    name = _peek(root, source, "m_ParsedForm", "m_Name")
    if name is None:
        script = _SCRIPT_NAME.match(str(_peek(root, source, "m_Script") or ""))
        name = script[1] if script else _peek(root, source, "m_Name")
    return str(name or "") or None


def _properties(root: ContentRoot, source: Source) -> dict[str, RawShaderProperty] | None:
    info = _peek(root, source, "m_ParsedForm", "m_PropInfo")
    if info is None:
        return None
    return {str(entry["m_Name"]): _property(entry) for entry in info["m_Props"]}


def _property(entry: Mapping[str, Any]) -> RawShaderProperty:
    x, y, z, w = (float(entry[f"m_DefValue[{index}]"]) for index in range(4))
    return RawShaderProperty(
        type=int(entry["m_Type"]),
        flags=int(entry["m_Flags"]),
        default=(x, y, z, w),
        texture=str(entry["m_DefTexture"]["m_DefaultName"]),
        label=str(entry["m_Description"]),
    )


def _first_pass(root: ContentRoot, source: Source) -> RawPass | None:
    """The state of the first pass of the first subshader; its tags hold the subshader's too."""
    for vector in (_PASSES[:2], _PASSES):
        if not _peek(root, source, *vector, "Array", "size"):
            return None
    state = _peek(root, source, *_PASSES, *_FIRST, "m_State")
    if state is None:
        return None
    blend = state["rtBlend0"]
    return RawPass(
        tags={str(key).upper(): str(value) for key, value in state["m_Tags"]["tags"]},
        cull=_setting(state["culling"]),
        source_blend=_setting(blend["srcBlend"]),
        destination_blend=_setting(blend["destBlend"]),
    )


def _setting(stored: Mapping[str, Any]) -> RawSetting:
    name = str(stored["name"])
    return RawSetting(value=float(stored["val"]), property="" if name == _NO_PROPERTY else name)
