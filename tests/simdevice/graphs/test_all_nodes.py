"""Every kind of node: what it does when its graph is launched, read back, changed, refused."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from ctypes import c_int, c_size_t, c_uint, c_uint64, c_void_p
from typing import Any

import pytest

from tests.simdevice.borrowed import Borrowed
from tests.simdevice.boxes import D2D, D2H, DEVICE, H2D, Copy3D, DriverCopy3D
from tests.simdevice.child import answer_of
from tests.simdevice.codes import INVALID_DEVICE, INVALID_VALUE, SUCCESS, Code
from tests.simdevice.fixtures import device, hip, image
from tests.simdevice.library import (
    Extent,
    HostFunction,
    Library,
    MemLocation,
    PitchedPointer,
    byref,
    done,
    hip_library,
)
from tests.simdevice.streams import held
from tests.simdevice.structures import AllocationNode, FillNode

__all__ = ["device", "hip", "image"]

UNKNOWN, ILLEGAL_STATE, ILLEGAL_ADDRESS, UPDATE_FAILED = 999, 401, 700, 910
KERNEL, COPY, FILL, CALL, CHILD, EMPTY, WAIT, RECORD = range(8)
ALLOC, FREE, BATCH = 10, 11, 14
AUTO_FREE = 1
BYTES = 64


class HostParams(ctypes.Structure):
    _fields_ = (("function", HostFunction), ("data", c_void_p))


class Operation(ctypes.Structure):
    """hipStreamBatchMemOpParams."""

    _fields_ = (
        *(("operation", c_int), ("address", c_void_p), ("value", c_uint64)),
        *(("flags", c_uint), ("alias", c_void_p), ("pad", c_uint64)),
    )


class BatchParams(ctypes.Structure):
    _fields_ = (("ctx", c_void_p), ("count", c_uint), ("list", c_void_p), ("flags", c_uint))


class Instantiation(ctypes.Structure):
    _fields_ = (
        *(("node", c_void_p), ("flags", c_uint64), ("result", c_int), ("stream", c_void_p)),
    )


class AnyParams(ctypes.Structure):
    """hipGraphNodeParams."""

    class _Union(ctypes.Union):
        _fields_ = (
            *(("pad", c_uint64 * 29), ("memset", FillNode), ("host", HostParams)),
            *(("handle", c_void_p), ("alloc", AllocationNode)),
        )

    _anonymous_ = ("u",)
    _fields_ = (("type", c_int), ("reserved", c_int * 3), ("u", _Union), ("last", c_uint64))


assert ctypes.sizeof(Operation) == 48
assert ctypes.sizeof(AnyParams) == 256


class Graph:
    """A graph under construction; each node comes after the one before unless it is said."""

    def __init__(self) -> None:
        self._hip = hip_library()
        self.handle = c_void_p()
        done(self._hip.hipGraphCreate(byref(self.handle), 0))
        self.last: int | None = None

    def add(self, call: str, *arguments: Any, after: list[int] | None = None) -> int:
        code, node = self.try_to_add(call, *arguments, after=after)
        done(code)
        self.last = node
        return node

    def try_to_add(
        self, call: str, *arguments: Any, after: list[int] | None = None
    ) -> tuple[int, int]:
        before = after if after is not None else [self.last] if self.last else []
        handles, node = (c_void_p * len(before))(*before), c_void_p()
        place = (byref(node), self.handle, handles if before else None, len(before))
        return getattr(self._hip, call)(*place, *arguments), node.value or 0

    def instantiate(self, flags: int = 0) -> c_void_p:
        made = c_void_p()
        done(self._hip.hipGraphInstantiateWithFlags(byref(made), self.handle, flags))
        return made

    def run(self) -> c_void_p:
        made = self.instantiate()
        launch(made)
        return made


def launch(executable: c_void_p, stream: int = 0) -> None:
    done(hip_library().hipGraphLaunch(executable, stream))
    done(hip_library().hipDeviceSynchronize())


def type_of(node: int) -> int:
    kind = c_int()
    done(hip_library().hipGraphNodeGetType(node, byref(kind)))
    return kind.value


@pytest.fixture
def graph(hip: Library) -> Iterator[Graph]:
    made = Graph()
    yield made
    hip.hipGraphDestroy(made.handle)


def fill(address: int, value: int, width: int = BYTES) -> Any:
    return byref(FillNode(address, 1, 1, width, value, width))


def box(dst: int, src: int, kind: int, width: int = 8, height: int = 4, depth: int = 2) -> Copy3D:
    """Without gaps."""
    rows = PitchedPointer(None, width, width, height)
    copy = Copy3D(kind=kind, extent=Extent(width, height, depth), src=rows, dst=rows)
    copy.src.ptr, copy.dst.ptr = src, dst
    return copy


# --- copies


def test_a_node_copies_a_box(hip: Library, device: Borrowed, graph: Graph) -> None:
    src, dst = device.memory(bytes(range(BYTES))), device.memory(bytes(BYTES))
    params = box(dst, src, D2D, 4, 2, 2)
    params.src.pitch, params.src.ysize, params.src_pos.x, params.src_pos.z = 8, 4, 2, 0
    node = graph.add("hipGraphAddMemcpyNode", byref(params))
    assert type_of(node) == COPY
    executable = graph.run()
    expected = [row * 8 + 32 * z + 2 + x for z in range(2) for row in range(2) for x in range(4)]
    assert list(device.read(dst, 16)) == expected
    seen = Copy3D()
    done(hip.hipGraphMemcpyNodeGetParams(node, byref(seen)))
    assert (seen.src.ptr, seen.src_pos.x, seen.extent.depth, seen.kind) == (src, 2, 2, D2D)
    other = box(dst, src, D2D)
    done(hip.hipGraphExecMemcpyNodeSetParams(executable, node, byref(other)))
    launch(executable)
    assert list(device.read(dst, BYTES)) == list(range(BYTES))
    done(hip.hipGraphMemcpyNodeSetParams(node, byref(box(dst, src + 32, D2D, 4, 2, 1))))
    graph.run()
    assert list(device.read(dst, 9)) == [*range(32, 40), 8]


def test_a_node_copies_a_box_in_the_driver_s_words(
    hip: Library, device: Borrowed, graph: Graph
) -> None:
    src, dst, context = device.memory(bytes(range(BYTES))), device.memory(bytes(BYTES)), c_void_p()
    done(hip.hipCtxGetCurrent(byref(context)))
    params = DriverCopy3D(width=4, height=2, depth=2, src_pitch=8, src_height=4)
    params.src_type, params.dst_type, params.src_device, params.dst_device = (
        DEVICE,
        DEVICE,
        src,
        dst,
    )
    params.src_x, params.src_y = 1, 1
    node = graph.add("hipDrvGraphAddMemcpyNode", byref(params), context)
    executable = graph.run()
    first = [8 + row * 8 + 32 * z + 1 + x for z in range(2) for row in range(2) for x in range(4)]
    assert list(device.read(dst, 16)) == first
    seen = DriverCopy3D()
    done(hip.hipDrvGraphMemcpyNodeGetParams(node, byref(seen)))
    assert (seen.src_device, seen.src_x, seen.depth) == (src, 1, 2)
    params.src_x = params.src_y = 0
    done(hip.hipDrvGraphExecMemcpyNodeSetParams(executable, node, byref(params), context))
    launch(executable)
    assert list(device.read(dst, 4)) == [0, 1, 2, 3]
    params.src_y = 2
    done(hip.hipDrvGraphMemcpyNodeSetParams(node, byref(params)))
    graph.run()
    assert list(device.read(dst, 4)) == [16, 17, 18, 19]
    assert graph.try_to_add("hipDrvGraphAddMemcpyNode", byref(params), None)[0] == INVALID_VALUE


def test_a_fill_in_the_driver_s_words(hip: Library, device: Borrowed, graph: Graph) -> None:
    memory = device.memory(bytes(BYTES))
    node = graph.add("hipDrvGraphAddMemsetNode", fill(memory, 3), None)
    executable = graph.run()
    assert set(device.read(memory, BYTES)) == {3}
    done(hip.hipDrvGraphExecMemsetNodeSetParams(executable, node, fill(memory, 4, 8), None))
    launch(executable)
    assert list(device.read(memory, 9)) == [4] * 8 + [3]


# --- events


def test_a_record_is_reached_with_the_graph(hip: Library, device: Borrowed, graph: Graph) -> None:
    event, memory, stream = device.event(), device.memory(bytes(BYTES)), device.stream(1)
    graph.add("hipGraphAddMemsetNode", fill(memory, 5))
    node = graph.add("hipGraphAddEventRecordNode", event)
    executable, seen = graph.instantiate(), c_void_p()
    assert type_of(node) == RECORD
    done(hip.hipGraphEventRecordNodeGetEvent(node, byref(seen)))
    assert seen.value == event
    with held(stream):
        done(hip.hipGraphLaunch(executable, stream))
        assert hip.hipEventQuery(event) == Code.NOT_READY
    done(hip.hipEventSynchronize(event))
    assert set(device.read(memory, BYTES)) == {5}
    other = device.event()
    done(hip.hipGraphExecEventRecordNodeSetEvent(executable, node, other))
    with held(stream):
        done(hip.hipGraphLaunch(executable, stream))
        assert hip.hipEventQuery(other) == Code.NOT_READY
        assert hip.hipEventQuery(event) == SUCCESS
    done(hip.hipGraphEventRecordNodeSetEvent(node, other))
    done(hip.hipGraphEventRecordNodeGetEvent(node, byref(seen)))
    assert seen.value == other
    done(hip.hipDeviceSynchronize())


def test_a_graph_waits_for_an_event(hip: Library, device: Borrowed, graph: Graph) -> None:
    event, memory = device.event(), device.memory(bytes(BYTES))
    first, second, seen = device.stream(1), device.stream(1), c_void_p()
    node = graph.add("hipGraphAddEventWaitNode", event)
    assert type_of(node) == WAIT
    done(hip.hipGraphEventWaitNodeGetEvent(node, byref(seen)))
    assert seen.value == event
    graph.add("hipGraphAddMemsetNode", fill(memory, 9))
    executable = graph.instantiate()
    launch(executable, second)  # never recorded: nothing to wait for
    assert device.read(memory, 1) == b"\x09"
    done(hip.hipMemset(memory, 0, BYTES))
    done(hip.hipDeviceSynchronize())
    with held(first):
        done(hip.hipEventRecord(event, first))
        done(hip.hipGraphLaunch(executable, second))
        assert hip.hipStreamQuery(second) == Code.NOT_READY
    done(hip.hipStreamSynchronize(second))
    assert device.read(memory, 1) == b"\x09"
    other = device.event()
    done(hip.hipGraphExecEventWaitNodeSetEvent(executable, node, other))
    with held(first):
        done(hip.hipEventRecord(event, first))
        launch_on = hip.hipGraphLaunch(executable, second)
        done(launch_on)
        done(hip.hipStreamSynchronize(second))  # waits for the other event, which is nothing
    done(hip.hipGraphEventWaitNodeSetEvent(node, other))
    done(hip.hipDeviceSynchronize())


# --- memory


def allocation(size: int = BYTES) -> AllocationNode:
    return AllocationNode(kind=1, location=MemLocation(1, 0), bytes=size)


def attribute(which: int) -> int:
    value = c_uint64()
    done(hip_library().hipDeviceGetGraphMemAttribute(0, which, byref(value)))
    return value.value


def test_memory_of_a_graph_lives_from_node_to_node(
    hip: Library, device: Borrowed, graph: Graph
) -> None:
    used, reserved = attribute(0), attribute(2)
    params, result = allocation(), device.memory(bytes(BYTES))
    node = graph.add("hipGraphAddMemAllocNode", byref(params))
    memory = params.dptr
    graph.add("hipGraphAddMemsetNode", fill(memory, 6))
    graph.add("hipGraphAddMemcpyNode1D", result, memory, BYTES, D2D)
    gone = graph.add("hipGraphAddMemFreeNode", memory)
    assert (type_of(node), type_of(gone)) == (ALLOC, FREE)
    seen, freed = AllocationNode(), c_void_p()
    done(hip.hipGraphMemAllocNodeGetParams(node, byref(seen)))
    done(hip.hipGraphMemFreeNodeGetParams(gone, byref(freed)))
    assert (seen.dptr, seen.bytes, freed.value) == (memory, BYTES, memory)
    executable = graph.instantiate()
    for _ in range(3):
        launch(executable)
    assert set(device.read(result, BYTES)) == {6}
    assert (attribute(0), attribute(2)) == (used, reserved + 4096)
    assert attribute(1) >= used + 4096
    assert attribute(3) >= reserved + 4096
    done(hip.hipDeviceGraphMemTrim(0))
    assert attribute(2) == reserved
    for high in (1, 3):
        done(hip.hipDeviceSetGraphMemAttribute(0, high, byref(c_uint64(0))))
        assert attribute(high) == attribute(high - 1)
    assert hip.hipGraphInstantiate(byref(c_void_p()), graph.handle, None, None, 0) == 801
    assert hip.hipGraphClone(byref(c_void_p()), graph.handle) == 801
    assert hip.hipGraphDestroyNode(gone) == 801
    done(hip.hipGraphExecDestroy(executable))


def test_memory_that_a_graph_leaves_is_freed_by_the_program(
    hip: Library, device: Borrowed, graph: Graph
) -> None:
    params = allocation()
    graph.add("hipGraphAddMemAllocNode", byref(params))
    graph.add("hipGraphAddMemsetNode", fill(params.dptr, 7))
    executable = graph.instantiate()
    launch(executable)
    assert set(device.read(params.dptr, BYTES)) == {7}
    assert hip.hipGraphLaunch(executable, None) == INVALID_VALUE  # it still has it
    done(hip.hipFreeAsync(params.dptr, None))
    assert hip.hipFree(params.dptr) == INVALID_VALUE
    launch(executable)
    done(hip.hipFree(params.dptr))
    done(hip.hipGraphExecDestroy(executable))
    again = graph.instantiate(AUTO_FREE)
    for _ in range(3):
        launch(again)
    done(hip.hipFree(params.dptr))
    done(hip.hipGraphExecDestroy(again))


def test_memory_outlives_the_graph_that_left_it(hip: Library, device: Borrowed) -> None:
    graph, params = Graph(), allocation()
    graph.add("hipGraphAddMemAllocNode", byref(params))
    graph.add("hipGraphAddMemsetNode", fill(params.dptr, 8))
    executable = graph.run()
    done(hip.hipGraphExecDestroy(executable))
    done(hip.hipGraphDestroy(graph.handle))
    assert set(device.read(params.dptr, BYTES)) == {8}
    done(hip.hipFree(params.dptr))
    assert hip.hipFree(params.dptr) == INVALID_VALUE


def use_outside_of_its_life(when: str) -> int:
    """Kernels are not needed: a copy faults as well."""
    hip, graph, params = hip_library(), Graph(), allocation()
    graph.add("hipGraphAddMemAllocNode", byref(params))
    if when != "within":
        graph.add("hipGraphAddMemFreeNode", params.dptr)
    executable = graph.instantiate()
    if when != "before":
        done(hip.hipGraphLaunch(executable, None))
    hip.hipMemsetAsync(params.dptr, 1, 4, None)
    return int(hip.hipDeviceSynchronize())


@pytest.mark.parametrize(
    ("when", "code"), [("before", ILLEGAL_ADDRESS), ("after", ILLEGAL_ADDRESS), ("within", SUCCESS)]
)
def test_memory_of_a_graph_is_not_there_outside_of_its_life(when: str, code: int) -> None:
    assert answer_of(use_outside_of_its_life, when) == code


# --- graphs within graphs, clones, edges, switches


def test_a_graph_within_a_graph_is_a_copy(hip: Library, device: Borrowed, graph: Graph) -> None:
    memory, inner, own = device.memory(bytes(BYTES)), Graph(), c_void_p()
    first = inner.add("hipGraphAddMemsetNode", fill(memory, 1))
    node = graph.add("hipGraphAddChildGraphNode", inner.handle)
    assert type_of(node) == CHILD
    done(hip.hipGraphMemsetNodeSetParams(first, fill(memory, 2)))  # too late
    executable = graph.run()
    assert set(device.read(memory, BYTES)) == {1}
    done(hip.hipGraphExecChildGraphNodeSetParams(executable, node, inner.handle))
    launch(executable)
    assert set(device.read(memory, BYTES)) == {2}
    done(hip.hipGraphChildGraphNodeGetGraph(node, byref(own)))
    assert own.value not in (None, inner.handle.value, graph.handle.value)
    count = c_size_t()
    done(hip.hipGraphGetNodes(own, None, byref(count)))
    nodes = (c_void_p * count.value)()
    done(hip.hipGraphGetNodes(own, nodes, byref(count)))
    done(hip.hipGraphExecMemsetNodeSetParams(executable, nodes[0], fill(memory, 3)))
    launch(executable)
    assert set(device.read(memory, BYTES)) == {3}
    inner.add("hipGraphAddEmptyNode")
    for other, code in ((inner.handle, UNKNOWN), (graph.handle, UNKNOWN), (None, INVALID_VALUE)):
        assert hip.hipGraphExecChildGraphNodeSetParams(executable, node, other) == code
    assert hip.hipGraphDestroy(own) == INVALID_VALUE  # the node has it


def test_clones_know_whose_they_are(hip: Library, device: Borrowed, graph: Graph) -> None:
    memory, clone, twin, count = device.memory(bytes(BYTES)), c_void_p(), c_void_p(), c_size_t()
    first = graph.add("hipGraphAddMemsetNode", fill(memory, 1))
    second = graph.add("hipGraphAddMemsetNode", fill(memory, 2))
    done(hip.hipGraphClone(byref(clone), graph.handle))
    done(hip.hipGraphNodeFindInClone(byref(twin), second, clone))
    assert type_of(twin.value or 0) == FILL
    done(hip.hipGraphNodeGetDependencies(twin, None, byref(count)))
    assert (count.value, twin.value in (first, second)) == (1, False)
    for arguments in ((None, second, clone), (byref(twin), second, graph.handle)):
        assert hip.hipGraphNodeFindInClone(*arguments) == INVALID_VALUE
    pair = ((c_void_p * 1)(first), (c_void_p * 1)(second), 1)
    done(hip.hipGraphRemoveDependencies(graph.handle, *pair))
    done(hip.hipGraphNodeGetDependencies(second, None, byref(count)))
    assert count.value == 0
    assert hip.hipGraphRemoveDependencies(graph.handle, *pair) == INVALID_VALUE
    done(hip.hipGraphDestroy(clone))


def test_a_node_that_is_off_does_nothing(hip: Library, device: Borrowed, graph: Graph) -> None:
    memory, on = device.memory(bytes(BYTES)), c_uint(9)
    node = graph.add("hipGraphAddMemsetNode", fill(memory, 1))
    empty = graph.add("hipGraphAddEmptyNode")
    executable = graph.instantiate()
    done(hip.hipGraphNodeGetEnabled(executable, node, byref(on)))
    assert on.value == 1
    done(hip.hipGraphNodeSetEnabled(executable, node, 0))
    launch(executable)
    assert set(device.read(memory, BYTES)) == {0}
    done(hip.hipGraphNodeGetEnabled(executable, node, byref(on)))
    assert on.value == 0
    done(hip.hipGraphNodeSetEnabled(executable, node, 1))
    launch(executable)
    assert set(device.read(memory, BYTES)) == {1}
    assert hip.hipGraphNodeSetEnabled(executable, empty, 0) == INVALID_VALUE
    assert hip.hipGraphNodeGetEnabled(executable, node, None) == INVALID_VALUE


# --- host functions, words, kernels, objects


def test_the_host_function_of_an_executable_graph_changes(hip: Library, graph: Graph) -> None:
    seen: list[str] = []
    functions = [HostFunction(lambda _, name=name: seen.append(name)) for name in "ab"]
    node = graph.add("hipGraphAddHostNode", byref(HostParams(functions[0], None)))
    executable = graph.run()
    done(hip.hipGraphExecHostNodeSetParams(executable, node, byref(HostParams(functions[1], None))))
    launch(executable)
    assert seen == ["a", "b"]
    nothing = byref(HostParams(HostFunction(0), None))
    assert hip.hipGraphExecHostNodeSetParams(executable, node, nothing) == INVALID_VALUE


def batch(*operations: Operation) -> tuple[BatchParams, Any]:
    context, array = c_void_p(), (Operation * len(operations))(*operations)
    done(hip_library().hipCtxGetCurrent(byref(context)))
    return BatchParams(context, len(operations), ctypes.addressof(array), 0), array


def test_words_are_written_and_waited_for(hip: Library, device: Borrowed, graph: Graph) -> None:
    words = device.memory(bytes(16))
    write = Operation(operation=2, address=words, value=5)
    wait = Operation(operation=4, address=words + 8, value=7, flags=0)
    params, kept = batch(write, Operation(operation=5, address=words + 8, value=7), wait)
    node = graph.add("hipGraphAddBatchMemOpNode", byref(params))
    assert type_of(node) == BATCH
    executable = graph.run()
    assert device.read(words, 16) == (5).to_bytes(8, "little") + (7).to_bytes(8, "little")
    seen = BatchParams()
    done(hip.hipGraphBatchMemOpNodeGetParams(node, byref(seen)))
    assert (seen.count, Operation.from_address(seen.list).address) == (3, words)
    params, kept = batch(Operation(operation=2, address=words, value=6))
    done(hip.hipGraphExecBatchMemOpNodeSetParams(executable, node, byref(params)))
    launch(executable)
    assert device.read(words, 1) == b"\x06"
    params, kept = batch(Operation(operation=2, address=words, value=8))
    done(hip.hipGraphBatchMemOpNodeSetParams(node, byref(params)))
    graph.run()
    assert device.read(words, 1) == b"\x08"
    done(hip.hipStreamBatchMemOp(None, 1, kept, 0))
    params.count = 257
    assert hip.hipGraphBatchMemOpNodeSetParams(node, byref(params)) == INVALID_VALUE
    assert hip.hipStreamBatchMemOp(None, 0, kept, 0) == INVALID_VALUE


def test_attributes_of_kernels_are_kept(
    hip: Library, device: Borrowed, graph: Graph, image: bytes
) -> None:
    from tests.simdevice.graphs.calls import kernel_params

    function, value = device.kernel(image, b"nothing"), (c_int * 16)(1)
    nodes = [graph.add("hipGraphAddKernelNode", byref(kernel_params(function))) for _ in range(2)]
    cooperative, priority = 2, 8
    done(hip.hipGraphKernelNodeSetAttribute(nodes[0], priority, (c_int * 16)(-1)))
    done(hip.hipGraphKernelNodeSetAttribute(nodes[0], cooperative, value))
    done(hip.hipGraphKernelNodeCopyAttributes(nodes[0], nodes[1]))
    for which, expected in ((priority, -1), (cooperative, 1)):
        value = (c_int * 16)(9)
        done(hip.hipGraphKernelNodeGetAttribute(nodes[1], which, value))
        assert value[0] == expected
    graph.run()
    for arguments in ((nodes[0], 3, value), (nodes[0], priority, None), (None, priority, value)):
        assert hip.hipGraphKernelNodeSetAttribute(*arguments) == INVALID_VALUE
    assert hip.hipGraphKernelNodeCopyAttributes(nodes[0], None) == INVALID_VALUE


def test_objects_live_as_long_as_the_last_graph(hip: Library) -> None:
    gone: list[int] = []
    destroy = HostFunction(lambda data: gone.append(data or 0))
    thing, graph = c_void_p(), Graph()
    done(hip.hipUserObjectCreate(byref(thing), 77, destroy, 2, 1))
    done(hip.hipUserObjectRetain(thing, 1))
    done(hip.hipUserObjectRelease(thing, 2))
    done(hip.hipGraphRetainUserObject(graph.handle, thing, 1, 1))  # moved
    done(hip.hipGraphRetainUserObject(graph.handle, thing, 2, 0))
    done(hip.hipGraphReleaseUserObject(graph.handle, thing, 2))
    graph.add("hipGraphAddEmptyNode")
    executable = graph.instantiate()
    done(hip.hipGraphDestroy(graph.handle))
    assert gone == []
    done(hip.hipGraphExecDestroy(executable))
    assert gone == [77]
    done(hip.hipUserObjectRelease(thing, 1))  # gone, and nothing is said, as AMD's library
    new, nothing = byref(thing), HostFunction(0)
    for arguments in (
        *((None, 1, destroy, 1, 1), (new, 1, nothing, 1, 1)),
        *((new, 1, destroy, 0, 1), (new, 1, destroy, 1, 0)),
    ):
        assert hip.hipUserObjectCreate(*arguments) == INVALID_VALUE
    assert hip.hipUserObjectRelease(None, 1) == INVALID_VALUE
    assert hip.hipUserObjectRetain(thing, 0) == INVALID_VALUE


# --- by one structure; instantiation; captures


def test_nodes_of_any_kind(hip: Library, device: Borrowed, graph: Graph) -> None:
    memory, event, inner = device.memory(bytes(BYTES)), device.event(), Graph()
    params = AnyParams(type=FILL, memset=FillNode(memory, 1, 1, BYTES, 1, BYTES))
    node = graph.add("hipGraphAddNode", byref(params))
    rest = (
        (CHILD, inner.handle, CHILD), (RECORD, event, RECORD), (WAIT, event, WAIT),
    )  # fmt: skip
    for kind, handle, expected in rest:
        assert (
            type_of(graph.add("hipGraphAddNode", byref(AnyParams(type=kind, handle=handle))))
            == expected
        )
    memory_of = AnyParams(type=ALLOC, alloc=allocation())
    graph.add("hipGraphAddNode", byref(memory_of))
    graph.add("hipGraphAddNode", byref(AnyParams(type=FREE, handle=memory_of.alloc.dptr)))
    executable = graph.run()
    assert set(device.read(memory, BYTES)) == {1}
    params.memset.value = 2
    done(hip.hipGraphExecNodeSetParams(executable, node, byref(params)))
    launch(executable)
    assert set(device.read(memory, BYTES)) == {2}
    done(hip.hipGraphNodeSetParams(node, byref(params)))
    for kind, code in ((8, Code.NOT_SUPPORTED), (99, INVALID_VALUE), (COPY, INVALID_VALUE)):
        assert graph.try_to_add("hipGraphAddNode", byref(AnyParams(type=kind)))[0] == code
    assert hip.hipGraphExecNodeSetParams(executable, node, None) == INVALID_VALUE
    done(hip.hipGraphExecDestroy(executable))


def test_instantiation_by_structure(hip: Library, graph: Graph) -> None:
    graph.add("hipGraphAddEmptyNode")
    made, flags, params = c_void_p(), c_uint64(), Instantiation(flags=AUTO_FREE, result=9)
    done(hip.hipGraphInstantiateWithParams(byref(made), graph.handle, byref(params)))
    done(hip.hipGraphExecGetFlags(made, byref(flags)))
    assert (params.result, flags.value) == (0, AUTO_FREE)
    params.flags = 64
    code = hip.hipGraphInstantiateWithParams(byref(made), graph.handle, byref(params))
    assert (code, params.result) == (INVALID_VALUE, 1)
    assert hip.hipGraphExecGetFlags(None, byref(flags)) == INVALID_VALUE


def test_a_capture_adds_to_a_graph(hip: Library, device: Borrowed, graph: Graph) -> None:
    memory, stream, made = device.memory(bytes(BYTES)), device.stream(), c_void_p()
    first = graph.add("hipGraphAddMemsetNode", fill(memory, 1))
    behind = (c_void_p * 1)(first)
    begin = hip.hipStreamBeginCaptureToGraph
    assert begin(stream, graph.handle, None, None, 1, 2) == INVALID_VALUE
    assert begin(stream, None, None, None, 0, 2) == INVALID_VALUE
    done(begin(stream, graph.handle, behind, None, 1, 2))
    done(hip.hipMemsetAsync(memory, 2, 8, stream))
    update = hip.hipStreamUpdateCaptureDependencies
    done(update(stream, behind, 1, 1))
    done(hip.hipMemsetAsync(memory + 8, 3, 8, stream))
    assert update(stream, behind, 1, 7) == INVALID_VALUE
    done(hip.hipStreamEndCapture(stream, byref(made)))
    assert made.value == graph.handle.value
    assert update(stream, behind, 1, 0) == ILLEGAL_STATE
    graph.run()
    assert list(device.read(memory, 17)) == [2] * 8 + [3] * 8 + [1]
    count = c_size_t()
    done(hip.hipGraphNodeGetDependentNodes(first, None, byref(count)))
    assert count.value == 2


def test_an_update_takes_over_every_kind_of_node(hip: Library, device: Borrowed) -> None:
    memory, events = device.memory(bytes(BYTES)), [device.event(), device.event()]
    graphs = []
    for value, event in enumerate(events, start=1):
        graph, inner = Graph(), Graph()
        inner.add("hipGraphAddMemsetNode", fill(memory + 8, value, 8))
        graph.add("hipGraphAddMemsetNode", fill(memory, value, 8))
        graph.add("hipGraphAddChildGraphNode", inner.handle)
        graph.add("hipGraphAddEventRecordNode", event)
        graphs.append(graph)
    executable, node, result = graphs[0].run(), c_void_p(), c_int()
    done(hip.hipGraphExecUpdate(executable, graphs[1].handle, byref(node), byref(result)))
    launch(executable)
    assert list(device.read(memory, 17)) == [2] * 16 + [0]
    graphs[1].add("hipGraphAddEmptyNode")
    code = hip.hipGraphExecUpdate(executable, graphs[1].handle, byref(node), byref(result))
    assert (code, result.value, node.value) == (UPDATE_FAILED, 2, None)


# --- what makes no sense


def test_nodes_that_make_no_sense_are_refused(hip: Library, device: Borrowed, graph: Graph) -> None:
    memory = device.memory(bytes(BYTES))
    good, wrong, kind = box(memory, memory + 32, D2D, 4, 2, 1), Copy3D(), box(memory, memory, 77)
    empty = graph.add("hipGraphAddEmptyNode")
    executable = graph.instantiate()
    elsewhere = allocation()
    elsewhere.location.id = 9
    nothing, pooled = allocation(0), allocation()
    pooled.kind = 0
    both = DriverCopy3D(width=4, height=1, depth=1)
    one = INVALID_VALUE
    for name, *arguments, code in (
        ("hipGraphAddMemcpyNode", None, one), ("hipGraphAddMemcpyNode", byref(wrong), one),
        ("hipGraphAddMemcpyNode", byref(kind), Code.INVALID_COPY_KIND),
        ("hipDrvGraphAddMemcpyNode", byref(both), None, one),
        ("hipDrvGraphAddMemsetNode", None, None, one),
        ("hipGraphAddEventRecordNode", None, one), ("hipGraphAddEventWaitNode", 0x123, one),
        ("hipGraphAddMemAllocNode", None, one), ("hipGraphAddMemAllocNode", byref(nothing), one),
        ("hipGraphAddMemAllocNode", byref(elsewhere), one),
        ("hipGraphAddMemAllocNode", byref(pooled), one),
        ("hipGraphAddMemFreeNode", None, one), ("hipGraphAddMemFreeNode", memory, one),
        ("hipDrvGraphAddMemFreeNode", memory, one), ("hipGraphAddChildGraphNode", None, one),
        ("hipGraphAddBatchMemOpNode", None, one), ("hipGraphAddNode", None, one),
        ("hipGraphAddMemcpyNodeToSymbol", None, memory, 4, 0, H2D, Code.INVALID_SYMBOL),
        ("hipGraphAddMemcpyNodeFromSymbol", memory, None, 4, 0, D2H, Code.INVALID_SYMBOL),
    ):  # fmt: skip
        assert graph.try_to_add(name, *arguments)[0] == code, name
    for name, *arguments, code in (
        ("hipGraphMemcpyNodeGetParams", empty, byref(good), one),
        ("hipGraphMemcpyNodeSetParams", empty, byref(good), one),
        ("hipGraphExecMemcpyNodeSetParams", executable, empty, byref(good), one),
        ("hipDrvGraphMemcpyNodeGetParams", empty, byref(both), one),
        ("hipDrvGraphMemcpyNodeSetParams", empty, byref(both), one),
        ("hipDrvGraphExecMemcpyNodeSetParams", executable, empty, byref(both), None, one),
        ("hipDrvGraphExecMemsetNodeSetParams", executable, empty, fill(memory, 1), None, one),
        ("hipGraphEventRecordNodeGetEvent", empty, byref(c_void_p()), one),
        ("hipGraphEventRecordNodeSetEvent", empty, device.event(), one),
        ("hipGraphExecEventRecordNodeSetEvent", executable, empty, device.event(), one),
        ("hipGraphEventWaitNodeGetEvent", empty, byref(c_void_p()), one),
        ("hipGraphEventWaitNodeSetEvent", empty, device.event(), one),
        ("hipGraphExecEventWaitNodeSetEvent", executable, empty, device.event(), one),
        ("hipGraphMemAllocNodeGetParams", empty, byref(allocation()), one),
        ("hipGraphMemFreeNodeGetParams", empty, byref(c_void_p()), one),
        ("hipGraphChildGraphNodeGetGraph", empty, byref(c_void_p()), one),
        ("hipGraphBatchMemOpNodeGetParams", empty, byref(BatchParams()), one),
        ("hipGraphExecBatchMemOpNodeSetParams", executable, empty, byref(BatchParams()), one),
        ("hipGraphKernelNodeGetAttribute", empty, 8, (c_int * 16)(), one),
        ("hipGraphMemcpyNodeSetParamsToSymbol", empty, None, memory, 4, 0, H2D,
         Code.INVALID_SYMBOL),
        ("hipGraphMemcpyNodeSetParamsFromSymbol", empty, memory, None, 4, 0, D2H,
         Code.INVALID_SYMBOL),
        ("hipGraphExecMemcpyNodeSetParamsToSymbol", executable, empty, None, memory, 4, 0, H2D,
         Code.INVALID_SYMBOL),
        ("hipGraphExecMemcpyNodeSetParamsFromSymbol", executable, empty, memory, None, 4, 0, D2H,
         Code.INVALID_SYMBOL),
        ("hipGraphRetainUserObject", graph.handle, None, 1, 0, one),
        ("hipGraphReleaseUserObject", graph.handle, None, 1, one),
        ("hipDeviceGetGraphMemAttribute", 9, 0, byref(c_uint64()), INVALID_DEVICE),
        ("hipDeviceGetGraphMemAttribute", 0, 9, byref(c_uint64()), one),
        ("hipDeviceSetGraphMemAttribute", 0, 0, byref(c_uint64()), one),
        ("hipDeviceSetGraphMemAttribute", 0, 1, None, one),
        ("hipDeviceGraphMemTrim", 9, INVALID_DEVICE),
    ):  # fmt: skip
        assert getattr(hip, name)(*arguments) == code, name
