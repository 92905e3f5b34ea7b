"""Names of properties that clips animate, and how Unity hashes them.

A clip names a component's property by the CRC-32 of its name (``m_IsActive``, ``m_Color.r``), and a material's property
(customType 22) by a packed number: the low 28 bits of the CRC-32 of the property's name, the component's number in bits
28 and 29, bit 30 for a colour's r g b a rather than a vector's x y z w, bit 31 for a plain number. A packed number is
looked up, never taken apart, so that a wrong reading of the upper bits finds no name rather than a wrong one.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..math3d import name_hash

RGBA, XYZW, XYZ, XY = "rgba", "xyzw", "xyz", "xy"

COMPONENT_PROPERTIES: dict[str, tuple[tuple[str, str], ...]] = {
    "any component": (("m_IsActive", ""), ("m_Enabled", "")),
    "a Transform": (
        ("m_LocalPosition", XYZ),
        ("m_LocalRotation", XYZW),
        ("m_LocalScale", XYZ),
        ("localEulerAngles", XYZ),
        ("localEulerAnglesRaw", XYZ),
        ("localEulerAnglesBaked", XYZ),
    ),
    "a RectTransform": (
        ("m_AnchoredPosition", XY),
        ("m_SizeDelta", XY),
        ("m_AnchorMin", XY),
        ("m_AnchorMax", XY),
        ("m_Pivot", XY),
    ),
    "a light, sprite or graphic": (("m_Color", RGBA),),
    "a Light": (
        ("m_Intensity", ""),
        ("m_Range", ""),
        ("m_SpotAngle", ""),
        ("m_InnerSpotAngle", ""),
        ("m_CookieSize", ""),
        ("m_BounceIntensity", ""),
        ("m_ColorTemperature", ""),
        ("m_Shadows.m_Strength", ""),
        ("m_Shadows.m_Bias", ""),
        ("m_Shadows.m_NormalBias", ""),
        ("m_Shadows.m_NearPlane", ""),
        ("m_DrawHalo", ""),
    ),
    "a Camera": (
        ("field of view", ""),
        ("near clip plane", ""),
        ("far clip plane", ""),
        ("orthographic size", ""),
        ("orthographic", ""),
        ("m_BackGroundColor", RGBA),
        ("m_Depth", ""),
        ("m_FocalLength", ""),
        ("m_SensorSize", XY),
        ("m_LensShift", XY),
    ),
    "a renderer": (
        ("m_CastShadows", ""),
        ("m_ReceiveShadows", ""),
        ("m_SortingOrder", ""),
        ("m_FlipX", ""),
        ("m_FlipY", ""),
        ("m_Size", XY),
        ("m_Sprite", ""),
        ("m_Materials.Array.data[0]", ""),
        ("m_Materials.Array.data[1]", ""),
        ("m_Materials.Array.data[2]", ""),
        ("m_Materials.Array.data[3]", ""),
    ),
    "a CanvasGroup": (("m_Alpha", ""), ("m_Interactable", ""), ("m_BlocksRaycasts", "")),
    "a graphic": (("m_FillAmount", ""), ("m_UVRect", XY), ("m_EffectColor", RGBA), ("m_fontColor", RGBA)),
    "an AudioSource": (("m_Volume", ""), ("m_Pitch", "")),
    "an Animator": (
        ("MotionT", XYZ),
        ("MotionQ", XYZW),
        ("RootT", XYZ),
        ("RootQ", XYZW),
    ),
}
"""Serialized names, or Unity's words for them, by where they are found; with the letters of their components."""


def component_properties() -> Iterator[tuple[int, str, str]]:
    """(hash, name, origin) of the well-known properties, each whole and by component."""
    for owner, properties in COMPONENT_PROPERTIES.items():
        for name, letters in properties:
            for text in (name, *(f"{name}.{letter}" for letter in letters)):
                yield name_hash(text), text, f"a well-known property of {owner}"


def material_numbers(name: str, kind: str) -> Iterator[tuple[int, str]]:
    """(packed number, name with its component) of a material's property; ``kind``: float, color or texture."""
    if kind == "texture":
        name = f"{name}_ST"
    low = name_hash(name) & 0x0FFF_FFFF
    if kind == "float":
        yield low | 0x8000_0000, name
        return
    for letters, mark in ((RGBA, 0x4000_0000), (XYZW, 0)) if kind == "color" else ((XYZW, 0),):
        for number, letter in enumerate(letters):
            yield low | number << 28 | mark, f"{name}.{letter}"


def material_hashes(name: str, kind: str) -> Iterator[tuple[int, str]]:
    """(CRC-32, name) of a material's property as text, whole and by component."""
    if kind == "texture":
        yield name_hash(name), name
        name = f"{name}_ST"
    yield name_hash(name), name
    if kind != "float":
        for letter in (RGBA if kind == "color" else "") + XYZW:
            text = f"{name}.{letter}"
            yield name_hash(text), text
