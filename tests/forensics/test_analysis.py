from __future__ import annotations

import json
import signal
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from greta.forensics import analysis, next_steps
from greta.forensics.analysis import CHECKS, analyze
from greta.forensics.checks import (
    bad_pointer,
    byte_size_mismatch,
    upstream_kernel_fault,
    use_after_free,
)
from greta.forensics.verdict import HYPOTHESES, Outcome, Value, VerdictWord
from greta.forensics.verdict_json import dump_verdict
from greta.trace.evidence import Evidence, Pinned
from greta.trace.trace import Call, Gap, Kind
from tests.facts import run_facts
from tests.forensics.programs import (
    FAILED,
    FAULTED,
    HOST,
    Pointer,
    Program,
    cut,
    null,
    past,
    reported,
    rope_story,
)
from tests.forensics.tracing import Part

MODULES = (bad_pointer, byte_size_mismatch, upstream_kernel_fault, use_after_free)
CODES = {
    **analysis.CODES,
    **next_steps.CODES,
    **{code: fields for module in MODULES for code, fields in module.CODES.items()},
}


def say(code: str, data: Mapping[str, Value]) -> str:
    """In place of the language files: every field that a code declares must be there."""
    missing = set(CODES.get(code, ())) - set(data)
    assert not missing, f"{code} lacks {missing}"
    return code


def judged(program: Program, *faults: Any, **more: Any) -> dict[str, Any]:
    report: dict[str, Any] = dump_verdict(analyze([program.evidence(*faults, **more)]), say)
    return report


def clean() -> Program:
    program = Program()
    x = program.allocate(256)
    program.h2d(x[:])
    program.kernel("scale", x)
    program.d2h(x[:])
    program.free(x)
    return program


def test_every_hypothesis_is_ruled_on_in_order() -> None:
    report = analyze([clean().evidence()])
    assert tuple(ruling.hypothesis for ruling in report.rulings) == HYPOTHESES
    assert len(CHECKS) == len(HYPOTHESES)


def test_a_whole_clean_run_is_not_reproduced() -> None:
    report = judged(clean())
    assert (report["verdict"], report["cause"], report["blamed"]) == ("NOT_REPRODUCED", None, None)
    assert report["coverage"]["d2h"] == {"calls": 1, "bytes": 256, "audited": 1}


def no_copy() -> Program:
    program = Program()
    program.kernel("scale", program.allocate(64))
    program.wait_device()
    return program


def unrecorded() -> Program:
    program = Program()
    program.gaps[Gap.UNRECORDED] = "stderr.log: no space"
    return program


def dropped() -> Program:
    program = Program()
    program.gaps[Gap.DROPPED] = "12 calls"
    return program


def cut_short() -> Program:
    program = clean()
    program.gaps[Gap.CUT_SHORT] = "killed"
    return program


@pytest.mark.parametrize(
    ("program", "reason"),
    [
        (no_copy, "verdict_no_d2h"),
        (cut_short, "verdict_incomplete"),
        (Program, "verdict_nothing_ran"),
        (unrecorded, "verdict_unrecorded"),
        (dropped, "verdict_unrecorded"),
    ],
)
def test_no_coverage_is_never_not_reproduced(program: Callable[[], Program], reason: str) -> None:
    report = judged(program())
    assert (report["verdict"], report["reason_code"]) == ("INCONCLUSIVE", reason)
    assert report["next_steps"]


def test_no_process_at_all_is_inconclusive() -> None:
    report = dump_verdict(analyze([]), say)
    assert (report["verdict"], report["reason_code"]) == ("INCONCLUSIVE", "verdict_nothing_ran")


@pytest.mark.parametrize(
    ("code", "first"),
    [(127, "step_see_output"), (126, "step_see_output"), (0, "step_check_command")],
)
def test_of_a_program_that_did_not_start_its_output_says_why(code: int, first: str) -> None:
    report = judged(Program(), run=run_facts(exit={"code": code}))
    assert report["reason_code"] == "verdict_nothing_ran"
    steps = report["next_step_codes"]
    assert isinstance(steps, list)
    assert steps[0]["code"] == first
    assert steps[-1]["code"] == "step_check_command"


