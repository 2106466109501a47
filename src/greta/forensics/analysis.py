"""From evidence to a report: all checks, the run's verdict, and what to do next.

    verdict = analyze([evidence])

The rules are in docs/verdicts.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final

import numpy as np

from greta.forensics import lacking, limits, races
from greta.forensics.attribution import Blamed, blamed_call, call_of_row, words_of
from greta.forensics.case import Case
from greta.forensics.cause import (
    REFUSALS,
    ChosenCause,
    JudgedProcess,
    choose_cause,
    explains,
    refused,
)
from greta.forensics.checks import (
    bad_launch,
    bad_pointer,
    byte_size_mismatch,
    hang,
    missing_sync,
    model_mismatch,
    overlapping_copies,
    staging_reuse,
    stale_handle,
    uninitialized_read,
    upstream_kernel_fault,
    use_after_free,
    wrong_binary,
)
from greta.forensics.description import around, blamed_call_of, cause_of, without_rows
from greta.forensics.fault_address import reported_address, reported_kernel
from greta.forensics.kernel_races import LEAK_CODES, doubt_of_leak
from greta.forensics.lacking import Lack, first_lack, without_what_follows
from greta.forensics.next_steps import steps
from greta.forensics.scan import LAUNCHES, count_of, is_named
from greta.forensics.strayed import is_seen
from greta.forensics.verdict import (
    LIMITS,
    SIMULATOR,
    Coverage,
    Doubt,
    LackedCall,
    Outcome,
    Ruling,
    Saying,
    Value,
    Verdict,
    VerdictWord,
)
from greta.forensics.wording import KEPT
from greta.recording import ANNOUNCEMENTS
from greta.trace.evidence import Evidence, Unseen
from greta.trace.trace import NONE, RECORDING, Gap, Kind, Seq, Trace

CHECKS: Final[tuple[Callable[[Case], Ruling], ...]] = (
    byte_size_mismatch.examine,
    use_after_free.examine,
    missing_sync.examine,
    bad_pointer.examine,
    staging_reuse.examine,
    overlapping_copies.examine,
    upstream_kernel_fault.examine,
    model_mismatch.examine,
    wrong_binary.examine,
    uninitialized_read.examine,
    stale_handle.examine,
    bad_launch.examine,
    hang.examine,
)
"""One for each hypothesis, in their order."""

_CHOICES: Final = (
    *byte_size_mismatch.CHOICES,
    *use_after_free.CHOICES,
    *bad_pointer.CHOICES,
    *overlapping_copies.CHOICES,
    *uninitialized_read.CHOICES,
    is_seen,
)
_COUNTED: Final = (*byte_size_mismatch.COUNTED, is_named)
"""The accesses that checks will ask for, and those that they will count."""

CODES: Final[dict[str, tuple[str, ...]]] = {
    "verdict_explained": ("hypotheses",),
    "verdict_fault_unexplained": ("suspects",),
    "verdict_fault_reported": ("fault", "suspects"),
    **REFUSALS,
    "verdict_wait_logged": ("line", "operation", "seconds"),
    "verdict_failure_logged": ("line", "call"),
    "verdict_died": ("signal",),
    "verdict_nothing_ran": (),
    "verdict_calls_not_shown": ("source",),
    "verdict_guard_rail": ("text",),
    **lacking.CODES,
    "verdict_guard_limit": ("call",),
    **LEAK_CODES,
    "verdict_unrecorded": ("why",),
    "verdict_unseen": ("pid", "command", "unfollowed", "reach"),
    "verdict_unseen_child": ("pid", "command", "unfollowed", "reach"),
    "verdict_several_unseen": ("pid", "command", "unfollowed", "reach", "more"),
    "verdict_several_unseen_child": ("pid", "command", "unfollowed", "reach", "more"),
    "verdict_incomplete": ("gaps",),
    "verdict_no_d2h": ("calls",),
    "verdict_not_understood": ("d2h", "audited"),
    "verdict_program_failed": ("exit_code",),
    "verdict_doubts": ("doubts", "first"),
    "verdict_clean": ("calls", "d2h", "launches"),
    "verdict_clean_limited": ("calls", "d2h", "launches", "missing"),
    **{f"doubt_{code}": races.DOUBT_FIELDS for code in races.DOUBTS},
    **limits.CODES,
}
"""Reasons for the run's verdict, doubts and limits, with their data."""

