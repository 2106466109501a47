"""Page-locked host memory."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from greta.hip._bindings import call
from greta.hip._host_memory import Array
from greta.hip._owned import OwnedHandle


class PinnedBuffer(OwnedHandle):
    """Page-locked host memory, seen as a NumPy array; host and device use the same address.

    The array keeps the memory alive, unless it is freed explicitly.

    >>> with PinnedBuffer(1024, np.float32) as pinned:                # doctest: +SKIP
    ...     pinned.array[:] = 1.0
    ...     buffer.copy_from(pinned.array, stream=stream)
    ...     stream.synchronize()
    """

    def __init__(
        self,
        shape: int | tuple[int, ...],
        dtype: npt.DTypeLike = np.uint8,
        *,
        flags: int = 0,
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
    def __array_interface__(self) -> dict[str, Any]:
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
