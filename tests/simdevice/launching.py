"""Loading and launching kernels through ctypes."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any

from tests.simdevice.library import byref, done, hip_library

Handle = int


class Kernels:
    """The kernels of one code object, by name."""

    def __init__(self, image: bytes) -> None:
        self._image = image  # the module may read it later
        self._module = ctypes.c_void_p()
        self._functions: dict[str, ctypes.c_void_p] = {}
        done(hip_library().hipModuleLoadData(byref(self._module), image))

    def function(self, name: str) -> ctypes.c_void_p:
        if name not in self._functions:
            found = ctypes.c_void_p()
            done(hip_library().hipModuleGetFunction(byref(found), self._module, name.encode()))
            self._functions[name] = found
        return self._functions[name]

    def launch(
        self, name: str, *arguments: Any, grid: int = 1, block: int = 1, stream: Handle = 0
    ) -> int:
        """The result of the launch. Whole numbers are passed as 64-bit values."""
        function = self.function(name)
        return launch_function(function, as_ctypes(arguments), grid, block, stream)


def as_ctypes(arguments: Sequence[Any]) -> list[Any]:
    return [ctypes.c_uint64(value) if isinstance(value, int) else value for value in arguments]


def launch_function(
    function: ctypes.c_void_p, arguments: Sequence[Any], grid: int, block: int, stream: Handle
) -> int:
    pointers = (ctypes.c_void_p * max(1, len(arguments)))(*(map(ctypes.addressof, arguments)))
    shape = (grid, 1, 1, block, 1, 1)
    launched = hip_library().hipModuleLaunchKernel(function, *shape, 0, stream, pointers, None)
    return int(launched)
