"""Graphs built by hand: nodes, edges, copies."""

from __future__ import annotations

import ctypes
from pathlib import Path

import pytest

from tests.simdevice.graphs import calls
from tests.simdevice.graphs.calls import add_empty, code, done, hip
from tests.simdevice.graphs.conftest import Kernels


def diamond(graph: int) -> tuple[int, int, int, int]:
    top = add_empty(graph)
    left, right = add_empty(graph, top), add_empty(graph, top)
    return top, left, right, add_empty(graph, left, right)


def test_a_graph_is_created_empty_and_without_flags() -> None:
    graph = int(done(hip.hipGraphCreate(0)))
    assert calls.nodes(graph) == []
    assert calls.edges(graph) == set()
    assert code(hip.hipGraphCreate(1)) == 1
    assert calls.library().hipGraphCreate(None, 0) == 1


def test_a_graph_is_destroyed_once() -> None:
    graph = int(done(hip.hipGraphCreate(0)))
    node = add_empty(graph)
    done(hip.hipGraphDestroy(graph))
    assert code(hip.hipGraphDestroy(graph)) == 401
    assert code(hip.hipGraphDestroy(None)) == 1
    assert calls.raw("hipGraphNodeGetType", node, ctypes.byref(ctypes.c_int())) == 1
    assert calls.library().hipGraphGetNodes(ctypes.c_void_p(graph), None, None) == 1


def test_edges_say_what_nodes_depend_on(graph: int) -> None:
    top, left, right, bottom = diamond(graph)
    assert calls.nodes(graph) == [top, left, right, bottom]
    assert calls.roots(graph) == [top]
    assert calls.edges(graph) == {(top, left), (top, right), (left, bottom), (right, bottom)}
    assert calls.dependencies(bottom) == [left, right]
    assert calls.dependents(top) == [left, right]
    assert calls.dependents(bottom) == calls.dependencies(top) == []


def test_nodes_are_listed_in_an_order_that_respects_edges(graph: int) -> None:
    first, second = add_empty(graph), add_empty(graph)
    done(hip.hipGraphAddDependencies(graph, calls.handles([second]), calls.handles([first]), 1))
    assert calls.nodes(graph) == [second, first]


def test_an_array_too_small_gets_what_fits(graph: int) -> None:
    first, second, _ = add_empty(graph), add_empty(graph), add_empty(graph)
    room = (ctypes.c_void_p * 3)(7, 7, 7)
    count = ctypes.c_size_t(2)
    listing = calls.library().hipGraphGetNodes
    assert listing(ctypes.c_void_p(graph), room, ctypes.byref(count)) == 0
    assert (list(room), count.value) == ([first, second, 7], 2)


def test_an_array_too_large_is_filled_up_with_null(graph: int) -> None:
    node = add_empty(graph)
    room = (ctypes.c_void_p * 3)(7, 7, 7)
    count = ctypes.c_size_t(3)
    listing = calls.library().hipGraphGetNodes
    assert listing(ctypes.c_void_p(graph), room, ctypes.byref(count)) == 0
    assert (list(room), count.value) == ([node, None, None], 1)


def test_edges_need_both_arrays_or_none(graph: int) -> None:
    count = ctypes.c_size_t(1)
    room = (ctypes.c_void_p * 1)()
    listing = calls.library().hipGraphGetEdges
    assert listing(ctypes.c_void_p(graph), room, None, ctypes.byref(count)) == 1
    assert listing(ctypes.c_void_p(graph), None, room, ctypes.byref(count)) == 1
    assert listing(ctypes.c_void_p(graph), None, None, None) == 1


def test_a_new_node_depends_on_nodes_of_its_own_graph_only(graph: int) -> None:
    foreign = add_empty(int(done(hip.hipGraphCreate(0))))
    own = add_empty(graph)
    for nodes in ([foreign], [own, own], [12345]):
        assert code(hip.hipGraphAddEmptyNode(graph, calls.handles(nodes), len(nodes))) == 1
    assert code(hip.hipGraphAddEmptyNode(graph, None, 1)) == 1
    assert code(hip.hipGraphAddEmptyNode(None, None, 0)) == 1
    assert calls.nodes(graph) == [own]


