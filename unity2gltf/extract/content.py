"""A content root: serialized files that belong together, and their objects.

Nothing is read before it is asked for, and :meth:`ContentRoot.close` frees what a root holds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ..codes import (
    INPUT_CORRUPT,
    OBJECT_CORRUPT,
    REFERENCE_MISSING,
    VERSION_ASSUMED,
    VERSION_NEWER,
    VERSION_UNKNOWN,
)
from ..diagnostics import Fault
from ..raw import (
    RawAvatar,
    RawClip,
    RawController,
    RawMaterial,
    RawMesh,
    RawPart,
    RawSettings,
    RawShader,
    RawTerrainData,
    RawTerrainLayer,
    RawTexture,
    Version,
)
from ..source import Missing, Reference, Source
from .assetbundle import BundleInfo, read_bundle_info
from .avatar import read_avatar
from .clip import read_clip
from .controller import read_controller
from .material import read_material
from .mesh import read_mesh
from .names import NameIndex
from .objects import expect_fields
from .physics import read_part
from .resolve import Entry, Resolver
from .roots import Unit, members
from .serialized import SerializedIndex, parse, parse_version, plan_of, read_header
from .settings import read_settings
from .shader import read_shader
from .terrain import read_terrain, read_terrain_layer
from .texture import read_texture
from .trees import newest_version
from .typetree import Plan

if TYPE_CHECKING:
    from .game import Game

Pointer = Mapping[str, int] | tuple[int, int]
"""A PPtr as read: (file id, path id), or the dict of these."""

SCENE_CLASSES = frozenset((104, 157))
"""RenderSettings and LightmapSettings: exactly one a scene, and in no other file of a player or bundle."""


@dataclass(slots=True, eq=False)
class GameFile:
    """A serialized file. ``objects`` gives sorted path ids by class name; ``container`` the path that a bundle (or
    ResourceManager) stores for an object; ``unity_version`` the version that is used, ``version`` its numbers."""

    input: str
    name: str
    version: Version
    unity_version: str
    platform: int
    is_scene: bool
    container: dict[int, str]
    objects: Mapping[str, tuple[int, ...]]
    root: ContentRoot
    entry: Entry
    index: SerializedIndex
    bundle: BundleInfo | None = None
    newer: bool = False
    plans: dict[int, Plan] = field(default_factory=dict)

    def sources(self, type_: str) -> list[Source]:
        """All objects of a class, by path id."""
        return [Source(self.input, self.name, path_id, type_) for path_id in self.objects.get(type_, ())]

    @property
    def big_endian(self) -> bool:
        return self.index.header.endian == ">"


class ContentRoot:
    """Files that belong together; what ``normalize`` asks for (:class:`raw.RawProvider`) comes from here.

    Objects are named by :class:`Source`. A reference may lead to a file of another root of the same input.
    """

    def __init__(self, game: Game, path: str, units: list[Unit]) -> None:
        self.game = game
        self.path = path
        self.diagnostics = game.diagnostics
        self._units = units
        self._state = _State()

    def __repr__(self) -> str:
        return f"<ContentRoot {self.path!r}>"

    # --- files --------------------------------------------------------------------------------------------------

    @property
    def units(self) -> list[Unit]:
        """Files on disk and members of archives, those of WebGL data listed when first asked."""
        if self._state.units is None:
            self._state.units = []
            for unit in self._units:
                with self._guard(unit):
                    self._state.units += members(unit, self.game.store)
        return self._state.units

    @property
    def own_units(self) -> list[Unit]:
        """The units that the root was made of, archives not looked into."""
        return self._units

    @property
    def resolver(self) -> Resolver:
        if self._state.resolver is None:
            self._state.resolver = Resolver(self)
        return self._state.resolver

    @property
    def files(self) -> list[GameFile]:
        """Serialized files whose objects belong to the output, sorted by (input, name)."""
        if self._state.files is None:
            entries = [entry for entry in self.resolver.entries if entry.unit.exported and entry.unit.kind]
            for entry in entries:
                self.open(entry)
            self._assume_versions()
            found = [file for entry in entries if (file := self.open(entry)) is not None]
            self._state.files = sorted(found, key=lambda file: (file.input, file.name))
            self._read_resource_paths(self._state.files)
        return self._state.files

    def open(self, entry: Entry) -> GameFile | None:
        """The serialized file at an entry; None when it is none, or cannot be read (which is then reported)."""
        opened = self._state.opened
        if entry not in opened:
            opened[entry] = None
            with self._guard(entry.unit, entry.name):
                opened[entry] = self._open(entry)
        return opened[entry]

    def _open(self, entry: Entry) -> GameFile | None:
        data = self.game.store.view(entry.address)
        if read_header(data) is None:
            return None
        index = parse(data)
        text = index.unity_version
        if parse_version(text) is None:
            text = self.resolver.bundle_version(entry) or text
        if parse_version(text) is None:
            self._state.stripped.append((entry, index))
            return None
        return self._register(entry, index, text)

    def _register(self, entry: Entry, index: SerializedIndex, text: str) -> GameFile:
        version = parse_version(text)
        assert version is not None
        objects = index.by_class()
        scene = bool(SCENE_CLASSES.intersection(index.class_ids.tolist()))
        file = GameFile(
            entry.unit.input, entry.name, version, text, index.platform, scene, {}, objects, self, entry, index
        )
        file.newer = version > newest_version()
        if file.newer:
            self.diagnostics.add(VERSION_NEWER, f"{entry.name} is of Unity {text}", version=text)
        self.game.opened[file.input, file.name] = file
        for source in file.sources("AssetBundle")[:1]:
            file.bundle = read_bundle_info(self, source)
            file.container.update(file.bundle.container)
        return file

    def _assume_versions(self) -> None:
        """Give files without a version that of the root's other files, else the one from the options."""
        known = Counter(file.unity_version for file in self._state.opened.values() if file)
        for entry, index in self._state.stripped:
            text = known.most_common(1)[0][0] if known else self.game.unity_version
            with self._guard(entry.unit, entry.name):
                if text is None:
                    reason = f"{entry.name} names no Unity version; give one with --unity-version"
                    self._state.unversioned.append((entry, index, reason))
                    raise Fault(VERSION_UNKNOWN, reason)
                self.diagnostics.add(VERSION_ASSUMED, f"{entry.name} is taken for Unity {text}", version=text)
                self._state.opened[entry] = self._register(entry, index, text)
        self._state.stripped.clear()

    def _read_resource_paths(self, files: list[GameFile]) -> None:
        """ResourceManager names the objects of resources.assets by their path in a Resources folder."""
        for file in files:
            for source in file.sources("ResourceManager"):
                with self.diagnostics.guard(OBJECT_CORRUPT, source.place("ResourceManager"), source):
                    for path, pointer in self.read(source, frozenset(("m_Container",)))["m_Container"]:
                        target = self.resolve(file, pointer)
                        if isinstance(target, Source):
                            owner = self.file(target)
                            owner.container.setdefault(target.path_id, f"Resources/{path}")

    @property
    def is_archive(self) -> bool:
        """The root is a zip, apk or WebGL data file, which holds all that its files refer to."""
        return any(unit.kind == "web" or len(unit.address) > 1 for unit in self._units)

    def _guard(self, unit: Unit, member: str | None = None) -> _Guard:
        return _Guard(self, unit, member)

    def close(self) -> None:
        """Free what was read; the root reads it again when asked again, and other roots look for its files anew."""
        for file in self._state.opened.values():
            if file is not None:
                self.game.opened.pop((file.input, file.name), None)
        self._state = _State()
        self.game.store.drop({unit.address[0] for unit in self._units})
        for root in self.game.roots:
            root.forget_references()

    def forget_references(self) -> None:
        """Look for every external file anew: one that was found may be closed."""
        if self._state.resolver is not None:
            self._state.resolver.forget()

    # --- objects ------------------------------------------------------------------------------------------------

    def objects(self, type_: str) -> Iterator[Source]:
        """All objects of a class, in file order, then by path id."""
        for file in self.files:
            yield from file.sources(type_)

    def unversioned(self) -> Iterator[tuple[Source, str]]:
        """Objects of files that name no Unity version, which are listed but cannot be read, and why."""
        for entry, index, reason in self._state.unversioned:
            for type_, path_ids in index.by_class().items():
                yield from ((Source(entry.unit.input, entry.name, path_id, type_), reason) for path_id in path_ids)

    def file(self, source: Source) -> GameFile:
        """The file of an object; raises :class:`Fault` REFERENCE_MISSING."""
        file = self.game.opened.get((source.input, source.file))
        if file is None:
            raise Fault(REFERENCE_MISSING, f"file {source.file} of {source.input} is not open", file=source.file)
        return file

    def read(self, source: Source, fields: frozenset[str] | None = None) -> dict[str, Any]:
        """An object's fields (all, or those wanted that it has) as :mod:`typetree` gives them.

        Raises :class:`Fault` OBJECT_CORRUPT when its bytes do not fit its type.
        """
        file = self.file(source)
        plan, data = self._locate(file, source)
        value, used = plan.read(data, fields)
        if used != len(data) and not (file.newer and used < len(data)):
            raise Fault(
                OBJECT_CORRUPT,
                f"a {source.type} took {used} of its {len(data)} bytes",
                used=used,
                size=len(data),
            )
        return value

    def name(self, source: Source) -> str:
        """m_Name, without reading the rest; empty when there is none or it cannot be read."""
        try:
            return str(self.peek(source, "m_Name") or "")
        except Fault:
            return ""  # reported by whoever reads the object itself

    def size(self, source: Source) -> int:
        """Bytes of an object in its file. Raises Fault."""
        return len(self._locate(self.file(source), source)[1])

    def peek(self, source: Source, *path: str) -> Any:
        """One field (of a field ..), without reading past it; None when there is none of that name. Raises Fault."""
        plan, data = self._locate(self.file(source), source)
        return plan.peek(data, *path)

    def _locate(self, file: GameFile, source: Source) -> tuple[Plan, memoryview]:
        index = file.index
        row = index.rows.get(source.path_id)
        if row is None:
            raise Fault(REFERENCE_MISSING, f"{file.name} holds no object {source.path_id}", file=file.name)
        data = self.game.store.view(file.entry.address)
        start, size = int(index.offsets[row]), int(index.sizes[row])
        if start < 0 or start + size > len(data):
            raise Fault(OBJECT_CORRUPT, f"a {source.type} lies past the end of {file.name}", offset=start, size=size)
        type_id = int(index.type_ids[row])
        plan = file.plans.get(type_id)
        if plan is None:
            plan = file.plans[type_id] = plan_of(index, data, row, file.unity_version)
        return plan, data[start : start + size]

    def resolve(self, file: GameFile, pointer: Pointer) -> Reference:
        """What a PPtr in ``file`` leads to: an object, None for null, or :class:`Missing` with the reason."""
        file_id, path_id = pointer if isinstance(pointer, tuple) else (pointer["m_FileID"], pointer["m_PathID"])
        if path_id == 0:
            return None
        target = file if file_id == 0 else file.root.resolver.external(file, file_id)
        if isinstance(target, Missing):
            return Missing(target.file, path_id, target.reason)
        row = target.index.rows.get(path_id)
        if row is None:
            return Missing(target.name, path_id, "no such object")
        return Source(target.input, target.name, path_id, target.index.class_name_of(row))

    def resource(self, file: GameFile, path: str, offset: int, size: int) -> memoryview:
        """A range of a .resS or .resource file; raises :class:`Fault` RESOURCE_MISSING or RESOURCE_TRUNCATED."""
        return file.root.resolver.resource(file, path, offset, size)

    # --- what normalize asks for --------------------------------------------------------------------------------

    @property
    def settings(self) -> RawSettings:
        if self._state.settings is None:
            self._state.settings = read_settings(self)
        return self._state.settings

    @property
    def names(self) -> NameIndex:
        if self._state.names is None:
            self._state.names = NameIndex(self)
        return self._state.names

    @property
    def whole_root_lookups(self) -> int:
        """How often something was looked for in every file so far: a name by its hash, or an avatar."""
        return self._state.avatars_asked + (0 if self._state.names is None else self._state.names.asked)

    def mesh(self, source: Source) -> RawMesh:
        with expect_fields(source):
            return read_mesh(self, source)

    def terrain(self, source: Source) -> RawTerrainData:
        with expect_fields(source):
            return read_terrain(self, source)

    def terrain_layer(self, source: Source) -> RawTerrainLayer:
        with expect_fields(source):
            return read_terrain_layer(self, source)

    def material(self, source: Source) -> RawMaterial:
        with expect_fields(source):
            return read_material(self, source)

    def shader(self, shader: Source) -> RawShader:
        """What a Shader object tells; materials share it."""
        known = self._state.shaders
        if shader not in known:
            with expect_fields(shader):
                known[shader] = read_shader(self, shader)
        return known[shader]

    def texture(self, source: Source) -> RawTexture:
        with expect_fields(source):
            return read_texture(self, source)

    def avatar(self, source: Source) -> RawAvatar:
        with expect_fields(source):
            return read_avatar(self, source)

    def avatars(self) -> list[Source]:
        self._state.avatars_asked += 1
        return list(self.objects("Avatar"))

    def clip(self, source: Source) -> RawClip:
        with expect_fields(source):
            return read_clip(self, source)

    def part(self, source: Source) -> RawPart:
        """A component with all its fields."""
        return read_part(self, source)

    def controller(self, source: Source) -> RawController:
        """Read once: several Animators share a controller, and what is wrong with it is reported once."""
        known = self._state.controllers
        if source not in known:
            with expect_fields(source):
                known[source] = read_controller(self, source)
        return known[source]


