"""The VRM of a prefab: whether there can be one, and the asset that is written as such."""

from __future__ import annotations

from dataclasses import replace

from ... import codes
from ...diagnostics import Diagnostics
from ...ir import Asset, Humanoid, Vrm
from ...options import Options
from ...text import counted
from .bones import choose_bones, missing_bones
from .expressions import make_expressions
from .gaze import look_at
from .pose import report_pose, stand


def vrm_asset(asset: Asset, options: Options, diagnostics: Diagnostics) -> Asset | None:
    """The avatar of a prefab in Unity's space, whose rest pose is the T-pose, without clips. None where the prefab has
    no humanoid rig, and after a diagnostic where it has several, or one without a bone that VRM requires."""
    if not asset.humanoids:
        return None
    if len(asset.humanoids) > 1:
        names = [asset.nodes[humanoid.rig].name for humanoid in asset.humanoids]
        text = f"the prefab has {len(names)} humanoid rigs: {', '.join(names[:5])}"
        diagnostics.add(codes.VRM_AMBIGUOUS, text, rigs=names)
        return None
    bones = _bones(asset, asset.humanoids[0], diagnostics)
    return None if bones is None else _avatar(asset, asset.humanoids[0], bones, options, diagnostics)


def _bones(asset: Asset, humanoid: Humanoid, diagnostics: Diagnostics) -> dict[str, int] | None:
    bones, left_out = choose_bones(humanoid, asset.nodes)
    missing = missing_bones(bones, left_out)
    if missing:
        text = f"avatar {humanoid.avatar!r} lacks bones that a VRM needs: {', '.join(missing)}"
        diagnostics.add(codes.VRM_BONE_MISSING, text, bones=missing)
        return None
    if left_out:
        text = (
            f"{counted(len(left_out), 'human bone')} left out, which VRM takes only with others: {', '.join(left_out)}"
        )
        diagnostics.add(codes.VRM_BONE_LEFT_OUT, text, bones=left_out)
    return bones


def _avatar(
    asset: Asset, humanoid: Humanoid, bones: dict[str, int], options: Options, diagnostics: Diagnostics
) -> Asset:
    nodes = stand(asset.nodes, humanoid, diagnostics)
    report_pose(nodes, bones, diagnostics)
    expressions = make_expressions(asset)
    vrm = Vrm(
        name=options.vrm_name.replace("{name}", asset.name),
        authors=options.vrm_authors,
        license_url=options.vrm_license,
        bones=bones,
        expressions=expressions,
        look_at=look_at(humanoid, bones, {item.name for item in expressions if item.preset}, nodes),
    )
    return replace(asset, kind="vrm", nodes=tuple(nodes), clips=(), vrm=vrm)
