"""Everything a user can choose, in one frozen record that pickles."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import Any
from urllib.parse import urlsplit

from .errors import UsageError

UNLIMITED = 255
"""QualitySettings.skinWeights: no limit on the influences of a vertex."""

MAX_RESAMPLE_HZ = 1000.0

CHOICES: dict[str, tuple[str, ...]] = {  # "fail_on" is the command line's own
    "include": ("scenes", "prefabs", "meshes"),
    "format": ("glb", "gltf"),
    "skin_weights": ("auto", "1", "2", "4", "unlimited"),
    "lod": ("first", "all", "msft"),
    "inactive": ("keep", "skip", "flag"),
    "verify": ("quick", "full", "none"),
    "fail_on": ("never", "error", "lossy"),
    "textures": ("png", "jpeg", "webp", "ktx2", "none"),
    "extras": ("materials", "colliders", "tags"),
    "morphs": ("dense", "sparse"),
    "clips": ("embed", "all-rigs", "library", "none"),
    "root_motion": ("keep", "split", "strip"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """Options of a conversion. Those in :data:`CHOICES` take one of the words listed there.

    ``include``: kinds of output. ``name``: globs, any of which must fit the asset's name, or its output path below the
    folder of its kind (``assets/prefabs/*``), without regard to case (empty = all); ``exclude``: globs of what is left
    out all the same; ``container``: globs of the paths that bundles store for their objects.
    ``lod``: ``msft`` writes the lower levels by MSFT_lod. ``instancing``: nodes that draw the same mesh side by side
    become one with EXT_mesh_gpu_instancing.
    ``max_influences``: influences a vertex keeps, 0 = all. ``prune_vertices``: drop those that no primitive uses.
    ``custom_attributes``: write vertex data that glTF has no name for as attributes, not only in extras.
    ``textures``: how images are written. ``max_texture_size``: the longest side of an image in pixels, 0 = as it is.
    ``shared_textures``: images in files of their own, each once for all outputs. ``extras``: which stored data is kept
    in ``extras.unity``. ``material_rules``: text of a TOML file with rows for more shaders, which come first.
    ``morphs``: how morph targets are stored; sparse ones are smaller, and not read by all.
    ``clips``: where animation clips go. ``key_tolerance`` scales how closely keys must lie for readers that ignore
    tangents: 1 = 0.1 degrees, 1e-4 of the rig's size, 0.1 % of a weight; 0 = the clip's own keys only. ``resample_hz``:
    straight lines at this rate instead of exact cubic splines. ``pointer``: animate colours, tiling and visibility by
    KHR_animation_pointer. ``avatar``: name of the avatar that humanoid clips are baked with, empty = each rig's own;
    ``root_motion``: what they do with the motion of the object. ``vrm``: a VRM 1.0 avatar beside every prefab with a
    humanoid rig, by ``vrm_name`` (in which ``{name}`` is the prefab's) and ``vrm_authors``, under ``vrm_license``, a
    URL. ``unity_version``: of files that name none. ``max_glb``: bytes above which a GLB becomes .gltf + .bin.
    """

    include: tuple[str, ...] = CHOICES["include"]
    name: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    container: tuple[str, ...] = ()
    format: str = "glb"
    skin_weights: str = "auto"
    max_influences: int = 8
    lod: str = "first"
    instancing: bool = False
    inactive: str = "keep"
    verify: str = "quick"
    textures: str = "png"
    max_texture_size: int = 0
    shared_textures: bool = False
    extras: tuple[str, ...] = ()
    material_rules: str = ""
    morphs: str = "dense"
    clips: str = "embed"
    key_tolerance: float = 1.0
    resample_hz: float | None = None
    pointer: bool = False
    avatar: str = ""
    root_motion: str = "keep"
    vrm: bool = False
    vrm_name: str = ""
    vrm_authors: tuple[str, ...] = ()
    vrm_license: str = ""
    unity_version: str | None = None
    max_glb: int = 2 << 30
    prune_vertices: bool = False
    custom_attributes: bool = False

    def __post_init__(self) -> None:
        for key in CHOICES.keys() - {"fail_on"}:
            value = getattr(self, key)
            for word in value if isinstance(value, tuple) else (value,):
                _check(key, word)
        if not self.include:
            raise UsageError(f"--include must name at least one of {', '.join(CHOICES['include'])}")
        if self.max_influences < 0:
            raise UsageError(f"--max-influences must be 0 (all) or more, not {self.max_influences}")
        if not 0 <= self.key_tolerance < float("inf"):
            raise UsageError(f"--key-tolerance must be 0 (the clip's own keys) or more, not {self.key_tolerance}")
        if self.resample_hz is not None and not 0 < self.resample_hz <= MAX_RESAMPLE_HZ:
            raise UsageError(f"--resample must be above 0 and at most {MAX_RESAMPLE_HZ:g} Hz, not {self.resample_hz:g}")
        if self.max_texture_size < 0:
            raise UsageError(f"--max-texture-size must be 0 (no limit) or more pixels, not {self.max_texture_size}")
        if self.max_glb < 1:
            raise UsageError(f"--max-glb must be at least one byte, not {self.max_glb}")
        _check_vrm(self)

    def to_json(self) -> dict[str, Any]:
        """All of them, for report.json."""
        values = asdict(self)
        return {key: list(value) if isinstance(value, tuple) else value for key, value in sorted(values.items())}

    @classmethod
    def from_json(cls, stored: dict[str, Any]) -> Options:
        """The options that :meth:`to_json` gave; words of other versions of this package are passed over.

        Raises UsageError for a value that is none of its option's.
        """
        default = cls()
        values: dict[str, Any] = {}
        for key in {field.name for field in fields(cls)} & stored.keys():
            value = tuple(map(str, stored[key])) if isinstance(stored[key], list) else stored[key]
            kinds = {
                "unity_version": (str, type(None)),
                "resample_hz": (float, int, type(None)),
                "key_tolerance": (float, int),
            }
            if not isinstance(value, kinds.get(key, type(getattr(default, key)))):
                raise UsageError(f"option {key} cannot be {value!r}")
            values[key] = value
        return cls(**values)


def _check_vrm(options: Options) -> None:
    """A VRM says whose it is and under which licence; without --vrm there is nothing that could say so."""
    said = {
        "--vrm-name": (options.vrm_name,),
        "--vrm-author": options.vrm_authors,
        "--vrm-license": (options.vrm_license,),
    }
    given = [flag for flag, texts in said.items() if any(texts)]
    if given and not options.vrm:
        raise UsageError(f"{given[0]} has no effect without --vrm")
    missing = [flag for flag, texts in said.items() if not texts or not all(text.strip() for text in texts)]
    if options.vrm and missing:
        raise UsageError(f"--vrm needs {', '.join(missing)}: an avatar says whose it is and under which licence")
    if options.vrm and not _is_url(options.vrm_license):
        raise UsageError(
            f"--vrm-license must be a URL such as https://vrm.dev/licenses/1.0/, not {options.vrm_license!r}"
        )


def _is_url(text: str) -> bool:
    """An address on the web, without blanks or control characters."""
    try:
        parts = urlsplit(text)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and text.isprintable() and " " not in text
    except ValueError:
        return False


def _check(key: str, word: str) -> None:
    if word not in CHOICES[key]:
        flag = "--" + key.replace("_", "-")
        raise UsageError(f"{flag} must be one of {', '.join(CHOICES[key])}, not {word!r}")
