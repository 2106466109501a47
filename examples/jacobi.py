"""A Jacobi solver for the heat equation, with a reduction in shared memory.

    greta sim -- python examples/jacobi.py [--size N] [--steps N]

A square plate is held at 1 along its upper edge and at 0 along the others. Each step replaces every
inner point by the mean of its four neighbours; the largest change of a step is found by a reduction
within each block and an atomic maximum over the blocks. The result is compared with NumPy.
"""

import argparse
import ctypes
import time

import numpy as np
from rocm.bindings import hip, hiprtc

BLOCK = 16

SOURCE = b"""\
#define BLOCK 16

extern "C" __global__ void jacobi_step(const float* __restrict__ old, float* __restrict__ next,
                                       int size, unsigned int* largest) {
  __shared__ float change[BLOCK * BLOCK];
  int x = blockIdx.x * BLOCK + threadIdx.x;
  int y = blockIdx.y * BLOCK + threadIdx.y;
  int lane = threadIdx.y * BLOCK + threadIdx.x;
  float mine = 0.0f;
  if (x > 0 && y > 0 && x < size - 1 && y < size - 1) {
    int at = y * size + x;
    float mean = 0.25f * (old[at - 1] + old[at + 1] + old[at - size] + old[at + size]);
    mine = fabsf(mean - old[at]);
    next[at] = mean;
  }
  change[lane] = mine;
  __syncthreads();
  for (int half = BLOCK * BLOCK / 2; half > 0; half /= 2) {
    if (lane < half) change[lane] = fmaxf(change[lane], change[lane + half]);
    __syncthreads();
  }
  // For numbers that are not negative the order of the bits is the order of the numbers.
  if (lane == 0) atomicMax(largest, __float_as_uint(change[0]));
}
"""


def checked(result):
    """Takes the error code off a result, and raises if there was an error."""
    error, *values = result
    if error not in (hip.hipError_t.hipSuccess, hiprtc.hiprtcResult.HIPRTC_SUCCESS):
        raise RuntimeError(error.name)
    return values[0] if len(values) == 1 else tuple(values)


def build_kernel():
    architecture = checked(hip.hipGetDeviceProperties(0)).gcnArchName
    program = checked(hiprtc.hiprtcCreateProgram(SOURCE, b"jacobi.hip", 0, None, None))
    options = [f"--offload-arch={architecture}".encode()]
    (error,) = hiprtc.hiprtcCompileProgram(program, len(options), options)
    if error != hiprtc.hiprtcResult.HIPRTC_SUCCESS:
        log = bytearray(checked(hiprtc.hiprtcGetProgramLogSize(program)))
        checked(hiprtc.hiprtcGetProgramLog(program, log))
        raise RuntimeError(log.decode())
    code = bytearray(checked(hiprtc.hiprtcGetCodeSize(program)))
    checked(hiprtc.hiprtcGetCode(program, code))
    checked(hiprtc.hiprtcDestroyProgram(program.createRef()))
    module = checked(hip.hipModuleLoadData(code))
    return module, checked(hip.hipModuleGetFunction(module, b"jacobi_step"))


def initial_plate(size: int) -> np.ndarray:
    plate = np.zeros((size, size), dtype=np.float32)
    plate[0, :] = 1.0
    return plate


def solve_on_device(plate: np.ndarray, steps: int) -> tuple[np.ndarray, float]:
    size = plate.shape[0]
    module, kernel = build_kernel()
    stream = checked(hip.hipStreamCreate())
    old, new = (checked(hip.hipMalloc(plate.nbytes)) for _ in range(2))
    largest = checked(hip.hipMalloc(4))
    to_device = hip.hipMemcpyKind.hipMemcpyHostToDevice
    for array in (old, new):
        checked(hip.hipMemcpyAsync(array, plate, plate.nbytes, to_device, stream))

    blocks = -(-size // BLOCK)
    for _ in range(steps):
        checked(hip.hipMemsetAsync(largest, 0, 4, stream))
        checked(
            hip.hipModuleLaunchKernel(
                kernel,
                *(blocks, blocks, 1),
                *(BLOCK, BLOCK, 1),
                sharedMemBytes=0,
                stream=stream,
                kernelParams=None,
                extra=(old, new, ctypes.c_int(size), largest),
            )
        )
        old, new = new, old

    result, change = np.empty_like(plate), np.empty(1, dtype=np.float32)
    to_host = hip.hipMemcpyKind.hipMemcpyDeviceToHost
    checked(hip.hipMemcpyAsync(result, old, result.nbytes, to_host, stream))
    checked(hip.hipMemcpyAsync(change, largest, 4, to_host, stream))
    checked(hip.hipStreamSynchronize(stream))
    for array in (old, new, largest):
        checked(hip.hipFree(array))
    checked(hip.hipStreamDestroy(stream))
    checked(hip.hipModuleUnload(module))
    return result, float(change[0])


def solve_on_host(plate: np.ndarray, steps: int) -> tuple[np.ndarray, float]:
    old, change = plate.copy(), 0.0
    for _ in range(steps):
        new = old.copy()
        neighbours = old[1:-1, :-2] + old[1:-1, 2:] + old[:-2, 1:-1] + old[2:, 1:-1]
        new[1:-1, 1:-1] = np.float32(0.25) * neighbours
        change = float(np.abs(new - old).max())
        old = new
    return old, change


def main() -> None:
    parser = argparse.ArgumentParser(description="Jacobi solver on a HIP device")
    parser.add_argument("--size", type=int, default=128)
    parser.add_argument("--steps", type=int, default=100)
    options = parser.parse_args()
    plate = initial_plate(options.size)

    started = time.perf_counter()
    result, change = solve_on_device(plate, options.steps)
    elapsed = time.perf_counter() - started
    expected, expected_change = solve_on_host(plate, options.steps)

    np.testing.assert_allclose(result, expected, atol=1e-6)
    np.testing.assert_allclose(change, expected_change, rtol=1e-4)
    points = f"{options.size} x {options.size} points"
    print(f"{options.steps} steps of {points} in {elapsed:.2f} s, last change {change:.2e}")
    print("ok")


if __name__ == "__main__":
    main()
