"""Cameras, with the indices of the asset's."""

from __future__ import annotations

import pygltflib

from ..ir import Camera
from .context import Context


def write_cameras(context: Context) -> None:
    """All cameras of the file."""
    context.gltf.cameras = [_camera(context, camera) for camera in context.asset.cameras]


def _camera(context: Context, camera: Camera) -> pygltflib.Camera:
    extras = {"unity": {**camera.extras, **camera.source.mark()}}
    name = context.text(camera.name)
    if camera.yfov is None:
        box = pygltflib.Orthographic(xmag=camera.xmag, ymag=camera.ymag, znear=camera.near, zfar=camera.far)
        return pygltflib.Camera(type="orthographic", orthographic=box, name=name, extras=extras)
    view = pygltflib.Perspective(yfov=camera.yfov, aspectRatio=camera.aspect, znear=camera.near, zfar=camera.far)
    return pygltflib.Camera(type="perspective", perspective=view, name=name, extras=extras)
