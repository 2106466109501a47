"""AMD_LOG_LEVEL: calls, paired with what they returned, become operations."""

from __future__ import annotations

import pytest

from greta.trace.trace import Gap, Kind, Memory, Space, StreamKind, Waits
from tests.trace.logs.amd import AmdText
from tests.trace.logs.judged import blamed, judged, outcome
from tests.trace.logs.reading import Logs, rows_of, sizes

STYLES = (
    "[pid:{pid}   tid:0x{tid:x}]",
    "[pid:{pid} tid: 0x{tid:x}]",
    "{pid}: [tid:0x{tid:x}]",
    "{pid} : [tid:0x{tid:x}]",
    "{pid}: [{tid:x}]",
)


def program(style: str = STYLES[0]) -> AmdText:
    return (
        AmdText(style=style)
        .call("hipMalloc", "0x7ffe58b19390, 2097152", "0x7f87de200000: duration: 123 us")
        .call("hipStreamCreateWithFlags", "0x7ffe58b19398, 1", "stream:0x55aa00")
        .call("hipMemcpy", "0x7f87de200000, 0xdc2150, 4096, hipMemcpyHostToDevice")
        .call(
            "hipMemcpyAsync",
            "0xdc2150, 0x7f87de200100, 40, hipMemcpyDeviceToHost, stream:0x55aa00",
            ": duration: 12 us",
        )
        .call("hipStreamSynchronize", "stream:0x55aa00")
        .call("hipFree", "0x7f87de200000")
    )


@pytest.mark.parametrize("style", STYLES)
def test_calls_have_addresses_sizes_and_streams(logs: Logs, style: str) -> None:
    trace = logs.one(program(style).text).trace
    assert trace.pid == 100
    assert sizes(trace) == [4096, 40]
    (buffer,) = trace.allocations
    assert (int(buffer["address"]), int(buffer["bytes"])) == (0x7F87DE200000, 2097152)
    assert (int(buffer["made_by"]), int(buffer["freed_by"])) == (1, 11)
    assert trace.streams["kind"].tolist() == [StreamKind.LEGACY, StreamKind.NON_BLOCKING]
    assert trace.operations["stream"].tolist()[2:5] == [0, 1, 1]
    assert trace.operations["finished"].all()


@pytest.mark.parametrize(("result", "failed"), [("hipErrorInvalidValue", 1), ("hipSuccess", 0)])
def test_a_call_that_failed_without_its_first_half_is_one(
    logs: Logs, result: str, failed: int
) -> None:
    """Whoever looks for errors in a log keeps these lines."""
    text = AmdText().call("hipSetDevice", "0").returned("hipMemcpy", result=result)
    trace = logs.one(text.text).trace
    assert trace.operations["failed"].tolist() == [True] * failed


STARTED = AmdText().say("Initializing HSA stack.").text
MORE = AmdText().call("hipMalloc", "0x7ffe, 4096", "0x7f8000000000").text


@pytest.mark.parametrize(
    ("before", "convicted"), [(STARTED + MORE, True), (MORE, False), ("", False)]
)
def test_what_the_end_of_a_log_does_not_show_was_not_never_allocated(
    logs: Logs, before: str, convicted: bool
) -> None:
    """Whoever reports a failed copy shows the last lines, and the allocation is not in them."""
    copy = AmdText().say(" hipMemcpy ( 0xdc2150, 0x7f87de200000, 40, hipMemcpyDeviceToHost )")
    verdict = judged(logs, before + copy.returned("hipMemcpy", result="hipErrorInvalidValue").text)
    assert verdict["verdict"] == "REPRODUCED"
    assert (verdict["cause"] is not None) is convicted
    assert outcome(verdict, "bad_pointer") == ("CONFIRMED" if convicted else "INCONCLUSIVE")


