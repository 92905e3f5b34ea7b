"""Proof of a written file: ``roundtrip`` compares it with Unity's side, ``structure`` checks what the format and our
own contract demand, ``khronos`` runs the Khronos glTF validator where it is installed."""
