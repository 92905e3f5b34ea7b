"""What a run leaves beside its files, from the report's JSON value alone.

``write`` puts report.json (described by ``schema-1.json``) and index.html in place, and reads a report back, held to
the ``shape`` that the others rely on. ``page`` draws index.html from the files of ``web``, with what ``pagedata`` takes
of the report, ``advice`` for each code, and the ``pictures`` that ``preview`` has drawn. ``counts`` adds up, ``digest``
tells what a report comes to, ``merge`` joins several, each a ``part``, and ``compare`` finds what differs between two
outputs.
"""
