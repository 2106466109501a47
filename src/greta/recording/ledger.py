"""From the calls of a process to the lifetimes of its allocations and handles."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from greta.recording._contract import CallKind
from greta.recording._format import RECORD_WORDS, LiveKind
from greta.recording.columns import CHUNK_ROWS, Columns
from greta.recording.effects import effects_of
from greta.recording.entries import CallEntry, Tables
from greta.recording.identities import CLASS, Identities
from greta.recording.live import LiveEntry

Rows = npt.NDArray[np.int64]

END, MAKE, RESET = 0, 1, 2
UNKNOWN_DEVICE = -1


@dataclass(frozen=True)
class Rule:
    """What a call does to a handle, and in which of its words that is said."""

    action: int
    kind: LiveKind = LiveKind.FREE
    handle: int = 0
    factors: tuple[int, ...] = ()
    flags: int | None = None


def rules_of(tables: Tables) -> dict[int, Rule]:
    """The rule of each call that makes or ends something, by the call's id."""
    found = {id_: _rule(entry) for id_, entry in tables.calls.items()}
    return {id_: rule for id_, rule in found.items() if rule is not None}


def _rule(entry: CallEntry) -> Rule | None:
    does = effects_of(entry.name)
    if does is None:
        return None
    places = {word.name: at for at, word in enumerate(entry.words[:RECORD_WORDS])}
    try:
        if made := does.creates:
            sizes = tuple(places[factor] for factor in made.bytes)
            flags_at = places[made.flags] if made.flags else None
            return Rule(MAKE, LiveKind[made.what], places[made.handle], sizes, flags_at)
        if gone := does.destroys:
            return Rule(END, _destroyed(LiveKind[gone.what]), places[gone.handle])
    except KeyError:
        return None  # a damaged entry: its words are not the ones the call has
    return Rule(RESET) if does.kind is CallKind.RESET else None


def _destroyed(kind: LiveKind) -> LiveKind:
    """hipFree takes memory of every kind; where nobody saw it made, it is the device's."""
    return LiveKind.DEVICE_MEMORY if kind.is_memory else kind


def identities_of(
    columns: Columns, tables: Tables, live: list[LiveEntry], lanes_cut: set[int]
) -> Identities:
    """All lifetimes; `lanes_cut` are the lanes whose beginning is lost."""
    identities = Identities()
    _Actions(columns, tables, lanes_cut).replay(identities)
    for entry in live:
        identities.complete(entry)
    return identities


class _Actions:
    """The calls that had an effect on what is live, as columns."""

    def __init__(self, columns: Columns, tables: Tables, lanes_cut: set[int]) -> None:
        self._rules = rules_of(tables)
        done = columns.finished & (columns.result == 0)
        makes = self._calls_with(columns, MAKE) & done
        # A call that never returned may have ended what it was given; one that failed has not.
        ends = (self._calls_with(columns, END) | self._calls_with(columns, RESET)) & (
            done | ~columns.finished
        )
        self.rows = np.flatnonzero(makes | ends)
        self.call = columns.call[self.rows]
        self.made = makes[self.rows]
        self.certain = done[self.rows]
        begin, end = columns.order_ticks[self.rows], columns.end_ticks[self.rows]
        self.ticks = np.where(self.made, np.maximum(begin, end), begin)
        self.device = devices_at(columns, tables, self.rows, lanes_cut)
        self._read_words(columns)

    def _calls_with(self, columns: Columns, action: int) -> npt.NDArray[np.bool_]:
        ids = [id_ for id_, rule in self._rules.items() if rule.action == action]
        return np.isin(columns.call, np.array(ids, np.uint32))

    def _read_words(self, columns: Columns) -> None:
        self.handle = np.zeros(len(self.rows), np.uint64)
        self.bytes = np.zeros(len(self.rows), np.uint64)
        self.flags = np.zeros(len(self.rows), np.uint64)
        for first in range(0, len(self.rows), CHUNK_ROWS):
            chunk = slice(first, first + CHUNK_ROWS)
            words = columns.words_of(self.rows[chunk])
            for id_ in np.unique(self.call[chunk]):
                self._read_words_of(self._rules[int(id_)], words, self.call[chunk] == id_, first)

    def _read_words_of(
        self,
        rule: Rule,
        words: npt.NDArray[np.uint64],
        chosen: npt.NDArray[np.bool_],
        first: int,
    ) -> None:
        places = first + np.flatnonzero(chosen)
        self.handle[places] = words[chosen, rule.handle]
        if rule.factors:
            self.bytes[places] = words[chosen][:, list(rule.factors)].prod(axis=1)
        if rule.flags is not None:
            self.flags[places] = words[chosen, rule.flags]

    def replay(self, identities: Identities) -> None:
        """Let each call take its effect: by time, and at the same time ends before what is made."""
        order = np.lexsort((self.made, self.ticks))
        columns = (self.call, self.rows + 1, self.ticks, self.handle, self.device)
        for first in range(0, len(order), CHUNK_ROWS):
            chunk = order[first : first + CHUNK_ROWS]
            rows = zip(chunk.tolist(), *(column[chunk].tolist() for column in columns), strict=True)
            for at, call, seq, ticks, handle, device in rows:
                on_device = None if device == UNKNOWN_DEVICE else device
                self._apply(at, self._rules[call], seq, ticks, handle, on_device, identities)

    def _apply(
        self,
        at: int,
        rule: Rule,
        seq: int,
        ticks: int,
        handle: int,
        device: int | None,
        identities: Identities,
    ) -> None:
        if rule.action == RESET:
            identities.reset(device, seq, ticks)
        elif handle and rule.action == END:
            identities.end(rule.kind, handle, seq, ticks, certain=bool(self.certain[at]))
        elif handle:
            made = CLASS[rule.kind](rule.kind, handle, made_by=seq, device=device)
            made.made_ticks, made.flags = ticks, int(self.flags[at])
            made.bytes = int(self.bytes[at]) if rule.factors else None
            identities.make(made)


def devices_at(
    columns: Columns, tables: Tables, rows: Rows, lanes_cut: set[int]
) -> npt.NDArray[np.int64]:
    """The device each of some calls was made on: what its thread set last; at first it is 0."""
    ids = [id_ for id_, entry in tables.calls.items() if _sets_device(entry)]
    chosen = np.isin(columns.call, np.array(ids, np.uint32))
    setting = np.flatnonzero(chosen & columns.finished & (columns.result == 0))
    lost = np.isin(columns.lane[rows], np.array(sorted(lanes_cut), np.uint32))
    devices = np.where(lost, UNKNOWN_DEVICE, 0).astype(np.int64)
    if not len(setting):
        return devices
    set_to = columns.words_of(setting)[:, 0].astype(np.int32)
    # One key for lane and row: the last setting at or before a call, if it is of the same lane.
    key = columns.lane_place.astype(np.uint64) << np.uint64(40)
    setting_keys = key[setting] + setting.astype(np.uint64)
    by_key = np.argsort(setting_keys)
    last = np.searchsorted(setting_keys[by_key], key[rows] + rows.astype(np.uint64)) - 1
    same = (last >= 0) & (key[setting[by_key[last]]] == key[rows])
    devices[same] = set_to[by_key[last[same]]]
    return devices


def _sets_device(entry: CallEntry) -> bool:
    does = effects_of(entry.name)
    return does is not None and does.kind is CallKind.SET_DEVICE
