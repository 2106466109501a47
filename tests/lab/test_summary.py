"""The verdict of a matrix."""

from __future__ import annotations

from typing import Any

import pytest

from greta.forensics.verdict import HYPOTHESES, Verdict
from greta.lab.judge import Judgement
from greta.lab.outcomes import IterationOutcome
from greta.lab.plan import Iteration, MatrixTest, Prompt, matrix
from greta.lab.summarizing import matrix_verdict, observer_of
from greta.lab.summary import UnrecordedIteration
from greta.reports.lang import Say
from tests.lab.typed import hypotheses_of, summarize, verdict_from


def verdict(confirmed: str | None = None, **changes: Any) -> Verdict:
    return verdict_from(written(confirmed, **changes))


def written(confirmed: str | None = None, **changes: Any) -> dict[str, Any]:
    """A verdict as its file has it."""
    return {
        "verdict": "REPRODUCED" if confirmed else "NOT_REPRODUCED",
        "coverage": {
            "calls": 100,
            "d2h": {"calls": 4, "bytes": 400, "audited": 4},
            "launches": 50,
            "dropped": 0,
            "complete": True,
            "gaps": [],
        },
        "hypotheses": [
            {
                "id": id_,
                "verdict": "CONFIRMED" if id_ == confirmed else "REFUTED",
                "evidence": [7] if id_ == confirmed else [],
                "examined": 10,
            }
            for id_ in HYPOTHESES
        ],
        "blamed": None,
        "cause": {"hypothesis": confirmed, "seq": 7, "confidence": 0.9} if confirmed else None,
        "next_steps": [],
        "next_step_codes": [],
        **changes,
    }


def outcomes(test: MatrixTest, count: int, failing: tuple[int, ...] = ()) -> list[IterationOutcome]:
    made = []
    for number in range(count):
        one = IterationOutcome(
            Iteration(test, number, Prompt("p0", "x"), number), f"run/{test.id}.0"
        )
        one.seconds = 1.0 + 0.01 * (number % 7) + (0.1 if test.audited else 0.0)
        one.range = (1, 10)
        one.problems = ["hip_error"] if number in failing else []
        made.append(one)
    return made


def test_all_seen_to_pass_is_not_reproduced_with_its_bound() -> None:
    tests = matrix(20, 0, ["none"])
    all_ = [one for test in tests for one in outcomes(test, 20)]
    summary = summarize(tests, all_, [Judgement("run/A.0", verdict())])
    assert summary["verdict"] == "NOT_REPRODUCED"
    assert summary["statistics"]["runs"] == 40
    assert summary["statistics"]["failure_rate_upper_95"] == pytest.approx(1 - 0.05 ** (1 / 40))
    assert [test["result"] for test in summary["tests"]] == ["PASS", "PASS"]


def test_one_failure_is_reproduced_and_shows_the_cause() -> None:
    tests = matrix(20, 0, ["none"])
    failed = outcomes(tests[0], 20, (3,))
    judged = Judgement("run/A.0", verdict("missing_sync"))
    summary = summarize(tests, failed + outcomes(tests[1], 20), [judged])
    assert summary["verdict"] == "REPRODUCED"
    assert summary["cause"]["hypothesis"] == "missing_sync"
    assert summary["cause"]["run"] == "run/A.0"
    confirmed = [one["id"] for one in summary["hypotheses"] if one["verdict"] == "CONFIRMED"]
    assert confirmed == ["missing_sync"]


def test_a_finding_outside_of_every_iteration_counts() -> None:
    tests = matrix(5, 0, ["none"])
    judged = Judgement("run/A.0", verdict("bad_pointer"), outside=["bad_pointer"])
    assert matrix_verdict(outcomes(tests[0], 5), [judged], None) == "REPRODUCED"


@pytest.mark.parametrize("partial", ["interrupted", "failed"])
def test_an_audit_that_was_cut_short_concludes_nothing_from_silence(partial: str) -> None:
    tests = matrix(5, 0, ["none"])
    judged = [Judgement("run/A.0", verdict())]
    assert matrix_verdict(outcomes(tests[0], 5), judged, partial) == "INCONCLUSIVE"
    assert matrix_verdict(outcomes(tests[0], 5, (2,)), judged, partial) == "REPRODUCED"


def test_nothing_ran_is_inconclusive() -> None:
    assert matrix_verdict([], [], None) == "INCONCLUSIVE"


def test_what_the_observer_costs() -> None:
    tests = matrix(30, 0, ["none"])
    both = outcomes(tests[0], 30) + outcomes(tests[1], 30)
    twins = [UnrecordedIteration(number, "p0", 0.98, False) for number in range(10)]
    observer = observer_of(both, twins)
    assert observer.audit is not None
    assert observer.recorder is not None
    assert observer.audit.slowdown == pytest.approx(1.1, abs=0.02)
    assert observer.audit.interval_95[0] > 1.05
    assert observer.recorder.slowdown == pytest.approx(1.05, abs=0.02)
    assert (observer.audit.pairs, observer.recorder.pairs) == (30, 10)