def test_dependencies_can_be_added_later(graph: int) -> None:
    first, second = add_empty(graph), add_empty(graph)
    one, two = calls.handles([first]), calls.handles([second])
    done(hip.hipGraphAddDependencies(graph, one, two, 1))
    assert calls.edges(graph) == {(first, second)}
    assert code(hip.hipGraphAddDependencies(graph, one, two, 1)) == 1, "there already"
    assert code(hip.hipGraphAddDependencies(graph, one, one, 1)) == 1, "a node on itself"
    assert code(hip.hipGraphAddDependencies(graph, None, two, 1)) == 1
    assert code(hip.hipGraphAddDependencies(None, one, two, 1)) == 1
    done(hip.hipGraphAddDependencies(graph, None, None, 0))


def test_dependencies_between_graphs_are_refused(graph: int) -> None:
    foreign = calls.handles([add_empty(int(done(hip.hipGraphCreate(0))))])
    own = calls.handles([add_empty(graph)])
    assert code(hip.hipGraphAddDependencies(graph, foreign, own, 1)) == 1
    assert code(hip.hipGraphAddDependencies(graph, own, foreign, 1)) == 1


def test_a_circle_is_found_at_the_latest_when_instantiating(graph: int) -> None:
    first = add_empty(graph)
    second = add_empty(graph, first)
    done(hip.hipGraphAddDependencies(graph, calls.handles([second]), calls.handles([first]), 1))
    assert code(hip.hipGraphInstantiateWithFlags(graph, 0)) == 1
    assert code(hip.hipGraphInstantiate(graph, 64)) == 1


def test_a_removed_node_takes_its_edges_along(graph: int) -> None:
    top, left, right, bottom = diamond(graph)
    done(hip.hipGraphDestroyNode(left))
    assert calls.nodes(graph) == [top, right, bottom]
    assert calls.edges(graph) == {(top, right), (right, bottom)}
    assert code(hip.hipGraphDestroyNode(left)) == 1
    assert code(hip.hipGraphDestroyNode(None)) == 1


def test_a_clone_goes_its_own_way(graph: int, stream: int, number: int, kernels: Kernels) -> None:
    node = calls.add_kernel(graph, kernels.params("add", number, 1))
    calls.add_kernel(graph, kernels.params("multiply", number, 5), node)
    clone = int(done(hip.hipGraphClone(graph)))
    assert calls.types(clone) == calls.types(graph)
    assert len(calls.edges(clone)) == 1
    assert not set(calls.nodes(clone)) & set(calls.nodes(graph))
    params = kernels.params("add", number, 100)
    done(hip.hipGraphKernelNodeSetParams(node, calls.address_of(params)))
    done(hip.hipGraphDestroy(graph))
    calls.run(clone, stream)
    assert calls.int_at(number) == 5


def test_only_a_live_graph_is_cloned(graph: int) -> None:
    done(hip.hipGraphDestroy(graph))
    assert code(hip.hipGraphClone(graph)) == 1
    assert code(hip.hipGraphClone(None)) == 1


@pytest.mark.parametrize("flags", [0, 1])
def test_a_graph_can_be_drawn(
    graph: int, number: int, kernels: Kernels, tmp_path: Path, flags: int
) -> None:
    node = calls.add_kernel(graph, kernels.params("add", number, 1))
    calls.add_fill(graph, calls.fill_params(number, 0, 1), node)
    path = tmp_path / "graph.dot"
    done(hip.hipGraphDebugDotPrint(graph, str(path).encode(), flags))
    text = path.read_text()
    assert text.startswith("digraph")
    assert "KERNEL" in text
    assert "add" in text
    assert "MEMSET" in text
    assert text.count("->") == 1


def test_a_drawing_needs_a_graph_and_a_place(graph: int, tmp_path: Path) -> None:
    nowhere = str(tmp_path / "missing" / "graph.dot").encode()
    assert code(hip.hipGraphDebugDotPrint(graph, nowhere, 0)) == 304
    assert code(hip.hipGraphDebugDotPrint(None, nowhere, 0)) == 1
    assert calls.library().hipGraphDebugDotPrint(ctypes.c_void_p(graph), None, 0) == 1
