"""A kernel launch from Python: greta.hip's bound launch against AMD's bindings used directly.

Both queue the same empty kernel with the same three arguments on the simulated device. A round is a
few hundred launches and one synchronization; the peer and ours take turns, and the best round of
each counts.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from time import perf_counter_ns

import numpy as np
from rocm.bindings import hip as amd

from greta import hip

LAUNCHES = 500
ROUNDS = 20
SOURCE = 'extern "C" __global__ void nothing(float* x, float factor, int n) {}'


def nanoseconds_per_launch(launch: Callable[[], None]) -> float:
    started = perf_counter_ns()
    for _ in range(LAUNCHES):
        launch()
    elapsed = perf_counter_ns() - started
    hip.synchronize()
    return elapsed / LAUNCHES


def main() -> None:
    hip.choose_device("sim")
    kernel = hip.Module.compile(SOURCE).kernel("nothing")
    buffer = hip.Buffer(4096)
    stream = hip.Stream()
    device_array = buffer.native

    def direct() -> None:
        (error,) = amd.hipModuleLaunchKernel(
            kernel.native,
            *(1, 1, 1),
            *(1, 1, 1),
            sharedMemBytes=0,
            stream=stream.native,
            kernelParams=None,
            extra=(device_array, ctypes.c_float(2.0), ctypes.c_int(1000)),
        )
        if error != amd.hipError_t.hipSuccess:
            raise RuntimeError(str(error))

    bound = kernel.bind(1, 1, buffer, np.float32(2), np.int32(1000), stream=stream)
    rounds = [
        (nanoseconds_per_launch(direct), nanoseconds_per_launch(bound)) for _ in range(ROUNDS)
    ]
    peer, ours = (min(times) for times in zip(*rounds, strict=True))
    print(f"launch from Python: bound {ours:.0f} ns, AMD's bindings {peer:.0f} ns")
    print(f"ratio {peer / ours:.1f} times cheaper than AMD's bindings used directly")


if __name__ == "__main__":
    main()
