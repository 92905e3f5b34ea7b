"""Loads GLB files into Blender (bpy) and tells bones, groups, shape keys, actions and posed vertices."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import bpy
import numpy as np
from io_scene_gltf2.blender.imp import animation as importer

# The importer makes the first clip the active one, which would move what is looked at as the rest pose.
importer.restore_animation_on_object = lambda *_: None


def run(job: dict[str, Any]) -> dict[str, Any]:
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.import_scene.gltf(filepath=job["file"], disable_bone_shape=True, bone_heuristic="TEMPERANCE")
    meshes = [item for item in bpy.data.objects if item.type == "MESH"]
    armatures = [item for item in bpy.data.objects if item.type == "ARMATURE"]
    rest = Rest()
    for number, pose in enumerate(job["poses"]):
        rest.apply()
        play(pose, job["clips"])
        points = [posed(item) for item in meshes]
        points_all = np.concatenate([np.zeros((0, 3), np.float32), *points])
        points_all.astype("<f4").tofile(Path(job["out"]) / f"{number}.f32")
        heads(armatures).astype("<f4").tofile(Path(job["out"]) / f"{number}.heads.f32")
    return {
        "nodes": [item.name for item in bpy.data.objects] + [b.name for item in armatures for b in item.data.bones],
        "bones": [bone.name for item in armatures for bone in item.data.bones],
        "objects": [describe(item) for item in meshes],
        "clips": [{"name": action.name} for action in bpy.data.actions],
    }


def describe(item: Any) -> dict[str, Any]:
    keys = item.data.shape_keys
    return {
        "name": item.name,
        "vertices": len(item.data.vertices),
        "groups": len(item.vertex_groups),
        "influences": max((sum(g.weight > 0 for g in v.groups) for v in item.data.vertices), default=0),
        "shapes": [key.name for key in keys.key_blocks[1:]] if keys else [],
    }


def posed(item: Any) -> np.ndarray[Any, Any]:
    """(V, 3) evaluated vertices in the file's space: Blender's world turned back from +Z up."""
    evaluated = item.evaluated_get(bpy.context.evaluated_depsgraph_get())
    mesh = evaluated.to_mesh()
    points = np.empty(len(mesh.vertices) * 3, np.float32)
    mesh.vertices.foreach_get("co", points)
    evaluated.to_mesh_clear()
    matrix = np.array(evaluated.matrix_world, np.float64)
    x, y, z = (points.reshape(-1, 3).astype(np.float64) @ matrix[:3, :3].T + matrix[:3, 3]).T
    return np.stack([x, z, -y], axis=1)


def heads(armatures: list[Any]) -> np.ndarray[Any, Any]:
    """(B, 3) heads of all bones in the file's space, in the order of ``bones``."""
    points = [
        np.array(item.matrix_world @ item.pose.bones[bone.name].head) for item in armatures for bone in item.data.bones
    ]
    x, y, z = np.array(points, np.float64).reshape(-1, 3).T
    return np.stack([x, z, -y], axis=1)


class Rest:
    """The pose as loaded, to go back to between clips: what one clip moves, the next may leave alone."""

    def __init__(self) -> None:
        self.parts = [*bpy.data.objects, *(bone for item in bpy.data.objects if item.pose for bone in item.pose.bones)]
        self.poses = [(part.location.copy(), part.rotation_quaternion.copy(), part.scale.copy()) for part in self.parts]
        self.blocks = [block for keys in bpy.data.shape_keys for block in keys.key_blocks]
        self.values = [block.value for block in self.blocks]

    def apply(self) -> None:
        for owner in animated():
            owner.animation_data.action = None
        for part, (location, rotation, scale) in zip(self.parts, self.poses, strict=True):
            part.location, part.rotation_quaternion, part.scale = location, rotation, scale
        for block, value in zip(self.blocks, self.values, strict=True):
            block.value = value


def animated() -> list[Any]:
    return [owner for owner in (*bpy.data.objects, *bpy.data.shape_keys) if owner.animation_data]


def play(pose: dict[str, Any], clips: list[str]) -> None:
    """Give each owner the action of its stashed track of the clip, and go to the time."""
    scene = bpy.context.scene
    if pose["clip"] is not None:
        wanted = track_name(clips, pose["clip"])
        for owner in animated():
            for track in owner.animation_data.nla_tracks:
                if track.name == wanted:
                    owner.animation_data.action = track.strips[0].action
                    owner.animation_data.action_slot = track.strips[0].action_slot
    frame = pose["time"] * scene.render.fps * scene.render.fps_base
    scene.frame_set(int(frame), subframe=frame - int(frame))
    bpy.context.view_layer.update()


def track_name(clips: list[str], clip: int) -> str:
    """What the importer calls a clip: its name, cut to 63 bytes, numbered when others have it too."""
    name = clips[clip].encode()[:63].decode(errors="ignore") or f"Anim_{clip}"
    earlier = clips[:clip].count(clips[clip])
    return f"{name}.{earlier:03d}" if earlier else name


def main() -> None:
    for number, job in enumerate(json.loads(Path(sys.argv[1]).read_text("utf-8"))):
        print(f"\n@start {number}", flush=True)
        try:
            result = run(job)
        except Exception as error:  # noqa: BLE001, whatever it is, it belongs to this file
            result = {"error": f"{type(error).__name__}: {error}"[-400:]}
        print(f"\n@done {number} {json.dumps(result)}", flush=True)


main()
