"""missing_sync, staging_reuse, overlapping_copies: each with the twin that has the order."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from greta.forensics import order as order_of_operations
from greta.forensics.case import Case
from greta.forensics.checks import (
    missing_sync,
    overlapping_copies,
    staging_reuse,
    use_after_free,
)
from greta.forensics.order import REMEDIES
from greta.forensics.races import DOUBT_FIELDS, UNSURE_ORDER
from greta.forensics.scan import UNSEEN_WRITES, fresh_memory
from greta.forensics.verdict import Outcome, Ruling
from greta.forensics.wording import KEPT
from greta.trace.evidence import Evidence
from greta.trace.trace import NONE, Gap, Known, Memory, Mode, Role, StreamKind, Waits
from tests.facts import run_facts
from tests.forensics.tracing import Buffer, Part, TraceBuilder

CHECKS = {check.HYPOTHESIS: check for check in (missing_sync, staging_reuse, overlapping_copies)}
Story = Callable[[TraceBuilder, int, int, Callable[[], object]], tuple[int, int]]


def rule(build: TraceBuilder, **run: object) -> dict[str, Ruling]:
    evidence = Evidence(build.build(), run=run_facts(**run))
    return {name: check.examine(Case(evidence)) for name, check in CHECKS.items()}


def download(build: TraceBuilder, a: int, b: int, order: Callable[[], object]) -> tuple[int, int]:
    x, pinned = build.allocate(64), build.allocate(64, Memory.PINNED)
    first = build.launch(a, may_write=[x[:]])
    order()
    return first, build.copy(pinned[:], x[:], b)


def upload(build: TraceBuilder, a: int, b: int, order: Callable[[], object]) -> tuple[int, int]:
    x, y, pinned = build.allocate(64), build.allocate(64), build.allocate(64, Memory.PINNED)
    first = build.copy(x[:], pinned[:], a)
    order()
    return first, build.launch(b, may_write=[x[:], y[:]])


def chain(build: TraceBuilder, a: int, b: int, order: Callable[[], object]) -> tuple[int, int]:
    x, y, z = (build.allocate(64) for _ in range(3))
    first = build.launch(a, reads=[x[:]], may_write=[y[:]])
    order()
    return first, build.launch(b, reads=[y[:]], may_write=[z[:]])


def restage(build: TraceBuilder, a: int, b: int, order: Callable[[], object]) -> tuple[int, int]:
    x, y, pinned = build.allocate(64), build.allocate(64), build.allocate(64, Memory.PINNED)
    first = build.copy(x[:], pinned[:], a)
    order()
    return first, build.copy(pinned[:], y[:], b)


def shown_to_write(build: TraceBuilder, kernel: str = "kernel") -> None:
    """A kernel's first pointer led to what nobody had written, and somebody then read it."""
    fresh, pinned = build.allocate(64), build.allocate(64, Memory.PINNED)
    build.launch(0, may_write=[fresh[:]], kernel=kernel)
    build.copy(pinned[:], fresh[:], 0, waits=Waits.FOR_IT)


def in_place(build: TraceBuilder, a: int, b: int, order: Callable[[], object]) -> tuple[int, int]:
    shown_to_write(build)
    x, pinned = build.allocate(64), build.allocate(64, Memory.PINNED)
    first = build.copy(pinned[:], x[:], a)
    order()
    return first, build.launch(b, may_write=[x[:]])


def clear(build: TraceBuilder, a: int, b: int, order: Callable[[], object]) -> tuple[int, int]:
    x, pinned = build.allocate(64), build.allocate(64, Memory.PINNED)
    first = build.copy(x[:], pinned[:], a)
    order()
    return first, build.fill(x[32:], b)


def clear_output(
    build: TraceBuilder, a: int, b: int, order: Callable[[], object]
) -> tuple[int, int]:
    x = build.allocate(64)
    first = build.launch(a, may_write=[x[:]])
    order()
    return first, build.fill(x[:], b)


STORIES: dict[Story, str] = {
    download: "missing_sync",
    upload: "missing_sync",
    chain: "missing_sync",
    restage: "staging_reuse",
    in_place: "staging_reuse",
    clear: "overlapping_copies",
    clear_output: "overlapping_copies",
}


