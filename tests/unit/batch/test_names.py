"""Output paths: portable, unique, short, below OUT."""

from __future__ import annotations

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unity2gltf.batch.names import MAX_BYTES, OutputNames, portable_name, portable_path
from unity2gltf.source import Source

ONE = Source("a/b", "CAB-1", -5, "Mesh")
TWO = Source("a/b", "CAB-1", 6, "Mesh")


def test_the_first_keeps_the_name_and_others_get_a_digest_of_their_source() -> None:
    names = OutputNames()
    digest = hashlib.sha1(b"a/b:CAB-1:6").hexdigest()[:8]
    assert names.take("meshes", "Body", ONE) == "meshes/Body"
    assert names.take("meshes", "BODY", TWO) == f"meshes/BODY-{digest}"
    assert names.take("prefabs", "Body", TWO) == "prefabs/Body"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Body", "Body"),
        ("a\tb\x00c", "a_b_c"),
        ("evil\u202egnp.exe", "evil_gnp.exe"),
        ('a<b>c:d"e|f?g*h', "a_b_c_d_e_f_g_h"),
        ("CON", "_CON"),
        ("nul.txt", "_nul.txt"),
        ("Lpt1", "_Lpt1"),
        ("console", "console"),
        ("dots...", "dots___"),
        ("space ", "space_"),
        ("...", "_"),
        ("", "_"),
        ("まばたき", "まばたき"),
        ("lone\ud800surrogate", "lone_surrogate"),
    ],
)
def test_names_are_made_portable(name: str, expected: str) -> None:
    assert portable_name(name) == expected


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("assets/models/hero", "assets/models/hero"),
        ("../../etc/passwd", "etc/passwd"),
        ("/absolute//twice", "absolute/twice"),
        ("C:\\Games\\x", "C_/Games/x"),
        ("..", "_"),
    ],
)
def test_paths_stay_below_the_folder(path: str, expected: str) -> None:
    assert portable_path(path, 100) == expected


@given(st.lists(st.text(max_size=300), min_size=1, max_size=8))
def test_paths_are_unique_short_and_relative(wanted: list[str]) -> None:
    names = OutputNames()
    taken = [names.take("prefabs", text, Source("i", "f", n, "Mesh")) for n, text in enumerate(wanted)]
    assert len({path.casefold() for path in taken}) == len(taken)
    for path in taken:
        assert len(f"{path}.gltf".encode()) <= MAX_BYTES
        parts = path.split("/")
        assert parts[0] == "prefabs"
        assert len(parts) > 1
        assert all(part not in ("", ".", "..") and not part.endswith((".", " ")) for part in parts)


def test_folder_named_like_a_file_gives_way_to_the_file_of_another_asset() -> None:
    names = OutputNames()
    taken = [names.take("prefabs", wanted, ONE) for wanted in ("a", "a.glb/b", "A.GLTF/c", "a.bin/x.png/d", "a.glb")]
    assert taken == ["prefabs/a", "prefabs/a.glb_/b", "prefabs/A.GLTF_/c", "prefabs/a.bin_/x.png_/d", "prefabs/a.glb"]


def test_name_of_another_assets_second_buffer_is_not_taken() -> None:
    assert portable_path("x.buffer1", 99) == "x_buffer1"
    assert portable_path("x.Image12", 99) == "x_Image12"
    assert portable_path("y.buffer1/x.buffered", 99) == "y.buffer1/x.buffered"
