"""What to do about a diagnostic, by its code: what its sentence in ``codes`` means is told beside it.

A code without a row gets the advice of its severity; notes, which lose nothing, need none.
"""

from __future__ import annotations

_WHOLE_FOLDER = "Convert the whole game folder, with the .resS, .resource and bundle files beside this one."
_TRY_AGAIN = "Copy the file from the game again, and check that it loads there."
_TELL = "Please report it, with --debug and, if you may share it, the file."
_VERSION = "Name the game's version, such as --unity-version 2020.3.33f1; the executable or another file tells it."
_NAMES = "Convert the game's other files in the same run, which may hold the name; unity2gltf names looks hashes up."
_MUSCLES = "The clip's muscles are in its .muscles.json, for an engine that plays them on a humanoid rig of its own."
_LOOK = "Look at the asset; put in order by hand what you need."
_RULES = "Write a row for the shader and pass it with --material-rules (README, Materials)."

_ADVICE = {
    "INPUT_UNREADABLE": "Check the file's permissions and the disk.",
    "INPUT_TRUNCATED": _TRY_AGAIN,
    "INPUT_CORRUPT": _TRY_AGAIN,
    "INPUT_UNSUPPORTED": "There is no way to read it here; protected files stay so.",
    "INPUT_LIMIT": "Unpack the archive yourself, and convert the folder.",
    "VERSION_UNKNOWN": _VERSION,
    "VERSION_ASSUMED": f"If objects come out wrong: {_VERSION}",
    "VERSION_NEWER": "Look at a few assets; a newer version of unity2gltf may know this one.",
    "OBJECT_CORRUPT": _TRY_AGAIN,
    "OBJECT_UNREADABLE": _TELL,
    "REFERENCE_MISSING": "Convert the whole game folder; what is downloaded later must be put beside it.",
    "REFERENCE_AMBIGUOUS": "Convert one build of the game at a time.",
    "RESOURCE_MISSING": _WHOLE_FOLDER,
    "RESOURCE_TRUNCATED": _TRY_AGAIN,
    "HIERARCHY_CYCLE": _LOOK,
    "HIERARCHY_PARENT": _LOOK,
    "SETTINGS_UNREADABLE": "Name what the game's settings say, such as --skin-weights.",
    "MESH_FORMAT_UNKNOWN": _TELL,
    "MESH_TOPOLOGY_UNKNOWN": _TELL,
    "MESH_DATA_TRUNCATED": _WHOLE_FOLDER,
    "MESH_ATTRIBUTE_DROPPED": "If you need it, try --custom-attributes.",
    "MESH_UNREADABLE": _TELL,
    "TERRAIN_REDUCED": "Where every sample counts, split the terrain, or read the height map from the game.",
    "TERRAIN_MAPS_LEFT": "The material's extras.unity.layers names them, for a terrain shader of your own.",
    "TERRAIN_PLANTS_LEFT": "Plant them again in your engine; their prefabs are files of their own.",
    "SKIN_INFLUENCES_CUT": "--max-influences all keeps them; most engines use four or eight.",
    "SKIN_CUT_MEASURED": "If that is too far, raise --max-influences.",
    "SKIN_BONE_MISSING": "It holds still there; if it should move, convert the rig's file in the same run.",
    "SKIN_AVATAR_MISSING": _WHOLE_FOLDER,
    "MATERIAL_MISSING": "Convert the bundle that holds the material in the same run.",
    "MATERIAL_SHADER_GUESSED": _RULES,
    "MATERIAL_PARTS_LEFT": f"--extras materials keeps the names and numbers. {_RULES}",
    "MATERIAL_STYLE": "Rebuild the look in your engine's own shader.",
    "MATERIAL_BLENDING": "Set the blend mode in your engine.",
    "MATERIAL_CULLING": "Set the culling in your engine.",
    "MATERIAL_FLAT": "The game draws it flat, too: nothing to do.",
    "MATERIAL_UNREADABLE": _TELL,
    "TEXTURE_MISSING": _WHOLE_FOLDER,
    "TEXTURE_FORMAT": "unity2gltf doctor says which decoders are missing, and how to get them.",
    "TEXTURE_CORRUPT": _TRY_AGAIN,
    "TEXTURE_LIMIT": "--max-texture-size takes a smaller level of it.",
    "TEXTURE_ORDER": "Look at the image; if it is scrambled, it needs the console's own tools.",
    "TEXTURE_UNREADABLE": _TELL,
    "RENDERER_NOT_DRAWN": "--inactive flag and --lod all write what is hidden.",
    "RENDERER_UNREADABLE": _TELL,
    "CLIP_HASH_UNRESOLVED": _NAMES,
    "CLIP_CURVE_KEPT": "The curves are in the animation's extras; --pointer writes colours, tilings and visibility.",
    "CLIP_LEFT_OUT": "--clips all-rigs tries it with every rig that fits.",
    "CLIP_MUSCLES": _MUSCLES,
    "CLIP_MUSCLES_PARTLY": _MUSCLES,
    "CLIP_BAKE_COARSE": "Look at the clip's fastest moment.",
    "CLIP_GOALS_MISSED": "Look at hands and feet; --avatar takes another avatar.",
    "CLIP_NUMBERING": f"Look at the clip; if it is twisted: {_TELL}",
    "AVATAR_INVALID": "Nothing to do for other clips; humanoid ones need an avatar that is whole: --avatar names one.",
    "AVATAR_CENTRE": "Look at the height of the hips in humanoid clips.",
    "AVATAR_UNKNOWN": "The report lists avatars by name among its contents; the rig's own was taken.",
    "HUMANOID_BONES_MISSING": "Look at the clip; the prefab may be a part of a character.",
    "CLIP_TRUNCATED": _TRY_AGAIN,
    "CLIP_UNREADABLE": _TELL,
    "CLIP_KEYS_CAPPED": "A higher --key-tolerance asks for fewer keys.",
    "VRM_BONE_MISSING": "Make the avatar from the prefab in a 3D program, where the bone can be added or named.",
    "VRM_AMBIGUOUS": "Convert a prefab of one of the figures, or part the file in a 3D program.",
    "VRM_POSE": "Pose the file's rest in a 3D program: upright, arms level, palms down.",
    "VRM_SCALE": "Open the file in the VRM program that you use; if it looks wrong there, apply the scales.",
    "GLB_TOO_LARGE": "Keep the .bin files beside it, or raise --max-glb.",
    "UV_SET_MISSING": "The texture has no place on this mesh; give the mesh UVs if you need it.",
    "STATE_REBUILT": "Nothing to do; the next run builds on this one.",
    "INPUT_CHANGED": "Convert again while nothing writes to the input.",
    "WORKER_DIED": "Convert this asset alone (--name), with fewer --jobs or more memory.",
    "LIGHT_LEFT_OUT": "Place a light of your engine there.",
    "LIGHT_PARTS_LEFT": "Set the cookie or shape in your engine.",
    "CAMERA_SHIFT": "Set the lens shift in your engine.",
    "OUTPUT_UNWRITABLE": "Free the place on the disk, or choose another output folder.",
    "ROUNDTRIP_FAILED": f"Do not rely on the file. {_TELL}",
    "ROUNDTRIP_SKIPPED": "Convert with --verify quick or full to have it proven.",
    "ASSET_EMPTY": "--inactive flag writes what is hidden.",
    "ASSET_FAILED": f"See the other remarks; without any: {_TELL}",
}

_BY_SEVERITY = {"error": "The rest of the asset is there; look at whether you need this part.", "warning": _LOOK}


def advice(code: str, severity: str) -> str:
    """A sentence or two; empty where there is nothing to do."""
    return _ADVICE.get(code) or _BY_SEVERITY.get(severity, "")


ADVISED = frozenset(_ADVICE)
"""The codes that have a row."""
