"""One of three ways to make the same calls: with nothing but ctypes."""

import ctypes
import os
import sys
from pathlib import Path

BYTES = 1024
hip = ctypes.CDLL(str(Path(os.environ["ROCM_PATH"]) / "lib" / "libamdhip64.so"))
POINTER = ctypes.c_void_p
NOTHING = ctypes.c_void_p()
SIZE = ctypes.c_size_t(BYTES)


def expect(result: int, expected: int = 0) -> None:
    """Ends the program if a call did not say what it should."""
    if result != expected:
        sys.exit(f"got {result}, expected {expected}")


def main() -> None:
    """The workload."""
    code = Path(sys.argv[1]).read_bytes()
    module, scale, stream, event, device, host = (POINTER() for _ in range(6))
    expect(hip.hipSetDevice(0))
    expect(hip.hipModuleLoadData(ctypes.byref(module), code))
    expect(hip.hipModuleGetFunction(ctypes.byref(scale), module, b"scale"))
    expect(hip.hipStreamCreateWithFlags(ctypes.byref(stream), 1))
    expect(hip.hipEventCreateWithFlags(ctypes.byref(event), 2))
    expect(hip.hipMalloc(ctypes.byref(device), SIZE))
    expect(hip.hipHostMalloc(ctypes.byref(host), SIZE, 0))
    expect(hip.hipMemsetAsync(device, 0, SIZE, stream))
    expect(hip.hipMemcpyAsync(device, host, SIZE, 1, stream))
    n, factor = ctypes.c_int(256), ctypes.c_float(2.5)
    values = (POINTER * 3)(*(ctypes.addressof(value) for value in (device, n, factor)))
    expect(hip.hipModuleLaunchKernel(scale, 4, 1, 1, 64, 1, 1, 0, stream, values, NOTHING))
    expect(hip.hipEventRecord(event, stream))
    expect(hip.hipMemcpyAsync(host, device, SIZE, 2, stream))
    expect(hip.hipEventSynchronize(event))
    expect(hip.hipStreamSynchronize(stream))
    expect(hip.hipFree(POINTER(0x10)), 1)
    expect(hip.hipHostFree(host))
    expect(hip.hipFree(device))
    expect(hip.hipEventDestroy(event))
    expect(hip.hipStreamDestroy(stream))
    expect(hip.hipModuleUnload(module))


main()
