"""A fault is an error of the whole process, for good."""

from __future__ import annotations

import ctypes
import threading
from typing import Any

import pytest

from tests.simdevice import memory
from tests.simdevice.child import answer_of
from tests.simdevice.faults.kernels import ILLEGAL_ADDRESS, LAUNCH_FAILURE, load
from tests.simdevice.faults.staging import (
    NULL_PAGE,
    WRITE,
    codes_of_every_call,
    codes_of_later_calls,
    fault,
    truth,
)
from tests.simdevice.library import Dim3, HostFunction, byref, done, hip_library
from tests.simdevice.streams import (
    NON_BLOCKING,
    NOT_READY,
    Elsewhere,
    Hold,
    new_stream,
    on_another_thread,
)

# Long enough for a host function that must not run to show itself if it does.
LONG_ENOUGH = 0.1


def only(code: int, codes: dict[str, int]) -> bool:
    return {name for name, seen in codes.items() if seen != code} == set()


# --- which call reports it


def configured_after(path: str) -> list[int]:
    fault(path)
    hip, one, word = hip_library(), Dim3(1, 1, 1), ctypes.c_void_p()
    pushed = getattr(hip, "__hipPushCallConfiguration")(one, one, 0, None)
    sizes = byref(Dim3()), byref(Dim3()), byref(ctypes.c_size_t()), byref(word)
    popped = getattr(hip, "__hipPopCallConfiguration")(*sizes)
    return [int(pushed), int(popped), int(hip.hipDeviceSynchronize())]


def test_what_the_compiler_calls_for_a_launch_leaves_it_to_the_launch(code_object: str) -> None:
    """Else the launch is not made, and the program does not see who failed."""
    assert answer_of(configured_after, code_object) == [0, 0, ILLEGAL_ADDRESS]


def launch_then_synchronize(path: str) -> list[int]:
    kernels = load(path)
    launched = kernels.launch("access", 0, NULL_PAGE, 4, WRITE)
    return [launched, int(hip_library().hipDeviceSynchronize())]


def test_the_launch_succeeds_and_the_next_call_reports(code_object: str) -> None:
    for _ in range(5):  # the kernel may have faulted before the launch returns, or not
        assert answer_of(launch_then_synchronize, code_object) == [0, ILLEGAL_ADDRESS]


@pytest.mark.parametrize(
    "switch", [{"HIP_LAUNCH_BLOCKING": "1"}, {"AMD_SERIALIZE_KERNEL": "3"}], ids=str
)
def test_a_launch_that_waits_reports_its_own_fault(
    switch: dict[str, str], code_object: str
) -> None:
    answer = answer_of(launch_then_synchronize, code_object, **switch)
    assert answer == [ILLEGAL_ADDRESS, ILLEGAL_ADDRESS]


def calls_after(path: str) -> dict[str, int]:
    fault(path)
    return codes_of_later_calls()


def test_all_later_calls_report_it(code_object: str) -> None:
    codes = answer_of(calls_after, code_object)
    assert only(ILLEGAL_ADDRESS, codes), codes


def every_call_after(path: str) -> dict[str, int]:
    fault(path)
    return codes_of_every_call()


def test_every_call_of_the_contract_reports_it(code_object: str) -> None:
    codes = answer_of(every_call_after, code_object)
    assert len(codes) > 200
    assert only(ILLEGAL_ADDRESS, codes), codes


def exempt_calls_after(path: str) -> dict[str, Any]:
    fault(path)
    hip, text = hip_library(), ctypes.c_char_p()
    answers: dict[str, Any] = {
        "name": hip.hipGetErrorName(ILLEGAL_ADDRESS).decode(),
        "text": hip.hipGetErrorString(ILLEGAL_ADDRESS).decode(),
        "driver name": [hip.hipDrvGetErrorName(ILLEGAL_ADDRESS, byref(text)), text.value],
        "driver text": [hip.hipDrvGetErrorString(ILLEGAL_ADDRESS, byref(text)), text.value],
    }
    wrapper = (ctypes.c_uint32 * 6)(0x48495046, 1)
    registered = getattr(hip, "__hipRegisterFatBinary")(wrapper)
    getattr(hip, "__hipUnregisterFatBinary")(registered)
    for key in ("driver name", "driver text"):
        answers[key][1] = answers[key][1].decode()
    return answers


def test_names_and_texts_of_errors_are_still_told(code_object: str) -> None:
    text = "an illegal memory access was encountered"
    assert answer_of(exempt_calls_after, code_object) == {
        "name": "hipErrorIllegalAddress",
        "text": text,
        "driver name": [0, "hipErrorIllegalAddress"],
        "driver text": [0, text],
    }


# --- who sees it


def threads_after(path: str) -> list[dict[str, int]]:
    """One thread that was there before the fault, one that came later."""
    happened = threading.Event()
    seen: list[dict[str, int]] = []

    def live_through_it() -> None:
        done(hip_library().hipDeviceSynchronize())
        ready.set()
        happened.wait(30)
        seen.append(codes_of_later_calls())

    ready = threading.Event()
    witness = Elsewhere(live_through_it)
    assert ready.wait(30)
    fault(path)
    happened.set()
    witness.join()
    return [*seen, on_another_thread(codes_of_later_calls)]


def test_all_threads_see_it(code_object: str) -> None:
    before, after = answer_of(threads_after, code_object)
    assert only(ILLEGAL_ADDRESS, before), before
    assert only(ILLEGAL_ADDRESS, after), after


def other_device_after(path: str) -> list[int]:
    fault(path)
    hip, pointer = hip_library(), ctypes.c_void_p()
    return [hip.hipSetDevice(1), hip.hipMalloc(byref(pointer), 16), hip.hipDeviceSynchronize()]


