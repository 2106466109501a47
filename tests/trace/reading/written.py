"""Recordings written call by call, by the names of the contract's parameters."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from contract.model import load
from contract.recorder_model import words
from greta.recording import open_recording
from greta.trace.reading import trace_of
from tests.recording.writer import STRUCT, WORDS, LaneWriter, Payload, ProcessWriter
from tests.trace.reading.shown import Shown

WORDS_IN_RECORD = 10
STEP = 10


def _entries() -> dict[str, list[str]]:
    """The words of all calls, as the recorder's table has them."""
    entries = {}
    for call in load().calls:
        launch = call.does.launch
        lists = {launch.params, launch.extra} if launch else set()
        entries[call.name] = [w.entry for w in words(call) if w.parameter.name not in lists]
    touch = ("address:void*", "write:int", "begin:void*", "bytes:size_t", "copy_lane:int")
    entries["greta_host_touch"] = [f"{word}:in" for word in touch]
    part = next(call for call in load().own if call.name == "greta_part_launched")
    entries[part.name] = [word.entry for word in words(part)]
    return entries


ENTRIES = _entries()
IDS = {name: number for number, name in enumerate(ENTRIES, start=1)}


@dataclass
class Written:
    """One process; calls follow each other, `STEP` ticks apart, unless they say otherwise."""

    folder: Path
    writer: ProcessWriter = field(init=False)
    now: int = 2000
    lanes: list[LaneWriter] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.writer = ProcessWriter(self.folder / "4711.1", named=())
        for name, number in IDS.items():
            self.writer.line("call", id=number, name=name, words=ENTRIES[name])

    def call(
        self,
        name: str,
        *,
        thread: int = 0,
        result: int = 0,
        unfinished: bool = False,
        begin: int | None = None,
        end: int | None = None,
        kernel: int = 0,
        structs: dict[str, bytes] | None = None,
        payloads: Iterable[Payload] = (),
        **values: int,
    ) -> int:
        """A call; words that are not given are 0. Gives the time it began."""
        names = [entry.split(":")[0] for entry in ENTRIES[name]]
        given = {key.replace("__", "."): value for key, value in values.items()}
        assert set(given) <= set(names), sorted(set(given) - set(names))
        all_words = [given.get(word, 0) for word in names]
        parts = [Payload(STRUCT, names.index(at), data) for at, data in (structs or {}).items()]
        if len(all_words) > WORDS_IN_RECORD:
            rest = b"".join(word.to_bytes(8, "little") for word in all_words[WORDS_IN_RECORD:])
            parts.append(Payload(WORDS, 0, rest))
        begin = self.now if begin is None else begin
        self.now = max(self.now, begin) + STEP
        end = begin + STEP // 2 if end is None else end
        facts: dict[str, Any] = {"begin": begin, "end": None if unfinished else end}
        self._lane(thread).call(
            *(IDS[name], all_words[:WORDS_IN_RECORD]),
            **facts,
            result=result,
            kernel=kernel,
            payloads=[*parts, *payloads],
        )
        return begin

    def _lane(self, thread: int) -> LaneWriter:
        while len(self.lanes) <= thread:
            self.lanes.append(self.writer.lane(100 + len(self.lanes)))
        return self.lanes[thread]

    def shown(self) -> Shown:
        """Write it, read it, and make a trace of it."""
        self.writer.write()
        (process,) = open_recording(self.folder).processes
        return Shown(trace_of(process))
