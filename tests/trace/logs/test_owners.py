"""To whom a fault or a message belongs that names no process."""

from __future__ import annotations

from pathlib import Path

from greta.trace.evidence import DeviceFault
from greta.trace.logs.logged import (
    NEAR,
    LoggedAllocation,
    LoggedOperation,
    ProcessLog,
    most_likely,
    owner_of,
)
from greta.trace.trace import Kind, Memory

AT = 0x7F0000000000


def process(*operations: LoggedOperation, source: str = "greta") -> ProcessLog:
    return ProcessLog(source, Path("a.log"), operations=list(operations))


def call(*, failed: bool = False, finished: bool = True) -> LoggedOperation:
    return LoggedOperation(
        1, 0, "hipDeviceSynchronize", Kind.WAIT_DEVICE, failed=failed, finished=finished
    )


def test_a_failed_call_tells_more_than_one_that_did_not_return() -> None:
    calm, cut, failed = process(call()), process(call(finished=False)), process(call(failed=True))
    assert most_likely([calm, cut, failed]) is failed
    assert most_likely([calm, cut]) is cut
    assert most_likely([calm]) is calm


def test_memory_near_a_fault_counts_up_to_a_limit() -> None:
    made = LoggedAllocation(AT, 4096, Memory.DEVICE)
    calm, owner = (
        process(call()),
        process(LoggedOperation(1, 0, "hipMalloc", Kind.ALLOCATE, allocated=made)),
    )
    for address, found in (
        (AT - NEAR, owner),
        (AT + 4096 + NEAR - 1, owner),
        (AT - NEAR - 1, calm),
        (AT + 4096 + NEAR, calm),
    ):
        assert owner_of(DeviceFault("rocr", address), [calm, owner]) is found


def test_two_that_fit_are_as_good_as_none() -> None:
    ran = [
        process(LoggedOperation(1, 0, "hipLaunchKernel", Kind.LAUNCH, kernel="rope"))
        for _ in range(2)
    ]
    failed = process(call(failed=True))
    fault = DeviceFault("clr", None, kernel="rope")
    assert owner_of(fault, [ran[0], failed]) is ran[0]
    assert owner_of(fault, [*ran, failed]) is failed
