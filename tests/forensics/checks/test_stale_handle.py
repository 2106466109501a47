from __future__ import annotations

import signal
from dataclasses import replace
from typing import Any

import pytest

from greta.forensics.case import Case
from greta.forensics.checks import stale_handle
from greta.forensics.verdict import Outcome, Ruling
from greta.trace.evidence import Evidence
from greta.trace.trace import Kind, StaleHandle
from tests.forensics.programs import FAULTED, Program

REFUSED: dict[str, Any] = {"failed": True, "result": 400}


def ruled(signal_: int | None = None, **fields: Any) -> Ruling:
    """Call 2 destroys the stream, call 3 uses it."""
    program = Program()
    stream = program.stream()
    program.call(Kind.STREAM_DESTROY, stream=stream)
    program.call(Kind.EVENT_RECORD, stream=stream, event=program.event(), **fields)
    stale = StaleHandle(seq=3, what="stream", handle=0x100, destroyed_by=2)
    trace = replace(program.build(), stale_handles=(stale,), signal=signal_)
    return stale_handle.examine(Case(Evidence(trace)))


def test_a_refused_call_names_the_one_that_destroyed_its_handle() -> None:
    finding = ruled(**REFUSED).findings[0]
    assert (finding.code, finding.seq, finding.other) == ("handle_used_after_end", 3, 2)
    assert (finding.data["what"], finding.data["handle"]) == ("stream", "0x100")


@pytest.mark.parametrize(
    ("number", "outcome"),
    [(signal.SIGSEGV, Outcome.CONFIRMED), (signal.SIGTERM, Outcome.INCONCLUSIVE)],
)
def test_a_process_that_dies_in_the_call_counts(number: int, outcome: Outcome) -> None:
    assert ruled(number, finished=False).outcome is outcome


def test_a_call_that_succeeds_shows_nothing() -> None:
    ruling = ruled()
    assert (ruling.outcome, ruling.missing) == (Outcome.INCONCLUSIVE, ("ended_handles",))


def test_the_error_of_a_fault_before_is_not_about_the_handle() -> None:
    assert ruled(**FAULTED).outcome is Outcome.INCONCLUSIVE


def test_handles_that_are_alive_are_in_order() -> None:
    program = Program()
    program.wait_stream(program.stream())
    assert stale_handle.examine(Case(program.evidence())).outcome is Outcome.REFUTED


def test_a_log_shows_no_lifetimes() -> None:
    program = Program()
    program.wait_stream(program.stream())
    trace = replace(program.build(), source="amd_log")
    assert stale_handle.examine(Case(Evidence(trace))).outcome is Outcome.INCONCLUSIVE
