"""Lights and cameras in glTF's units: numbers by hand, and what no light or camera should hold."""

from __future__ import annotations

import itertools
import math
from typing import Any

import pytest

from tests.builders.raw import source
from unity2gltf.diagnostics import Diagnostics
from unity2gltf.ir import Camera, Light, LightKind
from unity2gltf.normalize.cameras import convert_camera
from unity2gltf.normalize.lighting import convert_light
from unity2gltf.normalize.temperature import kelvin_to_rgb
from unity2gltf.raw import RawCamera, RawLight, RawSettings

SPOT, DIRECTIONAL, POINT, RECTANGLE = range(4)
LINEAR = RawSettings(linear=True, linear_intensity=True, color_temperature=True, pipeline="")
USUAL = RawSettings(linear=True, linear_intensity=False, color_temperature=False, pipeline="")
AWFUL = (math.nan, math.inf, -math.inf, -1.0, 0.0, 1e-30, 1e30)


def raw_light(type_: int = DIRECTIONAL, **changes: Any) -> RawLight:
    values: dict[str, Any] = {
        "source": source(7, "Light"),
        "enabled": True,
        "type": type_,
        "color": (1.0, 0.5, 0.0, 1.0),
        "intensity": 1.0,
        "range": 10.0,
        "spot_angle": 60.0,
        "inner_angle": 30.0,
    }
    return RawLight(**(values | changes))


def light_of(raw: RawLight, settings: RawSettings = LINEAR) -> tuple[Light | None, list[str]]:
    diagnostics = Diagnostics()
    return convert_light(raw, "Sun", settings, diagnostics), [item.code.name for item in diagnostics.items]


def camera_of(**changes: Any) -> tuple[Camera, list[str]]:
    values: dict[str, Any] = {
        "source": source(8, "Camera"),
        "enabled": True,
        "near": 0.25,
        "far": 100.0,
        "field_of_view": 60.0,
        "orthographic": False,
        "orthographic_size": 5.0,
    }
    diagnostics = Diagnostics()
    made = convert_camera(RawCamera(**(values | changes)), "Eye", diagnostics)
    return made, [item.code.name for item in diagnostics.items]


def test_a_directional_light_is_pi_lux_and_linear() -> None:
    light, told = light_of(raw_light(intensity=2.0))
    assert light is not None and light.kind is LightKind.DIRECTIONAL and light.range is None
    assert light.intensity == pytest.approx(2 * math.pi)
    assert light.color == pytest.approx((1.0, 0.21404114, 0.0))
    assert told == []


def test_by_default_unity_multiplies_in_gamma() -> None:
    light, _ = light_of(raw_light(intensity=2.0), USUAL)
    assert light is not None
    assert light.intensity == pytest.approx(math.pi * 2**2.2)  # 4.6 times as bright
    assert light.color[1] * light.intensity == pytest.approx(math.pi * 1.0)  # gamma 0.5 x 2 is 1
    half, _ = light_of(raw_light(intensity=0.5), USUAL)
    assert half is not None and half.intensity == pytest.approx(math.pi * 0.21404114)


def test_hdrp_holds_lux_and_candela() -> None:
    for settings, scripts in (
        (RawSettings(pipeline="HDRenderPipelineAsset"), ()),
        (RawSettings(), ("HDAdditionalLightData",)),
    ):
        light, told = light_of(raw_light(POINT, intensity=300.0, scripts=frozenset(scripts)), settings)
        assert light is not None and light.intensity == 300.0 and told == []


def test_urp_is_linear_and_fades_as_gltf_does() -> None:
    light, told = light_of(raw_light(POINT, intensity=3.0), RawSettings(pipeline="UniversalRenderPipelineAsset"))
    assert light is not None and light.intensity == pytest.approx(3 * math.pi) and light.range == 10.0
    assert told == []


def test_the_built_in_falloff_and_unknown_settings_are_told() -> None:
    assert light_of(raw_light(POINT))[1] == ["LIGHT_FALLOFF"]
    assert light_of(raw_light(intensity=0.5), RawSettings())[1] == ["LIGHT_SETTINGS"]
    assert light_of(raw_light(), RawSettings())[1] == []  # intensity 1 is the same either way


def test_a_spot_has_half_angles() -> None:
    light, _ = light_of(raw_light(SPOT))
    assert light is not None
    assert (light.inner, light.outer) == pytest.approx((math.pi / 12, math.pi / 6))


def test_an_inner_angle_that_is_not_stored_is_that_of_unitys_cookie() -> None:
    light, told = light_of(raw_light(SPOT, inner_angle=None))
    assert light is not None and "LIGHT_SPOT_INNER" in told
    assert math.tan(light.inner) / math.tan(light.outer) == pytest.approx(46 / 64)


def test_a_hard_edge_stays_below_the_outer_angle() -> None:
    light, told = light_of(raw_light(SPOT, inner_angle=60.0))
    assert light is not None and 0.99 * light.outer < light.inner < light.outer and "LIGHT_SPOT_INNER" in told


def test_area_lights_and_boxes_are_left_out_and_told() -> None:
    assert light_of(raw_light(RECTANGLE)) == (None, ["LIGHT_LEFT_OUT"])
    assert light_of(raw_light(SPOT, shape=2)) == (None, ["LIGHT_LEFT_OUT"])
    pyramid, told = light_of(raw_light(SPOT, shape=1, more={"cookie": source(9, "Texture2D").mark()}))
    assert pyramid is not None and "LIGHT_PARTS_LEFT" in told


