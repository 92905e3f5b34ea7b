"""Every diagnostic code, declared once. Names are never changed: scripts rely on them.

Grouped by stage. ``INFO`` loses nothing, ``WARNING`` makes the asset lossy, ``ERROR`` means something is missing.
"""

from __future__ import annotations

from .diagnostics import Code, Severity

CODES: dict[str, Code] = {}


def _code(name: str, severity: Severity, sentence: str) -> Code:
    if name in CODES:
        raise ValueError(f"code {name} is declared twice")
    CODES[name] = Code(name, severity, sentence)
    return CODES[name]


_I, _W, _E = Severity.INFO, Severity.WARNING, Severity.ERROR

# extract: files
INPUT_UNREADABLE = _code("INPUT_UNREADABLE", _E, "A file could not be read from disk.")
INPUT_TRUNCATED = _code("INPUT_TRUNCATED", _E, "A file is shorter than its header says.")
INPUT_CORRUPT = _code("INPUT_CORRUPT", _E, "A file's contents contradict its header or do not decompress.")
INPUT_UNSUPPORTED = _code("INPUT_UNSUPPORTED", _E, "A Unity file of a kind that is not read (encrypted, LZHAM, ...).")
INPUT_LIMIT = _code("INPUT_LIMIT", _E, "An archive passes the limits on nesting, ratio or size.")
VERSION_UNKNOWN = _code("VERSION_UNKNOWN", _E, "A file names no Unity version, and none could be taken from a sibling.")
VERSION_ASSUMED = _code("VERSION_ASSUMED", _I, "A file names no Unity version; one was taken from a sibling or option.")
VERSION_NEWER = _code("VERSION_NEWER", _I, "A file is newer than the known type trees; the last known one is used.")

# extract: objects and references
OBJECT_CORRUPT = _code("OBJECT_CORRUPT", _E, "An object's bytes do not fit its type.")
OBJECT_UNREADABLE = _code("OBJECT_UNREADABLE", _E, "An object could not be read, for a reason we did not foresee.")
REFERENCE_MISSING = _code("REFERENCE_MISSING", _E, "A reference names a file or object that is not in the input.")
REFERENCE_AMBIGUOUS = _code("REFERENCE_AMBIGUOUS", _E, "A reference fits several files of the input; none was taken.")
RESOURCE_MISSING = _code("RESOURCE_MISSING", _E, "A .resS or .resource file is not in the input.")
RESOURCE_TRUNCATED = _code("RESOURCE_TRUNCATED", _E, "A range of a .resS file lies past its end.")
HIERARCHY_CYCLE = _code("HIERARCHY_CYCLE", _W, "A transform is its own ancestor; the link was cut.")
HIERARCHY_PARENT = _code("HIERARCHY_PARENT", _W, "A transform has two parents, or parent and child disagree.")
SETTINGS_UNREADABLE = _code("SETTINGS_UNREADABLE", _W, "QualitySettings, PlayerSettings or BuildSettings failed.")

# normalize: meshes
MESH_EMPTY = _code("MESH_EMPTY", _I, "A mesh has no vertices or nothing that is drawn.")
MESH_FORMAT_UNKNOWN = _code("MESH_FORMAT_UNKNOWN", _E, "A vertex channel has a format we do not know.")
MESH_DATA_TRUNCATED = _code("MESH_DATA_TRUNCATED", _E, "A mesh's vertex or index data is shorter than declared.")
MESH_INDEX_RANGE = _code("MESH_INDEX_RANGE", _E, "Indices point outside the vertices; their primitives were dropped.")
MESH_TOPOLOGY_UNKNOWN = _code("MESH_TOPOLOGY_UNKNOWN", _E, "A submesh has a topology we do not know.")
MESH_NOT_FINITE = _code("MESH_NOT_FINITE", _W, "Vertex attributes hold NaN or infinite numbers; they became 0.")
MESH_ATTRIBUTE_DROPPED = _code("MESH_ATTRIBUTE_DROPPED", _W, "A vertex attribute cannot be written in glTF.")
MESH_NORMALS_FIXED = _code("MESH_NORMALS_FIXED", _I, "Normals or tangents not of unit length were normalised.")
MESH_NORMALS_ZERO = _code("MESH_NORMALS_ZERO", _W, "Normals or tangents of length zero were replaced.")
MESH_INDICES_TRIMMED = _code(
    "MESH_INDICES_TRIMMED", _W, "Indices left over after the last whole primitive were dropped."
)
MESH_BUILTIN = _code("MESH_BUILTIN", _I, "A built-in mesh was generated, since the default resources are absent.")
MESH_UNREADABLE = _code("MESH_UNREADABLE", _E, "A mesh could not be decoded, for a reason we did not foresee.")

