"""Event nodes of graphs, events that processes share, and memory handles, as a trace has them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from greta.errors import UsageError
from greta.trace.reading import graph_nodes
from greta.trace.trace import NONE, Gap, Trace
from tests.recording.writer import ARRAY, Payload
from tests.trace.reading.written import ENTRIES, Written

DEVICE, GRAPH, INNER, EXEC, NODE = 0x7000_0000, 0x41, 0x42, 0x51, 0x1000
EVENT, OTHER_EVENT, STREAM, MEMORY = 0x61, 0x62, 0x900, 0x71
RECORD, WAIT = "hipGraphAddEventRecordNode", "hipGraphAddEventWaitNode"
CHILD, COPY = "hipGraphAddChildGraphNode", "hipGraphAddMemcpyNode1D"
BYTES: dict[str, Any] = {"dst": DEVICE, "src": DEVICE + 2048, "count": 16}


@pytest.fixture
def written(tmp_path: Path) -> Written:
    written = Written(tmp_path)
    written.call("hipMalloc", ptr=DEVICE, size=4096)
    for event in (EVENT, OTHER_EVENT):
        written.call("hipEventCreate", event=event)
    return written


def add(written: Written, call: str, node: int, *after: int, graph: int = GRAPH, **of: Any) -> None:
    names = [entry.split(":")[0] for entry in ENTRIES[call]]
    told = b"".join(one.to_bytes(8, "little") for one in after)
    payloads = [Payload(ARRAY, names.index("pDependencies"), told)] if after else []
    given: dict[str, Any] = {"graph": graph, "pGraphNode": node, "numDependencies": len(after)}
    written.call(call, payloads=payloads, **given, **of)


def relay(written: Written) -> None:
    """A copy, and behind it the record of an event."""
    written.call("hipGraphCreate", pGraph=GRAPH)
    add(written, COPY, NODE, **BYTES)
    add(written, RECORD, NODE + 1, NODE, event=EVENT)


def launched(written: Written, times: int = 1, graph: int = GRAPH) -> Trace:
    written.call("hipGraphInstantiate", pGraphExec=EXEC, graph=graph)
    for _ in range(times):
        written.call("hipGraphLaunch", graphExec=EXEC)
    return written.shown().trace


def events_of(trace: Trace, launch: int = 0) -> list[int]:
    rows = [row for node in trace.event_graphs[launch].nodes for row in node.rows]
    return [int(trace.operations["event"][row]) for row in rows]


def test_every_launch_of_a_graph_with_event_nodes_is_kept(written: Written) -> None:
    relay(written)
    trace = launched(written, times=3)
    assert [[node.after for node in one.nodes] for one in trace.event_graphs] == [[(), (0,)]] * 3
    assert events_of(trace) == [NONE, 0]
    assert Gap.NO_ORDER not in trace.gaps
    assert trace.branched_graphs == ()


def test_a_graph_without_event_nodes_is_not_kept(written: Written) -> None:
    written.call("hipGraphCreate", pGraph=GRAPH)
    add(written, COPY, NODE, **BYTES)
    assert launched(written).event_graphs == ()


@pytest.mark.parametrize("before_launch", [True, False])
def test_an_executable_node_that_is_told_of_another_event(
    written: Written, before_launch: bool
) -> None:
    relay(written)
    written.call("hipGraphInstantiate", pGraphExec=EXEC, graph=GRAPH)
    told: dict[str, Any] = {"hGraphExec": EXEC, "hNode": NODE + 1, "event": OTHER_EVENT}
    if before_launch:
        written.call("hipGraphExecEventRecordNodeSetEvent", **told)
    written.call("hipGraphLaunch", graphExec=EXEC)
    if not before_launch:
        written.call("hipGraphExecEventRecordNodeSetEvent", **told)
    assert events_of(written.shown().trace) == [NONE, int(before_launch)]


def test_the_nodes_of_a_child_graph_stand_in_its_place(written: Written) -> None:
    written.call("hipGraphCreate", pGraph=INNER)
    add(written, WAIT, NODE + 7, graph=INNER, event=EVENT)
    add(written, COPY, NODE + 8, graph=INNER, **BYTES)
    written.call("hipGraphCreate", pGraph=GRAPH)
    add(written, COPY, NODE, **BYTES)
    add(written, CHILD, NODE + 1, NODE, childGraph=INNER)
    add(written, COPY, NODE + 2, NODE + 1, **BYTES)
    (graph,) = launched(written).event_graphs
    assert [node.after for node in graph.nodes] == [(), (0,), (0,), (1, 2)]


def test_without_its_dependencies_the_order_is_not_known(written: Written) -> None:
    relay(written)
    written.call("hipGraphRemoveDependencies", graph=GRAPH, numDependencies=1)
    trace = launched(written)
    assert (trace.event_graphs, Gap.NO_ORDER in trace.gaps) == ((), True)


def test_of_too_many_nodes_the_rest_is_not_followed(
    written: Written, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(graph_nodes, "MOST_PARTS", 4)
    relay(written)
    trace = launched(written, times=3)
    assert len(trace.event_graphs) == 2
    assert Gap.NO_ORDER in trace.gaps


def test_a_node_that_is_added_during_a_capture_is_no_part_of_it(written: Written) -> None:
    """The event that pulls the second stream in is recorded on the first, not by the node."""
    written.call("hipGraphCreate", pGraph=INNER)
    written.call("hipStreamBeginCapture", stream=STREAM)
    written.call("hipEventRecord", event=EVENT, stream=STREAM)
    add(written, RECORD, NODE, graph=INNER, event=EVENT)
    written.call("hipStreamWaitEvent", stream=STREAM + 1, event=EVENT)
    written.call("hipMemsetAsync", dst=DEVICE, sizeBytes=8, stream=STREAM + 1)
    written.call("hipStreamEndCapture", stream=STREAM, pGraph=GRAPH)
    trace = launched(written)
    assert len(trace.accesses_of(len(trace.operations) - 1)) == 1


def test_a_graph_that_is_added_to_itself_again_and_again_is_refused(written: Written) -> None:
    written.call("hipGraphCreate", pGraph=GRAPH)
    add(written, RECORD, NODE, graph=GRAPH, event=EVENT)
    for node in range(NODE + 1, NODE + 64):
        add(written, CHILD, node, childGraph=GRAPH)
    with pytest.raises(UsageError, match="more nodes than can be followed"):
        written.shown()


# --- events of two processes


@pytest.mark.parametrize("call", ["hipIpcGetEventHandle", "hipIpcOpenEventHandle"])
def test_records_of_a_shared_event_are_known(written: Written, call: str) -> None:
    event = EVENT if call == "hipIpcGetEventHandle" else 0x63
    written.call(call, event=event)
    for one in (event, OTHER_EVENT):
        written.call("hipEventRecord", event=one)
        written.call("hipStreamWaitEvent", stream=STREAM, event=one)
    shown = written.shown()
    shared, own = shown.calls("hipEventRecord")
    waits = [int(one.row["event"]) for one in shown.calls("hipStreamWaitEvent")]
    assert shown.trace.shared_records == (shared.number,)
    # Who waits for its own record knows that it is done.
    assert [shared.row["event"], own.row["event"]] == waits
    assert NONE not in waits


# --- memory handles


def stale(written: Written) -> list[tuple[int, int]]:
    found = written.shown().trace.stale_handles
    assert {one.what for one in found} <= {"hipMemGenericAllocationHandle_t"}
    return [(one.seq, one.destroyed_by) for one in found]


def test_memory_that_is_mapped_after_its_release_is_stale(written: Written) -> None:
    written.call("hipMemCreate", handle=MEMORY, size=4096)
    written.call("hipMemRelease", handle=MEMORY)
    written.call("hipMemMap", ptr=DEVICE + 8192, size=4096, handle=MEMORY, result=1)
    assert stale(written) == [(6, 5)]


def test_each_handle_that_was_given_out_takes_a_release_of_its_own(written: Written) -> None:
    written.call("hipMemCreate", handle=MEMORY, size=4096)
    written.call("hipMemRetainAllocationHandle", handle=MEMORY, addr=DEVICE)
    written.call("hipMemRelease", handle=MEMORY)
    written.call("hipMemMap", ptr=DEVICE + 8192, size=4096, handle=MEMORY)
    written.call("hipMemRelease", handle=MEMORY)
    assert stale(written) == []
    written.call("hipMemRelease", handle=MEMORY, result=1)
    assert stale(written) == [(9, 8)]


def test_a_handle_that_is_given_out_again_is_another_one(written: Written) -> None:
    for _ in range(2):
        written.call("hipMemCreate", handle=MEMORY, size=4096)
        written.call("hipMemMap", ptr=DEVICE + 8192, size=4096, handle=MEMORY)
        written.call("hipMemRelease", handle=MEMORY)
    assert stale(written) == []


def test_of_a_node_of_any_kind_neither_memory_nor_order_is_known(written: Written) -> None:
    written.call("hipGraphCreate", pGraph=GRAPH)
    add(written, "hipGraphAddNode", NODE)
    assert {Gap.NO_ORDER, Gap.NO_ADDRESSES} <= set(launched(written).gaps)
