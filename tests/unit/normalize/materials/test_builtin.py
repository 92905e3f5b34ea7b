"""Unity's own default materials, where its files are not in the input."""

from __future__ import annotations

import pytest

from unity2gltf.diagnostics import Diagnostics
from unity2gltf.ir import AlphaMode, Material
from unity2gltf.normalize.materials.builtin import BUILTINS, builtin_material
from unity2gltf.normalize.materials.convert import convert_material
from unity2gltf.source import Missing, Source


def made(path_id: int) -> Material:
    raw = builtin_material(Missing("Resources/unity_builtin_extra", path_id, "file not found"), "level0")
    assert raw is not None
    return convert_material(raw, lambda _: None, Diagnostics())


@pytest.mark.parametrize("file", ["unity default resources", "library/unity default resources", "unity_builtin_extra"])
def test_both_of_unitys_files_in_any_spelling(file: str) -> None:
    raw = builtin_material(Missing(file, 10302, "file not found"), "level0")
    assert raw is not None
    assert raw.name == "Default-Diffuse"
    assert raw.source == Source("level0", file.rsplit("/", 1)[-1], 10302, "Material")


def test_numbers_are_the_shaders_defaults() -> None:
    standard, diffuse, sprite = made(10303), made(10302), made(10754)
    assert (standard.base_color, standard.metallic, standard.roughness) == ((1.0, 1.0, 1.0, 1.0), 0.0, 0.5)
    assert (diffuse.roughness, diffuse.alpha_mode) == (1.0, AlphaMode.OPAQUE)
    assert sprite.unlit and sprite.vertex_colors and sprite.alpha_mode is AlphaMode.BLEND


@pytest.mark.parametrize("path_id", BUILTINS)
def test_every_row_is_white_and_reports_nothing(path_id: int) -> None:
    raw = builtin_material(Missing("unity_builtin_extra", path_id, "file not found"), "x")
    assert raw is not None
    diagnostics = Diagnostics()
    assert convert_material(raw, lambda _: None, diagnostics).base_color == (1.0, 1.0, 1.0, 1.0)
    assert not diagnostics.items


@pytest.mark.parametrize(("file", "path_id"), [("unity_builtin_extra", 10304), ("sharedassets0.assets", 10303)])
def test_what_is_not_known_stays_missing(file: str, path_id: int) -> None:
    assert builtin_material(Missing(file, path_id, "file not found"), "x") is None
