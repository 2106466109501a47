"""Instantiated graphs: launches, updates, and what queued launches keep."""

from __future__ import annotations

import ctypes
import time
from collections.abc import Callable
from typing import Any

import pytest

from tests.simdevice.graphs import calls
from tests.simdevice.graphs.calls import (
    add_empty,
    add_host,
    add_kernel,
    address_of,
    code,
    done,
    held,
    hip,
    instantiate,
    int_at,
    launch,
)
from tests.simdevice.graphs.conftest import Kernels

TOPOLOGY_CHANGED, NODE_TYPE_CHANGED, PARAMETERS_CHANGED = 2, 3, 5

Run = Callable[..., Any]


# --- instantiating and launching


def test_instantiating_takes_a_snapshot(
    graph: int, stream: int, number: int, kernels: Kernels
) -> None:
    node = add_kernel(graph, kernels.params("add", number, 1))
    executable = instantiate(graph)
    params = kernels.params("add", number, 50)
    done(hip.hipGraphKernelNodeSetParams(node, address_of(params)))
    add_kernel(graph, kernels.params("add", number, 100), node)
    launch(executable, stream)
    assert int_at(number) == 1


def test_an_executable_outlives_its_graph(
    graph: int, stream: int, number: int, kernels: Kernels
) -> None:
    add_kernel(graph, kernels.params("add", number, 1))
    executable = instantiate(graph)
    done(hip.hipGraphDestroy(graph))
    launch(executable, stream)
    assert int_at(number) == 1


def test_nodes_run_after_those_they_depend_on(
    graph: int, stream: int, number: int, kernels: Kernels
) -> None:
    last = add_kernel(graph, kernels.params("multiply", number, 10))
    first = add_kernel(graph, kernels.params("add", number, 4))
    done(hip.hipGraphAddDependencies(graph, calls.handles([first]), calls.handles([last]), 1))
    calls.run(graph, stream)
    assert int_at(number) == 40


def test_a_launch_is_one_operation_of_its_stream(
    graph: int, stream: int, number: int, kernels: Kernels
) -> None:
    add_kernel(graph, kernels.params("multiply", number, 10))
    executable = instantiate(graph)
    kernels.launch("add", number, 1, stream)
    launch(executable, stream)
    kernels.launch("add", number, 2, stream)
    launch(executable, stream)
    assert int_at(number) == 120


def test_the_plain_call_instantiates_too(graph: int, stream: int) -> None:
    counter = calls.Counter()
    add_host(graph, counter.address, 1)
    executable, error_node, _log = done(hip.hipGraphInstantiate(graph, 64))
    assert error_node is None
    launch(int(executable), stream)
    done(hip.hipStreamSynchronize(stream))
    assert counter.runs == 1


@pytest.mark.parametrize(("flags", "expected"), [(0, 0), (1, 0), (8, 0), (1 << 20, 1)])
def test_unknown_flags_are_refused(graph: int, flags: int, expected: int) -> None:
    assert code(hip.hipGraphInstantiateWithFlags(graph, flags)) == expected


def test_only_live_graphs_and_executables_are_taken(graph: int, stream: int) -> None:
    executable = instantiate(graph)
    done(hip.hipGraphUpload(executable, stream))
    done(hip.hipGraphDestroy(graph))
    assert code(hip.hipGraphInstantiateWithFlags(graph, 0)) == 1
    assert code(hip.hipGraphInstantiateWithFlags(None, 0)) == 1
    done(hip.hipGraphExecDestroy(executable))
    for handle in (executable, None):
        assert code(hip.hipGraphExecDestroy(handle)) == 1
        assert code(hip.hipGraphLaunch(handle, stream)) == 1
        assert code(hip.hipGraphUpload(handle, stream)) == 1


def test_an_executable_may_be_destroyed_while_a_launch_is_queued(
    graph: int, stream: int, number: int, kernels: Kernels
) -> None:
    add_kernel(graph, kernels.params("add", number, 7))
    executable = instantiate(graph)
    with held(stream):
        launch(executable, stream)
        done(hip.hipGraphExecDestroy(executable))
    assert int_at(number) == 7


def test_a_launch_on_the_default_stream(graph: int, number: int, kernels: Kernels) -> None:
    add_kernel(graph, kernels.params("add", number, 7))
    done(hip.hipGraphLaunch(instantiate(graph), None))
    assert int_at(number) == 7


# --- two launches at once


def test_two_launches_of_one_executable_do_not_overlap(graph: int) -> None:
    hold = calls.Hold()
    add_host(graph, hold.address, 0)
    executable = instantiate(graph)
    with calls.stream(1) as stream, calls.stream(1) as other:
        launch(executable, stream)
        assert hold.entered.acquire(timeout=30)
        launch(executable, other)
        assert not hold.entered.acquire(timeout=0.2)
        assert code(hip.hipStreamQuery(other)) == 600
        hold.release()
        done(hip.hipStreamSynchronize(other))
    assert hold.runs == 2