# normalize: skins
SKIN_WEIGHTS_INVALID = _code("SKIN_WEIGHTS_INVALID", _E, "Skin weights are not finite, negative or have no indices.")
SKIN_VARIABLE_INVALID = _code("SKIN_VARIABLE_INVALID", _W, "Variable bone weights are broken; the channels are used.")
SKIN_WEIGHTS_NORMALISED = _code("SKIN_WEIGHTS_NORMALISED", _W, "Skin weights did not sum to 1 and were normalised.")
SKIN_FORM = _code("SKIN_FORM", _I, "Which form of the influences is drawn, and why.")
SKIN_INFLUENCES_CUT = _code("SKIN_INFLUENCES_CUT", _W, "Vertices had more influences than --max-influences.")
SKIN_CUT_MEASURED = _code("SKIN_CUT_MEASURED", _I, "How far the influences that were cut move the vertices.")
SKIN_BONE_RANGE = _code("SKIN_BONE_RANGE", _E, "A weighted influence names a bone slot that does not exist.")
SKIN_BONE_MISSING = _code("SKIN_BONE_MISSING", _W, "A bone could not be found; a placeholder keeps its rest place.")
SKIN_BONE_BY_HASH = _code("SKIN_BONE_BY_HASH", _I, "Bones were found by the hash of their path.")
SKIN_BONE_REPEATED = _code("SKIN_BONE_REPEATED", _I, "Slots that name the same bone got joints of their own on it.")
SKIN_LENGTHS = _code("SKIN_LENGTHS", _I, "Bones and bind poses differ in number; the shorter list was padded.")
SKIN_BIND_POSE_INVALID = _code("SKIN_BIND_POSE_INVALID", _W, "A bind pose is not an affine matrix; identity is used.")
SKIN_REBUILT = _code("SKIN_REBUILT", _I, "An optimised hierarchy was rebuilt from its Avatar.")
SKIN_AVATAR_MISSING = _code("SKIN_AVATAR_MISSING", _E, "An optimised hierarchy has no readable Avatar.")
SKIN_NONE = _code("SKIN_NONE", _I, "A skinned renderer has no usable skin; its mesh stays at its node.")

# normalize: blend shapes
SHAPE_INVALID = _code("SHAPE_INVALID", _E, "A blend shape's ranges or vertex indices are broken; it was dropped.")
SHAPE_FRAMES = _code("SHAPE_FRAMES", _I, "A blend shape has several frames: one morph target a frame.")
SHAPE_WEIGHT_CLAMPED = _code("SHAPE_WEIGHT_CLAMPED", _I, "Default blend-shape weights were clamped as the game does.")
SHAPE_WEIGHT_FIXED = _code("SHAPE_WEIGHT_FIXED", _W, "Default blend-shape weights that are no numbers became 0.")
SHAPE_DENSE = _code("SHAPE_DENSE", _I, "Morph targets are dense, though sparse ones would take much less.")
SHAPE_RENAMED = _code("SHAPE_RENAMED", _I, "Morph targets of the same name were made unique.")

