"""An audit on a Ray cluster of several nodes, which are processes of this machine."""

from __future__ import annotations

import os
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import greta
from greta.hip import SimTree
from greta.lab.children import group_of
from greta.lab.prepare import AuditPlan, plan_audit
from greta.lab.request import AuditRequest
from greta.lab.resume import restored
from greta.reports.lang import Say
from tests.lab.test_command_audit import program
from tests.lab.typed import summarize, summary_from

ray = pytest.importorskip("ray", reason="needs the extra `cluster`")

from ray.cluster_utils import Cluster  # noqa: E402

from greta.lab import cluster as cluster_module  # noqa: E402
from greta.lab.cluster import RayAudit  # noqa: E402

FULL = os.environ.get("GRETA_TEST_DEVICES") == "1"
TURNS = 60 if FULL else 6


@pytest.fixture(scope="module")
def nodes(sim_tree: SimTree) -> Iterator[Any]:
    """A head that runs nothing, and three nodes that do."""
    before = dict(os.environ)
    os.environ["PYTHONPATH"] = os.pathsep.join(str(Path(one).absolute()) for one in _paths())
    os.environ |= {"RAY_health_check_period_ms": "500", "RAY_health_check_failure_threshold": "3"}
    made = Cluster(initialize_head=True, head_node_args={"num_cpus": 0})
    made.workers = [made.add_node(num_cpus=1) for _ in range(3)]
    ray.init(address=made.address, log_to_driver=False)
    yield made
    ray.shutdown()
    made.shutdown()
    os.environ.clear()
    os.environ.update(before)


def _paths() -> list[Path]:
    return [Path(greta.__file__).parents[1], Path(__file__).parents[2]]


def plan_of(folder: Path, source: str, iterations: int) -> AuditPlan:
    command = tuple(program(folder, source))
    return plan_audit(
        AuditRequest(device="sim", iters=0, stress_iters=iterations, ray="auto", command=command)
    )


def start(plan: AuditPlan, folder: Path) -> RayAudit:
    folder.mkdir()
    audit = plan.start(folder, plan.schedule)
    assert isinstance(audit, RayAudit)
    audit.say = Say("en").of
    return audit


def summary_of(plan: AuditPlan, audit: RayAudit) -> dict[str, Any]:
    return summarize(plan.tests, audit.outcomes, audit.judgements, (), audit.partial)


def _attempts(audit: RayAudit) -> list[Any]:
    found: list[Any] = ray.get(audit.journal.attempts.remote()) if audit.journal else []
    return found


def test_a_node_that_dies_costs_its_iterations_only(nodes: Any, tmp_path: Path) -> None:
    hold = tmp_path / "hold"  # while it is there, programs say so and go no further
    held = f"""
import os
while os.path.exists({str(hold)!r}):
    open(f"{hold}.{{os.getpid()}}", "w").close()
    time.sleep(0.1)
"""
    plan = plan_of(tmp_path, held, TURNS)
    audit = start(plan, tmp_path / "audit")
    here = ray.get_runtime_context().get_node_id()  # its death would be ours
    victim = next(one for one in nodes.workers if one.node_id != here)
    nodes.workers.remove(victim)

    def kill_in_the_middle() -> None:
        while len(_attempts(audit)) < TURNS // 3:
            time.sleep(0.1)
        hold.touch()
        while len(list(tmp_path.glob("hold.*"))) < 3:  # every node has one now
            time.sleep(0.1)
        while not any(one.node.endswith(victim.node_id[:8]) for one in _attempts(audit)):
            time.sleep(0.1)
        nodes.remove_node(victim, allow_graceful=False)
        # Its worker goes last, with what it has begun: until then it may still bring that home.
        while any(one["Alive"] for one in ray.nodes() if one["NodeID"] == victim.node_id):
            time.sleep(0.1)
        while all(group_of(int(one.suffix[1:])) for one in tmp_path.glob("hold.*")):
            time.sleep(0.1)
        hold.unlink()

    killer = threading.Thread(target=kill_in_the_middle, daemon=True)
    killer.start()
    audit.run()
    killer.join(30)
    assert (audit.partial, audit.problem, killer.is_alive()) == (None, None, False)
    assert [one.key for one in audit.outcomes] == [
        (one.test.id, one.number) for one in plan.schedule
    ]
    assert Counter(one.result for one in audit.outcomes) == {"PASS": TURNS}
    summary = summary_of(plan, audit)
    assert (summary["verdict"], summary["statistics"]["runs"]) == ("NOT_REPRODUCED", TURNS)
    assert len({one.node for one in audit.outcomes}) >= 2  # which node ran what is known
    assert [one.node[-8:] for one in audit.lost] == [victim.node_id[:8]]
    assert audit.lost[0].iterations
    assert (audit.lost[0].seconds or 0) > 0
    # The folder is shared: runs stay where they were recorded.
    assert all((audit.folder / one.run / "run.json").is_file() for one in audit.outcomes)
    nodes.workers.append(nodes.add_node(num_cpus=1))


def test_runs_come_back_from_nodes_without_the_folder(
    nodes: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    @contextmanager
    def unmarked(_: Path) -> Iterator[str]:
        yield "nobody has it"

    monkeypatch.setattr(cluster_module, "_marked", unmarked)
    plan = plan_of(tmp_path, "copy(77)", 2)
    audit = start(plan, tmp_path / "audit")
    (audit.folder / "run" / "C.0").mkdir(parents=True)  # of a part that was cut short
    audit.run()
    summary = summary_of(plan, audit)
    assert (summary["verdict"], summary["statistics"]["failures"]) == ("REPRODUCED", 2)
    assert [one.run for one in audit.outcomes] == ["run/C.0.again.1", "run/C.1"]
    assert greta.open_run(audit.folder / "run" / "C.1").verdict().word.value == "REPRODUCED"


@pytest.mark.skipif(not FULL, reason="half a minute; `make test-long` has it")
def test_ctrl_c_leaves_a_summary_that_other_nodes_go_on_with(nodes: Any, tmp_path: Path) -> None:
    plan = plan_of(tmp_path, "", 4)
    first = start(plan, tmp_path / "audit")

    def interrupt(_: Any) -> None:
        raise KeyboardInterrupt

    first.progress = interrupt
    first.run()
    assert first.partial == "interrupted"
    assert 1 <= len(first.outcomes) < 4
    summary = summary_of(plan, first)
    known = restored(summary_from(summary), plan.schedule, first.folder, Say("en").of)
    second = plan.start(first.folder, known.left)
    second.outcomes, second.judgements = known.outcomes, known.judgements
    second.say = Say("en").of
    second.run()
    assert sorted(one.key for one in second.outcomes) == [("C", number) for number in range(4)]
    assert second.partial is None


def test_what_a_node_cannot_run_is_said(nodes: Any, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr(greta, "__version__", "0.0.other")
    plan = plan_of(tmp_path, "", 1)
    audit = start(plan, tmp_path / "audit")
    audit.run()
    assert audit.partial == "failed"
    assert audit.problem
    assert audit.problem.code == "trouble_cluster"
    assert "not 0.0.other" in str(audit.problem.data["reason"])
