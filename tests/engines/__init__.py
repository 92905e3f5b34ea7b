"""Written files in real engines: does what Blender, three.js, Babylon.js and Filament load look like what we meant?

``python -m tests.engines [FOLDER ...]``, or ``make engines``. Each engine runs in an environment of its own below
``.cache/engines``, which ``install`` makes; ``runners`` holds one script an engine, which loads files and tells what it
finds: names, counts, and posed vertices. ``batch`` runs it in a process of its own, so that a crash or a hang is one
failed file. ``files`` chooses the files, ``expected`` says by our own evaluator what must come out, ``compare`` holds
both against each other, and ``__main__`` prints one table. ``limits.toml`` names what an engine is known not to do.

A runner gets the path of a JSON list of jobs, ``{"file", "out", "clips": [NAME], "poses": [{"clip", "time"}], ..}``.
A pose's clip is null at rest; a runner that draws gets a ``box`` a pose to look at. It prints for each job
``@start NUMBER`` and then ``@done NUMBER {..}`` with any of

- ``error``: it did not load;
- ``nodes``: names of what became of the nodes;
- ``bones``: names of bones;
- ``objects``: ``{"name", "vertices", "influences", "shapes"}`` of what is drawn, in the order of the posed vertices;
- ``clips``: ``{"name", "duration", "tracks"}``;
- ``blank``: the poses whose picture shows nothing.

It writes the vertices of pose k, world space of the file (metres, +Y up), as float32 to ``out/k.f32``.
"""