def test_a_program_that_failed_without_hip_is_inconclusive() -> None:
    report = judged(clean(), run=run_facts(exit={"code": 3}))
    assert (report["verdict"], report["reason_code"]) == ("INCONCLUSIVE", "verdict_program_failed")


def test_the_seeds_story() -> None:
    program, rope, positions = rope_story(good_synchronization=True, launches_after=1)
    report = judged(program, reported(positions.address + 4096, "rope"))
    cause, blamed = report["cause"], report["blamed"]
    assert report["verdict"] == "REPRODUCED"
    assert (blamed["call"], blamed["error"]) == ("COPY", "hipErrorIllegalAddress")
    assert (cause["hypothesis"], cause["seq"]) == ("upstream_kernel_fault", rope + 1)
    assert (cause["kernel"], cause["confidence"]) == ("rope", 0.95)
    assert cause["buffer"]["address"] == hex(positions.address)
    assert (cause["buffer"]["bytes"], cause["access"]["past_end"]) == (4, 4092)
    assert [h["id"] for h in report["hypotheses"] if h["verdict"] == "CONFIRMED"] == [
        "upstream_kernel_fault"
    ]


def test_three_suspects_lower_the_confidence_and_ask_for_a_pin() -> None:
    program, rope, _ = rope_story(good_synchronization=False)
    report = judged(program)
    assert report["cause"]["seq"] == rope + 1
    assert report["cause"]["confidence"] == 0.6
    assert [a["confidence"] for a in report["cause"]["alternatives"]] == [0.2, 0.2]
    assert "step_pin" in report["next_steps"]
    pinned = judged(program, pinned=Pinned(rope + 1, runs=3))
    assert (pinned["cause"]["confidence"], pinned["cause"]["alternatives"]) == (0.95, [])
    assert "step_pin" not in pinned["next_steps"]


@pytest.mark.parametrize("fits", [True, False])
def test_a_named_kernel_whose_pointer_fits_rules_out_the_others(fits: bool) -> None:
    program, rope, positions = rope_story(good_synchronization=False)
    report = judged(program, reported(positions.address + 4096 if fits else None, "rope"))
    cause = report["cause"]
    assert (cause["seq"], cause["rule"]) == (rope + 1, "named_and_address" if fits else "named")
    assert (cause["confidence"], len(cause["alternatives"])) == ((0.95, 0) if fits else (0.9, 2))


def test_a_log_cannot_be_pinned() -> None:
    program, _, _ = rope_story(good_synchronization=False)
    evidence = program.evidence()
    logged = replace(evidence, trace=replace(evidence.trace, source="amd_log"))
    steps = dump_verdict(analyze([logged]), say)["next_steps"]
    assert "step_pin" not in steps
    assert steps.index("step_record_run") < steps.index("step_launch_blocking")


def test_a_refused_copy_is_blamed_and_is_the_cause() -> None:
    program = Program()
    copy = program.d2h(past(program.allocate(64), 4), **FAILED)
    report = judged(program)
    assert report["blamed"]["seq"] == report["cause"]["seq"] == copy + 1
    assert (report["cause"]["hypothesis"], report["cause"]["confidence"]) == (
        "byte_size_mismatch",
        0.95,
    )


def test_a_fault_of_lifetime_without_any_failed_call_is_a_cause_too() -> None:
    program = Program()
    x, freed = program.allocate(64), program.allocate(64)
    program.free(freed)
    launch = program.kernel("add", x, freed)
    program.d2h(x[:])
    report = judged(program)
    assert (report["verdict"], report["blamed"]) == ("REPRODUCED", None)
    assert (report["cause"]["hypothesis"], report["cause"]["seq"]) == ("use_after_free", launch + 1)


def test_a_failure_that_nothing_explains_has_no_cause() -> None:
    program = clean()
    destroyed = program.wait_stream(0, failed=True, result=400)
    report = judged(program)
    assert (report["verdict"], report["cause"]) == ("REPRODUCED", None)
    assert (report["blamed"]["seq"], report["reason_code"]) == (
        destroyed + 1,
        "verdict_error_unexplained",
    )