@pytest.mark.parametrize(("story", "hypothesis"), STORIES.items())
def test_one_fault_confirms_one_hypothesis(story: Story, hypothesis: str) -> None:
    build = TraceBuilder()
    first, second = story(build, build.stream(), build.stream(), lambda: None)
    build.wait_device()
    rulings = rule(build)
    confirmed = [name for name, one in rulings.items() if one.outcome is Outcome.CONFIRMED]
    assert confirmed == [hypothesis]
    [finding] = rulings[hypothesis].findings
    assert (finding.seq, finding.other) == (second + 1, first + 1)
    assert finding.code in CHECKS[hypothesis].CODES
    assert set(finding.data) == set(CHECKS[hypothesis].CODES[finding.code])
    assert finding.data["remedy"] in REMEDIES
    assert finding.strength == 2


@pytest.mark.parametrize("story", STORIES)
def test_with_the_order_nothing_is_confirmed(story: Story) -> None:
    build = TraceBuilder()
    a, b, event = build.stream(), build.stream(), build.event()

    def order() -> None:
        build.record(event, a)
        build.stream_wait(b, event)

    story(build, a, b, order)
    build.wait_device()
    for ruling in rule(build).values():
        assert ruling.outcome in (Outcome.REFUTED, Outcome.NOT_EXERCISED)


@pytest.mark.parametrize(("story", "hypothesis"), STORIES.items())
def test_a_loop_that_forgets_one_wait_is_one_fault(story: Story, hypothesis: str) -> None:
    build = TraceBuilder()
    a, b = build.stream(), build.stream()
    story(build, a, b, lambda: None)
    body = list(zip(build.operations, _accesses(build), strict=True))
    for _ in range(3):
        for operation, accesses in body:
            if operation["stream"] != NONE:
                build.call(**_again(operation), accesses=accesses)
    confirmed = [n for n, one in rule(build).items() if one.outcome is Outcome.CONFIRMED]
    assert confirmed == [hypothesis]


def _accesses(build: TraceBuilder) -> list[list[dict[str, object]]]:
    own = ("operation", "origin")
    return [
        [
            {name: value for name, value in access.items() if name not in own}
            for access in build.accesses
            if access["operation"] == row
        ]
        for row in range(len(build.operations))
    ]


def _again(operation: dict[str, Any]) -> dict[str, Any]:
    new = ("seq", "begin", "end", "first_access")
    return {name: value for name, value in operation.items() if name not in new}


def test_nothing_ran() -> None:
    assert {one.outcome for one in rule(TraceBuilder()).values()} == {Outcome.NOT_EXERCISED}


@pytest.mark.parametrize("gap", sorted({*UNSURE_ORDER, Gap.OVERWRITTEN, Gap.CUT_SHORT}))
def test_a_gap_makes_nothing_found_inconclusive(gap: Gap) -> None:
    build = TraceBuilder()
    stream = build.stream()
    download(build, stream, stream, lambda: None)
    build.gaps[gap] = "some"
    for ruling in rule(build).values():
        assert ruling.outcome is Outcome.INCONCLUSIVE
        assert gap.name in ruling.missing


@pytest.mark.parametrize("gap", sorted(UNSURE_ORDER))
def test_where_waits_may_be_lost_no_missing_order_is_proven(gap: Gap) -> None:
    build = TraceBuilder()
    download(build, build.stream(), build.stream(), lambda: None)
    build.gaps[gap] = "some"
    assert rule(build)["missing_sync"].outcome is Outcome.INCONCLUSIVE


def test_a_recording_that_was_cut_still_proves_what_it_shows() -> None:
    build = TraceBuilder()
    download(build, build.stream(), build.stream(), lambda: None)
    build.gaps[Gap.CUT_SHORT] = "killed"
    assert rule(build)["missing_sync"].outcome is Outcome.CONFIRMED


def test_a_stream_of_unknown_kind_is_no_clean_bill() -> None:
    build = TraceBuilder()
    download(build, build.stream(StreamKind.UNKNOWN), 0, lambda: None)
    build.wait_device()
    ruling = rule(build)["missing_sync"]
    assert (ruling.outcome, ruling.missing) == (Outcome.INCONCLUSIVE, ("unknown_streams",))


