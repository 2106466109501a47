"""One call: what its entry in the contract says, and everything its record refers to."""

from __future__ import annotations

import re
import struct
from bisect import bisect_left, insort
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Final, NamedTuple

import numpy as np

from greta.recording import _format as f
from greta.recording._contract import EFFECTS, ERROR_NAMES, RETURNS_NO_ERROR, Effects
from greta.recording.files import Structs
from greta.recording.header import Clock
from greta.recording.lanes import Lane
from greta.recording.tables_json import (
    AnnotationEntry,
    CallEntry,
    KernelEntry,
    KernelParameter,
    ScriptEntry,
    Tables,
    WordEntry,
)

OWN_STREAM: Final = "_spt"
"""How a call ends whose default stream is that of the calling thread."""


def effects_of(call: str) -> Effects | None:
    """The entry; None of a call that the contract does not know."""
    return EFFECTS.get(call.removesuffix(OWN_STREAM))


def on_own_stream(call: str) -> bool:
    """Whether its default stream is that of the calling thread."""
    return call.endswith(OWN_STREAM)


SUCCESS = 0
NOT_READY = 600  # the usual answer of a query
ORDINARY = (SUCCESS, NOT_READY)

TELLS_OF_OTHERS: Final = frozenset(("hipGetLastError", "hipPeekAtLastError", "hipExtGetLastError"))
"""What these return is an error, but that of an earlier call."""


def returns_error(call: str) -> bool:
    """Whether its result is an error code, rather than a level, a device or a text."""
    return call not in RETURNS_NO_ERROR and not call.startswith("roctx")


def can_fail(call: str) -> bool:
    """Whether a result of this call may be an error of its own."""
    return returns_error(call) and call not in TELLS_OF_OTHERS


def is_failure(call: str, result: int) -> bool:
    """Whether this call itself went wrong; that work is not ready is an ordinary answer."""
    return result not in ORDINARY and can_fail(call)


def result_name(call: str, result: int) -> str | None:
    """The result as HIP spells it; None if this call does not return an error code."""
    return ERROR_NAMES.get(result, f"error {result}") if returns_error(call) else None


Value = int | float | str | None
Decoder = Callable[[int], int | float]

SIGNED = {
    8: ("char", "signed char", "int8_t"),
    16: ("short", "int16_t"),
    32: ("int", "int32_t", "hipDevice_t"),
    64: ("long", "long long", "int64_t", "ssize_t", "ptrdiff_t"),
}
UNSIGNED = {
    8: ("bool", "unsigned char", "uint8_t"),
    16: ("unsigned short", "uint16_t"),
    32: ("unsigned", "unsigned int", "uint32_t", "GLenum", "GLuint"),
    64: ("size_t", "uint64_t", "uintptr_t", "unsigned long", "unsigned long long"),
}
SIGNED_BITS, UNSIGNED_BITS = (
    {name: bits for bits, names in table.items() for name in names} for table in (SIGNED, UNSIGNED)
)


@lru_cache(maxsize=1024)
def decoder_of(c_type: str) -> Decoder:
    """How a word of a C type is read. Types that are not numbers are handles or enumerations."""
    plain = re.sub(r"\b(?:const|volatile)\b", "", c_type).strip()
    if plain == "float":
        return _float
    if plain == "double":
        return _double
    bits = SIGNED_BITS.get(plain) or UNSIGNED_BITS.get(plain) or 64
    sign, mask = 1 << (bits - 1), (1 << bits) - 1
    if plain in SIGNED_BITS:
        return lambda word: ((word & mask) ^ sign) - sign
    if plain in UNSIGNED_BITS:
        return lambda word: word & mask
    return _address if "*" in plain else _handle_or_enumeration


def _address(word: int) -> int:
    return word


def _float(word: int) -> float:
    return float(struct.unpack("<f", struct.pack("<I", word & 0xFFFFFFFF))[0])


def _double(word: int) -> float:
    return float(struct.unpack("<d", struct.pack("<Q", word))[0])


def _handle_or_enumeration(word: int) -> int:
    """A handle is an address in user space; one with all upper bits set is a negative number."""
    return word - (1 << 64) if word >> 32 == 0xFFFFFFFF else word


KINDS = frozenset(f.PayloadKind) - {f.PayloadKind.FILLER}


@dataclass(frozen=True)
class Payload:
    """Bytes that belong to a call: kernel arguments, or what the pointer in a word points to."""

    kind: f.PayloadKind
    word: int
    data: bytes
    total: int

    @property
    def complete(self) -> bool:
        """Whether all of it was kept and could be read."""
        return len(self.data) == self.total

    @property
    def words(self) -> tuple[int, ...]:
        """As 64-bit words, as of an array."""
        whole = len(self.data) // 8 * 8
        return tuple(np.frombuffer(self.data[:whole], "<u8").tolist())


