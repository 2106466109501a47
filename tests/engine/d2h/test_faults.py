"""A device that has failed: the error names the transfer, and does not pretend it is the cause."""

from __future__ import annotations

from tests.conftest import Run
from tests.engine.d2h.strict_log import (
    AuditEnd,
    CopyFailed,
    Failed,
    SyncFailed,
    TraceFatal,
    pairs,
    parse_log,
)

SCRIPT = """
import threading
import numpy as np
from greta import hip
from greta.engine import d2h
source = 'extern "C" __global__ void wild(int* x, long long at) { x[at] = 1; }'
kernel = hip.Module.compile(source).kernel("wild")
buffer, stream, release = hip.Buffer(4096), hip.Stream(non_blocking=True), threading.Event()
transfers = d2h.Transfers()

def launch():
    kernel(1, 1, buffer, np.int64(AT), stream=stream)

def transfer():
    return transfers.to_host(buffer, dtype=np.int32, stream=stream, tensor="logits", step=5,
                             layer=2)

def attempt(action):
    try:
        print("arrived", len(action()))
    except d2h.D2HError as error:
        print("refused" if error.refused else "failed", error.error and error.error.call)
        print(error)
"""

IN_FLIGHT = """
stream.call_on_host(lambda: release.wait(30))
launch()
arrival = transfer()
release.set()
attempt(arrival.wait)
attempt(arrival.wait)
attempt(lambda: transfer().wait())
"""

BEFORE = """
launch()
try:
    stream.synchronize()
except hip.HipError:
    pass
attempt(lambda: transfer().wait())
"""

WILD, TAME = str(1 << 32), "1023"


def script(body: str, at: str) -> str:
    return SCRIPT.replace("AT", at) + body


def audit_of(text: str) -> list[AuditEnd]:
    return [pair.end for pair in pairs(parse_log(text, skip_others=True)) if pair.end]


def test_a_fault_upstream_of_a_copy_in_flight_surfaces_as_that_transfers_failure(
    run_script: Run,
) -> None:
    done = run_script(script(IN_FLIGHT, WILD), GCORE_D2H_AUDIT="1")
    first, message, again, repeated, later, _ = done.stdout.splitlines()
    assert (first, again) == ("failed hipEventSynchronize", first)
    assert message == repeated
    assert "D2H transfer of 'logits' (step 5, layer 2, 4096 bytes from 0x" in message
    assert "an illegal memory access was encountered (hipErrorIllegalAddress, 700)" in message
    assert "the cause may be an earlier operation on the device" in message
    assert later == "failed hipPeekAtLastError"  # nothing was queued any more
    (end,) = audit_of(done.stderr)
    assert end.result == "hipErrorIllegalAddress"


def test_the_same_program_inside_its_buffer_arrives(run_script: Run) -> None:
    done = run_script(script(IN_FLIGHT, TAME), GCORE_D2H_AUDIT="1")
    assert done.stdout.splitlines() == ["arrived 1024"] * 3
    assert [end.result for end in audit_of(done.stderr)] == ["hipSuccess"] * 2


def test_on_a_device_that_has_failed_nothing_is_queued(run_script: Run) -> None:
    done = run_script(script(BEFORE, WILD), GCORE_D2H_AUDIT="1")
    outcome, message = done.stdout.splitlines()
    assert outcome == "failed hipPeekAtLastError"
    assert "the cause may be an earlier operation" in message
    assert parse_log(done.stderr, skip_others=True) == []  # no copy, so no line about one


def test_debug_mode_finds_the_fault_before_the_copy(run_script: Run) -> None:
    body = IN_FLIGHT.replace("arrival = transfer()\nrelease.set()", "release.set()").replace(
        "attempt(arrival.wait)\n", ""
    )
    done = run_script(script(body, WILD), GRETA_D2H_DEBUG="1")
    records = parse_log(done.stderr, skip_others=True)
    (failed,) = [record for record in records if isinstance(record, SyncFailed)]
    assert (failed.tensor, failed.error) == ("logits", "an illegal memory access was encountered")
    assert isinstance(records[-1], Failed)
    assert not any(isinstance(record, CopyFailed) for record in records)


BESIDE = """
other = hip.Stream(non_blocking=True)
other.call_on_host(lambda: release.wait(30))
kernel(1, 1, buffer, np.int64(AT), stream=other)
arrival = transfer()
release.set()
try:
    other.synchronize()
except hip.HipError:
    pass
attempt(arrival.wait)
"""


def test_debug_mode_says_that_the_copy_failed_where_the_device_fails_after_it_was_queued(
    run_script: Run,
) -> None:
    done = run_script(script(BESIDE.replace("AT", WILD), WILD), GRETA_D2H_DEBUG="1")
    records = parse_log(done.stderr, skip_others=True)
    (failed,) = [record for record in records if isinstance(record, CopyFailed)]
    assert (failed.tensor, failed.error) == ("logits", "an illegal memory access was encountered")
    assert isinstance(records[-1], Failed)
    assert not any(isinstance(record, SyncFailed) for record in records)


def test_trace_mode_says_fatal_and_aborts(run_script: Run) -> None:
    done = run_script(script(IN_FLIGHT, WILD), GRETA_TRACE_MEMCPY="1", GCORE_D2H_AUDIT="1")
    assert done.returncode == -6
    records = parse_log(done.stderr, skip_others=True)
    assert isinstance(records[-1], TraceFatal)
    assert records[-1].tensor == "logits"
    assert records[-1].error == "an illegal memory access was encountered"
    assert [end.result for end in audit_of(done.stderr)] == ["hipErrorIllegalAddress"]
