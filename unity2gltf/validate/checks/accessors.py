"""Accessors: readable, finite, and with min and max equal to the data."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...evaluate.document import Gltf
from ...evaluate.fields import Json, as_integer, get_numbers
from ..issues import Issue, issue


def check_view(gltf: Gltf, item: Json, pointer: str) -> Iterator[Issue]:
    """The range lies in its buffer (raises where not)."""
    gltf.view(as_integer(int(pointer.rsplit("/", 1)[1]), pointer), pointer)
    yield from ()


def check_accessor(gltf: Gltf, item: Json, pointer: str) -> Iterator[Issue]:
    """Reads every element, sparse ones included. min and max speak of the numbers as stored (3.6.2.5)."""
    values = gltf.stored(int(pointer.rsplit("/", 1)[1]))
    if values.dtype.kind == "f" and not np.isfinite(values).all():
        yield issue("ACCESSOR_NOT_FINITE", pointer, f"{int((~np.isfinite(values)).sum())} components are not finite")
        return
    columns = values.reshape(len(values), -1)
    for key, reduce in (("min", np.min), ("max", np.max)):
        if key in item:
            wanted = reduce(columns, axis=0)
            given = np.array(get_numbers(item, key, pointer, columns.shape[1]))
            if not np.array_equal(given.astype(columns.dtype), wanted):
                message = f"{key} is {given.tolist()}, the data has {wanted.tolist()}"
                yield issue("ACCESSOR_MIN_MAX", f"{pointer}/{key}", message)
