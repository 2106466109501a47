"""Audits on several simulated devices: the death of a worker costs the turn it was running.

GRETA_TEST_DEVICES=1 is the full size: 400 iterations, 50 killed workers, and the speed.
"""

from __future__ import annotations

import os
import random
import signal
import threading
import time
from collections import Counter
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from greta.errors import UsageError
from greta.forensics.verdict import Saying, Value
from greta.hip import SimTree
from greta.lab import devices as devices_module
from greta.lab.audit import Audit, WorkloadAudit
from greta.lab.children import device_locks, group_of
from greta.lab.devices import AuditShare, DevicesAudit
from greta.lab.plan import Iteration, Prompt, matrix, schedule, turns
from greta.lab.resume import restored
from greta.lab.worker import Setup
from greta.runs.device import choose_run_device, chosen_ordinals, one_device, visible_devices
from tests.lab.test_audit import PROMPTS, environment
from tests.lab.typed import summarize, summary_from

FULL = os.environ.get("GRETA_TEST_DEVICES") == "1"


@pytest.fixture(autouse=True)
def _on_the_simulated_device(sim_tree: SimTree) -> None:
    pass


def make(folder: Path, plan: str, variables: dict[str, str], ordinal: int) -> Audit:
    """The audit of one device, made in the process of its worker."""
    return WorkloadAudit(
        folder=folder,
        schedule=[],
        seconds_per_iteration=60.0,
        setup=Setup(None, "sim", 1, 1, ("tests.lab.fake_workload", plan)),
        environment={**variables, "HIP_VISIBLE_DEVICES": str(ordinal), "GRETA_SIM_DEVICES": "4"},
        node="here",
        ordinal=ordinal,
        label=f"device{ordinal}",
    )


def of(folder: Path, plan: str, iterations: int, ordinals: tuple[int, ...]) -> DevicesAudit:
    folder.mkdir(exist_ok=True)
    return DevicesAudit(
        folder=folder,
        schedule=schedule(rows_of(iterations), PROMPTS, 0),
        seconds_per_iteration=60.0,
        node="here",
        make=partial(make, folder, plan, environment()),
        ordinals=ordinals,
    )


def rows_of(iterations: int) -> list[Any]:
    """Two rows that take turns. The fake workload does not do what the audit of B asks for."""
    rows = matrix(iterations, 0, ["none", "serialize"])
    return [one for one in rows if one.mode == "baseline"]


def keys(audit: Audit) -> list[tuple[str, int]]:
    return [one.key for one in audit.outcomes]


def asked(audit: Audit) -> list[tuple[str, int]]:
    return [(one.test.id, one.number) for one in audit.schedule]


def summary_of(audit: Audit, iterations: int) -> dict[str, Any]:
    return summarize(
        rows_of(iterations), audit.outcomes, audit.judgements, audit.unrecorded, audit.partial
    )


def test_iterations_are_dealt_out_and_a_fault_costs_one_of_them(tmp_path: Path) -> None:
    plan, ordinals = "1=segfault,2=lie", (0, 3)
    found = of(tmp_path / "several", plan, 4, ordinals)
    found.run()
    assert keys(found) == asked(found)  # in the order in which one device would have run them
    assert {one.device for one in found.outcomes} == {*ordinals}
    for turn in turns(found.schedule):  # what is compared ran on one device
        names = {(one.test.id, one.number) for one in turn}
        assert len({one.device for one in found.outcomes if one.key in names}) == 1
    alone = make(tmp_path / "alone", plan, environment(), 0)
    alone.schedule = found.schedule
    alone.run()
    told, expected = (_told(summary_of(one, 4)) for one in (found, alone))
    assert told == expected
    assert (told["verdict"], told["statistics"]["failures"]) == ("REPRODUCED", 4)


def _told(summary: dict[str, Any]) -> dict[str, Any]:
    """Without durations, and what differs from run to run."""
    names = ("hypothesis", "operation", "code", "runs", "test", "iteration")
    return {
        **{name: summary[name] for name in ("verdict", "statistics", "partial")},
        "causes": [[one[name] for name in names] for one in summary["causes"]],
        "tests": [{**one, "runs": 0, "seconds_median": 0} for one in summary["tests"]],
        "confirmed": [one["id"] for one in summary["hypotheses"] if one["verdict"] == "CONFIRMED"],
        "iterations": [
            [one[name] for name in ("test", "iteration", "seed", "result", "problems")]
            for one in summary["iterations"]
        ],
    }


