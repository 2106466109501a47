"""What the programs in this folder share: the kernels, a launch, and an end at the first error."""

import ctypes
import sys
from pathlib import Path
from typing import Any

from rocm.bindings import hip, hiprtc

TO_DEVICE = hip.hipMemcpyKind.hipMemcpyHostToDevice
TO_HOST = hip.hipMemcpyKind.hipMemcpyDeviceToHost
ON_DEVICE = hip.hipMemcpyKind.hipMemcpyDeviceToDevice


def ok(answer: Any) -> Any:
    """What a call gave beside its error code; an error ends the program."""
    result, *rest = answer if isinstance(answer, tuple) else (answer,)
    if int(result) != 0:
        sys.exit(f"error: {result.name}")
    return rest[0] if len(rest) == 1 else rest


def expect(as_written: bool, what: str) -> None:
    """What is written of a program is so; else its run is worth nothing."""
    if not as_written:
        print(f"not as written: {what}", file=sys.stderr)
        sys.exit(99)


class Kernels:
    """kernels.hip, compiled; its kernels are attributes."""

    def __init__(self) -> None:
        source = Path(__file__).with_name("kernels.hip").read_bytes()
        program = ok(hiprtc.hiprtcCreateProgram(source, b"kernels.hip", 0, [], []))
        ok(hiprtc.hiprtcCompileProgram(program, 0, []))
        code = bytearray(ok(hiprtc.hiprtcGetCodeSize(program)))
        ok(hiprtc.hiprtcGetCode(program, code))
        self._module = ok(hip.hipModuleLoadData(code))

    def __getattr__(self, name: str) -> Any:
        return ok(hip.hipModuleGetFunction(self._module, name.encode()))


def launch(kernel: Any, blocks: int, threads: int, stream: Any, *values: Any) -> None:
    """kernel<<<blocks, threads, 0, stream>>>(values): ints are int, floats are float."""
    arguments = tuple(_argument(value) for value in values)
    ok(
        hip.hipModuleLaunchKernel(
            *(kernel, blocks, 1, 1, threads, 1, 1, 0, stream), kernelParams=None, extra=arguments
        )
    )


def at(pointer: Any, offset: int) -> ctypes.c_void_p:
    """The address `offset` bytes behind a pointer."""
    return ctypes.c_void_p(int(pointer) + offset)


def floats(count: int, value: float = 1.0) -> Any:
    """Ordinary host memory."""
    return (ctypes.c_float * count)(*[value] * count)


def ints(*values: int) -> Any:
    """Ordinary host memory."""
    return (ctypes.c_int * len(values))(*values)


def _argument(value: Any) -> Any:
    if isinstance(value, int):
        return ctypes.c_int(value)
    return ctypes.c_float(value) if isinstance(value, float) else value
