"""What the options of textures do to the files of a run."""

from __future__ import annotations

import io
import os
from pathlib import Path

import pytest
from PIL import Image

from unity2gltf import Options, convert
from unity2gltf.batch.prove import prove
from unity2gltf.errors import UsageError
from unity2gltf.evaluate.document import Gltf
from unity2gltf.evaluate.fields import GlbError
from unity2gltf.evaluate.glb import output_root, read_gltf
from unity2gltf.sample import write_player
from unity2gltf.validate.structure import check_structure


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("game") / "Game_Data"
    write_player(folder, "2022.3.20f1")
    return folder


def run(game: Path, out: Path, **more: object) -> list[Gltf]:
    """Convert, hold each file to its own checks, and give them."""
    report = convert(game, out, Options(**more))  # type: ignore[arg-type]
    paths = [out / asset.output for asset in report.assets if asset.output]
    files = [read_gltf(path, out) for path in paths]
    assert files and not [issue for gltf in files for issue in check_structure(gltf)]
    return files


def images(gltf: Gltf) -> list[Image.Image]:
    """Pictures of a file, inside it or beside it."""
    pictures = []
    for index, item in enumerate(gltf.items("images")):
        inside = "bufferView" in item
        data = gltf.view(item["bufferView"], "")[0] if inside else gltf.image_files[index].read_bytes()
        pictures.append(Image.open(io.BytesIO(bytes(data))))
    return pictures


def contents(folder: Path) -> dict[str, bytes]:
    """All that a run writes but its own state."""
    files = (path for path in folder.rglob("*") if path.is_file() and ".unity2gltf" not in path.parts)
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


@pytest.mark.parametrize("form", ["glb", "gltf"])
def test_shared_images_are_those_of_files_of_their_own(form: str, game: Path, tmp_path: Path) -> None:
    alone = run(game, tmp_path / "alone", format=form)
    shared = run(game, tmp_path / "shared", format=form, shared_textures=True)
    assert [len(images(gltf)) for gltf in shared] == [len(images(gltf)) for gltf in alone]
    for one, other in zip(alone, shared, strict=True):
        assert [i.tobytes() for i in images(one)] == [i.tobytes() for i in images(other)]
        assert all(item["uri"].startswith("../") for item in other.items("images"))
    files = {path for gltf in shared for path in gltf.image_files.values()}
    assert files and files == {path.resolve() for path in (tmp_path / "shared/textures").iterdir()}


def test_the_report_tells_of_shared_bytes(game: Path, tmp_path: Path) -> None:
    report = convert(game, tmp_path, Options(shared_textures=True))
    for asset in report.assets:
        files = read_gltf(tmp_path / str(asset.output), tmp_path).image_files.values()
        assert asset.stats["shared_bytes"] == sum(path.stat().st_size for path in set(files))
        assert asset.stats["bytes"] == (tmp_path / str(asset.output)).stat().st_size


@pytest.mark.parametrize("textures", ["png", "jpeg", "webp"])
def test_the_same_input_gives_the_same_bytes(textures: str, game: Path, tmp_path: Path) -> None:
    for name in ("one", "two"):
        run(game, tmp_path / name, textures=textures, shared_textures=True, max_texture_size=32)
    assert contents(tmp_path / "one") == contents(tmp_path / "two")


def test_a_second_run_leaves_shared_images_alone(game: Path, tmp_path: Path) -> None:
    run(game, tmp_path, shared_textures=True)
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "textures").iterdir()}
    for path in before:
        os.utime(path, ns=(1, 1))
    run(game, tmp_path, shared_textures=True)
    assert {path.stat().st_mtime_ns for path in before} == {1}


def test_the_longest_side(game: Path, tmp_path: Path) -> None:
    pictures = [image for gltf in run(game, tmp_path, max_texture_size=8) for image in images(gltf)]
    assert pictures and max(max(image.size) for image in pictures) == 8


def test_shared_images_do_not_trouble_the_proof(game: Path, tmp_path: Path) -> None:
    run(game, tmp_path, shared_textures=True, include=("scenes",), textures="webp")
    path = tmp_path / "scenes/Studio.glb"
    assert output_root(path) == tmp_path.resolve()
    (proof,) = prove([path], [game], "quick")
    assert proof.result is not None and proof.result.passed
    with pytest.raises(GlbError):
        read_gltf(path)


def test_an_encoder_that_is_not_there_ends_the_run_before_it_starts(
    game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("UNITY2GLTF_KTX", str(tmp_path / "nothing"))
    with pytest.raises(UsageError, match="--textures ktx2"):
        convert(game, tmp_path / "out", Options(textures="ktx2"))
    assert not (tmp_path / "out").exists()
