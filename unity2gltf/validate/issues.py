"""Issues of a file's structure and the table of their codes. Names are never changed: scripts rely on them."""

from __future__ import annotations

from dataclasses import dataclass

from ..diagnostics import Severity

_E, _W = Severity.ERROR, Severity.WARNING

CODES: dict[str, tuple[Severity, str]] = {
    "FORMAT_BROKEN": (_E, "A field has the wrong type, or a reference, offset or length leads outside."),
    "NODE_TREE": (_E, "Nodes do not form trees, or a scene names a node that is not a root."),
    "NODE_UNREACHED": (_W, "A node belongs to no scene."),
    "ACCESSOR_NOT_FINITE": (_E, "An accessor holds NaN or infinity."),
    "ACCESSOR_MIN_MAX": (_E, "min or max differ from the data, or are missing where they are needed."),
    "ATTRIBUTE_TYPE": (_E, "A vertex attribute has a type that the format does not allow."),
    "ATTRIBUTE_COUNT": (_E, "Vertex attributes or morph targets of a primitive differ in count."),
    "INDEX_RANGE": (_E, "An index points beyond the vertices or is the restart value."),
    "INDEX_COUNT": (_E, "The number of indices does not fit the mode."),
    "TARGET_COUNT": (_E, "Primitives differ in morph targets, or weights or names do not match them in number."),
    "TARGET_NAMES": (_E, "Morph target names are not unique strings."),
    "WEIGHTS_SUM": (_E, "Skin weights are negative or do not sum to 1."),
    "JOINTS_SETS": (_E, "JOINTS and WEIGHTS sets do not come in pairs."),
    "JOINTS_RANGE": (_E, "A vertex names a joint that its skin does not have."),
    "JOINTS_REPEATED": (_W, "A vertex names one joint twice."),
    "SKIN_JOINTS": (_E, "Joints of a skin repeat or do not match its inverse bind matrices in number."),
    "SKIN_MATRIX": (_E, "An inverse bind matrix is not affine, or cannot be inverted."),
    "SKIN_NODE": (_E, "The node of a skinned mesh is not a childless identity at the scene root."),
    "TEXCOORD_MISSING": (_E, "A material reads a UV set that a primitive does not have."),
    "IMAGE_SOURCE": (_E, "An image has not exactly one source, or its bytes are not of its type."),
    "TEXTURE_SOURCE": (_E, "A texture names an image of a type that it may not, at that place."),
    "KTX2_INVALID": (_E, "A KTX2 image is none that KHR_texture_basisu allows."),
    "KTX2_CURVE": (_E, "A KTX2 image of colours is not sRGB, or one of data is not linear."),
    "ANIMATION_INPUT": (_E, "Key times do not rise strictly from 0 or later."),
    "ANIMATION_OUTPUT": (_E, "A sampler's values do not match its key times or its target."),
    "ANIMATION_TARGET": (_E, "A channel's target makes no sense, or has two channels."),
    "ANIMATION_ROTATION": (_E, "A rotation key is not a unit quaternion."),
    "EXTENSION_UNDECLARED": (_E, "An extension is used but not in extensionsUsed, or required but not used."),
    "EXTENSION_UNUSED": (_W, "An extension is declared but not used."),
    "POINTER_UNRESOLVED": (_E, "A KHR_animation_pointer leads nowhere."),
    "INSTANCING_COUNT": (_E, "Attributes of EXT_mesh_gpu_instancing differ in count or type."),
    "LOD_INVALID": (_E, "MSFT_lod names itself or runs in a circle, or its coverages do not match."),
    "LIGHT_INVALID": (_E, "A light's numbers are not those that KHR_lights_punctual allows."),
    "CAMERA_INVALID": (_E, "A camera's numbers make no projection."),
    "VRM_INVALID": (_E, "An avatar breaks a rule of VRM 1.0."),
    "VRM_POSE": (_W, "An avatar does not rest in a T-pose that faces +Z."),
    "HUMANOID_INVALID": (
        _E,
        "A map of human bones names one node twice, or one that is not below its rig.",
    ),
    "SOURCE_MARK": (_E, "A source mark is missing or malformed."),
}
"""Code to severity and what it means."""


@dataclass(frozen=True, slots=True)
class Issue:
    """One thing wrong with a file. ``pointer`` is a JSON pointer into the document."""

    code: str
    pointer: str
    message: str
    severity: Severity


def issue(code: str, pointer: str, message: str) -> Issue:
    """An issue of the severity that its code has."""
    return Issue(code, pointer, message, CODES[code][0])
