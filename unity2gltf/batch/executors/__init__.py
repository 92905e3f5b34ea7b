"""Who runs the tasks of a batch: ``inline`` this process, ``processes`` several of this machine, ``dask`` a cluster.

``tasks`` says what a task is. Every executor takes tasks and yields what became of each as it finishes; a worker that
dies is one failed task.
"""

from __future__ import annotations