@pytest.mark.parametrize(("before", "convicted"), [(STARTED + MORE, True), (MORE, False)])
def test_nor_is_a_kernel_convicted_of_what_it_was_given(
    logs: Logs, before: str, convicted: bool
) -> None:
    launch = AmdText().say(" hipLaunchKernel ( 0x1, {1,1,1}, {64,1,1}, 0x7ffe, 0, stream:<null> )")
    launch.say("ShaderName : rope").say("Arg0: float* x = ptr:0x7f87de200000 ")
    launch.returned("hipLaunchKernel").say(" hipDeviceSynchronize (  )")
    launch.returned("hipDeviceSynchronize", result="hipErrorIllegalAddress")
    verdict = judged(logs, before + launch.text)
    assert verdict["verdict"] == "REPRODUCED"
    assert (verdict["cause"] is not None) is convicted


LAUNCHED = (
    AmdText()
    .say(" hipLaunchKernel ( 0x1, {1,1,1}, {64,1,1}, 0x7ffe, 0, stream:<null> )")
    .say("ShaderName : rope")
    .returned("hipLaunchKernel")
    .text
)
WAITED = AmdText().call("hipStreamSynchronize", "stream:<null>").text


@pytest.mark.parametrize(
    ("before", "cause"),
    [
        (MORE, None),
        (MORE + LAUNCHED + WAITED, None),
        (STARTED + MORE, "bad_pointer"),
        (STARTED + MORE + LAUNCHED + WAITED, "bad_pointer"),
        (MORE + LAUNCHED, None),
        (MORE + WAITED + LAUNCHED, "upstream_kernel_fault"),
        (STARTED + MORE + LAUNCHED, "upstream_kernel_fault"),
    ],
)
def test_a_copy_is_not_convicted_of_what_the_end_of_a_log_does_not_show_running(
    logs: Logs, before: str, cause: str | None
) -> None:
    """Its arguments are good: a launch before these lines may have made the fault, if nothing has
    waited for it.
    """
    copy = AmdText().say(" hipMemcpy ( 0x55aa00001000, 0x7f8000000000, 40, hipMemcpyDeviceToHost )")
    failed = copy.returned("hipMemcpy", result="hipErrorIllegalAddress").text
    verdict = judged(logs, before + failed)
    assert verdict["verdict"] == "REPRODUCED"
    assert verdict["blamed"]["call"] == "hipMemcpy"
    assert (verdict["cause"] or {}).get("hypothesis") == cause


ELSEWHERE = AmdText().call("hipStreamSynchronize", "stream:0x55aa").text
SOME_EVENT = AmdText().call("hipEventSynchronize", "event:0x55bb").text
RECORDED = AmdText().call("hipEventRecord", "event:0x55bb, stream:<null>").text
DEVICE = AmdText().call("hipDeviceSynchronize", " ").text
ABORTED = (
    "Memory access fault by GPU node-1 (Agent handle: 0x55d0) on address 0x7f2b44a00000. "
    "Reason: Page not present or supervisor privilege.\n"
)
CREATED = AmdText().call("hipStreamCreateWithFlags", "0x7ffe58b19398, 1", "stream:0x55aa").text
BEGUN = AmdText().say(" hipStreamSynchronize ( stream:<null> )").text
REFUSED = BEGUN + AmdText().returned("hipStreamSynchronize", result="hipErrorIllegalAddress").text


@pytest.mark.parametrize("told", [ABORTED, BEGUN + ABORTED, REFUSED])
@pytest.mark.parametrize(
    ("before", "convicted"),
    [
        ("", False),
        (ELSEWHERE, False),
        (SOME_EVENT, False),
        (RECORDED + SOME_EVENT, True),
        (WAITED, True),
        (DEVICE, True),
        (STARTED, True),
    ],
)
def test_a_wait_is_for_its_own_stream(logs: Logs, before: str, convicted: bool, told: str) -> None:
    """Work of others, from before these lines, may have made the fault, whoever tells of it."""
    verdict = judged(logs, before + LAUNCHED + told)
    assert verdict["verdict"] == "REPRODUCED"
    assert (verdict["cause"] is not None) is convicted


