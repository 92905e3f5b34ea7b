"""Images in other formats, and in files that all outputs share."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path, PurePosixPath

import numpy as np
import pytest

from tests.builders.assets import image, painted
from unity2gltf.diagnostics import Diagnostics
from unity2gltf.emit.document import Document, build_document
from unity2gltf.emit.shared import shared_name, shared_prefix
from unity2gltf.emit.write import write_document, write_shared
from unity2gltf.evaluate.fields import GlbError
from unity2gltf.evaluate.glb import read_gltf
from unity2gltf.ir import Asset, Image
from unity2gltf.normalize.textures.encode import COLOR, encode_image
from unity2gltf.normalize.textures.ktx2 import find_encoder
from unity2gltf.optional import Unavailable
from unity2gltf.validate.khronos import find_khronos, run_khronos
from unity2gltf.validate.structure import check_structure

FORMATS = {"webp": ("image/webp", "EXT_texture_webp"), "ktx2": ("image/ktx2", "KHR_texture_basisu")}
HEADS = {"image/webp": b"RIFF\x24\0\0\0WEBPVP8L", "image/ktx2": b"\xabKTX 20\xbb\r\n\x1a\n\0\0\0\0"}


def with_first(first: Image) -> Asset:
    built = painted()
    return replace(built, images=(first, *built.images[1:]))


def encoded(textures: str) -> Image:
    """A real image of 8 x 8 pixels, or skip."""
    if textures == "ktx2" and isinstance(find_encoder(), Unavailable):
        pytest.skip("no KTX2 encoder is installed")
    pixels = np.full((8, 8, 3), 99, np.uint8)
    mime, data = encode_image(pixels, COLOR, textures=textures, diagnostics=Diagnostics())
    return replace(image("Leaf"), mime=mime, data=data, width=8, height=8)


def shared(built: Asset, output: str, out: Path) -> Path:
    """Write one output of a run as a file; what it shares goes below ``out``."""
    out.mkdir(exist_ok=True)
    (out / "report.json").write_text("{}")
    document = build_document(built, Diagnostics(), shared_prefix=shared_prefix(PurePosixPath(output)))
    write_shared(document.shared_images, out)
    (path, *_) = write_document(
        document, out / output, format=output.rpartition(".")[2], max_glb=1 << 31, diagnostics=Diagnostics()
    )
    return path


@pytest.mark.parametrize("textures", FORMATS)
def test_other_formats_stand_in_a_required_extension(textures: str) -> None:
    mime, name = FORMATS[textures]
    json_ = build_document(with_first(replace(image(), mime=mime, data=HEADS[mime])), Diagnostics()).json
    first, second, _ = json_["textures"]
    assert "source" not in first and first["extensions"] == {name: {"source": 0}}
    assert second["source"] == 1 and "extensions" not in second
    assert name in json_["extensionsUsed"] and json_["extensionsRequired"] == [name]
    assert json_["images"][0]["mimeType"] == mime


def test_core_formats_require_nothing() -> None:
    assert "extensionsRequired" not in build_document(painted(), Diagnostics()).json


def test_a_placeholder_says_so() -> None:
    first, second, _ = build_document(with_first(replace(image(), placeholder=True)), Diagnostics()).json["images"]
    assert first["extras"]["unity"]["placeholder"] is True and first["extras"]["unity"]["path_id"] == "30"
    assert "placeholder" not in second["extras"]["unity"]


@pytest.mark.parametrize("form", ["glb", "gltf"])
@pytest.mark.parametrize("textures", ["png", "jpeg", "webp", "ktx2"])
@pytest.mark.parametrize("share", [False, True])
def test_every_format_is_valid(textures: str, form: str, share: bool, tmp_path: Path) -> None:
    built = with_first(encoded(textures))
    output = f"prefabs/deep/Leaf.{form}"
    if share:
        path = shared(built, output, tmp_path)
    else:
        document = build_document(built, Diagnostics())
        path, *_ = write_document(document, tmp_path / output, format=form, max_glb=1 << 31, diagnostics=Diagnostics())
    gltf = read_gltf(path, tmp_path)
    assert check_structure(gltf) == []
    assert len(gltf.image_files) == (3 if share or form == "gltf" else 0)
    runner = find_khronos(None)
    if not isinstance(runner, Unavailable):
        (report,) = run_khronos([path], runner)
        assert (report.errors, report.warnings) == (0, 0), report.messages
        assert "IO_ERROR" not in {message.code for message in report.messages}


# --- shared images --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("output", "prefix"),
    [("a.glb", "textures/"), ("meshes/a.glb", "../textures/"), ("prefabs/a/b/c.gltf", "../../../textures/")],
)
def test_the_way_from_an_output_to_the_images(output: str, prefix: str) -> None:
    assert shared_prefix(PurePosixPath(output)) == prefix


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("Bricks", "Bricks"),
        ("../../etc/passwd", "_.._etc_passwd"),
        ("a b.c", "a b.c"),
        ("x\u202e\x00y:z", "x__y_z"),
        ("\ud800", "_"),
        ("...", "image"),
        ("", "image"),
        ("é" * 200, "é" * 60),
    ],
)
def test_names_of_files(name: str, kept: str) -> None:
    digest = "86f7e437"  # sha1 of "a"
    assert shared_name(replace(image(name), data=b"a")) == f"{kept}-{digest}.png"


@pytest.mark.parametrize("form", ["glb", "gltf"])
def test_uris_are_relative_and_encoded(form: str, tmp_path: Path) -> None:
    built = with_first(replace(image("Blatt grün %"), data=image().data + b"x"))
    path = shared(built, f"prefabs/Leaf.{form}", tmp_path)
    assert len(list((tmp_path / "textures").iterdir())) == 3
    json_ = read_gltf(path, tmp_path).json
    uri = json_["images"][0]["uri"]
    assert uri.startswith("../textures/Blatt%20gr%C3%BCn%20%25-") and uri.endswith(".png")
    assert all("bufferView" not in item and item["mimeType"] == "image/png" for item in json_["images"])
    assert not [file for file in path.parent.iterdir() if file.suffix == ".png"]


def test_an_image_is_written_once(tmp_path: Path) -> None:
    def stamps() -> dict[str, tuple[int, int]]:
        files = (tmp_path / "textures").iterdir()
        return {file.name: (file.stat().st_ino, file.stat().st_mtime_ns) for file in files}

    shared(painted(), "prefabs/One.glb", tmp_path)
    before = stamps()
    shared(painted(), "scenes/deep/Two.gltf", tmp_path)
    assert stamps() == before and len(before) == 3
    broken = tmp_path / "textures" / min(before)
    broken.write_bytes(bytes(broken.stat().st_size))
    shared(painted(), "prefabs/One.glb", tmp_path)
    assert broken.read_bytes()[:4] == b"\x89PNG"
    assert not [file for file in (tmp_path / "textures").iterdir() if file.suffix == ".part"]


def test_same_name_other_bytes(tmp_path: Path) -> None:
    for color in ((1, 2, 3), (4, 5, 6)):
        shared(with_first(image("Leaf", color)), "prefabs/One.glb", tmp_path)
    assert len([file for file in (tmp_path / "textures").iterdir() if file.name.startswith("Leaf-")]) == 2


# --- reading them back ----------------------------------------------------------------------------------------------


def _with_uri(path: Path, uri: str) -> Path:
    document = json.loads(path.read_text("utf-8"))
    document["images"][0]["uri"] = uri
    path.write_text(json.dumps(document), "utf-8")
    return path


def test_a_way_up_needs_a_root(tmp_path: Path) -> None:
    path = shared(painted(), "prefabs/Leaf.gltf", tmp_path)
    read_gltf(path, tmp_path)
    with pytest.raises(GlbError, match="/images/0/uri"):
        read_gltf(path)
    with pytest.raises(GlbError, match=r"the report\.json of its run is missing"):
        read_gltf(path, tmp_path / "prefabs")
    (tmp_path / "prefabs/report.json").touch()
    with pytest.raises(GlbError, match="folder of the run"):
        read_gltf(path, tmp_path / "prefabs")


@pytest.mark.parametrize(
    "uri", ["../../secret.png", "../x/../textures/a.png", "..", "../", "../..", "..%2f..%2fsecret.png", "../link.png"]
)
def test_a_way_out_of_the_root_is_refused(uri: str, tmp_path: Path) -> None:
    out = tmp_path / "out"
    path = shared(painted(), "prefabs/Leaf.gltf", out)
    (tmp_path / "secret.png").write_bytes(image().data)
    (out / "link.png").symlink_to(tmp_path / "secret.png")
    with pytest.raises(GlbError, match="/images/0/uri"):
        read_gltf(_with_uri(path, uri), out)


@pytest.mark.parametrize("content", [b"", b"not an image", b"\x89PNG"])
def test_the_bytes_of_a_shared_file_are_checked(content: bytes, tmp_path: Path) -> None:
    path = shared(painted(), "prefabs/Leaf.gltf", tmp_path)
    name = read_gltf(path, tmp_path).image_files[0]
    name.write_bytes(content)
    (found,) = check_structure(read_gltf(path, tmp_path))
    assert (found.code, found.pointer) == ("IMAGE_SOURCE", "/images/0")


def test_an_extension_names_images_of_its_own_type(tmp_path: Path) -> None:
    document = build_document(with_first(encoded("webp")), Diagnostics())
    document.json["textures"][0]["extensions"]["EXT_texture_webp"]["source"] = 1
    document.json["textures"][1]["source"] = 0
    path, *_ = write_document(
        Document(document.json, document.chunks, {}),
        tmp_path / "a.gltf",
        format="gltf",
        max_glb=1 << 31,
        diagnostics=Diagnostics(),
    )
    assert [(i.code, i.pointer) for i in check_structure(read_gltf(path))] == [
        ("TEXTURE_SOURCE", "/textures/0/extensions/EXT_texture_webp/source"),
        ("TEXTURE_SOURCE", "/textures/1/source"),
    ]
