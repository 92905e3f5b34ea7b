"""Convert Unity game content to glTF 2.0, and prove every file that is written.

>>> from unity2gltf import Options, convert
>>> report = convert("Game_Data", "out", Options(max_influences=4))

``open_game`` opens an input without converting it. Importing this package is cheap: the work is imported on use.

The way of an asset, which :mod:`pipeline` takes: ``extract`` reads what Unity stores (``raw`` records), ``normalize``
decodes it and builds an asset (``ir``) in Unity's space, then in glTF's, ``emit`` writes it, and ``validate`` proves
the file with the two evaluators of ``evaluate``. ``batch`` runs it over whole games, ``report`` writes what came of
it, ``preview`` draws and shows it, and ``cli`` is the command line; ``sample`` makes games to try it on. Every stage
reports by ``diagnostics`` of the ``codes`` there are, and raises only ``errors``; ``source`` says where a thing comes
from, ``options`` what a user chose, ``math3d``, ``optional``, ``registry`` and ``text`` are small helpers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"
__all__ = ["Options", "Report", "__version__", "convert", "open_game"]

if TYPE_CHECKING:
    from .batch.outcome import Report
    from .batch.run import convert
    from .extract.game import open_game
    from .options import Options

_PUBLIC = {"convert": ".batch.run", "Report": ".batch.outcome", "open_game": ".extract.game", "Options": ".options"}


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name not in _PUBLIC:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_PUBLIC[name], __name__), name)
