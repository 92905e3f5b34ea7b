"""Light and Camera components."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ..raw import RawCamera, RawLight
from ..source import Reference, Source
from .objects import Fields, expect_fields

if TYPE_CHECKING:
    from .content import ContentRoot, GameFile

PHYSICAL = 2
"""Camera.m_projectionMatrixMode: sensor and focal length make the projection."""


def read_light(root: ContentRoot, file: GameFile, source: Source, beside: Iterable[Source]) -> RawLight:
    """The Light; ``beside``: all components of its GameObject. Raises Fault."""
    with expect_fields(source):
        fields = root.read(source)
        inner = fields.get("m_InnerSpotAngle")
        warm = bool(fields.get("m_UseColorTemperature", False))
        return RawLight(
            source=source,
            enabled=bool(fields["m_Enabled"]),
            type=int(fields["m_Type"]),
            shape=int(fields.get("m_Shape", 0)),
            color=fields["m_Color"],
            intensity=float(fields["m_Intensity"]),
            range=float(fields["m_Range"]),
            spot_angle=float(fields["m_SpotAngle"]),
            inner_angle=None if inner is None else float(inner),
            temperature=float(fields["m_ColorTemperature"]) if warm else None,
            scripts=_scripts(root, beside),
            more=_more_of_light(root, file, fields),
        )


def _scripts(root: ContentRoot, beside: Iterable[Source]) -> frozenset[str]:
    """Class names of the MonoBehaviours whose scripts are in the input."""
    return frozenset(name for part in beside if part.type == "MonoBehaviour" and (name := script_class(root, part)))


def script_class(root: ContentRoot, behaviour: Source) -> str:
    """The class of a MonoBehaviour's script; empty where it is not in the input. Raises Fault."""
    pointer = root.peek(behaviour, "m_Script")
    script = None if pointer is None else root.resolve(root.file(behaviour), pointer)
    if not isinstance(script, Source):
        return ""
    return str(root.peek(script, "m_ClassName") or root.name(script))


def _more_of_light(root: ContentRoot, file: GameFile, fields: Fields) -> dict[str, Any]:
    shadows = fields["m_Shadows"]
    cookie = root.resolve(file, fields["m_Cookie"])
    more: dict[str, Any] = {
        "lightmapping": fields.get("m_Lightmapping"),
        "baked": _is_baked(fields),
        "shadows": shadows["m_Type"],
        "shadow_strength": shadows.get("m_Strength"),
        "cookie": _mark(cookie),
        "cookie_size": fields.get("m_CookieSize2D", fields.get("m_CookieSize")) if cookie else None,
        "culling_mask": fields["m_CullingMask"]["m_Bits"],
        "render_mode": fields["m_RenderMode"],
        "area_size": fields.get("m_AreaSize"),
        "bounce_intensity": fields.get("m_BounceIntensity"),
    }
    return {key: value for key, value in more.items() if value is not None}


def _is_baked(fields: Fields) -> bool | None:
    """Whether the light went into the scene's lightmaps; None before 5.6, which has only m_Lightmapping."""
    output = fields.get("m_BakingOutput")
    return None if output is None or "isBaked" not in output else bool(output["isBaked"])


def read_camera(root: ContentRoot, file: GameFile, source: Source) -> RawCamera:
    """The Camera. Raises Fault."""
    with expect_fields(source):
        fields = root.read(source)
        physical = fields.get("m_projectionMatrixMode") == PHYSICAL
        return RawCamera(
            source=source,
            enabled=bool(fields["m_Enabled"]),
            near=float(fields["near clip plane"]),
            far=float(fields["far clip plane"]),
            field_of_view=float(fields["field of view"]),
            orthographic=bool(fields["orthographic"]),
            orthographic_size=float(fields["orthographic size"]),
            sensor=fields["m_SensorSize"] if physical else None,
            focal_length=float(fields["m_FocalLength"]) if physical else 0.0,
            gate_fit=int(fields.get("m_GateFitMode", 0)),
            lens_shift=fields["m_LensShift"] if physical else (0.0, 0.0),
            aspect=_aspect(root, file, fields),
            more=_more_of_camera(root, file, fields),
        )


def _aspect(root: ContentRoot, file: GameFile, fields: Fields) -> float | None:
    """Of the part of a RenderTexture that the camera draws into; a screen's is not known."""
    texture = root.resolve(file, fields["m_TargetTexture"])
    if not isinstance(texture, Source) or texture.type != "RenderTexture":
        return None
    width, height = root.peek(texture, "m_Width") or 0, root.peek(texture, "m_Height") or 0
    view = fields["m_NormalizedViewPortRect"]
    width, height = width * view["width"], height * view["height"]
    return float(width / height) if width > 0 and height > 0 else None


def _more_of_camera(root: ContentRoot, file: GameFile, fields: Fields) -> dict[str, Any]:
    view = fields["m_NormalizedViewPortRect"]
    more: dict[str, Any] = {
        "clear_flags": fields["m_ClearFlags"],
        "background": fields["m_BackGroundColor"],
        "culling_mask": fields["m_CullingMask"]["m_Bits"],
        "depth": fields["m_Depth"],
        "viewport": [view[key] for key in ("x", "y", "width", "height")],
        "target_texture": _mark(root.resolve(file, fields["m_TargetTexture"])),
    }
    return {key: value for key, value in more.items() if value is not None}


def _mark(reference: Reference) -> dict[str, str] | None:
    return reference.mark() if isinstance(reference, Source) else None
