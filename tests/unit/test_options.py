"""Options that make no sense are one sentence; all of them go through report.json and back."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from tests.builders.avatars import VRM
from unity2gltf.errors import UsageError
from unity2gltf.options import Options


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"vrm_name": ""}, "--vrm needs --vrm-name: an avatar says whose it is"),
        ({"vrm_name": " \t"}, "--vrm needs --vrm-name"),
        ({"vrm_authors": ()}, "--vrm needs --vrm-author"),
        ({"vrm_authors": ("Ada", " ")}, "--vrm needs --vrm-author"),
        ({"vrm_license": ""}, "--vrm needs --vrm-license"),
        ({"vrm_name": "", "vrm_license": ""}, "--vrm needs --vrm-name, --vrm-license: an"),
        ({"vrm_license": "CC0"}, "--vrm-license must be a URL such as https://vrm.dev/licenses/1.0/, not 'CC0'"),
        ({"vrm_license": "https://"}, "must be a URL"),
        ({"vrm_license": "https://[x"}, "must be a URL"),
        ({"vrm_license": "https://a b"}, "must be a URL"),
        ({"vrm_license": "https://a/\n"}, "must be a URL"),
        ({"vrm_license": "javascript:alert(1)"}, "must be a URL"),
        ({"vrm_license": "\udc80"}, "must be a URL"),
        ({"vrm": False}, "--vrm-name has no effect without --vrm"),
        ({"vrm": False, "vrm_name": ""}, "--vrm-author has no effect"),
        ({"vrm": False, "vrm_name": "", "vrm_authors": ()}, "--vrm-license has no effect"),
    ],
)
def test_an_avatar_says_whose_it_is(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(UsageError) as caught:
        replace(VRM, **changes)
    assert words in str(caught.value) and "\n" not in str(caught.value)


@pytest.mark.parametrize("options", [Options(), replace(VRM, vrm_authors=("Ada", "Grace", "☃"))])
def test_options_survive_the_report(options: Options) -> None:
    assert Options.from_json(json.loads(json.dumps(options.to_json()))) == options


@pytest.mark.parametrize("changes", [{"vrm": 1}, {"vrm_name": None}, {"vrm_authors": "Ada"}, {"vrm_license": []}])
def test_a_report_with_other_values_is_none(changes: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        Options.from_json(VRM.to_json() | changes)
