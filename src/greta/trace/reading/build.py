"""From the calls of a process to the tables of a trace: one pass, a block of calls at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Final, TypeVar

import numpy as np
import numpy.typing as npt

from greta.errors import UsageError
from greta.large_arrays import large_array
from greta.reading_library import CallColumns, check_layout, fill_operations
from greta.recording import (
    ORDINARY,
    PART_LAUNCHED,
    TELLS_OF_OTHERS,
    HostWait,
    LiveKind,
    Missing,
    Process,
    Step,
    can_fail,
    effects_of,
    on_own_stream,
)
from greta.recording.columns import CallsRead, are_any_of
from greta.recording.header import FARTHEST_NS
from greta.recording.identities import CurrentDevices
from greta.recording.lanes import Scan
from greta.trace import waits
from greta.trace._tables import CHECKSUM
from greta.trace.device_errors import STICKY
from greta.trace.memory_history import MemoryHistory
from greta.trace.reading.accesses import AccessBuilder, AccessTable, accesses_of_launches
from greta.trace.reading.allocations import Allocations
from greta.trace.reading.blocks import AnnouncedBlocks, announced_blocks
from greta.trace.reading.calls import (
    CallBlock,
    CallRows,
    Continuations,
    Group,
    Names,
    Rows,
    has_word,
)
from greta.trace.reading.graph_memory import end_graph_memory
from greta.trace.reading.graphs import GraphCall, Graphs
from greta.trace.reading.handles import DEVICES, Numbered, StreamTable
from greta.trace.reading.meanings import Meaning, WordName, meaning_of
from greta.trace.trace import NONE, OPERATION, Gap, Kind, Row, Table, Waits


def gaps_of(process: Process, unknown_kernels: int, graphs: Graphs | None) -> dict[Gap, str]:
    gaps = _of_the_recording(process)
    missing = _missing(process)
    unknown_graphs, unfollowed = (graphs.unknown, graphs.with_events.left_off) if graphs else (0, 0)
    unknown_kernels += missing[Missing.KERNELS]
    if unknown_kernels or unknown_graphs:
        texts = [f"{unknown_kernels} launches"] if unknown_kernels else []
        texts += [f"{unknown_graphs} graph launches or changed nodes"] if unknown_graphs else []
        gaps[Gap.UNKNOWN_KERNELS] = ", ".join(texts)
    nodes = missing[Missing.NODE]
    if other := missing[Missing.ORDER] + nodes + unfollowed:
        gaps[Gap.NO_ORDER] = f"{other} calls that order work by other means than events"
    if lists := missing[Missing.MEMORY] + nodes + _array_copies(process):
        gaps[Gap.NO_ADDRESSES] = f"{lists} copies of arrays or of lists that are not kept"
    return gaps


def _missing(process: Process) -> Counter[Missing]:
    """How many calls a recording does not keep all of, by what it does not keep."""
    counts: Counter[Missing] = Counter()
    for name, count in process.calls_by_name.items():
        does = effects_of(name)
        if does is not None and does.missing is not None:
            counts[does.missing] += count
    counts[Missing.KERNELS] += _without_parts(process)
    return counts


def _without_parts(process: Process) -> int:
    """How many launches on several devices do not tell their parts, as in older recordings.

    A list that HIP refused launched nothing.
    """
    columns, entries = process.columns, process.tables.calls
    names = {id_: effects_of(entry.name) for id_, entry in entries.items()}
    rows = columns.rows_of([id_ for id_, does in names.items() if does and does.parts])
    if not len(rows):
        return 0
    told: list[npt.NDArray[np.uint64]] = [np.zeros(0, np.uint64)]
    for id_, entry in entries.items():
        if entry.name == PART_LAUNCHED and has_word(entry, "call"):
            parts = columns.rows_of([id_])
            told.append(CallRows(columns, entry, parts, columns.records(parts)).word("call"))
    launched = np.isin(columns.result[rows], (0, *STICKY))
    launched &= ~np.isin(columns.begin_ticks[rows], np.concatenate(told))
    return int(np.count_nonzero(launched))


def _array_copies(process: Process) -> int:
    """How many copies have an array for one of their sides, which is no memory with an address."""
    count = 0
    for id_ in process.calls_by_id.keys() & process.tables.calls.keys():
        entry = process.tables.calls[id_]
        does = effects_of(entry.name)
        names = [one for one in does.arrays if has_word(entry, one)] if does else []
        if names:
            rows = process.columns.rows_of([id_])
            calls = CallRows(process.columns, entry, rows, process.columns.records(rows))
            sides = np.array([calls.word(name) != 0 for name in names])
            count += int(sides.any(axis=0).sum())
    return count


def _of_the_recording(process: Process) -> dict[Gap, str]:
    gaps: dict[Gap, str] = {}
    if not len(process):
        gaps[Gap.NO_RECORDING] = "no calls"
    if process.ending.how == "open":
        gaps[Gap.CUT_SHORT] = "it was killed, or is still running"
    elif process.ending.survived:
        gaps[Gap.CUT_SHORT] = f"it went on after signal {process.ending.code}"
    if process.overwritten:
        gaps[Gap.OVERWRITTEN] = f"{process.overwritten} records"
    if process.header.dropped or process.header.gave_up:
        dropped = process.header.dropped
        gaps[Gap.DROPPED] = f"{dropped} calls" if dropped else "the recorder gave up"
    if len(libraries := process.tables.process.hip_libraries) > 1:
        gaps[Gap.TWO_RUNTIMES] = ", ".join(libraries)
    if bypassed_by := process.tables.process.bypassed_by:
        gaps[Gap.BYPASSED] = ", ".join(bypassed_by)
    if process.problems:
        more = f", and {len(process.problems) - 1} more" if len(process.problems) > 1 else ""
        gaps[Gap.DAMAGED] = process.problems[0] + more
    return gaps


BLOCK_ROWS = 1 << 17  # whose records fit the caches of a CPU


_COUNTED: Final = (Kind.COPY, Kind.FILL, Kind.LAUNCH, Kind.OTHER)


class TraceBuilder:
    def __init__(
        self,
        process: Process,
        *,
        kernels: bool = True,
        order: bool = True,
        history: MemoryHistory | None = None,
    ) -> None:
        check_layout(CHECKSUM)
        _check_count(len(process))
        self._process = process
        self._entries = process.tables.calls
        self._reads_kernels = kernels
        self._meanings = _understood(process)
        self.graphs = Graphs() if any(m.does.graph for m in self._meanings.values()) else None
        """None of most programs, which use no graphs."""
        if not order and self.graphs is None:
            # Graphs take up what their streams and events say; else these only order work.
            self._meanings = {i: m for i, m in self._meanings.items() if m.kind in _COUNTED}
        self.allocations = Allocations(process)
        self.blocks = AnnouncedBlocks(announced_blocks(process, history), self.allocations)
        self.streams = StreamTable(process)
        self.accesses = AccessTable()
        self.access_builder = AccessBuilder(
            self.allocations,
            self.blocks,
            process.tables,
            process.footprints() if kernels else (),
            kernels=kernels,
            all_known=not process.dropped,
        )
        self.calls = Names({id_: process.tables.call_name(id_) for id_ in process.calls_by_id})
        self.kernels = Names({id_: kernel.name for id_, kernel in process.tables.kernels.items()})
        self._events = Numbered(process, LiveKind.EVENT)
        self._shared_events = shared_events(process, self._events)
        self.shared_records: list[Row] = []
        self._execs = Numbered(process, LiveKind.GRAPH_EXEC)
        self._serialized = waits.serialized(process.tables.environment)
        self._cut = {lane.facts.number for lane in process.lanes if lane.overwritten}
        self._devices = CurrentDevices(process.columns, process.tables, self._cut)
        self._rows = self._kept_rows()
        self.operations = large_array(len(self._rows), OPERATION)

    def build(self) -> None:
        is_first_device = self._is_first_device()
        for block, groups in one_ahead(self._blocks(is_first_device)):
            self._add(block, groups)
        self.allocations.settle(self.operations, self._rows)
        self.blocks.settle(self.operations)
        if self.graphs is not None and self.graphs.memory and not self.graphs.unknown:
            accesses = self.accesses.finished()
            end_graph_memory(self.allocations, self.operations, accesses, self.graphs.memory)

    def _is_first_device(self) -> bool:
        """Nobody ever set another device; where the call that did may be lost, that matters."""
        if not self._cut:
            return False
        seen = {entry.device for entry in self._process.live.entries}
        return seen | set(np.unique(self._devices.at(self._rows)).tolist()) <= {NONE, 0}

    # --- which calls ------------------------------------------------------------------------------

    def _kept_rows(self) -> Rows:
        """Calls with a meaning, and all others that failed or did not return."""
        entries = self._entries.items()
        may_fail = [i for i, e in entries if can_fail(e.name) and e.name.startswith("hip")]
        may_tell = [i for i, e in entries if e.name in TELLS_OF_OTHERS]

        def is_kept(scan: Scan) -> npt.NDArray[np.bool_]:
            wrong = ~scan.finished | ~_ordinary(scan.result)
            kept = are_any_of(scan.call, self._meanings)
            if not wrong.any():
                return kept
            told = are_any_of(scan.call, may_tell) & np.isin(scan.result, STICKY)
            return kept | (wrong & are_any_of(scan.call, may_fail)) | told

        rows = self._process.columns.rows_where(is_kept)
        return self._without_repeated(rows, may_tell) if may_tell else rows

    def _without_repeated(self, rows: Rows, may_tell: list[int]) -> Rows:
        """Of hipGetLastError and its kin only one that is the first to tell of a fault.

        Of a launch by <<<...>>> the program may see no other call fail.
        """
        columns = self._process.columns
        told = are_any_of(columns.scanned("call", rows), may_tell)
        if not told.any():
            return rows
        failed = columns.scanned("finished", rows)
        failed &= np.isin(columns.scanned("result", rows), STICKY)
        told[int(failed.argmax())] = False
        return rows[~told]

    def _blocks(self, is_first_device: bool) -> Iterator[tuple[CallBlock, list[Group]]]:
        """All calls, with what has to be read of them from the files, and what that says."""
        for first in range(0, len(self._rows), BLOCK_ROWS):
            rows = self._rows[first : first + BLOCK_ROWS]
            devices = np.zeros(len(rows), np.int64) if is_first_device else self._devices.at(rows)
            block = self._block(first, rows, np.clip(devices, NONE, DEVICES.stop - 1))
            read = self._process.columns.by_call(rows)
            self._fill_common(block, read)
            groups = list(self._groups(block, read))
            for group in groups:
                self._fill_handles(block, group)
            yield block, groups

    def _block(self, first: Row, rows: Rows, devices: Rows) -> CallBlock:
        columns = self._process.columns
        return CallBlock(
            rows=rows,
            first=first,
            operations=self.operations[first : first + len(rows)],
            devices=devices,
            threads=columns.lane_place[rows].astype(np.int64),
            seq=rows + 1,
        )

    def _groups(self, block: CallBlock, read: CallsRead) -> Iterator[Group]:
        call = np.ascontiguousarray(read.records["call"])
        borders = np.flatnonzero(call[1:] != call[:-1]) + 1
        for first, stop in pairwise((0, *borders.tolist(), len(call))):
            id_ = int(call[first])
            meaning = self._meanings.get(id_)
            if meaning is not None:
                entry, places = self._entries[id_], read.order[first:stop]
                begin, end = np.searchsorted(read.owner, (first, stop))
                following = Continuations(
                    stop - first, read.owner[begin:end] - first, read.parts[begin:end]
                )
                calls = CallRows(
                    self._process.columns, entry, block.rows[places], read.records[first:stop]
                )
                calls.take_continuations(following)
                yield Group(places, calls, meaning, on_own_stream(entry.name))

    # --- a block of calls -------------------------------------------------------------------------

    def _add(self, block: CallBlock, groups: list[Group]) -> None:
        pieces: list[Table] = []
        for group in groups:
            pieces += self.access_builder.accesses_of(block, group)
            self._settle(block, group)
        if self.graphs is not None:
            pieces += self._of_graphs(self.graphs, block, groups, pieces).values()
        starts = self.accesses.add(pieces, block.first, len(block.rows))
        _check_count(len(self.accesses))
        block.operations["first_access"] = starts

    def _fill_common(self, block: CallBlock, read: CallsRead) -> None:
        clock, names = self._process.clock, (self.calls.ids, self.kernels.ids)
        of_rows = block.seq, block.threads, block.devices
        columns = CallColumns(read.records, read.order, *of_rows, *names)
        times = clock.start_ticks, clock.ns_per_tick, FARTHEST_NS
        fill_operations(block.operations, columns, *times)

    def _fill_handles(self, block: CallBlock, group: Group) -> None:
        places, meaning, operations = group.places, group.meaning, block.operations
        operations["kind"][places] = meaning.kind
        if meaning.kind is Kind.STREAM_CREATE:
            operations["stream"][places] = self.streams.made_by(block.seq[places])
        elif meaning.does.stream or meaning.enqueues:
            self._fill_stream(block, group)
        for column, name in (("event", meaning.event), ("start_event", meaning.does.voids)):
            if name and has_word(group.calls.entry, name):
                found = self._events.find(group.calls.word(name), block.seq[places])
                operations[column][places] = found
                if meaning.kind is Kind.EVENT_RECORD:
                    shared = places[np.isin(found, self._shared_events)]
                    self.shared_records += (block.first + shared).tolist()
        if meaning.does.graph is not None and meaning.does.graph.step is Step.LAUNCH:
            handles = group.calls.word(meaning.does.graph.graph)
            operations["event"][places] = self._execs.find(handles, block.seq[places])
        if meaning.kind is Kind.ALLOCATE:
            operations["allocation"][places] = self.allocations.made_by(block.seq[places])

    def _fill_stream(self, block: CallBlock, group: Group) -> None:
        places, meaning, calls = group.places, group.meaning, group.calls
        named, devices = meaning.does.stream, block.devices[places]
        rows = self.streams.find(
            calls.word(named) if named else np.zeros(len(places), np.uint64),
            block.seq[places],
            devices,
            block.threads[places],
            per_thread=group.per_thread,
        )
        if named and (lacking := calls.lack(named)).any():
            rows[lacking] = NONE
        block.operations["stream"][places] = rows
        known = np.append(self.streams.devices, NONE).take(rows, mode="wrap")
        block.operations["device"][places] = np.where(known == NONE, devices, known)

    def _settle(self, block: CallBlock, group: Group) -> None:
        """What is true of all calls of a group, whatever they access."""
        places, meaning, operations = group.places, group.meaning, block.operations
        if meaning.does.host is HostWait.FOR_DEVICE:
            operations["waits"][places] = Waits.FOR_DEVICE
        if meaning.does.host is HostWait.PERHAPS and meaning.kind is Kind.LAUNCH:
            operations["waits"][places] = Waits.PERHAPS
        if meaning.kind in self._serialized:
            operations["waits"][places] = Waits.FOR_IT
        if meaning.does.is_node:
            operations["captured"][places], operations["waits"][places] = True, Waits.NO

    def _of_graphs(
        self, graphs: Graphs, block: CallBlock, groups: list[Group], pieces: list[Table]
    ) -> dict[Row, Table]:
        calls = list(_graph_calls(block, groups))
        launches = graphs.follow(block.operations, block.first, calls)
        nodes_of = {launch: graphs.nodes_of_launch(launch) for launch in launches}
        first_access = self.operations["first_access"]
        return accesses_of_launches(
            block, nodes_of, pieces, self.accesses, first_access, self.access_builder
        )


def _check_count(rows: int) -> None:
    """The tables number calls and accesses with 32 bits."""
    if rows > np.iinfo(np.int32).max:
        raise UsageError("the recording has more calls than a trace can hold")


_Item = TypeVar("_Item")


def one_ahead(items: Iterator[_Item]) -> Iterator[_Item]:
    """The same items: while one is used, a thread makes the next."""
    with ThreadPoolExecutor(max_workers=1) as beside:
        coming = beside.submit(next, items, None)
        while (item := coming.result()) is not None:
            coming = beside.submit(next, items, None)
            yield item


def shared_events(process: Process, events: Numbered) -> Rows:
    """The events that the process shared with others, or others with it, at any time."""
    found: list[Rows] = [np.empty(0, np.int64)]
    for id_ in process.calls_by_id.keys() & process.tables.calls.keys():
        entry = process.tables.calls[id_]
        does = effects_of(entry.name)
        if does is None or not does.shares or not has_word(entry, does.shares):
            continue
        rows = process.columns.rows_of([id_])
        handles = CallRows(process.columns, entry, rows, process.columns.records(rows)).word(
            does.shares
        )
        # A handle means something from the next call on if this one made it.
        found += [events.find(handles, rows + 1), events.find(handles, rows + 2)]
    shared: Rows = np.unique(np.concatenate(found))
    kept: Rows = shared[shared != NONE]
    return kept


def _understood(process: Process) -> dict[int, Meaning]:
    """The meanings of the calls there are; not of an entry that lacks words, as a damaged one does.

    A process may have made few, and knows some hundred.
    """
    made = process.calls_by_id.keys() & process.tables.calls.keys()
    entries = {id_: process.tables.calls[id_] for id_ in sorted(made)}
    found = {id_: meaning_of(entry.name) for id_, entry in entries.items()}
    return {
        id_: meaning
        for id_, meaning in found.items()
        if meaning and all(has_word(entries[id_], name) for name in meaning.names)
    }


def _ordinary(result: npt.NDArray[np.int32]) -> npt.NDArray[np.bool_]:
    first, second = ORDINARY
    found: npt.NDArray[np.bool_] = (result == first) | (result == second)
    return found


def _graph_calls(block: CallBlock, groups: list[Group]) -> Iterator[GraphCall]:
    """The calls of a block that change or launch graphs, those that succeeded."""
    finished, failed = block.operations["finished"], block.operations["failed"]
    for group in groups:
        rule = group.meaning.does.graph
        if rule is None:
            continue
        # A capture is over even if nothing came of it.
        counts = finished & (~failed | (rule.step is Step.END_CAPTURE))
        columns = [
            group.calls.word(name).tolist() if name else [0] * len(group.places)
            for name in (rule.graph, rule.node, rule.other)
        ]
        edges = [_edges(group, name) for name in (rule.after, rule.before)]
        kinds = [group.meaning.kind] * len(group.places)
        for place, *words in zip(group.places.tolist(), *columns, *edges, kinds, strict=True):
            if counts[place]:
                yield GraphCall(block.first + place, rule.step, *words)


def _edges(group: Group, name: WordName) -> list[tuple[int, ...] | None]:
    if not name:
        return [()] * len(group.places)
    return group.calls.array(name, "numDependencies")
