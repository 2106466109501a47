"""The lifetimes of memory, as a table, and in which of them an address lies.

Most are those of greta.recording. To them come a few that are no allocations at the ABI, but memory
that calls name: mapped ranges, variables of modules, memory that another process or API gave.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

import numpy as np
import numpy.typing as npt

from greta.large_arrays import values_at
from greta.reading_library import AddressIndex, Copies
from greta.recording import (
    Allocation,
    CallEvent,
    DeviceVariable,
    LiveKind,
    Mapped,
    Process,
    can_fail,
    effects_of,
)
from greta.trace.reading.calls import event_word
from greta.trace.reading.handles import Found, RowBySeq, Seqs, device_number, first_seqs
from greta.trace.trace import ALLOCATION, NONE, Kind, Memory, Table

FOREVER = 1 << 62
EARLIER_LIFETIMES = 4  # looked at, where memory was registered or mapped twice at the same time

FACTS: Final = ("address", "bytes", "known_bytes", "memory", "device")
"""What accesses depend on, of an allocation."""

Addresses = npt.NDArray[np.uint64]
Rows = npt.NDArray[np.int64]


def address_index(address: Addresses, bytes_: Addresses, first: Seqs, last: Seqs) -> AddressIndex:
    """Lifetimes: from an address, over some bytes, from a call to another one (both included)."""
    end = address + np.maximum(bytes_, np.uint64(1))
    end = np.where(end < address, np.uint64(2**64 - 1), end)
    borders = np.unique(np.concatenate([address, end]))
    nodes = _nodes(np.searchsorted(borders, address), np.searchsorted(borders, end))
    return AddressIndex(borders, list(nodes), first, last, EARLIER_LIFETIMES)


def _nodes(
    begin: npt.NDArray[np.int64], end: npt.NDArray[np.int64]
) -> Iterator[tuple[int, npt.NDArray[np.int64], Found]]:
    """The nodes that make up each run of pieces: level, node and lifetime, for levels with any."""
    lifetime = np.arange(len(begin))
    level = 0
    while len(lifetime):
        left, right = (begin & 1).astype(bool), (end & 1).astype(bool)
        node = np.concatenate([begin[left], end[right] - 1])
        if len(node):
            yield level, node, np.concatenate([lifetime[left], lifetime[right]])
        begin, end = (begin + left) >> 1, (end - right) >> 1
        inside = begin < end
        begin, end, lifetime = begin[inside], end[inside], lifetime[inside]
        level += 1


MEMORY_OF: Final = {
    LiveKind.DEVICE_MEMORY: Memory.DEVICE,
    LiveKind.HOST_MEMORY: Memory.PINNED,
    LiveKind.REGISTERED_MEMORY: Memory.REGISTERED,
    LiveKind.MANAGED_MEMORY: Memory.MANAGED,
    LiveKind.POOL_MEMORY: Memory.POOL,
}


@dataclass
class Extra:
    """One such range; seqs, and `alias_of` the address that counts."""

    memory: Memory
    address: int
    bytes: int
    made_by: int
    freed_by: int = NONE
    alias_of: int = 0


class Allocations:
    def __init__(self, process: Process) -> None:
        lifetimes = process.allocations()
        extras = list(_extras(process))
        aliases = [extra for extra in extras if extra.alias_of]
        own = [extra for extra in extras if not extra.alias_of]
        self.table = np.concatenate([_table(lifetimes), _extra_table(own)])
        self._first = np.concatenate(
            [first_seqs(process.columns, lifetimes), np.array([e.made_by for e in own], np.int64)]
        )
        ends = [one.ended_by or FOREVER for one in lifetimes]
        ends += [FOREVER if one.freed_by == NONE else one.freed_by for one in own]
        self._last = np.array(ends, np.int64)
        _end_replaced(self.table, self._first, self._last)
        self._index = self._index_with(aliases)
        self._mapped_again = _mapped_again(process, RowBySeq(self.table["made_by"]), self._last)
        self.made_by = RowBySeq(self.table["made_by"]).find
        self.freed_by = RowBySeq(self.table["freed_by"]).find
        self._node_memory = _node_memory(process)

    def find(self, address: Addresses, seq: Seqs) -> tuple[Found, npt.NDArray[np.bool_], Addresses]:
        """The lifetime that contains an address, whether it is live, and the address that counts.

        Memory that has several addresses counts at the one it was made with.
        """
        found, live = self._index.find(address, seq)
        if len(self._mapped_again):
            address = self._where_first_mapped(found, live, address, seq)
        if not len(self._shift):
            return found, live, address
        alias = found >= len(self.table)
        which = found[alias] - len(self.table)
        counts = address.copy()
        counts[alias] += self._shift[which]
        found[alias] = self._original[which]
        return found, live, counts

    @property
    def are_plain(self) -> bool:
        """Whether an address means one allocation in its whole lifetime: `fit` asks no more."""
        return not len(self._mapped_again)

    def fit(self, copies: Copies, asked: Rows, places: Rows, address: Addresses) -> Found:
        """The lifetimes that calls mean by what their models name; see AddressIndex.fit."""
        return self._index.fit(copies, asked, places, address, *self._kinds)

    @cached_property
    def _kinds(self) -> tuple[Rows, Rows]:
        """Of the lifetimes in the index: those with the same number are alike; and their rows."""
        rows = np.concatenate([np.arange(len(self.table)), self._original])
        none = np.zeros(len(self.table), np.uint64)
        facts = [np.concatenate([none, self._shift])]
        facts += [self.table[name][rows] for name in FACTS]
        order = np.lexsort(facts)
        differs = np.zeros(len(order), bool)
        for fact in facts:
            differs[1:] |= fact[order[1:]] != fact[order[:-1]]
        kinds = np.empty(len(order), np.int64)
        kinds[order] = np.cumsum(differs)
        return kinds, rows

    def _where_first_mapped(
        self, found: Found, live: npt.NDArray[np.bool_], address: Addresses, seq: Seqs
    ) -> Addresses:
        """Memory of one handle at a second address counts at the first, while it is there, too."""
        again = self._mapped_again
        place = np.minimum(np.searchsorted(again["row"], found), len(again) - 1)
        first = again["first"][place]
        here = (again["row"][place] == found) & live & (self._last[first] >= seq)
        found[here] = first[here]
        address = address.copy()
        address[here] += again["shift"][place[here]]
        return address

    def named_by(self, seq: Seqs) -> Found:
        """What calls allocate, or will when their graph is launched; NONE of others."""
        found = self.made_by(seq)
        for place in np.flatnonzero(found == NONE).tolist():
            # Memory that was named before is not named anew.
            address = self._node_memory.get(int(seq[place]))
            if address is not None:
                found[place] = self.find(np.array([address], np.uint64), seq[place : place + 1])[0][
                    0
                ]
        return found

    def seqs(self, rows: Found) -> tuple[Seqs, Seqs]:
        """The first and the last call of each lifetime; FOREVER if it has no end."""
        return self._first[rows], self._last[rows]

    def settle(self, operations: Table, calls: Seqs) -> None:
        """Fill in what refers to operations, when these are complete; `calls`: their rows."""
        table = self.table
        if not len(calls):
            table["made_at"] = table["freed_at"] = table["free_stream"] = NONE
            return
        for at, by in (("made_at", "made_by"), ("freed_at", "freed_by")):
            rows = np.minimum(np.searchsorted(calls, table[by] - 1), len(calls) - 1)
            table[at] = np.where(table[by] == NONE, NONE, rows)
        freed = table["freed_at"]
        # A free that was captured runs with its graph, whose next launch may allocate it anew.
        in_graph = (freed != NONE) & values_at(operations, "captured", freed)
        table["freed_at"][in_graph] = table["freed_by"][in_graph] = NONE
        asked = (freed != NONE) & (values_at(operations, "kind", freed) == Kind.FREE)
        table["free_stream"] = np.where(asked, values_at(operations, "stream", freed), NONE)

    def _index_with(self, aliases: Sequence[Extra]) -> AddressIndex:
        table = self.table
        self._shift = np.empty(0, np.uint64)
        self._original = np.empty(0, np.int64)
        index = address_index(table["address"], table["bytes"], self._first, self._last)
        if not aliases:
            return index
        address = np.array([alias.address for alias in aliases], np.uint64)
        other = np.array([alias.alias_of for alias in aliases], np.uint64)
        seq = np.array([alias.made_by for alias in aliases], np.int64)
        row, live = index.find(other, seq)
        useful = live & (address != other)
        row, address, other, seq = row[useful], address[useful], other[useful], seq[useful]
        self._shift, self._original = other - address, row
        return address_index(
            np.concatenate([table["address"], table["address"][row] - self._shift]),
            np.concatenate([table["bytes"], table["bytes"][row]]),
            np.concatenate([self._first, seq]),
            np.concatenate([self._last, self._last[row]]),
        )


# --- tables ---------------------------------------------------------------------------------------


def _table(lifetimes: Sequence[Allocation]) -> Table:
    table = np.zeros(len(lifetimes), ALLOCATION)
    table["address"] = [lifetime.address for lifetime in lifetimes]
    table["bytes"] = [lifetime.bytes or 0 for lifetime in lifetimes]
    table["known_bytes"] = [lifetime.bytes is not None for lifetime in lifetimes]
    table["memory"] = [MEMORY_OF.get(lifetime.kind, Memory.DEVICE) for lifetime in lifetimes]
    table["device"] = [device_number(lifetime) for lifetime in lifetimes]
    table["generation"] = [lifetime.generation for lifetime in lifetimes]
    table["made_by"] = [lifetime.made_by or NONE for lifetime in lifetimes]
    table["freed_by"] = [lifetime.ended_by or NONE for lifetime in lifetimes]
    return table


def _extra_table(extras: Sequence[Extra]) -> Table:
    table = np.zeros(len(extras), ALLOCATION)
    for name in ("address", "bytes", "memory", "made_by", "freed_by"):
        table[name] = [getattr(extra, name) for extra in extras]
    table["known_bytes"] = [extra.bytes > 0 for extra in extras]
    table["generation"] = 1
    return table


def _end_replaced(table: Table, first: Seqs, last: Seqs) -> None:
    """A lifetime with no end is over when its address is given out again."""
    order = np.lexsort((first, table["address"]))
    here, there = order[:-1], order[1:]
    again = (table["address"][here] == table["address"][there]) & (last[here] == FOREVER)
    again &= table["memory"][here] != Memory.SYMBOL
    last[here[again]] = first[there[again]] - 1


# --- memory that is mapped twice ------------------------------------------------------------------


@dataclass(frozen=True)
class _Mapping:
    seq: int
    address: int
    bytes: int
    offset: int


_AGAIN: Final = np.dtype([("row", np.int64), ("first", np.int64), ("shift", np.uint64)])


def _mapped_again(process: Process, rows: RowBySeq, last: Seqs) -> Table:
    """Allocations that are memory of another: that one's row, and how far it is off."""
    first: dict[int, _Mapping] = {}
    found: list[tuple[int, int, int]] = []
    calls = {"hipMemMap", "hipMemRelease"}
    ids = [one for one in process.calls_by_id if process.tables.call_name(one) in calls]
    events = [process.event(at + 1) for at in process.columns.rows_of(ids).tolist()]
    begins = {event_word(event, "ptr") for event in events if event.call == "hipMemMap"}
    for event in events:
        handle = event_word(event, "handle")
        if not handle:
            continue
        if event.call == "hipMemRelease":
            first.pop(handle, None)  # another may be given out by that number
        if event.call == "hipMemRelease" or not event.finished or event.result != 0:
            continue
        words = (event_word(event, name) or 0 for name in ("ptr", "size", "offset"))
        new = _Mapping(event.seq, *words)
        old = first.setdefault(handle, new)
        row, other = rows.find(np.array([new.seq, old.seq], np.int64)).tolist()
        inside = old.offset <= new.offset
        inside &= new.offset + new.bytes <= old.offset + old.bytes
        if NONE in (row, other) or last[other] < new.seq:
            first[handle] = new
        elif old is not new and inside and new.address + new.bytes not in begins:
            # Not where other memory goes on behind it: a transfer may be of both.
            shift = old.address + new.offset - old.offset - new.address
            found.append((row, other, shift % (1 << 64)))
    return np.sort(np.array(found, _AGAIN), order="row")


