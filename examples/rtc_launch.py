"""Compile a kernel at run time and launch it with arguments of mixed types.

greta sim -- python examples/rtc_launch.py
"""

import ctypes

import numpy as np
from rocm.bindings import hip, hiprtc

SOURCE = b"""\
struct Affine {
  double slope;
  float offset;
};

extern "C" __global__ void transform(float* values, short step, unsigned long long count,
                                     bool negate, Affine affine, unsigned char floor) {
  unsigned long long i = (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x;
  i *= step;
  if (i >= count) return;
  float y = (float)(affine.slope * values[i]) + affine.offset;
  if (negate) y = -y;
  values[i] = fmaxf(y, -(float)floor);
}
"""

COUNT = 10_000
STEP = 2
BLOCK = 256


class Affine(ctypes.Structure):
    _fields_ = (("slope", ctypes.c_double), ("offset", ctypes.c_float))


def checked(result):
    """Takes the error code off a result, and raises if there was an error."""
    error, *values = result
    if error not in (hip.hipError_t.hipSuccess, hiprtc.hiprtcResult.HIPRTC_SUCCESS):
        raise RuntimeError(error.name)
    return values[0] if len(values) == 1 else tuple(values)


def compile_for(architecture: str) -> bytearray:
    program = checked(hiprtc.hiprtcCreateProgram(SOURCE, b"transform.hip", 0, None, None))
    options = [f"--offload-arch={architecture}".encode(), b"-O3"]
    (error,) = hiprtc.hiprtcCompileProgram(program, len(options), options)
    if error != hiprtc.hiprtcResult.HIPRTC_SUCCESS:
        log = bytearray(checked(hiprtc.hiprtcGetProgramLogSize(program)))
        checked(hiprtc.hiprtcGetProgramLog(program, log))
        raise RuntimeError(log.decode())
    code = bytearray(checked(hiprtc.hiprtcGetCodeSize(program)))
    checked(hiprtc.hiprtcGetCode(program, code))
    checked(hiprtc.hiprtcDestroyProgram(program.createRef()))
    return code


def main() -> None:
    properties = checked(hip.hipGetDeviceProperties(0))
    module = checked(hip.hipModuleLoadData(compile_for(properties.gcnArchName)))
    kernel = checked(hip.hipModuleGetFunction(module, b"transform"))

    host = np.linspace(-100, 100, COUNT, dtype=np.float32)
    device = checked(hip.hipMalloc(host.nbytes))
    checked(hip.hipMemcpy(device, host, host.nbytes, hip.hipMemcpyKind.hipMemcpyHostToDevice))

    threads = -(-COUNT // STEP)
    checked(
        hip.hipModuleLaunchKernel(
            kernel,
            *(-(-threads // BLOCK), 1, 1),  # grid
            *(BLOCK, 1, 1),  # block
            sharedMemBytes=0,
            stream=None,
            kernelParams=None,
            extra=(
                device,
                ctypes.c_short(STEP),
                ctypes.c_ulonglong(COUNT),
                ctypes.c_bool(True),
                Affine(0.5, 3.0),
                ctypes.c_ubyte(20),
            ),
        )
    )
    result = np.empty_like(host)
    checked(hip.hipMemcpy(result, device, host.nbytes, hip.hipMemcpyKind.hipMemcpyDeviceToHost))

    expected = host.copy()
    expected[::STEP] = np.maximum(-(np.float32(0.5) * host[::STEP] + np.float32(3)), -20)
    np.testing.assert_allclose(result, expected, rtol=1e-6)

    checked(hip.hipFree(device))
    checked(hip.hipModuleUnload(module))
    print("ok")


if __name__ == "__main__":
    main()
