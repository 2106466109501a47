"""An audit against a workload that does what the test wants it to."""

from __future__ import annotations

import json
import os
import signal
import threading
import time
from pathlib import Path
from typing import Any

import pytest

import greta
from greta.forensics.verdict import Saying
from greta.hip import SimTree
from greta.lab import children, worker
from greta.lab.audit import Audit, WorkloadAudit
from greta.lab.children import group_of
from greta.lab.plan import Prompt, matrix, schedule
from greta.lab.resume import restored
from greta.lab.worker import Setup
from greta.runs.device import choose_run_device
from tests.conftest import ROOT
from tests.lab.typed import summarize, summary_from

LIED = ["hip_error", "bad_pointer"]
PROMPTS = [Prompt("p0", "x")]


def environment() -> dict[str, str]:
    paths = [str(Path(greta.__file__).parents[1]), str(ROOT)]
    device = choose_run_device("sim", {})
    return {**device.environment, "PYTHONPATH": os.pathsep.join(paths)}


def audit_of(folder: Path, plan: str, iterations: int, **how: Any) -> WorkloadAudit:
    setup = Setup(None, "sim", 1, 1, ("tests.lab.fake_workload", plan))
    tests = [test for test in matrix(iterations, 0, ["none"]) if test.id == "B"]
    folder.mkdir(exist_ok=True)
    how.setdefault("seconds_per_iteration", 60.0)
    return WorkloadAudit(
        folder=folder,
        setup=setup,
        schedule=schedule(tests, PROMPTS, 0),
        environment=environment(),
        **how,
    )


def results(audit: WorkloadAudit) -> list[str]:
    return [outcome.result for outcome in audit.outcomes]


def problems(audit: WorkloadAudit) -> list[list[str]]:
    return [outcome.problems for outcome in audit.outcomes]


@pytest.fixture(autouse=True)
def _on_the_simulated_device(sim_tree: SimTree) -> None:
    pass


def test_what_goes_wrong_in_an_iteration_costs_that_iteration(tmp_path: Path) -> None:
    audit = audit_of(tmp_path, "1=segfault,3=kill,5=differ,6=lie,7=garble", 9)
    audit.run()
    assert problems(audit) == [
        [],
        ["died"],
        [],
        ["died"],
        [],
        ["output_differs"],
        LIED,
        ["garbled"],
        [],
    ]
    assert audit.partial is None
    # A child after each death; none of their folders was used twice.
    assert [one.run for one in audit.judgements] == [f"run/B.{number}" for number in range(4)]
    lied = audit.outcomes[6]
    assert (lied.result, lied.error and lied.error.call) == ("FAIL", "hipMemcpy")
    summary = summarize([audit.schedule[0].test], audit.outcomes, audit.judgements)
    assert (summary["verdict"], summary["statistics"]["failures"]) == ("REPRODUCED", 5)


def test_a_hang_costs_one_iteration_and_its_stack_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker, "_STACK_SECONDS", 0.5)
    audit = audit_of(tmp_path, "1=hang", 3, seconds_per_iteration=2.0)
    audit.run()
    assert problems(audit) == [[], ["timeout"], []]
    stack = (tmp_path / "run" / "B.0" / "stderr.log").read_text()
    assert "hang_here" in stack


def test_a_workload_that_does_not_start_is_inconclusive(tmp_path: Path) -> None:
    audit = audit_of(tmp_path, "start=fail", 9)
    audit.run()
    assert results(audit) == ["INCONCLUSIVE"] * 3  # and then it is enough
    assert (audit.partial, audit.problem) == (
        "failed",
        Saying("trouble_workload", {"reason": "the model is not there"}),
    )
    summary = summarize([audit.schedule[0].test], audit.outcomes, audit.judgements, (), "failed")
    assert (summary["verdict"], summary["statistics"]["runs"]) == ("INCONCLUSIVE", 0)


def test_fail_fast_stops_at_the_first_failure(tmp_path: Path) -> None:
    audit = audit_of(tmp_path, "1=kill", 9, fail_fast=True)
    audit.run()
    assert (results(audit), audit.partial) == (["PASS", "FAIL"], "strict")


def test_an_interrupted_iteration_has_not_passed_and_nobody_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(children, "_PATIENCE_SECONDS", 0.5)
    audit = audit_of(tmp_path, "2=hang,term=ignore", 9)
    pids: list[int] = []

    def interrupt(running: Audit) -> None:
        if len(running.outcomes) == 2:
            pids.extend(one.pid for one in audit._workers.values())
            threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()

    audit.progress = interrupt
    audit.run()
    assert (results(audit), audit.partial) == (["PASS", "PASS", "INCONCLUSIVE"], "interrupted")
    assert [group_of(pid) for pid in pids] == [None]


