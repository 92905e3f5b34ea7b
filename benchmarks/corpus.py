"""CPU time and memory of converting a folder of Unity files, against a plain lower bound and other tools, in one run.

Usage: python benchmarks/corpus.py CORPUS [SIDE ...]

Each side runs in a process of its own, which notes its CPU time (user and system, with its own children) after its
imports and after its work, its peak memory, and what it wrote. The sides:

bound      the least that any converter does: open each file with UnityPy, copy the raw bytes of the meshes,
           textures, materials, clips, objects, transforms and renderers to one file an input, decode each texture
           once and write it as PNG by the project's own encoder
convert    ``unity2gltf.convert`` with default options (round trip and validation included)
unverified the same with ``verify="none"``
unitypy    UnityPy's own export: OBJ of each mesh, PNG of each texture
unity-rs   FBX of the scene and PNG of each texture through the ``unity_rs`` module, file by file

All but ``convert`` treat every texture; ``convert`` decodes those that an exported material shows, and opens files
with its own reader, so it can stay below the bound.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import io
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

_NOT_UNITY = {".json", ".md", ".txt", ".resS", ".resource", ".manifest"}
_RAW = {
    "Mesh",
    "Texture2D",
    "Material",
    "AnimationClip",
    "GameObject",
    "Transform",
    "RectTransform",
    "MeshFilter",
    "MeshRenderer",
    "SkinnedMeshRenderer",
}
_TEXTURE_2D = 28
_MEGA = 1 << 20
Counts = dict[str, int]


def inputs(corpus: Path) -> list[Path]:
    """Files that may hold Unity objects, in order."""
    return [path for path in sorted(corpus.rglob("*")) if path.is_file() and path.suffix not in _NOT_UNITY]


def open_with_unitypy(corpus: Path, counts: Counts) -> Iterator[Any]:
    """An environment a file; those that UnityPy does not open are counted. It prints and warns: neither is wanted."""
    import UnityPy

    UnityPy.config.FALLBACK_UNITY_VERSION = "2020.3.33f1"
    warnings.simplefilter("ignore")
    for path in inputs(corpus):
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                environment = UnityPy.load(str(path))
        except Exception:  # noqa: BLE001 - a tool that is measured, not ours
            counts["failed"] += 1
            continue
        if environment.objects:
            counts["files"] += 1
            counts["largest input"] = max(counts["largest input"], decompressed_size(environment))
            yield environment


def decompressed_size(container: Any) -> int:
    """Bytes of the serialized and resource files below an environment, once unpacked."""
    from UnityPy.files import SerializedFile

    if not isinstance(container, SerializedFile) and hasattr(container, "files"):
        return sum(map(decompressed_size, container.files.values()))
    return int(getattr(container, "reader", container).Length)


def write(folder: Path, counts: Counts, extension: str, data: bytes) -> None:
    """Write one output under a running number."""
    counts["outputs"] += 1
    counts["bytes out"] += len(data)
    (folder / f"{counts['outputs']:06}{extension}").write_bytes(data)


@contextlib.contextmanager
def counted_failure(counts: Counts) -> Iterator[None]:
    """Other tools fail on some objects: count, go on."""
    try:
        yield
    except Exception:  # noqa: BLE001 - a tool that is measured, not ours
        counts["object failures"] += 1


def run_bound(corpus: Path, out: Path, counts: Counts) -> None:
    for environment in open_with_unitypy(corpus, counts):
        raw = []
        for reader in environment.objects:
            if reader.type.name not in _RAW:
                continue
            with counted_failure(counts):
                raw.append(reader.get_raw_data())
            if reader.type.name == "Texture2D":
                with counted_failure(counts):
                    write(out, counts, ".png", texture_png(reader))
        write(out, counts, ".bin", b"".join(raw))


def texture_png(reader: Any) -> bytes:
    """A texture object's first mip by the project's decoder and encoder."""
    from unity2gltf.diagnostics import Diagnostics
    from unity2gltf.normalize.textures.image import Settings, make_image
    from unity2gltf.normalize.textures.recipes import Color
    from unity2gltf.raw import RawTexture
    from unity2gltf.source import Source

    texture = reader.parse_as_object()
    raw = RawTexture(
        source=Source("", "", reader.path_id, "Texture2D"),
        name=texture.m_Name,
        version=tuple(reader.version[:3]),
        width=texture.m_Width,
        height=texture.m_Height,
        format=int(texture.m_TextureFormat),
        data=bytes(texture.get_image_data()),
        mip_count=1,
        color_space=1,
        filter=1,
        aniso=1,
        wrap=(0, 0),
        platform=int(reader.platform),
        platform_blob=bytes(getattr(texture, "m_PlatformBlob", None) or b""),
    )
    return make_image(Color(raw.source), {raw.source: raw}, Settings(), Diagnostics()).data


def run_unitypy(corpus: Path, out: Path, counts: Counts) -> None:
    for environment in open_with_unitypy(corpus, counts):
        for reader in environment.objects:
            if reader.type.name == "Mesh":
                with counted_failure(counts):
                    write(out, counts, ".obj", reader.parse_as_object().export().encode())
            elif reader.type.name == "Texture2D":
                with counted_failure(counts):
                    buffer = io.BytesIO()
                    reader.parse_as_object().image.save(buffer, "PNG")
                    write(out, counts, ".png", buffer.getvalue())


def run_unity_rs(corpus: Path, out: Path, counts: Counts) -> None:
    import unity_rs

    for path in inputs(corpus):
        try:
            studio = unity_rs.UnityRs(path)
            objects = list(studio.iter_objects())
        except Exception:  # noqa: BLE001 - a tool that is measured, not ours
            counts["failed"] += 1
            continue
        counts["files"] += bool(objects)
        with counted_failure(counts):
            write(out, counts, ".fbx", studio.read_fbx_binary())
        for item in objects:
            if item.class_id == _TEXTURE_2D:
                with counted_failure(counts):
                    write(out, counts, ".png", studio.read_texture(item.file_index, item.path_id).encode("png"))


def run_convert(corpus: Path, out: Path, counts: Counts, verify: str = "quick") -> None:
    from unity2gltf import Options, convert

    convert([corpus], out, Options(verify=verify))
    report = json.loads((out / "report.json").read_text(encoding="utf-8"))
    counts["files"] = sum(1 for entry in report["inputs"] if entry["status"] == "read")
    counts["failed"] = sum(1 for entry in report["inputs"] if entry["status"] == "failed")
    counts["object failures"] = sum(1 for asset in report["assets"] if asset["status"] == "failed")
    counts["outputs"] = len(report["assets"])
    counts["bytes out"] = sum(path.stat().st_size for path in out.rglob("*") if path.is_file())


def run_unverified(corpus: Path, out: Path, counts: Counts) -> None:
    run_convert(corpus, out, counts, "none")


_CONVERT_IMPORTS = ("unity2gltf.batch.run", "UnityPy", "pygltflib", "PIL.Image", "isal.isal_zlib")
_PLAIN_IMPORTS = ("UnityPy", "unity2gltf.normalize.textures.image", "PIL.Image", "isal.isal_zlib")
# name: (work, modules to import before the clock starts)
SIDES: dict[str, tuple[Callable[[Path, Path, Counts], None], tuple[str, ...]]] = {
    "bound": (run_bound, _PLAIN_IMPORTS),
    "convert": (run_convert, _CONVERT_IMPORTS),
    "unverified": (run_unverified, _CONVERT_IMPORTS),
    "unitypy": (run_unitypy, ("UnityPy", "UnityPy.export", "PIL.Image")),
    "unity-rs": (run_unity_rs, ("unity_rs",)),
}


def measure(side: str, corpus: Path) -> None:
    """Run one side in this process and print its numbers as JSON, the last line of stdout."""
    work, modules = SIDES[side]
    for module in modules:
        importlib.import_module(module)
    counts = dict.fromkeys(("files", "failed", "object failures", "outputs", "bytes out", "largest input"), 0)
    with tempfile.TemporaryDirectory() as out:
        start, clock = sum(os.times()[:4]), time.perf_counter()
        work(corpus, Path(out), counts)
        used, passed = sum(os.times()[:4]) - start, time.perf_counter() - clock
    kilobytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(json.dumps({"cpu": used, "wall": passed, "peak": kilobytes << 10, **counts}))


def run_side(side: str, corpus: Path) -> dict[str, Any] | str:
    """The numbers of a side from a process of its own, or why there are none."""
    missing = [name for name in SIDES[side][1] if importlib.util.find_spec(name.split(".")[0]) is None]
    if missing:
        return f"not installed: {', '.join(missing)}"
    command = [sys.executable, __file__, "--measure", side, str(corpus)]
    child = subprocess.run(command, capture_output=True, text=True, check=False)
    if child.returncode:
        return (child.stderr.strip().splitlines() or [f"ended with {child.returncode}"])[-1]
    result: dict[str, Any] = json.loads(child.stdout.splitlines()[-1])
    return result


def main() -> None:
    arguments = sys.argv[1:]
    if len(arguments) == 3 and arguments[0] == "--measure":
        measure(arguments[1], Path(arguments[2]))
        return
    if not arguments or not set(arguments[1:]) <= SIDES.keys():
        sys.exit(f"usage: corpus.py CORPUS [{' | '.join(SIDES)}] ...")
    corpus, sides = Path(arguments[0]), arguments[1:] or list(SIDES)
    print(f"{'side':12}{'CPU s':>8}{'/ bound':>9}{'wall s':>8}{'peak MB':>9}", end="")
    print(f"{'files':>7}{'failed':>8}{'object failures':>17}{'outputs':>9}{'MB out':>8}")
    bound: float | None = None
    for side in sides:
        numbers = run_side(side, corpus)
        if isinstance(numbers, str):
            print(f"{side:12} {numbers}")
            continue
        bound = numbers["cpu"] if side == "bound" else bound
        ratio = f"{numbers['cpu'] / bound:9.2f}" if bound else f"{'':9}"
        print(f"{side:12}{numbers['cpu']:8.1f}{ratio}{numbers['wall']:8.1f}{numbers['peak'] / _MEGA:9.0f}", end="")
        print(f"{numbers['files']:7}{numbers['failed']:8}{numbers['object failures']:17}", end="")
        print(f"{numbers['outputs']:9}{numbers['bytes out'] / _MEGA:8.0f}", flush=True)
        if numbers["largest input"] and side == "bound":
            print(f"{'':12}largest input, decompressed: {numbers['largest input'] / _MEGA:.0f} MB")


if __name__ == "__main__":
    main()