def test_two_executables_of_one_graph_may_overlap(graph: int) -> None:
    hold = calls.Hold()
    add_host(graph, hold.address, 0)
    with calls.stream(1) as stream, calls.stream(1) as other:
        launch(instantiate(graph), stream)
        assert hold.entered.acquire(timeout=30)
        launch(instantiate(graph), other)
        assert hold.entered.acquire(timeout=30)
        hold.release()


def test_a_launch_on_a_free_stream_waits_for_the_one_on_a_held_stream(graph: int) -> None:
    counter = calls.Counter()
    add_host(graph, counter.address, 0)
    executable = instantiate(graph)
    with calls.stream(1) as stream, calls.stream(1) as other:
        with held(stream):
            launch(executable, stream)
            launch(executable, other)
            time.sleep(0.05)
            assert counter.runs == 0  # the second is behind the first, which is behind the hold
        done(hip.hipStreamSynchronize(other))
    assert counter.runs == 2


# --- updates


class Update:
    """What hipGraphExecUpdate says."""

    def __init__(self, executable: int, graph: int) -> None:
        node, result = ctypes.c_void_p(), ctypes.c_int(-1)
        out = ctypes.byref(node), ctypes.byref(result)
        self.error = calls.raw("hipGraphExecUpdate", executable, graph, *out)
        self.result, self.node = result.value, node.value


def new_graph() -> int:
    return int(done(hip.hipGraphCreate(0)))


def test_an_update_takes_over_parameters(
    graph: int, stream: int, number: int, kernels: Kernels
) -> None:
    add_kernel(graph, kernels.params("add", number, 1))
    executable = instantiate(graph)
    changed = new_graph()
    add_kernel(changed, kernels.params("multiply", number, 3))
    launch(executable, stream)
    update = Update(executable, changed)
    assert (update.error, update.result, update.node) == (0, 0, None)
    launch(executable, stream)
    assert int_at(number) == 3


def test_an_update_from_a_second_capture(stream: int, number: int, kernels: Kernels) -> None:
    graphs = []
    for amount in (1, 10):
        calls.begin(stream)
        done(hip.hipMemsetAsync(number, 0, 4, stream))
        kernels.launch("add", number, amount, stream)
        graphs.append(calls.end(stream))
    executable = instantiate(graphs[0])
    assert Update(executable, graphs[1]).error == 0
    launch(executable, stream)
    assert int_at(number) == 10


def test_queued_launches_keep_what_they_were_launched_with(
    graph: int, stream: int, number: int, kernels: Kernels
) -> None:
    node = add_kernel(graph, kernels.params("add", number, 1))
    executable = instantiate(graph)
    changed = new_graph()
    add_kernel(changed, kernels.params("add", number, 10))
    params = kernels.params("add", number, 100)
    with held(stream):
        launch(executable, stream)
        assert Update(executable, changed).error == 0
        launch(executable, stream)
        done(hip.hipGraphExecKernelNodeSetParams(executable, node, address_of(params)))
        launch(executable, stream)
    assert int_at(number) == 111


def test_an_update_with_more_nodes_fails(graph: int) -> None:
    add_empty(graph)
    executable = instantiate(graph)
    changed = new_graph()
    add_empty(changed, add_empty(changed))
    update = Update(executable, changed)
    assert (update.error, update.result, update.node) == (910, TOPOLOGY_CHANGED, None)


def test_an_update_with_other_edges_fails(graph: int) -> None:
    add_empty(graph, add_empty(graph))
    executable = instantiate(graph)
    changed = new_graph()
    add_empty(changed)
    second = add_empty(changed)
    update = Update(executable, changed)
    assert (update.error, update.result, update.node) == (910, TOPOLOGY_CHANGED, second)


def test_an_update_with_other_types_fails_and_changes_nothing(
    graph: int, stream: int, number: int, kernels: Kernels
) -> None:
    add_empty(graph, add_kernel(graph, kernels.params("add", number, 1)))
    executable = instantiate(graph)
    changed = new_graph()
    first = add_kernel(changed, kernels.params("add", number, 10))
    second = add_host(changed, calls.Counter().address, 0, first)
    update = Update(executable, changed)
    assert (update.error, update.result, update.node) == (910, NODE_TYPE_CHANGED, second)
    launch(executable, stream)
    assert int_at(number) == 1


