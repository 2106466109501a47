"""GRETA's own lines, of this and of older builds."""

from __future__ import annotations

import pytest

from greta.trace.trace import Gap, Kind
from tests.trace.logs.judged import judged
from tests.trace.logs.reading import Logs, rows_of, sizes

OLDER = """\
[GUARD_RAIL] WARNING: Guard rail DISABLED via GRETA_DISABLE_GUARD_RAIL
Model config: layers=32, dim=4096, heads=32, hidden=14336, vocab=128256, params=8.8353B
[ROPE_DIAG] RoPE Q prefill x_ptr=0x79eed0800000 seq_len=13 num_heads=32 head_dim=128 rope_base=500000.000000 pos_ptr=0x79f378e06000 valid=true
[ROPE_DIAG] RoPE K prefill x_ptr=0x79f378400000 seq_len=13 num_heads=8 head_dim=128 rope_base=500000.000000 pos_ptr=0x79f378e06000 valid=true
[D2H_SAFE_WRAPPER] engaged for tensor=buffer_offset
[D2H_CHECK] tensor=buffer_offset step=ffffffff layer=ffffffff src_ptr=79ee4b5df000 dst_ptr=239cf900 offset=5df000 size=7d400 alloc=3ea00000
[D2H_SAFE_WRAPPER] engaged for tensor=buffer_offset
[D2H_CHECK] tensor=buffer_offset step=ffffffff layer=ffffffff src_ptr=79ee4b65c400 dst_ptr=239cf900 offset=65c400 size=7d400 alloc=3ea00000
  Tokens/second: 6.2262
STATUS=OK
"""  # noqa: E501

AUDIT = """\
[D2H_AUDIT_START] op_id=0 ts=1738956000.123456 stream=0x7f1234000000 dev_ptr=0x7f0000000000 host_ptr=0x7f1000000000 bytes=4096 tensor=logits step=0 layer=-1
[D2H_AUDIT_START] op_id=1 ts=1738956000.124001 stream=0x7f1234000001 dev_ptr=0x7f0000100000 host_ptr=0x7f1000100000 bytes=8192 tensor=hidden_states step=1 layer=0
[D2H_AUDIT_END] op_id=1 ts=1738956000.124567 stream=0x7f1234000001 result=hipErrorIllegalAddress tensor=hidden_states
[D2H_AUDIT_END] op_id=0 ts=1738956000.123789 stream=0x7f1234000000 result=hipSuccess tensor=logits
"""  # noqa: E501


def test_an_older_build_writes_everything_in_hexadecimal(logs: Logs) -> None:
    evidence = logs.one(OLDER)
    trace = evidence.trace
    assert sizes(trace) == [513024, 513024]
    assert len(rows_of(trace, Kind.LAUNCH)) == 2
    (buffer,) = trace.allocations[trace.allocations["known_bytes"]]
    assert (int(buffer["address"]), int(buffer["bytes"])) == (0x79EE4B000000, 1050673152)
    assert trace.describe(6).annotations == ("tensor=buffer_offset",)
    assert evidence.faults == ()
    assert set(trace.gaps) == {Gap.ONLY_MARKED, Gap.NO_ORDER}


def test_a_call_of_a_log_shows_its_line(logs: Logs) -> None:
    call = logs.one(OLDER).trace.describe(8)
    assert call.arguments["line"] == OLDER.splitlines()[7]
    assert call.where.line == 8


def test_what_the_program_says_of_its_model_is_kept(logs: Logs) -> None:
    (model,) = logs.one(OLDER).models
    assert (model.dimensions["hidden"], model.dimensions["feed_forward"]) == (4096, 14336)
    assert model.problem


def test_status_and_guard_rail_are_messages(logs: Logs) -> None:
    said = {(message.source, message.text) for message in logs.one(OLDER).messages}
    assert ("status", "STATUS=OK") in said
    assert ("status", "Tokens/second=6.2262") in said
    assert any(source == "guard_rail" for source, _ in said)


def test_audit_lines_pair_by_op_id(logs: Logs) -> None:
    trace = logs.one(AUDIT).trace
    copies = rows_of(trace, Kind.COPY)
    assert copies["result"].tolist() == [0, 700]
    assert copies["failed"].tolist() == [False, True]
    assert (copies["end"] - copies["begin"]).tolist() == [333000, 566000]
    assert sizes(trace) == [4096, 8192]


def test_an_audit_line_without_end_is_unfinished(logs: Logs) -> None:
    copies = rows_of(logs.one(AUDIT.splitlines(keepends=True)[0]).trace, Kind.COPY)
    assert copies["finished"].tolist() == [False]


def test_three_kinds_of_lines_about_one_copy_are_one_operation(logs: Logs) -> None:
    trace = logs.one(
        "[D2H SAFE] engaged for tensor=logits\n"
        "[D2H_CHECK] tensor=logits step=0 layer=32 src_ptr=0x7f0000000100 dst_ptr=0x7f1000000000 "
        "offset=256 size=4096 alloc=8192\n"
        "[D2H TRACE] logits:before\n  src_ptr=0x7f0000000100\n  bytes=4096\n  stream=0x7f12\n"
        "[D2H_AUDIT_START] op_id=3 ts=1.000000 stream=0x7f12 dev_ptr=0x7f0000000100 "
        "host_ptr=0x7f1000000000 bytes=4096 tensor=logits step=0 layer=32\n"
        "[D2H_AUDIT_END] op_id=3 ts=1.000100 stream=0x7f12 result=hipSuccess tensor=logits\n"
        "[D2H TRACE] logits:after\n  dst_ptr=0x7f1000000000\n  bytes=4096\n"
        "[D2H SAFE] async copy succeeded: hipSuccess\n"
    ).trace
    assert sizes(trace) == [4096]
    assert int(trace.allocations["address"][0]) == 0x7F0000000000
    assert Gap.DAMAGED not in trace.gaps


