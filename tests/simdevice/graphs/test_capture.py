"""What a capture records, and when the recorded work reads its arguments."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest

from tests.simdevice.child import answer_of
from tests.simdevice.graphs import calls
from tests.simdevice.graphs.calls import begin, done, end, hip, int_at, status
from tests.simdevice.graphs.conftest import Kernels


def test_captured_work_runs_at_each_launch_and_not_before(
    stream: int, number: int, kernels: Kernels
) -> None:
    begin(stream)
    assert kernels.launch("add", number, 3, stream) == 0
    graph = end(stream)
    assert int_at(number) == 0
    executable = calls.instantiate(graph)
    for _ in range(4):
        calls.launch(executable, stream)
    assert int_at(number) == 12


def test_the_status_follows_the_capture(stream: int) -> None:
    assert status(stream) == calls.NONE
    begin(stream)
    assert status(stream) == calls.ACTIVE
    end(stream)
    assert status(stream) == calls.NONE


def test_captured_work_keeps_the_order_of_the_stream(
    stream: int, number: int, kernels: Kernels
) -> None:
    begin(stream)
    kernels.launch("add", number, 5, stream)
    kernels.launch("multiply", number, 7, stream)
    kernels.launch("add", number, 1, stream)
    calls.run(end(stream), stream)
    assert int_at(number) == 36


def test_kernel_arguments_are_copied_at_capture(stream: int, number: int, kernels: Kernels) -> None:
    amount = ctypes.c_int(2)
    pointer = ctypes.c_void_p(number)
    begin(stream)
    params = [ctypes.addressof(pointer), ctypes.addressof(amount)]
    done(hip.hipModuleLaunchKernel(kernels["add"], 1, 1, 1, 1, 1, 1, 0, stream, params, None))
    amount.value = 1000
    graph = end(stream)
    amount.value = 2000
    calls.run(graph, stream)
    assert int_at(number) == 2


def test_a_pageable_source_is_read_at_each_launch(stream: int, number: int) -> None:
    source = np.array([1], dtype=np.int32)
    begin(stream)
    done(hip.hipMemcpyAsync(number, source, 4, calls.TO_DEVICE, stream))
    executable = calls.instantiate(end(stream))
    for value in (10, 20):
        source[0] = value
        calls.launch(executable, stream)
        done(hip.hipStreamSynchronize(stream))
        assert int_at(number) == value


def test_a_pinned_source_is_read_at_each_launch(stream: int, number: int) -> None:
    source = calls.pinned_ints()
    begin(stream)
    done(hip.hipMemcpyAsync(number, source, 4, calls.TO_DEVICE, stream))
    executable = calls.instantiate(end(stream))
    for value in (10, 20):
        source[0] = value
        calls.launch(executable, stream)
        done(hip.hipStreamSynchronize(stream))
        assert int_at(number) == value


def test_a_captured_copy_to_the_host_writes_at_each_launch(
    stream: int, number: int, kernels: Kernels
) -> None:
    target = calls.pinned_ints()
    target[0] = -1
    begin(stream)
    kernels.launch("add", number, 1, stream)
    done(hip.hipMemcpyAsync(target, number, 4, calls.TO_HOST, stream))
    executable = calls.instantiate(end(stream))
    assert target[0] == -1
    for launches in (1, 2):
        calls.launch(executable, stream)
        done(hip.hipStreamSynchronize(stream))
        assert target[0] == launches


def test_each_call_becomes_a_node_of_its_type(stream: int, number: int, kernels: Kernels) -> None:
    counter = calls.Counter()
    begin(stream)
    done(hip.hipMemsetAsync(number, 0, 4, stream))
    kernels.launch("add", number, 1, stream)
    done(hip.hipLaunchHostFunc(stream, counter.address, 17))
    done(hip.hipMemcpyAsync(number, np.zeros(1, np.int32), 4, calls.TO_DEVICE, stream))
    graph = end(stream)
    assert calls.types(graph) == [calls.MEMSET, calls.KERNEL, calls.HOST, calls.MEMCPY]
    assert counter.runs == 0
    calls.run(graph, stream)
    assert counter.data == [17]


def test_a_captured_graph_launch_is_a_child_graph(
    stream: int, number: int, kernels: Kernels, graph: int
) -> None:
    calls.add_kernel(graph, kernels.params("add", number, 4))
    inner = calls.instantiate(graph)
    begin(stream)
    calls.launch(inner, stream)
    kernels.launch("multiply", number, 3, stream)
    outer = end(stream)
    assert calls.types(outer) == [calls.GRAPH, calls.KERNEL]
    assert int_at(number) == 0
    calls.run(outer, stream)
    assert int_at(number) == 12


def test_a_capture_of_nothing_is_an_empty_graph(stream: int) -> None:
    begin(stream)
    graph = end(stream)
    assert calls.nodes(graph) == []
    calls.run(graph, stream)


def test_memory_allocated_in_a_capture_serves_every_launch(stream: int, kernels: Kernels) -> None:
    target = calls.pinned_ints()
    begin(stream)
    memory = int(done(hip.hipMallocAsync(4, stream)))
    done(hip.hipMemsetAsync(memory, 0, 4, stream))
    kernels.launch("add", memory, 6, stream)
    done(hip.hipMemcpyAsync(target, memory, 4, calls.TO_HOST, stream))
    done(hip.hipFreeAsync(memory, stream))
    graph = end(stream)
    assert calls.types(graph)[0] == calls.MEM_ALLOC
    assert calls.types(graph)[-1] == calls.MEM_FREE
    executable = calls.instantiate(graph)
    for _ in range(2):
        target[0] = 0
        calls.launch(executable, stream)
        done(hip.hipStreamSynchronize(stream))
        assert target[0] == 6
    done(hip.hipGraphExecDestroy(executable))
    done(hip.hipGraphDestroy(graph))


def used_by_the_pool() -> int:
    used = ctypes.c_uint64()
    pool = done(hip.hipDeviceGetDefaultMemPool(0))
    attribute = hip.hipMemPoolAttr.hipMemPoolAttrUsedMemCurrent
    done(hip.hipMemPoolGetAttribute(pool, attribute, ctypes.addressof(used)))
    return used.value


def test_memory_freed_in_a_capture_goes_back_with_the_last_graph(stream: int) -> None:
    before = used_by_the_pool()
    begin(stream)
    memory = int(done(hip.hipMallocAsync(4096, stream)))
    done(hip.hipFreeAsync(memory, stream))
    graph = end(stream)
    executable = calls.instantiate(graph)
    done(hip.hipGraphDestroy(graph))
    calls.launch(executable, stream)
    assert used_by_the_pool() == before + 4096
    done(hip.hipStreamSynchronize(stream))
    done(hip.hipGraphExecDestroy(executable))
    assert used_by_the_pool() == before


def test_memory_that_a_capture_has_no_place_for_goes_back_at_once(stream: int) -> None:
    before = used_by_the_pool()
    begin(stream, calls.GLOBAL)
    assert calls.code(hip.hipMalloc(16)) == 900  # and the capture is invalid
    assert calls.code(hip.hipMallocAsync(4096, stream)) == 901
    assert calls.end_code(stream) == 901
    assert used_by_the_pool() == before


def test_a_capture_gets_no_memory_that_queued_work_still_uses(stream: int) -> None:
    memory = int(done(hip.hipMallocAsync(4096, stream)))
    with calls.held(stream):
        done(hip.hipFreeAsync(memory, stream))
        begin(stream)
        captured = int(done(hip.hipMallocAsync(4096, stream)))
        done(hip.hipFreeAsync(captured, stream))
        graph = end(stream)
    assert captured != memory
    done(hip.hipGraphDestroy(graph))


def used_after_a_reset_between_capture_and_destruction() -> int:
    handle = int(done(hip.hipStreamCreateWithFlags(0)))
    begin(handle)
    done(hip.hipFreeAsync(int(done(hip.hipMallocAsync(4096, handle))), handle))
    graph = end(handle)
    done(hip.hipDeviceReset())
    done(hip.hipGraphDestroy(graph))
    return used_by_the_pool()


def test_memory_of_a_capture_is_not_given_back_after_a_reset() -> None:
    assert answer_of(used_after_a_reset_between_capture_and_destruction) == 0


def test_a_graph_with_memory_nodes_is_not_cloned_nor_taken_apart(stream: int) -> None:
    begin(stream)
    memory = int(done(hip.hipMallocAsync(4, stream)))
    graph = end(stream)
    assert calls.code(hip.hipGraphClone(graph)) == 801
    assert calls.code(hip.hipGraphDestroyNode(calls.nodes(graph)[0])) == 801
    done(hip.hipGraphDestroy(graph))
    done(hip.hipFreeAsync(memory, stream))


def test_the_capture_has_an_id_of_its_own(stream: int, other: int) -> None:
    begin(stream)
    begin(other)
    first = done(hip.hipStreamGetCaptureInfo(stream))
    second = done(hip.hipStreamGetCaptureInfo(other))
    end(stream)
    end(other)
    assert int(first[0]) == int(second[0]) == calls.ACTIVE
    assert first[1] != second[1]
    assert int(done(hip.hipStreamGetCaptureInfo(stream))[0]) == calls.NONE


class CaptureInfo:
    """What hipStreamGetCaptureInfo_v2 says."""

    def __init__(self, stream: int) -> None:
        array = ctypes.POINTER(ctypes.c_void_p)()
        info = done(hip.hipStreamGetCaptureInfo_v2(stream, ctypes.addressof(array)))
        self.status, self.id, graph, count = info
        self.graph = int(graph)
        self.dependencies = [array[i] for i in range(count)]


def test_the_graph_under_capture_can_be_seen_and_added_to(
    stream: int, number: int, kernels: Kernels
) -> None:
    begin(stream)
    assert CaptureInfo(stream).dependencies == []
    kernels.launch("add", number, 1, stream)
    info = CaptureInfo(stream)
    assert info.dependencies == calls.nodes(info.graph)
    calls.add_kernel(info.graph, kernels.params("add", number, 10), *info.dependencies)
    graph = end(stream)
    assert graph == info.graph
    calls.run(graph, stream)
    assert int_at(number) == 11


def test_nothing_is_taken_from_a_graph_under_capture(
    stream: int, number: int, kernels: Kernels
) -> None:
    begin(stream)
    kernels.launch("add", number, 1, stream)
    info = CaptureInfo(stream)
    assert calls.code(hip.hipGraphDestroyNode(info.dependencies[0])) == 1
    assert calls.code(hip.hipGraphDestroy(info.graph)) == 1
    graph = end(stream)
    done(hip.hipGraphDestroyNode(info.dependencies[0]))
    assert calls.nodes(graph) == []


def test_the_graph_of_a_failed_capture_is_gone(stream: int) -> None:
    begin(stream)
    info = CaptureInfo(stream)
    assert calls.code(hip.hipStreamSynchronize(stream)) == 900
    assert calls.end_code(stream) == 901
    assert calls.code(hip.hipGraphDestroy(info.graph)) == 401


def test_the_thread_s_own_stream_can_capture(number: int, kernels: Kernels) -> None:
    begin(calls.PER_THREAD_STREAM)
    kernels.launch("add", number, 2, calls.PER_THREAD_STREAM)
    graph = end(calls.PER_THREAD_STREAM)
    calls.run(graph, calls.PER_THREAD_STREAM)
    assert int_at(number) == 2


def test_a_destroyed_stream_takes_its_capture_along() -> None:
    handle = int(done(hip.hipStreamCreateWithFlags(0)))
    begin(handle, calls.GLOBAL)
    done(hip.hipStreamDestroy(handle))
    assert int_at(calls.device_ints(5)) == 5  # blocking calls are allowed again


def test_nodes_of_a_capture_that_its_stream_took_along_are_gone() -> None:
    handle = int(done(hip.hipStreamCreateWithFlags(0)))
    begin(handle)
    done(hip.hipMemsetAsync(calls.pinned_ints(), 0, 4, handle))
    out, nodes, count = ctypes.c_int(), ctypes.POINTER(ctypes.c_void_p)(), ctypes.c_size_t()
    info = (ctypes.byref(out), None, None, ctypes.byref(nodes), ctypes.byref(count))
    assert calls.raw("hipStreamGetCaptureInfo_v2", handle, *info) == 0
    assert count.value == 1
    node = nodes[0]
    done(hip.hipStreamDestroy(handle))
    assert calls.code(hip.hipGraphDestroyNode(node)) == 1


@pytest.mark.parametrize("flags", [0, 1])
def test_the_default_stream_is_asked_about_captures(flags: int) -> None:
    """906 while a blocking stream captures; a non-blocking one does not concern it."""
    assert status(None) == calls.NONE
    with calls.stream(flags) as stream:
        begin(stream)
        expected = 906 if flags == 0 else 0
        out = ctypes.byref(ctypes.c_int(7))
        for handle in (0, calls.LEGACY_STREAM):
            assert calls.raw("hipStreamIsCapturing", handle, out) == expected
            assert calls.raw("hipStreamGetCaptureInfo", handle, out, None) == expected
            info = (handle, out, None, None, None, None)
            assert calls.raw("hipStreamGetCaptureInfo_v2", *info) == expected
        end(stream)
