"""What the device knows about a fault: who, where, which operation."""

from __future__ import annotations

import ctypes
from typing import Any

import pytest

from tests.simdevice import memory
from tests.simdevice.child import answer_of
from tests.simdevice.faults.conftest import STRICT
from tests.simdevice.faults.kernels import ILLEGAL_ADDRESS, LAUNCH_FAILURE, load
from tests.simdevice.faults.staging import NULL_PAGE, READ, WRITE, truth
from tests.simdevice.launching import as_ctypes
from tests.simdevice.library import done, hip_library
from tests.simdevice.streams import DEFAULT_STREAM, NON_BLOCKING, new_stream
from tests.simdevice.truth import ILLEGAL_ACCESS, TRAP


def kernel_fault(path: str, on_default_stream: bool, write: int) -> dict[str, Any]:
    hip, kernels = hip_library(), load(path)
    stream = DEFAULT_STREAM if on_default_stream else new_stream(NON_BLOCKING)
    target = memory.pinned(64)
    for _ in range(4):
        done(hip.hipMemsetAsync(target.address, 0, 64, stream))
    done(kernels.launch("access", 0, NULL_PAGE, 4, write, stream=stream))
    assert hip.hipStreamSynchronize(stream) == ILLEGAL_ADDRESS
    return {**truth(), "stream given": stream}


@pytest.mark.parametrize("write", [READ, WRITE], ids=["read", "write"])
@pytest.mark.parametrize("on_default_stream", [True, False])
def test_the_truth_of_a_kernel_fault(on_default_stream: bool, write: int, code_object: str) -> None:
    seen = answer_of(kernel_fault, code_object, on_default_stream, write)
    stream = seen.pop("stream given")
    assert (stream == 0) == on_default_stream
    assert seen == {
        "kind": ILLEGAL_ACCESS,
        "device": 0,
        "operation_number": 5,
        "stream": stream,
        "address": NULL_PAGE,
        "address_known": True,
        "is_write": bool(write),
        "thread_known": False,  # a plain loop over the threads, without checks
        "block": [0, 0, 0],
        "thread": [0, 0, 0],
        "operation": "kernel",
        "kernel": "access",
        "message": seen["message"],
    }


def launch_shape(path: str, grid: list[int], block: list[int]) -> dict[str, Any]:
    """Only one block of the grid writes where it must not."""
    kernels, words = load(path), memory.device(4)
    values = as_ctypes([words.address, *block])
    pointers = (ctypes.c_void_p * len(values))(*map(ctypes.addressof, values))
    shape = (*grid, 4, 2, 1)
    function = kernels.function("one_block_faults")
    done(hip_library().hipModuleLaunchKernel(function, *shape, 0, None, pointers, None))
    assert hip_library().hipDeviceSynchronize() == ILLEGAL_ADDRESS
    return truth()


@pytest.mark.parametrize(
    ("grid", "block"),
    [
        ([100, 1, 1], [0, 0, 0]),
        ([100, 1, 1], [57, 0, 0]),
        ([5, 4, 3], [4, 3, 2]),
        ([3, 3, 3], [1, 2, 0]),
    ],
)
def test_the_block_is_named(grid: list[int], block: list[int], code_object: str) -> None:
    seen = answer_of(launch_shape, code_object, grid, block)
    assert (seen["block"], seen["address"], seen["is_write"]) == (block, NULL_PAGE, True)


def last_thread_faults(path: str, kernel: str) -> dict[str, Any]:
    done(load(path).launch(kernel, 0, NULL_PAGE, 4, WRITE, block=2))
    assert hip_library().hipDeviceSynchronize() == ILLEGAL_ADDRESS
    return truth()


def test_the_thread_is_named_where_it_is_known(code_object: str, strict_code_object: str) -> None:
    """By the checks of strict placement, or because threads that meet at a barrier run apart."""
    checked = answer_of(last_thread_faults, strict_code_object, "access", **STRICT)
    apart = answer_of(last_thread_faults, code_object, "access_after_barrier")
    for seen in (checked, apart):
        assert (seen["thread_known"], seen["thread"]) == (True, [1, 0, 0])