class Killer(threading.Thread):
    """Kills workers in the middle of a turn, so many."""

    def __init__(self, audit: DevicesAudit, kills: int) -> None:
        super().__init__(daemon=True)
        self._audit, self.kills, self._draw = audit, kills, random.Random(7)  # noqa: S311
        self.killed: list[int] = []

    def run(self) -> None:
        while len(self.killed) < self.kills:
            time.sleep(self._draw.uniform(0.1, 0.6))
            if not self._audit.outcomes:  # so that children are there
                continue
            busy = [one for one in list(self._audit._workers) if one.turn]
            pids = [one.process.pid for one in busy if one.process.pid not in self.killed]
            if pids and (pid := self._draw.choice(pids)):
                os.kill(pid, signal.SIGKILL)
                self.killed.append(pid)


def test_workers_that_are_killed_lose_nothing_and_count_nothing_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # With so many killed by design a turn may be unlucky.
    monkeypatch.setattr(devices_module, "MOST_TRIES", 30)
    monkeypatch.setattr(devices_module, "_DEATHS_IN_VAIN", 30)
    iterations, kills = (200, 50) if FULL else (12, 3)
    slow = ",".join(f"{number}=slow" for number in range(iterations))
    found = of(tmp_path, slow, iterations, (0, 1, 2, 3))
    killer = Killer(found, kills)
    killer.start()
    found.run()
    killer.kills = 0
    killer.join()
    assert len(killer.killed) == kills
    assert keys(found) == asked(found)
    assert Counter(one.result for one in found.outcomes) == {"PASS": 2 * iterations}
    assert (found.partial, found.problem) == (None, None)
    summary = summary_of(found, iterations)
    assert (summary["verdict"], summary["statistics"]["runs"]) == ("NOT_REPRODUCED", 2 * iterations)
    assert sum(one["runs"] for one in summary["devices"]) == 2 * iterations
    judged = [one.run for one in found.judgements]
    assert len(set(judged)) == len(judged) >= len({one.run for one in found.outcomes})
    assert 0 < len(found.lost) <= kills  # one that was killed between two turns lost nothing
    assert all(one.iterations and one.node == "here" for one in found.lost)
    left = [path for path in Path("/proc").glob("[0-9]*") if _records_into(path, tmp_path)]
    assert left == []


def _records_into(process: Path, folder: Path) -> bool:
    try:
        return group_of(int(process.name)) is not None and (
            f"GRETA_RECORD={folder}/".encode() in (process / "environ").read_bytes()
        )
    except OSError:
        return False


@pytest.mark.skipif(not FULL, reason="a speed is measured by `make test-long`")
def test_four_devices_are_faster_where_one_leaves_a_core_idle(tmp_path: Path) -> None:
    slow = ",".join(f"{number}=slow" for number in range(200))
    seconds = {}
    for ordinals in ((0,), (0, 1, 2, 3)):
        found = of(tmp_path / str(len(ordinals)), slow, 200, ordinals)
        began = time.monotonic()
        found.run()
        seconds[len(ordinals)] = time.monotonic() - began
        assert summary_of(found, 200)["verdict"] == "NOT_REPRODUCED"
        assert keys(found) == asked(found)
    ratio = seconds[1] / seconds[4]
    print(
        f"400 iterations: {seconds[1]:.1f} s on one device, {seconds[4]:.1f} s on four: {ratio:.2f}"
    )
    assert ratio >= 1.7