def refused_launch(kernel: str | None) -> Evidence:
    program = clean()
    program.launch(kernel="rope", failed=True, result=9)
    evidence = program.evidence()

    def with_grid(seq: int) -> Call:
        call = evidence.trace.describe(seq)
        given = {"sharedMemBytes": 512}
        call = replace(call, result_name="hipErrorInvalidConfiguration", arguments=given)
        return replace(call, kernel=kernel, grid=(64, 1, 1), block=(32, 64, 1))

    return replace(evidence, trace=replace(evidence.trace, describe=with_grid))


def test_a_refused_launch_says_what_it_asked_for() -> None:
    report = analyze([refused_launch("rope")])
    assert report.cause is not None
    assert (report.cause.hypothesis, report.cause.confidence) == ("bad_launch", 0.95)
    data = report.cause.data
    assert (data["blocks"], data["threads"], data["asked"]) == ("64", "32 x 64", 2048)
    assert (data["kernel"], data["error"]) == ("rope", "hipErrorInvalidConfiguration")


def test_a_refused_launch_of_a_kernel_that_nobody_knows_is_only_an_error() -> None:
    assert (reason := analyze([refused_launch(None)]).reason)
    assert reason.code == "verdict_error_unexplained"


def test_memory_that_there_was_not_is_told_with_what_was_in_use() -> None:
    program = Program()
    program.free(program.allocate(1000))
    program.allocate(4096)
    program.allocate(100)
    program.call(Kind.ALLOCATE, failed=True, result=2)
    program.allocate(50)
    evidence = program.evidence(run=run_facts(exit={"code": 1}))

    def with_size(seq: int) -> Call:
        return replace(evidence.trace.describe(seq), arguments={"size": 1 << 33})

    report = analyze([replace(evidence, trace=replace(evidence.trace, describe=with_size))])
    assert report.reason
    assert report.reason.code == "verdict_no_memory"
    assert (report.reason.data["asked"], report.reason.data["live"]) == (1 << 33, 4196)
    assert [step.code for step in report.next_steps] == ["step_less_memory"]


@pytest.mark.parametrize(
    ("exit_code", "works_on", "verdict"),
    [(1, False, "REPRODUCED"), (0, False, "NOT_REPRODUCED"), (1, True, "INCONCLUSIVE")],
)
def test_a_refused_try_is_the_failure_if_the_program_gave_up_then(
    exit_code: int, works_on: bool, verdict: str
) -> None:
    program = clean()
    refused = program.call(Kind.OTHER, failed=True, result=500)
    if works_on:
        x = program.allocate(64)
        program.kernel("add", x)
        program.d2h(x[:])
    run = run_facts(exit={"code": exit_code})
    report = dump_verdict(analyze([replace(program.evidence(), run=run)]), say)
    assert report["verdict"] == verdict
    blamed = report["blamed"]
    assert (blamed and blamed["seq"]) == (refused + 1 if verdict == "REPRODUCED" else None)


def test_a_process_that_died_of_a_signal_is_reproduced_without_a_cause() -> None:
    evidence = clean().evidence()
    died = Evidence(replace(evidence.trace, signal=int(signal.SIGSEGV)))
    report = dump_verdict(analyze([died]), say)
    assert (report["verdict"], report["reason_code"]) == ("REPRODUCED", "verdict_died")
    assert report["blamed"]["error"] == "signal 11"


@pytest.mark.parametrize("waited_for", [True, False])
def test_only_where_the_device_had_work_left_is_it_asked_about_a_signal(waited_for: bool) -> None:
    program = Program()
    program.kernel("add", program.allocate(64))
    if waited_for:
        program.wait_device()
    died = Evidence(replace(program.evidence().trace, signal=int(signal.SIGABRT)))
    codes = [step.code for step in analyze([died]).next_steps]
    assert ("step_host_stack" in codes, "step_launch_blocking" in codes) == (
        waited_for,
        not waited_for,
    )


def test_a_fault_line_alone_is_a_failure_without_a_cause() -> None:
    report = judged(Program(), reported(0x7777_0000_0000))
    assert (report["verdict"], report["cause"]) == ("REPRODUCED", None)
    assert (report["blamed"]["call"], report["blamed"]["error"]) == (None, "memory access fault")


