"""Assets that break their contract are faults, never index errors or silent wrap-around."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from tests.builders.assets import EXAMPLES, painted, strip
from unity2gltf.diagnostics import Diagnostics, Fault
from unity2gltf.emit.contract import check_asset
from unity2gltf.emit.document import build_document
from unity2gltf.ir import Asset, Node, Primitive, Sheen, TextureUse

BROKEN: dict[str, Callable[[Asset], Asset]] = {
    "mesh of a node": lambda a: replace(a, nodes=(Node(name="x", mesh=2),)),
    "mesh below zero": lambda a: replace(a, nodes=(Node(name="x", mesh=-1),)),
    "skin of a node": lambda a: replace(a, nodes=(Node(name="x", mesh=0, skin=0),)),
    "game object": lambda a: replace(a, nodes=(Node(name="x", game_object=1),)),
    "geometry": lambda a: replace(a, meshes=(replace(a.meshes[0], geometry=2),)),
    "submesh": lambda a: replace(a, meshes=(replace(a.meshes[0], primitives=(Primitive(submesh=2, material=None),)),)),
    "material": lambda a: replace(a, meshes=(replace(a.meshes[0], primitives=(Primitive(submesh=0, material=1),)),)),
    "texture": lambda a: replace(a, materials=(replace(a.materials[0], base_color_texture=TextureUse(texture=3)),)),
    "texture of a layer": lambda a: replace(
        a, materials=(replace(a.materials[0], sheen=Sheen(color=(1.0, 1.0, 1.0), color_texture=TextureUse(texture=3))),)
    ),
    "image": lambda a: replace(a, textures=(replace(a.textures[0], image=3),), materials=()),
    "image format": lambda a: replace(a, images=(replace(a.images[0], mime="image/bmp"),) * 3),
}


@pytest.mark.parametrize("what", BROKEN)
def test_an_index_that_leads_nowhere_is_a_fault(what: str) -> None:
    with pytest.raises(Fault) as caught:
        build_document(BROKEN[what](painted()), Diagnostics())
    assert caught.value.code.name == "ASSET_FAILED"


def test_a_skeleton_that_does_not_exist_is_a_fault() -> None:
    built = strip()
    with pytest.raises(Fault):
        check_asset(replace(built, skins=(replace(built.skins[0], skeleton=99),)))


@pytest.mark.parametrize("name", EXAMPLES)
def test_sound_assets_pass(name: str) -> None:
    check_asset(EXAMPLES[name]())
