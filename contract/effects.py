"""From the `does` of an entry to its effects; what nobody would understand is a ContractError."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from enum import Enum
from typing import Any, TypeVar

from contract.effect_types import (
    UNKNOWN_STREAM,
    CallKind,
    Created,
    Destroyed,
    Effects,
    GraphEffect,
    HostWait,
    Launch,
    Mapped,
    MemoryRange,
    Missing,
    Sharing,
    Step,
    Word,
)
from contract.entry import Call, ContractError
from contract.recorder_model import words
from contract.structs import STRUCTS, Struct, pointed_type

RANGE = re.compile(
    r"(?P<address>[\w.|]+)(?:\+(?P<offset>\w+))?\[(?P<size>[^\]]+)\]"
    r"(?: from (?P<start>[\w., ]+?))?(?: pitch (?P<pitch>[\w.]+))?(?: rows (?P<rows>[\w.]+))?"
)
CODE = re.compile(r"(?P<verb>\w+)\((?P<arguments>\w+(?:, \w+)*)\)")
DIRECTION = re.compile(r"[HD]2[HD]")
BY_ADDRESS = "by address"
RESULT = "result"  # what the call returns, among the arguments of `code`
LIVE = frozenset(
    (
        *("device_memory", "host_memory", "managed_memory", "pool_memory", "registered_memory"),
        *("stream", "event", "module", "graph", "graph_exec", "pool", "array"),
    )
)
MEMORY = frozenset(("device", "pinned", "managed", "pool", "symbol"))
# What the recorder can note about code; native/recorder/modules.h has most of them.
VERBS = frozenset(
    (
        *("loaded", "loaded_file", "unloaded", "found_function", "same_kernel"),
        *("registered_binary", "registered_function", "put_hook_in_place"),
    )
)
ON_STREAM = frozenset(
    (
        *(CallKind.COPY, CallKind.MEMSET, CallKind.LAUNCH, CallKind.GRAPH_LAUNCH),
        *(CallKind.HOST_FUNCTION, CallKind.PREFETCH, CallKind.EVENT_RECORD, CallKind.WAIT_STREAM),
        *(CallKind.STREAM_WAIT_EVENT, CallKind.QUERY_STREAM, CallKind.STREAM_ORDER),
        CallKind.STREAM_DESTROY,
    )
)
Name = TypeVar("Name", bound=Enum)


def effects_of(call: Call, does: Any) -> Effects:
    """What an entry says that its call does."""
    table = {"kind": does} if isinstance(does, str) else does
    if not isinstance(table, dict) or "kind" not in table:
        raise ContractError(f"{call.name}: `does` needs a kind")
    effects = _Reader(call).read(table)
    _check(call, effects)
    return effects


class _Reader:
    """Reads the words of one entry."""

    def __init__(self, call: Call) -> None:
        self._call = call
        self._words = {word.name for word in words(call)}

    def read(self, table: dict[str, Any]) -> Effects:
        known: dict[str, Callable[[Any], Any]] = {
            "kind": lambda text: self._name(CallKind, text),
            "stream": lambda text: text if text == UNKNOWN_STREAM else self.word(text),
            "event": lambda one: tuple(map(self.word, [one] if isinstance(one, str) else one)),
            "voids": self.word,
            "shares": self.word,
            "sharing": lambda text: self._name(Sharing, text),
            "reads": self.range,
            "writes": self.range,
            "writes_if": self.word,
            "direction": self._direction,
            "host": lambda text: self._name(HostWait, text),
            "creates": self._created,
            "destroys": self._destroyed,
            "maps": self._mapped,
            "unmaps": self.word,
            "launch": self._launch,
            "parts": lambda names: tuple(map(self.word, names)),
            "graph": self._graph,
            "device": self.word,
            "code": self._code,
            "gap": lambda text: self._name(Missing, text),
        }
        self._only(table, known)
        values = {key: known[key](value) for key, value in table.items()}
        values["missing"] = values.pop("gap", None)
        direction = values.get("direction", "")
        if direction and not DIRECTION.fullmatch(direction):
            values["direction"], values["copy_kind"] = "", direction
        values["arrays"] = tuple(self._arrays())
        if set(table) != {"kind"}:
            values["parameters"] = tuple(p.name for p in self._call.parameters)
            values["widths"] = tuple(p.bytes for p in self._call.parameters)
        return Effects(**values)

    def word(self, name: str) -> Word:
        """A parameter, or a field of one."""
        parameter, _, field = name.partition(".")
        struct = self._struct(parameter)
        if field and struct is not None and field in struct.fields:
            return f"{parameter}@{struct.fields[field]}"
        if name not in self._words:
            raise self._wrong(f"there is no word {name}")
        return name

    def range(self, text: str) -> MemoryRange:
        """Memory, in the words of the call or as a struct names it."""
        parameter, _, name = text.partition(".")
        struct = self._struct(parameter)
        if struct is not None and name in struct.ranges:
            return self._range(struct.ranges[name], lambda field: self.word(f"{parameter}.{field}"))
        return self._range(text, self.word)

    def _range(self, text: str, word: Callable[[str], Word]) -> MemoryRange:
        match = RANGE.fullmatch(text)
        if match is None:
            raise self._wrong(f"cannot read the memory {text!r}")
        first, *others = match["size"].split(" x ")
        size, _, unit = first.partition(" * ")
        fixed = size.isdecimal()
        return MemoryRange(
            address=tuple(word(one) for one in match["address"].split("|")),
            size=() if fixed else (word(size), *(word(one) for one in others)),
            unit=_unit(size if fixed else unit, word),
            offset=word(match["offset"]) if match["offset"] else "",
            start=tuple(word(one) for one in (match["start"] or "").split(", ") if one),
            pitch=word(match["pitch"]) if match["pitch"] else "",
            rows=word(match["rows"]) if match["rows"] else "",
        )

    def _direction(self, text: str) -> str:
        if text == BY_ADDRESS:
            return ""
        return text if DIRECTION.fullmatch(text) else self.word(text)

    def _created(self, table: dict[str, str]) -> Created:
        self._only(table, ("what", "handle", "bytes", "flags"))
        return Created(
            what=self._one_of(LIVE, table["what"]).upper(),
            handle=self.word(table["handle"]),
            bytes=tuple(self.word(one) for one in table.get("bytes", "").split(" * ") if one),
            flags=self.word(table["flags"]) if "flags" in table else "",
        )

    def _destroyed(self, table: dict[str, str]) -> Destroyed:
        self._only(table, ("what", "handle", "bytes"))
        bytes_ = self.word(table["bytes"]) if "bytes" in table else ""
        what = self._one_of(LIVE, table["what"]).upper()
        return Destroyed(what, self.word(table["handle"]), bytes_)

    def _mapped(self, table: dict[str, str]) -> Mapped:
        self._only(table, ("memory", "address", "bytes", "alias_of"))
        named = {
            key: self.word(table[key]) for key in ("address", "bytes", "alias_of") if key in table
        }
        return Mapped(self._one_of(MEMORY, table["memory"]).upper(), **named)

    def _launch(self, table: dict[str, str]) -> Launch:
        self._only(table, ("function", "params", "extra", "node", "grid", "block", "grid_in"))
        names = {key: table[key] for key in ("function", "params", "extra", "node") if key in table}
        for name in names.values():
            self._parameter(name)
        grid_in = self._one_of(("blocks", "threads"), table.get("grid_in", "blocks"))
        grid, block = self._three(table["grid"]), self._three(table["block"])
        return Launch(grid, block, grid_in == "threads", **names)

    def _three(self, name: str) -> tuple[Word, ...]:
        if name.endswith("*"):
            return tuple(self.word(name[:-1] + letter) for letter in "XYZ")
        return tuple(self.word(f"{name}.{letter}") for letter in "xyz")

    def _arrays(self) -> Iterator[Word]:
        for parameter in self._call.parameters:
            struct = self._struct(parameter.name)
            for name in struct.arrays if struct else ():
                yield self.word(f"{parameter.name}.{name}")

    def _graph(self, table: dict[str, str]) -> GraphEffect:
        self._only(table, ("step", "graph", "node", "other", "after", "before"))
        named = {key: self.word(name) for key, name in table.items() if key != "step"}
        return GraphEffect(self._name(Step, table["step"]), **named)

    def _code(self, text: str) -> str:
        match = CODE.fullmatch(text)
        if match is None or match["verb"] not in VERBS:
            raise self._wrong(f"the recorder cannot do {text!r}")
        for name in match["arguments"].split(", "):
            if name != RESULT:
                self._parameter(name)
        return text

    def _parameter(self, name: str) -> None:
        if name not in {p.name for p in self._call.parameters}:
            raise self._wrong(f"there is no parameter {name}")

    def _struct(self, parameter: str) -> Struct | None:
        found = (p for p in self._call.parameters if p.name == parameter)
        return next((STRUCTS.get(pointed_type(p.type) or "") for p in found), None)

    def _only(self, table: dict[str, Any], known: Any) -> None:
        if unknown := sorted(set(table) - set(known)):
            raise self._wrong(f"unknown word {unknown[0]}")

    def _one_of(self, known: Any, text: str) -> str:
        if text not in known:
            raise self._wrong(f"{text!r} is none of {', '.join(sorted(known))}")
        return text

    def _name(self, names: type[Name], text: str) -> Name:
        found = next((name for name in names if name.value == text), None)
        if found is None:
            raise self._wrong(f"{text!r} is no {names.__name__}")
        return found

    def _wrong(self, text: str) -> ContractError:
        return ContractError(f"{self._call.name}: `does`: {text}")


def _unit(text: str, word: Callable[[str], Word]) -> Word | int:
    return int(text or 1) if not text or text.isdecimal() else word(text)


def _check(call: Call, effects: Effects) -> None:
    """What an entry must say, by its kind."""
    kind = effects.kind
    needs = {
        "a stream": kind in ON_STREAM and call.stream is not None and not effects.stream,
        "an event": "EVENT" in kind.name and not effects.event,
        "what it reads or writes": kind in (CallKind.COPY, CallKind.MEMSET)
        and not (effects.reads or effects.writes or effects.missing),
        "its launch": kind is CallKind.LAUNCH
        and not (effects.launch or effects.parts or effects.missing),
        "what it creates": kind in (CallKind.ALLOCATE, CallKind.STREAM_CREATE)
        and not (effects.creates or effects.maps),
        "what it destroys": kind is CallKind.FREE and not (effects.destroys or effects.unmaps),
        "a graph step": kind is CallKind.GRAPH and not (effects.graph or effects.missing),
    }
    for what, lacks in needs.items():
        if lacks:
            raise ContractError(f"{call.name}: `does` lacks {what}")
