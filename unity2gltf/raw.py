"""What Unity stores, in Unity's own words: plain records of numpy arrays and bytes, as ``extract`` gives them.

Nothing here is decoded, mirrored or made prettier. Fields that a Unity version lacks are ``None`` or empty.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from .source import Reference, Source

Version = tuple[int, int, int]
"""Unity version as (major, minor, patch): 2019.4.40f1 is (2019, 4, 40)."""

Bytes = bytes | memoryview | NDArray[np.uint8]


# --- meshes -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class RawSubMesh:
    """``topology``: 0 triangles, 1 triangle strip, 2 quads, 3 lines, 4 line strip, 5 points (before 4.0
    ``isTriStrip`` gives 0 or 1). ``first_byte`` counts bytes of the index buffer."""

    first_byte: int
    index_count: int
    topology: int
    base_vertex: int = 0
    first_vertex: int = 0
    vertex_count: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class RawChannel:
    """One entry of m_VertexData.m_Channels; ``dimension & 0xF`` is the component count, 0 = absent."""

    stream: int
    offset: int
    format: int
    dimension: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RawStream:
    """One entry of m_VertexData.m_Streams (3.5 to 4.x). ``channel_mask`` bit i = channel i lies in it."""

    channel_mask: int
    offset: int
    stride: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RawPacked:
    """A PackedBitVector: ``num_items`` integers of ``bit_size`` bits, little-endian bit order, in ``data``.
    ``range`` and ``start`` are 0 for the integer kind."""

    num_items: int
    bit_size: int
    data: NDArray[np.uint8]
    range: float = 0.0
    start: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class RawBlendShapes:
    """m_Shapes from 4.3 on. ``index`` (K,) and ``position``, ``normal``, ``tangent`` (K, 3) are the sparse
    entries; ``shapes`` one (firstVertex, vertexCount, hasNormals, hasTangents) a frame; ``channels`` one
    (name, nameHash, frameIndex, frameCount) a shape; ``full_weights`` one a frame, Unity's 0..100.

    The 4.1 form (one frame a shape, no weights) is given as channels of one frame with full weight 100.
    """

    index: NDArray[np.uint32]
    position: NDArray[np.float32]
    normal: NDArray[np.float32]
    tangent: NDArray[np.float32]
    shapes: tuple[tuple[int, int, bool, bool], ...]
    channels: tuple[tuple[str, int, int, int], ...]
    full_weights: NDArray[np.float32]


@dataclass(frozen=True, slots=True, kw_only=True)
class RawMesh:
    """A Mesh. Arrays are views of the file's bytes in the file's byte order, not yet decoded.

    ``vertex_data`` is m_DataSize, or the range of the .resS file that m_StreamData names (same bytes), or empty.
    ``separate`` holds the arrays of 3.4 and before: ``vertices`` (V, 3), ``normals`` (V, 3), ``tangents`` (V, 4),
    ``uv`` and ``uv1`` (V, 2) float32, ``colors`` (V, 4) uint8. ``compressed`` holds m_CompressedMesh by Unity's names
    (``m_Vertices``, ``m_UV``, ``m_Normals``, ``m_Weights``, ``m_BoneIndices``, ``m_Triangles`` ...) and is empty
    where the version has none; ``uv_info`` is its m_UVInfo. ``skin`` is m_Skin before 2018.2: ``weight`` (V, 4)
    float32 and ``boneIndex`` (V, 4) int32. ``bind_poses`` (B, 4, 4) float32, ``[row, column]``.
    """

    source: Source
    name: str
    version: Version
    big_endian: bool
    submeshes: tuple[RawSubMesh, ...]
    index_buffer: Bytes
    index_format: int  # 0 = 16 bit, 1 = 32 bit
    vertex_count: int
    channels: tuple[RawChannel, ...]
    streams: tuple[RawStream, ...] | None
    vertex_data: Bytes
    separate: Mapping[str, NDArray[Any]] = field(default_factory=dict)
    mesh_compression: int = 0
    compressed: Mapping[str, RawPacked] = field(default_factory=dict)
    uv_info: int | None = None
    skin: tuple[NDArray[np.float32], NDArray[np.int32]] | None = None
    variable_weights: NDArray[np.uint32] | None = None
    bind_poses: NDArray[np.float32]
    bone_name_hashes: NDArray[np.uint32]
    root_bone_name_hash: int = 0
    shapes: RawBlendShapes | None = None


# --- hierarchy --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class RawLightmap:
    """A renderer's place in a lightmap: its number in the scene's LightmapSettings, and scale x, y and offset x, y of
    the lightmap UVs (v up)."""

    index: int
    scale_offset: tuple[float, float, float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class RawRenderer:
    """A MeshRenderer with its MeshFilter's mesh, or a SkinnedMeshRenderer (``skinned``).

    ``submeshes``: the numbers of the mesh's submeshes that static batching leaves to this renderer, in material
    order, or None when the renderer draws the whole mesh. ``blend_shape_weights`` are Unity's 0..100.
    """

    source: Source
    skinned: bool
    enabled: bool
    shadows_only: bool
    mesh: Reference
    materials: tuple[Reference, ...]
    submeshes: tuple[int, ...] | None = None
    static_batch_root: Reference = None
    bones: tuple[Reference, ...] = ()
    root_bone: Reference = None
    quality: int = 0
    lightmap: RawLightmap | None = None
    realtime_lightmap: RawLightmap | None = None
    blend_shape_weights: NDArray[np.float32] = field(default_factory=lambda: np.zeros(0, np.float32))


@dataclass(frozen=True, slots=True, kw_only=True)
class RawAnimator:
    """An Animator component: its avatar and controller, and whether the bones exist as GameObjects."""

    source: Source
    avatar: Reference
    has_transform_hierarchy: bool
    controller: Reference = None
    apply_root_motion: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RawAnimation:
    """An Animation component (legacy clips): its clips in order, the default one, and its wrap mode."""

    source: Source
    clips: tuple[Reference, ...]
    default: Reference = None
    wrap_mode: int = 0
    play_automatically: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class RawTerrain:
    """A Terrain component. ``draws_ground`` is m_DrawHeightmap; ``material`` the one set by hand, if any."""

    source: Source
    enabled: bool
    draws_ground: bool
    data: Reference
    material: Reference = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RawTerrainLayer:
    """What covers a part of a terrain: a TerrainLayer, or a splat prototype before 2018.3 (``source`` None). Tiles and
    their offset in metres; stored colours c are drawn as ``low`` + (``high`` - ``low``) c."""

    source: Source | None
    name: str
    color: Reference
    normal: Reference
    mask: Reference
    tile_size: tuple[float, float]
    tile_offset: tuple[float, float]
    metallic: float = 0.0
    smoothness: float = 0.0
    low: tuple[float, float, float] = (0.0, 0.0, 0.0)
    high: tuple[float, float, float] = (1.0, 1.0, 1.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class RawTerrainData:
    """A TerrainData. ``heights`` (rows * columns,) int16, rows along z: 32766 is ``scale[1]`` metres; ``scale[0]`` and
    ``scale[2]`` are the metres between samples. ``surface``: one byte a cell, 0 = a hole; empty = no holes. Layer
    4 k + c has its weights in channel c of ``alpha_maps[k]``. ``trees``: how many stand there, by prototype;
    ``details``: how many kinds of grass and detail meshes there are."""

    source: Source
    name: str
    version: Version
    columns: int
    rows: int
    heights: NDArray[np.int16]
    scale: tuple[float, float, float]
    surface: Bytes = b""
    layers: tuple[RawTerrainLayer | Reference, ...] = ()
    alpha_maps: tuple[Reference, ...] = ()
    trees: tuple[int, ...] = ()
    details: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class RawLight:
    """A Light. ``type`` is Unity's LightType (0 spot, 1 directional, 2 point, 3 rectangle, 4 disc, 5 pyramid, 6 box,
    7 tube), ``shape`` its LightShape (0 cone, 1 pyramid, 2 box) in the versions between. ``color`` as stored (gamma),
    ``temperature`` in kelvin where the light uses one. Angles are whole ones in degrees; no ``inner_angle`` before
    2019.1. ``scripts``: classes of the scripts beside it, as far as known. ``more``: shadows, cookie and such, as
    JSON."""

    source: Source
    enabled: bool
    type: int
    color: tuple[float, float, float, float]
    intensity: float
    range: float
    spot_angle: float
    shape: int = 0
    inner_angle: float | None = None
    temperature: float | None = None
    scripts: frozenset[str] = frozenset()
    more: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class RawCamera:
    """A Camera. ``field_of_view`` is vertical, in degrees; ``orthographic_size`` half the height, planes in metres.
    ``sensor`` and ``focal_length`` in millimetres are there where they make the projection (a physical camera), with
    Unity's GateFitMode (0 none, 1 vertical, 2 horizontal, 3 fill, 4 overscan). ``aspect``: width / height where the
    camera draws into a texture. ``more``: background, culling mask and such, as JSON."""

    source: Source
    enabled: bool
    near: float
    far: float
    field_of_view: float
    orthographic: bool
    orthographic_size: float
    sensor: tuple[float, float] | None = None
    focal_length: float = 0.0
    gate_fit: int = 0
    lens_shift: tuple[float, float] = (0.0, 0.0)
    aspect: float | None = None
    more: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class RawPart:
    """A component as it is stored: ``fields`` by Unity's names, as JSON values; references as source marks."""

    source: Source
    fields: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class RawNode:
    """A GameObject with its Transform. ``parent`` indexes the hierarchy's nodes (-1 = root); parents come first.
    Rotation is xyzw. ``active`` is the object's own flag (m_IsActive). ``tag``: m_Tag, or its text in editor form;
    ``static``: m_StaticEditorFlags, None where they are not stored; ``physics``: its colliders and bodies."""

    source: Source
    transform: Source
    name: str
    active: bool
    parent: int
    position: tuple[float, float, float]
    rotation: tuple[float, float, float, float]
    scale: tuple[float, float, float]
    renderer: RawRenderer | None = None
    animator: RawAnimator | None = None
    animation: RawAnimation | None = None
    terrain: RawTerrain | None = None
    light: RawLight | None = None
    camera: RawCamera | None = None
    physics: tuple[Source, ...] = ()
    tag: int | str = 0
    layer: int = 0
    static: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RawLod:
    """One LODGroup: for each level the renderers it shows and its relative screen height."""

    source: Source
    levels: tuple[tuple[float, tuple[Reference, ...]], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RawHierarchy:
    """Nodes in depth-first order of m_Children: one root for a prefab, all roots of the file for a scene."""

    nodes: tuple[RawNode, ...]
    lods: tuple[RawLod, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RawAxes:
    """m_AxesArray of a humanoid skeleton: how each of A bones answers to its muscles. ``pre`` and ``post`` (A, 4) xyzw,
    ``signs``, ``minimum`` and ``maximum`` (A, 3) about x (twist), y and z, in radians; ``lengths`` (A,)."""

    pre: NDArray[np.float32]
    post: NDArray[np.float32]
    signs: NDArray[np.float32]
    minimum: NDArray[np.float32]
    maximum: NDArray[np.float32]
    lengths: NDArray[np.float32]


@dataclass(frozen=True, slots=True, kw_only=True)
class RawHuman:
    """m_Human of an Avatar. Its own skeleton: ``parents`` and ``axes`` (N,) (rows of ``limits``; -1 = none), ``ids``
    (N,) hashes of the paths, and m_SkeletonPose (the T-pose, local) as ``positions`` (N, 3), ``rotations`` (N, 4) xyzw,
    ``scales`` (N, 3). ``bones``: m_HumanBoneIndex, the node of each human bone (-1 = none), with ``masses``; 24 before
    5.6, else 25. ``left_hand``, ``right_hand``: nodes of 15 finger bones, or empty. ``root_position`` and
    ``root_rotation``: m_RootX, the body in the T-pose; ``scale``: m_Scale in metres. Twist factors 0..1."""

    parents: NDArray[np.int32]
    axes: NDArray[np.int32]
    ids: NDArray[np.uint32]
    positions: NDArray[np.float32]
    rotations: NDArray[np.float32]
    scales: NDArray[np.float32]
    limits: RawAxes
    bones: tuple[int, ...]
    masses: tuple[float, ...]
    left_hand: tuple[int, ...]
    right_hand: tuple[int, ...]
    root_position: tuple[float, float, float]
    root_rotation: tuple[float, float, float, float]
    scale: float
    arm_twist: float
    fore_arm_twist: float
    upper_leg_twist: float
    leg_twist: float
    has_tdof: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RawAvatar:
    """An Avatar's skeleton: ``parents`` (N,) indices (-1 = root), ``ids`` (N,) hashes of the full paths, the default
    pose as ``positions`` (N, 3), ``rotations`` (N, 4) xyzw, ``scales`` (N, 3); ``tos`` maps hashes to paths. ``human``:
    its human part, None where no human bone is mapped."""

    source: Source
    name: str
    parents: NDArray[np.int32]
    ids: NDArray[np.uint32]
    positions: NDArray[np.float32]
    rotations: NDArray[np.float32]
    scales: NDArray[np.float32]
    tos: Mapping[int, str]
    human: RawHuman | None = None


# --- materials and textures ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class RawTextureSlot:
    """One entry of m_TexEnvs: the texture and its tiling (``_ST``)."""

    texture: Reference
    scale: tuple[float, float]
    offset: tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class RawShaderProperty:
    """A property that a shader declares. ``type``: 0 colour, 1 vector, 2 float, 3 range, 4 texture, 5 integer.
    ``flags``: bits of ShaderPropertyFlags. ``default``: four numbers, of which a number uses the first; ``texture`` is
    the name of a texture's default (``white``, ``bump`` ...), ``label`` what the editor calls the property."""

    type: int
    flags: int
    default: tuple[float, float, float, float]
    texture: str = ""
    label: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RawSetting:
    """A render state: the material's number ``property``, or ``value`` where that is empty."""

    value: float
    property: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RawPass:
    """How a pass draws: ``tags`` with keys in capitals, CullMode and BlendMode numbers."""

    tags: Mapping[str, str]
    cull: RawSetting
    source_blend: RawSetting
    destination_blend: RawSetting


@dataclass(frozen=True, slots=True, kw_only=True)
class RawShader:
    """What a Shader object tells; each part is None where it is not stored or not readable."""

    name: str | None
    properties: Mapping[str, RawShaderProperty] | None = None
    first_pass: RawPass | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RawMaterial:
    """A Material's saved properties. ``shader`` is the shader's name when it is known, ``program`` what else its object
    tells when it is there; ``render_queue`` -1 = the shader's own; colours are (r, g, b, a) as stored."""

    source: Source
    name: str
    shader: str | None
    keywords: frozenset[str]
    tags: Mapping[str, str]
    render_queue: int
    textures: Mapping[str, RawTextureSlot]
    floats: Mapping[str, float]
    colors: Mapping[str, tuple[float, float, float, float]]
    program: RawShader | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RawTexture:
    """A Texture2D, cubemap or array. ``data`` is the image data of all mips, bottom row first, from the object or its
    .resS file; of several ``images`` one after the other, each with its mips; a ``cube`` has six, top row first.
    ``graphics_format`` is Unity's GraphicsFormat where that is stored, instead of ``format``; else 0. The build left
    the first ``mips_stripped`` mips out.
    ``format`` is Unity's TextureFormat; ``wrap`` (u, v) 0 repeat, 1 clamp, 2 mirror, 3 mirror once; ``filter`` 0
    point, 1 bilinear, 2 trilinear; ``platform`` Unity's BuildTarget; ``color_space`` 0 linear, 1 sRGB, None where it is
    not stored; ``usage`` is m_LightmapFormat, Unity's TextureUsageMode."""

    source: Source
    name: str
    version: Version
    width: int
    height: int
    format: int
    data: Bytes
    mip_count: int
    color_space: int | None
    filter: int
    wrap: tuple[int, int]
    platform: int
    platform_blob: bytes
    usage: int = 0
    images: int = 1
    cube: bool = False
    graphics_format: int = 0
    mips_stripped: int = 0


# --- animation ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class RawKeys:
    """An AnimationCurve: ``times`` (K,) seconds, ``values``, ``in_slopes`` and ``out_slopes`` (K, W). An infinite slope
    makes the segment a step. ``weighted`` (K,): m_WeightedMode, bit 0 in, bit 1 out; None before 2018.1; the weights
    are (K, W). Infinity modes: 0 pingpong, 1 loop, 2 clamp (Unity's enumeration as stored)."""

    times: NDArray[np.float32]
    values: NDArray[np.float32]
    in_slopes: NDArray[np.float32]
    out_slopes: NDArray[np.float32]
    weighted: NDArray[np.int32] | None = None
    in_weights: NDArray[np.float32] | None = None
    out_weights: NDArray[np.float32] | None = None
    pre_infinity: int = 2
    post_infinity: int = 2
    rotation_order: int = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class RawPackedKeys:
    """A CompressedAnimationCurve (rotations): times, quaternions and slopes in PackedBitVectors, as stored."""

    times: RawPacked
    values: RawPacked
    slopes: RawPacked
    pre_infinity: int = 2
    post_infinity: int = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class RawCurve:
    """One curve by path, of a legacy clip or in editor form. ``kind``: position, rotation, euler, scale, float or pptr;
    ``attribute`` and ``class_id`` are those of float and pptr curves. ``keys`` is None for pptr curves, whose
    ``times`` are given alone."""

    kind: str
    path: str
    keys: RawKeys | RawPackedKeys | None
    attribute: str = ""
    class_id: int = 4
    times: NDArray[np.float32] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RawBinding:
    """One GenericBinding of m_ClipBindingConstant. ``path`` and ``attribute`` are CRC-32 hashes (attribute 1 to 4 of a
    Transform: position, rotation, scale, Euler)."""

    path: int
    attribute: int
    type_id: int
    custom_type: int
    is_pptr: bool = False
    is_int: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RawCompiled:
    """m_MuscleClip.m_Clip: curves are numbered streamed (``streamed_count``, then ``discrete_count`` integer curves in
    the same stream), dense, constant. ``streamed`` is the uint32 stream; ``dense`` (frames, curves) float32."""

    streamed: NDArray[np.uint32]
    streamed_count: int
    discrete_count: int
    dense: NDArray[np.float32]
    dense_rate: float
    dense_begin: float
    constants: NDArray[np.float32]


@dataclass(frozen=True, slots=True, kw_only=True)
class RawEvent:
    """An AnimationEvent; ``time`` in seconds of the clip's own time."""

    time: float
    function: str
    string: str
    number: float
    integer: int
    reference: Reference = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RawMuscles:
    """What m_MuscleClip says of a humanoid clip beside its curves. ``index_array``: m_IndexArray, the curve number of
    each muscle attribute (-1 = none). ``delta``: m_DeltaPose.m_DoFArray, each body muscle at the start less at the
    stop."""

    index_array: tuple[int, ...] = ()
    delta: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RawClip:
    """An AnimationClip. ``start`` and ``stop`` are m_MuscleClip's times (0 and the last key for a legacy clip without
    one). ``flags`` holds Unity's own names of loop, root-motion and additive settings (``m_LoopTime``,
    ``m_CycleOffset`` ...)."""

    source: Source
    name: str
    version: Version
    legacy: bool
    sample_rate: float
    wrap_mode: int
    start: float
    stop: float
    curves: tuple[RawCurve, ...] = ()
    compiled: RawCompiled | None = None
    bindings: tuple[RawBinding, ...] = ()
    events: tuple[RawEvent, ...] = ()
    muscles: RawMuscles = field(default_factory=RawMuscles)
    flags: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class RawMotion:
    """One use of a clip by a state: ``blend`` tells its place in a blend tree, empty for a plain state. ``tree`` is the
    chain of nodes from the root down, each with its ``type``, ``parameters`` and the child's ``threshold`` (1D),
    ``position`` (2D) or ``parameter`` (direct); ``duration``, ``cycle_offset`` and ``mirror`` are of the clip's node.
    """

    clip: Reference
    blend: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class RawState:
    """One state of a controller's state machine. Names are resolved from the controller's TOS (else ``#<hash>``).
    ``layer_weight`` is the layer's default weight; Unity plays the first layer in full, whatever is stored.
    ``foot_ik``: the feet of a humanoid are moved onto the clip's goals."""

    layer: str
    layer_index: int
    name: str
    full_path: str
    speed: float
    mirror: bool
    cycle_offset: float
    default: bool
    additive: bool
    motions: tuple[RawMotion, ...]
    layer_weight: float = 1.0
    foot_ik: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RawController:
    """An AnimatorController, or an AnimatorOverrideController with its overrides applied. ``clips``: m_AnimationClips,
    each once, in order; ``states`` use some of them."""

    source: Source
    name: str
    clips: tuple[Reference, ...]
    states: tuple[RawState, ...] = ()


# --- what belongs to a content root -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class RawSettings:
    """Project settings of one content root. ``skin_weights``: (quality level name, influences; 255 = unlimited) in
    order, empty without QualitySettings. ``clamp_blend_shapes``: PlayerSettings.legacyClampBlendShapeWeights, None
    when unknown. ``linear``: does the project work in linear colours (PlayerSettings.m_ActiveColorSpace), None when
    unknown. ``scenes``: BuildSettings' scene paths by level index. ``linear_intensity`` and ``color_temperature``:
    GraphicsSettings.m_LightsUse.., None when unknown; ``pipeline``: class of its render pipeline asset, empty for the
    built-in one, None when unknown. ``tags`` from number 20000 on, ``layers`` by number (TagManager)."""

    skin_weights: tuple[tuple[str, int], ...] = ()
    clamp_blend_shapes: bool | None = None
    linear: bool | None = None
    scenes: tuple[str, ...] = ()
    linear_intensity: bool | None = None
    color_temperature: bool | None = None
    pipeline: str | None = None
    tags: tuple[str, ...] = ()
    layers: tuple[str, ...] = ()


class Names(Protocol):
    """The name index of a content root: hash to names, and where each came from."""

    def lookup(self, hash_: int) -> Sequence[str]:
        """Paths (or names) whose CRC-32 is ``hash_``, best source first; empty when unknown."""


class RawProvider(Protocol):
    """What ``normalize`` asks ``extract`` for. Every method raises :class:`diagnostics.Fault` for a bad object."""

    @property
    def settings(self) -> RawSettings: ...
    @property
    def names(self) -> Names: ...
    def name(self, source: Source) -> str:
        """The object's name, read cheaply; empty when it has none or cannot be read. Never raises."""
        ...

    def mesh(self, source: Source) -> RawMesh: ...
    def terrain(self, source: Source) -> RawTerrainData: ...
    def terrain_layer(self, source: Source) -> RawTerrainLayer: ...
    def material(self, source: Source) -> RawMaterial: ...
    def texture(self, source: Source) -> RawTexture: ...
    def avatar(self, source: Source) -> RawAvatar: ...
    def avatars(self) -> Sequence[Source]:
        """Every Avatar of the content root, in file order."""
        ...

    def clip(self, source: Source) -> RawClip: ...
    def controller(self, source: Source) -> RawController: ...
    def part(self, source: Source) -> RawPart: ...
