"""Whole runs: every INPUT is planned, its assets are converted, a report is written last.

``run`` is a run. ``inputs`` opens what is asked for, ``flow`` is the course of its tasks: a ``plan`` for each content
root (with ``clips`` matched to ``rigs``), then its assets, all on the ``executors``, whose tasks are the methods of a
``worker``. ``records`` is what goes to and fro. ``place`` gives outputs their last ``names``; ``progress`` tells how
far it is. ``contents`` lists what became of every object, ``outcome`` makes the report of it.

``state`` knows what an earlier run left that still holds, in a ``database``; ``clean`` takes away what does not, and
``lock`` keeps two runs apart; ``fresh`` sees at once when there is nothing to do. ``single`` writes one asset alone,
``forecast`` only tells what would be written, and ``depfile`` is for Make.

Beside all that, ``survey`` (with ``nametable``) shows what an input holds, and ``prove`` runs the round trip of files
that were written earlier.
"""
