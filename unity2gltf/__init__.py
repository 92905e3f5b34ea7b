"""Convert Unity game content to glTF 2.0, and prove every file that is written.

>>> from unity2gltf import Options, convert
>>> report = convert("Game_Data", "out", Options(max_influences=4))

``open_game`` opens an input without converting it. Importing this package is cheap: the work is imported on use.
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
