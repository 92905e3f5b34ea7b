"""A whole run: every INPUT to files below OUT and one report; also what is asked of an INPUT without writing files.

In: paths and :class:`options.Options`. Out: :class:`outcome.Report`. ``run`` is the order of things: ``inputs`` opens
the INPUTs; of each content root ``clips`` matches clips that nothing plays with ``rigs``, ``plan`` lists the jobs,
:mod:`pipeline` does them under paths from ``names``, and ``contents`` says what became of each object; ``outcome``
adds up. Beside it ``prove`` runs the round trip of files that were written earlier, ``survey`` tells what an INPUT
holds, and ``nametable`` its names by their hashes.
"""
