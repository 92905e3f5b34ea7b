"""Real pictures by the real renderer."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from unity2gltf import Options, convert
from unity2gltf.preview.look import Look
from unity2gltf.preview.places import Place
from unity2gltf.preview.run import Drawn, draw_all
from unity2gltf.sample import write_sample

from .handmade import write_gltf

pytestmark = pytest.mark.usefixtures("filament")

SMALL = {"width": 96, "height": 96}


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sample")
    write_sample(folder / "game", ("2022.3.20f1",))
    convert(folder / "game", folder / "out", Options(verify="none"))
    return folder / "out"


def draw(file: Path, into: Path, **look: object) -> tuple[Drawn, Path]:
    place = Place(file, into / f"{file.name}.png", into / f"{file.name}.webp")
    (drawn,) = draw_all([place], Look(**SMALL | look))  # type: ignore[arg-type]
    return drawn, place.still


def alpha(path: Path) -> np.ndarray:
    return np.array(Image.open(path))[:, :, 3] > 0


def test_a_scene_fills_its_picture_and_stays_within(sample: Path, tmp_path: Path) -> None:
    drawn, still = draw(sample / "scenes/Studio.glb", tmp_path, background=(0, 0, 0, 0))
    assert drawn.status == "rendered"
    rows, columns = np.nonzero(alpha(still))
    assert 2 <= rows.min() < 10
    assert 86 < rows.max() <= 94
    assert abs((columns.min() + columns.max()) / 2 - 47.5) < 4
    assert len(np.unique(np.array(Image.open(still)).reshape(-1, 4), axis=0)) > 200, "textured and lit"


def test_the_same_file_gives_the_same_bytes_in_another_process(sample: Path, tmp_path: Path) -> None:
    stills = [draw(sample / "scenes/Studio.glb", tmp_path / name)[1] for name in "ab"]
    assert stills[0].read_bytes() == stills[1].read_bytes()


def test_a_clip_poses_the_figure(sample: Path, tmp_path: Path) -> None:
    pictures = [
        draw(sample / "scenes/Studio.glb", tmp_path / str(time), background=(0, 0, 0, 0), clip="Wave", time=time)[1]
        for time in (0.0, 0.7)
    ]
    rest = draw(sample / "scenes/Studio.glb", tmp_path, background=(0, 0, 0, 0))[1]
    start, waving = map(alpha, pictures)
    assert (start != waving).mean() > 0.01
    assert (alpha(rest) != waving).mean() > 0.01


def test_a_pose_far_from_rest_is_still_drawn(tmp_path: Path) -> None:
    file = write_gltf(tmp_path / "a.gltf", [{"mesh": 0}], clips=("Up",))
    drawn, still = draw(file, tmp_path, background=(0, 0, 0, 0), clip="Up", time=2.0)
    assert drawn.status == "rendered"
    assert alpha(still).mean() > 0.1


def test_files_without_the_clip_or_anything_drawn_are_skipped(sample: Path, tmp_path: Path) -> None:
    drawn, still = draw(sample / "meshes/Hat.glb", tmp_path, clip="Wave")
    assert (drawn.status, drawn.reason) == ("skipped", "it has no animation 'Wave'; it has none")
    assert not still.exists()
    drawn, _ = draw(write_gltf(tmp_path / "a.gltf", [{"name": "empty"}]), tmp_path)
    assert (drawn.status, drawn.reason) == ("skipped", "it draws nothing")


def test_a_surface_with_one_side_is_seen_from_behind(tmp_path: Path) -> None:
    file = write_gltf(tmp_path / "a.gltf", [{"mesh": 0}], indices=(0, 2, 1))
    assert alpha(draw(file, tmp_path, background=(0, 0, 0, 0))[1]).mean() > 0.1


def test_what_is_parked_far_away_does_not_hide_the_rest(tmp_path: Path) -> None:
    nodes = [{"mesh": 0, "translation": [k, 0, 0]} for k in range(3)]
    file = write_gltf(tmp_path / "a.gltf", [*nodes, {"mesh": 0, "translation": [0, 5000, 0]}])
    assert alpha(draw(file, tmp_path, background=(0, 0, 0, 0))[1]).mean() > 0.1


def test_metal_is_not_black(tmp_path: Path) -> None:
    file = write_gltf(tmp_path / "a.gltf", [{"mesh": 0}])
    document = json.loads(file.read_text("utf-8"))
    metal = {"metallicFactor": 1.0, "roughnessFactor": 0.2, "baseColorFactor": [0.9, 0.9, 0.9, 1]}
    document["materials"] = [{"pbrMetallicRoughness": metal}]
    document["meshes"][0]["primitives"][0]["material"] = 0
    file.write_text(json.dumps(document), encoding="utf-8")
    _, still = draw(file, tmp_path, background=(0, 0, 0, 0))
    pixels = np.array(Image.open(still))
    assert pixels[alpha(still)][:, :3].mean() > 60


def card(path: Path, opacity: float) -> Path:
    """A card of one colour, whatever the light."""
    corners = ((-1, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0))
    file = write_gltf(path, [{"mesh": 0}], corners, (0, 1, 2, 0, 2, 3))
    document = json.loads(file.read_text("utf-8"))
    unlit = {
        "pbrMetallicRoughness": {"baseColorFactor": [0.5, 0.1, 0.02, opacity]},
        "alphaMode": "OPAQUE" if opacity == 1.0 else "BLEND",
        "extensions": {"KHR_materials_unlit": {}},
    }
    document |= {"materials": [unlit], "extensionsUsed": ["KHR_materials_unlit"]}
    document["meshes"][0]["primitives"][0]["material"] = 0
    file.write_text(json.dumps(document), encoding="utf-8")
    return file


def middle(file: Path, into: Path, background: tuple[int, int, int, int]) -> list[int]:
    """The colour in the middle of the picture."""
    with Image.open(draw(file, into, background=background)[1]) as picture:
        return [int(value) for value in np.array(picture)[48, 48]]


def test_a_half_transparent_card_lets_half_of_the_background_through(tmp_path: Path) -> None:
    clear, white, grey = (0, 0, 0, 0), (255, 255, 255, 255), (128, 128, 128, 255)
    color = middle(card(tmp_path / "whole.gltf", 1.0), tmp_path, clear)[:3]
    assert color[0] > color[1] > color[2]
    half = card(tmp_path / "half.gltf", 0.5)
    *straight, opacity = middle(half, tmp_path, clear)
    assert opacity == pytest.approx(128, abs=2)
    assert straight == pytest.approx(color, abs=3)
    for background in (white, grey):
        mixed = [(value + background[0]) / 2 for value in color]
        assert middle(half, tmp_path, background) == pytest.approx(mixed, abs=3)


def test_a_broken_image_is_told(tmp_path: Path) -> None:
    file = card(tmp_path / "a.gltf", 1.0)
    (tmp_path / "bark.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(50))
    document = json.loads(file.read_text("utf-8"))
    document |= {"images": [{"uri": "bark.png"}], "textures": [{"source": 0}]}
    document["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"] = {"index": 0}
    file.write_text(json.dumps(document), encoding="utf-8")
    drawn, still = draw(file, tmp_path)
    assert (drawn.status, drawn.reason) == ("failed", "image 0 is no PNG, JPEG, WebP or KTX2 that can be read")
    assert not still.exists()


def test_a_turntable_turns(sample: Path, tmp_path: Path) -> None:
    drawn, still = draw(sample / "meshes/Hat.glb", tmp_path, frames=5, background=(255, 255, 255, 255))
    assert drawn.status == "rendered"
    with Image.open(drawn.place.turntable) as turntable:
        assert turntable.format == "WEBP"
        assert getattr(turntable, "n_frames", 1) == 5
        assert turntable.size == (96, 96)
    with Image.open(still) as picture:
        assert picture.mode == "RGB"
        assert picture.getpixel((0, 0)) == (255, 255, 255)


def test_what_filament_alone_refuses_is_told_in_its_words(tmp_path: Path) -> None:
    file = write_gltf(tmp_path / "a.gltf", [{"mesh": 0}])
    document = json.loads(file.read_text("utf-8"))
    document["materials"] = [{"pbrMetallicRoughness": {"baseColorTexture": {"index": 7}}}]
    file.write_text(json.dumps(document), encoding="utf-8")
    drawn, _ = draw(file, tmp_path)
    assert drawn.status == "failed"
    assert drawn.reason.startswith("Filament refuses it: ")


def test_a_broken_file_says_what_is_wrong_and_the_next_is_drawn(sample: Path, tmp_path: Path) -> None:
    cut = tmp_path / "cut.glb"
    cut.write_bytes((sample / "meshes/Hat.glb").read_bytes()[:-100])
    files = [cut, sample / "meshes/Hat.glb", tmp_path / "gone.glb"]
    places = [Place(file, tmp_path / f"{file.name}.png", tmp_path / f"{file.name}.webp") for file in files]
    results = list(draw_all(places, Look(**SMALL)))
    assert [drawn.status for drawn in results] == ["failed", "rendered", "failed"]
    assert "the header says" in results[0].reason
    assert "No such file" in results[2].reason
