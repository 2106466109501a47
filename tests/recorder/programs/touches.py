"""Reads a NumPy view of pinned memory after a copy into it was begun: touches.py early|wait."""

import ctypes
import sys
from typing import Any

import numpy as np
from rocm.bindings import hip as bindings

BYTES = 1 << 16
hip: Any = bindings  # AMD gives most functions no types


def expect(answer: Any) -> Any:
    """Ends the program if a call failed; gives the rest of its answer."""
    result, *rest = answer
    if int(result) != 0:
        sys.exit(f"got {result}")
    return rest[0] if rest else None


def main(wait: bool) -> None:
    """The copy and the look at it."""
    host, device = expect(hip.hipHostMalloc(BYTES, 0)), expect(hip.hipMalloc(BYTES))
    view = np.ctypeslib.as_array((ctypes.c_uint8 * BYTES).from_address(int(host)))
    view[:] = 1
    expect(hip.hipMemset(device, 2, BYTES))
    expect(hip.hipDeviceSynchronize())
    stream = expect(hip.hipStreamCreate())
    to_host = hip.hipMemcpyKind.hipMemcpyDeviceToHost
    expect(hip.hipMemcpyAsync(host, device, BYTES, to_host, stream))
    if wait:
        expect(hip.hipStreamSynchronize(stream))
    print(int(view[100]))  # EARLY
    expect(hip.hipStreamSynchronize(stream))
    assert int(view.sum()) == 2 * BYTES


main(sys.argv[1] == "wait")
