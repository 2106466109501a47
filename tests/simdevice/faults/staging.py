"""The ways in which the tests make a device fault, for use in a child process."""

from __future__ import annotations

import ctypes
from typing import Any

from contract.model import load as load_contract
from tests.simdevice.faults.kernels import ILLEGAL_ADDRESS, load
from tests.simdevice.library import byref, done, hip_library
from tests.simdevice.truth import reported_faults

WRITE, READ = 1, 0
NULL_PAGE = 8  # an address that nobody has


def fault(path: str) -> None:
    """A write to the null page, and the first call that reports it."""
    done(load(path).launch("access", 0, NULL_PAGE, 4, WRITE))
    assert hip_library().hipDeviceSynchronize() == ILLEGAL_ADDRESS


def truth() -> dict[str, Any]:
    """The only fault there was."""
    (only,) = reported_faults()
    return only.as_json()


def codes_of_later_calls() -> dict[str, int]:
    """The calls that AMD's own test makes after a fault, with arguments that were fine before."""
    hip, word, number = hip_library(), ctypes.c_void_p(), ctypes.c_int()
    room = ctypes.create_string_buffer(16)
    return {
        "hipDeviceSynchronize": hip.hipDeviceSynchronize(),
        "hipStreamSynchronize": hip.hipStreamSynchronize(None),
        "hipMalloc": hip.hipMalloc(byref(word), 16),
        "hipFree": hip.hipFree(None),
        "hipMemset": hip.hipMemset(room, 0, 16),
        "hipMemcpy": hip.hipMemcpy(room, room, 16, 0),
        "hipStreamCreate": hip.hipStreamCreate(byref(word)),
        "hipStreamDestroy": hip.hipStreamDestroy(None),
        "hipGetDeviceCount": hip.hipGetDeviceCount(byref(number)),
        "hipPeekAtLastError": hip.hipPeekAtLastError(),
        "hipGetLastError": hip.hipGetLastError(),
        "hipDeviceReset": hip.hipDeviceReset(),
        "hipGetLastError after the reset": hip.hipGetLastError(),
        "hipPeekAtLastError after the reset": hip.hipPeekAtLastError(),
        "hipMalloc after the reset": hip.hipMalloc(byref(word), 16),
        "hipDeviceSynchronize after the reset": hip.hipDeviceSynchronize(),
    }


def codes_of_every_call() -> dict[str, int]:
    """Every call there is, with arguments of which none makes sense: the error comes first."""
    codes = {}
    for call in load_contract().calls:
        wanted = call.supported and call.returns == "hipError_t" and not call.sticky_exempt
        if not wanted:
            continue
        function = getattr(hip_library(), call.name)
        codes[call.name] = int(function(*(kind() for kind in function.argtypes)))
    return codes