def join(continuations: Structs) -> list[Payload]:
    """Payloads, put together from their parts. A part that does not fit is left out."""
    found: dict[tuple[int, int], tuple[int, bytearray]] = {}
    for _, kind, word, used, offset, total, part in continuations.tolist():
        if kind not in KINDS or used > f.MORE_BYTES:
            continue
        whole, data = found.setdefault((kind, word), (total, bytearray()))
        if len(data) == offset and offset + used <= total == whole:
            data += bytes(part[:used])
    return [
        Payload(f.PayloadKind(kind), word, bytes(data), total)
        for (kind, word), (total, data) in found.items()
    ]


WORD = 8
Bytes = bytes  # a field of the class below has the name of the type


@dataclass(frozen=True)
class KernelArgument:
    """One argument: a number if it has up to 8 bytes, else its bytes; None if it was not kept.

    `pointers` are the words in it that may be addresses: its value, or any of the words of a struct
    that was passed by value.
    """

    offset: int
    bytes: int
    kind: str
    name: str
    value: int | Bytes | None
    pointers: tuple[int, ...]


def take_apart(data: bytes, kernel: KernelEntry | None) -> tuple[KernelArgument, ...]:
    """The arguments in order. Those of a kernel nobody knows are one block of bytes."""
    if kernel is None or not kernel.arguments:
        whole = KernelParameter(0, len(data), "unknown")
        return (_argument(data, whole),) if data else ()
    return tuple(_argument(data, parameter) for parameter in kernel.arguments)


def _argument(data: bytes, parameter: KernelParameter) -> KernelArgument:
    part = data[parameter.offset : parameter.offset + parameter.bytes]
    kept = len(part) == parameter.bytes
    value = None if not kept else part if len(part) > WORD else int.from_bytes(part, "little")
    return KernelArgument(
        offset=parameter.offset,
        bytes=parameter.bytes,
        kind=parameter.kind,
        name=parameter.name,
        value=value,
        pointers=tuple(_aligned_words(part, parameter.offset)) if kept else (),
    )


def _aligned_words(part: bytes, offset: int) -> Iterator[int]:
    """The 8-byte words that lie where an address could, which is at a multiple of 8."""
    for start in range(-offset % WORD, len(part) - WORD + 1, WORD):
        yield int.from_bytes(part[start : start + WORD], "little")


# struct greta_record, as plain Python numbers.
RECORD = struct.Struct("<IHHQQQiIII10Q")


class EventSource(NamedTuple):
    """Where an event comes from: all it needs to resolve what its record refers to."""

    tables: Tables
    clock: Clock
    lane: Lane
    row: int


class CallEvent:
    """A call. Numbers are there at once; what they refer to is looked up when asked for."""

    def __init__(self, seq: int, source: EventSource, record: tuple[int, ...]) -> None:
        self._source = source
        self.seq = seq
        self.call_id, self._more, self._flags, begin, end = record[:5]
        self.site, self.result, self.stack_id, self.annotation_id, self.kernel_id = record[5:10]
        self.first_words = record[10:]
        self.finished = bool(self._flags & f.RecordFlags.FINISHED)
        self.cut = bool(self._flags & f.RecordFlags.CUT)
        self.runtime = (self._flags & f.RUNTIME_MASK) >> f.RUNTIME_SHIFT
        self.begin_ticks = begin
        self.end_ticks = end if self.finished else 0

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}={value!r}" for name, value in self.arguments.items())
        outcome = (self.result_name or self.result) if self.finished else "unfinished"
        return f"<Event {self.seq}: {self.call}({shown}) = {outcome}>"

    @property
    def lane(self) -> int:
        """The number of its lane."""
        return self._source.lane.facts.number

    @property
    def index(self) -> int:
        """The number of its record in the lane."""
        return int(self._source.lane.scan.index[self._source.row])

    @property
    def thread_id(self) -> int:
        """The thread that called."""
        return self._source.lane.facts.thread_id

    @property
    def begin_ns(self) -> int:
        """When it began, since the process started."""
        return self._source.clock.ns_of(self.begin_ticks)

    @property
    def end_ns(self) -> int:
        """When it returned, since the process started; 0 if it has not."""
        return self._source.clock.ns_of(self.end_ticks) if self.finished else 0

    @property
    def call(self) -> str:
        """The name of the call."""
        return self._source.tables.call_name(self.call_id)

    @property
    def call_entry(self) -> CallEntry | None:
        """How its words are to be read; None if the tables do not say."""
        return self._source.tables.calls.get(self.call_id)

    @property
    def failed(self) -> bool:
        """Whether it returned an error of its own."""
        return self.finished and is_failure(self.call, self.result)

    @property
    def result_name(self) -> str | None:
        """The result as HIP spells it; None if this call does not return an error code."""
        return result_name(self.call, self.result)

    @property
    def script(self) -> ScriptEntry | None:
        """The place in a Python program that called."""
        return self._source.tables.script(self.stack_id)

    @property
    def frames(self) -> tuple[int, ...]:
        """The return addresses of its native callers, innermost first; at least its own."""
        found = self._source.tables.stacks.get(self.stack_id)
        return (found and found.frames) or (self.site,)

    @property
    def annotations(self) -> tuple[AnnotationEntry, ...]:
        """The ranges it happened in, the outermost first."""
        return self._source.tables.annotation_chain(self.annotation_id)

    @property
    def kernel(self) -> KernelEntry | None:
        """The kernel of a launch."""
        return self._source.tables.kernels.get(self.kernel_id)

    @cached_property
    def payloads(self) -> list[Payload]:
        """The bytes that belong to it."""
        return join(self._source.lane.continuations(self._source.row)) if self._more else []

    @cached_property
    def words(self) -> tuple[int, ...]:
        """All words, those past the tenth too."""
        more = (p.words for p in self.payloads if p.kind is f.PayloadKind.WORDS)
        return (*self.first_words, *(word for words in more for word in words))

    @cached_property
    def arguments(self) -> dict[str, Value]:
        """Arguments by name, in order. What the call had yet to fill is None."""
        entry = self.call_entry
        if entry is None:
            return {}
        words = self.words if len(entry.words) > f.RECORD_WORDS else self.first_words
        named = zip(entry.words, words, strict=False)
        return {word.name: self._value(word, value) for word, value in named}

    @cached_property
    def pointed(self) -> dict[str, Payload]:
        """By argument name, the bytes it pointed to: a struct, or an array of words."""
        kinds = (f.PayloadKind.STRUCT, f.PayloadKind.ARRAY)
        names = [word.name for word in self.call_entry.words] if self.call_entry else []
        return {
            names[payload.word]: payload
            for payload in self.payloads
            if payload.kind in kinds and payload.word < len(names)
        }

    @cached_property
    def kernel_arguments(self) -> tuple[KernelArgument, ...]:
        """The values that a launch gave its kernel."""
        blocks = (p.data for p in self.payloads if p.kind is f.PayloadKind.KERNARG)
        return take_apart(next(blocks, b""), self.kernel)

    def _value(self, word: WordEntry, value: int) -> Value:
        if word.out and not self.finished:
            return None
        if word.holds == "text":
            return self._source.tables.texts.get(value)
        return decoder_of(word.type)(value)


