"""Which programs ran in an audit: whether two of them stood for one, and what that shows."""

from __future__ import annotations

from typing import Any

import pytest

from greta.lab.judge import Judgement
from greta.lab.plan import matrix
from greta.lab.programs import programs_of, rivals
from greta.lab.summary import ProgramFacts
from greta.reports.sections import compose
from tests.facts import run_facts
from tests.lab.test_summary import outcomes, verdict
from tests.lab.typed import summarize
from tests.reports.documents import reported

NEW = ProgramFacts("/build/eng", "aa" * 32, "a1" * 20)
OLD = ProgramFacts("/old/eng", "bb" * 32, "b1" * 20)
STRIPPED = ProgramFacts("/stripped/eng", "cc" * 32, "a1" * 20)
HELPER = ProgramFacts("/build/helper", "dd" * 32, "")


@pytest.mark.parametrize(
    ("runs", "expected"),
    [
        ([(NEW,), (NEW,)], set()),
        ([(NEW,), (OLD,), (NEW,)], {NEW, OLD}),
        ([(NEW,), (HELPER,)], {NEW, HELPER}),  # one program each: they are one to who started it
        ([(NEW,), (STRIPPED,)], set()),  # another file of the same build
        ([(NEW, HELPER), (NEW,)], set()),  # beside it, not in its place
        ([(NEW, HELPER), (OLD, HELPER)], {NEW, OLD}),
        ([(NEW, OLD), (NEW, OLD)], set()),
        ([(NEW, OLD), (NEW,)], set()),
        ([(), (NEW,)], set()),
    ],
)
def test_who_took_whose_place(
    runs: list[tuple[ProgramFacts, ...]], expected: set[ProgramFacts]
) -> None:
    assert rivals({f"run/A.{place}": own for place, own in enumerate(runs)}) == expected


def test_of_a_script_what_it_started_counts() -> None:
    script = {"path": "/start.sh", "real_path": "/start.sh", "sha256": "11" * 32}
    shell = {"path": "/bin/sh", "real_path": "/usr/bin/dash", "sha256": "22" * 32}
    facts = {"path": OLD.path, "real_path": OLD.path, "sha256": OLD.sha256}
    run: dict[str, Any] = {
        "program": shell,
        "script": script,
        "executables": [{**facts, "build_id": OLD.build_id}],
        "processes": [{"pid": 7, "executable": OLD.path, "calls": 11}],
    }
    assert programs_of(run_facts(**run)) == (OLD,)
    idle = {**run, "processes": [{"pid": 7, "executable": OLD.path, "calls": 0}]}
    assert programs_of(run_facts(**idle)) == ()
    assert programs_of(run_facts()) == ()


def audited(stale: tuple[int, ...], failing: tuple[int, ...], count: int = 12) -> dict[str, Any]:
    """An audit of a script that starts the old program in some iterations."""
    tests = matrix(count, 0, ["none"])[:1]
    all_, judged = outcomes(tests[0], count, failing), []
    for number, one in enumerate(all_):
        one.run = f"run/A.{number}"
        ran = OLD if number in stale else NEW
        factors = {"binary": f"eng {str(ran.sha256)[:16]}"}
        judged.append(Judgement(one.run, verdict(), factors, (ran,)))
    return summarize(tests, all_, judged)


def ruling(summary: dict[str, Any]) -> dict[str, Any]:
    found: list[dict[str, Any]] = summary["hypotheses"]
    return next(one for one in found if one["id"] == "wrong_binary")


def test_a_binary_that_fails_where_the_other_passes_is_a_wrong_one() -> None:
    summary = audited(stale=(1, 4, 7, 10), failing=(1, 4, 7, 10))
    found = ruling(summary)
    assert (found["verdict"], found["code"]) == ("CONFIRMED", "binaries_separate")
    assert "/old/eng bbbbbbbbbbbbbbbb (runs: 4, failed: 4)" in found["reason"]
    assert "/build/eng aaaaaaaaaaaaaaaa (runs: 8, failed: 0)" in found["reason"]
    assert [one["code"] for one in summary["next_step_codes"]] == ["step_one_binary"]
    assert summary["programs"] == [
        {**vars(NEW), "runs": 8, "failures": 0},
        {**vars(OLD), "runs": 4, "failures": 4},
    ]


@pytest.mark.parametrize("failing", [(), (0, 1)])
def test_two_binaries_that_failures_do_not_tell_apart_leave_it_open(
    failing: tuple[int, ...],
) -> None:
    found = ruling(audited(stale=(1, 4, 7, 10), failing=failing))
    assert (found["verdict"], found["code"]) == ("INCONCLUSIVE", "binaries_differ")
    assert "/old/eng bbbbbbbbbbbbbbbb" in found["reason"]


def test_one_binary_in_all_runs_changes_nothing() -> None:
    summary = audited(stale=(), failing=(3,))
    assert ruling(summary)["verdict"] == "REFUTED"
    assert summary["next_step_codes"] == []


@pytest.mark.parametrize("lang", ["en", "es"])
def test_the_report_names_both_files(lang: Any) -> None:
    page = compose(reported(audited(stale=(1, 4, 7, 10), failing=(1, 4, 7, 10))), lang)
    told = {section.name: str(section.blocks) for section in page.sections}
    for name in ("hypotheses", "environment"):
        assert "/old/eng" in told[name]
        assert "bbbbbbbbbbbbbbbb" in told[name]