_INVALID_VALUE: Final = 1
_LOST_ALL: Final = (Gap.UNRECORDED.name, Gap.DROPPED.name)
"""Gaps in which every call of a run may be lost."""

_REACHES: Final = ("called", "links", "loads", "starts", "unknown")
"""Why an unrecorded process may have used HIP, the strongest reason first."""

_WEIGHT: Final = (
    Outcome.CONFIRMED,
    Outcome.INCONCLUSIVE,
    Outcome.REFUTED,
    Outcome.NOT_EXERCISED,
)


def analyze(evidence: Sequence[Evidence]) -> Verdict:
    """The verdict on a run with all its processes."""
    cases = [Case(one, _CHOICES, _COUNTED) for one in evidence]
    processes = tuple(map(judge, cases))
    coverage = coverage_of(cases)
    main, several = _main(processes), len(processes) > 1
    doubts = tuple(one for p in processes for ruling in p.rulings for one in ruling.doubts)
    doubts += tuple(one for p in processes for one in _leaked(p))
    rulings = tuple(map(_strongest, zip(*(one.rulings for one in processes), strict=True)))
    word, reason = _verdict(processes, rulings, main, coverage, doubts)
    return Verdict(
        word=word,
        reason=reason,
        coverage=coverage,
        rulings=tuple(map(without_rows, rulings)),
        blamed=blamed_call_of(main, several) if main else None,
        cause=cause_of(main, several) if main else None,
        next_steps=steps(word, reason, main, coverage),
        around=around(main) if main else None,
        doubts=doubts,
        lacks=tuple(filter(None, (_lack_of(one, several) for one in processes))),
    )


def _leaked(process: JudgedProcess) -> Iterator[Doubt]:
    """No hypothesis is about memory that is only kept."""
    if process.ran_whole:
        yield from map(doubt_of_leak, process.evidence.leaks[:KEPT])


def _lack_of(process: JudgedProcess, several: bool) -> LackedCall | None:
    lack, pid = process.lack, process.evidence.trace.pid or None
    if lack is None or not (process.lacking or not lack.is_tried):
        return None
    return LackedCall(lack.seq, lack.call, lack.reason, lack.is_code, pid if several else None)


def judge(case: Case) -> JudgedProcess:
    with ThreadPoolExecutor(max_workers=2) as beside:
        case.begin_order(beside)
        return _judged(case)


def _judged(case: Case) -> JudgedProcess:
    known = limits.limits_of(case)
    _ = case.copies_to_host  # now, while the order is being found
    examined = (check(case) for check in CHECKS)
    limited = (limits.limited(one, known.get(one.hypothesis, ())) for one in examined)
    run = case.evidence.run
    rulings = tuple(limits.without_done_advice(one, run) for one in limited)
    lack = first_lack(case.evidence)
    found = rulings
    if lack:
        rulings = tuple(without_what_follows(case.trace, one, lack) for one in rulings)
    blamed, cause = _surfaced(case, rulings)
    blamed, why = _lacked(case, lack, blamed, cause, is_open=rulings != found)
    is_ours = why is not None and why.code != "verdict_guard_limit"
    if is_ours or (lack and lack.is_serious):
        rulings = tuple(limits.limited(one, (SIMULATOR,)) for one in rulings)
    return JudgedProcess(case, rulings, blamed, cause, lack, why)


