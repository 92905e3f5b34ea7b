"""Proof of a written file. In: the file, read back by ``evaluate``. Out: differences and issues, never an exception.

``roundtrip`` holds it against the asset in Unity's space: ``compare`` goes through what the file says (``claims``,
``claims_marks``, ``claims_meshes``, ``claims_levels``, ``claims_lights``, ``claims_humanoids``, ``attributes``)
and where its vertices end up in ``poses``; ``clips`` through its animations (``clip_times``, ``clip_values``,
``clip_bounds``, ``clip_vertices``, ``clip_sums``). ``measure`` gathers errors and says which are rounding, by way of
``sizes``; ``cut`` tells what cut influences explain; ``mirror`` is the change of space, written apart from
``normalize``.

``structure`` runs ``checks`` on the file alone, what the format and our own contract demand; both tell ``issues``.
``khronos`` runs the Khronos glTF validator where it is installed, in ``khronos_racer`` or Node.js.
"""
