"""Whole runs: every INPUT is planned, its assets are converted, a report is written last.

``run`` is a run. ``inputs`` opens what is asked for, ``flow`` is the course of its tasks: a ``plan`` for each content
root (with ``clips`` matched to ``rigs``), then its assets, all on the ``executors``, whose tasks are the methods of a
``worker``. ``records`` is what goes to and fro. ``place`` gives outputs their last ``names``; ``progress`` tells how far
it is. ``contents`` lists what became of every object, ``outcome`` makes the report of it.

Beside that, ``survey`` (with ``nametable``) shows what an input holds, and ``prove`` runs the round trip of files that
were written earlier.
"""