# normalize: materials and textures
MATERIAL_MISSING = _code("MATERIAL_MISSING", _W, "A material could not be found; the primitive has none.")
MATERIAL_BUILTIN = _code(
    "MATERIAL_BUILTIN", _I, "A built-in material was generated, since Unity's own resources are absent."
)
MATERIAL_SHADER_GUESSED = _code(
    "MATERIAL_SHADER_GUESSED", _W, "The shader is unknown; its main texture and colour are used."
)
MATERIAL_SHADER_BY_PROPERTIES = _code(
    "MATERIAL_SHADER_BY_PROPERTIES", _I, "The shader is not known by name; the material's properties tell its family."
)
MATERIAL_VALUE_FIXED = _code("MATERIAL_VALUE_FIXED", _W, "A colour or number of a material was not usable as stored.")
MATERIAL_BLENDING = _code("MATERIAL_BLENDING", _W, "An additive or multiplying blend is written as alpha blending.")
MATERIAL_CULLING = _code("MATERIAL_CULLING", _W, "A material that draws back faces only is written as double-sided.")
MATERIAL_PARTS_LEFT = _code(
    "MATERIAL_PARTS_LEFT", _W, "Textures or numbers that shape a material's look are not written."
)
MATERIAL_STYLE = _code("MATERIAL_STYLE", _W, "A way of lighting that glTF does not have is written as the nearest one.")
MATERIAL_SPECULAR = _code(
    "MATERIAL_SPECULAR", _I, "A specular colour is written by extensions; readers without them see another reflection."
)
MATERIAL_FLAT = _code("MATERIAL_FLAT", _W, "A normal map is left out, since the mesh has no tangents to bend it to.")
MATERIAL_SLOTS = _code("MATERIAL_SLOTS", _I, "Submeshes without a material slot are not drawn.")
MATERIAL_UNREADABLE = _code("MATERIAL_UNREADABLE", _E, "A material could not be read, for a reason we did not foresee.")
TEXTURE_MISSING = _code("TEXTURE_MISSING", _E, "A texture or its pixels are not in the input.")
TEXTURE_RUNTIME = _code("TEXTURE_RUNTIME", _W, "A texture that the game fills when it runs; nothing of it is stored.")
TEXTURE_SHAPE = _code("TEXTURE_SHAPE", _W, "A cubemap, 3D texture or array stands for a flat one by its first image.")
TEXTURE_FORMAT = _code("TEXTURE_FORMAT", _E, "A texture format that is not decoded.")
TEXTURE_CORRUPT = _code("TEXTURE_CORRUPT", _E, "A texture's sizes contradict its data.")
TEXTURE_CLAMPED = _code("TEXTURE_CLAMPED", _W, "Pixels outside 0..1 (HDR, signed or NaN) were cut to 8 bits.")
TEXTURE_SRGB_DATA = _code(
    "TEXTURE_SRGB_DATA", _I, "A map of numbers is marked sRGB; its colours were decoded, as a linear game does."
)
TEXTURE_PREMULTIPLIED = _code(
    "TEXTURE_PREMULTIPLIED", _I, "A texture's colours were stored times alpha; they were divided by it."
)
TEXTURE_ENCODING = _code("TEXTURE_ENCODING", _I, "An image is PNG, since --textures names a format it does not fit.")
TEXTURE_ORDER = _code("TEXTURE_ORDER", _W, "A console's texture is read in plain rows, which may not be its order.")
TEXTURE_LIMIT = _code("TEXTURE_LIMIT", _E, "A texture is larger than the limit.")
TEXTURE_UNREADABLE = _code("TEXTURE_UNREADABLE", _E, "A texture could not be decoded, for a reason we did not foresee.")
VERTEX_COLORS_IGNORED = _code(
    "VERTEX_COLORS_IGNORED", _I, "The shader ignores vertex colours: kept, but not as COLOR_0."
)

# normalize: terrains
TERRAIN_INVALID = _code("TERRAIN_INVALID", _E, "A terrain's height map contradicts its size or scale.")
TERRAIN_REDUCED = _code("TERRAIN_REDUCED", _W, "A height map has more than 1025 samples a side; samples were left out.")
TERRAIN_HOLES = _code("TERRAIN_HOLES", _W, "A terrain's holes are stored in a form that is not read.")
TERRAIN_LAYERS_BAKED = _code("TERRAIN_LAYERS_BAKED", _I, "The layers of a terrain were blended to one texture.")
TERRAIN_MAPS_LEFT = _code("TERRAIN_MAPS_LEFT", _W, "Maps or numbers of terrain layers beside colours are not written.")
TERRAIN_PLANTS_LEFT = _code("TERRAIN_PLANTS_LEFT", _W, "Trees, grass and detail meshes of a terrain are not written.")
TERRAIN_UNREADABLE = _code(
    "TERRAIN_UNREADABLE", _E, "A terrain could not be converted, for a reason we did not foresee."
)

# normalize: nodes
NODE_VALUE_FIXED = _code("NODE_VALUE_FIXED", _W, "A transform held numbers that are not finite; they were replaced.")
RENDERER_NOT_DRAWN = _code(
    "RENDERER_NOT_DRAWN", _I, "A renderer is inactive, disabled, a lower LOD or casts shadows only."
)
RENDERER_UNREADABLE = _code(
    "RENDERER_UNREADABLE", _E, "A renderer could not be converted, for a reason we did not foresee."
)

