"""``unity2gltf inspect``: what an INPUT holds, as tables or as one JSON document."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from ..options import Options
from .output import print_found, table


def run(
    input_: Annotated[Path, typer.Argument(metavar="INPUT", help="File or folder with Unity content.")],
    unity_version: Annotated[str | None, typer.Option(help="Version for files that name none.")] = None,
    json_: Annotated[bool, typer.Option("--json", help="One JSON document on stdout.")] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Tracebacks of surprises.")] = False,
) -> None:
    """Show files, versions, object counts, meshes, and what would be exported."""
    from ..batch.survey import survey

    found = survey(input_, Options(unity_version=unity_version))
    print_found(found, _tables, json_=json_, debug=debug)


def _tables(found: dict[str, Any]) -> None:
    table(
        ("file", "unity", "kind", "objects"),
        ((_place(f), f["unity"], "scene" if f["scene"] else "assets", _counts(f["objects"])) for f in found["files"]),
        "files",
    )
    table(
        ("mesh", "vertices", "submeshes", "joints", "influences", "shapes", "file"),
        (
            (
                m["name"],
                m["vertices"],
                m["submeshes"],
                m["joints"],
                m["influences"],
                len(m["shapes"]),
                m["source"]["file"],
            )
            for m in found["meshes"]
        ),
        "meshes",
    )
    table(
        ("clip", "kind", "seconds", "curves", "best rig", "share", "file"),
        (
            (
                c["name"],
                c["kind"],
                f"{c['duration']:.3f}",
                ", ".join(f"{number} {kind}" for kind, number in c["curves"].items()),
                c["rig"] or "",
                f"{c['share']:.0%}",
                c["source"]["file"],
            )
            for c in found["clips"]
        ),
        "clips",
    )
    table(
        ("kind", "name", "meshes"), ((e["kind"], e["name"], e["meshes"]) for e in found["exports"]), "would be exported"
    )
    left = [item for item in found["inputs"] if item["status"] != "read"]
    if left:
        table(("path", "status", "reason"), ((i["path"], i["status"], i["reason"] or "") for i in left), "not read")


def _place(file: dict[str, Any]) -> str:
    return file["file"] if file["input"].endswith(file["file"]) else f"{file['input']}:{file['file']}"


def _counts(objects: dict[str, int]) -> str:
    shown = ("GameObject", "Mesh", "SkinnedMeshRenderer", "Material", "Texture2D", "AnimationClip", "Avatar")
    return ", ".join(f"{objects[name]} {name}" for name in shown if objects.get(name))
