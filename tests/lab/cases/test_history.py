"""Audits of a case over days."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from greta.errors import UsageError
from greta.lab.cases.history import find_audits, history, require_case


def write(artifacts: Path, date: str, case: str, folder: str = "", **more: Any) -> None:
    place = artifacts / date / (folder or case)
    place.mkdir(parents=True)
    summary = {"schema": 1, "case": case, "started": f"{date}T10:00:00", **more}
    (place / "summary.json").write_text(json.dumps(summary))


def cause(call: str, kernel: str | None = None) -> dict[str, Any]:
    return {"hypothesis": "upstream_kernel_fault", "call": call, "kernel": kernel}


def test_the_evolution_of_a_diagnosis(tmp_path: Path) -> None:
    write(tmp_path, "2026-02-06", "d2h", verdict="INCONCLUSIVE")
    write(tmp_path, "2026-02-07", "d2h", verdict="REPRODUCED", cause=cause("hipMemcpy"))
    launch = cause("hipModuleLaunchKernel", "rope")
    write(tmp_path, "2026-02-08", "d2h", verdict="REPRODUCED", cause=launch)
    write(tmp_path, "2026-02-09", "d2h", verdict="NOT_REPRODUCED")
    entries = history(find_audits(tmp_path, "d2h"))
    told = [entry.diagnosis for entry in entries]
    assert told == ["first", "seen_again", "cause_changed", "no_longer_seen"]


def test_an_audit_that_judged_nothing_says_nothing_of_the_fault(tmp_path: Path) -> None:
    write(tmp_path, "2026-02-06", "d2h", verdict="REPRODUCED", cause=cause("hipMemcpy"))
    write(tmp_path, "2026-02-07", "d2h", verdict="INCONCLUSIVE")
    passed = [{"result": "PASS"}, {"result": "INCONCLUSIVE"}]
    write(tmp_path, "2026-02-08", "d2h", verdict="REPRODUCED", cause=cause("hipMemcpy"))
    write(tmp_path, "2026-02-09", "d2h", verdict="INCONCLUSIVE", iterations=passed)
    told = [entry.diagnosis for entry in history(find_audits(tmp_path, "d2h"))]
    assert told == ["first", "nothing_judged", "unchanged", "no_longer_seen"]


def test_what_changed_is_named(tmp_path: Path) -> None:
    for date, commit in (("2026-02-06", "303b634"), ("2026-02-07", "a5f004c")):
        environment = {"commit": commit, "host": "a"}
        write(tmp_path, date, "d2h", verdict="INCONCLUSIVE", environment=environment)
    (change,) = history(find_audits(tmp_path, "d2h"))[1].changes
    assert (change.name, change.before, change.after) == (
        "environment.commit",
        "303b634",
        "a5f004c",
    )


def test_two_audits_of_a_day_and_other_cases(tmp_path: Path) -> None:
    write(tmp_path, "2026-02-06", "one")
    write(tmp_path, "2026-02-06", "one", "one.2")
    write(tmp_path, "2026-02-06", "two")
    assert len(find_audits(tmp_path, "one")) == 2
    assert len(find_audits(tmp_path)) == 3


@pytest.mark.parametrize("text", ["", "{", "[1]", '{"schema": 2}', "[" * 100_000])
def test_what_is_no_summary_is_no_audit(tmp_path: Path, text: str) -> None:
    place = tmp_path / "2026-02-06" / "case"
    place.mkdir(parents=True)
    (place / "summary.json").write_text(text)
    assert find_audits(tmp_path) == []


def test_a_case_that_is_not_there_is_said_with_those_that_are(tmp_path: Path) -> None:
    write(tmp_path, "2026-02-06", "d2h")
    with pytest.raises(UsageError, match=r"no entry of the case 'x'.*there are: d2h"):
        require_case(tmp_path, "x")


def test_iterations_become_observations(tmp_path: Path) -> None:
    iterations = [
        {"result": "FAIL", "prompt": "p0", "factors": 0},
        {"result": "PASS", "prompt": "p1", "factors": 1},
        {"result": "INCONCLUSIVE", "prompt": "p1", "factors": 99},
    ]
    sets = [{"binary": "a"}, {"binary": "b"}]
    write(tmp_path, "2026-02-06", "d2h", iterations=iterations, factor_sets=sets)
    (audit,) = find_audits(tmp_path)
    assert [one.factors["binary"] for one in audit.observations] == ["a", "b"]
    assert (audit.judged.runs, audit.judged.failures, audit.judged.inconclusive) == (2, 1, 1)
