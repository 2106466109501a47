"""Memory that graphs allocate and free: when it is there, and when it is not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from greta.recording import open_recording
from greta.trace.reading import trace_of
from greta.trace.trace import NONE, Gap, Trace
from tests.recording.writer import ARRAY, Payload
from tests.trace.reading.written import ENTRIES, Written

MEMORY, OTHER, STREAM = 0x7000_0000, 0x7800_0000, 0x900
BYTES = 4096


class Program(Written):
    """Graphs by their numbers; the one that can be launched has a hundred more."""

    nodes = 0x1000

    def __post_init__(self) -> None:
        super().__post_init__()
        self.last: dict[int, int] = {}

    def graph(self, graph: int) -> None:
        self.call("hipGraphCreate", pGraph=graph)

    def allocates(self, graph: int, address: int = MEMORY) -> None:
        params = bytes(104) + BYTES.to_bytes(8, "little") + address.to_bytes(8, "little")
        self._add("hipGraphAddMemAllocNode", graph, structs={"pNodeParams": params})

    def frees(self, graph: int, address: int = MEMORY) -> None:
        self._add("hipGraphAddMemFreeNode", graph, dev_ptr=address)

    def fills(self, graph: int, after: int = 0) -> None:
        params = bytearray(48)
        params[:8], params[8:12] = MEMORY.to_bytes(8, "little"), (1).to_bytes(4, "little")
        params[16], params[40] = 1, 16
        structs = {"pMemsetParams": bytes(params)}
        self._add("hipGraphAddMemsetNode", graph, after, structs=structs)

    def _add(self, call: str, graph: int, after: int = 0, **told: Any) -> None:
        """A node behind the last one of its graph, or behind another."""
        before = after or self.last.get(graph, 0)
        at = [entry.split(":")[0] for entry in ENTRIES[call]].index("pDependencies")
        payloads = [Payload(ARRAY, at, before.to_bytes(8, "little"))] if before else []
        self.nodes += 1
        self.last[graph] = self.nodes
        place: dict[str, Any] = {
            "pGraphNode": self.nodes,
            "graph": graph,
            "numDependencies": int(before > 0),
        }
        self.call(call, payloads=payloads, **place, **told)

    def captures(self, graph: int, *, and_frees: bool = True) -> None:
        self.call("hipStreamBeginCapture", stream=STREAM)
        self.call("hipMallocAsync", dev_ptr=MEMORY, size=BYTES, stream=STREAM)
        self.call("hipMemsetAsync", dst=MEMORY, sizeBytes=BYTES, stream=STREAM)
        if and_frees:
            self.call("hipFreeAsync", dev_ptr=MEMORY, stream=STREAM)
        self.call("hipStreamEndCapture", stream=STREAM, pGraph=graph)

    def instantiate(self, *graphs: int) -> None:
        for graph in graphs:
            self.call("hipGraphInstantiate", pGraphExec=graph + 100, graph=graph)

    def launch(self, *graphs: int) -> None:
        for graph in graphs:
            self.call("hipGraphLaunch", graphExec=graph + 100, stream=STREAM)

    def use(self) -> None:
        self.call("hipMemsetAsync", dst=MEMORY + 8, sizeBytes=16, stream=STREAM)

    def trace(self) -> Trace:
        self.writer.write()
        (process,) = open_recording(self.folder).processes
        return trace_of(process)


def late(trace: Trace) -> list[tuple[str, str]]:
    """Calls that ran and used memory after its end, and the calls that freed it."""
    found = []
    for access in trace.accesses:
        operation = trace.operations[access["operation"]]
        if operation["captured"] or access["allocation"] == NONE:
            continue
        memory = trace.allocations[access["allocation"]]
        if 0 <= memory["freed_at"] < access["operation"]:
            user, freer = (
                trace.describe(int(one)) for one in (operation["seq"], memory["freed_by"])
            )
            found.append((user.name, freer.name))
    return found


@pytest.fixture
def program(tmp_path: Path) -> Program:
    program = Program(tmp_path)
    for graph in (1, 2, 3):
        program.graph(graph)
    return program


FREED_BY_NODE = ("hipMemsetAsync", "hipGraphAddMemFreeNode")


def test_what_a_launch_frees_is_gone_behind_it(program: Program) -> None:
    program.allocates(1)
    program.frees(1)
    program.instantiate(1)
    program.launch(1)
    program.use()
    trace = program.trace()
    assert late(trace) == [FREED_BY_NODE]
    (memory,) = trace.allocations
    assert trace.describe(int(memory["made_by"])).name == "hipGraphAddMemAllocNode"
    freeing = trace.operations[memory["freed_at"]]
    assert trace.calls[freeing["call"]] == "hipGraphLaunch"


def test_memory_that_no_launch_frees_stays(program: Program) -> None:
    program.allocates(1)
    program.frees(2)
    program.instantiate(1, 2)
    program.launch(1)
    program.use()
    assert late(program.trace()) == []


def test_the_next_launch_brings_it_back(program: Program) -> None:
    program.allocates(1)
    program.frees(2)
    program.instantiate(1, 2)
    for _ in range(2):
        program.launch(1)
        program.use()
        program.launch(2)
    assert late(program.trace()) == []


def test_who_comes_between_two_launches_is_late(program: Program) -> None:
    program.allocates(1)
    program.frees(1)
    program.instantiate(1)
    for _ in range(3):
        program.launch(1)
        program.use()
    program.launch(1)
    trace = program.trace()
    assert late(trace) == [FREED_BY_NODE] * 3
    used = trace.accesses["allocation"][trace.accesses["bytes"] == 16]
    launches = [row for row, call in enumerate(trace.operations["call"]) if _launches(trace, call)]
    assert trace.allocations["freed_at"][used].tolist() == launches[:3]


def _launches(trace: Trace, call: int) -> bool:
    return trace.calls[call] == "hipGraphLaunch"


def test_a_graph_within_a_graph_frees(program: Program) -> None:
    program.allocates(1)
    program.frees(2)
    program.call("hipGraphAddChildGraphNode", pGraphNode=0x50, graph=1, childGraph=2)
    program.instantiate(1)
    program.launch(1)
    program.use()
    assert late(program.trace()) == [FREED_BY_NODE]


def test_a_call_frees_what_a_graph_allocated(program: Program) -> None:
    program.allocates(1)
    program.instantiate(1)
    program.launch(1)
    program.use()
    program.call("hipFreeAsync", dev_ptr=MEMORY, stream=STREAM)
    program.launch(1)
    program.use()
    program.call("hipFree", ptr=MEMORY)
    program.use()
    assert late(program.trace()) == [("hipMemsetAsync", "hipFree")]


def test_what_one_graph_gave_back_another_is_given(program: Program) -> None:
    for graph in (1, 2):
        program.allocates(graph)
    program.frees(1)
    program.instantiate(1, 2)
    program.launch(1, 2)
    program.use()
    assert late(program.trace()) == []


def test_memory_that_overlaps_is_the_same(program: Program) -> None:
    program.allocates(1)
    program.frees(1)
    program.allocates(2, MEMORY + 4)
    program.instantiate(1, 2)
    program.launch(1, 2)
    program.use()
    assert late(program.trace()) == []


def test_captured_graphs_take_turns_at_one_address(program: Program) -> None:
    for graph in (4, 5):
        program.captures(graph)
    program.instantiate(4, 5)
    program.launch(4, 5, 4, 5, 4)
    assert late(program.trace()) == []


def test_what_a_captured_free_gave_back_is_gone(program: Program) -> None:
    program.captures(4)
    program.instantiate(4)
    program.use()  # nobody has launched it: not after its end
    program.launch(4, 4)
    program.use()
    assert late(program.trace()) == [("hipMemsetAsync", "hipFreeAsync")]


def test_a_captured_graph_that_frees_nothing_keeps_it(program: Program) -> None:
    program.captures(4, and_frees=False)
    program.instantiate(4)
    program.launch(4)
    program.use()
    assert late(program.trace()) == []


def test_nothing_is_said_where_a_graph_is_not_known(program: Program) -> None:
    """It may have allocated the memory anew."""
    program.allocates(1)
    program.frees(1)
    program.instantiate(1)
    program.launch(1)
    program.call("hipGraphLaunch", graphExec=0x999, stream=STREAM)
    program.use()
    trace = program.trace()
    assert Gap.UNKNOWN_KERNELS in trace.gaps
    assert late(trace) == []


def test_a_node_behind_the_free_of_its_own_graph_is_late(program: Program) -> None:
    program.allocates(1)
    program.fills(1)
    program.frees(1)
    program.fills(1)
    program.instantiate(1)
    program.launch(1, 1)
    assert late(program.trace()) == [("hipGraphLaunch", "hipGraphAddMemFreeNode")] * 2


def test_a_node_beside_the_free_is_not_known_to_be_late(program: Program) -> None:
    program.allocates(1)
    made = program.nodes
    program.frees(1)
    program.fills(1, after=made)
    program.instantiate(1)
    program.launch(1)
    assert late(program.trace()) == []


def test_a_node_before_the_free_is_in_time(program: Program) -> None:
    program.allocates(1)
    program.fills(1)
    program.frees(1)
    program.instantiate(1)
    program.launch(1, 1)
    assert late(program.trace()) == []


def test_other_memory_is_left_alone(program: Program) -> None:
    program.call("hipMalloc", ptr=OTHER, size=BYTES)
    program.allocates(1)
    program.frees(1)
    program.instantiate(1)
    program.launch(1)
    program.call("hipMemsetAsync", dst=OTHER, sizeBytes=BYTES, stream=STREAM)
    assert late(program.trace()) == []
