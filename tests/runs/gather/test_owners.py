"""Whose fault it was: one output for all processes of a run."""

from __future__ import annotations

from pathlib import Path

import pytest

from greta.runs.gather import Share, shared_out
from greta.trace.evidence import DeviceFault, Message
from greta.trace.logs.logged import NEAR, LoggedAllocation, LoggedOperation, ProcessLog
from greta.trace.logs.tables import trace_of
from greta.trace.trace import Kind, Memory, Trace


def process(pid: int, at: int, kernel: str, *, failed: bool = False) -> Trace:
    made = LoggedAllocation(at, 4096, Memory.DEVICE)
    operations = [
        LoggedOperation(1, 0, "hipMalloc", Kind.ALLOCATE, allocated=made),
        LoggedOperation(2, 0, "hipLaunchKernel", Kind.LAUNCH, kernel=kernel),
        LoggedOperation(
            3, 0, "hipDeviceSynchronize", Kind.WAIT_DEVICE, failed=failed, result=700 * failed
        ),
    ]
    log = ProcessLog("recording", Path("log"), pid, operations=operations, total_calls=3)
    return trace_of(log, {})


FIRST = process(10, 0x7F0000000000, "rope")
SECOND = process(20, 0x7E0000000000, "norm")
THIRD = process(30, 0x7D0000000000, "norm", failed=True)
ALL = (FIRST, SECOND, THIRD)


def owner(fault: DeviceFault) -> int | None:
    story = ProcessLog("rocr", Path("stderr.log"), faults=[fault])
    shares = shared_out(ALL, [story])
    found = [trace.pid for trace, share in zip(ALL, shares, strict=True) if share.faults]
    return found[0] if found else None


def test_a_fault_goes_to_the_process_it_names() -> None:
    assert owner(DeviceFault("dmesg", 0x7F0000000000, pid=20)) == 20


def test_a_fault_of_a_process_that_was_not_recorded_goes_to_none() -> None:
    assert owner(DeviceFault("dmesg", 0x7F0000000000, pid=99)) is None


def test_else_to_the_only_one_that_ran_the_kernel() -> None:
    assert owner(DeviceFault("clr", 0x7E0000000000, kernel="rope")) == 10


def test_else_to_the_only_one_that_had_the_memory() -> None:
    assert owner(DeviceFault("clr", 0x7E0000001000, kernel="norm")) == 20


def test_else_to_the_one_whose_calls_failed() -> None:
    assert owner(DeviceFault("rocr", None)) == 30


LAST = 2**64 - 1


@pytest.mark.parametrize(
    ("start", "size", "address", "near"),
    [
        (0x100000, 4096, 0x100000 - NEAR, True),
        (0x100000, 4096, 0x100000 - NEAR - 1, False),
        (0x100000, 4096, 0x101000 + NEAR - 1, True),
        (0x100000, 4096, 0x101000 + NEAR, False),
        (16, 16, 0, True),  # nothing lies before the first address
        (LAST - 16, LAST, LAST, True),  # sizes that run over the last one
        (LAST - 16, LAST, 16, False),
        (LAST - 16, 8, LAST, True),
        (0x100000, 4096, 2**64 + 0x100000, False),
        (0x100000, 4096, -1, False),
    ],
)
def test_what_is_near_memory(start: int, size: int, address: int, near: bool) -> None:
    trace = process(10, 0x100000, "rope")
    trace.allocations["address"], trace.allocations["bytes"] = start, size
    assert Share(trace).had_memory_near(address) == near


def test_messages_go_to_the_one_whose_calls_failed() -> None:
    story = ProcessLog("pytorch", Path("stderr.log"), messages=[Message("pytorch", "HIP error: x")])
    assert [len(share.messages) for share in shared_out(ALL, [story])] == [0, 0, 1]


def test_of_one_process_everything_is_its_own() -> None:
    story = ProcessLog("rocr", Path("stderr.log"), faults=[DeviceFault("rocr", 0x1000)])
    (share,) = shared_out([FIRST], [story])
    assert len(share.faults) == 1
