"""The materials of the row in front of the pedestal: each shows one part of what becomes of a material in glTF."""

from __future__ import annotations

from . import pictures
from .materials import MaterialContent, Slot
from .shader_table import CRYSTAL, HDRP_LIT, STANDARD, STANDARD_SPECULAR, URP_LIT
from .shaders import CULL_OFF

BRASS = MaterialContent(
    name="Brass",  # packed metallic, roughness and occlusion; tiled by a slot that has no texture
    shader=STANDARD,
    slots={
        "_MainTex": Slot(None, scale=(2.0, 1.0), offset=(0.25, 0.0)),
        "_MetallicGlossMap": Slot(pictures.BRASS_SURFACE),
        "_OcclusionMap": Slot(pictures.BRASS_OCCLUSION),
    },
    floats={"_GlossMapScale": 0.8, "_Glossiness": 0.1, "_OcclusionStrength": 0.75},
    colors={"_Color": (0.95, 0.8, 0.45)},
    keywords=("_METALLICGLOSSMAP",),
)
HAMMERED = MaterialContent(
    name="Hammered",  # a normal map as desktops store it
    shader=STANDARD,
    slots={"_MainTex": Slot(None, scale=(3.0, 2.0)), "_BumpMap": Slot(pictures.DENTS)},
    floats={"_BumpScale": 0.7, "_Metallic": 1.0, "_Glossiness": 0.75},
    colors={"_Color": (0.8, 0.8, 0.82)},
    keywords=("_NORMALMAP",),
)
LAMP = MaterialContent(
    name="Lamp",  # emission above 1, stored in gamma: the built-in shaders' colour is no HDR property
    shader=STANDARD,
    colors={"_Color": (0.2, 0.2, 0.2), "_EmissionColor": (2.0, 1.5, 0.25)},
    keywords=("_EMISSION",),
)
SCREEN = MaterialContent(
    name="Screen",  # emission above 1 by a map, stored linear
    shader=URP_LIT,
    slots={"_EmissionMap": Slot(pictures.GLOW_LINES)},
    floats={"_Smoothness": 0.8},
    colors={"_BaseColor": (0.1, 0.1, 0.1), "_EmissionColor": (2.0, 1.5, 0.25)},
    keywords=("_EMISSION",),
)
LEAF = MaterialContent(
    name="Leaf",  # cut out
    shader=STANDARD,
    slots={"_MainTex": Slot(pictures.LEAF)},
    floats={"_Mode": 1.0, "_Cutoff": 0.4, "_Glossiness": 0.2},
    keywords=("_ALPHATEST_ON",),
    tags={"RenderType": "TransparentCutout"},
    queue=2450,
)
BANNER = MaterialContent(
    name="Banner",  # two-sided, tiled and moved
    shader=URP_LIT,
    slots={"_BaseMap": Slot(pictures.STRIPES, scale=(3.0, 2.0), offset=(0.25, 0.5))},
    floats={"_Cull": CULL_OFF, "_Smoothness": 0.0},
)
COPPER = MaterialContent(
    name="Copper",  # a specular colour instead of metallic
    shader=STANDARD_SPECULAR,
    floats={"_Glossiness": 0.7},
    colors={"_Color": (0.1, 0.1, 0.1), "_SpecColor": (0.95, 0.64, 0.54)},
)
ENAMEL = MaterialContent(
    name="Enamel",  # a mask map whose channels have ranges
    shader=HDRP_LIT,
    slots={"_MaskMap": Slot(pictures.ENAMEL_MASK)},
    floats={"_SmoothnessRemapMin": 0.2, "_SmoothnessRemapMax": 0.9, "_AORemapMin": 0.5, "_MetallicRemapMax": 0.8},
    colors={"_BaseColor": (0.15, 0.5, 0.4)},
    keywords=("_MASKMAP",),
)
GEM = MaterialContent(
    name="Gem",  # of a shader that is not known
    shader=CRYSTAL,
    slots={
        "_Facets": Slot(pictures.FACETS),
        "_Sparkle": Slot(pictures.SPARKLE),
        "_Bend": Slot(pictures.DENTS),
        "_Fire": Slot(pictures.GLOW_LINES),
    },
    floats={"_BendAmount": 0.5},
    colors={"_Hue": (0.9, 0.9, 1.0), "_FireColor": (0.2, 0.4, 1.6)},
)
TORN = MaterialContent(
    name="Torn",  # its texture declares more bytes than there are
    shader=STANDARD,
    slots={"_MainTex": Slot(pictures.TORN)},
)

BALLS = (BRASS, HAMMERED, COPPER, ENAMEL, GEM, LAMP, SCREEN)
CARDS = (LEAF, BANNER)
