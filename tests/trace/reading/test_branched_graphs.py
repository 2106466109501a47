"""States of graphs with branches: each is kept once, and the program may not make too many."""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeAlias

import pytest

from greta.trace.reading import graph_nodes
from greta.trace.trace import Gap
from tests.recording.writer import ARRAY, Payload
from tests.trace.reading.shown import Shown
from tests.trace.reading.written import ENTRIES, Written

DEVICE, GRAPH, OTHER_GRAPH, EXEC, NODE = 0x7000_0000, 0x41, 0x42, 0x51, 0x1000
MOST = 4
Facts: TypeAlias = dict[str, Any]


@pytest.fixture
def written(tmp_path: Path) -> Written:
    written = Written(tmp_path)
    written.call("hipMalloc", ptr=DEVICE, size=4096)
    return written


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(graph_nodes, "MOST_STATES", MOST)


def build(written: Written, graph: int, *nodes: int, bytes_: int = 16) -> None:
    """Copies that do not wait for each other."""
    written.call("hipGraphCreate", pGraph=graph)
    for node in nodes:
        where: Facts = {"dst": DEVICE, "src": DEVICE + 2048, "count": bytes_}
        written.call("hipGraphAddMemcpyNode1D", graph=graph, pGraphNode=node, **where)


def instantiate(written: Written, graph: int, exec_: int = EXEC) -> None:
    written.call("hipGraphInstantiate", pGraphExec=exec_, graph=graph)


def told_and_launched(written: Written, times: int, nodes: int = 2) -> Shown:
    """Before each launch one of the nodes is told something else."""
    build(written, GRAPH, *range(NODE, NODE + nodes))
    instantiate(written, GRAPH)
    for turn in range(times):
        told: Facts = {"hGraphExec": EXEC, "node": NODE + turn % nodes}
        where: Facts = {"dst": DEVICE, "src": DEVICE + 1024, "count": 1 + turn}
        written.call("hipGraphExecMemcpyNodeSetParams1D", **told, **where)
        written.call("hipGraphLaunch", graphExec=EXEC)
    return written.shown()


def test_each_change_makes_a_state(written: Written) -> None:
    shown = told_and_launched(written, MOST)
    launches = [one.number for one in shown.calls("hipGraphLaunch")]
    assert [graph.launch for graph in shown.trace.branched_graphs] == launches
    assert shown.trace.graphs_left_off == 0