@pytest.mark.parametrize(("before", "convicted"), [("", False), (WAITED, True)])
def test_a_new_stream_has_no_older_work_and_settles_that_of_no_other(
    logs: Logs, before: str, convicted: bool
) -> None:
    there = CREATED + LAUNCHED.replace("<null>", "0x55aa")
    told = ELSEWHERE.replace("hipSuccess", "hipErrorIllegalAddress")
    verdict = judged(logs, before + there + told)
    assert (verdict["cause"] is not None) is convicted


@pytest.mark.parametrize(("level", "verdict"), [(0, "REPRODUCED"), (1, "INCONCLUSIVE")])
def test_the_last_word_of_the_runtime_is_a_failure(logs: Logs, level: int, verdict: str) -> None:
    said = AmdText().say("The module was not made").text.replace(":3:", f":{level}:")
    assert judged(logs, said)["verdict"] == verdict


def test_whether_the_program_went_on_no_log_says(logs: Logs) -> None:
    assert set(logs.one(program().text).trace.gaps) == {Gap.CUT_SHORT}


def test_pageable_memory_decides_how_long_a_call_takes(logs: Logs) -> None:
    copies = rows_of(logs.one(program().text).trace, Kind.COPY)
    assert copies["waits"].tolist() == [Waits.FOR_IT, Waits.FOR_IT]
    pinned = AmdText().call("hipHostMalloc", "0x1, 4096, 0", "0xdc2000").text + program().text
    copies = rows_of(logs.one(pinned).trace, Kind.COPY)
    assert copies["waits"].tolist() == [Waits.FOR_IT, Waits.NO]


def test_digits_may_be_grouped(logs: Logs) -> None:
    log = AmdText().call("hipMalloc", "0x7ff,e58,b19,390, 2,097,152", "0x7f8,7de,200,000")
    (buffer,) = logs.one(log.text).trace.allocations
    assert (int(buffer["address"]), int(buffer["bytes"])) == (0x7F87DE200000, 2097152)


def test_colours_and_null_pointers_are_read(logs: Logs) -> None:
    log = AmdText().say("\x1b[32m hipFree ( char array:<null> ) \x1b[0m").returned("hipFree")
    trace = logs.one(log.text).trace
    assert rows_of(trace, Kind.FREE)["failed"].tolist() == [False]
    assert len(trace.accesses) == 0


def test_a_launch_has_its_kernel_grid_and_arguments(logs: Logs) -> None:
    log = AmdText().call("hipMalloc", "0x1, 1024", "0x7f0000000000")
    log.say(" hipLaunchKernel ( 0x20f4b8, {8,1,1}, {256,1,1}, 0x7ffd, 0, stream:<null> )")
    log.say("Arg0: float* out = ptr:0x7f0000000010 obj:[0x7f0000000000-0x7f0000000400]")
    log.say("Arg1: int n = val:0x800 (size:0x4)")
    log.say("Arg2:   = 0x00 38 85 1b e3 73 00 00  (size:0x8)")
    log.say("ShaderName : scale(float*, int)").returned("hipLaunchKernel")
    trace = logs.one(log.text).trace
    call = trace.describe(3)
    assert (call.kernel, call.grid, call.block) == ("scale(float*, int)", (8, 1, 1), (256, 1, 1))
    assert call.kernel_arguments == (
        ("out", "float**", 0x7F0000000010),
        ("n", "int", 0x800),
        ("arg2", "", None),
    )
    access = trace.accesses[-1]
    assert (int(access["address"]), int(access["allocation"])) == (0x7F0000000010, 0)
    assert Gap.NO_ARGUMENTS not in trace.gaps


def test_a_grid_in_threads_becomes_one_in_blocks(logs: Logs) -> None:
    arguments = (
        "0x0x7fcb18a10cc0, 2560, 31, 1, 128, 1, 1, 0, stream:<null>, char array:<null>, "
        "0x7fcd43d59f60, event:0, event:0, 0"
    )
    trace = logs.one(AmdText().call("hipExtModuleLaunchKernel", arguments).text).trace
    assert trace.describe(1).grid == (20, 31, 1)
    assert Gap.NO_ARGUMENTS in trace.gaps