# normalize: lights and cameras
COMPONENT_OFF = _code("COMPONENT_OFF", _I, "A light or camera is inactive or disabled.")
LIGHT_VALUE_FIXED = _code("LIGHT_VALUE_FIXED", _W, "A light held numbers that cannot be used; they were replaced.")
LIGHT_LEFT_OUT = _code("LIGHT_LEFT_OUT", _W, "A light of a kind that glTF does not have (area, tube, box).")
LIGHT_PARTS_LEFT = _code("LIGHT_PARTS_LEFT", _W, "A light's cookie or shape is not written.")
LIGHT_SPOT_INNER = _code("LIGHT_SPOT_INNER", _I, "The inner angle of a spot light is not Unity's own.")
LIGHT_TEMPERATURE = _code("LIGHT_TEMPERATURE", _I, "A light's colour temperature became part of its colour.")
LIGHT_SETTINGS = _code("LIGHT_SETTINGS", _I, "How bright lights are depends on settings that are not in the input.")
LIGHT_FALLOFF = _code("LIGHT_FALLOFF", _I, "A light fades over its range otherwise than in the game.")
LIGHT_UNREADABLE = _code("LIGHT_UNREADABLE", _E, "A light could not be converted, for a reason we did not foresee.")
CAMERA_VALUE_FIXED = _code("CAMERA_VALUE_FIXED", _W, "A camera held numbers that cannot be used; they were replaced.")
CAMERA_FIT = _code("CAMERA_FIT", _I, "What a camera sees depends on the screen's shape; a usual one is written.")
CAMERA_SHIFT = _code("CAMERA_SHIFT", _W, "A camera's lens shift is not written.")
CAMERA_UNREADABLE = _code("CAMERA_UNREADABLE", _E, "A camera could not be converted, for a reason we did not foresee.")

# clips, from extract to emit
CLIP_TRUNCATED = _code(
    "CLIP_TRUNCATED", _E, "A clip's stream or samples end before they should; what was whole is kept."
)
CLIP_INVALID = _code("CLIP_INVALID", _E, "A clip's curves are broken: indices out of range, times that fall, NaN.")
CLIP_UNREADABLE = _code("CLIP_UNREADABLE", _E, "A clip could not be converted, for a reason we did not foresee.")
CLIP_EMPTY = _code("CLIP_EMPTY", _I, "A clip moves nothing here.")
CLIP_LEFT_OUT = _code(
    "CLIP_LEFT_OUT", _W, "A clip has curves, but none that glTF could hold on this rig: it is in no file."
)
CLIP_HASH_UNRESOLVED = _code("CLIP_HASH_UNRESOLVED", _W, "Curves name a path or shape by a hash that is not resolved.")
CLIP_COLOR_CUT = _code(
    "CLIP_COLOR_CUT", _W, "An animated colour leaves 0..1, which is all that glTF takes; it was cut."
)
CLIP_CURVE_KEPT = _code("CLIP_CURVE_KEPT", _W, "Curves that glTF has no place for are kept in the animation's extras.")
CLIP_MUSCLES = _code("CLIP_MUSCLES", _W, "Humanoid (muscle) curves are not baked to bones.")
CLIP_BAKED = _code("CLIP_BAKED", _I, "Humanoid (muscle) curves became rotations of bones, within a stated residual.")
CLIP_GOALS_MISSED = _code(
    "CLIP_GOALS_MISSED", _W, "Baked hands or feet are further from the clip's own goals than they should be."
)
CLIP_NUMBERING = _code("CLIP_NUMBERING", _W, "A humanoid clip's curves do not fit the muscles that its numbers name.")
CLIP_AVATAR_CHOSEN = _code("CLIP_AVATAR_CHOSEN", _I, "A rig has no human avatar; one that fits the clip was chosen.")
CLIP_MUSCLES_PARTLY = _code(
    "CLIP_MUSCLES_PARTLY", _W, "Some muscles of a humanoid clip could not be baked; a side file keeps them all."
)
CLIP_BAKE_COARSE = _code("CLIP_BAKE_COARSE", _W, "Baked bones turn too fast to be followed within a degree.")
CLIP_MUSCLES_UNMAPPED = _code(
    "CLIP_MUSCLES_UNMAPPED", _I, "Muscles of a humanoid clip move bones that its avatar lacks."
)
CLIP_MUSCLES_ABSENT = _code("CLIP_MUSCLES_ABSENT", _I, "Muscles that a humanoid clip does not drive count as 0.")
CLIP_TDOF = _code("CLIP_TDOF", _I, "A humanoid clip has translations of bones, which its avatar does not take.")
CLIP_LOOP_POSE = _code("CLIP_LOOP_POSE", _I, "The game blends the end of a humanoid clip into its start.")
CLIP_MIRROR = _code("CLIP_MIRROR", _I, "A humanoid clip is played with left and right exchanged.")
CLIP_ADDITIVE = _code("CLIP_ADDITIVE", _I, "The game adds a humanoid clip to another; a pose of its own is written.")
CLIP_FOOT_IK = _code("CLIP_FOOT_IK", _I, "The game puts a humanoid clip's feet on its goals; its muscles are written.")
AVATAR_INVALID = _code("AVATAR_INVALID", _W, "The human part of an avatar is missing parts, or its numbers do not fit.")
AVATAR_CENTRE = _code("AVATAR_CENTRE", _W, "The body of an avatar has its centre elsewhere than it says.")
AVATAR_UNKNOWN = _code("AVATAR_UNKNOWN", _E, "There is no avatar of the name that --avatar gives.")
HUMANOID_BONES_MISSING = _code("HUMANOID_BONES_MISSING", _W, "A rig lacks bones that its avatar maps to a human body.")
CLIP_DUPLICATE = _code("CLIP_DUPLICATE", _W, "Two curves of a clip move the same thing; the first was taken.")
CLIP_RESAMPLED = _code("CLIP_RESAMPLED", _I, "Curves that are no cubic splines were resampled, within a stated error.")
CLIP_EULER = _code("CLIP_EULER", _I, "Euler curves became quaternions, within a stated error.")
CLIP_EULER_COARSE = _code("CLIP_EULER_COARSE", _W, "Euler curves turn too fast to be followed within 0.01 degrees.")
CLIP_KEYS_CAPPED = _code("CLIP_KEYS_CAPPED", _I, "A track has fewer extra keys than --key-tolerance asks for.")
CLIP_UNLANDED = _code("CLIP_UNLANDED", _I, "Moving segments of a streamed clip do not land on their next key.")
CLIP_REPEATED = _code("CLIP_REPEATED", _I, "A frame of a streamed clip has several records of one curve.")
CLIP_COMPRESSED = _code(
    "CLIP_COMPRESSED", _I, "Rotations are compressed; how their slopes are stored is known from other readers only."
)
CLIP_SHAPE_BY_PREFIX = _code("CLIP_SHAPE_BY_PREFIX", _I, "A blend shape was found by the hash of its prefixed name.")
CONTROLLER_INVALID = _code(
    "CONTROLLER_INVALID", _W, "An animator controller names layers, states or clips that it has not."
)
CONTROLLER_OLD = _code("CONTROLLER_OLD", _I, "States of a controller before Unity 4.3 are not read; its clips are.")

