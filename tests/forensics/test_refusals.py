"""Calls that HIP refused: which of them matter, what explains them, and what is a fault apart."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from greta.forensics.analysis import analyze
from greta.forensics.verdict import Verdict
from greta.reports.lang import Say
from greta.trace.evidence import ASSERTION, DeviceFault, Evidence, Message
from greta.trace.run_facts import ProcessFacts, RunFacts
from greta.trace.trace import Call, Kind, Space, Where
from tests.facts import run_facts
from tests.forensics.programs import FAILED, FAULTED, HOST, Program, nowhere, null, past, reported

CAPTURING = 900
NOT_INITIALIZED = 3


def confirmed(report: Verdict) -> list[str]:
    return [one.hypothesis for one in report.rulings if one.confirmed]


def described(evidence: Evidence, seq: int, **fields: Any) -> Evidence:
    """The same, and more is known of one call."""
    before = evidence.trace.describe

    def describe(number: int) -> Call:
        call = before(number)
        return replace(call, **fields) if number == seq else call

    return replace(evidence, trace=replace(evidence.trace, describe=describe))


@pytest.mark.parametrize(("result", "word"), [(CAPTURING, "NOT_REPRODUCED"), (400, "REPRODUCED")])
def test_what_a_capture_forbids_is_no_fault_of_a_program_that_goes_on(
    result: int, word: str
) -> None:
    program = Program()
    x = program.allocate(64)
    program.wait_stream(0, failed=True, result=result)
    program.h2d(x[:])
    program.d2h(x[:])
    assert analyze([program.evidence()]).word == word


@pytest.mark.parametrize(
    ("guard", "name", "offset", "reason"),
    [
        ("::", "hipIpcGetMemHandle", 0, "verdict_guard_limit"),
        ("::", "hipIpcGetMemHandle", 1 << 40, "verdict_error_unexplained"),
        (None, "hipIpcGetMemHandle", 0, "verdict_error_unexplained"),
        ("::", "hipIpcOpenMemHandle", 0, "verdict_error_unexplained"),
    ],
)
def test_what_is_refused_for_a_guard_page_is_no_fault_of_the_program(
    guard: str | None, name: str, offset: int, reason: str
) -> None:
    program = Program()
    x = program.allocate(64)
    program.h2d(x[:])
    row = program.call(Kind.OTHER, failed=True, result=1)
    evidence = program.evidence(run=run_facts(guard=guard, exit={"code": 1}))
    given = {"devPtr": x[:].address + offset}
    report = analyze([described(evidence, row + 1, name=name, arguments=given)])
    assert (report.word == "INCONCLUSIVE") is (reason == "verdict_guard_limit")
    assert report.reason
    assert report.reason.code == reason


def capturing(program: Program, began: int) -> Evidence:
    """With one call of another name: it begins a capture."""
    evidence = program.evidence()
    trace, operations = evidence.trace, evidence.trace.operations.copy()
    operations["call"][began] = len(trace.calls)
    calls = (*trace.calls, "hipStreamBeginCapture")
    return replace(evidence, trace=replace(trace, operations=operations, calls=calls))


@pytest.mark.parametrize(("thread", "word"), [(0, "NOT_REPRODUCED"), (1, "REPRODUCED")])
def test_a_copy_that_the_capture_of_another_thread_forbids_is_lost(thread: int, word: str) -> None:
    program = Program()
    x = program.allocate(64)
    program.h2d(x[:])
    began = program.call(Kind.OTHER)
    program.d2h(x[:], thread=thread, failed=True, result=CAPTURING)
    assert analyze([capturing(program, began)]).word == word


@pytest.mark.parametrize(
    ("result", "reason"),
    [(CAPTURING, "verdict_while_capturing"), (904, "verdict_error_unexplained")],
)
def test_only_what_a_capture_forbids_is_told_so(result: int, reason: str) -> None:
    program = Program()
    x = program.allocate(64)
    began = program.call(Kind.OTHER)
    program.d2h(x[:], thread=1, failed=True, result=result)
    assert (told := analyze([capturing(program, began)]).reason)
    assert told.code == reason


@pytest.mark.parametrize(("value", "word"), [(7, "NOT_REPRODUCED"), (None, "REPRODUCED")])
def test_a_launch_is_made_again_where_all_that_it_was_given_is_known(
    value: int | None, word: str
) -> None:
    program = Program()
    x = program.allocate(64)
    program.h2d(x[:])
    refused = program.kernel("scale", x, failed=True, result=9)
    again = program.kernel("scale", x)
    program.wait_device()
    program.d2h(x[:])
    evidence = program.evidence()
    for row, block in ((refused, (2048, 1, 1)), (again, (256, 1, 1))):
        given = (("x", "pointer", x.address), ("options", "struct", value))
        sizes = {"grid": (1, 1, 1), "block": block, "kernel_arguments": given}
        evidence = described(evidence, row + 1, **sizes)
    assert analyze([evidence]).word == word


@pytest.mark.parametrize(("result", "found"), [(NOT_INITIALIZED, []), (1, ["bad_pointer"])])
def test_an_unknown_pointer_explains_no_refusal_that_is_not_about_it(
    result: int, found: list[str]
) -> None:
    program = Program()
    program.d2h(nowhere(0x1234_0000_0000), failed=True, result=result)
    assert confirmed(analyze([program.evidence()])) == found


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [(("serve",), "verdict_forked"), (("other",), "verdict_error_unexplained")],
)
def test_a_process_that_was_forked_from_one_with_hip_is_told_so(
    arguments: tuple[str, ...], reason: str
) -> None:
    program = Program()
    program.d2h(nowhere(0x1234_0000_0000), failed=True, result=NOT_INITIALIZED)
    parent = ProcessFacts(10, 1, "/bin/serve", ("serve",), calls=5)
    child = ProcessFacts(20, 10, "/bin/serve", arguments, calls=1)
    run = RunFacts(processes=(parent, child))
    evidence = Evidence(replace(program.build(), pid=20), run=run)
    assert (told := analyze([evidence]).reason)
    assert told.code == reason


@pytest.mark.parametrize("is_refused", [True, False])
def test_a_node_of_a_graph_counts_where_it_is_refused(is_refused: bool) -> None:
    program = Program()
    x = program.allocate(64)
    fields = FAILED if is_refused else {}
    program.copied(HOST, Space.HOST, past(x, 64), Space.DEVICE, captured=True, **fields)
    found = confirmed(analyze([program.evidence()]))
    assert found == (["byte_size_mismatch"] if is_refused else [])


def test_a_call_that_failed_for_another_reason_did_not_report_the_fault() -> None:
    program = Program()
    x = program.allocate(64)
    refused = program.wait_stream(0, failed=True, result=400)
    copy = program.d2h(x[:])  # which nothing has written
    report = analyze([program.evidence()])
    assert report.cause
    assert report.blamed
    assert (report.cause.seq, report.blamed.seq) == (copy + 1, refused + 1)
    assert (report.blamed.apart, report.blamed.part) == (True, "blamed_apart")


def test_a_call_that_reports_its_own_fault_is_not_apart() -> None:
    program = Program()
    x = program.allocate(64)
    program.d2h(past(x, 64), **FAILED)
    report = analyze([program.evidence()])
    assert report.blamed
    assert report.blamed.apart is None


@pytest.mark.parametrize(("at", "found"), [(0, "bad_pointer"), (1 << 30, "upstream_kernel_fault")])
def test_a_word_of_a_struct_that_leads_right_to_the_fault_is_a_bad_pointer(
    at: int, found: str
) -> None:
    program = Program()
    launch = program.kernel("view", program.allocate(4096), program.allocate(4096))
    program.wait_device(**FAULTED)
    word = 0x5EAD_0000_0000
    evidence = program.evidence(reported(word + at, "view"))
    evidence = described(evidence, launch + 1, struct_words=((2, word),))
    cause = analyze([evidence]).cause
    assert cause
    assert (cause.hypothesis, cause.seq) == (found, launch + 1)


@pytest.mark.parametrize(
    ("block", "thread", "named"), [(0, 3, True), (5, 3, True), (0, 4, False), (5, 4, False)]
)
def test_a_thread_that_goes_back_by_a_number_left_the_buffer(
    block: int, thread: int, named: bool
) -> None:
    program = Program()
    program.allocate(1 << 20)  # so that it is far from null
    tokens, output = program.allocate(1 << 16), program.allocate(4096)
    launch = program.kernel("window", tokens, output)
    program.numbers[launch + 1] = (2048,)
    program.wait_device(**FAULTED)
    address = tokens.address + (3 - 2048) * 4
    fault = DeviceFault("device", address, True, "window", seq=launch + 1)
    fault = replace(fault, block=(block, 0, 0), thread=(thread, 0, 0))
    evidence = described(program.evidence(fault), launch + 1, block=(64, 1, 1))
    cause = analyze([evidence]).cause
    assert cause
    assert cause.code == ("kernel_before_start" if named else "kernel_faulted_below")
    assert cause.data["before_start"] == (2048 - 3) * 4
    assert (cause.buffer is not None) == named


@pytest.mark.parametrize(
    ("address", "result", "found"),
    [(None, 719, "kernel_stopped"), (0, 700, "kernel_given_null")],
)
def test_a_kernel_that_the_device_saw_trap_was_not_led_astray_by_its_pointers(
    address: int | None, result: int, found: str
) -> None:
    program = Program()
    x = program.allocate(4096)
    launch = program.kernel("check", x, null())
    program.kernel("next", x, null())
    program.wait_device(failed=True, result=result)
    fault = DeviceFault("device", address, address is not None, "check", seq=launch + 1)
    fault = replace(fault, block=(2, 0, 0), thread=(5, 0, 0), place=("check.hip", 7))
    cause = analyze([program.evidence(fault)]).cause
    assert cause
    assert (cause.code, cause.seq, cause.launch_confidence) == (found, launch + 1, 0.99)
    assert cause.access
    assert (cause.access.thread, cause.access.line) == ((5, 0, 0), "check.hip:7")


@pytest.mark.parametrize(
    ("result", "given", "asserted", "found"),
    [
        (719, "null", False, ("kernel_given_null", 0.6)),
        (719, "freed", False, ("kernel_given_freed", 0.6)),
        (702, "freed", False, ("kernel_given_freed", 0.6)),
        (700, "freed", False, ("kernel_given_freed", 0.9)),
        (700, "freed", True, ("kernel_given_freed", 0.9)),
        (719, "live", False, ("kernel_stopped", 0.9)),
        (719, "null", True, ("kernel_asserted", 0.9)),
        (719, "freed", True, ("kernel_given_freed", 0.6)),  # what it read there may be why
        (710, "null", False, ("kernel_stopped", 0.9)),
    ],
)
def test_null_counts_unless_the_kernel_is_known_to_have_stopped_itself(
    result: int, given: str, asserted: bool, found: tuple[str, float]
) -> None:
    program = Program()
    x = program.allocate(4096)
    if given == "freed":
        program.free(x)
    launch = program.kernel("check", null() if given == "null" else x)
    program.wait_device(failed=True, result=result)
    said = Message(ASSERTION, "n > 0", error=710, where=Where("check.hip", 7))
    evidence = replace(program.evidence(), messages=(said,) if asserted else ())
    cause = analyze([evidence]).cause
    assert cause
    assert (cause.code, cause.confidence, cause.seq) == (*found, launch + 1)


@pytest.mark.parametrize(("refused", "told"), [("hipMalloc", True), ("hipMemcpy", False)])
def test_an_allocation_that_failed_may_have_left_the_null_pointer(refused: str, told: bool) -> None:
    program = Program()
    x = program.allocate(4096)
    kind = Kind.ALLOCATE if told else Kind.OTHER
    call = program.call(kind, failed=True, result=2)
    launch = program.kernel("fill", x, null())
    program.wait_device(**FAULTED)
    fault = DeviceFault("device", 0, True, "fill", seq=launch + 1)
    evidence = described(program.evidence(fault), call + 1, name=refused)
    steps = {step.code: step.data for step in analyze([evidence]).next_steps}
    assert ("step_refused_memory" in steps) == told
    if told:
        assert (steps["step_refused_memory"]["call"], steps["step_refused_memory"]["seq"]) == (
            refused,
            call + 1,
        )


@pytest.mark.parametrize(("parameter", "told"), [("keys", "'keys'"), (None, "3 (counting from 1)")])
def test_an_argument_is_told_by_its_name_or_counted_from_one(
    parameter: str | None, told: str
) -> None:
    data = {"who": "rope", "argument": 2, "parameter": parameter}
    sentence = Say("en")("story_kernel_given_null", **data)
    assert sentence == f"rope was given a null pointer as argument {told}"