def test_an_update_cannot_turn_a_copy_around(graph: int, number: int) -> None:
    host = calls.pinned_ints()
    done(hip.hipGraphAddMemcpyNode1D(graph, None, 0, number, host, 4, calls.TO_DEVICE))
    executable = instantiate(graph)
    changed = new_graph()
    node = int(done(hip.hipGraphAddMemcpyNode1D(changed, None, 0, host, number, 4, calls.TO_HOST)))
    update = Update(executable, changed)
    assert (update.error, update.result, update.node) == (910, PARAMETERS_CHANGED, node)


def test_an_update_needs_all_its_arguments(graph: int) -> None:
    executable = instantiate(graph)
    node, result = ctypes.byref(ctypes.c_void_p()), ctypes.byref(ctypes.c_int())
    assert calls.raw("hipGraphExecUpdate", executable, graph, None, result) == 1
    assert calls.raw("hipGraphExecUpdate", executable, graph, node, None) == 1
    assert Update(0, graph).error == 1
    assert Update(executable, 0).error == 1


# --- parameters of single nodes


def test_a_kernel_of_an_executable_can_be_changed(
    graph: int, stream: int, number: int, kernels: Kernels
) -> None:
    node = add_kernel(graph, kernels.params("add", number, 1))
    executable = instantiate(graph)
    params = kernels.params("add", number, 20)
    done(hip.hipGraphExecKernelNodeSetParams(executable, node, address_of(params)))
    launch(executable, stream)
    calls.run(graph, stream)  # the graph itself has not changed
    assert int_at(number) == 21


def test_a_copy_of_an_executable_can_be_changed(graph: int, stream: int, number: int) -> None:
    first, second = calls.device_ints(1), calls.device_ints(2)
    node = int(done(hip.hipGraphAddMemcpyNode1D(graph, None, 0, number, first, 4, calls.ON_DEVICE)))
    executable = instantiate(graph)
    change = hip.hipGraphExecMemcpyNodeSetParams1D
    done(change(executable, node, number, second, 4, calls.ON_DEVICE))
    launch(executable, stream)
    assert int_at(number) == 2
    host = calls.pinned_ints()
    assert code(change(executable, node, number, host, 4, calls.TO_DEVICE)) == 1
    assert code(change(executable, node, number, number, 4, calls.ON_DEVICE)) == 1
    assert code(change(executable, node, number, second, 0, calls.ON_DEVICE)) == 1
    done(change(executable, node, number, first, 4, calls.DEFAULT))


def test_a_fill_of_an_executable_can_be_changed(graph: int, stream: int, number: int) -> None:
    node = calls.add_fill(graph, calls.fill_params(number, 1, 1))
    executable = instantiate(graph)
    params = calls.fill_params(number, 2, 1)
    done(hip.hipGraphExecMemsetNodeSetParams(executable, node, address_of(params)))
    launch(executable, stream)
    assert int_at(number) == 2
    rows = calls.fill_params(calls.device_ints(0, 0), 2, 1, height=2, pitch=4)
    assert code(hip.hipGraphExecMemsetNodeSetParams(executable, node, address_of(rows))) == 1


def test_a_change_names_a_node_of_the_instantiated_graph(
    graph: int, number: int, kernels: Kernels
) -> None:
    empty = add_empty(graph)
    executable = instantiate(graph)
    later = add_kernel(graph, kernels.params("add", number, 1))
    params = kernels.params("add", number, 1)
    for node in (empty, later, None):
        assert code(hip.hipGraphExecKernelNodeSetParams(executable, node, address_of(params))) == 1
    assert code(hip.hipGraphExecKernelNodeSetParams(None, later, address_of(params))) == 1


# --- faults

FAULT_SCRIPT = """
from tests.simdevice.graphs import calls
from tests.simdevice.graphs.conftest import Kernels

hip, kernels, counter = calls.hip, Kernels(), calls.Counter()
memory = calls.device_ints(0)
graph = int(calls.done(hip.hipGraphCreate(0)))
node = calls.add_kernel(graph, kernels.params("add", ADDRESS, 1))
calls.add_host(graph, counter.address, 0, node)
executable = calls.instantiate(graph)
stream = int(calls.done(hip.hipStreamCreate()))
calls.launch(executable, stream)
print(calls.code(hip.hipStreamSynchronize(stream)), counter.runs)
"""


@pytest.mark.parametrize(("address", "expected"), [("memory", "0 1"), ("1 << 44", "700 0")])
def test_a_fault_ends_the_graph(run_script: Run, root: Any, address: str, expected: str) -> None:
    source = f"import sys; sys.path.insert(0, {str(root)!r})\n"
    source += "from greta.hip import choose_device; choose_device()\n"
    finished = run_script(source + FAULT_SCRIPT.replace("ADDRESS", address))
    assert finished.stdout.split() == expected.split(), finished.stderr
