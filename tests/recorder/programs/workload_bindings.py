"""One of three ways to make the same calls: AMD's bindings."""

import ctypes
import sys
from pathlib import Path
from typing import Any

from rocm.bindings import hip as bindings

BYTES = 1024
hip: Any = bindings  # AMD gives most functions no types


def expect(answer: Any, expected: int = 0) -> Any:
    """Ends the program if a call did not say what it should; gives the rest of its answer."""
    result, *rest = answer
    if int(result) != expected:
        sys.exit(f"got {result}, expected {expected}")
    return rest[0] if rest else None


def main() -> None:
    """The workload."""
    code = Path(sys.argv[1]).read_bytes()
    expect(hip.hipSetDevice(0))
    module = expect(hip.hipModuleLoadData(code))
    scale = expect(hip.hipModuleGetFunction(module, b"scale"))
    stream = expect(hip.hipStreamCreateWithFlags(1))
    event = expect(hip.hipEventCreateWithFlags(2))
    device = expect(hip.hipMalloc(BYTES))
    host = expect(hip.hipHostMalloc(BYTES, 0))
    expect(hip.hipMemsetAsync(device, 0, BYTES, stream))
    to_device, to_host = hip.hipMemcpyKind.hipMemcpyHostToDevice, hip.hipMemcpyKind(2)
    expect(hip.hipMemcpyAsync(device, host, BYTES, to_device, stream))
    expect(
        hip.hipModuleLaunchKernel(
            *(scale, 4, 1, 1, 64, 1, 1, 0, stream),
            None,
            (device, ctypes.c_int(256), ctypes.c_float(2.5)),
        )
    )
    expect(hip.hipEventRecord(event, stream))
    expect(hip.hipMemcpyAsync(host, device, BYTES, to_host, stream))
    expect(hip.hipEventSynchronize(event))
    expect(hip.hipStreamSynchronize(stream))
    expect(hip.hipFree(0x10), 1)
    expect(hip.hipHostFree(host))
    expect(hip.hipFree(device))
    expect(hip.hipEventDestroy(event))
    expect(hip.hipStreamDestroy(stream))
    expect(hip.hipModuleUnload(module))


main()