@dataclass(slots=True)
class _State:
    """What a content root has read so far."""

    units: list[Unit] | None = None
    resolver: Resolver | None = None
    files: list[GameFile] | None = None
    opened: dict[Entry, GameFile | None] = field(default_factory=dict)
    stripped: list[tuple[Entry, SerializedIndex]] = field(default_factory=list)
    unversioned: list[tuple[Entry, SerializedIndex, str]] = field(default_factory=list)
    settings: RawSettings | None = None
    names: NameIndex | None = None
    shaders: dict[Source, RawShader] = field(default_factory=dict)
    controllers: dict[Source, RawController] = field(default_factory=dict)
    avatars_asked: int = 0


class _Guard:
    """Survive what goes wrong with one file, report it, and mark the file on disk as failed."""

    def __init__(self, root: ContentRoot, unit: Unit, member: str | None) -> None:
        place = unit.input if member is None or member == unit.name else f"{unit.input}/{member}"
        self._root, self._unit = root, unit
        self._guard = root.diagnostics.guard(INPUT_CORRUPT, place)

    def __enter__(self) -> None:
        self._guard.__enter__()

    def __exit__(self, *error: Any) -> bool | None:
        survived = self._guard.__exit__(*error)
        if error[0] is not None and survived:
            self._root.game.fail(self._unit, self._root.diagnostics.items[-1].message)
        return survived
