"""The two forms in which a launch takes the arguments of its kernel."""

from __future__ import annotations

import ctypes
from typing import Any

BUFFER_POINTER, BUFFER_SIZE, END = 1, 2, 3


class KernelArguments:
    """`kernelParams`: an array of pointers to these values."""

    def __init__(self, *values: Any) -> None:
        self._values = values
        self.array = (ctypes.c_void_p * max(1, len(values)))(*map(ctypes.addressof, values))

    @property
    def _as_parameter_(self) -> Any:
        return self.array


class ArgumentBuffer:
    """`extra`: one buffer with all values at the places the kernel expects."""

    def __init__(self, packed: bytes) -> None:
        self._buffer = ctypes.create_string_buffer(packed, len(packed))
        self._size = ctypes.c_size_t(len(packed))
        buffer, size = ctypes.addressof(self._buffer), ctypes.addressof(self._size)
        self._list = (ctypes.c_void_p * 5)(BUFFER_POINTER, buffer, BUFFER_SIZE, size, END)

    @property
    def _as_parameter_(self) -> Any:
        return self._list


def pointer(address: int | None) -> ctypes.c_void_p:
    return ctypes.c_void_p(address)