# --- memory that is no allocation -----------------------------------------------------------------


def _extras(process: Process) -> Iterator[Extra]:
    live: dict[int, Extra] = {}
    over: list[Extra] = []
    opened: Counter[int] = Counter()
    for event in _naming(process):
        does = effects_of(event.call)
        if does is None or not event.finished or (event.result != 0 and can_fail(event.call)):
            continue
        if does.unmaps and does.is_node:
            continue  # it goes when its graph is launched: see graph_memory
        if does.unmaps:
            address = event_word(event, does.unmaps) or 0
            # What was opened twice is closed twice; a ring may have lost that it was opened.
            opened[address] = max(opened[address] - 1, 0)
            ended = live.pop(address, None) if not opened[address] else None
            if ended is not None:
                over.append(replace(ended, freed_by=event.seq))
        elif does.maps:
            mapped = _mapped(event, does.maps)
            opened[mapped.address] += 1
            _take_in(live, mapped)
    for variable in process.device_variables():
        _take_in_variable(live, variable)
    yield from over
    yield from live.values()


def _node_memory(process: Process) -> dict[int, int]:
    """Where memory lies that calls make nodes of graphs allocate."""
    return {
        event.seq: event_word(event, does.maps.address) or 0
        for event in _naming(process)
        if (does := effects_of(event.call)) is not None and does.maps and does.graph
    }


