"""Device memory, page-locked host memory, and host arrays as HIP sees them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from greta.hip._bindings import OwnedHandle, call, hip
from greta.hip.stream import Stream, native_stream

Array = npt.NDArray[Any]


def readable_span(source: Array) -> tuple[int, int]:
    """Address and bytes of an array that a copy reads."""
    _require_no_gaps(source, "source")
    return _address(source), source.nbytes


def writable_span(target: Array) -> tuple[int, int]:
    """Address and bytes of an array that a copy writes."""
    _require_no_gaps(target, "target")
    if not target.flags.writeable:
        raise ValueError("the target array is read-only")
    return _address(target), target.nbytes


def _require_no_gaps(array: Array, role: str) -> None:
    if not isinstance(array, np.ndarray):
        raise TypeError(f"the {role} must be a NumPy array, not {type(array).__name__}")
    if not (array.flags.c_contiguous or array.flags.f_contiguous):
        raise ValueError(
            f"the {role} array has gaps (strides {array.strides}); "
            "copy it with numpy.ascontiguousarray first"
        )


def _address(array: Array) -> int:
    address: int = array.__array_interface__["data"][0]
    return address


class Buffer(OwnedHandle):
    """A span of device memory: an address and a number of bytes.

    Copies without a stream have finished when they return. With a stream they are queued, and
    pinned host memory must not be accessed until the stream has been synchronized.

    >>> numbers = np.arange(4, dtype=np.float32)
    >>> with Buffer.from_array(numbers) as buffer:                    # doctest: +SKIP
    ...     buffer.to_array(np.float32)
    array([0., 1., 2., 3.], dtype=float32)
    """

    def __init__(self, nbytes: int, *, stream: Stream | None = None) -> None:
        """Allocates; with a stream, from its memory pool and in its order."""
        if nbytes < 0:
            raise ValueError(f"a buffer cannot have {nbytes} bytes")
        if stream is None:
            native = call("hipMalloc", nbytes)
        else:
            native = call("hipMallocAsync", nbytes, stream.native)
        super().__init__(native, "hipFree")
        self._nbytes = nbytes
        self._parent: Buffer | None = None

    @classmethod
    def from_array(cls, source: Array, *, stream: Stream | None = None) -> Buffer:
        """A new buffer that holds a copy of the array."""
        buffer = cls(source.nbytes)
        buffer.copy_from(source, stream=stream)
        return buffer

    @classmethod
    def _borrowed(cls, address: int, nbytes: int, parent: Buffer | None = None) -> Buffer:
        self = cls.__new__(cls)
        OwnedHandle.__init__(self, address, None)
        self._nbytes = nbytes
        self._parent = parent
        return self

    @property
    def native(self) -> Any:
        """The address as AMD's bindings take it."""
        if self._parent is not None:
            _ = self._parent.native  # raises if it has been freed
        return super().native

    @property
    def address(self) -> int:
        """Where it begins, in the device's address space; 0 for an empty buffer."""
        return self.handle

    @property
    def nbytes(self) -> int:
        """How many bytes were asked for."""
        return self._nbytes

    def __len__(self) -> int:
        return self._nbytes

    def view(self, offset: int, nbytes: int) -> Buffer:
        """A part of this buffer; it owns nothing and is of no use once this one is freed."""
        self._require_inside(offset, nbytes, "the view")
        return Buffer._borrowed(self.address + offset, nbytes, self)

    def copy_from(
        self, source: Array | Buffer, *, offset: int = 0, stream: Stream | None = None
    ) -> None:
        """Copies an array or another buffer into this one, from `offset` on."""
        if isinstance(source, Buffer):
            address, nbytes = source.address, source.nbytes
            kind = hip().hipMemcpyKind.hipMemcpyDeviceToDevice
        else:
            address, nbytes = readable_span(source)
            kind = hip().hipMemcpyKind.hipMemcpyHostToDevice
        self._require_inside(offset, nbytes, "the source")
        _copy(self.address + offset, address, nbytes, kind, stream)

    def copy_to(self, target: Array, *, offset: int = 0, stream: Stream | None = None) -> None:
        """Fills an array with the bytes from `offset` on."""
        address, nbytes = writable_span(target)
        self._require_inside(offset, nbytes, "the target")
        kind = hip().hipMemcpyKind.hipMemcpyDeviceToHost
        _copy(address, self.address + offset, nbytes, kind, stream)

    def to_array(
        self, dtype: npt.DTypeLike = np.uint8, shape: int | tuple[int, ...] | None = None
    ) -> Array:
        """A new array with a copy of the bytes; all of them, unless a shape says how many."""
        item = np.dtype(dtype).itemsize
        target = np.empty(self._nbytes // item if shape is None else shape, dtype)
        self.copy_to(target)
        return target

    def fill(
        self, byte: int, *, offset: int = 0, nbytes: int | None = None, stream: Stream | None = None
    ) -> None:
        """Sets bytes (all of them by default); without a stream, waits until it is done."""
        nbytes = self._nbytes - offset if nbytes is None else nbytes
        self._require_inside(offset, nbytes, "the fill")
        call("hipMemsetAsync", self.address + offset, byte, nbytes, native_stream(stream))
        if stream is None:
            call("hipStreamSynchronize", None)

    def free(self, *, stream: Stream | None = None) -> None:
        """Gives the memory back: when all work of the device is done, or in the stream's order."""
        if stream is None or self._closed:
            self.close()
        elif self._give_back.detach() is not None:
            self._closed = True
            call("hipFreeAsync", self._native, stream.native)

    def _require_inside(self, offset: int, nbytes: int, what: str) -> None:
        if offset < 0 or nbytes < 0 or offset + nbytes > self._nbytes:
            raise ValueError(
                f"{what} needs bytes {offset} to {offset + nbytes}, "
                f"but the buffer has {self._nbytes}"
            )

    def __repr__(self) -> str:
        where = "freed" if self._closed else f"{self.address:#x}"
        return f"Buffer({where}, {self._nbytes} bytes)"


def _copy(target: int, source: int, nbytes: int, kind: Any, stream: Stream | None) -> None:
    if stream is None:
        call("hipMemcpy", target, source, nbytes, kind)
        if kind == hip().hipMemcpyKind.hipMemcpyDeviceToDevice:
            call("hipStreamSynchronize", None)  # hipMemcpy only queues this kind
    else:
        call("hipMemcpyAsync", target, source, nbytes, kind, stream.native)


class PinnedBuffer(OwnedHandle):
    """Page-locked host memory, seen as a NumPy array; host and device use the same address.

    The array keeps the memory alive, unless it is freed explicitly.

    >>> with PinnedBuffer(1024, np.float32) as pinned:                # doctest: +SKIP
    ...     pinned.array[:] = 1.0
    ...     buffer.copy_from(pinned.array, stream=stream)
    ...     stream.synchronize()
    """

    def __init__(
        self, shape: int | tuple[int, ...], dtype: npt.DTypeLike = np.uint8, *, flags: int = 0
    ) -> None:
        self._shape = (shape,) if isinstance(shape, int) else tuple(shape)
        self._dtype = np.dtype(dtype)
        native = call("hipHostMalloc", self.nbytes, flags)
        super().__init__(native, "hipHostFree")

    @property
    def address(self) -> int:
        """Where it begins; 0 for an empty buffer."""
        return self.handle

    @property
    def nbytes(self) -> int:
        """How many bytes were asked for."""
        return math.prod(self._shape) * self._dtype.itemsize

    @property
    def array(self) -> Array:
        """The memory itself, not a copy."""
        return np.asarray(self) if self.nbytes else np.empty(self._shape, self._dtype)

    @property
    def __array_interface__(self) -> dict[str, object]:
        return {
            "version": 3,
            "shape": self._shape,
            "typestr": self._dtype.str,
            "descr": self._dtype.descr,
            "data": (self.address, False),
        }

    def free(self) -> None:
        """Gives the memory back, after all work of the device; arrays over it become invalid."""
        self.close()

    def __repr__(self) -> str:
        where = "freed" if self._closed else f"{self.address:#x}"
        return f"PinnedBuffer({where}, {self._shape}, {self._dtype})"
