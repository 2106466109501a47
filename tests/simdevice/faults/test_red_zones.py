"""Ordinary placement: a small overrun is silent, as on hardware, but the device has seen it."""

from __future__ import annotations

import ctypes
import re
from typing import Any

import pytest

from tests.simdevice import memory
from tests.simdevice.child import Child, run_in_child
from tests.simdevice.faults.kernels import ILLEGAL_ADDRESS, load
from tests.simdevice.faults.staging import READ, WRITE
from tests.simdevice.library import byref, done, hip_library
from tests.simdevice.memory import Block, DeviceBlock
from tests.simdevice.streams import NON_BLOCKING, new_stream
from tests.simdevice.truth import RED_ZONE_DAMAGE, reported_faults

DAMAGE = re.compile(
    r"greta-sim: something wrote outside an allocation, 0x[0-9a-f]+ of (?P<bytes>\d+) bytes: "
    r"the first byte changed is number (?P<byte>\d+)\. Found when it was freed; "
    r"GRETA_SIM_PLACEMENT=strict makes the write itself fault\."
)


def overrun(path: str, kind: str, size: int, offset: int, write: int) -> dict[str, Any]:
    """One byte at an offset; then the memory is freed, and life goes on."""
    hip, block = hip_library(), make(kind, size)
    done(load(path).launch("access", block.address, offset, 1, write))
    codes = [hip.hipDeviceSynchronize(), hip.hipFree(block.address)]
    codes += [hip.hipDeviceSynchronize(), hip.hipGetLastError()]
    again = memory.device(size)
    again.fill(3)
    seen = [
        [fault.kind, fault.operation, fault.address - block.address] for fault in reported_faults()
    ]
    return {"codes": codes, "seen": seen, "works": again.byte == 3}


def make(kind: str, size: int) -> Block:
    if kind == "managed":
        pointer = ctypes.c_void_p()
        done(hip_library().hipMallocManaged(byref(pointer), size, 1))
        return DeviceBlock(pointer.value or 0, size)
    made: Block = getattr(memory, kind)(size)
    return made


def answer_and_damage(child: Child) -> tuple[Any, list[tuple[int, int]]]:
    assert child.returncode == 0, child.stderr
    matches = [DAMAGE.fullmatch(line) for line in child.stderr.splitlines()]
    assert all(matches), child.stderr
    return child.answer, [(int(m["byte"]), int(m["bytes"])) for m in matches if m]


@pytest.mark.parametrize("kind", ["device", "pinned", "managed"])
@pytest.mark.parametrize(("size", "past"), [(100, 1), (100, 156), (4095, 1), (5000, 3000)])
def test_damage_past_the_end_is_found_at_the_free_and_is_no_error(
    kind: str, size: int, past: int, code_object: str
) -> None:
    child = run_in_child(overrun, code_object, kind, size, size + past - 1, WRITE)
    answer, damage = answer_and_damage(child)
    assert answer == {
        "codes": [0, 0, 0, 0],
        "seen": [[RED_ZONE_DAMAGE, "free", size + past - 1]],
        "works": True,
    }
    assert damage == [(size + past - 1, size)]


@pytest.mark.parametrize("kind", ["device", "pinned", "managed"])
@pytest.mark.parametrize(
    ("size", "offset", "write"), [(100, 99, WRITE), (100, 0, WRITE), (100, 100, READ)]
)
def test_what_does_no_damage_is_not_told(
    kind: str, size: int, offset: int, write: int, code_object: str
) -> None:
    child = run_in_child(overrun, code_object, kind, size, offset, write)
    answer, damage = answer_and_damage(child)
    assert answer == {"codes": [0, 0, 0, 0], "seen": [], "works": True}
    assert damage == []


@pytest.mark.parametrize("offset", [-1, 4096, 8191 + 4096])
def test_past_the_pages_it_is_a_fault(offset: int, code_object: str) -> None:
    child = run_in_child(overrun_pages, code_object, offset)
    assert child.answer == ILLEGAL_ADDRESS


def overrun_pages(path: str, offset: int) -> int:
    block = memory.device(100)
    done(load(path).launch("access", block.address, offset, 1, WRITE))
    return int(hip_library().hipDeviceSynchronize())


# --- memory of a pool, whose blocks are reused


def pool_overrun(path: str, reuse: bool) -> list[Any]:
    hip, kernels, stream = hip_library(), load(path), new_stream(NON_BLOCKING)
    pointer, again = ctypes.c_void_p(), ctypes.c_void_p()
    done(hip.hipMallocAsync(byref(pointer), 100, stream))
    done(kernels.launch("access", pointer, 100, 1, WRITE, stream=stream))
    done(hip.hipFreeAsync(pointer, stream))
    if reuse:
        done(hip.hipMallocAsync(byref(again), 200, stream))
        assert again.value == pointer.value
        done(hip.hipFreeAsync(again, stream))
    done(hip.hipStreamSynchronize(stream))
    done(hip.hipStreamSynchronize(stream))
    return [[fault.kind, fault.address - (pointer.value or 0)] for fault in reported_faults()]


@pytest.mark.parametrize("reuse", [False, True])
def test_damage_in_a_pools_block_is_found_once(reuse: bool, code_object: str) -> None:
    child = run_in_child(pool_overrun, code_object, reuse)
    answer, damage = answer_and_damage(child)
    assert answer == [[RED_ZONE_DAMAGE, 100]]
    assert damage == [(100, 100)]
