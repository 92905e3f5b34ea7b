"""Usual names of blend shapes, by the preset expression of VRM 1.0 that they are.

In order of preference. Written as :func:`plain` leaves them: small letters without separators. ``a+b`` are two shapes
that make the preset together, where no single one does.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

_SEPARATORS = re.compile(r"[\W_]+")

_TABLE = {
    "happy": "happy joy fclalljoy smile 喜び 喜 笑い",
    "angry": "angry anger fclallangry 怒り 怒",
    "sad": "sad sorrow fclallsorrow 悲しみ 悲しい 哀 困る",
    "relaxed": "relaxed fun fclallfun 楽しい 楽 にこり",
    "surprised": "surprised surprise fclallsurprised びっくり 驚き 驚",
    "aa": "aa fclmtha vrcvaa vaa visemeaa mtha moutha a あ",
    "ih": "ih fclmthi vrcvih vih visemeih visemei mthi mouthi i い",
    "ou": "ou fclmthu vrcvou vou visemeou visemeu mthu mouthu u う",
    "ee": "ee fclmthe vrcve ve visemeee visemee mthe mouthe e え",
    "oh": "oh fclmtho vrcvoh voh visemeoh visemeo mtho moutho o お",
    "blink": "blink fcleyeclose vrcblink eyeblink eyeclose eyesclose eyeclosed eyesclosed ectrleyesclosed closeeyes"
    " まばたき blinkleft+blinkright blinkl+blinkr fcleyeclosel+fcleyecloser eyeblinkleft+eyeblinkright"
    " eyeblinkl+eyeblinkr vrcblinkleft+vrcblinkright",
    "blinkLeft": "blinkleft blinkl fcleyeclosel vrcblinkleft eyeblinkleft eyeblinkl eyecloseleft eyeclosel winkleft"
    " winkl ウィンク2 ウィンク",
    "blinkRight": "blinkright blinkr fcleyecloser vrcblinkright eyeblinkright eyeblinkr eyecloseright eyecloser"
    " winkright winkr ウィンク2右 ウィンク右",
    "lookUp": "lookup eyelookup eyeslookup eyelookupleft+eyelookupright eyelookupl+eyelookupr",
    "lookDown": "lookdown vrclookingdown lookingdown eyelookdown eyeslookdown eyelookdownleft+eyelookdownright"
    " eyelookdownl+eyelookdownr",
    "lookLeft": "lookleft eyelookleft eyeslookleft eyelookoutleft+eyelookinright eyelookoutl+eyelookinr",
    "lookRight": "lookright eyelookright eyeslookright eyelookinleft+eyelookoutright eyelookinl+eyelookoutr",
    "neutral": "neutral fclallneutral 真面目",
}

PRESETS: dict[str, tuple[tuple[str, ...], ...]] = {
    preset: tuple(tuple(name.split("+")) for name in names.split()) for preset, names in _TABLE.items()
}
"""By preset: ways to make it, the best first, each of one or more shapes."""


def plain(name: str) -> str:
    """Without separators, in small letters; full-width and half-width forms become the usual ones."""
    return _SEPARATORS.sub("", unicodedata.normalize("NFKC", name).casefold())


def readings(name: str) -> Iterator[str]:
    """What a name may be known as: the whole, and without what stands before each dot (``Face.Blink.L``) or before
    VRoid's ``Fcl`` (``Face.M_F00_000_00_Fcl_MTH_A``)."""
    parts = name.split(".")
    for start in range(len(parts)):
        if read := plain(".".join(parts[start:])):
            yield read[max(0, read.find("fcl")) :]