def _naming(process: Process) -> Iterator[CallEvent]:
    ids = []
    for id_ in process.calls_by_id:
        does = effects_of(process.tables.call_name(id_))
        if does is not None and (does.maps or does.unmaps):
            ids.append(id_)
    for row in process.columns.rows_of(ids).tolist():
        yield process.event(row + 1)


def _take_in(live: dict[int, Extra], new: Extra) -> None:
    if new.address and new.address not in live:
        live[new.address] = new
    elif new.address and not new.alias_of:
        known = live[new.address]
        live[new.address] = replace(known, bytes=max(known.bytes, new.bytes))


def _take_in_variable(live: dict[int, Extra], found: DeviceVariable) -> None:
    """A variable is there from the call on that loads its code, whoever asks for its address."""
    since, symbol = found.seq or 1, found.symbol
    if symbol:
        _take_in(live, Extra(Memory.SYMBOL, symbol, found.bytes, since))
    known = live.get(found.address)
    new = Extra(Memory.SYMBOL, found.address, found.bytes, since, alias_of=symbol)
    live[found.address] = replace(known, made_by=min(known.made_by, since)) if known else new


def _mapped(event: CallEvent, rule: Mapped) -> Extra:
    words = (rule.address, rule.bytes, rule.alias_of)
    address, bytes_, alias = ((event_word(event, one) if one else 0) or 0 for one in words)
    return Extra(Memory[rule.memory], address, bytes_, event.seq, alias_of=alias)
