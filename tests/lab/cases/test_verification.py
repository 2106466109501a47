"""Whether a fix is proven."""

from __future__ import annotations

import pytest

from greta.lab.cases.history import JudgedRuns
from greta.lab.cases.verification import verify


@pytest.mark.parametrize(
    ("before", "after", "code", "proven"),
    [
        ((20, 0), (20, 0), "verify_never_failed", False),
        ((20, 0), (20, 1), "verify_now_fails", False),
        ((20, 9), (20, 0), "verify_proven", True),
        ((200, 90), (200, 20), "verify_fewer", True),
        ((20, 5), (20, 5), "verify_not_better", False),
        ((20, 2), (20, 0), "verify_luck", False),
        ((0, 0), (20, 0), "verify_no_runs", False),
    ],
)
def test_what_the_numbers_show(
    before: tuple[int, int], after: tuple[int, int], code: str, proven: bool
) -> None:
    found = verify([JudgedRuns(*before)], [JudgedRuns(*after)])
    assert (found.code, found.proven) == (code, proven)


def test_audits_are_added_up_and_what_could_not_be_judged_does_not_count() -> None:
    found = verify([JudgedRuns(10, 4, 3), JudgedRuns(10, 5)], [JudgedRuns(20, 0, 7)])
    assert (found.before.runs, found.before.failures, found.before.inconclusive) == (20, 9, 3)
    assert found.proven
