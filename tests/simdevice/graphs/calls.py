"""HIP calls for these tests: AMD's bindings, and ctypes where the bindings have no room.

The bindings pass room for one node, and a count that nobody has set, to the calls that fill arrays
(hipGraphGetNodes and the like), and no value to the call that exchanges one
(hipThreadExchangeStreamCaptureMode); and they turn results of failed calls, which nobody has set,
into enumerations. Those go to the same library through ctypes.
"""

from __future__ import annotations

import ctypes
import importlib
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from greta.hip import choose_device

hip: Any = importlib.import_module("rocm.bindings.hip")  # its stubs say nothing of types

Ints = npt.NDArray[np.int32]

GLOBAL = hip.hipStreamCaptureMode.hipStreamCaptureModeGlobal
THREAD_LOCAL = hip.hipStreamCaptureMode.hipStreamCaptureModeThreadLocal
RELAXED = hip.hipStreamCaptureMode.hipStreamCaptureModeRelaxed
MODES = (GLOBAL, THREAD_LOCAL, RELAXED)

NONE, ACTIVE, INVALIDATED = 0, 1, 2  # capture status

KERNEL, MEMCPY, MEMSET, HOST, GRAPH, EMPTY = 0, 1, 2, 3, 4, 5  # node types
MEM_ALLOC, MEM_FREE = 10, 11

TO_DEVICE = hip.hipMemcpyKind.hipMemcpyHostToDevice
TO_HOST = hip.hipMemcpyKind.hipMemcpyDeviceToHost
ON_DEVICE = hip.hipMemcpyKind.hipMemcpyDeviceToDevice
DEFAULT = hip.hipMemcpyKind.hipMemcpyDefault

LEGACY_STREAM, PER_THREAD_STREAM = 1, 2


def done(result: tuple[Any, ...]) -> Any:
    """The one result of a call that must succeed."""
    code, *rest = result
    assert int(code) == 0, f"HIP error {int(code)}"
    return rest[0] if len(rest) == 1 else tuple(rest)


def code(result: tuple[Any, ...]) -> int:
    return int(result[0])


def library() -> ctypes.CDLL:
    return ctypes.CDLL(str(choose_device().library))


def raw(function: str, *arguments: Any) -> int:
    """The error code of a call through ctypes; integers are pointers or handles."""
    pointers = [ctypes.c_void_p(each) if isinstance(each, int) else each for each in arguments]
    return int(getattr(library(), function)(*pointers))


# --- memory


def device_ints(*values: int) -> int:
    """Device memory that holds these; freed with the process."""
    array = np.array(values, dtype=np.int32)
    address = int(done(hip.hipMalloc(array.nbytes)))
    done(hip.hipMemcpy(address, array, array.nbytes, TO_DEVICE))
    return address


def ints_at(address: int, count: int = 1) -> list[int]:
    done(hip.hipDeviceSynchronize())
    array = np.zeros(count, dtype=np.int32)
    done(hip.hipMemcpy(array, address, array.nbytes, TO_HOST))
    return [int(value) for value in array]


def int_at(address: int) -> int:
    return ints_at(address)[0]


def pinned_ints(count: int = 1) -> Ints:
    """Pinned host memory as an array; freed with the process."""
    address = int(done(hip.hipHostMalloc(4 * count, 0)))
    memory: Any = (ctypes.c_int32 * count).from_address(address)
    array: Ints = np.frombuffer(memory, dtype=np.int32)
    return array


# --- streams, events


@contextmanager
def stream(flags: int = 0) -> Iterator[int]:
    """A stream; it takes along a capture that a failed test has left open."""
    handle = int(done(hip.hipStreamCreateWithFlags(flags)))
    try:
        yield handle
    finally:
        done(hip.hipStreamDestroy(handle))


def event() -> int:
    return int(done(hip.hipEventCreateWithFlags(2)))


def begin(handle: int, mode: Any = RELAXED) -> None:
    done(hip.hipStreamBeginCapture(handle, mode))


def end(handle: int) -> int:
    return int(done(hip.hipStreamEndCapture(handle)))


def end_code(handle: int) -> int:
    error, graph = hip.hipStreamEndCapture(handle)
    assert error == 0 or graph is None
    return int(error)


def status(handle: int | None) -> int:
    return int(done(hip.hipStreamIsCapturing(handle)))


def fork(origin: int, other: int) -> None:
    """Work of `other` comes after what `origin` has so far."""
    happened = event()
    done(hip.hipEventRecord(happened, origin))
    done(hip.hipStreamWaitEvent(other, happened, 0))


join = fork


# --- host functions

HOST_FUNCTION = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


class Hold:
    """A host function that stands still until it is released."""

    def __init__(self) -> None:
        self.entered = threading.Semaphore(0)
        self.runs = 0
        self._gate = threading.Event()
        self._function = HOST_FUNCTION(self._stand)
        self.address = ctypes.cast(self._function, ctypes.c_void_p).value or 0

    def _stand(self, _data: int | None) -> None:
        self.runs += 1
        self.entered.release()
        self._gate.wait(30)

    def release(self) -> None:
        self._gate.set()


class Counter:
    """A host function that remembers its calls."""

    def __init__(self) -> None:
        self.data: list[int] = []
        self._function = HOST_FUNCTION(lambda data: self.data.append(data or 0))
        self.address = ctypes.cast(self._function, ctypes.c_void_p).value or 0

    @property
    def runs(self) -> int:
        return len(self.data)


