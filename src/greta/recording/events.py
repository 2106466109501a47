"""One call, with everything its record refers to."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import NamedTuple

from greta.recording import _format as f
from greta.recording.arguments import KernelArgument, Payload, Value, decoder_of, join, take_apart
from greta.recording.entries import (
    AnnotationEntry,
    CallEntry,
    KernelEntry,
    ScriptEntry,
    Tables,
    WordEntry,
)
from greta.recording.files import Structs
from greta.recording.header import Clock
from greta.recording.lanes import Lane
from greta.recording.results import is_failure, result_name

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
        self.site, self.result, self.script_id, self.annotation_id, self.kernel_id = record[5:10]
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
        return self._source.tables.scripts.get(self.script_id)

    @property
    def annotations(self) -> tuple[AnnotationEntry, ...]:
        """The ranges it happened in, the outermost first."""
        return self._source.tables.annotation_chain(self.annotation_id)

    @property
    def kernel(self) -> KernelEntry | None:
        """Of a launch, what was launched."""
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
        """Of a launch, the values its kernel was given."""
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
