"""Kernel launches whose arguments are packed once.

Made the direct way, a launch through AMD's bindings converts every argument again, each time. Here
each argument has its place in memory from the start, the array of pointers to those
places is built once, and a repeated launch is a single call with nothing left to convert: about 1.1
microseconds instead of 10 for three arguments (benchmarks/python_launch.py measures it).
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Union

import numpy as np

from greta.hip._bindings import hip, hip_error, null_launch_extra, pointer_list
from greta.hip.buffer import Buffer
from greta.hip.pinned import PinnedBuffer
from greta.hip.stream import Stream, native_stream

if TYPE_CHECKING:
    from greta.hip.module import Kernel

Extent = int | tuple[int] | tuple[int, int] | tuple[int, int, int]
# Numbers must say their type: np.int32(5) or ctypes.c_int(5), not 5.
Argument = Union[
    Buffer, PinnedBuffer, None, np.generic, "ctypes._SimpleCData[Any]", ctypes.Structure
]


class Launch:
    """A kernel, its dimensions, its stream and its arguments, ready to be launched repeatedly.

    >>> step = scale.bind(4, 256, buffer, np.float32(2), np.int32(1000))   # doctest: +SKIP
    >>> step()                                                        # doctest: +SKIP
    >>> step.set(1, np.float32(3))     # the next launches use 3      # doctest: +SKIP
    >>> step()                                                        # doctest: +SKIP

    As in HIP, number and types of the arguments are not checked against the kernel.
    """

    __slots__ = ("_arguments", "_cells", "_kernel", "_pointers", "_submit")

    def __init__(
        self,
        kernel: Kernel,
        grid: Extent,
        block: Extent,
        arguments: Sequence[Argument],
        shared_bytes: int,
        stream: Stream | None,
    ) -> None:
        self._kernel = kernel
        self._arguments = list(arguments)  # keeps buffers alive
        self._cells = [_cell(index, argument) for index, argument in enumerate(arguments)]
        self._pointers = _pointers_to(self._cells)
        self._submit = partial(
            hip().hipModuleLaunchKernel,
            kernel.native,
            *_three(grid, "grid"),
            *_three(block, "block"),
            shared_bytes,
            native_stream(stream),
            pointer_list(ctypes.addressof(self._pointers)),
            null_launch_extra(),
        )

    def __call__(self) -> None:
        """Queues the kernel; the arguments are copied before this returns."""
        if code := self._submit()[0]:
            raise hip_error("hipModuleLaunchKernel", code)

    def set(self, index: int, argument: Argument) -> None:
        """Replaces one argument by another of the same size, for the launches to come."""
        cell = _cell(index, argument)
        size = ctypes.sizeof(self._cells[index])
        if ctypes.sizeof(cell) != size:
            raise TypeError(
                f"argument {index} has {size} bytes and cannot become one of "
                f"{ctypes.sizeof(cell)} bytes"
            )
        # By address: memmove takes a c_void_p for the pointer it holds.
        ctypes.memmove(ctypes.addressof(self._cells[index]), ctypes.addressof(cell), size)
        self._arguments[index] = argument

    def __repr__(self) -> str:
        return f"Launch({self._kernel.name!r}, {len(self._cells)} arguments)"


def _cell(index: int, argument: Argument) -> Any:
    """A ctypes object that holds the argument's bytes as the kernel will see them."""
    if argument is None:
        return ctypes.c_void_p(None)
    if isinstance(argument, (Buffer, PinnedBuffer)):
        return ctypes.c_void_p(argument.address)
    if isinstance(argument, np.generic):
        return (ctypes.c_ubyte * argument.nbytes).from_buffer_copy(argument.tobytes())
    if isinstance(argument, (ctypes._SimpleCData, ctypes.Structure)):
        return type(argument).from_buffer_copy(argument)
    raise TypeError(
        f"argument {index} is a Python {type(argument).__name__}, whose size the kernel cannot "
        "know; pass a Buffer, a NumPy scalar such as numpy.int32(5), or a ctypes value"
    )


def _pointers_to(cells: Sequence[Any]) -> Any:
    return (ctypes.c_void_p * max(len(cells), 1))(*map(ctypes.addressof, cells))


def _three(extent: Extent, what: str) -> tuple[int, int, int]:
    given = (extent,) if isinstance(extent, int) else tuple(extent)
    if not 1 <= len(given) <= 3:
        raise ValueError(f"the {what} has {len(given)} dimensions; HIP knows 1 to 3")
    x, y, z = (*given, 1, 1)[:3]
    return int(x), int(y), int(z)
