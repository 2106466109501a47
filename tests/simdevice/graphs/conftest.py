"""A stream, another one, and kernels to put into them."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from typing import Any

import pytest

from greta.hip import SimTree, compile_source
from tests.simdevice.graphs import calls
from tests.simdevice.graphs.calls import done, hip

SOURCE = """
extern "C" __global__ void add(int* x, int n) { *x += n; }
extern "C" __global__ void multiply(int* x, int n) { *x *= n; }
extern "C" __global__ void bump_all(int* x) { x[blockIdx.x * blockDim.x + threadIdx.x] += 1; }
"""


class Kernels:
    """Kernels by name, and their launch with one pointer and one number."""

    def __init__(self) -> None:
        self._module = done(hip.hipModuleLoadData(compile_source(SOURCE).image))

    def __getitem__(self, name: str) -> int:
        return int(done(hip.hipModuleGetFunction(self._module, name.encode())))

    def launch(self, name: str, address: int, number: int, stream: int) -> int:
        """The launch's error code."""
        arguments: tuple[Any, ...] = (ctypes.c_void_p(address), ctypes.c_int(number))
        launched = hip.hipModuleLaunchKernel(
            self[name], 1, 1, 1, 1, 1, 1, 0, stream, None, arguments
        )
        return int(launched[0])

    def params(self, name: str, address: int, number: int) -> calls.KernelParams:
        return calls.kernel_params(self[name], ctypes.c_void_p(address), ctypes.c_int(number))


@pytest.fixture(autouse=True)
def _needs_sim_tree(sim_tree: SimTree) -> None:
    pass


@pytest.fixture(scope="module")
def kernels() -> Kernels:
    return Kernels()


@pytest.fixture
def stream() -> Iterator[int]:
    with calls.stream() as handle:
        yield handle


@pytest.fixture
def other() -> Iterator[int]:
    with calls.stream() as handle:
        yield handle


@pytest.fixture
def number() -> int:
    """The address of a device integer, 0."""
    return calls.device_ints(0)


@pytest.fixture
def graph() -> int:
    return int(done(hip.hipGraphCreate(0)))
