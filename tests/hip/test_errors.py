"""The one exception, and what a device fault does to a process."""

from __future__ import annotations

import pickle

import pytest

from greta.errors import ExitCode, GretaError
from greta.hip import CompileError, HipError
from tests.conftest import Run

FAULT = """
import numpy as np
from greta import hip
source = 'extern "C" __global__ void wild(int* x, long long at) { x[at] = 1; }'
kernel = hip.Module.compile(source).kernel("wild")
buffer = hip.Buffer(4096)
kernel(1, 1, buffer, np.int64(AT))
for attempt in (hip.synchronize, hip.device_count, lambda: hip.Buffer(16)):
    try:
        attempt()
        print("no error")
    except hip.HipError as error:
        print(error.call, error.code)
"""


def test_it_carries_call_code_name_and_text() -> None:
    error = HipError("hipFree", 1, "hipErrorInvalidValue", "invalid argument")
    assert str(error) == "hipFree failed: invalid argument (hipErrorInvalidValue, 1)"
    assert error.exit_code == ExitCode.FAULT
    assert isinstance(error, GretaError)


@pytest.mark.parametrize(
    "error",
    [
        HipError("hipFree", 1, "hipErrorInvalidValue", "invalid argument"),
        CompileError("hiprtcCompileProgram", 6, "HIPRTC_ERROR_COMPILATION", "text", "log"),
    ],
)
def test_it_survives_a_process_boundary(error: HipError) -> None:
    copy = pickle.loads(pickle.dumps(error))  # noqa: S301
    assert vars(copy) == vars(error)
    assert str(copy) == str(error)


def test_after_a_fault_every_call_reports_it(run_script: Run) -> None:
    done = run_script(FAULT.replace("AT", str(1 << 32)))
    assert done.stdout.splitlines() == [
        "hipDeviceSynchronize 700",
        "hipGetDeviceCount 700",
        "hipMalloc 700",
    ]
    assert done.returncode == 0


def test_a_failed_call_whose_results_cannot_be_read_still_tells_its_error(run_script: Run) -> None:
    # The bindings turn what stands in the place of an enum into one before they give the code.
    ran = run_script(
        "from greta import hip\n"
        "from greta.hip import _bindings, inspection\n"
        "def unreadable(real):\n"
        "    def call(stream):\n"
        "        _bindings.hip().hipSetDevice(99)\n"
        "        raise ValueError('32707 is not a valid hipStreamCaptureStatus')\n"
        "    return call\n"
        "_bindings.replace_call('hipStreamIsCapturing', unreadable)\n"
        "try:\n    inspection.is_capturing(hip.Stream())\n"
        "except hip.HipError as error:\n    print(error.call, error.name)\n"
    )
    assert ran.stdout.split() == ["hipStreamIsCapturing", "hipErrorInvalidDevice"], ran.stderr


def test_the_same_program_inside_its_buffer_reports_nothing(run_script: Run) -> None:
    done = run_script(FAULT.replace("AT", "1023"))
    assert done.stdout.splitlines() == ["no error"] * 3
    assert done.returncode == 0
