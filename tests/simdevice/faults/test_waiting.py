"""A fault ends every wait: nobody hangs for work that will never be done."""

from __future__ import annotations

import ctypes
import functools
import itertools
import threading
from collections.abc import Callable

import pytest

from tests.simdevice import memory
from tests.simdevice.child import answer_of
from tests.simdevice.faults.kernels import ILLEGAL_ADDRESS, load
from tests.simdevice.faults.staging import NULL_PAGE, WRITE
from tests.simdevice.library import HostFunction, byref, done, hip_library
from tests.simdevice.memory import DEVICE_TO_HOST, HOST_TO_DEVICE
from tests.simdevice.streams import NON_BLOCKING, Elsewhere, Hold, eventually, new_stream

BIG = 2 << 20  # more than is staged
EQUAL = 1

Wait = Callable[[int], Callable[[], int]]

# Each gives a call that waits for a stream in which nothing will ever go on. What the call needs
# is made before: another stream's fault refuses everything that comes after it.


def stream_synchronize(stream: int) -> Callable[[], int]:
    return functools.partial(hip_library().hipStreamSynchronize, stream)


def device_synchronize(_stream: int) -> Callable[[], int]:
    return functools.partial(hip_library().hipDeviceSynchronize)


def event_synchronize(stream: int) -> Callable[[], int]:
    event = ctypes.c_void_p()
    done(hip_library().hipEventCreate(byref(event)))
    done(hip_library().hipEventRecord(event, stream))
    return functools.partial(hip_library().hipEventSynchronize, event)


def a_copy(
    function: str, target: memory.Block, source: memory.Block, kind: int, stream: int
) -> Callable[[], int]:
    call = getattr(hip_library(), function)
    return lambda: call(target.address, source.address, source.size, kind, stream)


def copy_to_pageable(stream: int) -> Callable[[], int]:
    target, source = memory.pageable(64), memory.device(64)
    return a_copy("hipMemcpyAsync", target, source, DEVICE_TO_HOST, stream)


def copy_from_large_pageable(stream: int) -> Callable[[], int]:
    target, source = memory.device(BIG), memory.pageable(BIG)
    return a_copy("hipMemcpyAsync", target, source, HOST_TO_DEVICE, stream)


def copy_with_stream(stream: int) -> Callable[[], int]:
    target, source = memory.pinned(64), memory.device(64)
    return a_copy("hipMemcpyWithStream", target, source, DEVICE_TO_HOST, stream)


def free_device_memory(_stream: int) -> Callable[[], int]:
    return functools.partial(hip_library().hipFree, memory.device(64).address)


def free_pinned_memory(_stream: int) -> Callable[[], int]:
    return functools.partial(hip_library().hipHostFree, memory.pinned(64).address)


def unregister(_stream: int) -> Callable[[], int]:
    block = memory.registered(64)
    return lambda: hip_library().hipHostUnregister(block.address)


WAITS = [
    stream_synchronize,
    device_synchronize,
    event_synchronize,
    copy_to_pageable,
    copy_from_large_pageable,
    copy_with_stream,
    free_device_memory,
    free_pinned_memory,
    unregister,
]


def wait_while_another_stream_faults(path: str, name: str, held_by: str) -> list[object]:
    """Whether the call waited, and what it returned in the end."""
    hip, kernels = hip_library(), load(path)
    stuck, faulting = new_stream(NON_BLOCKING), new_stream(NON_BLOCKING)
    hold, word = Hold(), memory.pinned(4)
    word.fill(0)
    if held_by == "value":  # that nobody will write
        done(hip.hipStreamWaitValue32(stuck, word.address, 1, EQUAL, 0xFFFFFFFF))
    else:
        done(hip.hipLaunchHostFunc(stuck, hold.function, None))
    wait: Wait = globals()[name]
    call = Elsewhere(wait(stuck))
    waited = call.still_waits()
    done(kernels.launch("access", 0, NULL_PAGE, 4, WRITE, stream=faulting))
    code = call.join()
    hold.release()
    return [waited, code]


@pytest.mark.parametrize("held_by", ["value", "host function"])
@pytest.mark.parametrize("wait", WAITS, ids=lambda wait: wait.__name__)
def test_a_wait_for_another_stream_ends(wait: Wait, held_by: str, code_object: str) -> None:
    answer = answer_of(wait_while_another_stream_faults, code_object, wait.__name__, held_by)
    assert answer == [True, ILLEGAL_ADDRESS]


