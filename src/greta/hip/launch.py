"""Kernel launches whose arguments are packed once.

Made the direct way, a launch through AMD's bindings converts every argument again, each time. Here
each argument has its place in memory from the start, the array of pointers to those
places is built once, and a repeated launch is a single call with nothing left to convert: about 1.1
microseconds instead of 10 for three arguments (benchmarks/python_launch.py measures it).
"""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Sequence
from functools import partial
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Union

import numpy as np

from greta.hip._bindings import hip, hip_error, null_launch_extra, pointer_list
from greta.hip.buffer import Buffer, PinnedBuffer
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

    __slots__ = ("_arguments", "_kernel", "_packed", "_submit")

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
        self._packed = _Packed([_bytes(index, value) for index, value in enumerate(arguments)])
        self._submit = partial(
            hip().hipModuleLaunchKernel,
            kernel.native,
            *_three(grid, "grid"),
            *_three(block, "block"),
            shared_bytes,
            native_stream(stream),
            pointer_list(self._packed.address),
            null_launch_extra(),
        )

    def __call__(self) -> None:
        """Queues the kernel; the arguments are copied before this returns."""
        if code := self._submit()[0]:
            raise hip_error("hipModuleLaunchKernel", code)

    def set(self, index: int, argument: Argument) -> None:
        """Replaces one argument by another of the same size, for the launches to come."""
        self._packed.replace(index, _bytes(index, argument))
        self._arguments[index] = argument

    def __repr__(self) -> str:
        return f"Launch({self._kernel.name!r}, {len(self._arguments)} arguments)"


class _Packed:
    """Arguments as a launch takes them: an array of pointers, and behind it what they point to.

    pointer 0 | pointer 1 | ... | bytes of 0, padded to 16 | bytes of 1, padded to 16 | ...
    """

    __slots__ = ("_memory", "_offsets", "_sizes", "address")

    def __init__(self, values: Sequence[bytes]) -> None:
        self._sizes = tuple(map(len, values))
        start = _padded(_POINTER.size * max(len(values), 1))
        ends = tuple(accumulate(map(_padded, self._sizes), initial=start))
        self._offsets = ends[:-1]
        self._memory = bytearray(ends[-1] + _ALIGNMENT)  # never resized: its address must stay
        whole = ctypes.addressof(ctypes.c_char.from_buffer(self._memory))
        shift = -whole % _ALIGNMENT
        self._offsets = tuple(shift + offset for offset in self._offsets)
        self.address = whole + shift
        for index, value in enumerate(values):
            place = shift + _POINTER.size * index
            _POINTER.pack_into(self._memory, place, whole + self._offsets[index])
            self.replace(index, value)

    def replace(self, index: int, value: bytes) -> None:
        """Puts another value of the same size in place of one."""
        size = self._sizes[index]
        if len(value) != size:
            raise TypeError(
                f"argument {index} has {size} bytes and cannot become one of {len(value)} bytes"
            )
        at = self._offsets[index]
        self._memory[at : at + size] = value


_POINTER = struct.Struct("P")
_ALIGNMENT = 16


def _padded(size: int) -> int:
    return -(-size // _ALIGNMENT) * _ALIGNMENT


def _bytes(index: int, argument: Argument) -> bytes:
    """The argument's bytes as the kernel will see them."""
    if argument is None:
        return _POINTER.pack(0)
    if isinstance(argument, (Buffer, PinnedBuffer)):
        return _POINTER.pack(argument.address)
    if isinstance(argument, np.generic):
        return argument.tobytes()
    if isinstance(argument, (ctypes._SimpleCData, ctypes.Structure)):
        return bytes(argument)
    raise TypeError(
        f"argument {index} is a Python {type(argument).__name__}, whose size the kernel cannot "
        "know; pass a Buffer, a NumPy scalar such as numpy.int32(5), or a ctypes value"
    )


def _three(extent: Extent, what: str) -> tuple[int, int, int]:
    given = (extent,) if isinstance(extent, int) else tuple(extent)
    if not 1 <= len(given) <= 3:
        raise ValueError(f"the {what} has {len(given)} dimensions; HIP knows 1 to 3")
    x, y, z = (*given, 1, 1)[:3]
    return int(x), int(y), int(z)
