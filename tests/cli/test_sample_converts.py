"""The sample converts in every version the writer knows, players with and without type trees, without loss but for the
one material whose shader is not known: and without any with the row for it in the examples."""

from __future__ import annotations

from pathlib import Path

import pytest

from unity2gltf import Options, convert
from unity2gltf.diagnostics import Severity
from unity2gltf.sample import write_bundles, write_player, write_sample

RULES = Path(__file__).parents[2] / "examples" / "materials.toml"
VERSIONS = ("2018.4.30f1", "2019.4.40f1", "2020.3.48f1", "2021.3.30f1", "2022.3.20f1", "6000.0.30f1", "6000.2.5f1")


@pytest.mark.parametrize("version", VERSIONS)
def test_every_asset_is_exact_with_all_influences_and_the_rules(version: str, tmp_path: Path) -> None:
    trees = VERSIONS.index(version) % 2 == 0  # players rarely have them, bundles mostly do: take turns
    write_player(tmp_path / "game" / "Game_Data", version, type_trees=trees)
    write_bundles(tmp_path / "game" / "bundle", version, type_trees=not trees)
    options = Options(max_influences=0, material_rules=RULES.read_text("utf-8"))
    report = convert([tmp_path / "game"], tmp_path / "out", options)
    assert {asset.status for asset in report.assets} == {"exact"}
    assert not report.diagnostics
    assert sorted(asset.output or "" for asset in report.assets) == [
        "meshes/Boulder_LOD1.glb",
        "meshes/Hat.glb",
        "meshes/Pedestal.glb",
        "prefabs/assets/prefabs/figure optimised.glb",
        "prefabs/assets/prefabs/figure.glb",
        "prefabs/assets/prefabs/garden.glb",
        "prefabs/assets/prefabs/humanoid.glb",
        "prefabs/assets/prefabs/pedestal.glb",
        "scenes/Studio.glb",
    ]
    proofs = [asset.roundtrip for asset in report.assets if asset.roundtrip]
    assert len(proofs) == len(report.assets)
    assert max(proof["max_error_m"] for proof in proofs) < 1e-6


def test_without_the_rules_one_material_is_guessed(tmp_path: Path) -> None:
    write_sample(tmp_path / "game", ("2022.3.20f1",))
    report = convert(tmp_path / "game", tmp_path / "out", Options(max_influences=0, verify="none"))
    assert [asset.output for asset in report.assets if asset.status != "exact"] == ["scenes/Studio.glb"]
    told = [d for asset in report.assets for d in asset.diagnostics if d.code.severity is not Severity.INFO]
    assert sorted(d.code.name for d in told) == ["MATERIAL_PARTS_LEFT", "MATERIAL_SHADER_GUESSED"]
    assert {d.where.rsplit("/", 1)[-1] for d in told} == {'Material "Gem"'}


@pytest.mark.parametrize(("version", "influences"), [("2018.4.30f1", 4), ("2022.3.20f1", 12)])
def test_the_form_the_game_draws(version: str, influences: int, tmp_path: Path) -> None:
    """Up to 2018.4 a vertex has four influences; later the quality settings of the sample say unlimited."""
    write_player(tmp_path / "Game_Data", version)
    report = convert([tmp_path / "Game_Data"], tmp_path / "out", Options(max_influences=2, include=("scenes",)))
    (cut,) = (d for asset in report.assets for d in asset.diagnostics if d.code.name == "SKIN_INFLUENCES_CUT")
    assert cut.data["max_influences"] == influences
    (moved,) = (d for asset in report.assets for d in asset.diagnostics if d.code.name == "SKIN_CUT_MEASURED")
    assert 1e-4 < moved.data["rms_m"] < moved.data["max_m"] < 0.5
    assert report.counts()["max_cut_m"] == moved.data["max_m"]
