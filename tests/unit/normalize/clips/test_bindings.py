"""Curves to nodes, shapes and properties of a rig."""

from __future__ import annotations

import numpy as np

from tests.builders.raw import FakeNames, source
from unity2gltf.diagnostics import Diagnostics
from unity2gltf.ir import Curve, Path
from unity2gltf.math3d import name_hash
from unity2gltf.normalize.clips.bindings import Bound, Rig, ShapeTarget, bind, curve_json, resolved_share
from unity2gltf.normalize.clips.decoded import DecodedClip, DecodedCurve

RIG = Rig(
    node=3,
    by_hash={0: 3, name_hash("Hips"): 4, name_hash("Hips/Spine"): 5, name_hash("Body"): 6},
    shapes={6: (ShapeTarget(node=9, names=("Smile", "Blink")),)},
)


def constant(value: float) -> Curve:
    return Curve(times=np.zeros(1), coefficients=np.array([[0, 0, 0, value]]))


def curve(path: str, attribute: str | int, type_id: int = 4, width: int = 1, **changes: object) -> DecodedCurve:
    values: dict[str, object] = {
        "path": None,
        "path_hash": name_hash(path) if path else 0,
        "type_id": type_id,
        "attribute": attribute,
        "custom_type": 0,
        "curves": tuple(constant(float(i)) for i in range(width)),
    }
    return DecodedCurve(**(values | changes))  # type: ignore[arg-type]


def shape(attribute: str | int) -> DecodedCurve:
    return curve("Body", attribute, 137, custom_type=0 if isinstance(attribute, str) else 20)


def clip(*curves: DecodedCurve) -> DecodedClip:
    return DecodedClip(name="Wave", source=source(70, "AnimationClip"), kind="generic", duration=1.0, curves=curves)


def bound(*curves: DecodedCurve, names: FakeNames | None = None) -> tuple[Bound, list[str]]:
    diagnostics = Diagnostics()
    result = bind(clip(*curves), RIG, names or FakeNames(), diagnostics)
    return result, [item.code.name for item in diagnostics.items]


def test_transform_curves_find_their_nodes_and_paths() -> None:
    result, codes = bound(
        curve("Hips", "position", width=3),
        curve("Hips/Spine", "rotation", width=4),
        curve("", "scale", width=3),
        curve("Body", "euler", width=3, rotation_order=2),
    )
    assert [(c.node, c.path, len(c.curves), c.rotation_order) for c in result.channels] == [
        (4, Path.TRANSLATION, 3, 4),
        (5, Path.ROTATION, 4, 4),
        (3, Path.SCALE, 3, 4),
        (6, Path.EULER, 3, 2),
    ]
    assert codes == [] and result.properties == () and result.unresolved == ()


def test_shapes_are_found_by_the_hash_of_the_name_alone_and_join_in_one_channel() -> None:
    result, codes = bound(shape(name_hash("Blink")))
    (channel,) = result.channels
    assert (channel.node, channel.path) == (9, Path.WEIGHTS)
    assert channel.curves[0] is None and channel.curves[1] is not None
    assert codes == []


def test_shapes_are_found_by_name_and_by_the_hash_of_the_prefixed_name() -> None:
    by_name, _ = bound(shape("blendShape.Smile"))
    assert by_name.channels[0].curves[0] is not None
    by_prefix, codes = bound(shape(name_hash("blendShape.Smile")))
    assert by_prefix.channels[0].curves[0] is not None
    assert codes == ["CLIP_SHAPE_BY_PREFIX"]


def test_an_unresolved_path_is_reported_with_its_hash_and_kept_whole() -> None:
    names = FakeNames(["Tail/Tip"])
    diagnostics = Diagnostics()
    result = bind(clip(curve("Tail/Tip", "position", width=3)), RIG, names, diagnostics)
    assert result.channels == ()
    (item,) = diagnostics.items
    assert item.data["hashes"] == [{"hash": name_hash("Tail/Tip"), "name": "Tail/Tip"}]
    kept = curve_json(result.unresolved[0], names)
    assert (kept["path"], kept["path_hash"], kept["attribute"]) == ("Tail/Tip", name_hash("Tail/Tip"), "position")
    assert kept["curves"][2] == {"times": [0.0], "coefficients": [[0.0, 0.0, 0.0, 2.0]]}


def test_an_unknown_shape_is_unresolved_too() -> None:
    result, codes = bound(shape(12345))
    assert result.channels == () and codes == ["CLIP_HASH_UNRESOLVED"]
    assert result.unresolved[0].attribute == 12345


def test_properties_of_nodes_are_left_to_those_who_know_them_and_told_by_name() -> None:
    names = FakeNames(["m_Enabled"])
    result, codes = bound(curve("Body", name_hash("m_Enabled"), 137), names=names)
    assert codes == [] and result.channels == ()
    ((node, property_),) = result.properties
    assert node == 6
    assert curve_json(property_, names)["attribute_name"] == "m_Enabled"


def test_the_first_of_two_curves_for_one_thing_is_taken() -> None:
    result, codes = bound(
        curve("Hips", "rotation", width=4),
        curve("Hips", "euler", width=3),
        shape("blendShape.Smile"),
        shape(name_hash("Smile")),
    )
    assert [c.path for c in result.channels] == [Path.ROTATION, Path.WEIGHTS]
    assert codes == ["CLIP_DUPLICATE"]


def test_the_share_counts_paths_and_shapes() -> None:
    four = clip(
        curve("Hips", "position", width=3), curve("Tail", "position", width=3), shape("blendShape.Smile"), shape(7)
    )
    assert resolved_share(four, RIG) == 0.5
    assert resolved_share(clip(), RIG) == 0.0
