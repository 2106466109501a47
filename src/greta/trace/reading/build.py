"""From the calls of a process to the tables of a trace: one pass, a block of calls at a time."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from greta.recording import ORDINARY, HostWait, LiveKind, Process, Step, can_fail, on_own_stream
from greta.recording.ledger import devices_at
from greta.trace.reading import waits
from greta.trace.reading.access_table import AccessTable
from greta.trace.reading.allocations import Allocations
from greta.trace.reading.block import Block, Group, Rows, alike
from greta.trace.reading.call_rows import CallRows, has_word
from greta.trace.reading.graphs import GraphCall, Graphs
from greta.trace.reading.launched_graphs import accesses_of_launches
from greta.trace.reading.lives import DEVICES
from greta.trace.reading.meanings import Meaning, meaning_of
from greta.trace.reading.names import Names, are_any_of
from greta.trace.reading.numbered import Numbered
from greta.trace.reading.ranges import WordName
from greta.trace.reading.streams import Streams
from greta.trace.reading.touches import Toucher
from greta.trace.trace import NONE, OPERATION, Kind, Row, Table, Waits

BLOCK_ROWS = 1 << 15  # whose records fit the caches of a CPU


class TraceBuilder:
    """Fills the tables."""

    def __init__(self, process: Process, *, kernels: bool = True) -> None:
        self._process = process
        self._entries = process.tables.calls
        self._meanings = _understood(process)
        self.allocations = Allocations(process)
        self.streams = Streams(process)
        self.graphs = Graphs()
        self.accesses = AccessTable()
        self.touches = Toucher(
            *(self.allocations, process.tables), kernels=kernels, all_known=not process.dropped
        )
        self.calls = Names({id_: process.tables.call_name(id_) for id_ in process.calls_by_id})
        self.kernels = Names({id_: kernel.name for id_, kernel in process.tables.kernels.items()})
        self._events = Numbered(process, LiveKind.EVENT)
        self._execs = Numbered(process, LiveKind.GRAPH_EXEC)
        self._serialized = waits.serialized(process.tables.environment)
        self._rows = self._kept_rows()
        self.operations = np.zeros(len(self._rows), OPERATION)

    def build(self) -> None:
        """Go through all calls."""
        devices = self._devices()
        for first in range(0, len(self._rows), BLOCK_ROWS):
            chosen = slice(first, first + BLOCK_ROWS)
            self._add(self._block(first, self._rows[chosen], devices[chosen]))
        self.allocations.settle(self.operations)

    def _devices(self) -> Rows:
        """The device of each call's thread; NONE if the call that set it may be lost."""
        process = self._process
        cut = {lane.facts.number for lane in process.lanes if lane.overwritten}
        devices = devices_at(process.columns, process.tables, self._rows, cut)
        seen = {entry.device for entry in process.live.entries} | set(np.unique(devices).tolist())
        if seen <= {NONE, 0}:
            devices[:] = 0  # nobody ever set another one
        return np.clip(devices, NONE, DEVICES.stop - 1)

    # --- which calls ------------------------------------------------------------------------------

    def _kept_rows(self) -> Rows:
        """Calls with a meaning, and all others that failed or did not return."""
        columns, entries = self._process.columns, self._entries.items()
        may_fail = [i for i, e in entries if can_fail(e.name) and e.name.startswith("hip")]
        wrong = ~columns.finished | ~_ordinary(columns.result)
        kept = are_any_of(columns.call, self._meanings)
        return np.flatnonzero(kept | (wrong & are_any_of(columns.call, may_fail)))

    def _block(self, first: Row, rows: Rows, devices: Rows) -> Block:
        columns = self._process.columns
        return Block(
            rows=rows,
            records=columns.records(rows),
            first=first,
            operations=self.operations[first : first + len(rows)],
            devices=devices,
            threads=columns.lane_place[rows].astype(np.int64),
            seq=rows + 1,
        )

    def _groups(self, block: Block) -> Iterator[Group]:
        call = block.records["call"]
        for places in alike(call):
            id_ = int(call[places[0]])
            meaning = self._meanings.get(id_)
            if meaning is not None:
                entry, columns = self._entries[id_], self._process.columns
                calls = CallRows(columns, entry, block.rows[places], block.records.take(places))
                yield Group(places, calls, meaning, on_own_stream(entry.name))

    # --- a block of calls -------------------------------------------------------------------------

    def _add(self, block: Block) -> None:
        self._fill_common(block)
        groups = list(self._groups(block))
        pieces: list[Table] = []
        for group in groups:
            self._fill_handles(block, group)
            pieces += self.touches.accesses_of(block, group)
            self._settle(block, group)
        self._add_accesses(block, pieces, self._of_graphs(block, groups, pieces))

    def _fill_common(self, block: Block) -> None:
        records, operations, clock = block.records, block.operations, self._process.clock
        finished = (records["flags"] & 1).astype(bool)
        operations["seq"] = block.seq
        operations["finished"] = finished
        operations["failed"] = finished & ~_ordinary(records["result"])
        operations["result"] = records["result"]
        operations["thread"] = block.threads
        operations["device"] = block.devices
        operations["call"] = self.calls.places(records["call"])
        operations["kernel"] = self.kernels.places(records["kernel"])
        operations["begin"] = clock.ns(records["begin"])
        operations["end"] = np.where(finished, clock.ns(records["end"]), 0)
        for name in ("stream", "event", "allocation", "start_event"):
            operations[name] = NONE

    def _fill_handles(self, block: Block, group: Group) -> None:
        places, meaning, operations = group.places, group.meaning, block.operations
        operations["kind"][places] = meaning.kind
        if meaning.kind is Kind.STREAM_CREATE:
            operations["stream"][places] = self.streams.made_by(block.seq[places])
        elif meaning.stream or meaning.enqueues:
            self._fill_stream(block, group)
        for column, name in (("event", meaning.event), ("start_event", meaning.does.voids)):
            if name and has_word(group.calls.entry, name):
                found = self._events.find(group.calls.word(name), block.seq[places])
                operations[column][places] = found
        if meaning.graph is not None and meaning.graph.step is Step.LAUNCH:
            handles = group.calls.word(meaning.graph.graph)
            operations["event"][places] = self._execs.find(handles, block.seq[places])
        if meaning.kind is Kind.ALLOCATE:
            operations["allocation"][places] = self.allocations.made_by(block.seq[places])

    def _fill_stream(self, block: Block, group: Group) -> None:
        places, meaning = group.places, group.meaning
        none = np.zeros(len(places), np.uint64)
        rows = self.streams.find(
            group.calls.word(meaning.stream) if meaning.stream else none,
            block.seq[places],
            block.devices[places],
            block.threads[places],
            per_thread=group.per_thread,
        )
        if meaning.stream:
            rows[group.calls.lack(meaning.stream)] = NONE
        block.operations["stream"][places] = rows
        known = np.append(self.streams.devices, NONE)[rows]
        block.operations["device"][places] = np.where(known == NONE, block.devices[places], known)

    def _settle(self, block: Block, group: Group) -> None:
        """What is true of all calls of a group, whatever they touch."""
        places, meaning, operations = group.places, group.meaning, block.operations
        if meaning.wait is HostWait.FOR_DEVICE:
            operations["waits"][places] = Waits.FOR_DEVICE
        if meaning.kind in self._serialized:
            operations["waits"][places] = Waits.FOR_IT
        if meaning.node_only:
            operations["captured"][places], operations["waits"][places] = True, Waits.NO

    def _of_graphs(
        self, block: Block, groups: list[Group], pieces: list[Table]
    ) -> dict[Row, Table]:
        calls = list(_graph_calls(block, groups))
        launches = self.graphs.follow(block.operations, block.first, calls)
        nodes_of = {launch: self.graphs.nodes_of_launch(launch) for launch in launches}
        first_access = self.operations["first_access"]
        return accesses_of_launches(
            block, nodes_of, pieces, self.accesses, first_access, self.allocations
        )

    def _add_accesses(self, block: Block, pieces: list[Table], graphs: dict[Row, Table]) -> None:
        counts = np.zeros(len(block.rows), np.int64)
        for piece in pieces:
            counts[piece["operation"] - block.first] += 1
        for launch, touched in graphs.items():
            counts[launch - block.first] = len(touched)
        starts = len(self.accesses) + np.cumsum(counts) - counts
        block.operations["first_access"] = starts
        self.accesses.add(pieces, counts, block.first)
        for launch, touched in graphs.items():
            first = int(starts[launch - block.first])
            self.accesses.between(first, first + len(touched))[:] = touched


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


def _graph_calls(block: Block, groups: list[Group]) -> Iterator[GraphCall]:
    """The calls of a block that change or launch graphs, those that succeeded."""
    finished, failed = block.operations["finished"], block.operations["failed"]
    for group in groups:
        rule = group.meaning.graph
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
    """Of each call the nodes in one of its arrays."""
    if not name:
        return [()] * len(group.places)
    return group.calls.array(name, "numDependencies")
