"""Small games of a few bundles, and what the tests of whole runs ask of an output folder."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from unity2gltf.sample import FileBuilder, Hierarchy, MeshContent, mesh_fields, unityfs
from unity2gltf.sample.values import ASSET_BUNDLE, MESH, MESH_FILTER, MESH_RENDERER, pptr

VERSION = "2022.3.20f1"
STATE = ".unity2gltf"
MAIN = "from unity2gltf.cli.app import main; main()"


def triangle(name: str, size: float = 1.0) -> MeshContent:
    positions = np.array([[0, 0, 0], [0, size, 0], [size, 0, 0]], np.float32)
    return MeshContent(
        name=name,
        positions=positions,
        normals=np.tile(np.array([0, 0, -1], np.float32), (3, 1)),
        tangents=np.tile(np.array([1, 0, 0, -1], np.float32), (3, 1)),
        uv=positions[:, :2].copy(),
        submeshes=(np.array([[0, 1, 2]]),),
    )


def bundle(
    cab: str, prefabs: Mapping[str, str], *, mesh: str | None = None, size: float = 1.0, draws: str | None = None
) -> bytes:
    """A bundle of ``prefabs`` (path stored to object's name). All draw one triangle of its own, named ``mesh`` if that
    is given, or the first object of the bundle ``draws``."""
    file = FileBuilder(VERSION)
    tree = Hierarchy(file)
    if draws is None:
        shown = pptr(file.add(MESH, mesh_fields(triangle(mesh or f"{cab} mesh", size), file)))
    else:
        shown = {"m_FileID": file.external(f"archive:/{draws}/{draws}"), "m_PathID": 1}
    container = []
    for path, name in prefabs.items():
        item = tree.add(name)
        tree.component(item, MESH_FILTER, {"m_Mesh": shown})
        tree.component(item, MESH_RENDERER, {"m_Materials": [pptr(0)]})
        container.append((path, {"preloadIndex": 0, "preloadSize": 0, "asset": pptr(item.game_object)}))
    tree.write()
    file.add(ASSET_BUNDLE, {"m_Name": cab, "m_Container": container})
    return unityfs({cab: file.to_bytes()}, VERSION)


def write_game(folder: Path) -> Path:
    """``b.bundle`` draws what ``shared.bundle`` holds; ``a.bundle`` has two prefabs, ``c.bundle`` one, on their own."""
    folder.mkdir(parents=True)
    files = {
        "a.bundle": bundle("CAB-a", {"a1.prefab": "A1", "a2.prefab": "A2"}),
        "b.bundle": bundle("CAB-b", {"b.prefab": "B"}, draws="CAB-shared"),
        "c.bundle": bundle("CAB-c", {"c.prefab": "C"}),
        "shared.bundle": bundle("CAB-shared", {}, mesh="Shared"),
    }
    for name, data in files.items():
        (folder / name).write_bytes(data)
    return folder


def contents(out: Path) -> dict[str, bytes]:
    """All that a run writes but its own state, by path."""
    return {name: (out / name).read_bytes() for name in paths(out)}


def paths(out: Path) -> list[str]:
    files = (path.relative_to(out) for path in out.rglob("*") if path.is_file())
    return sorted(path.as_posix() for path in files if path.parts[0] != STATE)


def stamps(out: Path) -> dict[str, tuple[int, int]]:
    """When each output was written, and as which file."""
    found = {name: (out / name).stat() for name in paths(out) if name not in ("report.json", "index.html")}
    return {name: (stat.st_mtime_ns, stat.st_ino) for name, stat in found.items()}


def leftovers(out: Path) -> list[str]:
    """What a run should have cleaned up: parts, and files that wait for a name."""
    own = ("state.db", "state.db-wal", "state.db-shm", "lock")
    waiting = [path for path in (out / STATE).rglob("*") if path.name not in own]
    return [str(path) for path in [*waiting, *out.rglob("*.part")]]


def command(*args: object) -> list[str]:
    return [sys.executable, "-c", MAIN, *map(str, args)]


def cli(*args: object, **more: Any) -> subprocess.CompletedProcess[str]:
    """The console script in a process of its own."""
    return subprocess.run(command(*args), capture_output=True, text=True, timeout=120, check=False, **more)


def children(pid: int) -> list[int]:
    """Processes that ``pid`` started, and those that they did."""
    parents: dict[int, list[int]] = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                stat = (folder / "stat").read_text()
            except OSError:  # it ended
                continue
            parents.setdefault(int(stat.rpartition(")")[2].split()[1]), []).append(int(folder.name))
    found = parents.get(pid, [])
    return found + [deeper for child in found for deeper in children(child)]


def is_running(pid: int) -> bool:
    """A zombie, whose parent has not asked for it yet, is none."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def redone(before: Mapping[str, Any], out: Path) -> set[str]:
    """Outputs that are new, or were written again."""
    return {name for name, stamp in stamps(out).items() if before.get(name) != stamp}


def touch(path: Path, data: bytes) -> None:
    """Change a file in a way that every clock notices."""
    path.write_bytes(data)
    later = path.stat().st_mtime_ns + 2_000_000_000
    os.utime(path, ns=(later, later))