@contextmanager
def held(handle: int) -> Iterator[Hold]:
    """The stream does not get past this point while the block runs."""
    hold = Hold()
    done(hip.hipLaunchHostFunc(handle, hold.address, None))
    assert hold.entered.acquire(timeout=30)
    try:
        yield hold
    finally:
        hold.release()
        done(hip.hipStreamSynchronize(handle))


# --- graphs


class Dim3(ctypes.Structure):
    _fields_ = (("x", ctypes.c_uint32), ("y", ctypes.c_uint32), ("z", ctypes.c_uint32))


class KernelParams(ctypes.Structure):
    _fields_ = (
        ("block", Dim3),
        ("extra", ctypes.c_void_p),
        ("function", ctypes.c_void_p),
        ("grid", Dim3),
        ("arguments", ctypes.POINTER(ctypes.c_void_p)),
        ("shared_bytes", ctypes.c_uint32),
    )


class FillParams(ctypes.Structure):
    _fields_ = (
        ("dst", ctypes.c_void_p),
        ("element_bytes", ctypes.c_uint32),
        ("height", ctypes.c_size_t),
        ("pitch", ctypes.c_size_t),
        ("value", ctypes.c_uint32),
        ("width", ctypes.c_size_t),
    )


Params = TypeVar("Params", bound=ctypes.Structure)


class HostParams(ctypes.Structure):
    _fields_ = (("function", ctypes.c_void_p), ("data", ctypes.c_void_p))


def handles(nodes: Sequence[int]) -> Any:
    return (ctypes.c_void_p * max(1, len(nodes)))(*nodes)


def kernel_params(
    function: int, *arguments: Any, grid: int = 1, block: int = 1, shared: int = 0
) -> KernelParams:
    pointers = (ctypes.c_void_p * len(arguments))(*(ctypes.addressof(a) for a in arguments))
    params = KernelParams(
        Dim3(block, 1, 1),
        None,
        function,
        Dim3(grid, 1, 1),
        ctypes.cast(pointers, ctypes.POINTER(ctypes.c_void_p)),
        shared,
    )
    params.kept_alive = (arguments, pointers)
    return params


def fill_params(
    dst: int, value: int, width: int, *, size: int = 4, height: int = 1, pitch: int = 0
) -> FillParams:
    return FillParams(dst, size, height, pitch, value, width)


def address_of(params: ctypes.Structure) -> int:
    return ctypes.addressof(params)


def read_params(getter: str, kind: type[Params], node: int) -> Params:
    params = kind()
    assert getattr(library(), getter)(ctypes.c_void_p(node), ctypes.byref(params)) == 0
    return params


def add_kernel(graph: int, params: KernelParams, *after: int) -> int:
    return int(
        done(hip.hipGraphAddKernelNode(graph, handles(after), len(after), address_of(params)))
    )


def add_fill(graph: int, params: FillParams, *after: int) -> int:
    return int(
        done(hip.hipGraphAddMemsetNode(graph, handles(after), len(after), address_of(params)))
    )


def add_empty(graph: int, *after: int) -> int:
    return int(done(hip.hipGraphAddEmptyNode(graph, handles(after), len(after))))


def add_host(graph: int, function: int, data: int, *after: int) -> int:
    params = HostParams(function, data)
    return int(done(hip.hipGraphAddHostNode(graph, handles(after), len(after), address_of(params))))


def _listed(function: str, handle: int) -> list[int]:
    call = getattr(library(), function)
    count = ctypes.c_size_t(0)
    assert call(ctypes.c_void_p(handle), None, ctypes.byref(count)) == 0
    array = (ctypes.c_void_p * max(1, count.value))()
    assert call(ctypes.c_void_p(handle), array, ctypes.byref(count)) == 0
    return [array[i] or 0 for i in range(count.value)]


def nodes(graph: int) -> list[int]:
    return _listed("hipGraphGetNodes", graph)


def roots(graph: int) -> list[int]:
    return _listed("hipGraphGetRootNodes", graph)


def dependencies(node: int) -> list[int]:
    return _listed("hipGraphNodeGetDependencies", node)


def dependents(node: int) -> list[int]:
    return _listed("hipGraphNodeGetDependentNodes", node)


def edges(graph: int) -> set[tuple[int, int]]:
    call = library().hipGraphGetEdges
    count = ctypes.c_size_t(0)
    assert call(ctypes.c_void_p(graph), None, None, ctypes.byref(count)) == 0
    begins = (ctypes.c_void_p * max(1, count.value))()
    ends = (ctypes.c_void_p * max(1, count.value))()
    assert call(ctypes.c_void_p(graph), begins, ends, ctypes.byref(count)) == 0
    return {(begins[i] or 0, ends[i] or 0) for i in range(count.value)}


def node_type(node: int) -> int:
    return int(done(hip.hipGraphNodeGetType(node)))


def types(graph: int) -> list[int]:
    return [node_type(node) for node in nodes(graph)]


def instantiate(graph: int) -> int:
    return int(done(hip.hipGraphInstantiateWithFlags(graph, 0)))


def launch(executable: int, handle: int) -> None:
    done(hip.hipGraphLaunch(executable, handle))


def run(graph: int, handle: int) -> None:
    """Instantiates, launches once and waits."""
    launch(instantiate(graph), handle)
    done(hip.hipStreamSynchronize(handle))


def exchange_mode(mode: Any) -> int:
    value = ctypes.c_int(int(mode))
    assert library().hipThreadExchangeStreamCaptureMode(ctypes.byref(value)) == 0
    return value.value


def in_other_thread(function: Any) -> Any:
    """What the function returns on a thread of its own."""
    results: list[Any] = []
    thread = threading.Thread(target=lambda: results.append(function()))
    thread.start()
    thread.join(30)
    return results[0]