def test_an_unexplained_refusal_does_not_hide_an_explained_fault() -> None:
    program = Program()
    x = program.allocate(64)
    program.wait_stream(0, failed=True, result=400)
    launch = program.kernel("over", Pointer(x[:], reach=1 << 16))
    copy = program.d2h(x[:], **FAULTED)
    report = judged(program)
    assert (report["blamed"]["seq"], report["cause"]["seq"]) == (copy + 1, launch + 1)


def test_the_process_with_the_failure_is_the_one_that_is_shown() -> None:
    program, rope, _ = rope_story(good_synchronization=True)
    first = Evidence(replace(clean().build(), pid=10))
    second = Evidence(replace(program.build(), pid=20))
    report = dump_verdict(analyze([first, second]), say)
    assert (report["blamed"]["pid"], report["cause"]["seq"]) == (20, rope + 1)
    assert report["coverage"]["d2h"]["calls"] == 2


def test_one_fault_confirms_one_hypothesis_with_several_launches_in_flight() -> None:
    program = Program()
    x, freed = program.allocate(64), program.allocate(64)
    program.free(freed)
    program.kernel("innocent", x)
    program.kernel("guilty", freed)
    program.d2h(x[:], **FAULTED)
    confirmed = analyze([program.evidence(reported(freed.address))]).confirmed
    assert confirmed == ("use_after_free",)


def test_the_json_is_plain_and_has_the_fields_of_the_contract() -> None:
    program, _, positions = rope_story(good_synchronization=False)
    report = json.loads(json.dumps(judged(program, reported(positions.address + 4096))))
    assert report["schema"] == 1
    assert {"calls", "d2h", "launches", "dropped", "complete"} <= set(report["coverage"])
    assert {"id", "verdict", "reason", "evidence", "examined"} <= set(report["hypotheses"][0])
    assert {"seq", "call", "error", "where"} <= set(report["blamed"])
    fields = {"hypothesis", "seq", "call", "kernel", "stream", "buffer", "access", "confidence"}
    assert fields <= set(report["cause"])
    assert {"address", "bytes", "past_end"} <= set(report["cause"]["access"])
    roles = [operation["role"] for operation in report["around"]["operations"]]
    assert roles.count("cause") == roles.count("blamed") == 1
    assert {"address", "bytes", "name", "state"} == set(report["around"]["memory"][0])


# ---- a recording that was cut


def faulty_and_right(choices: list[int]) -> Program:
    """Calls in any order, right and wrong ones."""
    program = Program()
    buffers = [program.allocate(64) for _ in range(3)]
    freed: set[int] = set()
    for number, choice in enumerate(choices):
        buffer = buffers[number % 3]
        if choice == 0 and buffer.row not in freed:
            program.free(buffer)
            freed.add(buffer.row)
        elif choice == 1:
            program.d2h(buffer[:], **(FAILED if buffer.row in freed else {}))
        elif choice == 2:
            program.kernel("k", buffer, null())
        elif choice == 3:
            program.d2h(past(buffer, 8), **FAILED)
        elif choice == 4:
            program.wait_device()
        elif choice == 5:
            program.d2h(Part(-1, 0x5555_0000, 8), HOST, **FAILED)
        elif choice == 6:
            program.kernel("far", Pointer(buffer[:], reach=1 << 14))
        else:
            program.h2d(buffer[:], **(FAILED if buffer.row in freed else {}))
    return program


@settings(max_examples=60)
@given(st.lists(st.integers(0, 7), max_size=12), st.integers(0, 20), st.booleans())
def test_a_cut_recording_never_confirms_what_the_whole_refutes_in_silence(
    choices: list[int], calls: int, faults: bool
) -> None:
    program = faulty_and_right(choices)
    if faults:
        program.wait_device(**FAULTED)
    whole = program.build()
    part = cut(whole, min(calls, len(whole.operations)))
    of_whole, of_part = analyze([Evidence(whole)]), analyze([Evidence(part)])
    assert not of_part.coverage.complete
    assert of_part.word is not VerdictWord.NOT_REPRODUCED
    for ruling, cut_ruling in zip(of_whole.rulings, of_part.rulings, strict=True):
        assert cut_ruling.outcome is not Outcome.REFUTED or _no_gap_matters(cut_ruling.hypothesis)
        if ruling.outcome is Outcome.REFUTED:
            assert cut_ruling.outcome is not Outcome.CONFIRMED