def test_the_same_copy_twice_is_two_operations(logs: Logs) -> None:
    again = AUDIT.splitlines(keepends=True)
    trace = logs.one("".join([again[0], again[3], again[0], again[3]])).trace
    assert sizes(trace) == [4096, 4096]


@pytest.mark.parametrize("prefix", ["", "(Worker pid=63) ", "box-1  | "])
def test_a_fatal_trace_block_is_a_failed_copy(logs: Logs, prefix: str) -> None:
    block = (
        "[D2H TRACE] logits:before\n  src_ptr=0x7f00\n  bytes=16\n  stream=(nil)\n"
        "[D2H FATAL] logits:FAILED\n  src_ptr=0x7f00\n  dst_ptr=0x7f10\n  bytes=16\n"
        "  hipError=an illegal memory access was encountered\n"
    )
    trace = logs.one("".join(f"{prefix}{line}\n" for line in block.splitlines())).trace
    copies = rows_of(trace, Kind.COPY)
    assert copies["result"].tolist() == [700]


def test_a_refused_copy_is_a_failed_one_that_runs_past_its_end(logs: Logs) -> None:
    trace = logs.one(
        "[D2H_CHECK] tensor=t step=0 layer=1 src_ptr=0x7f0000000400 dst_ptr=0x7f1000000000 "
        "offset=1024 size=4096 alloc=4096\n"
        "[D2H_BOUNDS] tensor=t offset=1024 size=4096 alloc=4096\n"
        "[D2H_ERROR] t: the bytes are not all in the allocation\n"
    ).trace
    copies = rows_of(trace, Kind.COPY)
    assert copies["failed"].tolist() == [True]
    access = trace.accesses_of(0)[0]
    buffer = trace.allocations[int(access["allocation"])]
    assert int(access["address"] + access["bytes"]) > int(buffer["address"] + buffer["bytes"])


def test_plain_errors_name_the_call_and_the_kernel(logs: Logs) -> None:
    evidence = logs.one(
        "Generation error: hipMemcpy D2H failed: an illegal memory access was encountered\n"
        "error: RoPE Q launch failed: an illegal memory access was encountered\n"
    )
    copy, launch = (evidence.trace.describe(seq) for seq in (1, 2))
    assert (copy.name, copy.result) == ("hipMemcpy", 700)
    assert (launch.kernel, launch.result) == ("RoPE Q", 700)
    assert [message.error for message in evidence.messages] == [700, 700]


def test_half_a_number_at_the_end_of_a_cut_log_is_not_read(logs: Logs) -> None:
    whole = OLDER.splitlines()[5]
    trace = logs.one(whole[:-3]).trace  # alloc=3ea00
    assert sizes(trace) == [513024]
    assert not trace.allocations["known_bytes"].any()
    assert Gap.CUT_SHORT in trace.gaps


def test_two_writers_in_one_line_are_told_apart(logs: Logs) -> None:
    rope, check = OLDER.splitlines()[2], OLDER.splitlines()[5]
    trace = logs.one(f"12:00:01 worker {rope} {check}\n").trace
    assert len(rows_of(trace, Kind.LAUNCH)) == 1
    assert sizes(trace) == [513024]


def test_a_line_that_another_writer_broke_into_is_damage(logs: Logs) -> None:
    rope, check = OLDER.splitlines()[2], OLDER.splitlines()[5]
    trace = logs.one(f"{check[:100]}{rope}\n{rope}\n").trace
    assert len(rows_of(trace, Kind.LAUNCH)) == 2
    assert sizes(trace) == []
    assert Gap.DAMAGED in trace.gaps


@pytest.mark.parametrize(
    "prefix", ["", "2026-01-02T10:11:12Z [worker-0] ", "\x1b[33mINFO\x1b[0m: "]
)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_prefixes_colours_and_ends_of_lines_do_not_matter(
    logs: Logs, prefix: str, end: str
) -> None:
    text = "".join(f"{prefix}{line}{end}" for line in OLDER.splitlines())
    assert sizes(logs.one(text).trace) == [513024, 513024]


RANGE = (
    "[GRETA_TRACE_D2H] tensor=logits step=5 layer=-1 src_ptr=0x7f6000000000 alloc_bytes=4096 "
    "offset_bytes={0} size_bytes=2048\n"
)
ROPE = (
    "[ROPE_DIAG] RoPE Q prefill x_ptr=0x79eed0800000 seq_len=13 num_heads=32 head_dim=128 "
    "rope_base=500000.000000 pos_ptr=0x79f378e06000 valid=true\n"
)


def test_copies_of_which_only_the_source_is_told_are_counted(logs: Logs) -> None:
    verdict = judged(logs, RANGE.format(0) + RANGE.format(3072) + ROPE)
    (ruling,) = (one for one in verdict["hypotheses"] if one["id"] == "byte_size_mismatch")
    assert (ruling["verdict"], ruling["examined"]) == ("CONFIRMED", 2)
    assert verdict["coverage"]["d2h"]["calls"] == 2
