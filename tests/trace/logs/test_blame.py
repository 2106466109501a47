"""The call that reports a fault is blamed; without launches in the log it is nobody's cause."""

from __future__ import annotations

import pytest

from tests.trace.logs.judged import blamed, judged, outcome
from tests.trace.logs.reading import Logs

ILLEGAL = "an illegal memory access was encountered"
START = (
    "[D2H_AUDIT_START] op_id={0} ts=5.1 stream=0x7f12 dev_ptr=0x7f0000200000 "
    "host_ptr=0x7f1000000000 bytes=2048 tensor=scores step=0 layer=-1\n"
)
END = "[D2H_AUDIT_END] op_id={0} ts=5.2 stream=0x7f12 result={1} tensor=scores\n"
CHECK = (
    "[D2H_CHECK] tensor=scores step=0 layer=3 src_ptr=0x7f0000200000 dst_ptr=0x7f1000000000 "
    "offset=0 size=2048 alloc=2048\n"
)
BEFORE = "[D2H TRACE] scores:before\n  src_ptr={0}\n  bytes=2048\n  stream=0x7f12\n"
AFTER = "[D2H TRACE] scores:after\n  dst_ptr=0x7f1000000000\n  bytes=2048\n"
FATAL = (
    "[D2H FATAL] scores:FAILED\n  src_ptr={0}\n  dst_ptr=0x7f1000000000\n  bytes=2048\n"
    f"  hipError={ILLEGAL}\n"
)
HERE, THERE = "0x7f0000200000", "0x7f0000300000"
SUCCEEDED = "[D2H SAFE] async copy succeeded: hipSuccess\n"
COPY_FAILED = f"[D2H SAFE] Async copy failed scores: {ILLEGAL}\n"
SYNC_FAILED = f"[D2H SAFE] Stream sync failed before scores: {ILLEGAL}\n"
COPY, SYNC = "hipMemcpyAsync", "hipStreamSynchronize"


@pytest.mark.parametrize(
    ("text", "call", "line"),
    [
        (START.format(0) + END.format(0, "hipErrorIllegalAddress"), COPY, 1),
        (CHECK + COPY_FAILED, COPY, 1),
        (BEFORE.format(HERE) + FATAL.format(HERE), COPY, 1),
        (CHECK + SYNC_FAILED, SYNC, 2),
        (SYNC_FAILED, SYNC, 1),
        (COPY_FAILED, COPY, 1),
        (FATAL.format(HERE), COPY, 1),
        ("[D2H FATAL] scores:FAILED\n", COPY, 1),
        (f"Generation error: hipMemcpy D2H failed: {ILLEGAL}\n", "hipMemcpy", 1),
        (f"Generation error: RoPE Q launch failed: {ILLEGAL}\n", "hipLaunchKernel", 1),
        (f"hipMemcpy D2H failed: {ILLEGAL}\n", "hipMemcpy", 1),
        (f"RoPE Q launch failed: {ILLEGAL}\n", "hipLaunchKernel", 1),
    ],
)
def test_what_reports_a_fault_is_blamed_and_not_convicted(
    logs: Logs, text: str, call: str, line: int
) -> None:
    verdict = judged(logs, text)
    assert (verdict["verdict"], blamed(verdict)) == ("REPRODUCED", (call, line))
    assert verdict["cause"] is None
    assert not [one for one in verdict["hypotheses"] if one["verdict"] in ("CONFIRMED", "REFUTED")]
    assert [one["code"] for one in verdict["next_step_codes"]] == ["step_record_run"]


@pytest.mark.parametrize(
    "text",
    [
        START.format(0) + END.format(0, "hipSuccess"),
        CHECK + SUCCEEDED,
        BEFORE.format(HERE) + AFTER,
        SUCCEEDED,
    ],
)
def test_the_same_lines_of_a_copy_that_went_well_blame_nobody(logs: Logs, text: str) -> None:
    verdict = judged(logs, text)
    assert (verdict["verdict"], verdict["blamed"], verdict["cause"]) == ("INCONCLUSIVE", None, None)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (START.format(0) + END.format(0, "hipSuccess") + START.format(1), 3),
        (CHECK + SUCCEEDED + CHECK, 3),
        (BEFORE.format(HERE) + AFTER + BEFORE.format(HERE), 8),
        (BEFORE.format(THERE) + AFTER, 8),  # the one that failed has no :before
    ],
)
def test_of_two_transfers_of_one_tensor_the_one_that_failed_is_blamed(
    logs: Logs, text: str, line: int
) -> None:
    end = END.format(1, "hipErrorIllegalAddress") if "AUDIT" in text else ""
    end = end or (COPY_FAILED if "CHECK" in text else FATAL.format(HERE))
    verdict = judged(logs, text + end)
    assert blamed(verdict) == (COPY, line)


