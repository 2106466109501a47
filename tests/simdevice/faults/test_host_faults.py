"""The host's own faults stay the host's; Python's faulthandler takes ours for none of them."""

from __future__ import annotations

import ctypes
import faulthandler
import os
import signal

import pytest

from tests.simdevice import memory
from tests.simdevice.child import run_in_child
from tests.simdevice.faults.kernels import ILLEGAL_ADDRESS, load
from tests.simdevice.faults.staging import NULL_PAGE, WRITE
from tests.simdevice.library import done, hip_library
from tests.simdevice.streams import NON_BLOCKING, Hold, new_stream

FATAL = "Fatal Python error: Segmentation fault"


def fault_with_faulthandler(path: str, when: str) -> int:
    if when == "before":
        faulthandler.enable()
    kernels, stream = load(path), new_stream(NON_BLOCKING)
    if when == "after loading":
        faulthandler.enable()
    done(kernels.launch("nothing", 0, stream=stream))
    done(hip_library().hipStreamSynchronize(stream))
    if when == "after a launch":
        faulthandler.enable()
    if when == "off and on":
        faulthandler.enable()
        faulthandler.disable()
        faulthandler.enable()
    done(kernels.launch("access", 0, NULL_PAGE, 4, WRITE, stream=stream))
    return int(hip_library().hipStreamSynchronize(stream))


@pytest.mark.parametrize(
    "when", ["never", "before", "after loading", "after a launch", "off and on"]
)
def test_a_device_fault_is_none_of_faulthandlers_business(when: str, code_object: str) -> None:
    child = run_in_child(fault_with_faulthandler, code_object, when)
    assert child.answer == ILLEGAL_ADDRESS
    assert child.returncode == 0
    assert FATAL not in child.stderr


def fault_on_one_core(path: str, when: str) -> int:
    """Where the handlers are replaced and the next launch is there before the stream looks."""
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    return fault_with_faulthandler(path, when)


@pytest.mark.parametrize("when", ["after a launch", "off and on"])
def test_nor_is_it_on_a_busy_machine(when: str, code_object: str) -> None:
    child = run_in_child(fault_on_one_core, code_object, when)
    assert child.answer == ILLEGAL_ADDRESS
    assert child.returncode == 0


def host_segfault(path: str, handler: str, device_fault_first: bool) -> None:
    if handler == "before":
        faulthandler.enable()
    kernels = load(path)
    done(kernels.launch("nothing", 0))
    done(hip_library().hipDeviceSynchronize())
    if handler == "after":
        faulthandler.enable()
    if device_fault_first:
        done(kernels.launch("access", 0, NULL_PAGE, 4, WRITE))
        assert hip_library().hipDeviceSynchronize() == ILLEGAL_ADDRESS
    ctypes.string_at(NULL_PAGE)


@pytest.mark.parametrize("device_fault_first", [False, True])
@pytest.mark.parametrize("handler", ["never", "before", "after"])
def test_a_segfault_of_the_host_still_kills_it(
    handler: str, device_fault_first: bool, code_object: str
) -> None:
    child = run_in_child(host_segfault, code_object, handler, device_fault_first)
    assert child.returncode == -signal.SIGSEGV
    assert (FATAL in child.stderr) == (handler != "never")
    assert not child.answered


def faulthandler_enabled_while_a_stream_is_held(path: str) -> int:
    """What will fault is queued already when the handlers are replaced."""
    kernels, stream, hold = load(path), new_stream(NON_BLOCKING), Hold()
    done(hip_library().hipLaunchHostFunc(stream, hold.function, None))
    done(kernels.launch("access", 0, NULL_PAGE, 4, WRITE, stream=stream))
    assert hold.entered.wait(30)
    faulthandler.enable()
    hold.release()
    return int(hip_library().hipStreamSynchronize(stream))


def test_faulthandler_may_come_while_work_is_queued(code_object: str) -> None:
    child = run_in_child(faulthandler_enabled_while_a_stream_is_held, code_object)
    assert child.answer == ILLEGAL_ADDRESS
    assert child.returncode == 0


def faulthandler_before_a_staged_copy() -> int:
    """Staging happens on the calling thread."""
    stream, block = new_stream(NON_BLOCKING), memory.device(64)
    block.fill(0)
    faulthandler.enable()
    copy = (block.address, NULL_PAGE, 64, memory.HOST_TO_DEVICE, stream)
    return int(hip_library().hipMemcpyAsync(*copy))


def test_faulthandler_may_come_before_a_copy() -> None:
    child = run_in_child(faulthandler_before_a_staged_copy)
    assert child.answer == ILLEGAL_ADDRESS
    assert child.returncode == 0


def faulthandler_enabled_between_launches(path: str) -> list[int]:
    """The handlers are replaced while a stream that will fault is asleep."""
    kernels, stream = load(path), new_stream(NON_BLOCKING)
    hip = hip_library()
    codes = []
    for _ in range(3):
        faulthandler.enable()
        done(kernels.launch("nothing", 0, stream=stream))
        codes.append(hip.hipStreamSynchronize(stream))
        faulthandler.disable()
    faulthandler.enable()
    done(kernels.launch("access", 0, NULL_PAGE, 4, WRITE, stream=stream))
    return [*codes, hip.hipStreamSynchronize(stream)]


def test_faulthandler_may_come_and_go(code_object: str) -> None:
    child = run_in_child(faulthandler_enabled_between_launches, code_object)
    assert child.answer == [0, 0, 0, ILLEGAL_ADDRESS]
    assert child.returncode == 0
