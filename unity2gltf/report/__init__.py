"""What a run leaves beside its files, from the report's JSON value alone.

``write`` puts report.json (described by ``schema-1.json``) and index.html in place, ``page`` draws the latter, with the
``pictures`` that ``preview`` has drawn. ``write`` also reads a report back, to draw its page anew. ``counts`` adds up.
"""
