"""What calls access: rows of the table of accesses, and with them when the host waits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from greta.large_arrays import GrowingArray
from greta.reading_library import sort_accesses
from greta.recording import Footprint, Tables
from greta.trace import waits
from greta.trace.reading.allocations import Allocations
from greta.trace.reading.blocks import AnnouncedBlocks
from greta.trace.reading.calls import CallBlock, Group, Rows, alike
from greta.trace.reading.folding import Looked, Lookup, folded
from greta.trace.reading.kernels import (
    Given,
    Launches,
    Threads,
    clipped,
    room_behind,
    surely,
    with_larger,
)
from greta.trace.reading.meanings import Box, NamedRange
from greta.trace.trace import ACCESS, NONE, Kind, Known, Memory, Mode, Role, Row, Seq, Space, Table

WHOLE = np.dtype((np.void, ACCESS.itemsize))  # is copied as one piece, and not field by field


class AccessTable:
    def __init__(self) -> None:
        self._rows = GrowingArray(ACCESS)

    def __len__(self) -> int:
        return len(self._rows)

    def add(self, pieces: list[Table], first: Row, count: int) -> Rows:
        """Append the accesses of `count` operations, from the row `first` on.

        An operation's rows keep the order of the pieces. Returns where the rows of each begin.
        """
        begin = len(self._rows)
        out = self._rows.add(sum(map(len, pieces)))
        return begin + sort_accesses(pieces, first, count, out)

    def between(self, first: int, stop: int) -> Table:
        """Rows that were added; not to be kept, for adding moves them."""
        return self._rows.between(first, stop)

    def finished(self) -> Table:
        """The whole table; nothing may be added after that."""
        return self._rows.finished()


Flags = npt.NDArray[np.bool_]

_NO_ROWS = np.empty(0, np.int64)
_NO_RANGES = np.zeros((0, 5), np.uint64)
MOST_DIFFERENT = 4096  # sets of numbers; a kernel that gets a counter has endless ones


class AccessBuilder:
    """Makes the accesses of calls, in pieces: each has at most one row of an operation."""

    def __init__(
        self,
        allocations: Allocations,
        blocks: AnnouncedBlocks,
        tables: Tables,
        footprints: Iterable[Footprint],
        *,
        kernels: bool,
        all_known: bool,
    ) -> None:
        self._allocations, self._blocks = allocations, blocks
        self._columns: dict[str, npt.NDArray[Any]] = {}
        """Of the allocations, each in one piece."""
        self._all_known = all_known
        self._reads_kernels = kernels
        self._kernels = tables.kernels
        known = [one for one in footprints if one.seq is not None]
        noted = {one.seq: one for one in known if one.node is None}
        self._footprints = {seq: _ranges_of(one) for seq, one in noted.items()}
        """Footprints of launches outside graphs."""
        self._followed = np.array([seq for seq, one in noted.items() if one.complete], np.int64)
        self._of_graphs: dict[Seq, list[Footprint]] = {}
        """Footprints of the nodes of launched graphs."""
        for one in known:
            if one.seq is not None and one.node_seq is not None:
                self._of_graphs.setdefault(one.seq, []).append(one)
        self._lookups: list[Lookup] = []
        self._unknown: list[Rows] = []
        self.unknown_kernels = 0
        """Launches whose arguments could not be read."""
        self.different_launches: dict[tuple[int, bytes], Seq] = {}
        """One launch of each kernel with each set of whole numbers."""
        self.has_left_out_launches = False

    def accesses_of(self, block: CallBlock, group: Group) -> list[Table]:
        def look(some: Group) -> Looked:
            self._lookups, self._unknown = [], [_NO_ROWS]
            return Looked(self._tables(block, some), self._lookups, np.concatenate(self._unknown))

        pieces: list[Table] = []
        can_fold = self._can_fold(group)
        folds = folded(block, group, self._allocations, look) if can_fold else [look(group)]
        for looked in folds:
            pieces += looked.tables
            self.unknown_kernels += len(looked.unknown)
        return pieces

    def _can_fold(self, group: Group) -> bool:
        """Whether calls differ in nothing but what they say, and what their addresses mean."""
        noted = group.meaning.does.launch is not None and bool(self._footprints)
        return not (noted or len(self._blocks) or group.meaning.kind is Kind.FREE)

    def _tables(self, block: CallBlock, group: Group) -> list[Table]:
        if group.meaning.does.launch is not None:
            return self._of_launches(block, group) if self._reads_kernels else []
        if group.meaning.kind is Kind.COPY:
            return self._of_copies(block, group)
        if group.meaning.kind is Kind.FILL:
            return [self._of_fills(block, group)]
        if group.meaning.kind is Kind.FREE:
            return [self._of_frees(block, group)]
        return [self._accessed(block, group, named)[0] for named in group.meaning.ranges]

    # --- by kind ----------------------------------------------------------------------------------

    def _of_copies(self, block: CallBlock, group: Group) -> list[Table]:
        meaning = group.meaning
        found = [self._accessed(block, group, named) for named in meaning.ranges]
        tables = [table for table, _ in found]
        if meaning.does.copy_kind:
            said = waits.said_spaces(
                group.calls.word(meaning.does.copy_kind) & np.uint64(0xFFFFFFFF)
            )
            for table, named in zip(tables, meaning.ranges, strict=True):
                table["space"] = said[named.role is Role.SOURCE]
        sides = {t.role: self._side(*one) for t, one in zip(meaning.ranges, found, strict=True)}
        for table, side in zip(tables, sides.values(), strict=True):
            self._settle_host_side(table, side)
        array = waits.Side.of_arrays(len(group.places))
        to, source = (sides.get(role, array) for role in (Role.DESTINATION, Role.SOURCE))
        block.operations["waits"][group.places] = waits.settled(meaning.does.host, to, source)
        # The side of a box may be an array, which is no memory with an address.
        return [
            some(table, table["address"] != 0) if isinstance(named.shape, Box) else table
            for table, named in zip(tables, meaning.ranges, strict=True)
        ]

    def _of_fills(self, block: CallBlock, group: Group) -> Table:
        table, live = self._accessed(block, group, group.meaning.ranges[0])
        at_start = table["address"] == self._of_allocation("address", table)
        settled = waits.settled(group.meaning.does.host, self._side(table, live), None, at_start)
        block.operations["waits"][group.places] = settled
        return table

    def _of_frees(self, block: CallBlock, group: Group) -> Table:
        table, _ = self._accessed(block, group, group.meaning.ranges[0])
        operations, places = block.operations, group.places
        freed = self._allocations.freed_by(block.seq[places])
        table["allocation"] = np.where(freed == NONE, table["allocation"], freed)
        known = table["allocation"] != NONE
        whole = known & (table["address"] == self._of_allocation("address", table))
        table["bytes"] = np.where(whole, self._of_allocation("bytes", table), 0)
        table["block"] = 0
        side = self._side(table, known)
        operations["allocation"][places] = table["allocation"]
        operations["waits"][places] = waits.settled(group.meaning.does.host, side)
        device = self._of_allocation("device", table)
        known &= device != NONE
        operations["device"][places] = np.where(known, device, operations["device"][places])
        return some(table, side.given)

    def _of_launches(self, block: CallBlock, group: Group) -> list[Table]:
        assert group.meaning.does.launch is not None  # noqa: S101 - so says the caller
        tables = []
        kernel = group.calls.records["kernel"]
        for chosen in alike(kernel):
            part = group.some(chosen)
            entry = self._kernels.get(int(kernel[chosen[0]]))
            launches = Launches(
                part.calls, entry, Threads.of(part.calls, group.meaning.does.launch)
            )
            self._unknown.append(part.places[launches.unknown])
            self._keep_different(int(kernel[chosen[0]]), launches, block, part)
            pointers = list(launches.given())
            given = [self._given(block, part, one) for one in pointers]
            self._note_flags(pointers, given, len(part.places))
            tables += [*given, *self._footprints_of(block, part, given)]
        return tables

    def _note_flags(self, pointers: list[Given], given: list[Table], launches: int) -> None:
        """What lies in one buffer may tell a launch not to use its other pointers."""
        flags = [
            self._of_allocation("known_bytes", table)
            & (self._of_allocation("bytes", table) <= one.flag_bytes)
            & (table["allocation"] != NONE)
            if one.role is Role.ARGUMENT and one.flag_bytes > 0
            else np.zeros(len(one.which), bool)  # of words that are no addresses there is no row
            for one, table in zip(pointers, given, strict=True)
        ]
        count = np.zeros(launches, np.int64)
        for one, flag in zip(pointers, flags, strict=True):
            count[one.which[flag]] += 1
        if not count.any():
            return
        for one, table, flag in zip(pointers, given, flags, strict=True):
            if one.role is Role.ARGUMENT:
                told = count[one.which] > flag
                table["known"][told] &= np.uint8(~Known.ACCESSED & 0xFF)

    def _footprints_of(self, block: CallBlock, group: Group, given: list[Table]) -> Iterator[Table]:
        """What launches were seen to access. Where that is all, their pointers are no accesses."""
        if not self._footprints:
            return
        for table in given:
            followed = np.isin(table["origin"], self._followed)
            table["known"][followed] |= np.uint8(Known.FOLLOWED)
        noted = [self._footprint(seq) for seq in block.seq[group.places].tolist()]
        for number in range(max(map(len, noted))):
            chosen = [place for place, ranges in enumerate(noted) if number < len(ranges)]
            rows = np.array([noted[place][number] for place in chosen], np.uint64)
            yield self._noted(block, group.places[chosen], rows)

    def _footprint(self, seq: Seq) -> npt.NDArray[np.uint64]:
        """The ranges of a launch; none reaches from one buffer into another."""
        ranges = self._footprints.get(seq)
        return _NO_RANGES if ranges is None else self._blocks.cut(ranges, seq)

    def _of_nodes(self, table: Table, launch: Row, seq: Seq) -> Table:
        """What the kernels of a graph were seen to access, behind what they were given."""
        noted = self._of_graphs.get(seq, [])
        complete = np.array([one.node_seq for one in noted if one.complete], np.int64)
        given = np.isin(table["role"], (Role.ARGUMENT, Role.STRUCT_WORD))
        followed = given & np.isin(table["origin"], complete)
        table["known"][followed] |= np.uint8(Known.FOLLOWED)
        pieces = [table]
        for one in noted:
            ranges = self._blocks.cut(_ranges_of(one), seq)
            piece = np.zeros(len(ranges), ACCESS)
            piece["operation"], piece["origin"] = launch, seq
            _fill_noted(piece, ranges)
            piece = some(piece, self._find(piece))
            piece["origin"] = one.node_seq
            pieces.append(piece)
        return _joined(pieces)

    def _noted(self, block: CallBlock, places: Rows, ranges: npt.NDArray[np.uint64]) -> Table:
        table = _table(block, places, ranges[:, 1])
        _fill_noted(table, ranges)
        live = self._find(table)
        return some(table, live)

    def _keep_different(
        self, kernel: int, launches: Launches, block: CallBlock, group: Group
    ) -> None:
        if self.has_left_out_launches:
            return
        for numbers, place in launches.different():
            seq = int(block.operations["seq"][group.places[place]])
            self.different_launches.setdefault((kernel, numbers), seq)
        self.has_left_out_launches = len(self.different_launches) > MOST_DIFFERENT

    # --- rows -------------------------------------------------------------------------------------

    def _given(self, block: CallBlock, group: Group, given: Given) -> Table:
        table = _table(block, group.places[given.which], given.address)
        table["role"], table["mode"], table["space"] = given.role, given.mode, Space.DEVICE
        table["argument"], table["element"] = given.argument, given.element
        live = self._found(block, table)
        known = live & self._of_allocation("known_bytes", table)
        size = np.where(known, self._of_allocation("bytes", table), np.uint64(0))
        base = self._of_allocation("address", table)
        if len(self._blocks):
            base, size = self._blocks.bounds(table["block"], table["origin"], base, size)
        room = room_behind(table["address"], base, size)
        table["reach"] = with_larger(given.bytes, given.larger, room)
        table["bytes"] = clipped(surely(given, table["reach"]), room)
        table["bytes"][given.empty] = table["reach"][given.empty] = 0
        table["known"] = given.known
        if given.role is Role.STRUCT_WORD:
            return some(table, table["allocation"] != NONE)
        return table

    def _accessed(self, block: CallBlock, group: Group, named: NamedRange) -> tuple[Table, Flags]:
        """The range that a word of each call names, and whether it begins in live memory."""
        ranges = named.shape.of(group.calls)
        table = _table(block, group.places, ranges.address)
        table["bytes"], table["pitch"], table["width"] = ranges[1:]
        table["role"], table["mode"], table["space"] = named.role, named.mode, named.space
        table["element"], table["argument"] = named.element, NONE
        if named.writes_if:
            table["mode"][group.calls.word(named.writes_if) != 0] = Mode.WRITE
        return table, self._found(block, table)

    def _found(self, block: CallBlock, table: Table) -> Flags:
        """The same for calls of a block, noted for others that say the same."""
        places = table["operation"].astype(np.int64) - block.first
        self._lookups.append(Lookup(places, table["address"].copy()))
        return self._find(table)

    def _find(self, table: Table) -> Flags:
        """Fill in the allocations; whether they are live."""
        named, seq = np.ascontiguousarray(table["address"]), table["origin"].astype(np.int64)
        found, live, address = self._allocations.find(named, seq)
        table["allocation"], table["address"] = found, address
        if len(self._blocks):
            table["block"] = self._blocks.find(address, seq, found)
        return live

    def launched(self, accessed: Table, launch: Row, seq: Seq) -> Table:
        """What nodes of a graph access when it is launched.

        What an address means may have changed since the graph was made. A block that is over may be
        the graph's own all the same: a pool of PyTorch's keeps it for the next launch.
        """
        table: Table = accessed.copy()
        table["operation"], table["at_call"] = launch, False
        table["allocation"] = self._allocations.find(table["address"], np.full(len(table), seq))[0]
        if len(self._blocks):
            table["block"] = self._blocks.still_in(table["block"], table["allocation"])
        return self._of_nodes(table, launch, seq)

    def _side(self, table: Table, live: Flags) -> waits.Side:
        memory = np.where(live, self._of_allocation("memory", table), 0).astype(np.uint8)
        device = np.where(live, self._of_allocation("device", table), NONE).astype(np.int64)
        return waits.Side(table["space"].copy(), memory, device, table["address"] != 0)

    def _settle_host_side(self, table: Table, side: waits.Side) -> None:
        """Memory that HIP knows nothing of, or no longer, is ordinary memory of the host."""
        unregistered = self._of_allocation("memory", table) == Memory.REGISTERED
        table["allocation"][side.pageable & unregistered] = NONE
        unsaid = (table["space"] == Space.UNKNOWN) & (table["allocation"] == NONE)
        if self._all_known:
            table["space"][unsaid & side.pageable] = Space.HOST
        table["at_call"] = side.staged(table["space"])

    def _of_allocation(self, name: str, table: Table) -> npt.NDArray[Any]:
        """A column of the allocations of accesses; nonsense where there is none."""
        if name not in self._columns:
            self._columns[name] = np.ascontiguousarray(self._allocations.table[name])
        column = self._columns[name]
        if not len(column):
            return np.zeros(len(table), column.dtype)
        found: npt.NDArray[Any] = column.take(table["allocation"])
        return found


def _ranges_of(footprint: Footprint) -> npt.NDArray[np.uint64]:
    """Rows of mode, begin, bytes, stride and count; what is read and written is only written."""
    parts = (
        *((Mode.READ, footprint.read), (Mode.ATOMIC, footprint.atomic)),
        (Mode.WRITE, footprint.written),
    )
    return np.concatenate(
        [np.insert(ranges.rows, 0, np.uint64(mode), axis=1) for mode, ranges in parts]
    )


def _fill_noted(table: Table, ranges: npt.NDArray[np.uint64]) -> None:
    """With rows of mode, begin, bytes, stride and count."""
    mode, begin, bytes_, stride, count = ranges.T
    repeated = count > 1
    table["address"] = begin
    table["bytes"] = np.where(repeated, stride * (count - np.uint64(1)) + bytes_, bytes_)
    table["pitch"], table["width"] = np.where(repeated, (stride, bytes_), np.uint64(0))
    table["mode"], table["role"], table["space"] = mode, Role.FOOTPRINT, Space.DEVICE
    table["argument"] = NONE


def _table(block: CallBlock, places: Rows, address: npt.NDArray[np.uint64]) -> Table:
    table = np.zeros(len(places), ACCESS)
    table["operation"] = block.first + places
    table["origin"] = block.seq[places]
    table["address"] = address
    return table


def some(table: Table, chosen: Flags) -> Table:
    found: Table = table.take(np.flatnonzero(chosen))
    return found


Nodes = tuple[Row, ...]


def accesses_of_launches(
    block: CallBlock,
    nodes_of: dict[Row, Nodes],
    pieces: list[Table],
    earlier: AccessTable,
    first_access: np.ndarray[tuple[int], np.dtype[np.int64]],
    builder: AccessBuilder,
) -> dict[Row, Table]:
    """By launch. `pieces` are the accesses of the block, `earlier` those of the blocks before."""
    wanted = {node for nodes in nodes_of.values() for node in nodes}
    own = _by_operation(pieces, sorted(row for row in wanted if row >= block.first))

    def of_node(node: Row) -> Table:
        if node >= block.first:
            return own[node]
        stop = int(first_access[node + 1]) if node + 1 < block.first else len(earlier)
        return earlier.between(int(first_access[node]), stop)

    known = {nodes: _joined([of_node(node) for node in nodes]) for nodes in set(nodes_of.values())}
    return {
        launch: builder.launched(known[nodes], launch, int(block.seq[launch - block.first]))
        for launch, nodes in nodes_of.items()
    }


def _joined(parts: list[Table]) -> Table:
    """As whole rows: NumPy takes its time to compare the fields of each part."""
    rows: Table = np.concatenate([np.empty(0, WHOLE), *(part.view(WHOLE) for part in parts)])
    return rows.view(ACCESS)


def _by_operation(pieces: list[Table], wanted: list[Row]) -> dict[Row, Table]:
    parts = [piece[np.isin(piece["operation"], wanted)] for piece in pieces] if wanted else []
    together = np.concatenate([np.empty(0, ACCESS), *parts])
    together = together[np.argsort(together["operation"], kind="stable")]
    begin = np.searchsorted(together["operation"], wanted, "left")
    end = np.searchsorted(together["operation"], wanted, "right")
    return {row: together[a:b] for row, a, b in zip(wanted, begin, end, strict=True)}
