"""The state of one asset while it is built: lists that grow, and the keys under which things are shared."""

from __future__ import annotations

import hashlib
from collections.abc import Hashable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ... import codes
from ...diagnostics import Diagnostics
from ...ir import (
    Camera,
    Geometry,
    Humanoid,
    Image,
    Influences,
    Light,
    Material,
    Mesh,
    Node,
    Primitive,
    Skin,
    Texture,
    TextureUse,
    texture_uses,
    with_textures,
)
from ...math3d import Array, compose
from ...options import Options
from ...raw import RawMaterial
from ...source import Missing, Reference, Source
from ...text import counted
from ..chains import ancestors
from ..content import Library
from ..materials.builtin import builtin_material
from ..materials.convert import convert_material, without_tangents
from ..materials.rules import parse_rules
from ..missing import report_missing
from ..textures.image import Settings
from ..textures.recipes import Recipe


class AssetContext:
    """Made for one output file, in Unity space. Indices handed out stay valid until ``finish`` renumbers nodes."""

    def __init__(self, library: Library, options: Options, diagnostics: Diagnostics) -> None:
        self.content = library
        self.options = options
        self.diagnostics = diagnostics
        self.nodes: list[Node] = []
        self.geometries: list[Geometry] = []
        self.meshes: list[Mesh] = []
        self.skins: list[Skin] = []
        self.materials: list[Material] = []
        self.lights: list[Light] = []
        self.cameras: list[Camera] = []
        self.humanoids: list[Humanoid] = []
        self._geometry_index: dict[Source, int] = {}
        self._mesh_index: dict[tuple[int, tuple[Primitive, ...], int | None], int] = {}
        self._skin_index: dict[tuple[tuple[int, ...], bytes], int] = {}
        self._converted: dict[Source, Material | None] = {}
        self._material_index: dict[tuple[Source, bool], int] = {}
        self._made: list[Material] = []
        self._made_index: list[int] = []
        self._recipes: dict[Recipe, int] = {}
        self._world: dict[int, Array] = {}

    # --- nodes ---------------------------------------------------------------------------------------------------

    def add_node(self, node: Node) -> int:
        self.nodes.append(node)
        return len(self.nodes) - 1

    def replace_node(self, index: int, **changes: Any) -> None:
        """Change fields of a node; world matrices are worked out anew."""
        self.nodes[index] = replace(self.nodes[index], **changes)
        self._world.clear()

    def world(self, index: int) -> Array:
        """(4, 4) local-to-world of a node at rest."""
        chain = []
        while index >= 0 and index not in self._world:
            chain.append(index)
            index = self.nodes[index].parent
        world = self._world[index] if index >= 0 else np.eye(4)
        for step in reversed(chain):
            node = self.nodes[step]
            with np.errstate(over="ignore", invalid="ignore"):  # who uses it looks whether it is finite
                world = world @ compose(node.translation, node.rotation, node.scale)
            self._world[step] = world
        return world

    def ancestors(self, index: int) -> list[int]:
        """The node, its parent, and so on up to its root."""
        return ancestors(self.nodes, index)

    # --- shared things -------------------------------------------------------------------------------------------

    def geometry(self, geometry: Geometry) -> int:
        index = self._geometry_index.get(geometry.source)
        if index is None:
            index = self._geometry_index[geometry.source] = len(self.geometries)
            self.geometries.append(geometry)
        return index

    def mesh(
        self,
        geometry: int,
        primitives: tuple[Primitive, ...],
        influences: Influences | None,
        weights: tuple[float, ...],
    ) -> int:
        """One mesh for each distinct (geometry, materials, submeshes, influence form)."""
        key = (geometry, primitives, None if influences is None else id(influences))
        index = self._mesh_index.get(key)
        if index is None:
            index = self._mesh_index[key] = len(self.meshes)
            self.meshes.append(Mesh(geometry=geometry, primitives=primitives, influences=influences, weights=weights))
        return index

    def skin(self, skin: Skin) -> int:
        """Renderers that share joints and bind poses share the skin."""
        key = (skin.joints, skin.inverse_bind.tobytes())
        index = self._skin_index.get(key)
        if index is None:
            index = self._skin_index[key] = len(self.skins)
            self.skins.append(skin)
        return index

    def material(self, reference: Reference, geometry: Geometry) -> int | None:
        """Index of the converted material as it draws the geometry; None for a null one, or after a diagnostic."""
        if reference is None:
            return None
        if isinstance(reference, Missing):
            raw = builtin_material(reference, geometry.source.input)
            if raw is None:
                report_missing(reference, "material", self.diagnostics, codes.MATERIAL_MISSING)
                return None
            reference = self._builtin(raw)
        if reference not in self._converted:
            self._converted[reference] = self._convert_material(reference)
        material = self._converted[reference]
        if material is None:
            return None
        flat = without_tangents(material)
        key = reference, geometry.tangents is None and flat != material
        if key not in self._material_index:
            self._material_index[key] = len(self.materials)
            self.materials.append(flat if key[1] else material)
            if key[1]:  # the game's normal maps have no directions to bend normals to, and do nothing
                text = f'the mesh has no tangents: the game draws material "{material.name}" without its normal map'
                self.diagnostics.add(codes.MATERIAL_FLAT, text, material=material.name)
        return self._material_index[key]

    def add_material(self, material: Material) -> int:
        """Index of a material that was made rather than read; equal ones are shared."""
        if material not in self._made:
            self._made.append(material)
            self._made_index.append(len(self.materials))
            self.materials.append(material)
        return self._made_index[self._made.index(material)]

    def _convert_material(self, source: Source) -> Material | None:
        raw = self.content.material(source, self.diagnostics)
        return None if raw is None else self._convert_raw(raw)

    def _convert_raw(self, raw: RawMaterial) -> Material | None:
        material: Material | None = None  # stays so when the guard met something
        with self.diagnostics.guard(codes.MATERIAL_UNREADABLE, raw.source.place(raw.name), raw.source):
            material = convert_material(
                raw,
                self.request,
                self.diagnostics,
                rules=parse_rules(self.options.material_rules),
                keep_properties="materials" in self.options.extras,
                gamma_project=self._gamma_project,
            )
        return material  # noqa: RET504

    def _builtin(self, raw: RawMaterial) -> Source:
        """Note one of Unity's own materials, and say so once an asset."""
        if raw.source not in self._converted:
            message = f"Unity's own material {raw.name} was generated"
            self.diagnostics.add(codes.MATERIAL_BUILTIN, message, material=raw.name)
            self._converted[raw.source] = self._convert_raw(raw)
        return raw.source

    def request(self, recipe: Recipe) -> int | None:
        """The number under which materials name a recipe until the asset is finished."""
        if self.options.textures == "none":
            return None
        return self._recipes.setdefault(recipe, len(self._recipes))

    @property
    def _gamma_project(self) -> bool:
        """Does the game work in gamma? Bundles do not tell; then it is taken to work in linear colours."""
        return self.content.provider.settings.linear is False

    def make_textures(self) -> tuple[tuple[Material, ...], tuple[Texture, ...], tuple[Image, ...]]:
        """Make the images that materials asked for, and the materials with the numbers of their textures. Images are
        shared by content, but placeholders only by what they stand for."""
        settings = Settings(
            textures=self.options.textures,
            max_side=self.options.max_texture_size,
            gamma_project=self._gamma_project,
        )
        used = {use.texture for material in self.materials for use in texture_uses(material)}
        recipes = {number: recipe for recipe, number in self._recipes.items() if number in used}
        images: dict[Hashable, tuple[int, Image]] = {}
        textures: dict[Texture, int] = {}
        numbers: dict[int, int] = {}
        made = self.content.images(settings).make(list(recipes.values()), self.diagnostics)
        for number, sampled in zip(recipes, made, strict=True):
            image = sampled.image
            key = hashlib.sha1(image.data, usedforsecurity=False).digest(), image.sources if image.placeholder else ()
            place, _ = images.setdefault(key, (len(images), image))
            texture = Texture(
                image=place,
                wrap=sampled.wrap,
                mag_filter=sampled.mag_filter,
                min_filter=sampled.min_filter,
            )
            numbers[number] = textures.setdefault(texture, len(textures))

        def numbered(use: TextureUse) -> TextureUse:
            return replace(use, texture=numbers[use.texture])

        return (
            tuple(with_textures(m, numbered) for m in self.materials),
            tuple(textures),
            tuple(i for _, i in images.values()),
        )

    def primitives(self, geometry: Geometry, drawn: Sequence[int], materials: Sequence[Reference]) -> list[Primitive]:
        """One primitive a drawn submesh. ``drawn``: positions in ``geometry.submeshes``, in slot order.

        More materials than submeshes draw the last submesh again; a submesh without a slot is not drawn and is
        listed; one without indices is left out.
        """
        if len(drawn) > len(materials):
            numbers = [geometry.submeshes[position].number for position in drawn[len(materials) :]]
            self.diagnostics.add(
                codes.MATERIAL_SLOTS,
                f"{counted(len(numbers), 'submesh', 'submeshes')} without a material slot",
                submeshes=numbers,
            )
        result = []
        for slot, reference in enumerate(materials):
            if not drawn:
                break
            position = drawn[min(slot, len(drawn) - 1)]
            if len(geometry.submeshes[position].indices) == 0:
                continue
            material = self.material(reference, geometry)
            uses_colors = material is not None and self.materials[material].vertex_colors
            result.append(
                Primitive(
                    submesh=position,
                    material=material,
                    vertex_colors=uses_colors and geometry.colors is not None,
                )
            )
        return result