@settings(max_examples=40)
@given(st.lists(st.integers(0, 7), max_size=12), st.integers(1, 1 << 20), st.integers(1, 99))
def test_other_addresses_and_handles_never_change_a_verdict(
    choices: list[int], pages: int, handles: int
) -> None:
    program = faulty_and_right(choices)
    program.wait_device(**FAULTED)
    trace = program.build()
    moved = replace(
        trace,
        accesses=trace.accesses.copy(),
        allocations=trace.allocations.copy(),
        streams=trace.streams.copy(),
    )
    for table in (moved.accesses, moved.allocations):
        table["address"][table["address"] != 0] += pages * 4096
    moved.streams["handle"][1:] += handles
    assert _essence(Evidence(moved)) == _essence(Evidence(trace))


def _essence(evidence: Evidence) -> list[object]:
    report = analyze([evidence])
    found = [(r.outcome, [(f.code, f.seq) for f in r.findings]) for r in report.rulings]
    return [report.word, report.cause and report.cause.confidence, found]


def _no_gap_matters(hypothesis: str) -> bool:
    """What ran and with which model does not depend on the calls."""
    return hypothesis in ("model_mismatch", "wrong_binary")


def freed_under_a_copy(*, waits: bool) -> tuple[Program, int, int]:
    """Scratch of a pool is freed on another stream than it is used on; then the device faults."""
    program = Program()
    stream, other, event = program.stream(), program.stream(), program.event()
    logits = program.allocate(4096)
    scratch = program.allocate(4096, stream=stream)
    program.copy(scratch[:], logits[:], stream)
    if waits:
        program.record(event, stream)
        program.stream_wait(other, event)
    free = program.free(scratch, other)
    program.kernel("matmul", Pointer(logits[:], reach=1 << 16), stream=stream)
    program.wait_stream(stream, **FAULTED)
    return program, free, scratch.address


def test_a_fault_in_memory_that_was_freed_under_a_copy_is_the_frees() -> None:
    program, free, address = freed_under_a_copy(waits=False)
    verdict = judged(program, reported(address))
    assert verdict["cause"]["hypothesis"] == "use_after_free"
    assert verdict["cause"]["seq"] == free + 1
    confirmed = [one["id"] for one in verdict["hypotheses"] if one["verdict"] == "CONFIRMED"]
    assert confirmed == ["use_after_free"]


def test_a_free_that_waits_is_not_blamed_for_another_kernels_fault() -> None:
    program, _, address = freed_under_a_copy(waits=True)
    verdict = judged(program, reported(address - 0x1000))
    assert verdict["cause"]["hypothesis"] == "upstream_kernel_fault"
    assert verdict["cause"]["kernel"] == "matmul"


def test_the_next_step_after_a_free_in_flight_names_the_free_as_the_free() -> None:
    program = Program()
    worker, other = program.stream(), program.stream()
    x = program.allocate(256, stream=other)
    program.wait_stream(other)
    launch = program.kernel("scale", x, stream=worker)
    free = program.free(x, stream=other)
    program.wait_device()
    step = dump_verdict(analyze([program.evidence()]), say)["next_step_codes"][0]
    assert step["code"] == "fix_freed_in_flight"
    assert (step["data"]["seq"], step["data"]["other"]) == (free + 1, launch + 1)


def test_the_next_step_after_a_race_is_the_synchronization_that_it_lacks() -> None:
    program = Program()
    a, b = program.stream(), program.stream()
    x, y = program.allocate(256), program.allocate(256)
    first = program.fill(x[:], a)
    second = program.copy(y[:], x[:], b)
    program.wait_device()
    report = judged(program)
    step = report["next_step_codes"][0]
    names = [hex(int(handle)) for handle in program.build().streams["handle"][[a, b]]]
    assert step["code"] == "remedy_record_and_wait"
    assert step["data"] == {
        "seq": second + 1,
        "other": first + 1,
        "remedy_stream": names[0],
        "remedy_other_stream": names[1],
    }
