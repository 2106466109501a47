"""JSON Lines: one object a call.

Lines are put together from texts that are made once for each call, kernel, annotation and place:
building an object for each line and encoding that takes three times as long.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator
from typing import IO, Any

from greta.recording import CallEvent, PayloadKind, Process, Recording, WordEntry, result_name
from greta.recording.events import decoder_of
from greta.reports.export import Advance
from greta.reports.export.values import (
    AT_ONCE,
    Places,
    TimedEvent,
    is_address,
    kernel_values,
    timed_events,
)
from greta.symbols.stacks import StackFrame

WordText = Callable[[int], str]

MOST_KEPT = 1 << 16

_ENCODER = json.JSONEncoder(separators=(",", ":"), allow_nan=False)


def write_jsonl(recording: Recording, file: IO[bytes], advance: Advance) -> None:
    for process in recording.processes:
        lines: list[str] = []
        for line in process_lines(process):
            lines.append(line)
            if len(lines) == AT_ONCE:
                file.write("".join(lines).encode("ascii"))
                advance(len(lines))
                lines.clear()
        file.write("".join(lines).encode("ascii"))
        advance(len(lines))


def process_lines(process: Process) -> Iterator[str]:
    """The calls of a process, each with its line feed; ASCII, so that it is valid UTF-8."""
    form = _Lines(process)
    for timed in timed_events(process):
        yield form.line(timed)


def json_text(value: Any) -> str:
    """A value as JSON. Floats that JSON does not have are texts."""
    try:
        return _ENCODER.encode(value)
    except ValueError:
        return _ENCODER.encode(_without_odd_floats(value))


def _without_odd_floats(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, dict):
        return {name: _without_odd_floats(one) for name, one in value.items()}
    return [_without_odd_floats(one) for one in value] if isinstance(value, list) else value


class _Lines:
    """How the events of one process are written; keeps every text that is used again."""

    def __init__(self, process: Process) -> None:
        self._process = process
        started = process.header.start_realtime_ns
        self._of_process = f'"process":{process.pid},"process_start_ns":{started}'
        if process.rank is not None:
            self._of_process += f',"rank":{process.rank}'
        self._places = Places(process)
        self._calls: dict[int, str] = {}
        self._words: dict[int, list[tuple[str, WordText, bool]]] = {}
        self._results: dict[tuple[int, int], str] = {}
        self._after: dict[tuple[int, ...], str] = {}

    def line(self, timed: TimedEvent) -> str:
        event, begin, end = timed
        finished = event.finished
        outcome = self._outcome(event) if finished else '"result":null,"result_name":null'
        return (
            f'{{"seq":{event.seq},{self._of_process},"thread":{event.thread_id},'
            f'"call":{self._call(event.call_id)},{outcome},"begin_ns":{begin},'
            f'"end_ns":{end if finished else "null"},"finished":{"true" if finished else "false"},'
            f'"arguments":{{{self._arguments(event)}}}{self._payloads(event)}'
            f"{self._surroundings(event)}}}\n"
        )

    def _call(self, call_id: int) -> str:
        if call_id not in self._calls:
            self._calls[call_id] = json_text(self._process.tables.call_name(call_id))
        return self._calls[call_id]

    def _outcome(self, event: CallEvent) -> str:
        key = (event.call_id, event.result)
        if key not in self._results:
            _bound(self._results)
            name = json_text(result_name(event.call, event.result))
            self._results[key] = f'"result":{event.result},"result_name":{name}'
        return self._results[key]

    def _arguments(self, event: CallEvent) -> str:
        words = self._words.get(event.call_id)
        if words is None:
            entries = event.call_entry.words if event.call_entry else ()
            words = [(f"{json_text(w.name)}:", self._word_text(w), w.out) for w in entries]
            self._words[event.call_id] = words
        values = event.words if len(words) > len(event.first_words) else event.first_words
        finished = event.finished
        return ",".join(
            [
                name + (text(value) if finished or not out else "null")
                for (name, text, out), value in zip(words, values, strict=False)
            ]
        )

    def _word_text(self, word: WordEntry) -> WordText:
        if word.holds == "text":
            texts = self._process.tables.texts
            return lambda value: json_text(texts.get(value))
        if is_address(word.type):
            return lambda value: f'"{value:#x}"'
        decode = decoder_of(word.type)
        if isinstance(decode(0), int):
            return lambda value: str(decode(value))
        return lambda value: json_text(decode(value))

    def _payloads(self, event: CallEvent) -> str:
        """What belongs to this one event: the values its kernel got, what its pointers point to."""
        cut = ',"cut":true' if event.cut else ""
        if not event.payloads:
            return cut
        values = kernel_values(event)
        pointed = {
            name: [hex(word) for word in payload.words]
            if payload.kind is PayloadKind.ARRAY
            else payload.data.hex()
            for name, payload in event.pointed.items()
        }
        shown = f',"kernel_arguments":{json_text(values)}' if values else ""
        return shown + (f',"pointed":{json_text(pointed)}' if pointed else "") + cut

    def _surroundings(self, event: CallEvent) -> str:
        era = self._places.sites.era(event.begin_ticks)
        key = (event.kernel_id, event.annotation_id, event.stack_id, event.site, era)
        if key not in self._after:
            _bound(self._after)
            self._after[key] = self._surroundings_of(event)
        return self._after[key]

    def _kernel(self, symbol: str) -> dict[str, Any]:
        """Its longer names where they say more."""
        names = self._places.kernel(symbol)
        return {name: text for name, text in names.items() if text != names["kernel"]} | {
            "kernel": names["kernel"]
        }

    def _surroundings_of(self, event: CallEvent) -> str:
        fields: dict[str, Any] = self._kernel(event.kernel.name) if event.kernel else {}
        if event.annotations:
            fields["annotation"] = [annotation.text for annotation in event.annotations]
        fields["site"] = hex(event.site)
        if script := self._places.script(event.stack_id):
            fields["script"] = _frame(script)
        frames = self._places.stacks.kept(event)
        if len(frames) > 1:
            fields["stack"] = [_frame(frame) for frame in frames]
        if native := self._places.native(event.site, event.stack_id, event.begin_ticks):
            names = ("library", "function", "file", "line")
            fields["native"] = {name: getattr(native, name) for name in names}
        return "".join(f',"{name}":{json_text(value)}' for name, value in fields.items())


def _frame(frame: StackFrame) -> dict[str, str | int | None]:
    return {name: getattr(frame, name) for name in ("file", "function", "line")}


def _bound(kept: dict[Any, str]) -> None:
    """A program may name every step it makes, and a damaged recording anything."""
    if len(kept) >= MOST_KEPT:
        kept.clear()
