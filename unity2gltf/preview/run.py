"""Pictures of many files: one call, one result a file."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from .look import Look
from .pictures import remove_parts
from .places import Place
from .pool import Pool


@dataclass(frozen=True, slots=True)
class Drawn:
    """What became of one file. ``status``: rendered, skipped (it shows nothing, or lacks the clip) or failed.

    ``turns``: it has a moving picture, too. ``remarks``: what Filament cannot show of it.
    """

    place: Place
    status: str
    reason: str = ""
    turns: bool = False
    remarks: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Paths with ``/``; ``still`` and ``turntable`` only where they were written."""
        value: dict[str, Any] = {"file": self.place.file.as_posix(), "status": self.status}
        if self.status == "rendered":
            value["still"] = self.place.still.as_posix()
            if self.turns:
                value["turntable"] = self.place.turntable.as_posix()
        if self.reason:
            value["reason"] = self.reason
        return value | ({"remarks": list(self.remarks)} if self.remarks else {})


def draw_all(places: Sequence[Place], look: Look) -> Iterator[Drawn]:
    """Draw each file, in order. Never raises for a file's sake."""
    with Pool(look.width, look.height) as pool:
        for place in places:
            answer = pool.draw(_job(place, look), look.frames)
            if answer["status"] != "rendered":
                _remove_parts(place)  # of a process that was ended
            yield Drawn(
                place,
                answer["status"],
                reason=answer.get("reason", ""),
                turns=look.frames > 1 and answer["status"] == "rendered",
                remarks=tuple(answer.get("remarks", ())),
            )


def _remove_parts(place: Place) -> None:
    with contextlib.suppress(OSError):  # a folder that cannot be written to, as the answer says
        remove_parts(place.still, place.turntable)


def _job(place: Place, look: Look) -> dict[str, Any]:
    turntable = str(Path(place.turntable).absolute()) if look.frames > 1 else None
    paths = {"file": str(place.file.absolute()), "still": str(place.still.absolute()), "turntable": turntable}
    return paths | {"look": asdict(look)}
