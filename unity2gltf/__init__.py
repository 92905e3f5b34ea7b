"""Convert Unity game content to glTF 2.0, and prove every file that is written."""

__version__ = "0.1.0"
