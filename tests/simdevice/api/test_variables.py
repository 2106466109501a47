"""Variables of the environment with values that make no sense: told once, and not followed."""

from __future__ import annotations

import os
import re
import struct

import pytest

from tests.simdevice.borrowed import Borrowed
from tests.simdevice.child import Child, run_in_child
from tests.simdevice.kernel_arguments import KernelArguments, pointer
from tests.simdevice.library import compile_kernels, done, hip_library

CORES = len(os.sched_getaffinity(0))
# Its threads wait at a barrier, and its blocks are enough for several cores.
SOURCE = """
extern "C" __global__ void turn(int* x) {
  __shared__ int line[4];
  line[threadIdx.x] = threadIdx.x;
  __syncthreads();
  x[blockIdx.x * 4 + threadIdx.x] = line[3 - threadIdx.x];
}
"""


def compile_and_run() -> list[int]:
    hip = hip_library()
    device, blocks = Borrowed(hip), 64
    memory = device.memory(16 * blocks)
    for _ in range(2):
        function = device.kernel(compile_kernels(SOURCE), b"turn")
        arguments = KernelArguments(pointer(memory))
        done(hip.hipModuleLaunchKernel(function, blocks, 1, 1, 4, 1, 1, 0, None, arguments, None))
    return list(struct.unpack("4i", device.read(memory, 16)))


def run_with(**variables: str) -> Child:
    child = run_in_child(compile_and_run, **variables)
    assert child.answer == [3, 2, 1, 0]
    return child


@pytest.mark.parametrize("value", ["many", "0", "-1", "4 5", "1025", "99999999999999999999"])
def test_a_number_of_threads_must_be_one(value: str) -> None:
    expected = f"expected a number from 1 to 1024, using {CORES}"
    said = run_with(GRETA_SIM_THREADS=value).stderr
    assert said == f"greta-sim: GRETA_SIM_THREADS={value} is not understood: {expected}\n"


@pytest.mark.parametrize(
    ("name", "value", "expected", "used"),
    [
        ("GRETA_SIM_STACK_KIB", "64k", "a number from 16 to 1048576", "64"),
        ("GRETA_SIM_STACK_KIB", "15", "a number from 16 to 1048576", "64"),
        ("GRETA_SIM_ISA", "AVX2", "baseline, avx2 or avx512", "(?:baseline|avx2|avx512)"),
        ("GRETA_SIM_CACHE", "off", "a number from 0 to 1", "1"),
        ("GRETA_SIM_DEVICES", "17", "a number from 0 to 16", "1"),
        ("GRETA_SIM_VRAM", "all", "a size such as 16G or 512M", "[0-9]+M"),
        ("GRETA_SIM_PLACEMENT", "loose", "paged or strict", "paged"),
    ],
)
def test_a_bad_value_is_told_once(name: str, value: str, expected: str, used: str) -> None:
    said = run_with(**{name: value}).stderr
    line = f"greta-sim: {name}={value} is not understood: expected {expected}, using {used}\n"
    assert re.fullmatch(line, said)


@pytest.mark.parametrize(
    "variables",
    [
        {"GRETA_SIM_THREADS": "1", "GRETA_SIM_STACK_KIB": "16", "GRETA_SIM_CACHE": "0"},
        {"GRETA_SIM_THREADS": "1024", "GRETA_SIM_ISA": "baseline", "GRETA_SIM_CACHE": "1"},
        {"GRETA_SIM_THREADS": "", "GRETA_SIM_STACK_KIB": "", "GRETA_SIM_ISA": ""},
    ],
    ids=["least", "most", "empty"],
)
def test_good_values_are_followed_in_silence(variables: dict[str, str]) -> None:
    assert run_with(**variables).stderr == ""