def _lacked(
    case: Case,
    lack: Lack | None,
    blamed: Blamed | None,
    cause: ChosenCause | None,
    is_open: bool,
) -> tuple[Blamed | None, Saying | None]:
    """The first call that failed; and why that is the simulated device's limit, if it is.

    `is_open`: something that was found may only be what comes of the limit.
    """
    if cause:
        if blamed and lack and lack.is_serious and lacking.is_first(lack, blamed):
            is_apart = not explains(case.trace, cause, blamed, case.attribution)
            blamed = call_of_row(case.trace, lack.row) if is_apart else blamed
        return blamed, None
    if blamed and (why := _guard_limit(case, blamed)):
        return blamed, why
    if lack is None:
        return blamed, _lacking(case, blamed) if blamed else None
    if blamed and not lacking.failure_follows(blamed, case.attribution, lack):
        return blamed, None
    if blamed is None and not lack.is_serious and not is_open:
        return None, None  # it went on without, and nothing was found
    is_failure = blamed is not None and blamed.row == lack.row
    if blamed is None or lacking.is_first(lack, blamed):
        blamed = call_of_row(case.trace, lack.row)
    ignored = Saying("verdict_simulator_ignored", {"call": lack.call, "seq": lack.seq})
    return blamed, lack.reason if lack.is_code or is_failure else ignored


def _surfaced(case: Case, rulings: Sequence[Ruling]) -> tuple[Blamed | None, ChosenCause | None]:
    """The first failure; a later fault of the device, if only that can be explained."""
    trace, first, attribution = case.trace, blamed_call(case.evidence), case.attribution
    cause = choose_cause(trace, rulings, first, attribution)
    if first is None and cause and cause.hypothesis == hang.HYPOTHESIS:
        seq = cause.finding.seq
        return Blamed(trace.row_of(seq), seq, 0, "end"), cause
    if first is None and cause and _is_refused(trace, cause.finding.seq):
        return call_of_row(trace, trace.row_of(cause.finding.seq)), cause
    if first is None or attribution is None:
        return first, cause
    if cause and explains(trace, cause, first, attribution):
        return first, cause
    later = choose_cause(trace, rulings, attribution.blamed, attribution)
    if later and explains(trace, later, attribution.blamed, attribution):
        return attribution.blamed, later
    return first, cause


def _is_refused(trace: Trace, seq: Seq) -> bool:
    """Whether the call failed: programs try such calls, but what this one asked for is wrong."""
    row = trace.row_of(seq)
    return row != NONE and bool(trace.operations["failed"][row])


def _main(processes: Sequence[JudgedProcess]) -> JudgedProcess | None:
    """The process with the failure that is understood best; the first one of equals."""
    ordered = sorted(
        processes, key=lambda p: (p.blamed is None or p.cause is None, p.cause is None)
    )
    best = ordered[0] if ordered else None
    failed = [process for process in ordered if process.blamed]
    return best if best and best.cause else (failed[0] if failed else best)


def _strongest(rulings: Iterable[Ruling]) -> Ruling:
    """What one process shows is shown of the run; what one cannot rule out, the run cannot."""
    return min(rulings, key=lambda one: (_WEIGHT.index(one.outcome), one.is_limited))


def _verdict(
    processes: Sequence[JudgedProcess],
    rulings: Sequence[Ruling],
    main: JudgedProcess | None,
    coverage: Coverage,
    doubts: Sequence[Doubt],
) -> tuple[VerdictWord, Saying]:
    confirmed = tuple(one.hypothesis for one in rulings if one.outcome is Outcome.CONFIRMED)
    if confirmed:
        return VerdictWord.REPRODUCED, Saying("verdict_explained", {"hypotheses": confirmed})
    if main and main.blamed:
        if main.lacking:
            return VerdictWord.INCONCLUSIVE, main.lacking
        return VerdictWord.REPRODUCED, _unexplained(main, main.blamed)
    if doubt := _doubt(processes, coverage, doubts):
        return VerdictWord.INCONCLUSIVE, doubt
    return VerdictWord.NOT_REPRODUCED, _clean(rulings, coverage)


_OF_NO_MAPPING: Final = ("hipIpcGetMemHandle",)
"""Calls that HIP may refuse for memory that is mapped, as that before a guard page is."""


