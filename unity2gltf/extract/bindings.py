"""What the compiled curves of a clip move: m_ClipBindingConstant from 4.3 on, m_Binding of the curves before."""

from __future__ import annotations

import zlib
from typing import Any

from numpy.typing import NDArray

from ..raw import RawBinding
from .objects import Fields, inner

TRANSFORM = 4
OLD_ATTRIBUTES = (("Position", 1, "XYZ"), ("Quaternion", 2, "XYZW"), ("Scale", 3, "XYZ"))
"""Name of m_TypeID (hashed with the component), attribute number of 4.3 and later, components."""

_OLD = {
    zlib.crc32(f"{name}{axes[0]}".encode()): (number, [zlib.crc32(f"{name}{axis}".encode()) for axis in axes])
    for name, number, axes in OLD_ATTRIBUTES
}


def read_bindings(fields: Fields, clip: Fields) -> tuple[RawBinding, ...]:
    """Bindings in the order of the curves; none when a clip before 4.3 does not tell them."""
    constant = fields.get("m_ClipBindingConstant")
    if constant is not None:
        return _generic(constant["genericBindings"])
    values = inner(clip.get("m_Binding", {})).get("m_ValueArray")
    return () if values is None else _old(values)


def _generic(stored: NDArray[Any]) -> tuple[RawBinding, ...]:
    names = stored.dtype.names or ()
    type_name = "typeID" if "typeID" in names else "classID"
    columns = [
        stored[name].tolist() if name in names else [0] * len(stored)
        for name in ("path", "attribute", type_name, "customType", "isPPtrCurve", "isIntCurve")
    ]
    return tuple(
        RawBinding(
            path=path,
            attribute=attribute,
            type_id=type_id,
            custom_type=custom,
            is_pptr=bool(is_pptr),
            is_int=bool(is_int),
        )
        for path, attribute, type_id, custom, is_pptr, is_int in zip(*columns, strict=True)
    )


def _old(values: NDArray[Any]) -> tuple[RawBinding, ...]:
    """One entry a curve: m_ID is the path's hash, m_TypeID that of the component's name (``PositionX``). All or
    nothing: a row of entries that is none of a Transform's leaves the clip without bindings."""
    ids, types = values["m_ID"].tolist(), values["m_TypeID"].tolist()
    bindings = []
    position = 0
    while position < len(ids):
        number, expected = _OLD.get(types[position], (0, []))
        stop = position + len(expected)
        if not expected or types[position:stop] != expected or len(set(ids[position:stop])) != 1:
            return ()
        bindings.append(RawBinding(path=ids[position], attribute=number, type_id=TRANSFORM, custom_type=0))
        position = stop
    return tuple(bindings)
