"""Who is meant by an address or a handle: values are used again, identities are not.

A call that gives something up takes effect when it begins, one that makes something when it
returns: an address can be handed out again only after the call that freed it has begun, so this
order is right whatever other threads do at the same time.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from dataclasses import dataclass, field

from greta.recording._format import LiveKind
from greta.recording.live import LiveEntry

NULL_STREAM = 0
LEGACY_STREAM = 1
PER_THREAD_STREAM = 2
RECENT_LIFETIMES = 16  # of a handle, among which an entry of the live table can be

DEFAULT_STREAMS = (NULL_STREAM, LEGACY_STREAM, PER_THREAD_STREAM)


@dataclass
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
    thread_id: int | None = None  # of a per-thread default stream
    replaced: bool = False
    made_ticks: int = field(default=0, repr=False)
    ended_ticks: int | None = field(default=None, repr=False)

    @property
    def live(self) -> bool:
        """Whether it was there at the end of the recording."""
        return self.ended_by is None and not self.replaced


class Allocation(Identity):
    """One lifetime of an address."""

    @property
    def address(self) -> int:
        """Where it begins."""
        return self.handle

    @property
    def allocated_by(self) -> int | None:
        """The event that allocated it."""
        return self.made_by

    @property
    def freed_by(self) -> int | None:
        """The event that freed it, or None."""
        return self.ended_by


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
        self._made_by: dict[int, Identity] = {}
        self._live_on: dict[int | None, dict[Place, Identity]] = {}

    def of_kinds(self, *kinds: LiveKind) -> list[Identity]:
        """In the order of their making, those made before the recording first."""
        chosen = [
            one for lifetimes in self._lifetimes.values() for one in lifetimes if one.kind in kinds
        ]
        return sorted(chosen, key=lambda one: (one.made_by or 0, one.made_ticks, one.handle))

    def at(self, kind: LiveKind, handle: int, ticks: int, seq: int) -> Identity | None:
        """The last one that was made before `ticks` or by `seq`; it may have ended."""
        lifetimes = self._lifetimes.get(place_of(kind, handle), [])
        own = self._made_by.get(seq)
        if own is not None and place_of(own.kind, own.handle) == place_of(kind, handle):
            return own
        place = bisect_right(lifetimes, ticks, key=lambda one: one.made_ticks)
        return lifetimes[place - 1] if place else None

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
        if made.made_by is not None:
            self._made_by[made.made_by] = made
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

    def reset(self, device: int | None, seq: int, ticks: int) -> None:
        """hipDeviceReset: the memory and the streams of a device are gone."""
        here = self._live_on.get(device, {})
        gone = [one for one in here.values() if _goes_with_its_device(one.kind)]
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