def _guard_limit(case: Case, blamed: Blamed) -> Saying | None:
    """What --guard takes, where a call failed for it."""
    if not case.evidence.run.guard or blamed.row == NONE or blamed.error != _INVALID_VALUE:
        return None
    call, allocations = case.trace.describe(blamed.seq), case.trace.allocations
    given = call.arguments.get("devPtr")
    if call.name not in _OF_NO_MAPPING or not isinstance(given, int):
        return None
    is_live = (allocations["made_at"] <= blamed.row) & (
        (allocations["freed_at"] == NONE) | (allocations["freed_at"] > blamed.row)
    )
    if not bool((is_live & (allocations["address"] == np.uint64(given))).any()):
        return None
    return Saying("verdict_guard_limit", {"call": call.name})


def _lacking(case: Case, blamed: Blamed) -> Saying | None:
    """What the simulated device lacks, where only a message says that, or only the call."""
    if blamed.error not in (lacking.NOT_SUPPORTED, lacking.NO_BINARY):
        return None
    messages, device = case.evidence.messages, case.evidence.run.device
    said = [one.call for one in messages if one.source == "simulator" and one.call]
    call = said[0] if said else None
    if blamed.row != NONE:
        name = case.trace.describe(blamed.seq).name
        # A call that it has is refused with 801 as hardware refuses it.
        is_ours = device and device.kind == "sim" and blamed.error == lacking.NO_BINARY
        call = name if name in said or is_ours else None
    return lacking.reason_of(case.evidence, call, blamed.error) if call else None


def _unexplained(main: JudgedProcess, blamed: Blamed) -> Saying:
    if blamed.by == "end":
        return Saying("verdict_died", {"signal": main.evidence.trace.signal})
    said = words_of(main.evidence, blamed)
    if said and said.wait:
        return Saying("verdict_wait_logged", {"line": blamed.seq, **vars(said.wait)})
    if said and said.unsaid:
        return Saying("verdict_failure_logged", {"line": blamed.seq, "call": said.call or ""})
    if said and said.status:
        return Saying("verdict_error_logged", {"line": blamed.seq, "error": said.status})
    if not blamed.is_device_fault:
        return refused(main.evidence, blamed)
    count = main.attribution.count if main.attribution else 0
    address = reported_address(main.evidence.faults)
    kernel = reported_kernel(main.evidence.faults)
    reported = ", ".join(filter(None, (hex(address.start) if address else None, kernel)))
    if reported:
        return Saying("verdict_fault_reported", {"fault": reported, "suspects": count})
    return Saying("verdict_fault_unexplained", {"suspects": count})


def _clean(rulings: Sequence[Ruling], coverage: Coverage) -> Saying:
    seen: dict[str, Value] = {"calls": coverage.calls, "d2h": coverage.d2h_calls}
    seen["launches"] = coverage.launches
    named = {name for one in rulings for name in one.missing}
    unseen: tuple[str, ...] = tuple(name for name in LIMITS if name in named)
    unseen += tuple(word for gap, word in _UNFOLLOWED.items() if gap.name in named)
    if not unseen:
        return Saying("verdict_clean", seen)
    return Saying("verdict_clean_limited", {**seen, "missing": unseen})


def _doubt(
    processes: Sequence[JudgedProcess], coverage: Coverage, doubts: Sequence[Doubt]
) -> Saying | None:
    """Why no failure does not mean that none was there to be seen."""
    unseen = [p.evidence.unseen for p in processes if p.evidence.unseen]
    if unseen:
        return _unseen(unseen)
    messages = (one for process in processes for one in process.evidence.messages)
    refusal = next((one.text for one in messages if model_mismatch.refuses(one)), None)
    if coverage.launches == 0 and refusal:
        return Saying("verdict_guard_rail", {"text": refusal})
    if coverage.calls == 0:
        return _nothing_seen(processes, coverage)
    if not coverage.complete:
        return Saying("verdict_incomplete", {"gaps": tuple(name for name, _ in coverage.gaps)})
    if doubts:
        first = Saying(f"doubt_{doubts[0].code}", doubts[0].data)
        return Saying("verdict_doubts", {"doubts": len(doubts), "first": first})
    if coverage.d2h_calls == 0:
        return Saying("verdict_no_d2h", {"calls": coverage.calls})
    if coverage.d2h_audited < coverage.d2h_calls:
        seen: dict[str, Value] = {"d2h": coverage.d2h_calls, "audited": coverage.d2h_audited}
        return Saying("verdict_not_understood", seen)
    code = _exit_code(processes)
    return Saying("verdict_program_failed", {"exit_code": code}) if code else None


