"""The Perfetto trace, read back."""

from __future__ import annotations

import io
import sys
from dataclasses import replace
from functools import partial
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from greta.forensics.verdict import BlamedCall, Cause, FaultBuffer, Verdict, VerdictWord
from greta.reports.export import write
from greta.reports.export.timeline import DRAWN_IN_FULL, NEVER, Rows
from tests.reports.export.made import D2H, H2D, Program, exported
from tests.reports.export.trace import ReadTrace, read_trace

S = 0x5000
START = 5000 - 1000  # what the clock of the writer adds to ticks


def traced(program: Program) -> ReadTrace:
    return read_trace(exported(program.recorded(), "perfetto"))


def test_calls_are_slices_of_their_thread(program: Program) -> None:
    program.call("hipMalloc", 0x7000, 64, takes=30)
    program.call("hipFree", 0x7000, thread=7, takes=5)
    trace = traced(program)
    (malloc,) = trace.on("thread 100")
    assert (malloc.name, malloc.begin, malloc.end) == ("hipMalloc", START + 1000, START + 1030)
    assert malloc.arguments["ptr"] == 0x7000
    assert malloc.arguments["size"] == 64
    assert malloc.arguments["result"] == "hipSuccess"
    (free,) = trace.on("thread 7")
    assert free.name == "hipFree"


def test_a_call_that_failed_says_so_in_its_name(program: Program) -> None:
    program.call("hipFree", 1, result=1)
    program.call("hipStreamQuery", S, result=600)
    program.call("hipGetLastError", result=1)
    names = [one.name for one in traced(program).on("thread 100")]
    assert names == ["hipFree: hipErrorInvalidValue", "hipStreamQuery", "hipGetLastError"]


def test_a_call_that_did_not_return_has_no_end(program: Program) -> None:
    program.call("hipDeviceSynchronize", end=None)
    (call,) = traced(program).on("thread 100")
    assert call.end is None
    assert "did not return" in call.name


def test_work_is_drawn_from_its_call_to_when_it_is_known_to_be_complete(program: Program) -> None:
    program.call("hipStreamCreate", S)
    program.call("hipMemcpyAsync", 1, 2, 64, H2D, S)
    done = program.call("hipStreamSynchronize", S, takes=500)
    (copy,) = (trace := traced(program)).on("stream 0x5000, device 0")
    assert (copy.name, copy.begin, copy.end) == ("copy H2D", START + 1010, START + done)
    assert copy.arguments["bounds"] == "enqueued .. known complete"
    assert copy.arguments["enqueued by"] == 2
    assert copy.arguments["known complete by"] == 3
    call = next(one for one in trace.on("thread") if one.name == "hipMemcpyAsync")
    assert call.starts == copy.ends != []


def test_a_blocking_copy_is_its_own_interval(program: Program) -> None:
    program.call("hipMemcpy", 1, 2, 64, D2H, takes=70)
    (copy,) = traced(program).on("default stream")
    assert (copy.name, copy.begin, copy.end) == ("copy D2H", START + 1000, START + 1070)
    assert copy.arguments["bounds"].startswith("the call")


def test_work_that_nobody_waited_for_has_no_end(program: Program) -> None:
    program.writer.line("kernel", id=5, name="_Z4ropeIfLi4EEvPT_i", function="0xf")
    program.call("hipModuleLaunchKernel", 0xF, 1, 1, 1, 64, 1, 1, 0, S, kernel=5)
    (launch,) = traced(program).on("stream")
    assert (launch.name, launch.end) == ("rope", None)
    assert "not known to be complete" in launch.arguments["bounds"]


