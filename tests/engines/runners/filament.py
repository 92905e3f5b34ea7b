"""Loads GLB files into Filament (filly), draws each pose, and tells which pictures are blank."""

from __future__ import annotations

import json
import sys
import warnings
from pathlib import Path
from typing import Any

import filly
import numpy as np

SIZE = 128
SHOWN = 0.002
"""Share of the picture that a part in the middle of it covers at least."""


def run(renderer: Any, job: dict[str, Any]) -> dict[str, Any]:
    with renderer.create_scene() as scene, renderer.create_render_target(width=SIZE, height=SIZE) as target:
        model = scene.load(job["file"])
        scene.camera = renderer.create_camera()
        scene.add_directional_light(direction=(-1.0, -1.0, -2.0), intensity=90_000)
        scene.add_directional_light(direction=(1.0, -0.3, 1.0), intensity=30_000)
        return {
            "nodes": [node.name for node in model.nodes],
            "clips": [{"name": clip.name, "duration": clip.duration} for clip in model.animations],
            "blank": [n for n, pose in enumerate(job["poses"]) if is_blank(renderer, scene, model, target, pose)],
        }


def is_blank(renderer: Any, scene: Any, model: Any, target: Any, pose: dict[str, Any]) -> bool:
    """Whether the largest part shows from neither of two sides (surfaces may be open, and have one side)."""
    model.reset_animation()
    if pose["clip"] is not None:
        model.apply_animation(pose["clip"], pose["time"], loop=False)
    low, high = np.array(pose["box"])
    reach = max(float(np.linalg.norm(high - low)), 1e-3)
    scene.camera.set_perspective(fov_y_deg=30.0, aspect=1.0, near=reach * 0.1, far=reach * 10.0)
    for side in (1.0, -1.0):
        scene.camera.position = ((low + high) / 2 + side * reach * np.array([0.9, 0.8, 1.5])).tolist()
        scene.camera.look_at(((low + high) / 2).tolist())
        renderer.render(scene, target)
        picture = np.asarray(target.read()).astype(int)
        if (np.abs(picture - picture[0, 0]).max(axis=2) > 2).mean() > SHOWN:
            return False
    return True


def main() -> None:
    warnings.simplefilter("ignore")
    with filly.Renderer() as renderer:
        for number, job in enumerate(json.loads(Path(sys.argv[1]).read_text("utf-8"))):
            print(f"\n@start {number}", flush=True)
            try:
                result = run(renderer, job)
            except Exception as error:  # noqa: BLE001, whatever it is, it belongs to this file
                result = {"error": f"{type(error).__name__}: {error}"[-400:]}
            print(f"\n@done {number} {json.dumps(result)}", flush=True)


main()
