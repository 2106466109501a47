"""What hooks do only when the run asks for it (recorder/watch/added_work.h), by the effects."""

from __future__ import annotations

import re

from contract.effect_types import CallKind, Effects, HostWait, MemoryRange, Step
from contract.entry import Call

HOST = ("HOST_MEMORY", "REGISTERED_MEMORY")
DIRECTIONS = {"H2D": "kHostToDevice", "D2H": "kDeviceToHost"}
IN_STRUCT = re.compile(r"(\w+)@(\d+)(?::4)?")


def argument(name: str) -> str:
    """A parameter as the hook names it."""
    return f"{name}_" if name in OWN_NAMES else name


# What a hook itself gives a name to; a parameter must not hide it.
OWN_NAMES = frozenset(("arguments", "call", "ended", "live", "modules", "real", "result"))


def stream_of(call: Call) -> str:
    """The stream that the call works on, as C++."""
    word = IN_STRUCT.fullmatch(call.does.stream)
    plain = f"config_stream({word[1]})" if word else argument(call.does.stream) or "nullptr"
    return f"own_stream({plain})" if call.twin_of else plain


def before(call: Call) -> list[str]:
    """Before the call is forwarded."""
    does = call.does
    lines = []
    if copy := _copy_in_flight(does):
        lines.append(f"copy_begins(call.record(), {copy}, {stream_of(call)});")
    if does.destroys and does.destroys.what in HOST:
        lines.append(f"host_memory_ends({argument(does.destroys.handle)});")
    if does.kind is CallKind.RESET:
        lines.append("device_was_waited_for(current_device());")
    return lines


def after(call: Call) -> list[str]:
    """After it, whatever it returned."""
    does = call.does
    lines = ["copy_was_enqueued(result);"] if _copy_in_flight(does) else []
    lines += [f"if (result == 0{condition}) {line}" for condition, line in _after_success(call)]
    if does.enqueues:
        lines.append(f"work_was_enqueued(call.record(), {stream_of(call)}, result);")
    return lines


def _after_success(call: Call) -> list[tuple[str, str]]:
    """Host memory that comes, and how the host learns what has finished; with a condition each."""
    does, stream = call.does, stream_of(call)
    lines = [("", line) for line in [*_created(does), *_captured(does)]]
    if does.kind in (CallKind.WAIT_STREAM, CallKind.QUERY_STREAM):
        lines.append(("", f"stream_was_waited_for({stream});"))
    if does.kind in (CallKind.WAIT_EVENT, CallKind.QUERY_EVENT):
        lines += [("", f"event_was_waited_for({argument(event)});") for event in does.event]
    if does.kind is CallKind.WAIT_DEVICE:
        lines.append(("", "device_was_waited_for(current_device());"))
    if does.kind is CallKind.EVENT_RECORD and not does.is_node:
        lines.append(("", f"event_was_recorded({argument(does.event[0])}, {stream});"))
    if does.kind is CallKind.STREAM_WAIT_EVENT and not does.is_node:
        lines.append(("", f"stream_will_wait({stream}, {argument(does.event[0])});"))
    if does.kind is CallKind.STREAM_DESTROY:
        lines.append(("", f"stream_is_gone({argument(does.stream)});"))
    if does.host is HostWait.UNLESS_D2D and does.direction != "D2D":
        lines.append((_waits(does), f"stream_was_waited_for({stream});"))
    if does.host is HostWait.FOR_DEVICE_UNLESS_POOL and does.destroys:
        freed = argument(does.destroys.handle)
        line = "device_was_waited_for(device_of(ended));"
        lines.append((f" && waits_for_device({freed}, ended)", line))
    return lines


def _created(does: Effects) -> list[str]:
    made = does.creates
    if made is None:
        return []
    handle, flags = argument(made.handle), argument(made.flags)
    if made.what == "HOST_MEMORY":
        return [f"host_memory_made(filled({handle}), {argument(made.bytes[0])});"]
    if made.what == "REGISTERED_MEMORY":
        return [f"host_memory_registered({handle}, {argument(made.bytes[0])});"]
    return (
        [f"stream_was_made(filled({handle}), {flags});"] if made.what == "STREAM" and flags else []
    )


def _captured(does: Effects) -> list[str]:
    step = does.graph.step if does.graph else None
    lines = {Step.BEGIN_CAPTURE: ["capture_began();"], Step.END_CAPTURE: ["capture_ended();"]}
    return lines.get(step, []) if step else []


def _waits(does: Effects) -> str:
    """The condition under which a copy that usually blocks has been waited for."""
    if does.copy_kind:
        return f" && copy_blocks({_number(does.copy_kind)})"
    if does.direction:
        return ""
    hosts = [side.address[0] for side in (does.reads, does.writes) if side]
    return f" && ({' || '.join(f'{_number(host)} != 0' for host in hosts)})" if hosts else ""


def _number(word: str) -> str:
    place = IN_STRUCT.fullmatch(word)
    if place is None:
        return argument(word)
    type_ = "int" if word.endswith(":4") else "uint64_t"
    return f"in_struct<{type_}>({place[1]}, {place[2]})"


def _copy_in_flight(does: Effects) -> str:
    """A copy that may return while it is under way, and where its two sides lie; else nothing.

    What lies in a struct or in an array is not watched.
    """
    to, source = does.writes, does.reads
    if does.host is not HostWait.IF_PAGEABLE or does.is_node or does.direction == "D2D":
        return ""
    if to is None or source is None or not (_is_watched(to) and _is_watched(source)):
        return ""
    kind = DIRECTIONS.get(does.direction) or argument(does.copy_kind)
    if to.pitch:
        sides = f"{to.address[0]}, {to.pitch}, {source.address[0]}, {source.pitch}"
        return f"HostCopy{{{sides}, {', '.join(to.size)}, {kind}}}"
    # A variable of the device is told by its address in the program, which is no host memory.
    ends = ["nullptr" if side.offset else side.address[0] for side in (to, source)]
    return f"plain_copy({', '.join(ends)}, {to.size[0]}, {kind})"


def _is_watched(side: MemoryRange) -> bool:
    return len(side.address) == 1 and "@" not in side.address[0]
