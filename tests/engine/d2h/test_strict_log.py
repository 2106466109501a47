"""The strict parser takes the seeds' lines to the letter, and says what is wrong with any other."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from greta.engine.d2h import SourceAllocation, Transfer, watch
from greta.hip import HipError
from tests.engine.d2h.strict_log import AuditStart, LineError, pairs, parse_log

# As they stand in the reports that the formats come from.
SEEDS = """\
[D2H_AUDIT_START] op_id=0 ts=1738956000.123456 stream=0x7f1234000000 dev_ptr=0x7f0000000000 \
host_ptr=0x7f1000000000 bytes=4096 tensor=logits step=0 layer=-1
[D2H_AUDIT_END] op_id=0 ts=1738956000.123789 stream=0x7f1234000000 result=hipSuccess tensor=logits
[D2H_AUDIT_START] op_id=1 ts=1738956000.124001 stream=0x7f1234000001 dev_ptr=0x7f0000100000 \
host_ptr=0x7f1000100000 bytes=8192 tensor=hidden_states step=1 layer=0
[D2H_AUDIT_END] op_id=1 ts=1738956000.124567 stream=0x7f1234000001 result=hipSuccess \
tensor=hidden_states
[D2H SAFE] engaged for tensor=logits_async
[D2H_CHECK] tensor=logits_async step=0 layer=32 src_ptr=0x7f0000000000 dst_ptr=0x7f1000000000 \
offset=0 size=4096 alloc=4096
[D2H SAFE] async copy succeeded: hipSuccess
[D2H SAFE] Stream sync failed before logits: an illegal memory access was encountered
[D2H SAFE] Async copy failed logits: an illegal memory access was encountered
[D2H_SAFE_WRAPPER] engaged for tensor=buffer_offset
[D2H TRACE] logits:before
  src_ptr=0x7f0000000000
  bytes=4096
  stream=(nil)
[D2H TRACE] logits:after
  dst_ptr=0x7f1000000000
  bytes=4096
[D2H FATAL] logits:FAILED
  src_ptr=0x7f0000000000
  dst_ptr=0x7f1000000000
  bytes=4096
  hipError=an illegal memory access was encountered
