"""One recording has one answer: analysis, exports and the summary of a run agree."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

from greta.forensics.analysis import coverage_of
from greta.forensics.case import Case
from greta.forensics.order import completion
from greta.recording import Recording, open_recording
from greta.reports.export.timeline import TITLES, work_of
from greta.reports.lang import Say
from greta.reports.run_summary import summarize_copies
from greta.runs.tally import Tally, tally
from greta.trace.evidence import Evidence
from greta.trace.reading import trace_of
from greta.trace.trace import Seq, Trace, Waits
from tests.trace.reading.written import Written

DEVICE, MORE, PINNED, PAGEABLE = 0x7000_0000, 0x7100_0000, 0x6000_0000, 0x5000_0000
STREAM, EVENT = 0x9000, 0x9900
H2D, D2H, D2D = 1, 2, 3
NON_BLOCKING = 1
WORK = tuple(TITLES)


def program(folder: Path) -> Written:
    written = Written(folder)
    written.call("hipMalloc", ptr=DEVICE, size=4096)
    written.call("hipMalloc", ptr=MORE, size=4096)
    written.call("hipHostMalloc", ptr=PINNED, size=4096)
    written.call("hipStreamCreateWithFlags", stream=STREAM, flags=NON_BLOCKING)
    return written


def copy_async(written: Written, to: int, source: int, kind: int, result: int = 0) -> None:
    words = {"dst": to, "src": source, "sizeBytes": 64, "kind": kind, "stream": STREAM}
    call(written, "hipMemcpyAsync", words, result)


def call(written: Written, name: str, words: dict[str, int], result: int = 0) -> None:
    more: dict[str, Any] = words
    written.call(name, result=result, **more)


def box_to_host() -> bytes:
    """HIP_MEMCPY3D: 16 bytes, 2 rows, 2 slices, from the device."""
    numbers = {48: DEVICE, 64: 16, 72: 2, 120: PAGEABLE, 144: 16, 152: 2, 160: 16, 168: 2, 176: 2}
    return b"".join(struct.pack("<Q", numbers.get(at, 0)) for at in range(0, 184, 8))


def recorded(written: Written) -> Recording:
    written.writer.write()
    return open_recording(written.folder)


def traced(recording: Recording) -> Trace:
    (process,) = recording.processes
    return trace_of(process)


def complete_by_analysis(trace: Trace) -> dict[Seq, bool]:
    """Of all work that was done: whether it is known to be complete at the end."""
    rows = completion(trace).unfinished(*WORK).tolist()
    operations = trace.operations
    return {
        int(operations["seq"][row]): row not in rows
        for row in range(len(operations))
        if operations["kind"][row] in WORK and not operations["captured"][row]
    }


def complete_by_export(recording: Recording) -> dict[Seq, bool]:
    (process,) = recording.processes
    work = work_of(process)
    return {seq: known != 0 for seq, known in zip(work.seq, work.known_by, strict=True)}


def assert_one_answer(recording: Recording) -> Tally:
    trace, counts = traced(recording), tally(recording)
    coverage = coverage_of([Case(Evidence(trace))])
    assert counts.copies.count["D2H"] == coverage.d2h_calls
    assert counts.copies.bytes["D2H"] == coverage.d2h_bytes
    assert counts.launches + counts.graph_launches == coverage.launches
    assert complete_by_export(recording) == complete_by_analysis(trace)
    return counts


def test_the_recording_that_had_three_answers(tmp_path: Path) -> None:
    written = program(tmp_path)
    copy_async(written, PAGEABLE, DEVICE, D2H)  # 5
    written.call("hipMemsetAsync", dst=DEVICE, sizeBytes=64, stream=STREAM)  # 6
    written.call("hipFree", ptr=MORE)  # 7
    written.call("hipDrvMemcpy3D", structs={"pCopy": box_to_host()})  # 8
    recording = recorded(written)
    counts = assert_one_answer(recording)
    assert counts.copies.count == {"D2H": 2}
    assert counts.copies.bytes == {"D2H": 64 + 16 * 2 * 2}
    (process,) = recording.processes
    work = work_of(process)
    # Both copies when their calls return; the memset when the free has waited for the device.
    assert dict(zip(work.seq, work.known_by, strict=True)) == {5: 5, 6: 7, 8: 8}
    waits = traced(recording).operations
    assert [Waits(w) for s, w in zip(waits["seq"], waits["waits"], strict=True) if s >= 5] == [
        *(Waits.FOR_IT, Waits.NO, Waits.FOR_DEVICE, Waits.FOR_IT),
    ]


def test_its_twin_leaves_all_of_it_open(tmp_path: Path) -> None:
    """Pinned memory, memory of a pool, nobody waits."""
    written = program(tmp_path)
    written.call("hipMallocAsync", dev_ptr=0x7200_0000, size=64, stream=STREAM)  # 5
    copy_async(written, PINNED, DEVICE, D2H)  # 6
    written.call("hipMemsetAsync", dst=DEVICE, sizeBytes=64, stream=STREAM)  # 7
    written.call("hipFree", ptr=0x7200_0000)  # 8: of a pool
    recording = recorded(written)
    assert assert_one_answer(recording).copies.count == {"D2H": 1}
    assert complete_by_export(recording) == {6: False, 7: False}


def test_a_copy_that_failed_is_counted_by_all(tmp_path: Path) -> None:
    written = program(tmp_path)
    copy_async(written, PAGEABLE, DEVICE, D2H, result=700)
    written.call("hipMemcpy", dst=PAGEABLE, src=DEVICE, sizeBytes=64, kind=D2H, unfinished=True)
    recording = recorded(written)
    counts = tally(recording)
    coverage = coverage_of([Case(Evidence(traced(recording)))])
    assert (counts.copies.count["D2H"], coverage.d2h_calls) == (2, 2)
    assert (counts.copies.bytes["D2H"], coverage.d2h_bytes) == (0, 0)
    said = summarize_copies(counts.copies, Say("en"))
    assert said == "H2D none, D2H 0 B in 2 (1 failed, 1 had not returned), D2D none"


def test_captured_work_is_counted_when_its_graph_is_launched(tmp_path: Path) -> None:
    written = program(tmp_path)
    written.call("hipStreamBeginCapture", stream=STREAM)
    copy_async(written, PINNED, DEVICE, D2H)
    written.call("hipStreamEndCapture", stream=STREAM, pGraph=0x8800)
    written.call("hipGraphInstantiate", pGraphExec=0x8900, graph=0x8800)
    for _ in range(2):
        written.call("hipGraphLaunch", graphExec=0x8900, stream=STREAM)
    written.call("hipStreamSynchronize", stream=STREAM)
    counts = assert_one_answer(recorded(written))
    assert (counts.graph_launches, counts.copies.count) == (2, {"D2H": 2})


def test_each_way_to_wait_is_known_to_all(tmp_path: Path) -> None:
    waits = {
        "hipMemset": {"dst": DEVICE + 64, "sizeBytes": 64},  # inside an allocation: it waits
        "hipHostFree": {"ptr": PINNED},
        "hipDeviceSynchronize": {},
        "hipEventElapsedTime": {"start": EVENT, "stop": EVENT},
        "hipDeviceReset": {},
        "hipMemcpyAtoH": {"dst": PAGEABLE, "srcArray": 0x4000, "count": 64},
    }
    for number, (name, words) in enumerate(waits.items()):
        written = program(tmp_path / str(number))
        written.call("hipMemsetAsync", dst=DEVICE, sizeBytes=64)
        written.call("hipEventRecord", event=EVENT)
        call(written, name, words)
        recording = recorded(written)
        assert_one_answer(recording)
        assert all(complete_by_export(recording).values()), name


def test_what_is_only_queued_is_known_to_all(tmp_path: Path) -> None:
    queued = {
        "hipMemset": {"dst": DEVICE, "sizeBytes": 64},
        "hipMemcpy": {"dst": DEVICE, "src": MORE, "sizeBytes": 64, "kind": D2D},
        "hipMemcpyDtoD": {"dst": DEVICE, "src": MORE, "sizeBytes": 64},
        "hipMemcpyAtoD": {"dstDevice": DEVICE, "srcArray": 0x4000, "ByteCount": 64},
        "hipFree": {"ptr": 0},
        "hipMemPrefetchAsync": {"dev_ptr": DEVICE, "count": 64},
    }
    for number, (name, words) in enumerate(queued.items()):
        written = program(tmp_path / str(number))
        written.call("hipMemsetAsync", dst=DEVICE, sizeBytes=64)
        call(written, name, words)
        recording = recorded(written)
        assert_one_answer(recording)
        assert not any(complete_by_export(recording).values()), name
