"""``unity2gltf sample``: a small Unity game folder built from nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .output import say


def run(folder: Annotated[Path, typer.Argument(metavar="DIR", help="Folder to write to; made if missing.")]) -> None:
    """Write DIR/<version>/{Game_Data,bundle}: a skinned figure with blend shapes and clips, a humanoid one, props,
    lights, a camera, a terrain, levels of detail, and a row of balls and cards of one material each."""
    from ..batch.run import make_folder
    from ..sample import write_sample

    make_folder(folder)
    for path in write_sample(folder):
        say(f"wrote {path}")