def _unseen(unseen: Sequence[Unseen]) -> Saying:
    """The one that is the most likely to have used HIP."""
    first = min(unseen, key=lambda one: _REACHES.index(one.reach) if one.reach in _REACHES else 9)
    data: dict[str, Value] = {"pid": first.pid, "command": first.command}
    data |= {"unfollowed": first.why, "reach": first.reach}
    ending = "unseen_child" if first.is_child else "unseen"
    if len(unseen) == 1:
        return Saying(f"verdict_{ending}", data)
    return Saying(f"verdict_several_{ending}", {**data, "more": len(unseen) - 1})


def _nothing_seen(processes: Sequence[JudgedProcess], coverage: Coverage) -> Saying:
    """That no call is known does not mean that none was made."""
    lost = {name: text for name, text in coverage.gaps if name in _LOST_ALL}
    source = processes[0].evidence.trace.source if processes else RECORDING
    if not lost and source != RECORDING:
        return Saying("verdict_calls_not_shown", {"source": source})
    if not lost:
        return Saying("verdict_nothing_ran", {})
    return Saying("verdict_unrecorded", {"why": "; ".join(dict.fromkeys(lost.values()))})


def _exit_code(processes: Sequence[JudgedProcess]) -> int:
    """What the program's exit says; it may have failed in a way that is not HIP's."""
    for process in processes:
        ending = process.evidence.run.exit
        if ending and ending.exit_code:
            return ending.exit_code
    return 0


# --- how much of a run the evidence shows ---------------------------------------------------------

_HARMLESS: Final = frozenset({Gap.UNKNOWN_KERNELS})
"""Gaps that say what kind of thing was not looked at, not that something was lost."""
_UNFOLLOWED: Final = {
    Gap.NO_ORDER: "other_order",
    Gap.NO_ADDRESSES: "unkept_copies",
    Gap.UNKNOWN_KERNELS: "unknown_kernels",
}
"""Of a recording: calls that order work, copy or launch by what it does not keep: limits."""
_COUNTS: Final = ("calls", "d2h_calls", "d2h_bytes", "d2h_audited", "launches", "dropped")


def coverage_of(cases: Sequence[Case]) -> Coverage:
    counts = [_counts(one) for one in cases]
    gaps = {  # what one process lacks is said once, however many HIP libraries it had
        (one.trace.pid, gap, text): (gap.name, text)
        for one in cases
        for gap, text in sorted(one.trace.gaps.items())
    }
    serious = {gap for one in cases for gap in one.trace.gaps if not _is_limit(one, gap)}
    is_complete = bool(cases) and not serious
    totals = {name: sum(one[name] for one in counts) for name in _COUNTS}
    kernels = {name: ops for one in cases for name, ops in one.evidence.approximate.items()}
    return Coverage(
        **totals,
        complete=is_complete,
        gaps=tuple(gaps.values()),
        approximate=tuple(sorted(kernels.items())),
    )


def _is_limit(case: Case, gap: Gap) -> bool:
    is_followed = gap in _UNFOLLOWED and case.trace.source == RECORDING
    return gap in _HARMLESS or is_followed


def _counts(case: Case) -> dict[str, int]:
    trace = case.trace
    announced = [place for place, name in enumerate(trace.calls) if name in ANNOUNCEMENTS]
    rows = len(trace.operations)
    rows -= int(np.isin(trace.operations["call"], announced).sum()) if announced else 0
    calls = max(trace.total_calls, rows) - count_of(trace, Kind.HOST_TOUCH)
    counts = calls, *case.copies_to_host, count_of(trace, *LAUNCHES), trace.dropped
    return dict(zip(_COUNTS, counts, strict=True))