def test_threads_are_paired_with_their_own_returns(logs: Logs) -> None:
    log = AmdText()
    log.say(" hipMalloc ( 0x1, 100 )", 0xAAAA).say(" hipMalloc ( 0x1, 200 )", 0xBBBB)
    log.returned("hipMalloc", "0x7b00", 0xBBBB).returned("hipMalloc", "0x7a00", 0xAAAA)
    buffers = logs.one(log.text).trace.allocations
    assert dict(zip(buffers["address"].tolist(), buffers["bytes"].tolist(), strict=True)) == {
        0x7A00: 100,
        0x7B00: 200,
    }


def test_a_failed_call_is_kept_whatever_it_is(logs: Logs) -> None:
    log = AmdText().call("hipSetDevice", "0").say(" hipGetDevice ( 0x7ffe )")
    log.returned("hipGetDevice", result="hipErrorIllegalAddress")
    trace = logs.one(log.text).trace
    assert [trace.describe(int(seq)).name for seq in trace.operations["seq"]] == ["hipGetDevice"]
    assert trace.operations["result"].tolist() == [700]
    assert trace.total_calls == 2


@pytest.mark.parametrize(
    ("call", "verdict"),
    [
        ("hipMemcpyFromSymbol", "REPRODUCED"),
        ("hipMemcpy3DAsync", "REPRODUCED"),
        ("hipMemcpyAtoH", "REPRODUCED"),
        ("hipModuleGetFunction", "INCONCLUSIVE"),
        ("hipGraphAddMemcpyNode", "INCONCLUSIVE"),
    ],
)
def test_a_copy_that_is_not_read_is_lost_if_it_fails(logs: Logs, call: str, verdict: str) -> None:
    begun = AmdText().call("hipSetDevice", "0").say(f" {call} ( 0x55aa, 0x4040, 64 )")
    failed = judged(logs, begun.returned(call, result="hipErrorInvalidValue").text)
    assert (failed["verdict"], failed["cause"]) == (verdict, None)
    assert blamed(failed) == ((call, 3) if verdict == "REPRODUCED" else None)
    well = AmdText().call("hipSetDevice", "0").call(call, "0x55aa, 0x4040, 64")
    assert judged(logs, well.text)["verdict"] == "INCONCLUSIVE"


def test_not_ready_is_no_failure(logs: Logs) -> None:
    log = AmdText().say(" hipStreamQuery ( stream:0x5500 )")
    log.returned("hipStreamQuery", result="hipErrorNotReady")
    assert logs.one(log.text).trace.operations["failed"].tolist() == [False]


def test_a_call_without_its_return_is_unfinished_and_the_log_cut_short(logs: Logs) -> None:
    log = program().say(" hipDeviceSynchronize (  )")
    trace = logs.one(log.text).trace
    assert trace.operations["finished"].tolist()[-1:] == [False]
    assert Gap.CUT_SHORT in trace.gaps


def test_a_call_whose_return_is_lost_has_returned_if_its_thread_went_on(logs: Logs) -> None:
    log = AmdText().say(" hipDeviceSynchronize (  )").call("hipSetDevice", "0")
    trace = logs.one(log.text).trace
    assert trace.operations["finished"].tolist() == [True]
    assert set(trace.gaps) == {Gap.CUT_SHORT, Gap.DAMAGED}


def test_a_last_get_last_error_says_nothing_when_it_returns(logs: Logs) -> None:
    trace = logs.one(program().say(" hipGetLastError (  )").text).trace
    assert "had not returned" not in trace.gaps[Gap.CUT_SHORT]


def test_a_log_without_its_beginning_is_damaged(logs: Logs) -> None:
    trace = logs.one("".join(program().lines[1:])).trace
    assert Gap.DAMAGED in trace.gaps
    assert not trace.allocations["known_bytes"].any()


