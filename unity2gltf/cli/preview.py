"""``unity2gltf preview``: a picture of each file, drawn on the CPU by Filament, and the report's page with them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..errors import Unity2GltfError, UsageError
from ..optional import Unavailable
from ..preview.look import BACKGROUND
from ..text import counted
from .output import print_json, say
from .progress import counting_on_stderr

if TYPE_CHECKING:
    from ..preview.look import Look
    from ..preview.places import Place
    from ..preview.run import Drawn


def run(
    paths: Annotated[list[Path], typer.Argument(metavar="FILE_OR_FOLDER...", help="GLB or glTF files, or folders.")],
    into: Annotated[
        Path | None,
        typer.Option("-o", "--out", help="Folder for the pictures; else `previews` in the folder with report.json."),
    ] = None,
    size: Annotated[str, typer.Option(help="Pixels, such as 512 or 640x480.")] = "512",
    turntable: Annotated[
        int | None, typer.Option(metavar="N", help="Also a WebP that turns: N views around, 2 to 360.")
    ] = None,
    clip: Annotated[
        str | None, typer.Option(help="Pose by the animation of this name; files without it are skipped.")
    ] = None,
    time: Annotated[float | None, typer.Option(help="Seconds into the clip.")] = None,
    background: Annotated[str, typer.Option(help="A colour such as #4a505a or white, or transparent.")] = BACKGROUND,
    json_: Annotated[bool, typer.Option("--json", help="One JSON document on stdout.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="Nothing but errors.")] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Tracebacks, and what Filament cannot show.")] = False,
) -> None:
    """Draw pictures of written files; exit 1 when one could not be drawn, 3 when nothing was."""
    from ..preview.filament import probe_filament
    from ..preview.places import find_places

    look = _look(size, turntable, clip, time, background)
    places = find_places(paths, into)
    found = probe_filament()
    if isinstance(found, Unavailable):
        raise Unity2GltfError(found.reason)
    with counting_on_stderr(len(places), quiet=quiet) as count:
        drawn = list(_told(places, look, count, quiet=quiet, debug=debug))
    pages, trouble = _pages(drawn)
    _finish(drawn, pages, trouble, json_=json_, quiet=quiet)


def _look(size: str, turntable: int | None, clip: str | None, time: float | None, background: str) -> Look:
    """The options in one. Raises UsageError."""
    from ..preview.look import Look, parse_background, parse_size

    if time is not None and clip is None:
        raise UsageError("--time needs --clip")
    if turntable is not None and turntable < 2:
        raise UsageError("--turntable needs at least 2 views")
    width, height = parse_size(size)
    return Look(
        width=width,
        height=height,
        frames=turntable or 1,
        clip=clip,
        time=time or 0.0,
        background=parse_background(background),
    )


def _told(
    places: Sequence[Place], look: Look, count: Callable[[str], None], *, quiet: bool, debug: bool
) -> Iterator[Drawn]:
    """Each result as it comes, failures told at once."""
    from ..preview.run import draw_all

    for one in draw_all(places, look):
        count(one.place.file.name)
        if one.status == "failed":
            say(f"failed: {one.place.file}: {one.reason}")
        elif one.status == "skipped" and not quiet:
            say(f"skipped: {one.place.file}: {one.reason}")
        for remark in one.remarks if debug else ():
            say(f"remark: {one.place.file}: {remark}")
        yield one


def _pages(drawn: Sequence[Drawn]) -> tuple[list[Path], list[str]]:
    """The pages of the runs whose files were drawn, with their pictures, and why others could not be drawn anew."""
    from ..report.write import rewrite_page

    pages, trouble = [], []
    for out in sorted({one.place.out for one in drawn if one.place.out and one.status == "rendered"}):
        try:
            rewrite_page(out)
            pages.append(out / "index.html")
        except Unity2GltfError as error:  # the pictures are there all the same
            trouble.append(str(error))
    return pages, trouble


def _finish(drawn: Sequence[Drawn], pages: Sequence[Path], trouble: Sequence[str], *, json_: bool, quiet: bool) -> None:
    counts = {status: sum(one.status == status for one in drawn) for status in ("rendered", "skipped", "failed")}
    if json_:
        print_json(
            {
                "files": len(drawn),
                **counts,
                "pages": [page.as_posix() for page in pages],
                "pictures": [one.to_json() for one in drawn],
            }
        )
    if not quiet:
        told = ", ".join(f"{number:,} {status}" for status, number in counts.items())
        say(f"{counted(len(drawn), 'file')}: {told}")
        for page in pages:
            say(f"page: {page}")
    for reason in trouble:
        say(f"unity2gltf: the page was not drawn anew: {reason}")
    if counts["failed"] or trouble:
        raise typer.Exit(1)
    if not counts["rendered"]:
        say("unity2gltf: there was nothing to draw")
        raise typer.Exit(3)
