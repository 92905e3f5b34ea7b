"""``python -m unity2gltf``: the command line."""

from __future__ import annotations

from .cli.app import main

if __name__ == "__main__":
    main()