def test_all_devices_are_lost(code_object: str) -> None:
    assert answer_of(other_device_after, code_object, GRETA_SIM_DEVICES="2") == [700, 700, 700]


# --- what was queued


def queued_work_after(path: str) -> dict[str, Any]:
    """Host functions and copies behind the faulting kernel, and in another stream."""
    hip, kernels = hip_library(), load(path)
    ran: list[str] = []
    functions = {name: HostFunction(lambda _data, name=name: ran.append(name)) for name in "ab"}
    first, second = new_stream(NON_BLOCKING), new_stream(NON_BLOCKING)
    target = memory.pinned(64)
    target.fill(0)
    holds = [Hold(), Hold()]
    for stream, hold in zip((first, second), holds, strict=True):
        done(hip.hipLaunchHostFunc(stream, hold.function, None))
        assert hold.entered.wait(30)
    done(kernels.launch("access", 0, NULL_PAGE, 4, WRITE, stream=first))
    for stream, name in ((first, "a"), (second, "b")):
        done(hip.hipLaunchHostFunc(stream, functions[name], None))
        done(hip.hipMemsetAsync(target.address, 1, 64, stream))
    holds[0].release()
    code = hip.hipStreamSynchronize(first)
    holds[1].release()
    threading.Event().wait(LONG_ENOUGH)
    return {"code": code, "ran": ran, "target": target.byte}


def test_what_was_queued_never_runs(code_object: str) -> None:
    answer = answer_of(queued_work_after, code_object)
    assert answer == {"code": ILLEGAL_ADDRESS, "ran": [], "target": 0}


def event_behind_a_fault(path: str) -> list[int]:
    hip, kernels, event = hip_library(), load(path), ctypes.c_void_p()
    done(hip.hipEventCreate(byref(event)))
    stream, hold = new_stream(), Hold()
    done(hip.hipLaunchHostFunc(stream, hold.function, None))
    done(kernels.launch("access", 0, NULL_PAGE, 4, WRITE, stream=stream))
    done(hip.hipEventRecord(event, stream))
    codes = [hip.hipEventQuery(event)]
    hold.release()
    while codes[-1] == NOT_READY:
        codes.append(hip.hipEventQuery(event))
    codes += [hip.hipEventSynchronize(event), hip.hipEventQuery(event)]
    return sorted(set(codes))


def test_an_event_behind_the_fault_never_succeeds(code_object: str) -> None:
    for _ in range(5):
        assert answer_of(event_behind_a_fault, code_object) == [NOT_READY, ILLEGAL_ADDRESS]


def host_memory_after(path: str) -> list[int]:
    """The program can still read what it has: pinned memory is its own."""
    hip, kernels = hip_library(), load(path)
    stream, result = new_stream(), memory.pinned(64)
    done(hip.hipMemsetAsync(result.address, 9, 64, stream))
    done(hip.hipStreamSynchronize(stream))
    done(kernels.launch("access", 0, NULL_PAGE, 4, WRITE, stream=stream))
    code = hip.hipStreamSynchronize(stream)
    return [code, result.byte]


def test_results_that_were_there_before_stay(code_object: str) -> None:
    assert answer_of(host_memory_after, code_object) == [ILLEGAL_ADDRESS, 9]


# --- the error is the first one


def trap_then_fault(path: str) -> list[int]:
    hip, kernels = hip_library(), load(path)
    first, second = new_stream(NON_BLOCKING), new_stream(NON_BLOCKING)
    hold = Hold()
    done(hip.hipLaunchHostFunc(second, hold.function, None))
    done(kernels.launch("access", 0, NULL_PAGE, 4, WRITE, stream=second))
    done(kernels.launch("trap", 0, stream=first))
    code = int(hip.hipStreamSynchronize(first))
    hold.release()
    threading.Event().wait(LONG_ENOUGH)
    return [code, int(hip.hipDeviceSynchronize()), int(hip.hipGetLastError())]


def test_a_second_fault_does_not_change_the_error(code_object: str) -> None:
    assert answer_of(trap_then_fault, code_object) == [LAUNCH_FAILURE] * 3


def calls_from_many_threads(path: str) -> list[list[int]]:
    """Threads that allocate, copy and wait in a loop until a call fails."""
    hip, kernels = hip_library(), load(path)

    def work_until_it_fails() -> list[int]:
        pointer, room = ctypes.c_void_p(), ctypes.create_string_buffer(5000)
        stream = new_stream(NON_BLOCKING)
        while True:
            codes = [
                hip.hipMalloc(byref(pointer), 5000),
                hip.hipMemcpyAsync(pointer, room, 5000, 1, stream),
                hip.hipMemcpyAsync(room, pointer, 5000, 2, stream),
                hip.hipFree(pointer),
            ]
            if any(codes):
                return sorted(set(codes) - {0})

    workers = [Elsewhere(work_until_it_fails) for _ in range(6)]
    threading.Event().wait(0.05)
    done(kernels.launch("access", 0, NULL_PAGE, 4, WRITE, stream=2))
    return [worker.join() for worker in workers]


def test_busy_threads_all_learn_of_it(code_object: str) -> None:
    assert answer_of(calls_from_many_threads, code_object) == [[ILLEGAL_ADDRESS]] * 6


def one_fault_is_known(path: str) -> dict[str, Any]:
    fault(path)
    codes_of_later_calls()
    return truth()


def test_later_calls_add_nothing_to_the_truth(code_object: str) -> None:
    assert answer_of(one_fault_is_known, code_object)["address"] == NULL_PAGE
