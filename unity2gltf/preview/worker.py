"""The process that draws: a JSON job a line on stdin, a JSON answer a line on stdout, until stdin ends.

A job: ``{"file", "still", "turntable" or null, "look": {..}}``. An answer: ``{"status": "rendered" | "skipped" |
"failed", "reason"?, "remarks"?: [text]}``. The first answer comes unasked, once the renderer runs: ``{"status":
"ready"}``. Whatever native code prints goes to stderr.
"""

from __future__ import annotations

import json
import os
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TextIO

import numpy as np
from PIL import Image

from ..errors import Unity2GltfError
from ..evaluate.glb import output_root, read_gltf
from ..math3d import Array
from .camera import FRONT, around, fit, opposite, turntable
from .images import check_images
from .look import Look
from .pictures import over, write_pictures
from .pose import NoSuchClip, crowd, drawn_parts, find_clip
from .studio import Pixels, Stage, Studio, coverage, reach_for

BLANK = 0.002
"""A picture that shows less than this share is looked at from behind."""

SPARSE = 0.01
"""A picture that shows less than this share of itself is looked at again without what lies far away."""

Answer = dict[str, Any]


def serve(jobs: TextIO, answers: TextIO, width: int, height: int) -> None:
    """Draw until ``jobs`` ends, in pictures of one size."""
    studio = Studio(width, height)
    _tell(answers, {"status": "ready"})
    for line in jobs:
        job = json.loads(line)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            answer = _guarded(studio, job)
        remarks = sorted({str(warning.message) for warning in caught})
        _tell(answers, answer | ({"remarks": remarks} if remarks else {}))


def _guarded(studio: Studio, job: dict[str, Any]) -> Answer:
    try:
        return draw(studio, job)
    except NoSuchClip as reason:
        return {"status": "skipped", "reason": str(reason)}
    except Unity2GltfError as error:
        return {"status": "failed", "reason": str(error)}
    except OSError as error:
        return {"status": "failed", "reason": f"{error.strerror or error}: {error.filename or job['file']}"}
    except Exception as error:  # noqa: BLE001 - whatever it is, it belongs to this file
        who = "Filament refuses it" if type(error).__module__.startswith("filly") else type(error).__name__
        return {"status": "failed", "reason": f"{who}: {' '.join(str(error).split())}"}


def draw(studio: Studio, job: dict[str, Any]) -> Answer:
    """One file to its pictures. Our own strict reader goes first: it says what is wrong, a renderer may crash."""
    look = Look(**job["look"] | {"background": tuple(job["look"]["background"])})
    path = Path(job["file"])
    gltf = read_gltf(path, output_root(path))
    clip = find_clip(gltf, look.clip) if look.clip is not None else None
    parts = drawn_parts(gltf, clip, look.time)
    if not parts:
        return {"status": "skipped", "reason": "it draws nothing"}
    check_images(gltf)
    stage = studio.open(path, clip, look.time)
    try:
        boxes = stage.boxes() if clip is not None else []
        images = (over(pixels, look.background) for pixels in _views(stage, parts, boxes, look))
        moving = Path(job["turntable"]) if job["turntable"] else None
        write_pictures(images, Path(job["still"]), moving, look.frames)
    finally:
        stage.close()
    return {"status": "rendered"}


def _views(stage: Stage, parts: list[Array], boxes: list[Array], look: Look) -> Iterator[Pixels]:
    """One view, or those of the turntable. Where all parts together are lost in the picture, of the crowd of them."""
    aspect = look.width / look.height
    points = reach_for(np.concatenate(parts), boxes)
    still = _still(stage, points, aspect)
    if coverage(still) < SPARSE:
        near = reach_for(np.concatenate(crowd(parts)), boxes)
        closer = _still(stage, near, aspect)
        if coverage(closer) > coverage(still):
            still, points = closer, near
    if look.frames == 1:
        yield still
    else:
        yield from (stage.draw(view) for view in turntable(points, around(look.frames), aspect))


def _still(stage: Stage, points: Array, aspect: float) -> Pixels:
    """From the front; from behind where only that side shows anything, as a surface may have one side."""
    front = stage.draw(fit(points, FRONT, aspect))
    if coverage(front) >= BLANK:
        return front
    behind = stage.draw(fit(points, opposite(FRONT), aspect))
    return behind if coverage(behind) > coverage(front) else front


def _tell(answers: TextIO, value: Answer) -> None:
    answers.write(json.dumps(value) + "\n")
    answers.flush()


def main() -> None:
    """Take stdout for the answers alone, then serve; the arguments are the pictures' width and height."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    Image.MAX_IMAGE_PIXELS = None  # how large images may be is told in our own words
    serve(sys.stdin, answers, int(sys.argv[1]), int(sys.argv[2]))


if __name__ == "__main__":
    main()
