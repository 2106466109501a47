"""The last error of a thread, the names and texts of errors, what a fault does to the process."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.simdevice.borrowed import Borrowed
from tests.simdevice.child import answer_of
from tests.simdevice.codes import (
    INVALID_DEVICE,
    INVALID_HANDLE,
    INVALID_VALUE,
    NOT_READY,
    SUCCESS,
    Code,
)
from tests.simdevice.kernels import SOURCE
from tests.simdevice.library import Library, byref, compile_kernels, done, hip_library
from tests.simdevice.streams import held, on_another_thread

# hipGetErrorName and hipGetErrorString of HIP 5.3 and later.
TEXTS = {
    0: ("hipSuccess", "no error"),
    1: ("hipErrorInvalidValue", "invalid argument"),
    2: ("hipErrorOutOfMemory", "out of memory"),
    3: ("hipErrorNotInitialized", "initialization error"),
    4: ("hipErrorDeinitialized", "driver shutting down"),
    9: ("hipErrorInvalidConfiguration", "invalid configuration argument"),
    12: ("hipErrorInvalidPitchValue", "invalid pitch argument"),
    13: ("hipErrorInvalidSymbol", "invalid device symbol"),
    17: ("hipErrorInvalidDevicePointer", "invalid device pointer"),
    21: ("hipErrorInvalidMemcpyDirection", "invalid copy direction for memcpy"),
    35: ("hipErrorInsufficientDriver", "driver version is insufficient for runtime version"),
    52: ("hipErrorMissingConfiguration", "__global__ function call is not configured"),
    53: ("hipErrorPriorLaunchFailure", "unspecified launch failure in prior launch"),
    98: ("hipErrorInvalidDeviceFunction", "invalid device function"),
    100: ("hipErrorNoDevice", "no ROCm-capable device is detected"),
    101: ("hipErrorInvalidDevice", "invalid device ordinal"),
    200: ("hipErrorInvalidImage", "device kernel image is invalid"),
    201: ("hipErrorInvalidContext", "invalid device context"),
    209: ("hipErrorNoBinaryForGpu", "no kernel image is available for execution on the device"),
    218: ("hipErrorInvalidKernelFile", "invalid kernel file"),
    300: ("hipErrorInvalidSource", "device kernel image is invalid"),
    301: ("hipErrorFileNotFound", "file not found"),
    302: ("hipErrorSharedObjectSymbolNotFound", "shared object symbol not found"),
    303: ("hipErrorSharedObjectInitFailed", "shared object initialization failed"),
    304: ("hipErrorOperatingSystem", "OS call failed or operation not supported on this OS"),
    400: ("hipErrorInvalidHandle", "invalid resource handle"),
    401: ("hipErrorIllegalState", "the operation cannot be performed in the present state"),
    500: ("hipErrorNotFound", "named symbol not found"),
    600: ("hipErrorNotReady", "device not ready"),
    700: ("hipErrorIllegalAddress", "an illegal memory access was encountered"),
    701: ("hipErrorLaunchOutOfResources", "too many resources requested for launch"),
    702: ("hipErrorLaunchTimeOut", "the launch timed out and was terminated"),
    704: ("hipErrorPeerAccessAlreadyEnabled", "peer access is already enabled"),
    705: ("hipErrorPeerAccessNotEnabled", "peer access has not been enabled"),
    708: ("hipErrorSetOnActiveProcess", "cannot set while device is active in this process"),
    709: ("hipErrorContextIsDestroyed", "context is destroyed"),
    710: ("hipErrorAssert", "device-side assert triggered"),
    712: (
        "hipErrorHostMemoryAlreadyRegistered",
        "part or all of the requested memory range is already mapped",
    ),
    713: (
        "hipErrorHostMemoryNotRegistered",
        "pointer does not correspond to a registered memory region",
    ),
    719: ("hipErrorLaunchFailure", "unspecified launch failure"),
    720: ("hipErrorCooperativeLaunchTooLarge", "too many blocks in cooperative launch"),
    801: ("hipErrorNotSupported", "operation not supported"),
    900: ("hipErrorStreamCaptureUnsupported", "operation not permitted when stream is capturing"),
    901: (
        "hipErrorStreamCaptureInvalidated",
        "operation failed due to a previous error during capture",
    ),
    902: (
        "hipErrorStreamCaptureMerge",
        "operation would result in a merge of separate capture sequences",
    ),
    903: (
        "hipErrorStreamCaptureUnmatched",
        "capture was not ended in the same stream as it began",
    ),
    904: ("hipErrorStreamCaptureUnjoined", "capturing stream has unjoined work"),
    905: (
        "hipErrorStreamCaptureIsolation",
        "dependency created on uncaptured work in another stream",
    ),
    906: (
        "hipErrorStreamCaptureImplicit",
        "operation would make the legacy stream depend on a capturing blocking stream",
    ),
    907: (
        "hipErrorCapturedEvent",
        "operation not permitted on an event last recorded in a capturing stream",
    ),
    908: (
        "hipErrorStreamCaptureWrongThread",
        "attempt to terminate a thread-local capture sequence from another thread",
    ),
    910: (
        "hipErrorGraphExecUpdateFailure",
        "the graph update was not performed because it included changes which violated "
        "constraints specific to instantiated graph update",
    ),
    999: ("hipErrorUnknown", "unknown error"),
    1052: ("hipErrorRuntimeMemory", "runtime memory call returned error"),
    1053: ("hipErrorRuntimeOther", "runtime call other than memory returned error"),
    1054: (
        "hipErrorInvalidClusterSize",
        "a kernel launch error has occurred due to cluster misconfiguration",
    ),
}
UNKNOWN = [12345, -1, 5000, 1 << 30]


def fail(hip: Library) -> None:
    assert hip.hipMalloc(None, 16) == INVALID_VALUE


def succeed(hip: Library) -> None:
    assert hip.hipGetDevice(byref(ctypes.c_int())) == SUCCESS


# --- names and texts


@pytest.mark.parametrize("code", TEXTS)
def test_every_code_has_its_name_and_text(hip: Library, code: int) -> None:
    name, text = TEXTS[code]
    assert hip.hipGetErrorName(code) == name.encode()
    assert hip.hipGetErrorString(code) == text.encode()
    found = ctypes.c_char_p()
    assert hip.hipDrvGetErrorName(code, byref(found)) == SUCCESS
    assert found.value == name.encode()
    assert hip.hipDrvGetErrorString(code, byref(found)) == SUCCESS
    assert found.value == text.encode()


@pytest.mark.parametrize("code", UNKNOWN)
def test_other_codes_are_unknown_errors(hip: Library, code: int) -> None:
    assert hip.hipGetErrorName(code) == b"hipErrorUnknown"
    assert hip.hipGetErrorString(code) == b"unknown error"
    found = ctypes.c_char_p(b"before")
    assert hip.hipDrvGetErrorName(code, byref(found)) == INVALID_VALUE
    assert hip.hipDrvGetErrorString(code, byref(found)) == INVALID_VALUE


def test_a_name_needs_a_place(hip: Library) -> None:
    assert hip.hipDrvGetErrorName(1, None) == INVALID_VALUE
    assert hip.hipDrvGetErrorString(1, None) == INVALID_VALUE


# --- the last error


def test_reading_the_last_error_resets_it(hip: Library) -> None:
    fail(hip)
    assert hip.hipGetLastError() == INVALID_VALUE
    assert hip.hipGetLastError() == SUCCESS


def test_peeking_keeps_it(hip: Library) -> None:
    fail(hip)
    assert hip.hipPeekAtLastError() == INVALID_VALUE
    assert hip.hipPeekAtLastError() == INVALID_VALUE
    assert hip.hipGetLastError() == INVALID_VALUE
    assert hip.hipPeekAtLastError() == SUCCESS


def test_a_success_in_between_does_not_hide_it(hip: Library) -> None:
    fail(hip)
    succeed(hip)
    assert hip.hipGetLastError() == INVALID_VALUE


def test_the_latest_error_counts(hip: Library) -> None:
    fail(hip)
    assert hip.hipSetDevice(99) == INVALID_DEVICE
    assert hip.hipGetLastError() == INVALID_DEVICE


def test_the_old_behaviour_has_a_call_of_its_own(hip: Library) -> None:
    fail(hip)
    assert hip.hipExtGetLastError() == INVALID_VALUE
    assert hip.hipExtGetLastError() == SUCCESS
    assert hip.hipGetLastError() == INVALID_VALUE
    fail(hip)
    succeed(hip)
    assert hip.hipExtGetLastError() == SUCCESS


def test_peeking_is_a_call_whose_result_counts(hip: Library) -> None:
    fail(hip)
    succeed(hip)
    assert hip.hipPeekAtLastError() == INVALID_VALUE
    assert hip.hipExtGetLastError() == INVALID_VALUE


def test_not_ready_is_no_error(hip: Library, device: Borrowed) -> None:
    stream, event = device.stream(), device.event()
    with held(stream):
        done(hip.hipEventRecord(event, stream))
        assert hip.hipStreamQuery(stream) == NOT_READY
        assert hip.hipEventQuery(event) == NOT_READY
        assert hip.hipPeekAtLastError() == SUCCESS
        assert hip.hipStreamQuery(stream) == NOT_READY
        assert hip.hipExtGetLastError() == NOT_READY


def test_each_thread_has_its_own(hip: Library) -> None:
    fail(hip)
    assert on_another_thread(hip.hipGetLastError) == SUCCESS
    assert hip.hipGetLastError() == INVALID_VALUE
    on_another_thread(lambda: fail(hip))
    assert hip.hipGetLastError() == SUCCESS


def test_asking_for_a_name_changes_nothing(hip: Library) -> None:
    fail(hip)
    hip.hipGetErrorName(400)
    hip.hipGetErrorString(400)
    assert hip.hipExtGetLastError() == INVALID_VALUE
    assert hip.hipGetLastError() == INVALID_VALUE


# --- after a fault


def fault(hip: Library) -> None:
    borrowed = Borrowed(hip)
    kernel = borrowed.kernel(compile_kernels(SOURCE), b"wild")
    pointer, at = ctypes.c_void_p(borrowed.memory(4096)), ctypes.c_longlong(1 << 32)
    arguments = (ctypes.c_void_p * 2)(ctypes.addressof(pointer), ctypes.addressof(at))
    done(hip.hipModuleLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, None, arguments, None))


def calls_after_a_fault() -> dict[str, int]:
    hip = hip_library()
    borrowed = Borrowed(hip)
    memory, stream, event = borrowed.memory(16), borrowed.stream(), borrowed.event()
    fault(hip)
    pointer, count = ctypes.c_void_p(), ctypes.c_int()
    return {
        "hipDeviceSynchronize": hip.hipDeviceSynchronize(),
        "hipStreamSynchronize": hip.hipStreamSynchronize(stream),
        "hipMalloc": hip.hipMalloc(byref(pointer), 16),
        "hipFree": hip.hipFree(memory),
        "hipMemset": hip.hipMemset(memory, 0, 16),
        "hipMemcpy": hip.hipMemcpy(memory, bytes(16), 16, 1),
        "hipStreamCreate": hip.hipStreamCreate(byref(pointer)),
        "hipStreamDestroy": hip.hipStreamDestroy(stream),
        "hipEventQuery": hip.hipEventQuery(event),
        "hipGetDeviceCount": hip.hipGetDeviceCount(byref(count)),
        "hipRuntimeGetVersion": hip.hipRuntimeGetVersion(byref(count)),
        "hipDeviceReset": hip.hipDeviceReset(),
        "hipPeekAtLastError": hip.hipPeekAtLastError(),
        "hipGetLastError": hip.hipGetLastError(),
        "hipGetLastError again": hip.hipGetLastError(),
        "hipExtGetLastError": hip.hipExtGetLastError(),
        "on another thread": on_another_thread(hip.hipDeviceSynchronize),
    }


def test_after_a_fault_every_call_reports_it_for_ever() -> None:
    answers = answer_of(calls_after_a_fault)
    assert answers == dict.fromkeys(answers, Code.ILLEGAL_ADDRESS)


def exempt_after_a_fault() -> list[Any]:
    hip = hip_library()
    fault(hip)
    hip.hipDeviceSynchronize()
    found = ctypes.c_char_p()
    return [
        hip.hipGetErrorName(700).decode(),
        hip.hipGetErrorString(700).decode(),
        hip.hipDrvGetErrorName(700, byref(found)),
        hip.hipDrvGetErrorString(700, byref(found)),
    ]


def test_names_and_texts_are_still_given() -> None:
    expected = [*TEXTS[700], SUCCESS, SUCCESS]
    assert answer_of(exempt_after_a_fault) == expected


# --- the hook for tools

HOOK = """
#include <stdio.h>
struct report { unsigned version, code; const char *name, *text; };
void __hipOnError(const struct report* r) {
  fprintf(stderr, "[%u %u %s: %s]\\n", r->version, r->code, r->name, r->text);
}
"""


def provoke() -> list[int]:
    hip = hip_library()
    succeed(hip)
    return [hip.hipFree(1), hip.hipSetDevice(7), hip.hipEventDestroy(None)]


def test_a_preloaded_tool_hears_of_every_error(tmp_path: Path) -> None:
    from tests.simdevice.child import run_in_child

    compiler = shutil.which("cc") or shutil.which("gcc")
    assert compiler, "no C compiler"
    source, hook = tmp_path / "hook.c", tmp_path / "hook.so"
    source.write_text(HOOK)
    subprocess.run([compiler, "-shared", "-fPIC", "-o", hook, source], check=True)
    child = run_in_child(provoke, LD_PRELOAD=str(hook))
    assert child.answer == [INVALID_VALUE, INVALID_DEVICE, INVALID_HANDLE]
    heard = [line for line in child.stderr.splitlines() if line.startswith("[")]
    assert heard == [f"[1 {code} {': '.join(TEXTS[code])}]" for code in (1, 101, 400)]


def test_without_a_tool_the_hook_does_nothing(hip: Library) -> None:
    assert hip.__hipOnError(None) is None


AMDS = {
    5: "profiler disabled while using external profiling tool",
    8: "profiler already stopped",
    202: "context is already current context",
    205: "mapping of buffer object failed",
    212: "resource not mapped as array",
    214: "uncorrectable ECC error encountered",
    215: "limit is not supported on this architecture",
    216: "exclusive-thread device already in use by a different thread",
    217: "peer access is not supported between these two devices",
    219: "invalid OpenGL or DirectX context",
}


def test_texts_are_amds(hip: Library) -> None:
    assert {code: hip.hipGetErrorString(code).decode() for code in AMDS} == AMDS
