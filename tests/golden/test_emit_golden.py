"""The JSON and every accessor's values of the example assets, against files that were read and found right.

``UPDATE_GOLDEN=1`` writes them anew; look at the difference before committing it.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.builders.assets import EXAMPLES
from tests.reference.gltf_accessors import buffers_of, read_accessor
from unity2gltf.diagnostics import Diagnostics
from unity2gltf.emit.document import build_document

FOLDER = Path(__file__).parent / "emit"


def snapshot(name: str) -> dict[str, Any]:
    """Everything but compressed image bytes, whose sizes may differ between zlib versions."""
    document = build_document(EXAMPLES[name](), Diagnostics())
    data = buffers_of(document.json, document.chunks)
    values = [read_accessor(document.json, data, i).tolist() for i in range(len(document.json["accessors"]))]
    text = json.loads(json.dumps(document.json))
    images = {image["bufferView"] for image in text.get("images", ())}
    text["bufferViews"] = [view for index, view in enumerate(text["bufferViews"]) if index not in images]
    del text["buffers"]
    return {"json": text, "accessors": values}


def render(value: dict[str, Any]) -> str:
    """One line an item of each top-level list, so that differences read well."""
    lines = [f" {json.dumps(key)}: {_block(item)}" for key, item in value["json"].items()]
    lines.append(f' "values": {_block(value["accessors"])}')
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _block(value: Any) -> str:
    if not isinstance(value, list):
        return json.dumps(value, ensure_ascii=False)
    return "[\n" + ",\n".join("  " + json.dumps(item, ensure_ascii=False) for item in value) + "\n ]"


@pytest.mark.parametrize("name", EXAMPLES)
def test_document_is_as_it_was(name: str) -> None:
    path = FOLDER / f"{name}.json"
    text = render(snapshot(name))
    if os.environ.get("UPDATE_GOLDEN"):
        path.write_text(text, encoding="utf-8")
    assert json.loads(path.read_text(encoding="utf-8")) == json.loads(text)


def test_every_golden_file_has_its_asset() -> None:
    assert sorted(path.stem for path in FOLDER.glob("*.json")) == sorted(EXAMPLES)
