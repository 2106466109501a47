"""In which base the numbers of [D2H_CHECK] lines are: decided for the whole file, from evidence."""

from __future__ import annotations

import pytest

from greta.trace.trace import Gap
from tests.trace.logs.reading import Logs, sizes


def check(pointer: str, offset: str, size: str, step: str = "0", alloc: str = "1000000") -> str:
    return (
        f"[D2H_CHECK] tensor=t step={step} layer={step} src_ptr={pointer} dst_ptr=239cf900 "
        f"offset={offset} size={size} alloc={alloc}\n"
    )


def test_one_letter_anywhere_decides_for_all_lines(logs: Logs) -> None:
    trace = logs.one(check("7c0000001000", "1000", "4096") + check("7c00", "0", "7d400")).trace
    assert sizes(trace) == [0x4096, 0x7D400]
    assert Gap.NO_SIZES not in trace.gaps


def test_a_minus_sign_says_decimal(logs: Logs) -> None:
    assert sizes(logs.one(check("7c0000001000", "0", "4096", step="-1")).trace) == [4096]


def test_minus_one_in_hexadecimal_is_no_step(logs: Logs) -> None:
    trace = logs.one(check("7c0000001000", "0", "10", step="ffffffff")).trace
    assert sizes(trace) == [16]
    assert trace.describe(1).annotations == ("tensor=t",)


def test_addresses_with_0x_go_with_decimal_sizes(logs: Logs) -> None:
    assert sizes(logs.one(check("0x7c0000001000", "0", "4096")).trace) == [4096]


def test_a_number_with_0x_is_hexadecimal_in_any_company(logs: Logs) -> None:
    assert sizes(logs.one(check("0x7c0000001000", "0", "0x4096")).trace) == [0x4096]


def test_digits_alone_are_decided_by_where_the_allocation_begins(logs: Logs) -> None:
    hexadecimal = check("7c0000001000", "1000", "100") + check("7c0000002000", "2000", "100")
    assert sizes(logs.one(hexadecimal).trace) == [0x100, 0x100]
    decimal = check("7c0000001000", "4096", "100") + check("7c0000002000", "8192", "100")
    trace = logs.one(decimal).trace
    assert sizes(trace) == [100, 100]
    assert Gap.NO_SIZES not in trace.gaps


def test_without_evidence_the_usual_base_is_taken_and_the_doubt_is_told(logs: Logs) -> None:
    evidence = logs.one(check("7c0000001000", "0", "4096"))
    assert sizes(evidence.trace) == [0x4096]
    assert Gap.NO_SIZES in evidence.trace.gaps


def test_builds_of_both_kinds_in_one_file_are_decided_apart(logs: Logs) -> None:
    text = check("0x7c0000001000", "0", "4096") + check("7d0000001000", "0", "7d400")
    assert sizes(logs.one(text).trace) == [4096, 0x7D400]


@pytest.mark.parametrize("size", ["", "4k", "0x", "12345678901234567890123", "-"])
def test_what_is_no_number_is_not_guessed(logs: Logs, size: str) -> None:
    trace = logs.one(check("0x7c0000001000", "0", size) + check("0x7c0000002000", "0", "8")).trace
    assert sizes(trace) == [8]
    assert Gap.DAMAGED in trace.gaps


def test_the_evidence_is_told(logs: Logs) -> None:
    (message,) = logs.one(check("7c0000001000", "0", "7d400")).messages
    assert (message.source, "size=7d400 in line 1" in message.text) == ("base", True)
