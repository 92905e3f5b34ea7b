"""Unity's own default materials, generated: for games without ``unity default resources`` or ``unity_builtin_extra``.

The ids are those of every version, in either file (3.x and 4.x keep them in the former, later versions in the latter).
Numbers are the shaders' defaults. Their textures (the soft spot of particles) are Unity's and are not made.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ...raw import RawMaterial
from ...source import Missing, Source

FILES = frozenset(("unity_default_resources", "unity_builtin_extra"))

_WHITE = (1.0, 1.0, 1.0, 1.0)


@dataclass(frozen=True, slots=True)
class _Builtin:
    name: str
    shader: str
    floats: Mapping[str, float] = field(default_factory=dict)
    color: str = "_Color"


BUILTINS: dict[int, _Builtin] = {
    10301: _Builtin("Default-Particle", "Legacy Shaders/Particles/Alpha Blended Premultiply", color="_TintColor"),
    10302: _Builtin("Default-Diffuse", "Legacy Shaders/Diffuse"),
    10303: _Builtin("Default-Material", "Standard", {"_Metallic": 0.0, "_Glossiness": 0.5}),
    10308: _Builtin("Default-ParticleSystem", "Particles/Standard Unlit", {"_Mode": 2.0}),
    10754: _Builtin("Sprites-Default", "Sprites/Default"),
}


def builtin_material(missing: Missing, input_: str) -> RawMaterial | None:
    """The default material that a reference to one of Unity's own files means, marked as an object of that file beside
    ``input_``; None if it means none that is known."""
    file = missing.file.rsplit("/", 1)[-1]
    row = BUILTINS.get(missing.path_id)
    if row is None or file.lower().replace(" ", "_") not in FILES:
        return None
    return RawMaterial(
        source=Source(input_, file, missing.path_id, "Material"),
        name=row.name,
        shader=row.shader,
        keywords=frozenset(),
        tags={},
        render_queue=-1,
        textures={},
        floats=row.floats,
        colors={row.color: _WHITE},
    )
