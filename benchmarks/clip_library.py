"""Memory and size of many clips on one rig: ``--clips library`` against ``--clips embed``, 50 clips against 500.

    python benchmarks/clip_library.py [CLIPS ...]

The game is one bundle with the sample's figure and a controller of CLIPS clips. Each clip turns every bone of the
figure for two seconds, with streamed keys of its own at 30 Hz, as motion capture leaves them. Every conversion runs in
a process of its own, whose peak memory the system tells; library mode writes one file a clip, without the mesh, and
must not need more memory for more clips. "input" is what the game itself weighs: the bundle is mapped into memory, and
held unpacked while it is converted. The last line of a mode compares peaks less these bytes.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from clip_decode import RATE, streamed_words, wandering

from unity2gltf.sample import FileBuilder, Hierarchy, State, compiled_clip, controller_fields, unityfs
from unity2gltf.sample.clips import transform_binding
from unity2gltf.sample.figure import add_assets, add_figure
from unity2gltf.sample.game import ResourceFile
from unity2gltf.sample.skeleton import build_skeleton
from unity2gltf.sample.values import ANIMATION_CLIP, ANIMATOR_CONTROLLER, ASSET_BUNDLE, pptr

VERSION, CAB = "2022.3.20f1", "CAB-3c4d5e6f708192a30f1a2b8a9b0c1d2e"
FRAMES = 61
MEGA = 1 << 20


def write_game(folder: Path, count: int) -> int:
    """One bundle; gives its bytes, packed and unpacked."""
    file, resources = FileBuilder(VERSION), ResourceFile(f"archive:/{CAB}/{CAB}.resS")
    assets, tree = add_assets(file, resources.put), Hierarchy(file)
    root = add_figure(tree, assets)
    tree.write()
    clips = [file.add(ANIMATION_CLIP, motion(number)) for number in range(count)]
    states = [State(f"Motion {number}", number) for number in range(count)]
    file.objects.pop(assets.controller)
    file.add(ANIMATOR_CONTROLLER, controller_fields("Motions", clips, states), assets.controller)
    prefab = {"preloadIndex": 0, "preloadSize": 0, "asset": pptr(root.game_object)}
    file.add(ASSET_BUNDLE, {"m_Name": "motions", "m_Container": [("assets/figure.prefab", prefab)]})
    members = {CAB: file.to_bytes(), f"{CAB}.resS": bytes(resources.data)}
    data = unityfs(members, VERSION, "lz4")
    folder.mkdir(parents=True)
    (folder / "motions.bundle").write_bytes(data)
    return len(data) + sum(map(len, members.values()))


def written_game(folder: Path, count: int) -> int:
    """:func:`write_game` in a process of its own: a child's peak begins with the memory of the process it came from."""
    command = [sys.executable, __file__, "--write", str(folder), str(count)]
    return int(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)


def motion(number: int) -> dict[str, Any]:
    """A clip in which every bone wanders about its rest rotation."""
    skeleton = build_skeleton()
    paths, rest = skeleton.paths, skeleton.local_rotations
    turned = rest + 0.5 * wandering(FRAMES, rest.size, np.random.default_rng(number)).reshape(FRAMES, -1, 4)
    turned /= np.linalg.norm(turned, axis=-1, keepdims=True)
    values = turned.reshape(FRAMES, -1)
    fields = compiled_clip(
        f"Motion {number}", [transform_binding(path, "rotation") for path in paths], stop=(FRAMES - 1) / RATE
    )
    muscle = fields["m_MuscleClip"]
    muscle["m_Clip"]["data"]["m_StreamedClip"] = {"data": streamed_words(values, RATE), "curveCount": values.shape[1]}
    muscle["m_ValueArrayDelta"] = [{}] * values.shape[1]
    return fields


def convert(game: Path, out: Path, clips: str) -> tuple[float, int]:
    """Seconds and peak memory in bytes of a conversion."""
    command = [sys.executable, "-m", "unity2gltf", "convert", str(game), "-o", str(out), "--clips", clips, "--quiet"]
    start = perf_counter()
    child = os.spawnv(os.P_NOWAIT, sys.executable, command)
    _, status, usage = os.wait4(child, 0)
    if status:
        sys.exit(f"the conversion ended with {os.waitstatus_to_exitcode(status)}")
    return perf_counter() - start, usage.ru_maxrss << 10


def describe(out: Path) -> str:
    """Number and sizes of the files below OUT."""
    prefabs = sum(path.stat().st_size for path in out.glob("prefabs/**/*.glb"))
    motions = [path.stat().st_size for path in out.glob("animations/**/*.glb")]
    largest = max(motions, default=0) / 1024
    return f"{len(motions):5} clip files, the largest {largest:3.0f} kB; prefabs {prefabs / MEGA:6.2f} MB"


def main(counts: list[int]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        sizes = {count: written_game(Path(folder, f"game{count}"), count) for count in counts}
        for mode in ("library", "embed"):
            own = []
            for count, size in sizes.items():
                out = Path(folder, f"{mode}{count}")
                seconds, peak = convert(Path(folder, f"game{count}"), out, mode)
                own.append(peak - size)
                print(f"{mode:8}{count:5} clips   {seconds:6.1f} s   peak {peak / MEGA:5.0f} MB   ", end="")
                print(f"input {size / MEGA:5.1f} MB   {describe(out)}", flush=True)
            print(f"{mode:8}{counts[-1]:5} clips   {own[-1] / own[0]:6.2f} times the memory of {counts[0]}")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--write"]:
        print(write_game(Path(sys.argv[2]), int(sys.argv[3])))
        sys.exit()
    main([int(word) for word in sys.argv[1:]] or [50, 500])