def fault_on_second_device(path: str) -> int:
    done(hip_library().hipSetDevice(1))
    done(load(path).launch("access", 0, NULL_PAGE, 4, WRITE))
    assert hip_library().hipDeviceSynchronize() == ILLEGAL_ADDRESS
    return int(truth()["device"])


def test_the_device_is_named(code_object: str) -> None:
    assert answer_of(fault_on_second_device, code_object, GRETA_SIM_DEVICES="2") == 1


# --- traps


def trapped(path: str, kernel: str) -> dict[str, Any]:
    kernels, block = load(path), memory.device(4)
    done(kernels.launch(kernel, block.address))
    codes = [hip_library().hipDeviceSynchronize(), hip_library().hipDeviceSynchronize()]
    return {**truth(), "codes": codes}


@pytest.mark.parametrize("kernel", ["trap", "call_abort", "fail_assert"])
def test_traps_and_failed_asserts_are_launch_failures(kernel: str, code_object: str) -> None:
    seen = answer_of(trapped, code_object, kernel)
    assert seen["codes"] == [LAUNCH_FAILURE, LAUNCH_FAILURE]
    assert (seen["kind"], seen["operation"], seen["kernel"]) == (TRAP, "kernel", kernel)


def test_a_failed_assert_is_told_in_full(code_object: str) -> None:
    assert "staged" in answer_of(trapped, code_object, "fail_assert")["message"]


# --- use after free


def use_after_free(path: str) -> list[Any]:
    block = memory.device(10_000)
    block.free()
    done(load(path).launch("access", block.address, 5000, 4, READ))
    code = hip_library().hipDeviceSynchronize()
    return [code, truth()["address"] - block.address, truth()["is_write"]]


def test_use_after_free_faults_in_ordinary_placement_too(code_object: str) -> None:
    assert answer_of(use_after_free, code_object) == [ILLEGAL_ADDRESS, 5000, False]


# --- host memory that the device cannot reach


def kernel_on_host_memory(path: str, kind: str, offset: int) -> dict[str, Any]:
    block = getattr(memory, kind)(8192)
    block.fill(0)
    done(load(path).launch("access", block.address, offset, 4, WRITE))
    code = int(hip_library().hipDeviceSynchronize())
    seen = truth() if code else {"address": block.address, "kernel": ""}
    return {"code": code, "off": seen["address"] - block.address, "kernel": seen["kernel"]}


@pytest.mark.parametrize("offset", [0, 4000])
@pytest.mark.parametrize("placement", ["paged", "strict"])
def test_a_kernel_cannot_reach_pageable_memory(
    placement: str, offset: int, code_object: str, strict_code_object: str
) -> None:
    path = strict_code_object if placement == "strict" else code_object
    switch = {"GRETA_SIM_PLACEMENT": placement}
    answer = answer_of(kernel_on_host_memory, path, "pageable", offset, **switch)
    assert answer == {"code": ILLEGAL_ADDRESS, "off": offset, "kernel": "access"}


@pytest.mark.parametrize("kind", ["pinned", "registered"])
def test_a_kernel_reaches_pinned_and_registered_memory(kind: str, code_object: str) -> None:
    assert answer_of(kernel_on_host_memory, code_object, kind, 4000)["code"] == 0


def kernel_on_numpy_array(path: str) -> int:
    import numpy as np

    array = np.zeros(1000, dtype=np.float32)
    done(load(path).launch("access", array.ctypes.data, 0, 4, READ))
    return int(hip_library().hipDeviceSynchronize())


def test_a_numpy_array_given_to_a_kernel_faults(code_object: str) -> None:
    assert answer_of(kernel_on_numpy_array, code_object) == ILLEGAL_ADDRESS
