"""The parameters of graph nodes: given, read back, changed."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest

from tests.simdevice.graphs import calls
from tests.simdevice.graphs.calls import KernelParams, add_kernel, address_of, code, done, hip
from tests.simdevice.graphs.conftest import Kernels


def read_kernel_params(node: int) -> KernelParams:
    return calls.read_params("hipGraphKernelNodeGetParams", KernelParams, node)


def argument(
    params: KernelParams, index: int, kind: type[ctypes.c_int] | type[ctypes.c_void_p]
) -> int:
    return int(kind.from_address(params.arguments[index]).value or 0)


# --- kernels


def test_a_kernel_node_gives_back_what_it_was_given(
    graph: int, number: int, kernels: Kernels
) -> None:
    given = calls.kernel_params(
        kernels["add"], ctypes.c_void_p(number), ctypes.c_int(42), grid=3, block=2, shared=16
    )
    params = read_kernel_params(add_kernel(graph, given))
    assert params.function == kernels["add"]
    assert (params.grid.x, params.block.x, params.shared_bytes) == (3, 2, 16)
    assert params.extra is None
    assert argument(params, 0, ctypes.c_void_p) == number
    assert argument(params, 1, ctypes.c_int) == 42


def test_the_node_s_arguments_are_its_own(graph: int, number: int, kernels: Kernels) -> None:
    amount = ctypes.c_int(1)
    node = add_kernel(graph, calls.kernel_params(kernels["add"], ctypes.c_void_p(number), amount))
    amount.value = 99
    assert argument(read_kernel_params(node), 1, ctypes.c_int) == 1


def test_the_arguments_of_a_captured_kernel_can_be_read(
    stream: int, number: int, kernels: Kernels
) -> None:
    calls.begin(stream)
    kernels.launch("add", number, 8, stream)
    (node,) = calls.nodes(calls.end(stream))
    params = read_kernel_params(node)
    assert params.function == kernels["add"]
    assert argument(params, 0, ctypes.c_void_p) == number
    assert argument(params, 1, ctypes.c_int) == 8


def test_a_pointer_the_device_cannot_reach_is_read_back_as_given(
    graph: int, kernels: Kernels
) -> None:
    pageable = np.zeros(1, dtype=np.int32)
    address = pageable.ctypes.data
    node = add_kernel(graph, kernels.params("add", address, 1))
    assert argument(read_kernel_params(node), 0, ctypes.c_void_p) == address


def test_what_was_read_can_be_given_again(
    graph: int, stream: int, number: int, kernels: Kernels
) -> None:
    node = add_kernel(graph, kernels.params("add", number, 5))
    params = read_kernel_params(node)
    second = int(
        done(hip.hipGraphAddKernelNode(graph, calls.handles([node]), 1, address_of(params)))
    )
    done(hip.hipGraphKernelNodeSetParams(second, address_of(params)))
    calls.run(graph, stream)
    assert calls.int_at(number) == 10


def test_a_kernel_node_can_be_changed(
    graph: int, stream: int, number: int, kernels: Kernels
) -> None:
    node = add_kernel(graph, kernels.params("add", number, 5))
    params = kernels.params("add", number, 6)
    done(hip.hipGraphKernelNodeSetParams(node, address_of(params)))
    assert argument(read_kernel_params(node), 1, ctypes.c_int) == 6
    calls.run(graph, stream)
    assert calls.int_at(number) == 6


def test_a_kernel_node_is_checked_like_a_launch(graph: int, number: int, kernels: Kernels) -> None:
    pointer = ctypes.c_void_p(number)
    no_blocks = calls.kernel_params(kernels["add"], pointer, ctypes.c_int(1), grid=0)
    too_many = calls.kernel_params(kernels["add"], pointer, ctypes.c_int(1), block=2048)
    too_shared = calls.kernel_params(kernels["add"], pointer, ctypes.c_int(1), shared=1 << 20)
    no_function = calls.kernel_params(0, pointer, ctypes.c_int(1))
    unknown = calls.kernel_params(4096, pointer, ctypes.c_int(1))
    node = add_kernel(graph, kernels.params("add", number, 1))
    for params, expected in (
        (no_blocks, 1),
        (too_many, 9),
        (too_shared, 1),
        (no_function, 1),
        (unknown, 98),
    ):
        assert code(hip.hipGraphAddKernelNode(graph, None, 0, address_of(params))) == expected
        assert code(hip.hipGraphKernelNodeSetParams(node, address_of(params))) == expected
    assert code(hip.hipGraphAddKernelNode(graph, None, 0, None)) == 1
    assert calls.nodes(graph) == [node]


# --- fills


@pytest.mark.parametrize(
    ("size", "value", "expected"),
    [
        (1, 0x01, 0x01010101),
        (2, 0x0102, 0x01020102),
        (4, 0x01020304, 0x01020304),
    ],
)
def test_a_fill_node_writes_elements(
    graph: int, stream: int, number: int, size: int, value: int, expected: int
) -> None:
    calls.add_fill(graph, calls.fill_params(number, value, 4 // size, size=size))
    calls.run(graph, stream)
    assert calls.int_at(number) == expected


def test_a_fill_node_writes_rows(graph: int, stream: int) -> None:
    rows = calls.device_ints(1, 1, 1, 1, 1, 1)
    calls.add_fill(graph, calls.fill_params(rows, 9, 2, height=2, pitch=12))
    calls.run(graph, stream)
    assert calls.ints_at(rows, 6) == [9, 9, 1, 9, 9, 1]


def test_a_fill_node_gives_back_what_it_was_given(graph: int, number: int) -> None:
    given = calls.fill_params(number, 3, 1, pitch=64)
    node = calls.add_fill(graph, given)
    params = calls.read_params("hipGraphMemsetNodeGetParams", calls.FillParams, node)
    for name, _ in calls.FillParams._fields_:
        assert getattr(params, name) == getattr(given, name)


def test_a_fill_node_can_be_changed(graph: int, stream: int, number: int) -> None:
    node = calls.add_fill(graph, calls.fill_params(number, 3, 1))
    params = calls.fill_params(number, 4, 1)
    done(hip.hipGraphMemsetNodeSetParams(node, address_of(params)))
    calls.run(graph, stream)
    assert calls.int_at(number) == 4


def test_a_fill_node_is_checked_like_a_fill(graph: int, number: int) -> None:
    host = np.zeros(1, dtype=np.int32)
    node = calls.add_fill(graph, calls.fill_params(number, 0, 1))
    for params in (
        calls.fill_params(number, 0, 2),  # past the end
        calls.fill_params(number, 0, 0),
        calls.fill_params(number, 0, 1, height=0),
        calls.fill_params(number, 0, 1, size=3),
        calls.fill_params(number, 0, 1, height=2, pitch=2),
        calls.fill_params(0, 0, 1),
        calls.fill_params(host.ctypes.data, 0, 1),
    ):
        assert code(hip.hipGraphAddMemsetNode(graph, None, 0, address_of(params))) == 1
        assert code(hip.hipGraphMemsetNodeSetParams(node, address_of(params))) == 1
    assert code(hip.hipGraphAddMemsetNode(graph, None, 0, None)) == 1


# --- copies


def test_a_copy_node_reads_its_source_at_each_launch(graph: int, stream: int, number: int) -> None:
    source = np.array([1], dtype=np.int32)
    done(hip.hipGraphAddMemcpyNode1D(graph, None, 0, number, source, 4, calls.TO_DEVICE))
    executable = calls.instantiate(graph)
    for value in (3, 4):
        source[0] = value
        calls.launch(executable, stream)
        done(hip.hipStreamSynchronize(stream))
        assert calls.int_at(number) == value


def test_a_copy_node_can_be_changed(graph: int, stream: int, number: int) -> None:
    first, second = calls.device_ints(1), calls.device_ints(2)
    node = int(done(hip.hipGraphAddMemcpyNode1D(graph, None, 0, number, first, 4, calls.ON_DEVICE)))
    done(hip.hipGraphMemcpyNodeSetParams1D(node, number, second, 4, calls.ON_DEVICE))
    calls.run(graph, stream)
    assert calls.int_at(number) == 2


def test_a_copy_node_is_checked_like_a_copy(graph: int, number: int) -> None:
    source = calls.device_ints(1)
    node = int(
        done(hip.hipGraphAddMemcpyNode1D(graph, None, 0, number, source, 4, calls.ON_DEVICE))
    )
    for dst, src, size in (
        (number, source, 8),
        (number, source, 0),
        (0, source, 4),
        (number, 0, 4),
    ):
        assert (
            code(hip.hipGraphAddMemcpyNode1D(graph, None, 0, dst, src, size, calls.ON_DEVICE)) == 1
        )
        assert code(hip.hipGraphMemcpyNodeSetParams1D(node, dst, src, size, calls.ON_DEVICE)) == 1
    assert code(hip.hipGraphMemcpyNodeSetParams1D(node, number, number, 4, calls.ON_DEVICE)) == 1


# --- host functions


def test_a_host_node_calls_its_function(graph: int, stream: int) -> None:
    counter = calls.Counter()
    node = calls.add_host(graph, counter.address, 5)
    params = calls.read_params("hipGraphHostNodeGetParams", calls.HostParams, node)
    assert (params.function, params.data) == (counter.address, 5)
    calls.run(graph, stream)
    other = calls.HostParams(counter.address, 6)
    done(hip.hipGraphHostNodeSetParams(node, address_of(other)))
    calls.run(graph, stream)
    assert counter.data == [5, 6]


def test_a_host_node_needs_a_function(graph: int) -> None:
    nothing = calls.HostParams(None, None)
    node = calls.add_host(graph, calls.Counter().address, 0)
    assert code(hip.hipGraphAddHostNode(graph, None, 0, address_of(nothing))) == 1
    assert code(hip.hipGraphHostNodeSetParams(node, address_of(nothing))) == 1
    assert code(hip.hipGraphAddHostNode(graph, None, 0, None)) == 1


def test_parameters_belong_to_their_type_of_node(graph: int, number: int, kernels: Kernels) -> None:
    empty = calls.add_empty(graph)
    host = calls.HostParams(calls.Counter().address, None)
    assert code(hip.hipGraphKernelNodeGetParams(empty)) == 1
    assert code(hip.hipGraphMemsetNodeGetParams(empty)) == 1
    assert code(hip.hipGraphHostNodeGetParams(empty)) == 1
    assert code(hip.hipGraphHostNodeSetParams(empty, address_of(host))) == 1
    kernel = kernels.params("add", number, 1)
    assert code(hip.hipGraphKernelNodeSetParams(empty, address_of(kernel))) == 1
    assert code(hip.hipGraphKernelNodeGetParams(None)) == 1