def wait_for_dependents(path: str) -> list[int]:
    """Streams that wait for the faulting one through events, in a chain."""
    hip, kernels = hip_library(), load(path)
    streams = [new_stream(NON_BLOCKING) for _ in range(8)]
    hold = Hold()
    done(hip.hipLaunchHostFunc(streams[0], hold.function, None))
    done(kernels.launch("access", 0, NULL_PAGE, 4, WRITE, stream=streams[0]))
    for earlier, later in itertools.pairwise(streams):
        event = ctypes.c_void_p()
        done(hip.hipEventCreateWithFlags(byref(event), 2))
        done(hip.hipEventRecord(event, earlier))
        done(hip.hipStreamWaitEvent(later, event, 0))
    calls = [Elsewhere(stream_synchronize(stream)) for stream in streams]
    hold.release()
    return [call.join() for call in calls]


def test_streams_that_depend_on_the_faulting_one_end_too(code_object: str) -> None:
    assert answer_of(wait_for_dependents, code_object) == [ILLEGAL_ADDRESS] * 8


def fault_while_a_kernel_spins(path: str) -> list[int]:
    """A kernel that waits for the host keeps a worker busy; the fault is in another stream."""
    hip, kernels = hip_library(), load(path)
    word = memory.pinned(4)
    word.fill(0)
    spinning, faulting = new_stream(NON_BLOCKING), new_stream(NON_BLOCKING)
    done(kernels.launch("spin_until", word.address, stream=spinning))
    done(kernels.launch("access", 0, NULL_PAGE, 4, WRITE, stream=faulting))
    codes = [int(hip.hipDeviceSynchronize()), int(hip.hipStreamSynchronize(spinning))]
    word.fill(1)
    return codes


def test_a_spinning_kernel_does_not_hold_the_error_back(code_object: str) -> None:
    assert answer_of(fault_while_a_kernel_spins, code_object) == [ILLEGAL_ADDRESS] * 2


def leave_without_waiting(path: str) -> str:
    """The process ends while its device is lost and a stream is stuck."""
    word = memory.pinned(4)
    word.fill(0)
    stuck = new_stream(NON_BLOCKING)
    done(hip_library().hipStreamWaitValue32(stuck, word.address, 1, EQUAL, 0xFFFFFFFF))
    done(load(path).launch("access", 0, NULL_PAGE, 4, WRITE))
    return "gone"


def test_the_process_can_end_at_any_time(code_object: str) -> None:
    assert answer_of(leave_without_waiting, code_object) == "gone"


# --- what a call that was cut short leaves behind


def free_under_a_host_function(path: str, how: str) -> list[int]:
    """A host function is at work on pinned memory that another thread is freeing."""
    hip, kernels, block = hip_library(), load(path), memory.pinned(64)
    entered, gate = threading.Event(), threading.Event()

    def write_late(_data: int | None) -> None:
        entered.set()
        gate.wait(30)
        block.fill(7)

    function, working = HostFunction(write_late), new_stream(NON_BLOCKING)
    done(hip.hipLaunchHostFunc(working, function, None))
    assert entered.wait(30)
    calls = {"free": lambda: hip.hipHostFree(block.address), "reset": hip.hipDeviceReset}
    call = Elsewhere(calls[how])
    assert call.still_waits()
    done(kernels.launch("access", 0, NULL_PAGE, 4, WRITE, stream=new_stream(NON_BLOCKING)))
    code = call.join()
    gate.set()
    eventually(lambda: block.read()[0] == 7)
    return [code, block.byte]


@pytest.mark.parametrize("how", ["free", "reset"])
def test_memory_is_not_taken_away_from_a_function_that_uses_it(how: str, code_object: str) -> None:
    assert answer_of(free_under_a_host_function, code_object, how) == [ILLEGAL_ADDRESS, 7]


def fault_during_a_long_copy(path: str) -> bool:
    """Whether the device has let go of the program's memory when the call returns."""
    rows = 64 << 20  # of one byte: slow
    hip, kernels = hip_library(), load(path)
    source, target = memory.device(2 * rows), memory.pageable(rows)
    done(hip.hipMemset(source.address, 1, 2 * rows))
    done(hip.hipDeviceSynchronize())
    copying, faulting = new_stream(NON_BLOCKING), new_stream(NON_BLOCKING)
    copy = (target.address, 1, source.address, 2, 1, rows, DEVICE_TO_HOST, copying)
    call = Elsewhere(lambda: hip.hipMemcpy2DAsync(*copy))
    eventually(lambda: ctypes.string_at(target.address, 1) != b"\0")
    kernels.launch("access", 0, NULL_PAGE, 4, WRITE, stream=faulting)
    assert call.join() in (0, ILLEGAL_ADDRESS)  # a very slow host may come too late with its fault
    at_return = count_ones(target)
    threading.Event().wait(0.1)
    return at_return == count_ones(target)


def count_ones(block: memory.Block) -> int:
    return block.read().count(1)


def test_a_copy_under_way_ends_before_its_call_returns(code_object: str) -> None:
    assert answer_of(fault_during_a_long_copy, code_object)