def test_work_that_overlaps_in_part_is_drawn_in_two_rows(program: Program) -> None:
    program.call("hipStreamCreateWithFlags", S, 1)
    program.call("hipMemcpyAsync", 1, 2, 64, H2D, S)
    program.call("hipEventRecord", 0xE, S)
    program.call("hipMemcpyAsync", 1, 2, 64, H2D, S)
    first = program.call("hipEventSynchronize", 0xE)
    second = program.call("hipStreamSynchronize", S)
    copies = traced(program).on("stream")
    assert [one.end for one in copies] == [START + first, START + second]
    assert [one.depth for one in copies] == [0, 0]


def test_ten_thousand_launches_before_a_wait_can_be_drawn(program: Program) -> None:
    for _ in range(10_000):
        program.call("hipMemsetAsync", 1, 0, 64, S)
    done = program.call("hipStreamSynchronize", S)
    fills = traced(program).on("stream")
    assert len(fills) == 10_000
    assert {one.depth for one in fills} == {0}
    drawn = [one for one in fills if one.end == START + done]
    assert len(drawn) == DRAWN_IN_FULL
    assert all("shorter" in one.arguments["bounds"] for one in fills if one not in drawn[:32])
    assert {one.arguments["known complete by"] for one in fills} == {10_001}


def test_device_memory_is_a_counter(program: Program) -> None:
    allocated = program.call("hipMalloc", 0x7000, 64)
    more = program.call("hipMalloc", 0x8000, 36)
    program.call("hipHostMalloc", 0x9000, 1000, 0)
    freed = program.now
    program.call("hipFree", 0x7000)
    assert traced(program).counters == {
        "memory of device 0": [
            (START + allocated, 64),
            (START + more, 100),
            (START + freed, 36),
        ]
    }


def test_ranges_and_marks(program: Program) -> None:
    outer, inner = program.text(1, "step"), program.text(2, "layer")
    program.call("roctxRangePushA", outer, result=1)
    program.call("roctxRangePushA", inner, result=2)
    program.call("roctxMarkA", inner)
    program.call("roctxRangePop", result=1)
    program.call("roctxRangePop")
    program.call("roctxRangePop", result=-1)  # one too many
    trace = traced(program)
    assert [(one.name, one.depth) for one in trace.on("annotations")] == [("step", 0), ("layer", 1)]
    assert all(one.end is not None for one in trace.slices)
    assert [one.name for one in trace.instants] == ["layer"]
    assert trace.on("thread") == []


def test_ranges_that_overlap(program: Program) -> None:
    program.call("roctxRangeStartA", program.text(1, "load"), 11)
    program.call("roctxRangeStartA", program.text(2, "send"), 12)
    first = program.call("roctxRangeStop", 11, thread=7)
    program.call("roctxRangeStop", 12)
    load, send = traced(program).on("ranges")
    assert (load.name, load.end, send.name) == ("load", START + first, "send")
    assert (send.end or 0) > START + first


def test_a_ring_that_lost_the_beginning_of_a_range(program: Program) -> None:
    program.writer.line("annotation", id=3, text="step", parent=0)
    program.call("hipDeviceSynchronize", annotation=3)
    program.call("roctxRangePop", annotation=3)
    (step,) = traced(program).on("annotations")
    assert (step.name, step.begin) == ("step", START + 1000)
    assert step.end is not None


def test_hostile_names(program: Program) -> None:
    names = ['a"b\nc', "\udc80\udcff", "\x1b[31m", "", "名"]
    for number, name in enumerate(names, start=1):
        program.writer.line("kernel", id=number, name=name, function="0xf")
        program.call("hipModuleLaunchKernel", 0xF, 1, 1, 1, 1, 1, 1, 0, S, kernel=number)
    shown = [one.name for one in traced(program).on("stream")]
    assert shown == ['a"b\nc', "\\udc80\\udcff", "\x1b[31m", "kernel", "名"]


times = st.integers(0, 60)