def test_a_temperature_tints_where_it_counts() -> None:
    warm, told = light_of(raw_light(color=(1.0, 1.0, 1.0, 1.0), temperature=2700.0))
    assert warm is not None and warm.color == pytest.approx(kelvin_to_rgb(2700.0)) and told == ["LIGHT_TEMPERATURE"]
    cold, told = light_of(raw_light(color=(1.0, 1.0, 1.0, 1.0), temperature=2700.0), USUAL)
    assert cold is not None and cold.color == (1.0, 1.0, 1.0) and told == []
    assert "m_Color" not in warm.properties and "m_Color" in cold.properties


def test_temperatures_run_from_red_over_white_to_blue() -> None:
    assert kelvin_to_rgb(6570.0) == pytest.approx((1.0, 1.0, 1.0), abs=0.06)
    red, green, blue = kelvin_to_rgb(2000.0)
    assert red == 1.0 and green < 0.35 and blue < 0.02
    assert kelvin_to_rgb(12000.0)[2] == 1.0 and kelvin_to_rgb(12000.0)[0] < 0.7
    assert kelvin_to_rgb(0.0) == kelvin_to_rgb(1000.0) and kelvin_to_rgb(math.nan) == kelvin_to_rgb(6500.0)


@pytest.mark.parametrize("settings", [LINEAR, USUAL, RawSettings()])
@pytest.mark.parametrize("field", ["intensity", "range", "spot_angle", "inner_angle", "temperature", "color"])
def test_no_number_makes_an_invalid_light(field: str, settings: RawSettings) -> None:
    for kind, value in itertools.product((SPOT, DIRECTIONAL, POINT), AWFUL):
        stored = (value, 1.0, value, 1.0) if field == "color" else value
        light, _ = light_of(raw_light(kind, **{field: stored}), settings)
        assert light is not None
        assert 0.0 <= light.intensity < math.inf and all(0.0 <= channel <= 1.0 for channel in light.color)
        assert light.range is None or 0.0 < light.range < math.inf
        assert light.kind is not LightKind.SPOT or 0.0 <= light.inner < light.outer <= math.pi / 2


def test_no_range_is_no_light() -> None:
    light, told = light_of(raw_light(POINT, range=0.0))
    assert light is not None and light.intensity == 0.0 and light.range is None and told == ["LIGHT_VALUE_FIXED"]


# --- cameras --------------------------------------------------------------------------------------------------------


def test_a_perspective_camera_has_a_vertical_angle_and_the_screens_aspect() -> None:
    camera, told = camera_of()
    assert camera.yfov == pytest.approx(math.pi / 3) and camera.aspect is None
    assert (camera.near, camera.far, told) == (0.25, 100.0, [])


def test_an_orthographic_camera_has_half_heights() -> None:
    camera, told = camera_of(orthographic=True, aspect=2.0)
    assert (camera.yfov, camera.xmag, camera.ymag, told) == (None, 10.0, 5.0, [])
    camera, told = camera_of(orthographic=True)
    assert camera.xmag == pytest.approx(5 * 16 / 9) and told == ["CAMERA_FIT"]


@pytest.mark.parametrize(
    ("fit", "aspect", "angle", "written"),
    [
        (1, None, 2 * math.atan(24 / 100), None),  # vertical: the sensor's height, whatever the screen
        (2, None, 2 * math.atan(24 / 100), 1.5),  # horizontal, on a screen of the sensor's shape
        (2, 2.0, 2 * math.atan(36 / 100 / 2), 2.0),  # the sensor's width across the screen
        (0, 2.0, 2 * math.atan(24 / 100), 1.5),  # stretched
        (3, 2.0, 2 * math.atan(36 / 100 / 2), 2.0),  # fill: a wider screen shows less height
        (4, 2.0, 2 * math.atan(24 / 100), 2.0),  # overscan: and more width
    ],
)
def test_a_physical_camera_sees_by_sensor_and_fit(
    fit: int, aspect: float | None, angle: float, written: float | None
) -> None:
    camera, told = camera_of(sensor=(36.0, 24.0), focal_length=50.0, gate_fit=fit, aspect=aspect)
    assert camera.yfov == pytest.approx(angle) and camera.aspect == written
    assert told == (["CAMERA_FIT"] if aspect is None and fit != 1 else [])
    assert camera.extras["focal_length"] == 50.0


def test_a_lens_shift_is_told() -> None:
    assert camera_of(sensor=(36.0, 24.0), focal_length=50.0, gate_fit=1, lens_shift=(0.1, 0.0))[1] == ["CAMERA_SHIFT"]


@pytest.mark.parametrize("orthographic", [False, True])
@pytest.mark.parametrize("field", ["near", "far", "field_of_view", "orthographic_size", "focal_length"])
def test_no_number_makes_an_invalid_camera(field: str, orthographic: bool) -> None:
    for value in (*AWFUL, 180.0, 360.0):
        camera, _ = camera_of(orthographic=orthographic, sensor=(36.0, 24.0), **{"focal_length": 50.0, field: value})
        assert camera.near >= 0.0 and (orthographic or camera.near > 0.0)
        assert camera.far is None or camera.near < camera.far < math.inf
        assert camera.far is not None or not orthographic
        if orthographic:
            assert 0.0 < camera.ymag < math.inf and 0.0 < camera.xmag < math.inf
        else:
            assert camera.yfov is not None and 0.0 < camera.yfov < math.pi


def test_planes_out_of_order_are_told() -> None:
    camera, told = camera_of(near=10.0, far=5.0)
    assert (camera.near, camera.far, told) == (10.0, pytest.approx(10.01), ["CAMERA_VALUE_FIXED"])
    assert camera_of(far=math.inf)[0].far is None
    assert camera_of(field_of_view=180.0)[1] == ["CAMERA_VALUE_FIXED"]