def test_the_second_part_adds_to_the_first(tmp_path: Path) -> None:
    first = audit_of(tmp_path, "1=lie", 5)
    first.progress = lambda running: (
        signal.raise_signal(signal.SIGINT) if len(running.outcomes) == 3 else None
    )
    first.run()
    test = first.schedule[0].test
    summary = summarize([test], first.outcomes, first.judgements, (), first.partial)
    known = restored(summary_from(summary), first.schedule, tmp_path, lambda code, _: code)
    assert [one.number for one in known.left] == [3, 4]

    second = audit_of(tmp_path, "4=differ", 5)
    second.schedule = known.left
    second.outcomes, second.judgements = known.outcomes, known.judgements
    second.run()
    assert problems(second) == [[], LIED, [], [], ["output_differs"]]
    assert [one.run for one in second.judgements] == ["run/B.0", "run/B.1"]
    statistics = summarize([test], second.outcomes, second.judgements)["statistics"]
    assert (statistics["runs"], statistics["failures"]) == (5, 2)


def _paired(folder: Path, plan: str, iterations: int, twins: int) -> WorkloadAudit:
    audit = audit_of(folder, plan, iterations)
    audit.schedule = schedule(matrix(iterations, 0, ["none"]), PROMPTS, 0, twins)
    return audit


def test_unrecorded_twins_run_in_their_turn_and_the_first_warms_up(tmp_path: Path) -> None:
    audit = _paired(tmp_path, "", 8, 8)
    audit.run()
    assert results(audit) == ["PASS"] * 16
    assert [one.iteration for one in audit.unrecorded] == list(range(8))
    assert [one.warm_up for one in audit.unrecorded] == [True] + [False] * 7
    warm_ups = [one.iteration for one in audit.outcomes if one.warm_up]
    assert sorted((one.test.id, one.number) for one in warm_ups) == [("A", 0), ("B", 0)]
    tests = matrix(8, 0, ["none"])
    observer = summarize(tests, audit.outcomes, audit.judgements, audit.unrecorded)["observer"]
    assert (observer["pairs"], observer["recorder"]["pairs"]) == (7, 7)
    assert observer["recorder"]["slowdown"] == 1.0  # the fake workload says 0.1 s each time


def test_a_new_child_warms_up_again(tmp_path: Path) -> None:
    audit = audit_of(tmp_path, "1=kill", 4)
    audit.run()
    assert [one.warm_up for one in audit.outcomes] == [True, False, True, False]


def test_pairs_of_both_parts_count_together(tmp_path: Path) -> None:
    first = _paired(tmp_path, "", 9, 9)
    first.progress = lambda running: (
        signal.raise_signal(signal.SIGINT) if len(running.outcomes) == 8 else None
    )
    first.run()
    tests = matrix(9, 0, ["none"])
    summary = summarize(tests, first.outcomes, first.judgements, first.unrecorded, first.partial)
    summary = json.loads(json.dumps(summary))  # as it is kept
    known = restored(summary_from(summary), first.schedule, tmp_path, lambda code, _: code)
    baselines = {one.number for one in known.left if one.recorded and one.test.id == "A"}
    assert {one.number for one in known.left if not one.recorded} == baselines
    assert known.unrecorded == first.unrecorded
    assert [one.warm_up for one in known.outcomes] == [one.warm_up for one in first.outcomes]

    second = _paired(tmp_path, "", 9, 9)
    second.schedule, second.unrecorded = known.left, known.unrecorded
    second.outcomes, second.judgements = known.outcomes, known.judgements
    second.run()
    observer = summarize(tests, second.outcomes, second.judgements, second.unrecorded)["observer"]
    assert (observer["pairs"], observer["recorder"]["pairs"]) == (7, 7)  # two parts, two warm-ups


def test_what_was_not_judged_when_the_audit_was_killed_is_judged_later(tmp_path: Path) -> None:
    first = audit_of(tmp_path, "1=lie", 3)
    first.run()
    test = first.schedule[0].test
    summary = summarize([test], first.outcomes, first.judgements, (), "running")
    # As an audit that is killed leaves it: the recording, but no verdict on it.
    (tmp_path / "run" / "B.0" / "verdict.json").unlink()
    for one in summary["iterations"]:
        one |= {"result": "INCONCLUSIVE", "problems": [], "range": None, "error": None}
    known = restored(summary_from(summary), first.schedule, tmp_path, lambda code, _: code)
    assert [one.problems for one in known.outcomes] == [[], LIED, []]
    assert known.left == []


def test_a_child_that_loses_its_parent_does_not_stay(tmp_path: Path) -> None:
    audit = audit_of(tmp_path, "0=segfault", 2)

    def kill_the_runner(_: Audit) -> None:
        for one in audit._workers.values():
            os.kill(one._process.pid, signal.SIGKILL)
            time.sleep(0.2)

    audit.schedule = audit.schedule[1:]
    audit.progress = kill_the_runner
    audit.run()
    folder = str(tmp_path).encode()
    left = [
        path.name
        for path in Path("/proc").glob("[0-9]*")
        if group_of(int(path.name)) and folder in (path / "cmdline").read_bytes()
    ]
    assert left == []