def test_freed_memory_is_told_from_memory_of_a_new_life(logs: Logs) -> None:
    log = AmdText()
    copy = "0xdc2150, 0x7f0000000000, 64, hipMemcpyDeviceToHost"
    log.call("hipMalloc", "0x1, 64", "0x7f0000000000").call("hipFree", "0x7f0000000000")
    log.call("hipMemcpy", copy).call("hipMalloc", "0x1, 64", "0x7f0000000000")
    log.call("hipMemcpy", copy)
    trace = logs.one(log.text).trace
    reads = trace.accesses[trace.accesses["space"] == Space.DEVICE]
    assert reads["allocation"].tolist() == [0, 1]
    assert trace.allocations["generation"].tolist() == [0, 1]


def test_rectangles_have_pitch_and_width(logs: Logs) -> None:
    arguments = "0xdc2150, 100, 0x7f0000000000, 256, 64, 3, hipMemcpyDeviceToHost"
    read, written = logs.one(AmdText().call("hipMemcpy2D", arguments).text).trace.accesses
    assert (int(read["bytes"]), int(read["pitch"]), int(read["width"])) == (2 * 256 + 64, 256, 64)
    assert (int(written["bytes"]), int(written["pitch"])) == (2 * 100 + 64, 100)


def test_each_process_is_an_evidence_of_its_own(logs: Logs) -> None:
    first, second = program(), AmdText(pid=200).call("hipMalloc", "0x1, 64", "0x7f00")
    mixed = [line for pair in zip(first.lines, second.lines, strict=False) for line in pair]
    found = {one.trace.pid: one.trace for one in logs.read("".join(mixed + first.lines[2:]))}
    assert set(found) == {100, 200}
    assert found[200].allocations["memory"].tolist() == [Memory.DEVICE]


def test_messages_of_two_writers_in_one_line_are_both_read(logs: Logs) -> None:
    lines = program().lines
    glued = lines[0].rstrip("\n") + "      " + "".join(lines[1:])
    trace = logs.one(glued).trace
    assert int(trace.allocations["bytes"][0]) == 2097152


def test_work_under_capture_did_not_run_yet(logs: Logs) -> None:
    log = AmdText().call("hipStreamBeginCapture", "stream:0x5500, 0")
    log.call("hipMemsetAsync", "0x7f00, 0, 64, stream:0x5500")
    log.call("hipStreamEndCapture", "stream:0x5500, 0x7ffe")
    log.call("hipMemsetAsync", "0x7f00, 0, 64, stream:0x5500")
    trace = logs.one(log.text).trace
    assert rows_of(trace, Kind.FILL)["captured"].tolist() == [True, False]


def test_a_log_of_a_lower_level_has_no_calls(logs: Logs) -> None:
    trace = logs.one(
        ":1:hip_code_object.cpp      :460 : 38724080984 us: [pid:9 tid: 0x7fcd43d6] hipErrorNo\n"
    ).trace
    assert set(trace.gaps) == {Gap.NO_RECORDING}


def waits_of(logs: Logs, log: AmdText, kind: Kind) -> list[Waits]:
    return [Waits(one) for one in rows_of(logs.one(log.text).trace, kind)["waits"]]


def test_the_host_waits_by_the_rules_of_a_recording(logs: Logs) -> None:
    log = AmdText().call("hipMalloc", "0x1, 4096", "0x7f0000000000")
    log.call("hipMallocAsync", "0x1, 64, stream:0x55aa00", "0x7f0000100000")
    log.call("hipMemset", "0x7f0000000000, 0, 64")
    log.call("hipMemset", "0x7f0000000010, 0, 64")
    log.call("hipMemsetAsync", "0x7f0000000010, 0, 64, stream:0x55aa00")
    log.call("hipFree", "0x7f0000100000").call("hipFree", "0x7f0000000000")
    assert waits_of(logs, log, Kind.FILL) == [Waits.NO, Waits.FOR_IT, Waits.NO]
    assert waits_of(logs, log, Kind.FREE) == [Waits.NO, Waits.FOR_DEVICE]