"""

START = SEEDS.splitlines()[0]
END = SEEDS.splitlines()[1]


def problem(text: str) -> str:
    with pytest.raises(LineError) as caught:
        pairs(parse_log(text))
    return str(caught.value)


def test_every_line_of_the_seeds_is_read() -> None:
    records = parse_log(SEEDS)
    assert [type(record).__name__ for record in records] == [
        "AuditStart",
        "AuditEnd",
        "AuditStart",
        "AuditEnd",
        "Engaged",
        "Check",
        "CopySucceeded",
        "SyncFailed",
        "CopyFailed",
        "Engaged",
        "TraceBefore",
        "TraceAfter",
        "TraceFatal",
    ]
    assert records[0] == AuditStart(
        line=1,
        op_id=0,
        ts=1738956000123456,
        stream=0x7F1234000000,
        dev_ptr=0x7F0000000000,
        host_ptr=0x7F1000000000,
        bytes=4096,
        tensor="logits",
        step=0,
        layer=-1,
    )
    assert [(pair.start.line, pair.end and pair.end.line) for pair in pairs(records)] == [
        (1, 2),
        (3, 4),
    ]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("dev_ptr=0x7f0000000000", "dev_ptr=7f0000000000", "dev_ptr must be hexadecimal with 0x"),
        ("dev_ptr=0x7f0000000000", "dev_ptr=0x", "dev_ptr must be hexadecimal with 0x, not '0x'"),
        ("dev_ptr=0x7f0000000000", "dev_ptr=0x7F0000000000", "dev_ptr must be hexadecimal with 0x"),
        ("bytes=4096", "bytes=0x1000", "bytes must be decimal, not '0x1000'"),
        ("bytes=4096", "bytes=4096 ", "expected tensor=, found ''"),
        ("bytes=4096 ", "", "expected bytes=, found 'tensor=logits'"),
        ("ts=1738956000.123456", "ts=1738956000.123", "ts must be seconds with six decimals"),
        ("op_id=0", "op_id=-1", "op_id must be decimal, not '-1'"),
        ("op_id=0", "op_id=00", "op_id must be decimal, not '00'"),
        ("step=0 layer=-1", "layer=-1 step=0", "expected step=, found 'layer=-1'"),
        ("layer=-1", "layer=ffffffff", "layer must be decimal, or -1, not 'ffffffff'"),
        (" layer=-1", "", "layer= is missing"),
        ("layer=-1", "layer=-1 more", "'more' is one word too many"),
        ("tensor=logits", "tensor=", "tensor must be one word, not ''"),
        ("[D2H_AUDIT_START]", "[D2H_AUDIT_BEGIN]", "is no line of a D2H log"),
        ("[D2H_AUDIT_START]", " [D2H_AUDIT_START]", "is no line of a D2H log"),
    ],
)
def test_a_line_in_another_spelling_is_named(old: str, new: str, said: str) -> None:
    assert old in START
    message = problem(START.replace(old, new) + "\n")
    assert message.startswith("line 1: ")
    assert said in message


def test_what_is_wrong_with_a_pair_is_named() -> None:
    assert problem(f"{END}\n") == "line 1: op_id=0 ends, but was not started"
    assert problem(f"{START}\n{START}\n") == "line 2: op_id=0 is open since line 1"
    other = END.replace("tensor=logits", "tensor=q")
    assert problem(f"{START}\n{other}\n") == "line 2: tensor is not that of line 1, which it ends"
    other = END.replace("stream=0x7f1234000000", "stream=0x0")
    assert problem(f"{START}\n{other}\n") == "line 2: stream is not that of line 1, which it ends"


def test_a_number_may_be_used_again_once_it_has_ended() -> None:
    text = f"{START}\n{END}\n" * 2
    assert len(pairs(parse_log(text))) == 2


def test_a_transfer_that_did_not_end_is_no_error() -> None:
    ((start, end),) = pairs(parse_log(f"{START}\n"))
    assert (start.tensor, end) == ("logits", None)


@pytest.mark.parametrize("cut", [1, 20, 90])
def test_a_line_that_is_cut_short_is_named(cut: int) -> None:
    assert problem(f"{START}\n{END[:-cut]}") == (
        "line 2: it is cut short: the end of the line is missing"
    )


def test_a_trace_without_its_lines_is_named() -> None:
    text = "[D2H TRACE] q:before\n  src_ptr=0x1\n  stream=0x0\n"
    assert problem(text) == "line 3: expected bytes=, found 'stream=0x0'"
    assert problem("[D2H TRACE] q:after\n") == "line 2: '  dst_ptr=' is missing below line 1"


def test_lines_of_others_are_passed_over_only_if_asked_for() -> None:
    text = f"STATUS=OK\n{START}\nhello [D2H\n{END}\n"
    assert len(parse_log(text, skip_others=True)) == 2
    assert problem(text) == "line 1: 'STATUS=OK' is no line of a D2H log"
    damaged = text.replace("bytes=4096", "bytes=")
    with pytest.raises(LineError, match="line 2: bytes must be decimal, not ''"):
        parse_log(damaged, skip_others=True)


NAMES = st.text(st.characters(min_codepoint=0x21, max_codepoint=0x7E), min_size=1)
ADDRESSES = st.integers(0, 2**64 - 1)
SIZES = st.integers(0, 2**63)
INDEXES = st.integers(-1, 2**31 - 1)
TRANSFERS = st.builds(
    Transfer, NAMES, INDEXES, INDEXES, ADDRESSES, ADDRESSES, SIZES, SIZES, ADDRESSES,
    st.builds(SourceAllocation, st.integers(1), ADDRESSES, SIZES),
)  # fmt: skip
ERROR = HipError("hipMemcpyAsync", 1, "hipErrorInvalidValue", "invalid argument")


@given(TRANSFERS, st.integers(0, 2**63), st.floats(0, 1e10))
def test_all_that_is_written_is_read_back(t: Transfer, op: int, seconds: float) -> None:
    text = (
        watch.audit_start(op, seconds, t)
        + watch.audit_end(op, seconds, t, "hipErrorInvalidValue")
        + watch.debug_check(t)
        + watch.debug_bounds(t)
        + watch.debug_succeeded()
        + watch.debug_sync_failed(t, ERROR)
        + watch.debug_failed(t, ERROR)
        + watch.debug_error("a sentence")
        + watch.trace_before(t)
        + watch.trace_after(t)
        + watch.trace_fatal(t, ERROR)
    )
    records = parse_log(text)
    start, end, _, check, bounds = records[:5]
    assert start[3:] == (t.stream, t.source, t.target, t.nbytes, t.tensor, t.step, t.layer)
    assert (start[1], end[1]) == (op, op)
    assert check[4:] == (t.source, t.target, t.offset, t.nbytes, t.allocation.nbytes)
    assert bounds[1:] == (t.tensor, t.offset, t.nbytes, t.allocation.nbytes)
    assert len(records) == 12


@given(st.text())
def test_any_text_gives_records_or_an_error_that_names_a_line(text: str) -> None:
    line = 1
    try:
        parse_log(text)
    except LineError as error:
        line = error.line
    assert 1 <= line <= text.count("\n") + 1
