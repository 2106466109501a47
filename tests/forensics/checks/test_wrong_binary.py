"""What ran against what was meant, from facts alone; tests/runs/gather has real files."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from greta.forensics.case import Case
from greta.forensics.checks.wrong_binary import CODES, examine
from greta.forensics.verdict import Outcome, Ruling
from greta.trace import trace as t
from greta.trace.evidence import Evidence, Expectations
from tests.facts import binary_facts, run_facts

BUILT = "2026-01-02T10:00:00+00:00"
LATER = "2026-01-02T11:00:00+00:00"
EARLIER = "2026-01-02T09:00:00+00:00"
SUBJECT = {
    "path": "/p/app",
    "real_path": "/p/app",
    "sha256": "ab" * 32,
    "build_id": "cd" * 20,
    "modified": BUILT,
    "git": {"tracked": True},
}


def ruled(
    expectations: Expectations = Expectations(),  # noqa: B008
    run: dict[str, Any] | None = None,
    **facts: Any,
) -> Ruling:
    binary = binary_facts(**{"subject": SUBJECT, "unchanged": True, **facts}) if facts else None
    trace = t.Trace(
        np.zeros(0, t.OPERATION),
        np.zeros(0, t.ACCESS),
        np.zeros(0, t.ALLOCATION),
        np.zeros(0, t.STREAM),
        (),
        lambda seq: pytest.fail("not needed"),
    )
    ran = run_facts(**(run or {}))
    return examine(Case(Evidence(trace, run=ran, binary=binary, expectations=expectations)))


def newer(**facts: Any) -> dict[str, Any]:
    source: dict[str, Any] = {"path": "/p/app.cpp", "modified": LATER}
    source |= {"as_compiled": None, "changed": None, "committed": None, **facts}
    return {"sources": {"known_by": "name", "examined": 1, "newer": [source]}}


@pytest.mark.parametrize(
    "expected",
    [
        {"digits": "ababab"},
        {"digits": "cdcdcd"},
        {"path": "/b/app", "sha256": "ab" * 32, "build_id": None},
        {"path": "/b/app", "sha256": "00" * 32, "build_id": "cd" * 20},  # stripped
    ],
)
def test_the_expected_build_is_refuted(expected: dict[str, Any]) -> None:
    ruling = ruled(expected=expected)
    assert (ruling.outcome, ruling.code) == (Outcome.REFUTED, "wrong_binary_refuted")


def test_where_no_build_was_named_nobody_claims_that_it_was_the_one() -> None:
    sources = {"known_by": "debug information", "examined": 3, "newer": []}
    ruling = ruled(provenance={"sources": sources}, texts={"[D2H_CHECK]": True})
    assert (ruling.outcome, ruling.code) == (Outcome.REFUTED, "wrong_binary_refuted_unnamed")
    assert ruling.data["checked"] == ("texts", "newer_builds", "sources")
    assert set(ruling.data) == set(CODES[ruling.code])


SOURCES: dict[str, Any] = {"sources": {"known_by": "name", "examined": 3, "newer": []}}


def test_a_program_that_did_not_start_is_not_cleared() -> None:
    ruling = ruled(run={"exit": {"code": 127, "signal": None}}, provenance=SOURCES)
    assert (ruling.outcome, ruling.missing) == (Outcome.INCONCLUSIVE, ("program_start",))
    ended = ruled(run={"exit": {"code": 0, "signal": None}}, provenance=SOURCES)
    assert ended.outcome is Outcome.REFUTED


def test_that_no_newer_build_lies_beside_it_decides_nothing() -> None:
    ruling = ruled(provenance={"sources": {"examined": 0}, "newer_builds": []})
    assert (ruling.outcome, ruling.missing) == (Outcome.INCONCLUSIVE, ("decisive_comparison",))
    assert ruled(provenance=SOURCES | {"newer_builds": []}).outcome is Outcome.REFUTED


@pytest.mark.parametrize(
    "expected",
    [
        {"digits": "ababac"},
        {"path": "/b/app", "sha256": "00" * 32, "build_id": "00" * 20},
        {"path": "/b/app", "sha256": "00" * 32, "build_id": None},
    ],
)
def test_another_build_is_confirmed(expected: dict[str, Any]) -> None:
    ruling = ruled(expected=expected)
    assert ruling.outcome is Outcome.CONFIRMED
    assert ruling.findings[0].code == "other_build"


def test_a_library_is_compared_with_the_library_that_was_loaded() -> None:
    expected = {"path": "/b/libx.so", "sha256": "00" * 32, "build_id": "ee" * 20}
    good = ruled(expected=expected, loaded=[{"path": "/l/libx.so", "build_id": "ee" * 20}])
    assert good.outcome is Outcome.REFUTED
    bad = ruled(expected=expected, loaded=[{"path": "/l/libx.so", "build_id": "ff" * 20}])
    assert bad.outcome is Outcome.CONFIRMED


@pytest.mark.parametrize("table", ["texts", "asked"])
def test_texts_are_there_or_not_or_nobody_knows(table: str) -> None:
    outcomes = []
    for found in (True, False, None):
        facts: dict[str, Any] = {table: {"x": found}}
        outcomes.append(ruled(**facts).outcome)
    assert outcomes == [Outcome.REFUTED, Outcome.CONFIRMED, Outcome.INCONCLUSIVE]


@pytest.mark.parametrize(
    ("facts", "outcome", "strength"),
    [
        ({"as_compiled": False}, Outcome.CONFIRMED, 2),
        ({"as_compiled": True, "changed": True}, Outcome.REFUTED, None),
        ({"changed": True, "committed": EARLIER}, Outcome.CONFIRMED, 2),
        ({"changed": False, "committed": LATER}, Outcome.CONFIRMED, 1),
        ({"changed": False, "committed": EARLIER}, Outcome.INCONCLUSIVE, None),  # a checkout
        ({}, Outcome.INCONCLUSIVE, None),  # saved again, maybe as it was
    ],
)
def test_times_of_sources_are_believed_as_far_as_they_can_be(
    facts: dict[str, Any], outcome: Outcome, strength: int | None
) -> None:
    ruling = ruled(provenance=newer(**facts))
    assert ruling.outcome is outcome
    assert [finding.strength for finding in ruling.findings] == ([strength] if strength else [])


def test_sources_that_are_all_older_are_refuted() -> None:
    sources = {"known_by": "debug information", "examined": 3, "newer": []}
    ruling = ruled(provenance={"sources": sources})
    assert (ruling.outcome, ruling.examined) == (Outcome.REFUTED, 4)


def test_sources_of_which_not_all_were_read_are_left_open() -> None:
    sources = {"known_by": "debug information", "examined": 3, "complete": False, "newer": []}
    assert ruled(provenance={"sources": sources}).missing == ("all_sources",)


def test_a_tracked_file_whose_source_was_committed_since_is_confirmed() -> None:
    [finding] = ruled(provenance=newer(committed=LATER, program_committed=BUILT)).findings
    assert finding.code == "source_committed_since"
    assert (finding.data["source_time"], finding.data["built"]) == (LATER, BUILT)
    compiled = newer(as_compiled=True, committed=LATER, program_committed=BUILT)
    assert ruled(provenance=compiled).findings == ()


def test_a_tracked_file_in_place_of_a_build_is_confirmed() -> None:
    ruling = ruled(provenance={"newer_builds": [{"path": "/p/build/app", "modified": LATER}]})
    assert ruling.findings[0].code == "tracked_file"


def test_nothing_to_compare_is_not_exercised() -> None:
    assert ruled().outcome is Outcome.NOT_EXERCISED
    nothing = {"sources": {"known_by": "nothing", "examined": 0, "newer": []}}
    untracked = {**SUBJECT, "git": None}
    assert ruled(subject=untracked, provenance=nothing).outcome is Outcome.NOT_EXERCISED


@pytest.mark.parametrize("expectations", [Expectations("abcdef"), Expectations(texts=("x",))])
def test_expectations_of_a_run_of_which_nothing_is_known_stay_open(
    expectations: Expectations,
) -> None:
    assert ruled(expectations).outcome is Outcome.INCONCLUSIVE


def test_findings_have_the_data_that_their_sentences_need() -> None:
    ruling = ruled(
        expected={"digits": "000000"},
        texts={"x": False},
        asked={"GCORE_D2H_AUDIT": False},
        provenance={
            **newer(as_compiled=False),
            "newer_builds": [{"path": "/p/build/app", "modified": LATER}],
        },
    )
    codes = {code for code in CODES if not code.startswith("wrong_binary_")}
    assert {finding.code for finding in ruling.findings} == codes - {"source_committed_since"}
    for finding in ruling.findings:
        assert set(finding.data) == set(CODES[finding.code])
    assert set(ruling.data) == set(CODES[ruling.code])
