"""What a call's entry in the contract means for streams, and in which words that is said."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

from greta.recording import CallEntry, CallKind, Effects, Step, effects_of, on_own_stream

WORDS_IN_RECORD = 10


class Role(Enum):
    """What a call does, as far as the order of work is concerned."""

    PUT = auto()  # puts work on a stream
    WAIT_STREAM = auto()
    WAIT_DEVICE = auto()
    WAIT_EVENTS = auto()
    RECORD = auto()
    STREAM_WAITS = auto()
    BEGIN_CAPTURE = auto()
    END_CAPTURE = auto()
    FORGET_EVENT = auto()
    SET_DEVICE = auto()
    FREE = auto()  # may wait for a device
    CHANGE_STREAMS = auto()  # after it, a handle may stand for another stream
    RESET = auto()


_ROLES: Final = {
    CallKind.WAIT_STREAM: Role.WAIT_STREAM,
    CallKind.QUERY_STREAM: Role.WAIT_STREAM,
    CallKind.WAIT_DEVICE: Role.WAIT_DEVICE,
    CallKind.WAIT_EVENT: Role.WAIT_EVENTS,
    CallKind.QUERY_EVENT: Role.WAIT_EVENTS,
    CallKind.EVENT_RECORD: Role.RECORD,
    CallKind.STREAM_WAIT_EVENT: Role.STREAM_WAITS,
    CallKind.EVENT_DESTROY: Role.FORGET_EVENT,
    CallKind.SET_DEVICE: Role.SET_DEVICE,
    CallKind.FREE: Role.FREE,
    CallKind.STREAM_CREATE: Role.CHANGE_STREAMS,
    CallKind.STREAM_DESTROY: Role.CHANGE_STREAMS,
    CallKind.RESET: Role.RESET,
}
_STEPS: Final = {Step.BEGIN_CAPTURE: Role.BEGIN_CAPTURE, Step.END_CAPTURE: Role.END_CAPTURE}
_TITLES: Final = {
    CallKind.COPY: "copy",
    CallKind.MEMSET: "fill",
    CallKind.PREFETCH: "prefetch",
    CallKind.LAUNCH: "kernel",
    CallKind.GRAPH_LAUNCH: "graph",
    CallKind.HOST_FUNCTION: "host function",
}
_IN_STRUCT: Final = re.compile(r"(\w+)@(\d+)")


@dataclass(frozen=True)
class CallRole:
    """A call's role, and in which of its words stream and events are."""

    role: Role
    work: str = ""  # of PUT: copy, fill, kernel ...
    per_thread: bool = False  # without a stream it uses the thread's own default stream
    stream: int | None = None
    events: tuple[int, ...] = ()
    voided: int | None = None  # an event whose earlier record no longer counts
    in_struct: tuple[str, int] | None = None  # the stream is there: the struct and the offset
    device: int | None = None


def role_of(entry: CallEntry) -> CallRole | None:
    """The role of a call, None if it has none."""
    does = effects_of(entry.name)
    role = _role(does) if does else None
    if does is None or role is None:
        return None
    places = {word.name: at for at, word in enumerate(entry.words)}
    struct = _IN_STRUCT.fullmatch(does.stream)
    named = [*([] if struct else [does.stream]), *(() if does.launch else does.event), does.device]
    if any(name and name not in places for name in named):
        return None  # a damaged entry: the call always has these
    stream = places.get(does.stream)
    return CallRole(
        role=role,
        work=_TITLES.get(does.kind, "") if role is Role.PUT else "",
        per_thread=on_own_stream(entry.name),
        stream=stream if stream is not None and stream < WORDS_IN_RECORD else None,
        events=tuple(places[name] for name in does.event if name in places),
        voided=places.get(does.voids),
        in_struct=(struct[1], int(struct[2])) if struct else None,
        device=places.get(does.device),
    )


def _role(does: Effects) -> Role | None:
    if does.enqueues:
        return Role.PUT
    if does.graph and does.graph.step in _STEPS:
        return _STEPS[does.graph.step]
    return _ROLES.get(does.kind)