def test_the_memory_that_is_there_counts_more_than_what_the_call_says(logs: Logs) -> None:
    """Of hipMemcpyDefault; and hipFree(NULL) does not wait."""
    log = AmdText().call("hipMalloc", "0x1, 4096", "0x7f0000000000")
    log.call("hipHostMalloc", "0x1, 4096, 0", "0x7f0000200000")
    log.call("hipMemcpy", "0x7f0000000800, 0x7f0000000000, 64, hipMemcpyDefault")
    log.call("hipMemcpy", "0x7f0000200000, 0x7f0000000000, 64, hipMemcpyDefault")
    log.call("hipMemcpyAsync", "0x7f0000200000, 0x7f0000000000, 64, hipMemcpyDefault, <null>")
    log.call("hipMemcpyAsync", "0xdc2150, 0x7f0000000000, 64, hipMemcpyDefault, <null>")
    log.call("hipFree", "<null>").call("hipFree", "0x7f0000000000")
    copies = [Waits.NO, Waits.FOR_IT, Waits.NO, Waits.FOR_IT]
    assert waits_of(logs, log, Kind.COPY) == copies
    assert waits_of(logs, log, Kind.FREE) == [Waits.NO, Waits.FOR_DEVICE]


def test_a_copy_of_rows_waits_unless_it_stays_on_the_device(logs: Logs) -> None:
    log = AmdText().call("hipMalloc", "0x1, 4096", "0x7f0000000000")
    log.call("hipMemcpy2D", "0xdc2150, 64, 0x7f0000000000, 64, 32, 4, hipMemcpyDeviceToHost")
    device = "0x7f0000000800, 64, 0x7f0000000000, 64, 32, 4, hipMemcpyDeviceToDevice"
    log.call("hipMemcpy2D", device)
    assert waits_of(logs, log, Kind.COPY) == [Waits.FOR_IT, Waits.NO]


def test_a_memset_of_rows_is_read(logs: Logs) -> None:
    log = AmdText().call("hipMalloc", "0x1, 4096", "0x7f0000000000")
    log.call("hipMemset2D", "0x7f0000000000, 64, 0, 32, 4")
    trace = logs.one(log.text).trace
    (access,) = trace.accesses
    assert [int(access[name]) for name in ("bytes", "pitch", "width")] == [3 * 64 + 32, 64, 32]
    assert Gap.DAMAGED not in trace.gaps


def test_a_launch_with_its_configuration_in_a_struct_is_a_launch(logs: Logs) -> None:
    trace = logs.one(
        AmdText().call("hipLaunchKernelExC", "0x7ffd10, 0x20f4b8, 0x7ffd80").text
    ).trace
    assert len(rows_of(trace, Kind.LAUNCH)) == 1


@pytest.mark.parametrize(
    "call", ["hipMemcpy3D", "hipMemcpyAtoH", "hipMemcpyToSymbol", "hipMalloc3D"]
)
def test_memory_that_the_log_does_not_print_is_a_gap(logs: Logs, call: str) -> None:
    log = AmdText().call("hipMalloc", "0x1, 4096", "0x7f0000000000").call(call, "0x7ffd10, 0x10")
    assert "1 calls that are not read" in logs.one(log.text).trace.gaps[Gap.DAMAGED]


@pytest.mark.parametrize(
    "call", ["hipGetSymbolAddress", "hipModuleGetGlobal", "hipGraphAddMemcpyNode1D"]
)
def test_what_names_memory_and_accesses_none_is_no_gap(logs: Logs, call: str) -> None:
    log = AmdText().call("hipMalloc", "0x1, 4096", "0x7f0000000000").call(call, "0x7ffd10, 0x10")
    assert Gap.DAMAGED not in logs.one(log.text).trace.gaps
