"""Arrays to the device, a launch, and the results back."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from greta import hip
from greta.engine import kernels
from tests.engine.kernels.reference import GROUP, Q8

Array = npt.NDArray[Any]

ONE_BIT_OF_A_HALF = 2.0**-10


def on_device(array: Array) -> hip.Buffer:
    return hip.Buffer.from_array(np.ascontiguousarray(array))


def filled(count: int, kind: Any = np.float32) -> hip.Buffer:
    """Room for results, full of a value that shows where nothing was written."""
    return on_device(np.full(count, 77, kind))


def launch(kernel: hip.Kernel, grid: int | tuple[int, int], *arguments: Any) -> None:
    """Plain integers and floats become int and float of C."""
    cells = [_typed(argument) for argument in arguments]
    kernel(grid, kernels.THREADS, *cells)
    hip.synchronize()


def _typed(argument: Any) -> Any:
    if isinstance(argument, bool | int):
        return np.int32(argument)
    return np.float32(argument) if isinstance(argument, float) else argument


def floats(buffer: hip.Buffer, *shape: int) -> npt.NDArray[np.float32]:
    return buffer.to_array(np.float32).reshape(shape)


class Q8Buffers:
    """q8 on the device, given or to be written."""

    def __init__(self, given: Q8 | None = None, shape: tuple[int, int] = (0, 0)) -> None:
        m, cols = given.q.shape if given else shape
        self.shape = (m, cols)
        self.q = on_device(given.q) if given else filled(m * cols, np.int8)
        self.d = on_device(given.d) if given else filled(m * cols // GROUP)
        self.s = on_device(given.s) if given else filled(m * cols // GROUP)

    def arguments(self) -> tuple[hip.Buffer, hip.Buffer, hip.Buffer]:
        return self.q, self.d, self.s

    def read(self) -> Q8:
        m, cols = self.shape
        groups = (m, cols // GROUP)
        q = self.q.to_array(np.int8).reshape(self.shape)
        return Q8(q, floats(self.d, *groups), floats(self.s, *groups))


def assert_q8_close(found: Q8, wanted: Q8) -> None:
    """Where the floats they come from differ in the last bits, codes and scales may by one."""
    np.testing.assert_allclose(found.d, wanted.d, rtol=ONE_BIT_OF_A_HALF)
    difference = np.abs(found.q.astype(int) - wanted.q.astype(int))
    assert difference.max() <= 1
    assert difference.mean() < 0.01
    sums = found.q.reshape(*found.d.shape, GROUP).sum(axis=-1, dtype=np.int32)
    np.testing.assert_allclose(found.s, found.d * sums, rtol=ONE_BIT_OF_A_HALF)
