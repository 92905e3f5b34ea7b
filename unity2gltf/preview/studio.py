"""Draws files with Filament (the package ``filly``): one renderer and its light, used for many files."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .camera import FOV_DEG, View
from .light import sky_ktx

Pixels = NDArray[np.uint8]
"""(height, width, 4): sRGB and opacity."""

SKY_LUX = 15_000.0
KEY_LUX = 40_000.0
KEY = (-0.55, 0.75, 0.6)
"""From the model towards the key light, in the camera's axes: over the left shoulder, so that every view is lit."""


class Studio:
    """A renderer for pictures of one size. Raises what filly raises."""

    def __init__(self, width: int, height: int) -> None:
        import filly

        filly.set_log_level("error")
        self._renderer: Any = filly.Renderer()
        self._target: Any = self._renderer.create_render_target(width=width, height=height)
        with tempfile.TemporaryDirectory() as folder:
            sky = Path(folder, "sky.ktx")
            sky.write_bytes(sky_ktx())
            self._sky: Any = self._renderer.load_environment_ktx(str(sky))
        self.aspect = width / height

    def open(self, path: Path, clip: int | None, time: float) -> Stage:
        """The file, posed. Raises filly's AssetError where Filament cannot load it."""
        scene = self._renderer.create_scene()
        try:
            return Stage(self._renderer, self._target, self._sky, scene, path, clip, time)
        except BaseException:
            scene.close()
            raise


class Stage:
    """One file in the studio; :meth:`close` it."""

    def __init__(
        self, renderer: Any, target: Any, sky: Any, scene: Any, path: Path, clip: int | None, time: float
    ) -> None:
        self._renderer, self._target, self._scene = renderer, target, scene
        self._model = scene.load(str(path))
        if clip is not None:
            self._model.apply_animation(clip, min(time, self._model.animations[clip].duration), loop=False)
        for light in self._model.lights:
            light.intensity = 0.0  # made for the game's own exposure, and often for another side
        scene.environment, scene.environment_intensity = sky, SKY_LUX
        scene.transparent, scene.background = True, [0.0, 0.0, 0.0, 0.0]
        scene.tone_mapping = "pbr_neutral"  # leaves base colours as they are
        scene.msaa, scene.ssao, scene.shadows = 4, True, True
        scene.camera = renderer.create_camera()
        self._key = scene.add_directional_light(direction=(0.0, -1.0, 0.0), intensity=KEY_LUX)

    def boxes(self) -> list[NDArray[np.float64]]:
        """(2, 3) lowest and highest corner of each mesh as Filament has it: at rest, whatever the pose is."""
        nodes = (node for node in self._model.nodes if node.mesh_name is not None)
        return [np.array(node.bounds, np.float64) for node in nodes]

    def draw(self, view: View) -> Pixels:
        """The picture from one side, without a background."""
        camera = self._scene.camera
        camera.set_perspective(
            fov_y_deg=FOV_DEG, aspect=self._target.width / self._target.height, near=view.near, far=view.far
        )
        camera.position = view.position.tolist()
        camera.look_at(view.target.tolist())
        self._key.direction = (-np.array(KEY) @ view.axes).tolist()
        self._renderer.render(self._scene, self._target)
        return np.array(self._target.read(), np.uint8)

    def close(self) -> None:
        """Free what the file took."""
        self._scene.close()


def coverage(pixels: Pixels) -> float:
    """Share of a picture that shows something."""
    return float((pixels[:, :, 3] > 0).mean())


def reach_for(points: NDArray[np.float64], boxes: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
    """``points``, and one more for each box that lies away from them.

    Filament leaves out a mesh whose box at rest is out of the picture, wherever the pose has moved it.
    """
    low, high = points.min(axis=0), points.max(axis=0)
    away = [np.clip((low + high) / 2, *box) for box in boxes if (box[0] > high).any() or (box[1] < low).any()]
    return np.concatenate([points, *(np.atleast_2d(point) for point in away)])
