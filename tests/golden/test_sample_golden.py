"""The converted sample against files that were read and found right: JSON, accessors, decoded pixels, report.

``UPDATE_GOLDEN=1`` writes them anew; look at the difference before committing it.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from unity2gltf import Options, convert
from unity2gltf.evaluate.document import Gltf
from unity2gltf.evaluate.glb import read_gltf
from unity2gltf.sample import write_bundles, write_sample

FOLDER = Path(__file__).parent / "sample"
VERSION = "2022.3.20f1"


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sample")
    write_sample(folder / "game", (VERSION,))
    convert([folder / "game"], folder / "out", Options())
    return folder / "out"


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:16]


def snapshot(gltf: Gltf) -> dict[str, Any]:
    """The document with what lies in its buffer summed up; compressed image bytes do not count, their pixels do.

    Indices are told by a digest. Other accessors hold numbers that sines and roots made, whose last bits differ from
    processor to processor: they are told by mean and root mean square a component.
    """
    images = {image["bufferView"] for image in gltf.json.get("images", ())}
    value = {key: item for key, item in gltf.json.items() if key not in ("buffers", "bufferViews", "accessors")}
    indices = {p["indices"] for mesh in gltf.json["meshes"] for p in mesh["primitives"]}
    value["accessors"] = []
    for number, accessor in enumerate(gltf.json["accessors"]):
        data = gltf.accessor(number)
        rows = data.reshape(len(data), -1).astype(np.float64)
        means = {"mean": rows.mean(axis=0).tolist(), "rms": np.sqrt((rows**2).mean(axis=0)).tolist()}
        told = {"digest": digest(np.ascontiguousarray(data).tobytes())} if number in indices else means
        value["accessors"].append({**accessor, **told})
    value["views"] = [
        {key: item for key, item in view.items() if key != "byteOffset"}
        for index, view in enumerate(gltf.json["bufferViews"])
        if index not in images
    ]
    value["pixels"] = [pixels(gltf, view) for view in sorted(images)]
    return value


def pixels(gltf: Gltf, view: int) -> str:
    item = gltf.json["bufferViews"][view]
    start = item.get("byteOffset", 0)
    with Image.open(io.BytesIO(bytes(gltf.buffers[0][start : start + item["byteLength"]]))) as image:
        return f"{image.mode} {image.size} {digest(image.tobytes())}"


def render(value: dict[str, Any]) -> str:
    """One line an item of each list, so that a difference names the item."""
    blocks = []
    for key, item in value.items():
        lines = ",\n  ".join(json.dumps(entry, ensure_ascii=False) for entry in item) if isinstance(item, list) else ""
        blocks.append(f' "{key}": ' + (f"[\n  {lines}\n ]" if lines else json.dumps(item, ensure_ascii=False)))
    return "{\n" + ",\n".join(blocks) + "\n}\n"


def compare(name: str, value: dict[str, Any]) -> None:
    path = FOLDER / f"{name}.json"
    if os.environ.get("UPDATE_GOLDEN"):
        path.write_text(render(value), encoding="utf-8")
    found, wanted = json.loads(render(value)), json.loads(path.read_text(encoding="utf-8"))
    assert list(differences(found, wanted, "")) == []


def differences(found: Any, wanted: Any, where: str) -> Iterator[str]:
    """Numbers may differ by rounding; everything else may not."""
    if isinstance(wanted, dict) and isinstance(found, dict) and wanted.keys() == found.keys():
        for key in wanted:
            yield from differences(found[key], wanted[key], f"{where}/{key}")
    elif isinstance(wanted, list) and isinstance(found, list) and len(wanted) == len(found):
        for number, (one, other) in enumerate(zip(found, wanted, strict=True)):
            yield from differences(one, other, f"{where}/{number}")
    elif isinstance(wanted, float) and isinstance(found, int | float):
        if found != pytest.approx(wanted, rel=1e-5, abs=1e-5):
            yield f"{where}: {found} is not {wanted}"
    elif found != wanted:
        yield f"{where}: {found!r} is not {wanted!r}"


@pytest.mark.parametrize(
    "output",
    [
        "scenes/Studio",
        "prefabs/assets/prefabs/figure",
        "prefabs/assets/prefabs/figure optimised",
        "prefabs/assets/prefabs/pedestal",
        "prefabs/assets/prefabs/garden",
        "prefabs/assets/prefabs/humanoid",
        "meshes/Hat",
    ],
)
def test_file_is_as_it_was(output: str, out: Path) -> None:
    compare(output.rsplit("/", 1)[-1], snapshot(read_gltf(out / f"{output}.glb")))


def test_levels_and_instances_are_as_they_were(tmp_path: Path) -> None:
    """The garden once more, with the extensions that are on request."""
    write_bundles(tmp_path / "game", VERSION)
    options = Options(name=("garden",), include=("prefabs",), lod="msft", instancing=True)
    convert([tmp_path / "game"], tmp_path / "out", options)
    compare("garden levels", snapshot(read_gltf(tmp_path / "out/prefabs/assets/prefabs/garden.glb")))


def test_report_is_as_it_was(out: Path) -> None:
    """But for sizes in bytes, which compressed images change."""
    report = json.loads((out / "report.json").read_text("utf-8"))
    for asset in report["assets"]:
        del asset["stats"]["bytes"]
    del report["counts"]["stats"]["bytes"], report["tool"]["version"]
    compare("report", report)
