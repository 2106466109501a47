"""Several sources about one run are put together by pid, address, kernel and time."""

from __future__ import annotations

import pytest

from greta.errors import UsageError
from greta.trace.trace import Gap
from tests.trace.logs.amd import AmdText
from tests.trace.logs.reading import Logs, read_log, sizes

FAULT = (
    "Memory access fault by GPU node-1 (Agent handle: 0x1) on address {at:#x}. Reason: Unknown.\n"
)
DMESG = (
    "[{time}] amdgpu 0000:03:00.0: amdgpu: [gfxhub] page fault (src_id:0 ring:4 vmid:8 pasid:1)\n"
    "[{time}] amdgpu 0000:03:00.0: amdgpu:  in process x pid {pid} thread x pid {pid})\n"
    "[{time}] amdgpu 0000:03:00.0: amdgpu:   in page starting at address {at:#018x} from client 1\n"
)
AUDIT = (
    "[D2H_AUDIT_START] op_id=0 ts=1.0 stream=0x0 dev_ptr={at:#x} host_ptr=0xdc00 bytes=64 "
    "tensor=logits step=0 layer=-1\n"
    "[D2H_AUDIT_END] op_id=0 ts=1.1 stream=0x0 result=hipSuccess tensor=logits\n"
)


def process(pid: int, at: int, now: int = 5_000_000) -> AmdText:
    return (
        AmdText(pid=pid, now=now)
        .call("hipMalloc", "0x1, 64", f"{at:#x}")
        .call("hipMemcpy", f"0xdc00, {at:#x}, 64, hipMemcpyDeviceToHost")
    )


def test_the_kernels_log_joins_by_pid(logs: Logs) -> None:
    both = process(100, 0x7F0000000000).text + process(200, 0x7E0000000000).text
    found = logs.read(both, DMESG.format(time=1.0, pid=200, at=0x1000))
    assert {one.trace.pid: len(one.faults) for one in found} == {100: 0, 200: 1}


def test_a_fault_of_another_process_stays_on_its_own(logs: Logs) -> None:
    found = logs.read(process(100, 0x7F0000000000).text, DMESG.format(time=1.0, pid=300, at=0x1000))
    assert {one.trace.pid: len(one.faults) for one in found} == {100: 0, 300: 1}


def test_a_fault_without_pid_joins_by_address(logs: Logs) -> None:
    both = process(100, 0x7F0000000000).text + process(200, 0x7E0000000000).text
    found = logs.read(both, FAULT.format(at=0x7E0000001000))
    assert {one.trace.pid: len(one.faults) for one in found} == {100: 0, 200: 1}


def test_a_fault_without_pid_and_address_joins_by_time(logs: Logs) -> None:
    early, late = process(100, 0x7F0000000000), process(200, 0x7E0000000000, 900_000_000)
    line = (
        ":0:rocdevice.cpp   :1: {us} us:  Memory Fault Error [GPU index: 0, faulting addr: 0x10]\n"
    )
    for us, pid in ((5_100_000, 100), (900_100_000, 200)):
        found = logs.read(early.text + late.text, line.format(us=us))
        assert {one.trace.pid: len(one.faults) for one in found if one.faults} == {pid: 1}


def test_a_fault_joins_the_only_process_there_is(logs: Logs) -> None:
    (evidence,) = logs.read(process(100, 0x7F0000000000).text, FAULT.format(at=0x1000))
    assert len(evidence.faults) == 1


def test_a_log_without_pid_takes_that_of_the_only_fault(logs: Logs) -> None:
    (evidence,) = logs.read(AUDIT.format(at=0x7F00), DMESG.format(time=1.0, pid=55, at=0x1000))
    assert (evidence.trace.pid, len(evidence.faults)) == (55, 1)


def test_a_copy_that_two_sources_tell_of_is_one_operation(logs: Logs) -> None:
    evidence = logs.one(process(100, 0x7F0000000000).text, AUDIT.format(at=0x7F0000000000))
    trace = evidence.trace
    assert sizes(trace) == [64]
    assert trace.describe(3).annotations[0] == "tensor=logits"
    assert set(trace.gaps) == {Gap.CUT_SHORT}


def test_logs_that_share_nothing_are_two_processes(logs: Logs) -> None:
    found = logs.read(process(100, 0x7F0000000000).text, AUDIT.format(at=0x7A0000000000))
    assert [one.trace.source for one in found] == ["amd_log", "greta"]


def test_a_copy_that_the_better_source_lacks_is_told_as_a_gap(logs: Logs) -> None:
    wrapper = AUDIT.format(at=0x7F0000000000) + AUDIT.format(at=0x7B0000000000)
    evidence = logs.one(process(100, 0x7F0000000000).text, wrapper)
    assert Gap.DAMAGED in evidence.trace.gaps


def test_files_in_which_nothing_is_known_are_refused(logs: Logs) -> None:
    with pytest.raises(UsageError, match=r"0\.log.*no line is of a kind that is known"):
        logs.read("hello\nworld\n")


def test_a_file_that_is_not_there_is_refused(logs: Logs) -> None:
    with pytest.raises(UsageError, match=r"none\.log cannot be read"):
        read_log(logs.folder / "none.log")