def test_ctrl_c_leaves_what_is_known_and_other_devices_go_on(tmp_path: Path) -> None:
    first = of(tmp_path, "2=lie", 6, (0, 1))
    first.progress = lambda running: (
        signal.raise_signal(signal.SIGINT) if len(running.outcomes) >= 6 else None
    )
    first.run()
    assert first.partial == "interrupted"
    summary = summary_of(first, 6)
    assert summary["statistics"]["runs"] == len(first.outcomes) >= 6
    known = restored(summary_from(summary), first.schedule, tmp_path, lambda code, _: code)
    second = of(tmp_path, "2=lie", 6, (2,))
    second.schedule = known.left
    second.outcomes, second.judgements = known.outcomes, known.judgements
    second.run()
    assert sorted(keys(second)) == sorted(asked(first))
    assert {one.device for one in second.outcomes} >= {2}
    assert {one.key for one in second.outcomes if one.problems} == {("A", 2), ("A2", 2)}


def dies(_: int) -> Audit:
    os._exit(3)


def test_workers_that_never_report_end_the_audit(tmp_path: Path) -> None:
    found = of(tmp_path, "", 2, (0,))
    found.make = dies
    found.run()
    assert (found.outcomes, found.partial) == ([], "failed")
    assert found.problem == Saying("trouble_workers")


def test_a_turn_that_kills_every_worker_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(devices_module, "MOST_TRIES", 2)
    found = of(tmp_path, "", 2, (0,))
    found.make = partial(kills_its_worker, found.make)
    found.run()
    results = {one.key: one.result for one in found.outcomes}
    assert set(results.values()) == {"PASS", "INCONCLUSIVE"}
    assert [number for (_, number), result in results.items() if result != "PASS"] == [1, 1]
    first = next(one for one in found.schedule if one.number == 1)
    known: dict[str, Value] = {"iteration": f"{first.test.id}.1", "tries": 2}
    assert found.problem == Saying("trouble_turn", known)


def kills_its_worker(make: Any, ordinal: int) -> Audit:
    made: WorkloadAudit = make(ordinal)
    run = made.run_iteration

    def deadly(iteration: Iteration) -> None:
        if iteration.number == 1:
            os._exit(3)
        run(iteration)

    made.run_iteration = deadly  # type: ignore[method-assign]
    return made


def test_each_iteration_is_taken_once() -> None:
    # A share that comes again replaces what it told before.
    found = DevicesAudit(
        folder=Path(),
        schedule=schedule(matrix(1, 0, ["none"]), [Prompt("p", "")], 0),
        seconds_per_iteration=1.0,
        make=dies,
        ordinals=(),
    )
    outcomes = [found._outcome(one, "run/x") for one in found.schedule]
    found.take(AuditShare(outcomes, []))
    found.take(AuditShare(outcomes[:1], []))
    assert keys(found) == asked(found)
    assert found.left(found.schedule) == []


@pytest.mark.parametrize(
    ("text", "ordinals"),
    [("0", (0,)), ("0-3", (0, 1, 2, 3)), ("0-1,5", (0, 1, 5)), ("3, 1", (3, 1)), ("all", (0, 1))],
)
def test_lists_of_devices(
    text: str, ordinals: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRETA_SIM_DEVICES", "2")
    assert chosen_ordinals(text, choose_run_device("sim", {})) == ordinals


@pytest.mark.parametrize("text", ["x", "", "1-", "3-1", "0,0", "16", "-1", "0-99999"])
def test_what_is_no_list_of_devices(text: str) -> None:
    with pytest.raises(UsageError, match="--devices"):
        chosen_ordinals(text, choose_run_device("sim", {}))


def test_a_worker_sees_its_device_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    device = choose_run_device("sim", {})
    own = one_device(device, 2, (0, 1, 2))
    assert (own["HIP_VISIBLE_DEVICES"], own["GRETA_SIM_DEVICES"]) == ("2", "3")
    monkeypatch.setenv("HIP_VISIBLE_DEVICES", "4,6")
    device = choose_run_device("sim", {})
    assert one_device(device, 1, (0, 1))["HIP_VISIBLE_DEVICES"] == "6"
    assert visible_devices(device.environment, (1,)) == ["/6"]
    assert visible_devices({}, ()) == []


def test_audits_on_different_devices_do_not_wait_for_each_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with device_locks("sim", ["0", "1"]):
        with device_locks("sim", ["2"]):
            pass
        for others in ([], ["1"]):
            with pytest.raises(UsageError, match="another audit"), device_locks("sim", others):
                pass
    with device_locks("sim", []):
        pass
