"""Host memory as HIP sees it: an address and a number of bytes without gaps."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

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