# VRM
VRM_BONE_MISSING = _code("VRM_BONE_MISSING", _W, "No VRM: a bone that it must have is not mapped, or not in place.")
VRM_AMBIGUOUS = _code("VRM_AMBIGUOUS", _W, "No VRM: the prefab holds several humanoid rigs.")
VRM_BONE_LEFT_OUT = _code("VRM_BONE_LEFT_OUT", _I, "Human bones that VRM does not take without others are not mapped.")
VRM_POSE = _code("VRM_POSE", _W, "The T-pose that a humanoid avatar stores is none; animations for VRM play wrongly.")
VRM_MOVED = _code("VRM_MOVED", _I, "An avatar was put upright at the origin, where a VRM has to stand.")
VRM_SCALE = _code("VRM_SCALE", _W, "Nodes have scales that VRM forbids: not the same along all axes, or not above 0.")

# emit
GLB_TOO_LARGE = _code("GLB_TOO_LARGE", _I, "The GLB would pass --max-glb and was written as .gltf with .bin files.")
UV_SETS_RENUMBERED = _code(
    "UV_SETS_RENUMBERED", _I, "UV sets are not contiguous in Unity; see primitive.extras.unity.uv."
)
UV_SET_MISSING = _code("UV_SET_MISSING", _W, "A material reads a UV set that its mesh lacks.")
TEXT_REPLACED = _code("TEXT_REPLACED", _I, "A name holds text that UTF-8 cannot; U+FFFD stands in its place.")
OUTPUT_UNWRITABLE = _code("OUTPUT_UNWRITABLE", _E, "An output file could not be written at its place.")

# validate
ROUNDTRIP_FAILED = _code("ROUNDTRIP_FAILED", _E, "The file, read back and posed, differs from Unity's side.")
ROUNDTRIP_SKIPPED = _code("ROUNDTRIP_SKIPPED", _I, "The round trip was not run.")

# an asset as a whole
ASSET_EMPTY = _code("ASSET_EMPTY", _I, "A scene or prefab draws nothing by default; no file was written.")
STATE_REBUILT = _code("STATE_REBUILT", _W, "What an earlier run left to build on could not be read; all was done anew.")
INPUT_CHANGED = _code("INPUT_CHANGED", _W, "A file changed while it was read; what came of it may be neither.")
WORKER_DIED = _code("WORKER_DIED", _E, "The process that converted an asset died, or took too long.")
ASSET_FAILED = _code("ASSET_FAILED", _E, "An asset could not be converted.")

# reports that are joined
REPORTS_DIFFER = _code(
    "REPORTS_DIFFER", _I, "Reports that were joined are of other options or versions, or name unlike files alike."
)