@pytest.mark.parametrize("kept", [1, 2])
def test_conflicts_that_were_left_off_refute_nothing(
    kept: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(order_of_operations, "MOST_CONFLICTS", kept)
    build = TraceBuilder()
    download(build, build.stream(), build.stream(), lambda: None)
    clear(build, build.stream(), build.stream(), lambda: None)
    build.wait_device()
    evidence = Evidence(build.build())
    assert missing_sync.examine(Case(evidence)).outcome is Outcome.CONFIRMED
    left_off = kept == 1
    overlapping = overlapping_copies.examine(Case(evidence))
    assert overlapping.outcome is (Outcome.INCONCLUSIVE if left_off else Outcome.CONFIRMED)
    for check in (staging_reuse, use_after_free):
        ruling = check.examine(Case(evidence))
        assert ("too_many_conflicts" in ruling.missing) == left_off
        assert (ruling.outcome is Outcome.INCONCLUSIVE) == left_off


def test_a_copy_that_meets_itself_is_counted_beside_all_that_were_left_off() -> None:
    build = TraceBuilder()
    x = build.allocate(256)
    build.copy(x[1:65], x[:64])
    pairs = KEPT + 3
    for _ in range(pairs):
        clear(build, build.stream(), build.stream(), lambda: None)
    ruling = rule(build)["overlapping_copies"]
    assert (len(ruling.findings), ruling.data["found"]) == (KEPT, pairs + 1)


def test_a_remedy_names_streams_as_reports_do() -> None:
    build = TraceBuilder()
    stream = build.stream(StreamKind.NON_BLOCKING)
    download(build, stream, 0, lambda: None)
    build.wait_device()
    handle = hex(int(build.build().streams["handle"][stream]))
    [finding] = rule(build)["missing_sync"].findings
    assert finding.data["remedy"] == "default_stream_does_not_wait"
    assert finding.data["remedy_stream"] == handle
    assert finding.data["remedy_other_stream"] == "default"
    assert finding.data["remedy_event_seq"] is None


def test_a_result_that_nobody_waited_for_is_no_clean_bill_unless_somebody_watched() -> None:
    build = TraceBuilder()
    stream = build.stream()
    download(build, stream, stream, lambda: None)
    ruling = rule(build)["missing_sync"]
    assert (ruling.outcome, ruling.missing) == (Outcome.INCONCLUSIVE, ("unwaited_copy",))
    assert ruling.doubts[0].operations == (5,)
    assert rule(build, watch_host=True)["missing_sync"].outcome is Outcome.REFUTED


def test_a_wait_that_reported_a_fault_is_not_told_as_none() -> None:
    """What the copy brought is not known, and whether its wait was the right one is."""
    build = TraceBuilder()
    stream = build.stream()
    download(build, stream, stream, lambda: None)
    build.wait_stream(stream, failed=True, result=700)
    ruling = rule(build)["missing_sync"]
    assert (ruling.outcome, ruling.missing) == (Outcome.INCONCLUSIVE, ("unproven_copy",))
    [doubt] = ruling.doubts
    assert (doubt.operations, doubt.data["other_call"]) == ((5, 6), "WAIT_STREAM")


@pytest.mark.parametrize(
    ("mode", "hypothesis"), [(Mode.READ, "missing_sync"), (Mode.WRITE, "overlapping_copies")]
)
def test_the_host_touches_a_result_in_flight(mode: Mode, hypothesis: str) -> None:
    build = TraceBuilder()
    x, pinned = build.allocate(64), build.allocate(64, Memory.PINNED)
    build.copy(pinned[:], x[:], build.stream())
    build.host_touch(pinned[:1], mode)
    ruling = rule(build)[hypothesis]
    assert ruling.outcome is Outcome.CONFIRMED
    assert ruling.findings[0].data["remedy"] == "synchronize_stream"


def test_a_callback_leaves_it_open() -> None:
    build = TraceBuilder()
    a, b = build.stream(), build.stream()
    download(build, a, b, lambda: build.host_function(a))
    ruling = rule(build)["missing_sync"]
    assert (ruling.outcome, ruling.missing) == (Outcome.INCONCLUSIVE, ("callback",))
    [doubt] = ruling.doubts
    assert set(doubt.data) == set(DOUBT_FIELDS)


@pytest.mark.parametrize("tells", [False, True])
def test_a_kernel_that_writes_memory_of_the_host_may_have_told_it(tells: bool) -> None:
    build = TraceBuilder()
    a, b = build.stream(), build.stream()
    flag = build.allocate(4, Memory.PINNED if tells else Memory.DEVICE)
    download(build, a, b, lambda: build.launch(a, may_write=[flag[:]], kernel="tell"))
    build.wait_device()
    ruling = rule(build)["missing_sync"]
    assert ruling.outcome is (Outcome.INCONCLUSIVE if tells else Outcome.CONFIRMED)
    assert ruling.missing == (("polled_memory",) if tells else ())


def weights(copied: bool, arguments_differ: bool, shown: bool = False) -> Ruling:
    """Two kernels are given w, which is not const, and an output of their own."""
    build = TraceBuilder()
    if shown:
        shown_to_write(build, "one")
    w, y, z = (build.allocate(1) for _ in range(3))
    pinned = build.allocate(1, Memory.PINNED)
    if copied:
        build.copy(w[:], pinned[:], waits=Waits.FOR_IT)
    build.launch(build.stream(), may_write=[w[:], y[:]], kernel="one")
    parts = [z[:], w[:]] if arguments_differ else [w[:], z[:]]
    build.launch(build.stream(), may_write=parts, kernel="other")
    return rule(build)["missing_sync"]


@pytest.mark.parametrize("arguments_differ", [False, True])
def test_what_two_kernels_may_only_read_is_left_open(arguments_differ: bool) -> None:
    shared = weights(True, arguments_differ)
    assert (shared.outcome, shared.missing) == (Outcome.INCONCLUSIVE, ("estimated_overlap",))


@pytest.mark.parametrize("arguments_differ", [False, True])
def test_what_one_of_two_kernels_was_shown_to_write_it_writes(arguments_differ: bool) -> None:
    looked_at = weights(False, arguments_differ)  # the first may have had nothing to do there
    assert (looked_at.outcome, looked_at.missing) == (Outcome.INCONCLUSIVE, ("estimated_overlap",))
    ruling = weights(False, arguments_differ, shown=True)
    assert ruling.outcome is Outcome.CONFIRMED
    assert [finding.strength for finding in ruling.findings] == [1]


def sampled_beside_download(was_output_before: bool, download_first: bool = False) -> Ruling:
    """A kernel is given logits, not const, that others wrote before, and what it finds in them."""
    build = TraceBuilder()
    logits, best, other = (build.allocate(64) for _ in range(3))
    pinned = build.allocate(64, Memory.PINNED)
    if was_output_before:
        build.launch(0, may_write=[other[:], best[:]], kernel="sample")
        build.copy(pinned[:], other[:], 0)
    build.fill(logits[:], 0)
    build.fill(best[:], 0)
    build.wait_device()
    a, b = build.stream(), build.stream()
    if download_first:
        build.copy(pinned[:], logits[:], b)
    build.launch(a, may_write=[logits[:], best[:]], kernel="sample")
    if not download_first:
        build.copy(pinned[:], logits[:], b)
    build.wait_device()
    return rule(build)["staging_reuse" if download_first else "missing_sync"]


@pytest.mark.parametrize("download_first", [False, True])
def test_a_kernel_that_may_only_read_beside_a_copy_that_reads(download_first: bool) -> None:
    ruling = sampled_beside_download(False, download_first)
    assert (ruling.outcome, ruling.missing) == (Outcome.INCONCLUSIVE, ("estimated_overlap",))


@pytest.mark.parametrize("download_first", [False, True])
def test_an_argument_that_once_was_an_output_is_one(download_first: bool) -> None:
    assert sampled_beside_download(True, download_first).outcome is Outcome.CONFIRMED


@pytest.mark.parametrize("number", [64, 0])
def test_who_may_leave_it_alone_does_not_show_that_it_was_written(number: int) -> None:
    build = TraceBuilder()
    x, y, pinned = build.allocate(64), build.allocate(64), build.allocate(64, Memory.PINNED)
    build.launch(0, may_write=[x[:]], kernel="fill")
    build.launch(0, reads=[x[:]], kernel="next", numbers=(number,))
    build.fill(y[:], 0)
    build.wait_device()
    build.launch(build.stream(), may_write=[y[:]], kernel="fill")
    build.copy(pinned[:], y[:], build.stream())
    build.wait_device()
    expected = Outcome.CONFIRMED if number else Outcome.INCONCLUSIVE
    assert rule(build)["missing_sync"].outcome is expected


def updated_in_place(bytes_: int, *numbers: int, number_type: str = "int") -> Ruling:
    """One kernel with one pointer, twice."""
    build = TraceBuilder()
    build.number_type = number_type
    shown_to_write(build)
    x = build.allocate(bytes_)
    for number in numbers:
        build.launch(build.stream(), may_write=[x[:]], numbers=(number,))
    return rule(build)["missing_sync"]


def test_two_kernels_that_share_one_element_surely_meet() -> None:
    [finding] = updated_in_place(1, 8, 8).findings
    assert finding.strength == 2
    assert updated_in_place(1, 1, 2, number_type="float").outcome is Outcome.CONFIRMED


@pytest.mark.parametrize("numbers", [(64, 64), (1, 2)])
def test_where_in_a_buffer_two_kernels_are_is_left_open(numbers: tuple[int, int]) -> None:
    ruling = updated_in_place(64, *numbers)
    assert (ruling.outcome, ruling.missing) == (Outcome.INCONCLUSIVE, ("estimated_overlap",))


def test_a_zero_may_switch_a_pointer_off() -> None:
    for number, outcome in ((0, Outcome.INCONCLUSIVE), (64, Outcome.CONFIRMED)):
        build = TraceBuilder()
        x, y, pinned = build.allocate(64), build.allocate(64), build.allocate(64, Memory.PINNED)
        build.copy(x[:], pinned[:], build.stream())
        build.launch(build.stream(), reads=[x[:]], may_write=[y[:]], numbers=(number,))
        build.wait_device()
        assert rule(build)["missing_sync"].outcome is outcome


def test_kernels_that_may_both_count_there_are_left_open() -> None:
    """Atomics are right without order; who writes what nobody had written adds to nothing."""
    for shown, outcome in ((False, Outcome.INCONCLUSIVE), (True, Outcome.CONFIRMED)):
        build = TraceBuilder()
        if shown:
            shown_to_write(build, "f")
        counts = build.allocate(1)
        for kernel in "fg":
            build.launch(build.stream(), may_write=[counts[:]], kernel=kernel)
        assert rule(build)["missing_sync"].outcome is outcome


def test_a_copy_beside_a_kernel_is_early_if_nobody_else_wrote_there() -> None:
    for is_filled, outcome in ((True, Outcome.INCONCLUSIVE), (False, Outcome.CONFIRMED)):
        build = TraceBuilder()
        x, pinned = build.allocate(64), build.allocate(64, Memory.PINNED)
        if is_filled:
            build.fill(x[:])
            build.wait_device()
        build.launch(build.stream(), may_write=[x[:60]])
        build.copy(pinned[:8], x[40:48], build.stream())
        build.wait_device()
        assert rule(build)["missing_sync"].outcome is outcome


def footprint(build: TraceBuilder, stream: int, part: Part, mode: Mode) -> int:
    """A launch that was given all of the memory, and was seen to access a part of it."""
    row = build.launch(stream, may_write=[Buffer(part.allocation, part.address & ~0xFFF, 64)[:]])
    build.accesses[-1]["known"] |= Known.FOLLOWED
    seen = {**build.accesses[-1], "address": part.address, "bytes": part.bytes, "mode": mode}
    seen |= {"role": Role.FOOTPRINT, "known": 0, "argument": NONE}
    build.accesses.append(seen)
    return row


@pytest.mark.parametrize(
    ("first", "second", "start", "outcome"),
    [
        (Mode.WRITE, Mode.WRITE, 0, Outcome.CONFIRMED),
        (Mode.WRITE, Mode.READ, 0, Outcome.CONFIRMED),
        (Mode.WRITE, Mode.WRITE, 32, Outcome.REFUTED),
        (Mode.READ, Mode.READ, 0, Outcome.REFUTED),
        (Mode.ATOMIC, Mode.ATOMIC, 0, Outcome.REFUTED),
        (Mode.ATOMIC, Mode.READ, 0, Outcome.CONFIRMED),
    ],
)
def test_where_the_device_noted_it_the_bytes_decide(
    first: Mode, second: Mode, start: int, outcome: Outcome
) -> None:
    build = TraceBuilder()
    x, pinned = build.allocate(64), build.allocate(64, Memory.PINNED)
    build.copy(x[:], pinned[:], waits=Waits.FOR_IT)
    footprint(build, build.stream(), x[:32], first)
    footprint(build, build.stream(), x[start : start + 32], second)
    build.wait_device()
    build.copy(pinned[:], x[:], waits=Waits.FOR_IT)
    ruling = rule(build)["missing_sync"]
    assert ruling.outcome is outcome
    assert not ruling.doubts


def test_what_follows_a_fault_of_the_device_is_no_finding() -> None:
    build = TraceBuilder()
    stream = build.stream()
    build.wait_device(failed=True, result=700)
    download(build, stream, build.stream(), lambda: None)
    assert rule(build)["missing_sync"].findings == ()


def test_every_finding_code_has_one_check() -> None:
    codes = [code for check in CHECKS.values() for code in check.CODES]
    assert len(codes) == len(set(codes))


@pytest.mark.parametrize(
    ("gap", "outcome"),
    [(None, Outcome.CONFIRMED), *((gap, Outcome.INCONCLUSIVE) for gap in sorted(UNSEEN_WRITES))],
)
def test_who_wrote_a_buffer_is_known_only_if_all_writes_are_seen(
    gap: Gap | None, outcome: Outcome
) -> None:
    build = TraceBuilder()
    x = build.allocate(64)
    build.launch(build.stream(), may_write=[x[:]], kernel="writer")
    build.launch(build.stream(), reads=[x[:]], kernel="reader")
    if gap is not None:
        build.gaps[gap] = "some"
    assert rule(build)["missing_sync"].outcome is outcome


@pytest.mark.parametrize(
    ("call", "is_fresh"),
    [
        ("hipMalloc", True),
        ("hipMallocAsync", True),
        ("hipExtMallocWithFlags", False),  # the host may write there by itself
        ("hipMemMap", False),  # may be mapped elsewhere, too
    ],
)
def test_memory_is_fresh_only_if_nobody_but_calls_can_write_there(
    call: str, is_fresh: bool
) -> None:
    build = TraceBuilder()
    build.allocate(64)
    trace = build.build()
    calls = tuple(call if name == "hipMalloc" else name for name in trace.calls)
    assert fresh_memory(replace(trace, calls=calls)).tolist() == [is_fresh]


# --- calls of which nobody knows whether they wait ------------------------------------------------


def closing(build: TraceBuilder, waits: Waits, *, between: bool) -> Evidence:
    """Memory of another process is closed between two operations that nothing orders, or before."""
    a, b = build.stream(), build.stream()
    x, y, shared = build.allocate(64), build.allocate(64), build.allocate(64)
    if not between:
        build.free(shared, waits=waits)
    build.copy(x[:], y[:], a)
    if between:
        build.free(shared, waits=waits)
    build.copy(y[:], x[:], b)
    trace = build.build()
    names = (*trace.calls, "hipIpcCloseMemHandle")
    return Evidence(replace(trace, calls=names), run=run_facts())


def test_what_may_have_waited_makes_a_doubt_of_a_race() -> None:
    case = Case(closing(TraceBuilder(), Waits.PERHAPS, between=True))
    ruling = missing_sync.examine(case)
    assert ruling.outcome is Outcome.INCONCLUSIVE
    assert [doubt.code for doubt in ruling.doubts] == ["other_order"]


def test_what_may_have_waited_before_changes_nothing() -> None:
    ruling = missing_sync.examine(Case(closing(TraceBuilder(), Waits.PERHAPS, between=False)))
    assert ruling.outcome is Outcome.CONFIRMED


def test_what_surely_waits_is_an_order() -> None:
    ruling = missing_sync.examine(Case(closing(TraceBuilder(), Waits.FOR_DEVICE, between=True)))
    assert ruling.outcome is Outcome.REFUTED


@pytest.mark.parametrize(
    ("waits", "outcome"),
    [
        (Waits.NO, Outcome.CONFIRMED),
        (Waits.PERHAPS, Outcome.INCONCLUSIVE),
        (Waits.FOR_DEVICE, Outcome.REFUTED),
    ],
)
def test_memory_that_is_closed_in_flight(waits: Waits, outcome: Outcome) -> None:
    build = TraceBuilder()
    stream, shared = build.stream(), build.allocate(64)
    build.fill(shared[:], stream)
    build.free(shared, waits=waits)
    trace = build.build()
    trace = replace(trace, calls=(*trace.calls, "hipIpcCloseMemHandle"))
    ruling = use_after_free.examine(Case(Evidence(trace, run=run_facts())))
    assert ruling.outcome is outcome
    wanted = ["other_order"] if outcome is Outcome.INCONCLUSIVE else []
    assert [doubt.code for doubt in ruling.doubts] == wanted
