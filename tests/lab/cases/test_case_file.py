"""A case is closed, and open again, for what its entries really show."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from greta.errors import UsageError
from greta.lab.cases.case_file import CaseFacts, Closing, close, is_reopened
from greta.lab.cases.history import find_audits

AT = "2026-02-20T12:00:00+00:00"
FIXED = Closing("fixed", AT)
FAILED, CLEAN = "REPRODUCED", "NOT_REPRODUCED"


def put(
    root: Path,
    day: str,
    verdict: str,
    runs: int = 0,
    hour: str = "10",
    log: bool = False,
    **more: Any,
) -> Path:
    """An audit of so many equal iterations, or a log."""
    place = root / day / f"d2h.{len(list(root.glob('*/*')))}"
    place.mkdir(parents=True)
    iterations = [{"result": "FAIL" if verdict == FAILED else "PASS"}] * runs
    started = f"{day}T{hour}:00:00+00:00" if hour and not log else ""
    summary = {"schema": 1, "case": "d2h", "verdict": verdict, "iterations": iterations}
    (place / "summary.json").write_text(json.dumps({**summary, "started": started, **more}))
    if log:
        entry = {"source": "log", "path": place.name, "added": "2026-02-21T00:00:00+00:00"}
        (place / "entry.json").write_text(json.dumps(entry))
    return place


def closed(root: Path) -> CaseFacts:
    return close(CaseFacts(), find_audits(root, "d2h"), FIXED)


def test_runs_before_and_after_prove_a_fix(tmp_path: Path) -> None:
    put(tmp_path, "2026-02-06", FAILED, 5)
    put(tmp_path, "2026-02-07", CLEAN, 5)
    assert closed(tmp_path).closed == FIXED


def test_logs_of_crashes_are_no_failing_runs(tmp_path: Path) -> None:
    for _ in range(5):
        put(tmp_path, "2026-02-06", FAILED, log=True)
    put(tmp_path, "2026-02-07", CLEAN, 20)
    with pytest.raises(UsageError, match="logs are not counted"):
        closed(tmp_path)


def test_the_same_evidence_added_twice_counts_once(tmp_path: Path) -> None:
    for _ in range(2):
        put(tmp_path, "2026-02-06", FAILED, 2)
        put(tmp_path, "2026-02-07", CLEAN, 3)
    with pytest.raises(UsageError, match="runs after the fix without a failure would prove it"):
        closed(tmp_path)
    put(tmp_path, "2026-02-06", FAILED, 2, hour="11")
    put(tmp_path, "2026-02-07", CLEAN, 3, hour="11")
    assert closed(tmp_path).closed == FIXED


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        ("device", {"device": {"kind": "sim"}}, {"device": {"kind": "hip"}}),
        ("program.path", {"program": {"path": "/a"}}, {"program": {"path": "/b"}}),
    ],
)
def test_sides_that_differ_prove_no_fix(
    tmp_path: Path, name: str, before: dict[str, Any], after: dict[str, Any]
) -> None:
    put(tmp_path, "2026-02-06", FAILED, 5, **before)
    put(tmp_path, "2026-02-07", CLEAN, 5, **after)
    with pytest.raises(UsageError, match=f"also differ in {name}"):
        closed(tmp_path)


def test_a_changed_file_at_the_same_path_is_the_fix(tmp_path: Path) -> None:
    for day, word, letter in (("06", FAILED, "a"), ("07", CLEAN, "b")):
        program = {"path": "/app", "sha256": letter * 64, "build_id": letter * 40}
        put(tmp_path, f"2026-02-{day}", word, 5, program=program, environment={"commit": letter})
    assert closed(tmp_path).closed == FIXED


def test_a_chance_of_exactly_5_percent_is_not_below_it(tmp_path: Path) -> None:
    put(tmp_path, "2026-02-06", FAILED, 3)
    put(tmp_path, "2026-02-07", CLEAN, 3)
    with pytest.raises(UsageError, match="4 runs after the fix"):
        closed(tmp_path)


def test_a_log_of_the_same_day_may_be_later_than_the_runs_without_the_fault(tmp_path: Path) -> None:
    put(tmp_path, "2026-02-06", FAILED, 5)
    put(tmp_path, "2026-02-07", CLEAN, 5)
    put(tmp_path, "2026-02-07", FAILED, log=True)
    with pytest.raises(UsageError, match="not proven"):
        closed(tmp_path)


def test_clean_runs_of_an_unknown_hour_are_not_after_a_fault_of_that_day(tmp_path: Path) -> None:
    put(tmp_path, "2026-02-07", FAILED, 5)
    put(tmp_path, "2026-02-07", CLEAN, 20, hour="")
    with pytest.raises(UsageError, match="not proven"):
        closed(tmp_path)


@pytest.mark.parametrize(("day", "again"), [("2026-02-05", False), ("2026-02-22", True)])
def test_a_case_is_open_again_for_a_fault_that_is_later_than_its_end(
    tmp_path: Path, day: str, again: bool
) -> None:
    put(tmp_path, day, FAILED, log=True)  # added after the case was closed
    assert is_reopened(CaseFacts(closed=FIXED), find_audits(tmp_path, "d2h")) is again