def events_of(first: int, records: Structs, sources: Iterable[EventSource]) -> Iterator[CallEvent]:
    """Events of records that were read together and follow each other, from the seq `first`."""
    unpacked = RECORD.iter_unpack(records.tobytes())
    for seq, (source, record) in enumerate(zip(sources, unpacked, strict=True), start=first):
        yield CallEvent(seq, source, record)


# What a program says of blocks inside its allocations (greta.blocks, greta/blocks.h).
BLOCK_CREATED: Final = "greta_block_created"
BLOCK_DESTROYED: Final = "greta_block_destroyed"
PART_LAUNCHED: Final = "greta_part_launched"
"""What a launch on several devices put on one of them."""
ANNOUNCEMENTS: Final = (BLOCK_CREATED, BLOCK_DESTROYED)


@dataclass(frozen=True)
class Block:
    """A block and its lifetime, by the ranks of the events that announced it."""

    base: int
    bytes: int
    name: str
    stream: int
    """That uses it first."""
    created: int
    destroyed: int | None = None
    """None: it was still there when the recording ends."""
    last_stream: int | None = None
    """That used it last, where it was destroyed."""
    replaced: bool = False
    """Whether it was not destroyed, but another was created over it."""

    @property
    def end(self) -> int:
        """The first address behind it."""
        return self.base + self.bytes


class Announcement(NamedTuple):
    """That a block begins, or that the one at its base is over."""

    seq: int
    begins: bool
    base: int
    bytes: int
    name: str
    stream: int


def blocks_of(announcements: Iterable[Announcement]) -> list[Block]:
    """All blocks in the order of their creation. The end of one that is not known says nothing."""
    blocks: list[Block] = []
    live: dict[int, list[int]] = {}  # by base; the last is inside those before it
    bases: list[int] = []  # of the live ones, in order
    for seq, begins, base, size, name, stream in announcements:
        if begins:
            new = Block(base, size, name, stream, seq)
            for place in [place for one in _near(bases, new) for place in live[one]]:
                if _is_replaced(blocks[place], new):
                    blocks[place] = replace(blocks[place], destroyed=seq, replaced=True)
                    _forget(live, bases, blocks[place].base, place)
            if base not in live:
                insort(bases, base)
            live.setdefault(base, []).append(len(blocks))
            blocks.append(new)
        elif base in live:
            place = live[base][-1]
            blocks[place] = replace(blocks[place], destroyed=seq, last_stream=stream)
            _forget(live, bases, base, place)
    return blocks


def _forget(live: dict[int, list[int]], bases: list[int], base: int, place: int) -> None:
    live[base].remove(place)
    if not live[base]:
        del live[base]
        del bases[bisect_left(bases, base)]


def _near(bases: list[int], new: Block) -> list[int]:
    """Where live blocks begin that begin in the new one, and the one before it."""
    first, stop = bisect_left(bases, new.base), bisect_left(bases, max(new.end, new.base + 1))
    return bases[max(first - 1, 0) : stop]


def _is_replaced(old: Block, new: Block) -> bool:
    """Whether it cannot be live any more. One that has the new one inside it, as a view, can."""
    holds_new = old.base <= new.base and new.end <= old.end
    return old.end > new.base and not (holds_new and old.bytes > new.bytes)
