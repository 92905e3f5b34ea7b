"""What we mean: the intermediate representation between ``normalize`` and ``emit``.

Frozen records, no input or output, picklable. ``Asset.space`` says which space the numbers are in: UNITY is
left-handed (+X right, +Y up, +Z forward), GLTF right-handed (+X left). Metres; quaternions xyzw; matrices act on
column vectors and are ``[row, column]``; weights are fractions (Unity's 100 is 1.0); colours are linear; images hold
encoded bytes, top row first; UVs follow their space (Unity: v up, glTF: v down).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from enum import Enum, IntEnum
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from .source import Source

F32 = NDArray[np.float32]
U32 = NDArray[np.uint32]


class Space(Enum):
    UNITY = "unity"
    GLTF = "gltf"


class Topology(IntEnum):
    """The glTF primitive modes in use; quads and triangle strips became triangles when they were decoded."""

    POINTS = 0
    LINES = 1
    LINE_STRIP = 3
    TRIANGLES = 4


# --- geometry -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Submesh:
    """``number`` is Unity's submesh index; ``indices`` (N,) include baseVertex and lie in the vertex range."""

    number: int
    topology: Topology
    indices: U32


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Influences:
    """Ragged skin influences: vertex v has entries ``offsets[v]:offsets[v + 1]`` of ``joints`` and ``weights``.

    Heaviest first, no joint twice in a vertex, weights > 0 with sum 1 (a vertex without any has an empty range and
    moves with joint 0 at weight 1 when written).
    """

    offsets: NDArray[np.int64]
    joints: NDArray[np.int32]
    weights: F32

    @property
    def max_count(self) -> int:
        """The largest number of influences of one vertex."""
        return int(np.diff(self.offsets).max(initial=0))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BlendFrame:
    """One frame: at shape weight ``full_weight`` the vertices ``indices`` (K,) move by ``positions`` (K, 3).
    ``normals`` and ``tangents`` (K, 3) are None where the frame's flag is not set."""

    full_weight: float
    indices: NDArray[np.int64]
    positions: F32
    normals: F32 | None = None
    tangents: F32 | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BlendShape:
    """A named shape of one or more frames of ascending full weight (see ``math3d.frame_weights``)."""

    name: str
    frames: tuple[BlendFrame, ...]

    @property
    def full_weights(self) -> list[float]:
        """The frames' own weights, ascending."""
        return [frame.full_weight for frame in self.frames]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Geometry:
    """A decoded Unity Mesh; arrays have V rows. ``uvs`` maps Unity's set number to (V, 2..4). ``colors`` (V, 4)
    is float32 in 0..1. ``channel_influences`` is the form of at most four, ``variable_influences`` the unlimited one.
    ``bind_poses`` (B, 4, 4) float32 renderer space to bone space; ``bone_hashes`` (B or 0,). ``stub``: stands for the
    mesh in a file of animations alone.
    """

    source: Source
    name: str
    stub: bool = False
    positions: F32
    normals: F32 | None = None
    tangents: F32 | None = None
    colors: F32 | None = None
    uvs: Mapping[int, F32] = field(default_factory=dict)
    submeshes: tuple[Submesh, ...] = ()
    shapes: tuple[BlendShape, ...] = ()
    channel_influences: Influences | None = None
    variable_influences: Influences | None = None
    bind_poses: F32
    bone_hashes: U32
    root_bone_hash: int = 0

    @property
    def vertex_count(self) -> int:
        return len(self.positions)


@dataclass(frozen=True, slots=True, kw_only=True)
class Primitive:
    """One drawn submesh: ``submesh`` is its position in ``Geometry.submeshes``; no material = the default one.
    ``vertex_colors``: the material's shader multiplies by the vertex colour (COLOR_0, else ``_COLOR``)."""

    submesh: int
    material: int | None
    vertex_colors: bool = False


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Mesh:
    """A use of a geometry: which submeshes, with which materials, in which influence form. ``weights`` are the
    default weights a shape of the first renderer that uses it."""

    geometry: int
    primitives: tuple[Primitive, ...]
    influences: Influences | None = None
    weights: tuple[float, ...] = ()


