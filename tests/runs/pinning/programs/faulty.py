"""Launches in a row, and what goes wrong among them: faulty.py CODE_OBJECT HOW."""

import ctypes
import os
import sys
from pathlib import Path
from typing import Any

from rocm.bindings import hip as bindings

hip: Any = bindings
BYTES = 4096
ELEMENTS = ctypes.c_int(BYTES // 4)


def check(answer: Any) -> Any:
    """Ends the program if a call failed; gives the rest of its answer."""
    code, *rest = answer
    if int(code) != 0:
        sys.exit(4)
    return rest[0] if rest else None


def main(how: str) -> None:
    """Runs it."""
    module = check(hip.hipModuleLoadData(Path(sys.argv[1]).read_bytes()))
    values, index = check(hip.hipMalloc(BYTES)), check(hip.hipMalloc(BYTES))
    first, second = (check(hip.hipStreamCreateWithFlags(1)) for _ in range(2))
    check(hip.hipMemset(index, 0x40, BYTES))
    check(hip.hipDeviceSynchronize())

    def launch(name: bytes, stream: Any, *arguments: Any) -> None:
        function = check(hip.hipModuleGetFunction(module, name))
        check(hip.hipModuleLaunchKernel(function, 4, 1, 1, 256, 1, 1, 0, stream, None, arguments))

    launch(b"step", first, values, ELEMENTS)
    if how == "overrun":
        launch(b"over", first, values, ELEMENTS)
    if how == "timing":
        launch(b"slowly", first, index)
        launch(b"follow", second, values, index)
    if how == "race":
        check(hip.hipMemsetAsync(values, 0, BYTES, first))
        check(hip.hipMemsetAsync(values, 1, BYTES, second))
    launch(b"step", first, values, ELEMENTS)
    if how in ("refused", "refusal ignored"):
        too_long = hip.hipMemcpy(bytearray(2 * BYTES), values, 2 * BYTES, hip.hipMemcpyKind(2))
        if how == "refused":
            check(too_long)
    if how == "unwaited":
        launch(b"over", first, values, ELEMENTS)
        os._exit(3)
    check(hip.hipMemcpyAsync(bytearray(BYTES), values, BYTES, hip.hipMemcpyKind(2), first))
    check(hip.hipDeviceSynchronize())
    if how == "exit code":
        sys.exit(3)


main(sys.argv[2])
