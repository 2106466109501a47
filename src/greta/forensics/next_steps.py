"""What to do next: codes with data, in order of use."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from greta.forensics.cause import ChosenCause, JudgedProcess
from greta.forensics.failures import failed_rows
from greta.forensics.order import REMEDIES
from greta.forensics.scan import WORK
from greta.forensics.verdict import (
    BLOCKS,
    HYPOTHESES,
    RACES,
    STOPS,
    Coverage,
    Finding,
    Outcome,
    Saying,
    VerdictWord,
)
from greta.trace.run_facts import RunFacts, notes_footprints
from greta.trace.trace import Kind

UNSEEN_STEPS: Final = ("environment", "static", "rights", "machine", "not_noted", "gone", "alive")
"""Why a process was not recorded: to each there is something that lifts it."""
_FIX_FIELDS: Final = ("seq", "other", "call", "kernel")
CODES: Final[dict[str, tuple[str, ...]]] = {
    **{f"fix_{hypothesis}": _FIX_FIELDS for hypothesis in HYPOTHESES if hypothesis not in RACES},
    **{
        f"remedy_{code}": ("seq", "other", *(f"remedy_{name}" for name in names))
        for code, names in REMEDIES.items()
    },
    "fix_freed_twice": _FIX_FIELDS,
    "fix_launch_of_nothing": _FIX_FIELDS,
    "fix_arguments_too_short": _FIX_FIELDS,
    "fix_freed_in_flight": _FIX_FIELDS,
    "fix_host_memory_gone": _FIX_FIELDS,
    "fix_copy_meets_itself": _FIX_FIELDS,
    "fix_other_device": _FIX_FIELDS,
    "fix_kernel_stopped": _FIX_FIELDS,
    "fix_kernel_asserted": (*_FIX_FIELDS, "assertion"),
    "fix_other_build": ("path", "expected"),
    "step_smaller_launch": ("seq",),
    "step_less_memory": ("seq",),
    "step_fork_first": ("seq",),
    "step_check_input": ("kernel", "seq"),
    "step_refused_memory": ("call", "seq", "error"),
    "step_look_at_wave": ("kernel", "where"),
    "step_pin": ("suspects",),
    "step_pin_fresh": (),
    "step_launch_blocking": (),
    "step_host_stack": ("signal",),
    "step_want_fault_report": (),
    "step_record_whole": (),
    "step_free_disk_space": (),
    "step_run_to_the_end": (),
    "step_read_damaged": (),
    "step_record_run": ("source",),
    "step_check_command": (),
    "step_fitting_model": (),
    "step_real_device": (),
    "step_on_a_gpu": (),
    "step_without_guard": (),
    "step_build_for_simulated": ("processors", "device"),
    "step_let_it_be_recorded": (),
    **{f"step_unseen_{why}": () for why in UNSEEN_STEPS},
    "step_include_d2h": (),
    "step_one_runtime": (),
    "step_no_bypass": (),
    "step_see_output": ("exit_code",),
    "step_watch_host": (),
    "step_announce_blocks": ("library",),
    "step_order_threads": (),
    "step_free_memory": (),
    "step_wait_for_copies": (),
    "step_wait_at_end": (),
    "step_footprints": (),
    "step_strict_placement": (),
    "step_strict_access": (),
    "step_repeat": (),
}
_FOR_FINDINGS: Final = {
    "freed_twice": "fix_freed_twice",
    "launch_of_nothing": "fix_launch_of_nothing",
    "arguments_too_short": "fix_arguments_too_short",
    "freed_in_flight": "fix_freed_in_flight",
    "host_memory_gone": "fix_host_memory_gone",
    "copy_meets_itself": "fix_copy_meets_itself",
    "kernel_given_other_device": "fix_other_device",
    "kernel_stopped": "fix_kernel_stopped",
    "kernel_asserted": "fix_kernel_asserted",
    "other_build": "fix_other_build",
}
"""What to change where that is not what goes with the hypothesis."""
_FOR_GAPS: Final = {
    "OVERWRITTEN": "step_record_whole",
    "DROPPED": "step_free_disk_space",
    "UNRECORDED": "step_let_it_be_recorded",
    "TWO_RUNTIMES": "step_one_runtime",
    "BYPASSED": "step_no_bypass",
    "CUT_SHORT": "step_run_to_the_end",
    "DAMAGED": "step_read_damaged",
}
_FOR_REFUSALS: Final = {
    "verdict_launch_refused": "step_smaller_launch",
    "verdict_no_memory": "step_less_memory",
    "verdict_forked": "step_fork_first",
}
_OUTSIDE: Final = "upstream_kernel_fault"
_WRONG_BINARY: Final = "wrong_binary"
_SURE_ENOUGH: Final = 0.85
_NOT_STARTED: Final = (126, 127)
"""With what loaders and shells end where a program, or a library of it, is not there."""


def steps(
    verdict: VerdictWord, reason: Saying, main: JudgedProcess | None, coverage: Coverage
) -> tuple[Saying, ...]:
    if verdict is VerdictWord.REPRODUCED and main:
        return tuple(_after_a_failure(main, reason))
    if verdict is VerdictWord.INCONCLUSIVE:
        return tuple(_for_more_evidence(reason, main, coverage))
    return tuple(_after_a_clean_run(main))


def _after_a_failure(main: JudgedProcess, reason: Saying) -> Iterator[Saying]:
    cause, attribution = main.cause, main.attribution
    if cause:
        yield _fix(cause.hypothesis, cause.finding)
        yield from _more_of_the_same_call(main, cause)
        yield from _input_of(main, cause)
        yield from _refused_memory(main, cause)
        fed = attribution and cause.hypothesis == _OUTSIDE and cause.rule == "likely"  # maybe
        if fed and not notes_footprints(main.evidence.run):
            yield Saying("step_footprints", {})
        is_checked = any(fault.source == "device" for fault in main.evidence.faults)
        if (
            cause.hypothesis == _OUTSIDE
            and cause.finding.code not in STOPS
            and not is_checked
            and _is_placed_loosely(main.evidence.run)
        ):
            yield Saying("step_strict_access", {})
    yield from _stopped_waves(main)
    yield from _right_program(main, cause)
    sure_of_launch = cause.launch_confidence if cause else 0.0
    unsure = attribution and attribution.count > 1 and sure_of_launch < _SURE_ENOUGH
    source = main.evidence.trace.source
    if source != "recording" and not (cause and cause.confidence >= _SURE_ENOUGH):
        yield Saying("step_record_run", {"source": source})
    if attribution and unsure:
        if source == "recording":  # a log cannot be run again
            yield Saying("step_pin", {"suspects": attribution.count})
        yield Saying("step_launch_blocking", {})
        if not main.evidence.faults:
            yield Saying("step_want_fault_report", {})
    if not cause and reason.code in _FOR_REFUSALS:
        yield Saying(_FOR_REFUSALS[reason.code], {"seq": reason.data["seq"]})
    if main.blamed and main.blamed.by == "end" and not cause:
        yield from _after_a_signal(main)


def _after_a_signal(main: JudgedProcess) -> Iterator[Saying]:
    """Of what ended the process the device may only know where it still had work."""
    trace = main.evidence.trace
    open_work = main.case.completion.unfinished(*WORK)
    if not len(open_work) and trace.operations["finished"].all():
        yield Saying("step_host_stack", {"signal": trace.signal})
        return
    yield Saying("step_want_fault_report", {})
    yield Saying("step_launch_blocking", {})


def _more_of_the_same_call(main: JudgedProcess, cause: ChosenCause) -> Iterator[Saying]:
    """What else is surely wrong with the operation that is the cause."""
    for ruling in main.rulings:
        if ruling.outcome is not Outcome.CONFIRMED or ruling.hypothesis == cause.hypothesis:
            continue
        for finding in ruling.findings:
            if finding.seq == cause.finding.seq and finding.strength >= 2:
                yield _fix(ruling.hypothesis, finding)
                break


def _input_of(main: JudgedProcess, cause: ChosenCause) -> Iterator[Saying]:
    """Where neither pointers nor numbers of the launch explain the address, what it read may."""
    likely = main.attribution.likely if main.attribution else None
    if likely is None or likely.is_plain or likely.seq != cause.finding.seq:
        return
    kernel = cause.finding.data.get("kernel")
    known = kernel and cause.finding.data.get("fault_address") is not None
    if cause.hypothesis == _OUTSIDE and known:
        yield Saying("step_check_input", {"kernel": kernel, "seq": cause.finding.seq})


def _refused_memory(main: JudgedProcess, cause: ChosenCause) -> Iterator[Saying]:
    """A null pointer is what the last allocation that failed before it may have left."""
    trace = main.evidence.trace
    if cause.finding.code not in ("kernel_given_null", "null_pointer"):
        return
    rows = failed_rows(trace)
    rows = rows[trace.operations["kind"][rows] == Kind.ALLOCATE]
    before = rows[rows < trace.row_of(cause.finding.seq)]
    if len(before):
        call = trace.describe(int(trace.operations["seq"][before[-1]]))
        error = call.result_name or str(call.result)
        yield Saying("step_refused_memory", {"call": call.name, "seq": call.seq, "error": error})


def _stopped_waves(main: JudgedProcess) -> Iterator[Saying]:
    """The program counter of a wave is where to look; it is no proof of the access."""
    for fault in main.evidence.faults:
        if fault.source in ("debug_agent", "rocgdb") and fault.place:
            where = f"{fault.place[0]}:{fault.place[1]}"
            yield Saying("step_look_at_wave", {"kernel": fault.kernel or "?", "where": where})
            return


def _right_program(main: JudgedProcess, cause: ChosenCause | None) -> Iterator[Saying]:
    """A fault of a program that nobody meant to run may be gone with it."""
    if cause and cause.hypothesis == _WRONG_BINARY:
        return
    for ruling in main.rulings:
        if ruling.hypothesis == _WRONG_BINARY and ruling.findings:
            yield _fix(_WRONG_BINARY, ruling.findings[0])


def _fix(hypothesis: str, finding: Finding) -> Saying:
    """What to change: of a race, the very synchronization that it lacks."""
    code = _FOR_FINDINGS.get(finding.code)
    if code is None:
        is_race = hypothesis in RACES
        code = f"remedy_{finding.data['remedy']}" if is_race else f"fix_{hypothesis}"
    return Saying(code, {name: finding.words.get(name) for name in CODES[code]})


def _for_more_evidence(
    reason: Saying, main: JudgedProcess | None, coverage: Coverage
) -> Iterator[Saying]:
    if reason.code == "verdict_nothing_ran":
        ending = main.evidence.run.exit if main else None
        if ending and ending.code in _NOT_STARTED:
            yield Saying("step_see_output", {"exit_code": ending.code})
        yield Saying("step_check_command", {})
    if reason.data.get("unfollowed") in UNSEEN_STEPS:
        yield Saying(f"step_unseen_{reason.data['unfollowed']}", {})
    if reason.code == "verdict_guard_rail":
        yield Saying("step_fitting_model", {})
        return
    if reason.code == "verdict_guard_limit":
        yield Saying("step_without_guard", {})
        return
    if reason.code == "verdict_simulator_other_gpu":
        yield Saying("step_build_for_simulated", reason.data)
        return
    if reason.code.startswith("verdict_simulator_no_"):
        yield Saying("step_on_a_gpu", {})
        return
    if reason.code.startswith("verdict_simulator_"):
        yield Saying("step_real_device", {})
        return
    if reason.code == "verdict_no_d2h":
        yield Saying("step_include_d2h", {})
    if reason.code == "verdict_program_failed":
        yield Saying("step_see_output", reason.data)
    if main:
        yield from _for_doubts(main)
    names = {name for name, _ in coverage.gaps}
    for name, code in _FOR_GAPS.items():
        if name in names:
            yield Saying(code, {})
    source = main.evidence.trace.source if main else "recording"
    if source != "recording":
        yield Saying("step_record_run", {"source": source})


def _for_doubts(main: JudgedProcess) -> Iterator[Saying]:
    codes = {doubt.code for ruling in main.rulings for doubt in ruling.doubts}
    is_open = codes & {"estimated_overlap", "dangling_argument"}
    if is_open and not notes_footprints(main.evidence.run):
        yield Saying("step_footprints", {})
    if "unwritten_read" in codes:
        yield Saying("step_pin_fresh", {})
    if codes & {"kernel_race", "missed_barrier"}:
        yield Saying("step_order_threads", {})
    if main.evidence.leaks and main.ran_whole:
        yield Saying("step_free_memory", {})
    if "unwaited_copy" in codes:
        yield Saying("step_wait_for_copies", {})
    if "never_waited_for" in codes:
        yield Saying("step_wait_at_end", {})


def _after_a_clean_run(main: JudgedProcess | None) -> Iterator[Saying]:
    if main and _is_placed_loosely(main.evidence.run):
        yield Saying("step_strict_placement", {})
    if main and any("host_accesses" in ruling.missing for ruling in main.rulings):
        yield Saying("step_watch_host", {})
    if main and any(BLOCKS in ruling.missing for ruling in main.rulings):
        yield Saying("step_announce_blocks", {"library": main.evidence.trace.carved_by})
    yield Saying("step_repeat", {})


def _is_placed_loosely(run: RunFacts) -> bool:
    """On the simulated device, which can be told to check every access."""
    strict = run.environment.get("GRETA_SIM_PLACEMENT") == "strict"
    return run.device is not None and run.device.kind == "sim" and not strict