# --- nodes --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Lightmap:
    """Where a renderer lies in lightmap number ``index``: Unity's UV set, and its tiling in the asset's space."""

    index: int
    uv: int
    scale: tuple[float, float]
    offset: tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A component that is told of in extras: ``values`` in Unity's words, of which ``points`` and ``rotations`` (xyzw)
    are in the space of the node."""

    source: Source
    values: Mapping[str, Any] = field(default_factory=dict)
    points: Mapping[str, tuple[float, float, float]] = field(default_factory=dict)
    rotations: Mapping[str, tuple[float, float, float, float]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Instance:
    """One of several nodes that became one: where it draws the mesh below that node, and what its extras tell."""

    name: str
    source: Source | None
    renderer: Source | None
    translation: tuple[float, float, float]
    rotation: tuple[float, float, float, float]
    scale: tuple[float, float, float]
    extras: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """``parent`` indexes ``Asset.nodes`` (-1 = scene root); parents come before their children.

    ``renderer`` draws the mesh. ``weights`` are its own default weights, one a blend shape. ``active`` False = the
    object or its renderer is not drawn. ``game_object`` is set on the extra node that carries a skinned (or statically
    batched) mesh, a light or a camera: the index of the GameObject's node. ``light`` shines and ``camera`` looks along
    the node's -Z in either space (Unity's along +Z: their nodes are turned). ``lightmaps`` by their name in the extras.
    ``parts``: colliders and bodies. ``extras`` go to ``extras.unity`` beside the source mark.
    ``levels``: nodes that draw its lower levels of detail, with ``coverages``, the relative screen heights down to
    which it and each of them is shown. Such a node has a ``frame``, the node in whose place Unity draws it (-1 = the
    scene): it is in no scene, and stands below the parent of the node whose level it is.
    ``instances``: the mesh is drawn in each of these places instead.
    """

    name: str
    source: Source | None = None
    parent: int = -1
    translation: tuple[float, float, float] = (0.0, 0.0, 0.0)
    rotation: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 1.0)
    scale: tuple[float, float, float] = (1.0, 1.0, 1.0)
    mesh: int | None = None
    renderer: Source | None = None
    skin: int | None = None
    weights: tuple[float, ...] = ()
    active: bool = True
    game_object: int | None = None
    light: int | None = None
    camera: int | None = None
    lightmaps: Mapping[str, Lightmap] = field(default_factory=dict)
    parts: tuple[Part, ...] = ()
    levels: tuple[int, ...] = ()
    coverages: tuple[float, ...] = ()
    frame: int | None = None
    instances: tuple[Instance, ...] = ()
    extras: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Skin:
    """``joints``: node indices, one a bone slot; ``inverse_bind`` (J, 4, 4) float32; ``skeleton``: common root."""

    name: str
    source: Source | None
    joints: tuple[int, ...]
    inverse_bind: F32
    skeleton: int | None = None


# --- materials ----------------------------------------------------------------------------------------------------


class AlphaMode(Enum):
    OPAQUE = "OPAQUE"
    MASK = "MASK"
    BLEND = "BLEND"


@dataclass(frozen=True, slots=True, kw_only=True)
class Image:
    """Encoded pixels, ready to embed. ``sources``: the textures it was made from (one = a plain source mark).
    ``placeholder``: one pixel that stands for a texture which could not be had."""

    name: str
    sources: tuple[Source, ...]
    mime: str
    data: bytes
    width: int
    height: int
    placeholder: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Texture:
    """An image with sampler: ``wrap`` (s, t) and filters are glTF's (WebGL's) numbers."""

    image: int
    wrap: tuple[int, int]
    mag_filter: int
    min_filter: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TextureUse:
    """A material slot: which texture, which UV set of Unity's, and its tiling in the asset's space. ``slot``: the Unity
    property whose ``_ST`` the tiling is."""

    texture: int
    uv: int = 0
    slot: str = ""
    scale: tuple[float, float] = (1.0, 1.0)
    offset: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class PropertyTarget:
    """Where a Unity property is written: ``pointer`` from the material (light, camera) on; the written value is the
    stored one times ``scale``, made linear if ``gamma``, times ``factor``, and 1 minus that if ``inverted``, cut to
    ``limits``."""

    pointer: str
    gamma: bool = False
    scale: float = 1.0
    factor: float = 1.0
    inverted: bool = False
    limits: tuple[float, float] = (0.0, 1.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Specular:
    """KHR_materials_specular: strength and colour of the reflection at normal incidence, with their maps (A; RGB)."""

    factor: float = 1.0
    texture: TextureUse | None = None
    color: tuple[float, float, float] = (1.0, 1.0, 1.0)
    color_texture: TextureUse | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Clearcoat:
    """KHR_materials_clearcoat: a coat's strength (map: R), roughness (map: G) and normals."""

    factor: float
    texture: TextureUse | None = None
    roughness: float = 0.0
    roughness_texture: TextureUse | None = None
    normal_texture: TextureUse | None = None
    normal_scale: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheen:
    """KHR_materials_sheen: linear colour (map: RGB) and roughness (map: A)."""

    color: tuple[float, float, float]
    color_texture: TextureUse | None = None
    roughness: float = 0.0
    roughness_texture: TextureUse | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Transmission:
    """KHR_materials_transmission (map: R) and, where ``thickness`` is above 0, KHR_materials_volume (map: G).
    ``attenuation_distance`` in metres, infinite = no absorption."""

    factor: float
    texture: TextureUse | None = None
    thickness: float = 0.0
    thickness_texture: TextureUse | None = None
    attenuation_distance: float = float("inf")
    attenuation_color: tuple[float, float, float] = (1.0, 1.0, 1.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Anisotropy:
    """KHR_materials_anisotropy: strength, rotation in radians, map (RG direction, B strength)."""

    strength: float
    rotation: float = 0.0
    texture: TextureUse | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Iridescence:
    """KHR_materials_iridescence: strength (map: R), index of refraction and thickness in nanometres (map: G)."""

    factor: float
    texture: TextureUse | None = None
    ior: float = 1.3
    thickness: tuple[float, float] = (100.0, 400.0)
    thickness_texture: TextureUse | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """Colours are linear. The maps' channels are glTF's: metallic B and roughness G, occlusion R.

    ``emissive`` may exceed 1; ``emissive_strength`` is the least strength to write, for factors that are animated.
    ``ior`` None: the default, 1.5. ``unlit``: light does not change it; what only light shows does not count then.
    ``vertex_colors``: its shader multiplies by the vertex colour. ``properties``: where Unity's properties went.
    """

    name: str
    source: Source
    base_color: tuple[float, float, float, float] = (1.0, 1.0, 1.0, 1.0)
    base_color_texture: TextureUse | None = None
    metallic: float = 0.0
    roughness: float = 1.0
    metallic_roughness_texture: TextureUse | None = None
    normal_texture: TextureUse | None = None
    normal_scale: float = 1.0
    occlusion_texture: TextureUse | None = None
    occlusion_strength: float = 1.0
    emissive: tuple[float, float, float] = (0.0, 0.0, 0.0)
    emissive_texture: TextureUse | None = None
    emissive_strength: float = 1.0
    ior: float | None = None
    specular: Specular | None = None
    clearcoat: Clearcoat | None = None
    sheen: Sheen | None = None
    transmission: Transmission | None = None
    anisotropy: Anisotropy | None = None
    iridescence: Iridescence | None = None
    unlit: bool = False
    alpha_mode: AlphaMode = AlphaMode.OPAQUE
    alpha_cutoff: float = 0.5
    double_sided: bool = False
    vertex_colors: bool = False
    properties: Mapping[str, PropertyTarget] = field(default_factory=dict)
    extras: Mapping[str, Any] = field(default_factory=dict)


Layer = Specular | Clearcoat | Sheen | Transmission | Anisotropy | Iridescence
_Layered = TypeVar("_Layered", bound=Material | Layer)


def with_textures(record: _Layered, change: Callable[[TextureUse], TextureUse | None]) -> _Layered:
    """The material (or a layer of it) with each of its texture uses changed; None takes the texture out."""
    changes: dict[str, Any] = {}
    for item in fields(record):
        value = getattr(record, item.name)
        if isinstance(value, TextureUse):
            changes[item.name] = change(value)
        elif isinstance(value, Layer):
            changes[item.name] = with_textures(value, change)
    return replace(record, **changes)


_PLACES = {
    "base_color_texture": "pbrMetallicRoughness/baseColorTexture",
    "metallic_roughness_texture": "pbrMetallicRoughness/metallicRoughnessTexture",
    "normal_texture": "normalTexture",
    "occlusion_texture": "occlusionTexture",
    "emissive_texture": "emissiveTexture",
}
"""glTF's places of the textures that a material itself has."""


def texture_places(material: Material) -> list[tuple[str, TextureUse]]:
    """(pointer from the material on, use) of the textures that are not in a layer."""
    uses = ((place, getattr(material, name)) for name, place in _PLACES.items())
    return [(place, use) for place, use in uses if use is not None]


def placed_properties(material: Material) -> dict[str, PropertyTarget]:
    """``material.properties`` less those that lie in a texture which the material does not have."""
    bare = tuple(f"{place}/" for name, place in _PLACES.items() if getattr(material, name) is None)
    if material.clearcoat is None or material.clearcoat.normal_texture is None:
        bare += ("extensions/KHR_materials_clearcoat/clearcoatNormalTexture/",)
    return {name: target for name, target in material.properties.items() if not target.pointer.startswith(bare)}


def texture_uses(material: Material) -> list[TextureUse]:
    """Every texture use of a material, in the order of the fields."""
    uses: list[TextureUse] = []

    def note(use: TextureUse) -> TextureUse:
        uses.append(use)
        return use

    with_textures(material, note)
    return uses


# --- lights and cameras ---------------------------------------------------------------------------------------------


class LightKind(Enum):
    DIRECTIONAL = "directional"
    POINT = "point"
    SPOT = "spot"


Properties = Mapping[str, tuple[PropertyTarget, ...]]
"""Where Unity's properties of a light or camera went, for curves that move them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Light:
    """``intensity`` in lux (directional) or candela; ``color`` linear, 0..1; ``range`` in metres, None = no limit;
    ``inner`` and ``outer`` of a spot: radians from its axis."""

    name: str
    source: Source
    kind: LightKind
    color: tuple[float, float, float]
    intensity: float
    range: float | None = None
    inner: float = 0.0
    outer: float = 0.0
    properties: Properties = field(default_factory=dict)
    extras: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Camera:
    """Perspective with ``yfov`` (radians, vertical), else orthographic with ``xmag`` and ``ymag`` (half width and
    height in metres). ``aspect``: width / height, None = the screen's. ``far`` None = endless."""

    name: str
    source: Source
    near: float
    far: float | None
    yfov: float | None = None
    aspect: float | None = None
    xmag: float = 0.0
    ymag: float = 0.0
    properties: Properties = field(default_factory=dict)
    extras: Mapping[str, Any] = field(default_factory=dict)


# --- animation ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Curve:
    """One number over time, as Unity plays it: piecewise cubic.

    On [t_k, t_k+1) it is ((a d + b) d + c) d + v with d = t - t_k. ``times`` (K,) ascend strictly; ``coefficients``
    (K, 4) are a, b, c, v. Before the first time it has the first value; the last row holds from there on. Seconds of
    the clip (0 = its start), Unity's units (metres, degrees, quaternion components, shape weights of 0..100).
    """

    times: NDArray[np.float64]
    coefficients: NDArray[np.float64]


class Path(Enum):
    """What a channel moves. EULER is a rotation by three curves in degrees, in Unity's rotation order."""

    TRANSLATION = "translation"
    ROTATION = "rotation"
    SCALE = "scale"
    EULER = "euler"
    WEIGHTS = "weights"
    POINTER = "pointer"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Channel:
    """What a clip does to one node, in Unity's space and exactly as Unity plays it.

    ``curves``: 3 for TRANSLATION, SCALE and EULER; 4 (xyzw, normalised after evaluation) for ROTATION; one a blend
    shape for WEIGHTS, None = the shape keeps the renderer's default; for POINTER one a component of the property.
    ``node`` carries the mesh for WEIGHTS. ``rotation_order``: Unity's RotationOrder (4 = ZXY, the usual one).
    ``exact`` False: the curves stand for something that is no piecewise cubic, within ``error`` of it (same units).
    """

    node: int
    path: Path
    curves: tuple[Curve | None, ...]
    rotation_order: int = 4
    pointer: str = ""
    exact: bool = True
    error: float = 0.0


class Interpolation(Enum):
    STEP = "STEP"
    LINEAR = "LINEAR"
    CUBICSPLINE = "CUBICSPLINE"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Track:
    """One glTF animation channel with its sampler, in the asset's space.

    ``times`` (K,) float32 start at >= 0 and rise strictly; ``values`` (K, W) float32, W = 3, 4, the number of morph
    targets, or the components of ``pointer``; tangents (K, W) for CUBICSPLINE. ``path`` is never EULER. ``error``: how
    far the track is from its channel at most (metres, radians, or the value's own unit), 0 where it is exact.
    """

    node: int
    path: Path
    interpolation: Interpolation
    times: F32
    values: F32
    in_tangents: F32 | None = None
    out_tangents: F32 | None = None
    pointer: str = ""
    error: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Clip:
    """An animation of one rig. ``rig`` is the node of the Animator or Animation component. ``channels`` (always in
    Unity's space) are what is played, ``tracks`` (in the asset's space) what is written. ``extras`` go to
    ``extras.unity`` beside the source mark."""

    name: str
    source: Source
    rig: int
    duration: float
    channels: tuple[Channel, ...]
    tracks: tuple[Track, ...] = ()
    extras: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Humanoid:
    """A rig whose bones are mapped to a human body. ``rig``: the Animator's node. ``bones``: nodes by Unity's name of
    the human bone (HumanBodyBones). ``limits``: (least, most) degrees of each muscle that moves them, by its name.
    ``t_pose``: translation and rotation (xyzw) of the bones' nodes, relative to their parents, in the avatar's T-pose.
    """

    rig: int
    avatar: str
    source: Source
    bones: Mapping[str, int]
    limits: Mapping[str, tuple[float, float]]
    t_pose: Mapping[int, tuple[tuple[float, float, float], tuple[float, float, float, float]]]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MuscleCurves:
    """Muscle curves of a humanoid clip for a side file, since they could not (all) become bones, for the ``reason``
    given. ``rig``: the name of its rig, empty without one. ``curves`` by their names (see ``Curve``)."""

    name: str
    source: Source
    rig: str
    reason: str
    duration: float
    sample_rate: float
    curves: Mapping[str, Curve]


# --- VRM ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Expression:
    """What a face can do, by a name of VRM's own (``preset``) or any other. ``shapes``: (node that draws the mesh,
    number of its blend shape); all of them stand at their last frame when the expression is at its strongest."""

    name: str
    preset: bool
    shapes: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LookAt:
    """How a look moves the eyes: their bones by degrees (``bones``), else expressions by strength (0..1).
    ``ranges``: the most of it, by VRM's direction (``HorizontalInner``, ``HorizontalOuter``, ``VerticalDown``,
    ``VerticalUp``). ``origin``: the place between the eyes, in the head bone's space."""

    bones: bool
    ranges: Mapping[str, float]
    origin: tuple[float, float, float] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Vrm:
    """What makes an asset in its T-pose a VRM 1.0 avatar. ``bones``: nodes by VRM's name of the human bone.
    ``license_url``: of the licence that the user names."""

    name: str
    authors: tuple[str, ...]
    license_url: str
    bones: Mapping[str, int]
    expressions: tuple[Expression, ...] = ()
    look_at: LookAt | None = None


# --- the whole ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Asset:
    """One output file. ``kind`` is scene, prefab, mesh, animation or vrm. ``clamp_weights``: the game keeps blend-shape
    weights within the range of their shape, when a clip drives them too."""

    space: Space
    kind: str
    name: str
    source: Source
    nodes: tuple[Node, ...]
    geometries: tuple[Geometry, ...] = ()
    meshes: tuple[Mesh, ...] = ()
    skins: tuple[Skin, ...] = ()
    materials: tuple[Material, ...] = ()
    textures: tuple[Texture, ...] = ()
    images: tuple[Image, ...] = ()
    lights: tuple[Light, ...] = ()
    cameras: tuple[Camera, ...] = ()
    clips: tuple[Clip, ...] = ()
    humanoids: tuple[Humanoid, ...] = ()
    vrm: Vrm | None = None
    clamp_weights: bool = False
    extras: Mapping[str, Any] = field(default_factory=dict)

    def geometry_of(self, node: int) -> Geometry:
        """The geometry of the mesh that a node carries. Raises ValueError for a node without one."""
        mesh = self.nodes[node].mesh
        if mesh is None:
            raise ValueError(f"node {node} has no mesh")
        return self.geometries[self.meshes[mesh].geometry]

    @property
    def roots(self) -> list[int]:
        """Indices of the nodes at the scene root, in order."""
        return [index for index, node in enumerate(self.nodes) if node.parent < 0 and node.frame is None]