@given(st.lists(st.tuples(times, times, st.booleans()), max_size=120))
def test_slices_of_a_row_follow_each_other(drawn: list[tuple[int, int, bool]]) -> None:
    rows = Rows()
    placed: dict[int, list[tuple[int, int]]] = {}
    for begin, length, open_ in sorted(drawn):
        row, end = rows.place(begin, NEVER if open_ else begin + length, begin + length // 2)
        for other_begin, other_end in placed.setdefault(row, []):
            assert other_end <= begin, (other_begin, row)
        placed[row].append((begin, end))
        assert begin <= end


# --- the fault ------------------------------------------------------------------------------------


def faulted(program: Program, verdict: Verdict | None) -> ReadTrace:
    file = io.BytesIO()
    write(program.recorded(), "perfetto", file, verdict=verdict)
    return read_trace(file.getvalue())


def overrun(**changes: Any) -> Verdict:
    buffer = FaultBuffer("0x7000", 64, 1, None, "positions")
    cause = Cause(
        "upstream_kernel_fault", 2, "hipMemsetAsync", buffer=buffer, confidence=0.9, **changes
    )
    return Verdict(VerdictWord.REPRODUCED, cause=cause, blamed=BlamedCall(3, "hipMemcpy"))


def crash(program: Program) -> int:
    program.call("hipMalloc", 0x7000, 64)
    program.call("hipMemsetAsync", 0x7000, 0, 128, S)
    return program.call("hipMemcpy", 1, 0x7000, 64, D2H, result=700)


def test_the_fault_is_an_instant_where_it_surfaced(program: Program) -> None:
    surfaced = crash(program)
    (fault,) = faulted(program, overrun()).instants
    assert fault.track.startswith("fault")
    assert fault.begin == START + surfaced
    assert fault.name.startswith("REPRODUCED: ")
    assert fault.arguments["caused by call"] == 2
    assert fault.arguments["surfaced at call"] == 3
    assert fault.arguments["buffer"] == "positions"


def test_the_cause_has_a_name_of_its_own_and_its_buffer(program: Program) -> None:
    crash(program)
    trace = faulted(program, overrun())
    (cause,) = [one for one in trace.slices if one.name.startswith("CAUSE")]
    assert (cause.track, cause.name) == ("stream 0x5000", "CAUSE: fill")
    assert cause.arguments["buffer"] == "positions"
    assert cause.arguments["buffer bytes"] == 64
    assert cause.arguments["hypothesis"] == "upstream_kernel_fault"


def test_a_cause_that_is_no_work_of_a_stream_is_marked_at_its_call(program: Program) -> None:
    crash(program)
    verdict = overrun()
    verdict = replace(verdict, cause=replace(verdict.cause or Cause(""), seq=1))
    trace = faulted(program, verdict)
    assert [one.name for one in trace.slices if "CAUSE" in one.name] == ["CAUSE: hipMalloc"]


def test_a_run_without_a_fault_has_no_mark(program: Program) -> None:
    crash(program)
    for verdict in (None, Verdict(VerdictWord.NOT_REPRODUCED)):
        trace = faulted(program, verdict)
        assert trace.instants == []
        assert not any("CAUSE" in one.name for one in trace.slices)


def test_the_calls_of_another_process_are_not_marked(program: Program) -> None:
    crash(program)
    assert faulted(program, overrun(pid=999_999)).instants == []


def test_equal_calls_cost_few_steps_of_python(program: Program) -> None:
    """CPU time differs from machine to machine (benchmarks/perfetto_export.py); this does not."""
    count = 2000
    for _ in range(count):
        program.call("hipMemsetAsync", 0x7000, 0, 128, S)
        program.call("hipStreamSynchronize", S)
    recording = program.recorded()
    export = partial(write, recording, "perfetto")
    export(io.BytesIO())  # what is imported and looked up once
    steps = 0

    def step(*_: object) -> None:
        nonlocal steps
        steps += 1

    sys.setprofile(step)
    try:
        export(io.BytesIO())
    finally:
        sys.setprofile(None)
    assert steps < 12 * 2 * count