def test_of_too_many_states_the_rest_is_counted_and_not_looked_at(
    written: Written, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[graph_nodes.Nodes] = []

    before = graph_nodes.branches_of

    def branches_of(nodes: graph_nodes.Nodes) -> object:
        looked.append(nodes)
        return before(nodes)

    monkeypatch.setattr(graph_nodes, "branches_of", branches_of)
    shown = told_and_launched(written, MOST + 3)
    assert len(shown.trace.branched_graphs) == len(looked) == MOST
    assert shown.trace.graphs_left_off == 3
    sizes = [[one.bytes for one in launch.touched] for launch in shown.calls("hipGraphLaunch")]
    assert sizes[-1] == [7, 7, 6, 6]  # what it touches is known all the same


def test_a_chain_may_change_as_often_as_it_likes(written: Written) -> None:
    trace = told_and_launched(written, MOST + 3, nodes=1).trace
    assert (trace.branched_graphs, trace.graphs_left_off) == ((), 0)


def test_a_state_that_comes_again_is_known(written: Written) -> None:
    build(written, GRAPH, NODE, NODE + 1)
    instantiate(written, GRAPH)
    for turn in range(3 * MOST):
        switched: Facts = {"hGraphExec": EXEC, "hNode": NODE, "isEnabled": turn % 2}
        written.call("hipGraphNodeSetEnabled", **switched)
        written.call("hipGraphLaunch", graphExec=EXEC)
    trace = written.shown().trace
    assert (len(trace.branched_graphs), trace.graphs_left_off) == (2, 0)


def test_an_executable_graph_outlives_the_graph_it_was_made_of(written: Written) -> None:
    build(written, GRAPH, NODE, NODE + 1)
    instantiate(written, GRAPH)
    written.call("hipGraphDestroy", graph=GRAPH)
    told: Facts = {
        "hGraphExec": EXEC,
        "node": NODE,
        "dst": DEVICE,
        "src": DEVICE + 1024,
        "count": 5,
    }
    written.call("hipGraphExecMemcpyNodeSetParams1D", **told)
    written.call("hipGraphLaunch", graphExec=EXEC)
    shown = written.shown()
    assert [one.bytes for one in shown.call("hipGraphLaunch").touched] == [5, 5, 16, 16]
    assert not shown.trace.gaps


@pytest.mark.parametrize("destroyed", [True, False])
def test_the_handle_of_a_node_that_has_gone_may_be_that_of_another(
    written: Written, destroyed: bool
) -> None:
    """Where the graph has gone, its handle may be that of the captured node. Else it is not."""
    build(written, GRAPH, NODE)
    if destroyed:
        written.call("hipGraphDestroy", graph=GRAPH)
    stream = 0x900
    written.call("hipStreamBeginCapture", stream=stream)
    written.call("hipMemcpyAsync", dst=DEVICE, src=DEVICE + 2048, sizeBytes=32, stream=stream)
    written.call("hipStreamEndCapture", stream=stream, pGraph=OTHER_GRAPH)
    told: Facts = {"node": NODE, "dst": DEVICE, "src": DEVICE + 1024, "count": 5}
    written.call("hipGraphMemcpyNodeSetParams1D", **told)
    instantiate(written, OTHER_GRAPH)
    written.call("hipGraphLaunch", graphExec=EXEC)
    launch = written.shown().call("hipGraphLaunch")
    assert {one.bytes for one in launch.touched} == {5 if destroyed else 32}


def test_a_graph_that_has_gone_cannot_be_made_ready(written: Written) -> None:
    build(written, GRAPH, NODE)
    written.call("hipGraphDestroy", graph=GRAPH)
    instantiate(written, GRAPH)
    written.call("hipGraphLaunch", graphExec=EXEC)
    shown = written.shown()
    assert Gap.UNKNOWN_KERNELS in shown.trace.gaps
    assert shown.call("hipGraphLaunch").touched == ()


def test_a_new_graph_of_the_same_handle_owns_only_its_own_nodes(written: Written) -> None:
    """The call that destroyed the first may not have been recorded."""
    build(written, GRAPH, NODE)
    build(written, GRAPH, NODE + 1)
    told: Facts = {"node": NODE, "dst": DEVICE, "src": DEVICE + 1024, "count": 5}
    written.call("hipGraphMemcpyNodeSetParams1D", **told)
    instantiate(written, GRAPH)
    written.call("hipGraphLaunch", graphExec=EXEC)
    assert {one.bytes for one in written.shown().call("hipGraphLaunch").touched} == {16}


@pytest.mark.parametrize("seen", [True, False])
def test_a_graph_whose_dependencies_nobody_saw_is_counted(written: Written, seen: bool) -> None:
    build(written, GRAPH, NODE, NODE + 1)
    if not seen:
        written.call("hipGraphRemoveDependencies", graph=GRAPH, numDependencies=1)
    instantiate(written, GRAPH)
    written.call("hipGraphLaunch", graphExec=EXEC)
    trace = written.shown().trace
    assert (len(trace.branched_graphs), trace.graphs_left_off) == ((1, 0) if seen else (0, 1))


def test_what_depended_on_a_node_that_was_removed_depends_on_it_no_more(written: Written) -> None:
    build(written, GRAPH, NODE)
    names = [entry.split(":")[0] for entry in ENTRIES["hipGraphAddMemcpyNode1D"]]
    nodes = Payload(ARRAY, names.index("pDependencies"), NODE.to_bytes(8, "little"))
    after: Facts = {"numDependencies": 1, "payloads": [nodes]}
    where: Facts = {"dst": DEVICE, "src": DEVICE + 2048, "count": 16}
    for node in (NODE + 1, NODE + 2):
        written.call("hipGraphAddMemcpyNode1D", graph=GRAPH, pGraphNode=node, **where, **after)
    written.call("hipGraphDestroyNode", node=NODE)
    instantiate(written, GRAPH)
    written.call("hipGraphLaunch", graphExec=EXEC)
    trace = written.shown().trace
    assert [[node.after for node in graph.nodes] for graph in trace.branched_graphs] == [[(), ()]]
    assert trace.graphs_left_off == 0


def test_the_branches_of_a_graph_within_a_graph_are_looked_at(written: Written) -> None:
    build(written, OTHER_GRAPH, NODE, NODE + 1)
    build(written, GRAPH)
    added: Facts = {"pGraphNode": NODE + 2, "childGraph": OTHER_GRAPH}
    written.call("hipGraphAddChildGraphNode", graph=GRAPH, **added)
    instantiate(written, GRAPH)
    written.call("hipGraphLaunch", graphExec=EXEC)
    (graph,) = written.shown().trace.branched_graphs
    assert [len(node.rows) for node in graph.nodes] == [1, 1]


def test_a_graph_that_was_launched_into_a_capture_is_one_within_another(written: Written) -> None:
    build(written, GRAPH, NODE, NODE + 1)
    instantiate(written, GRAPH)
    stream = 0x900
    written.call("hipStreamBeginCapture", stream=stream)
    written.call("hipGraphLaunch", graphExec=EXEC, stream=stream)
    written.call("hipStreamEndCapture", stream=stream, pGraph=OTHER_GRAPH)
    instantiate(written, OTHER_GRAPH, EXEC + 1)
    written.call("hipGraphLaunch", graphExec=EXEC + 1)
    shown = written.shown()
    (graph,) = shown.trace.branched_graphs
    assert graph.launch == shown.calls("hipGraphLaunch")[1].number
    assert len(shown.calls("hipGraphLaunch")[1].touched) == 4
