"""What a call means for streams, by its name and the types of its words."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum, auto

from greta.recording import CallEntry

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
    CHANGE_STREAMS = auto()  # after it, a handle may stand for another stream


_ROLES = {
    "hipStreamSynchronize": Role.WAIT_STREAM,
    "hipStreamQuery": Role.WAIT_STREAM,
    "hipDeviceSynchronize": Role.WAIT_DEVICE,
    "hipCtxSynchronize": Role.WAIT_DEVICE,
    "hipEventSynchronize": Role.WAIT_EVENTS,
    "hipEventQuery": Role.WAIT_EVENTS,
    "hipEventElapsedTime": Role.WAIT_EVENTS,  # it fails unless both are complete
    "hipEventRecord": Role.RECORD,
    "hipEventRecordWithFlags": Role.RECORD,
    "hipStreamWaitEvent": Role.STREAM_WAITS,
    "hipStreamBeginCapture": Role.BEGIN_CAPTURE,
    "hipStreamBeginCaptureToGraph": Role.BEGIN_CAPTURE,
    "hipStreamEndCapture": Role.END_CAPTURE,
    "hipEventDestroy": Role.FORGET_EVENT,
    "hipSetDevice": Role.SET_DEVICE,
}
_NEEDS_STREAM = {
    *(Role.WAIT_STREAM, Role.RECORD, Role.STREAM_WAITS),
    *(Role.BEGIN_CAPTURE, Role.END_CAPTURE),
}
_NEEDS_EVENT = {Role.WAIT_EVENTS, Role.RECORD, Role.STREAM_WAITS, Role.FORGET_EVENT}
_CHANGE_STREAMS = re.compile(r"hip\w*Stream(?:Create|Destroy)\w*|hipDeviceReset")

_WORK = {
    "copy": re.compile(r"hip(?:Drv)?Memcpy\w*"),
    "fill": re.compile(r"hipMemset\w*"),
    "prefetch": re.compile(r"hipMemPrefetch\w*Async\w*"),
    "kernel": re.compile(r"hip\w*Launch\w*Kernel\w*(?<!MultiDevice)"),
    "graph": re.compile(r"hipGraphLaunch"),
    "host function": re.compile(r"hipLaunchHostFunc|hipStreamAddCallback"),
}
# Copies between host and device that say so by name; of the others hipMemcpyKind says it.
_BLOCKING_NAME = re.compile(r"hipMemcpy(?:HtoD|DtoH|HtoA|AtoH)")
_MAY_BLOCK = re.compile(r"hipMemcpy(?!.*Async)\w*")
_HOST_KINDS = (0, 1, 2)  # hipMemcpyKind: H2H, H2D, D2H
_DIRECTIONS = {0: "H2H", 1: "H2D", 2: "D2H", 3: "D2D", 4: "default", 1024: "D2D"}
_NAMED_DIRECTION = re.compile(r"hipMemcpy([HDA])to([HDA])")


@dataclass(frozen=True)
class CallRole:
    """A call's role, and in which of its words stream, events and copy kind are."""

    role: Role
    work: str = ""  # of PUT: copy, fill, kernel ...
    call: str = ""
    per_thread: bool = False  # without a stream it uses the thread's own default stream
    stream: int | None = None
    events: tuple[int, ...] = ()
    kind: int | None = None
    in_struct: bool = False  # the stream is in the launch's configuration
    always_blocks: bool = False
    may_block: bool = False  # if the copy's kind is between host and device

    def blocks(self, words: tuple[int, ...]) -> bool:
        """Whether a copy is complete when the call returns."""
        if self.may_block and self.kind is not None:
            return words[self.kind] in _HOST_KINDS
        return self.always_blocks

    def title(self, words: tuple[int, ...]) -> str:
        """What to call the work; of a kernel its name is better."""
        if self.work != "copy":
            return self.work
        named = _NAMED_DIRECTION.match(self.call)
        if named:
            # An array is memory of the device.
            return f"copy {'2'.join(named.groups()).replace('A', 'D')}"
        direction = _DIRECTIONS.get(words[self.kind]) if self.kind is not None else None
        return f"copy {direction}" if direction else "copy"


def role_of(entry: CallEntry) -> CallRole | None:
    """The role of a call, None if it has none."""
    name = entry.name.removesuffix("_spt")
    role, work = _role_and_work(name)
    kept = entry.words[:WORDS_IN_RECORD]
    places = {word.type: at for at, word in reversed(list(enumerate(kept)))}
    events = tuple(at for at, word in enumerate(entry.words) if word.type == "hipEvent_t")
    if role is None or _lacks_words(role, places):
        return None
    return CallRole(
        role=role,
        work=work,
        call=name,
        per_thread=entry.name.endswith("_spt"),
        stream=places.get("hipStream_t"),
        events=events,
        kind=places.get("hipMemcpyKind"),
        in_struct=any(word.name == "config" and word.holds == "struct" for word in entry.words),
        always_blocks=_BLOCKING_NAME.fullmatch(name) is not None,
        may_block=_MAY_BLOCK.fullmatch(name) is not None,
    )


def _lacks_words(role: Role, places: dict[str, int]) -> bool:
    """Whether the entry is damaged: the call always has these."""
    lacks_stream = role in _NEEDS_STREAM and "hipStream_t" not in places
    return lacks_stream or (role in _NEEDS_EVENT and "hipEvent_t" not in places)


def _role_and_work(name: str) -> tuple[Role | None, str]:
    if name in _ROLES:
        return _ROLES[name], ""
    if _CHANGE_STREAMS.fullmatch(name):
        return Role.CHANGE_STREAMS, ""
    work = next((work for work, names in _WORK.items() if names.fullmatch(name)), "")
    return (Role.PUT, work) if work else (None, "")