def recorder_pairs(
    outcomes: list[IterationOutcome], twins: list[UnrecordedIteration]
) -> int | None:
    recorder = observer_of(outcomes, twins).recorder
    return recorder.pairs if recorder else None


def test_what_failed_or_warmed_up_is_no_pair() -> None:
    test, _ = matrix(30, 0, ["none"])
    baseline = outcomes(test, 30, failing=(3,))
    for number in (0, 5):
        baseline[number].warm_up = True
    twins = [UnrecordedIteration(number, "p0", 1.0, number in (0, 1)) for number in range(12)]
    again = UnrecordedIteration(
        4, "p0", 2.0, False
    )  # of an audit that was taken up: the last one counts
    assert recorder_pairs(baseline, twins) == 8
    assert recorder_pairs(baseline, [*twins, again]) == 8
    assert observer_of(baseline, twins[:8]).recorder is None  # five pairs allow no interval


def test_profiles_are_paired_with_their_own() -> None:
    first, audited, second, _ = (one for one in matrix(9, 0, ["none", "serialize"]))
    one = [*outcomes(first, 9), *outcomes(audited, 9)]
    audit = observer_of([*one, *outcomes(second, 9)], []).audit
    assert audit is not None
    assert audit.pairs == 9


def test_iterations_share_their_factors() -> None:
    tests = matrix(3, 0, ["none"])
    judged = [
        Judgement("run/A.0", verdict(), {"binary": "x"}),
        Judgement("run/B.0", verdict(), {"binary": "y"}),
    ]
    both = outcomes(tests[0], 3) + outcomes(tests[1], 3)
    summary = summarize(tests, both, judged)
    assert summary["factor_sets"] == [{"binary": "x"}, {"binary": "y"}]
    assert [one["factors"] for one in summary["iterations"]] == [0, 0, 0, 1, 1, 1]


def test_what_the_runs_counted_is_told_together() -> None:
    judgements = []
    for run in ("run/A.0", "run/B.0"):
        own = written("upstream_kernel_fault")
        for one in own["hypotheses"]:
            one["data"] = {"examined": 10, "found": int(one["verdict"] == "CONFIRMED")}
        judgements.append(Judgement(run, verdict_from(own)))
    tests = matrix(1, 0, ["none"])
    all_ = [one for test in tests for one in outcomes(test, 1, (0,))]
    [faulty] = [
        one
        for one in summarize(tests, all_, judgements)["hypotheses"]
        if one["id"] == "upstream_kernel_fault"
    ]
    assert (faulty["data"]["found"], faulty["data"]["examined"], faulty["examined"]) == (2, 20, 20)


def limited(*missing: str) -> dict[str, Any]:
    """A run that refutes missing_sync, or would but for limits."""
    own = written()
    [one] = [one for one in own["hypotheses"] if one["id"] == "missing_sync"]
    one["verdict"] = "INCONCLUSIVE" if missing else "REFUTED"
    one["code"] = "ruling_limited" if missing else "missing_sync_refuted"
    one["missing"] = list(missing)
    one["data"] = {"examined": 10, "found": 0, "missing": list(missing)}
    return own


def test_a_limit_of_one_run_is_one_of_the_audit() -> None:
    runs = [limited(), limited("host_accesses"), limited("zero_copy", "host_accesses")]
    for order in (runs, runs[::-1]):
        judgements = [
            Judgement(f"run/A.{place}", verdict_from(own)) for place, own in enumerate(order)
        ]
        [found] = [one for one in hypotheses_of(judgements) if one["id"] == "missing_sync"]
        assert (found["verdict"], found["code"]) == ("INCONCLUSIVE", "ruling_limited")
        assert set(found["missing"]) == {"host_accesses", "zero_copy"}


LOOK = Say("en")("step_see_output", exit_code=143)


def test_who_interrupts_an_audit_does_not_blame_its_children() -> None:
    tests = matrix(5, 0, ["none"])
    ended = verdict(
        verdict="INCONCLUSIVE",
        reason_code="verdict_program_failed",
        reason_data={"exit_code": 143},
        next_step_codes=[{"code": "step_see_output", "data": {"exit_code": 143}}],
    )
    judged = [Judgement("run/A.0", ended)]
    interrupted = summarize(tests, outcomes(tests[0], 3), judged, (), "interrupted")
    assert (interrupted["verdict"], interrupted["next_steps"]) == ("INCONCLUSIVE", [])
    assert "reason_code" not in interrupted
    failed = summarize(tests, outcomes(tests[0], 3), judged, (), "failed")
    assert (failed["reason_code"], failed["next_steps"]) == ("verdict_program_failed", [LOOK])


@pytest.mark.parametrize(("missing", "steps"), [(["host_accesses"], ["step_watch_host"]), ([], [])])
def test_what_only_the_watched_host_shows_is_the_next_step(
    missing: list[str], steps: list[str]
) -> None:
    tests = matrix(3, 0, ["none"])[:1]
    failed = outcomes(tests[0], 3, (1,))
    found = written()
    found["hypotheses"][2]["missing"] = missing
    summary = summarize(tests, failed, [Judgement("run/A.0", verdict_from(found))])
    assert [one["code"] for one in summary["next_step_codes"]] == steps
