"""Who is meant by an address or a handle: values are used again, identities are not.

A call that gives something up takes effect when it begins, one that creates something when it
returns: an address can be handed out again only after the call that freed it has begun, so this
order is right whatever other threads do at the same time.
"""

from __future__ import annotations

from bisect import insort
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from greta.recording._contract import CallKind
from greta.recording._format import RECORD_WORDS, LiveKind, RecordFlags
from greta.recording.columns import CHUNK_ROWS, Columns, are_any_of
from greta.recording.events import effects_of
from greta.recording.header import LiveEntry
from greta.recording.lanes import Scan
from greta.recording.tables_json import CallEntry, Tables

RECENT_LIFETIMES = 16  # of a handle, among which an entry of the live table can be


@dataclass(slots=True)
class Identity:
    """One lifetime of a handle, from the call that created it to the call that destroyed it.

    `made_by` is None if that call is not in the recording, `ended_by` if there was none. If it is
    `replaced`, the handle was given out again without an end that was recorded.
    """

    kind: LiveKind
    handle: int
    generation: int = 1  # of this handle, from 1
    made_by: int | None = None
    ended_by: int | None = None
    bytes: int | None = None
    flags: int = 0
    device: int | None = None
    number: int | None = None  # in the live table
    replaced: bool = False
    made_ticks: int = field(default=0, repr=False)
    ended_ticks: int | None = field(default=None, repr=False)

    @property
    def live(self) -> bool:
        """Whether it was there at the end of the recording."""
        return self.ended_by is None and not self.replaced


class Allocation(Identity):
    """One lifetime of an address."""

    __slots__ = ()

    @property
    def address(self) -> int:
        """Where it begins."""
        return self.handle


Place = tuple[int, int]

# By kind: which handles cannot be the same value at the same time. All memory shares one range.
SPACE = tuple(int(LiveKind.DEVICE_MEMORY if kind.is_memory else kind) for kind in LiveKind)
CLASS = tuple(Allocation if kind.is_memory else Identity for kind in LiveKind)


def place_of(kind: LiveKind, handle: int) -> Place:
    """Where a handle's lifetimes are kept."""
    return SPACE[kind], handle


class Identities:
    """All lifetimes of all handles; fed in the order in which they take effect."""

    def __init__(self) -> None:
        self._lifetimes: dict[Place, list[Identity]] = {}
        self._live_on: dict[int | None, dict[Place, Identity]] = {}

    def of_kinds(self, *kinds: LiveKind) -> list[Identity]:
        """In the order of their making, those made before the recording first."""
        chosen = [
            one for lifetimes in self._lifetimes.values() for one in lifetimes if one.kind in kinds
        ]
        return sorted(chosen, key=lambda one: (one.made_by or 0, one.made_ticks, one.handle))

    def make(self, made: Identity) -> None:
        """A handle was given out."""
        place = place_of(made.kind, made.handle)
        lifetimes = self._lifetimes.setdefault(place, [])
        if lifetimes and _ended_as_it_was_made(lifetimes[-1], made):
            made.ended_by, made.ended_ticks = lifetimes[-1].ended_by, lifetimes[-1].ended_ticks
            self._forget(lifetimes.pop())
        elif lifetimes and lifetimes[-1].live:
            lifetimes[-1].replaced = True
            self._forget(lifetimes[-1])
        made.generation = len(lifetimes) + 1
        lifetimes.append(made)
        if made.live:
            self._live_on.setdefault(made.device, {})[place] = made

    def end(self, kind: LiveKind, handle: int, seq: int, ticks: int, *, certain: bool) -> None:
        """A handle was given up. If nobody saw it made, that it is gone is all there is to know."""
        lifetimes = self._lifetimes.setdefault(place_of(kind, handle), [])
        if lifetimes and lifetimes[-1].live:
            lifetimes[-1].ended_by, lifetimes[-1].ended_ticks = seq, ticks
            self._forget(lifetimes[-1])
        elif certain:
            unseen = CLASS[kind](kind, handle, len(lifetimes) + 1, ended_by=seq, ended_ticks=ticks)
            unseen.made_ticks = lifetimes[-1].ended_ticks or 0 if lifetimes else 0
            lifetimes.append(unseen)

    def end_within(self, begin: int, bytes_: int, seq: int, ticks: int) -> None:
        """hipMemUnmap: all memory that begins in these bytes is gone."""
        live = (one for here in self._live_on.values() for one in here.values())
        self._end_all(
            [one for one in live if one.kind.is_memory and 0 <= one.handle - begin < bytes_],
            *(seq, ticks),
        )

    def reset(self, device: int | None, seq: int, ticks: int) -> None:
        """hipDeviceReset: the memory and the streams of a device are gone."""
        here = self._live_on.get(device, {})
        gone = [one for one in here.values() if _goes_with_its_device(one.kind)]
        self._end_all(gone, seq, ticks)

    def _end_all(self, gone: list[Identity], seq: int, ticks: int) -> None:
        for one in gone:
            one.ended_by, one.ended_ticks = seq, ticks
            self._forget(one)

    def complete(self, entry: LiveEntry) -> None:
        """Add what the live table knows: what was made before the oldest record, and devices."""
        lifetimes = self._lifetimes.setdefault(place_of(entry.kind, entry.handle), [])
        known = _meant_by(entry, lifetimes)
        if known is None:
            known = CLASS[entry.kind](entry.kind, entry.handle, made_ticks=entry.since)
            insort(lifetimes, known, key=lambda lifetime: lifetime.made_ticks)
            known.replaced = known is not lifetimes[-1]
            for generation, lifetime in enumerate(lifetimes, start=1):
                lifetime.generation = generation
        if known.made_by is None:
            known.kind, known.flags = entry.kind, entry.flags
            known.bytes = entry.bytes if entry.kind.is_memory else None
        known.number, known.device = entry.number, entry.device

    def _forget(self, gone: Identity) -> None:
        self._live_on.get(gone.device, {}).pop(place_of(gone.kind, gone.handle), None)


