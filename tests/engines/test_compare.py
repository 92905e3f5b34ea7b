"""An engine that shows all is passed; one that moves a vertex, or loses a name, a shape, a clip or a file is not."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from unity2gltf import Options, convert
from unity2gltf.sample import write_bundles

from .compare import Outcome, Shape, clip_differences, compare, joint_names, node_names, wanted_shapes
from .expected import Expected
from .files import choose
from .limits import CONDITIONS, read_limits

LIMITS = read_limits()
POSED = ("blender", "three", "babylon")


@pytest.fixture(scope="module")
def figure(tmp_path_factory: pytest.TempPathFactory) -> Expected:
    folder = tmp_path_factory.mktemp("engines")
    write_bundles(folder / "game", "2022.3.20f1")
    convert([folder / "game"], folder / "out", Options(verify="none"))
    (path,) = (path for path in choose(folder / "out") if path.name == "figure.glb")
    return Expected(path)


def perfect(engine: str, figure: Expected, folder: Path) -> dict[str, Any]:
    """What an engine would tell that does everything right."""
    limits = LIMITS[engine]
    shapes = wanted_shapes(engine, figure)
    for number, pose in enumerate(figure.poses):
        posed = figure.posed(pose, limits.influences, engine == "blender")
        points = np.concatenate([shape.points(posed) for shape in shapes])
        points.astype("<f4").tofile(folder / f"{number}.f32")
    return {
        "nodes": node_names(figure),
        "bones": joint_names(figure),
        "objects": [told(shape, limits.influences) for shape in shapes],
        "clips": [{"name": clip["name"]} for clip in figure.gltf.items("animations")],
    }


def told(shape: Shape, most: int) -> dict[str, Any]:
    influences = min(shape.influences, most)
    return {"name": shape.names[0], "vertices": shape.count, "influences": influences, "shapes": list(shape.shapes)}


def check(engine: str, figure: Expected, result: dict[str, Any], folder: Path) -> Outcome:
    return compare(engine, LIMITS[engine], figure, result, folder)


@pytest.mark.parametrize("engine", POSED)
def test_a_perfect_engine_passes(engine: str, figure: Expected, tmp_path: Path) -> None:
    outcome = check(engine, figure, perfect(engine, figure, tmp_path), tmp_path)
    assert outcome.failures == []
    assert outcome.poses == len(figure.poses) >= 9
    assert outcome.worst < 1e-6


def without(key: str) -> Callable[[dict[str, Any]], None]:
    return lambda result: result[key].pop()


def shape_lost(result: dict[str, Any]) -> None:
    result["objects"][-1]["shapes"].pop()


def influences_lost(result: dict[str, Any]) -> None:
    result["objects"][-1]["influences"] -= 1


@pytest.mark.parametrize("damage", [without("nodes"), without("bones"), without("objects"), without("clips")])
@pytest.mark.parametrize("engine", POSED)
def test_something_lost_fails(
    engine: str, damage: Callable[[dict[str, Any]], None], figure: Expected, tmp_path: Path
) -> None:
    result = perfect(engine, figure, tmp_path)
    damage(result)
    assert check(engine, figure, result, tmp_path).failures


@pytest.mark.parametrize("damage", [shape_lost, influences_lost])
@pytest.mark.parametrize("engine", POSED)
def test_less_of_an_object_fails(
    engine: str, damage: Callable[[dict[str, Any]], None], figure: Expected, tmp_path: Path
) -> None:
    result = perfect(engine, figure, tmp_path)
    damage(result)
    assert len(check(engine, figure, result, tmp_path).failures) == 1


@pytest.mark.parametrize("moved", [0.01, float("nan")])
@pytest.mark.parametrize("engine", POSED)
def test_one_moved_vertex_fails(engine: str, moved: float, figure: Expected, tmp_path: Path) -> None:
    result = perfect(engine, figure, tmp_path)
    (keyed, *_) = (number for number, pose in enumerate(figure.poses) if pose.clip is not None and pose.keyed)
    points = np.fromfile(tmp_path / f"{keyed}.f32", "<f4")
    points[1000] += moved
    points.tofile(tmp_path / f"{keyed}.f32")
    (failure,) = check(engine, figure, result, tmp_path).failures
    assert "clip 'Wave' at 0.0000 s" in failure


def test_missing_vertices_fail(figure: Expected, tmp_path: Path) -> None:
    result = perfect("three", figure, tmp_path)
    (tmp_path / "1.f32").write_bytes(b"")
    assert check("three", figure, result, tmp_path).failures == ["vertices are missing in clip 'Wave' at 0.0000 s"]


def test_a_blank_picture_and_an_error_fail(figure: Expected, tmp_path: Path) -> None:
    result = {"nodes": node_names(figure), "clips": perfect("three", figure, tmp_path)["clips"], "blank": [0]}
    assert check("filament", figure, result, tmp_path).failures == ["nothing is drawn in the rest pose"]
    assert check("filament", figure, {"error": "ended by SIGSEGV"}, tmp_path).failures == ["ended by SIGSEGV"]


def test_durations_and_tracks(figure: Expected) -> None:
    names = [clip["name"] for clip in figure.gltf.items("animations")]
    wrong = [{"name": name, "duration": 9.0, "tracks": 99} for name in names]
    assert len(clip_differences("three", figure, wrong)) == 2 * len(names)


def test_fewer_influences_are_renormalised(figure: Expected) -> None:
    """A vertex that its first four influences hold alone stands where it should; others move, but not far."""
    full, four = (figure.posed(figure.poses[0], count) for count in (8, 4))
    distance = np.abs(np.concatenate(full) - np.concatenate(four)).max(axis=1)
    assert 0 < distance.max() < 0.1
    assert np.median(distance) < 1e-6


def test_every_limit_names_a_condition() -> None:
    assert {limit.when for limits in LIMITS.values() for limit in limits.known} <= CONDITIONS.keys()
