"""AnimatorController and AnimatorOverrideController objects to :class:`raw.RawController`.

States are read from 4.3 on. A layer plays a state machine with one of its motion sets (synchronised layers share the
machine of another); each state has a blend tree a set, a single node for a plain clip. What a controller names beyond
its own arrays is reported and left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from ..codes import CONTROLLER_INVALID, CONTROLLER_OLD, OBJECT_CORRUPT, REFERENCE_MISSING
from ..diagnostics import Fault
from ..raw import RawController, RawState
from ..source import Missing, Reference, Source
from .avatar import read_tos
from .blendtree import Trees
from .objects import Fields, inner

if TYPE_CHECKING:
    from .content import ContentRoot


FIELDS = frozenset(("m_Name", "m_Controller", "m_TOS", "m_AnimationClips"))
OVERRIDE_FIELDS = frozenset(("m_Name", "m_Controller", "m_Clips"))
CONTROLLERS = ("AnimatorController", "AnimatorOverrideController")
ADDITIVE = 1
MOST_STATES = 1 << 16
"""States of all layers together: layers may share a machine, so few bytes could claim very many."""


def read_controller(root: ContentRoot, source: Source) -> RawController:
    """A controller. Raises :class:`Fault`; what it names but has not is reported to the root's diagnostics."""
    overrides: list[tuple[Source, str, dict[Reference, Reference]]] = []
    current = source
    while current.type == "AnimatorOverrideController":
        if any(current == seen for seen, _, _ in overrides):
            raise Fault(CONTROLLER_INVALID, "override controllers are based on each other in a ring")
        name, base, clips = _read_override(root, current)
        overrides.append((current, name, clips))
        if base is None:
            return RawController(source=source, name=overrides[0][1], clips=())
        current = _controller(base)
    if current.type != "AnimatorController":
        raise Fault(OBJECT_CORRUPT, f"a {current.type} is no controller")
    controller = _read_plain(root, current)
    if not overrides:
        return controller
    return replace(_override(controller, [clips for _, _, clips in overrides]), source=source, name=overrides[0][1])


def _controller(reference: Source | Missing) -> Source:
    if isinstance(reference, Missing):
        raise Fault(REFERENCE_MISSING, f"the overridden controller is missing: {reference}", file=reference.file)
    if reference.type not in CONTROLLERS:
        raise Fault(OBJECT_CORRUPT, f"a {reference.type} is no controller")
    return reference


# --- overrides ----------------------------------------------------------------------------------------------------


def _read_override(root: ContentRoot, source: Source) -> tuple[str, Reference, dict[Reference, Reference]]:
    """Name, the controller below, and clip to clip; an override that is null or missing keeps the original."""
    file = root.file(source)
    fields = root.read(source, OVERRIDE_FIELDS)
    clips: dict[Reference, Reference] = {}
    for original, override in fields["m_Clips"].tolist():
        target = root.resolve(file, override)
        if isinstance(target, Source):
            clips.setdefault(root.resolve(file, original), target)
    return str(fields["m_Name"]), root.resolve(file, fields["m_Controller"]), clips


def _override(controller: RawController, chain: list[dict[Reference, Reference]]) -> RawController:
    """Apply overrides, innermost (last) first. An outer one may name what an inner one put in, or the first clip."""
    now: dict[Reference, Reference] = {clip: clip for clip in controller.clips}
    for clips in reversed(chain):
        now = {first: clips.get(current, clips.get(first, current)) for first, current in now.items()}
    states = tuple(
        replace(state, motions=tuple(replace(motion, clip=now[motion.clip]) for motion in state.motions))
        for state in controller.states
    )
    return replace(controller, clips=tuple(dict.fromkeys(now.values())), states=states)


# --- layers and states ----------------------------------------------------------------------------------------------


def _read_plain(root: ContentRoot, source: Source) -> RawController:
    file = root.file(source)
    fields = root.read(source, FIELDS)
    clips = tuple(root.resolve(file, pointer) for pointer in fields["m_AnimationClips"].tolist())
    with root.diagnostics.at(source.place(fields["m_Name"]), source):
        tree = Trees(read_tos(fields["m_TOS"]), clips, root.diagnostics)
        states = tuple(_states(fields["m_Controller"], tree))
    distinct = tuple(clip for clip in dict.fromkeys(clips) if clip is not None)
    return RawController(source=source, name=str(fields["m_Name"]), clips=distinct, states=states)


def _states(constant: Fields, trees: Trees) -> Iterator[RawState]:
    if "m_LayerArray" not in constant:
        trees.diagnostics.add(CONTROLLER_OLD, "the states of a controller of this version are not read")
        return
    machines = [inner(machine) for machine in constant["m_StateMachineArray"]]
    trees.check_leaves(state for machine in machines for state in map(inner, machine["m_StateConstantArray"]))
    played: set[tuple[int, int]] = set()
    total = 0
    for number, layer in enumerate(map(inner, constant["m_LayerArray"])):
        index, motion_set = int(layer["m_StateMachineIndex"]), _motion_set(layer)
        if index >= len(machines) or (index, motion_set) in played:
            trees.report("a layer plays a state machine that is not there, or is played by another", layer=number)
            continue
        played.add((index, motion_set))
        total += len(machines[index]["m_StateConstantArray"])
        if total > MOST_STATES:
            raise Fault(CONTROLLER_INVALID, f"a controller has more than {MOST_STATES} states", limit=MOST_STATES)
        yield from _layer(number, layer, machines[index], motion_set, trees)


def _motion_set(layer: Fields) -> int:
    """Which tree of each state a layer plays: 0, or more for a synchronised layer."""
    name = "m_StateMachineSynchronizedLayerIndex"  # from 2018.2 on
    return int(layer[name] if name in layer else layer["m_StateMachineMotionSetIndex"])


def _layer(number: int, layer: Fields, machine: Fields, motion_set: int, trees: Trees) -> Iterator[RawState]:
    name = trees.name(int(layer["m_Binding"]))
    default = int(machine["m_DefaultState"])
    weight = trees.number(layer["m_DefaultWeight"])
    for index, state in enumerate(map(inner, machine["m_StateConstantArray"])):
        path = state.get("m_FullPathID", state.get("m_PathID"))  # the layer's name belongs to it from 5.0 on
        yield RawState(
            layer=name,
            layer_index=number,
            name=trees.name(int(state["m_NameID"])),
            full_path=trees.name(int(path)),
            speed=trees.number(state["m_Speed"], 1.0),
            mirror=bool(state.get("m_Mirror", False)),
            cycle_offset=trees.number(state.get("m_CycleOffset", 0.0)),
            default=index == default,
            additive=layer["(int&)m_LayerBlendingMode"] == ADDITIVE,
            motions=tuple(trees.motions(state, motion_set)),
            layer_weight=1.0 if number == 0 else weight,
            foot_ik=bool(state.get("m_IKOnFeet", False)),
        )