def _goes_with_its_device(kind: LiveKind) -> bool:
    return kind is LiveKind.STREAM or (kind.is_memory and kind is not LiveKind.REGISTERED_MEMORY)


def _ended_as_it_was_made(last: Identity, made: Identity) -> bool:
    """Whether `last` is the end of `made`, which came first because a clock stood still."""
    if last.made_by is not None or last.ended_by is None or made.made_by is None:
        return False
    return last.ended_ticks == made.made_ticks and made.made_by < last.ended_by


def _meant_by(entry: LiveEntry, lifetimes: list[Identity]) -> Identity | None:
    """The lifetime of a handle that an entry of the live table describes."""
    if lifetimes and lifetimes[-1].live:
        return lifetimes[-1]
    for lifetime in reversed(lifetimes[-RECENT_LIFETIMES:]):
        if lifetime.made_by is not None and lifetime.made_ticks == entry.since:
            return lifetime  # ended between the reading of the live table and that of the lanes
        if (
            lifetime.made_by is None
            and (lifetime.ended_ticks or 0) > entry.since >= lifetime.made_ticks
        ):
            return lifetime
    return None


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
            # hipFree takes memory of every kind; where nobody saw it made, it is the device's.
            is_memory = LiveKind[gone.what].is_memory
            kind = LiveKind.DEVICE_MEMORY if is_memory else LiveKind[gone.what]
            sizes = (places[gone.bytes],) if gone.bytes else ()
            return Rule(END, kind, places[gone.handle], sizes)
    except KeyError:
        return None  # a damaged entry: its words are not the ones the call has
    return Rule(RESET) if does.kind is CallKind.RESET else None


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
        self.rows = columns.rows_where(self._had_effect)
        self.call = columns.scanned("call", self.rows)
        self.made = are_any_of(self.call, self._ids(MAKE))
        self.certain = (columns.scanned("flags", self.rows) & RecordFlags.FINISHED).astype(bool)
        begin, end = columns.order_ticks_of(self.rows), columns.scanned("end", self.rows)
        self.ticks = np.where(self.made, np.maximum(begin, end), begin)
        self.device = CurrentDevices(columns, tables, lanes_cut).at(self.rows)
        self._read_words(columns)

    def _had_effect(self, scan: Scan) -> npt.NDArray[np.bool_]:
        """A call that never returned may have ended what it was given; one that failed has not."""
        done = scan.succeeded
        ends = are_any_of(scan.call, self._ids(END, RESET)) & (done | ~scan.finished)
        return ends | (are_any_of(scan.call, self._ids(MAKE)) & done)

    def _ids(self, *actions: int) -> list[int]:
        return [id_ for id_, rule in self._rules.items() if rule.action in actions]

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
        self, rule: Rule, words: npt.NDArray[np.uint64], chosen: npt.NDArray[np.bool_], first: int
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
            if rule.factors:
                identities.end_within(handle, int(self.bytes[at]), seq, ticks)
        elif handle:
            made = CLASS[rule.kind](rule.kind, handle, made_by=seq, device=device)
            made.made_ticks, made.flags = ticks, int(self.flags[at])
            made.bytes = int(self.bytes[at]) if rule.factors else None
            identities.make(made)


def _succeeded(columns: Columns, ids: list[int]) -> Rows:
    if not ids:
        return np.empty(0, np.int64)
    return columns.rows_where(lambda scan: are_any_of(scan.call, ids) & scan.succeeded)


class CurrentDevices:
    """The device each call was made on: what its thread set last; at first it is 0."""

    def __init__(self, columns: Columns, tables: Tables, lanes_cut: set[int]) -> None:
        self._columns = columns
        self._lanes_cut = np.array(sorted(lanes_cut), np.uint32)
        does = {id_: effects_of(entry.name) for id_, entry in tables.calls.items()}
        ids = [id_ for id_, one in does.items() if one and one.kind is CallKind.SET_DEVICE]
        setting = _succeeded(columns, ids)
        keys = self._keys(setting)
        by_key = np.argsort(keys)
        self._setting_keys = keys[by_key]
        self._set_to = columns.words_of(setting)[:, 0].astype(np.int32)[by_key]

    def _keys(self, rows: Rows) -> npt.NDArray[np.uint64]:
        """Lane and row as one number."""
        lanes = self._columns.lane_place[rows].astype(np.uint64)
        keys: npt.NDArray[np.uint64] = (lanes << np.uint64(40)) + rows.astype(np.uint64)
        return keys

    def at(self, rows: Rows) -> npt.NDArray[np.int64]:
        """Of some calls; UNKNOWN_DEVICE where the call that set it may be lost."""
        devices = np.zeros(len(rows), np.int64)
        if len(self._lanes_cut):
            devices[np.isin(self._columns.lane[rows], self._lanes_cut)] = UNKNOWN_DEVICE
        if not len(self._setting_keys):
            return devices
        # The last setting at or before a call, if it is of the same lane.
        keys = self._keys(rows)
        last = np.searchsorted(self._setting_keys, keys) - 1
        same = (last >= 0) & (self._setting_keys[last] >> np.uint64(40) == keys >> np.uint64(40))
        devices[same] = self._set_to[last[same]]
        return devices
