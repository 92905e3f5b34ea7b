"""The three vertex format enumerations and the channel orders, number by number."""

from __future__ import annotations

import pytest

from tests.reference.mesh_twin import ENUM_5, ENUM_2017, ENUM_2019, LETTERS
from unity2gltf.normalize.mesh.formats import channels_of, formats_of


@pytest.mark.parametrize(
    ("version", "names"),
    [
        ((3, 5, 0), ENUM_5),
        ((5, 6, 7), ENUM_5),
        ((2017, 1, 0), ENUM_2017),
        ((2018, 4, 36), ENUM_2017),
        ((2019, 1, 0), ENUM_2019),
        ((6000, 3, 1), ENUM_2019),
    ],
)
def test_a_format_number_means_what_its_version_says(version: tuple[int, int, int], names: list[str]) -> None:
    formats = formats_of(version)
    assert [format_.name for format_ in formats] == names
    for format_ in formats:
        assert (format_.divisor, format_.size) == (
            LETTERS[format_.name][1],
            {"f": 4, "e": 2, "B": 1, "b": 1, "H": 2, "h": 2, "I": 4, "i": 4}[LETTERS[format_.name][0]],
        )


@pytest.mark.parametrize(
    ("version", "tangent", "uvs", "count"),
    [
        ((4, 7, 2), 5, 2, 6),
        ((5, 0, 0), 7, 4, 8),
        ((2017, 4, 40), 7, 4, 8),
        ((2018, 1, 0), 2, 8, 14),
        ((6000, 0, 0), 2, 8, 14),
    ],
)
def test_the_tangent_moved_twice(version: tuple[int, int, int], tangent: int, uvs: int, count: int) -> None:
    names = channels_of(version)
    assert names.index("tangent") == tangent
    assert sum(name.startswith("uv") for name in names) == uvs
    assert len(names) == count