def test_of_two_transfers_in_flight_the_source_tells_which_failed(logs: Logs) -> None:
    both = BEFORE.format(HERE) + BEFORE.format(THERE)
    assert blamed(judged(logs, both + FATAL.format(HERE))) == (COPY, 1)
    assert blamed(judged(logs, both + FATAL.format(THERE))) == (COPY, 5)


def test_a_copy_that_has_succeeded_is_not_blamed_for_the_next(logs: Logs) -> None:
    assert blamed(judged(logs, CHECK + SUCCEEDED + COPY_FAILED)) == (COPY, 3)
    assert blamed(judged(logs, CHECK + COPY_FAILED)) == (COPY, 1)


@pytest.mark.parametrize("error", [ILLEGAL, "invalid configuration argument"])
def test_a_failed_launch_names_its_kernel(logs: Logs, error: str) -> None:
    verdict = judged(logs, f"12:00:01 ERROR: Generation error: RoPE Q launch failed: {error}\n")
    assert (verdict["blamed"]["call"], verdict["blamed"]["kernel"]) == ("hipLaunchKernel", "RoPE Q")
    assert verdict["cause"] is None


RANGE = (
    "[GRETA_TRACE_D2H] tensor=scores step=2 layer=-1 src_ptr=0x702f86e00000 alloc_bytes=8192 "
    "offset_bytes={0} size_bytes=2048\n"
)


@pytest.mark.parametrize(
    ("offset", "hypothesis"), [(6145, "byte_size_mismatch"), (9000, "bad_pointer")]
)
def test_a_range_outside_its_allocation_is_found(logs: Logs, offset: int, hypothesis: str) -> None:
    verdict = judged(logs, RANGE.format(0) + RANGE.format(offset))
    assert verdict["cause"]["hypothesis"] == hypothesis
    assert verdict["cause"]["seq"] == 2


@pytest.mark.parametrize("offset", [0, 1, 6144])
def test_a_range_inside_its_allocation_is_not(logs: Logs, offset: int) -> None:
    verdict = judged(logs, RANGE.format(offset))
    assert verdict["coverage"]["calls"] == 1
    assert (verdict["verdict"], verdict["cause"]) == ("INCONCLUSIVE", None)
    assert outcome(verdict, "byte_size_mismatch") == "INCONCLUSIVE"


@pytest.mark.parametrize(
    "prefix",
    [
        "2026-02-06T10:00:00.123456789Z stderr F ",
        "Feb 06 10:00:00 gpu1 infer[123]: ",
        "infer-1  | ",
        "[pod/infer-0/main] ",
        "\x1b[31m",
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_a_block_is_read_behind_any_loggers_prefix(
    logs: Logs, prefix: str, end: str, encoding: str
) -> None:
    lines = (BEFORE.format(THERE) + FATAL.format(THERE)).splitlines()
    verdict = judged(logs, "".join(f"{prefix}{line}{end}" for line in lines).encode(encoding))
    assert (blamed(verdict), verdict["blamed"]["error"]) == ((COPY, 1), "hipErrorIllegalAddress")
    assert verdict["coverage"]["calls"] == 1


def test_dockers_json_is_unwrapped(logs: Logs) -> None:
    lines = FATAL.format(THERE).splitlines()
    wrapped = "".join('{"log":"' + line + '\\n","stream":"stderr"}\n' for line in lines)
    assert blamed(judged(logs, wrapped)) == (COPY, 1)


@pytest.mark.parametrize(
    "words", ["Async copy failed", "async copy failed", "Async copy failed scores"]
)
def test_a_copy_that_failed_need_not_name_its_tensor(logs: Logs, words: str) -> None:
    verdict = judged(logs, f"{CHECK}[D2H SAFE] {words}: {ILLEGAL}\n")
    assert (verdict["verdict"], verdict["cause"]) == ("REPRODUCED", None)
    assert blamed(verdict) == ("hipMemcpyAsync", 1)
