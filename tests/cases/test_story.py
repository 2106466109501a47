"""The story this product was made for, and runs of which nothing, or not all, is known."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.cases.conftest import Runs
from tests.cases.judging import Made, recorded_calls, seq_of
from tests.cases.recording import Run, analyzed
from tests.cases.truth import Case, Step
from tests.cases.upstream_kernel_fault.truths import ABORT
from tests.conftest import Run as Greta

FAULT = "upstream_kernel_fault"
ONE_SUSPECT = Case(FAULT, "rope_positions.py", label="one suspect")
THREE_SUSPECTS = Case(FAULT, "rope_in_a_layer.py", label="three suspects")
ABORTED = Case(FAULT, "rope_in_a_layer.py", label="aborted", variables=ABORT)
NO_DOWNLOAD = Case("story", "uploads_only.py")
NOT_STARTED = Case("story", "does_not_start.py")
KILLED = Case("story", "killed_half_way.py")


def without_log(run: Run, folder: Path) -> Run:
    """The same run on a release of HIP that does not name the kernel: its line is not there."""
    copy = folder / "run"
    shutil.copytree(run.folder, copy)
    (copy / "stderr.log").write_text("")
    return analyzed(copy)


def outcome(run: Run, hypothesis: str) -> str:
    (found,) = (h for h in run.verdict["hypotheses"] if h["id"] == hypothesis)
    return str(found["verdict"])


def says_rope(cause: dict[str, Any], calls: list[Made]) -> bool:
    """Whether the cause is the rope launch, with its position buffer."""
    rope, positions = seq_of(Step("rope"), calls), seq_of(Step("hipMalloc", 4), calls)
    named = cause["seq"] == rope and cause["kernel"] == "rope"
    return bool(named and cause["buffer"]["allocated_at"] == positions)


@pytest.mark.parametrize("case", [ONE_SUSPECT, THREE_SUSPECTS], ids=lambda case: case.label)
def test_the_copy_is_blamed_and_the_kernel_is_the_cause(case: Case, runs: Runs) -> None:
    run = runs[case.name].result()
    calls = recorded_calls(run.folder)
    assert run.verdict["blamed"]["call"] == "hipMemcpyAsync"
    assert run.verdict["blamed"]["error"] == "hipErrorIllegalAddress"
    assert says_rope(run.verdict["cause"], calls)
    assert run.verdict["cause"]["confidence"] >= 0.9  # the device names the kernel


@pytest.mark.parametrize("case", [ONE_SUSPECT], ids=["case"])
def test_one_suspect_is_enough(case: Case, runs: Runs, tmp_path: Path) -> None:
    run = without_log(runs[case.name].result(), tmp_path)
    assert outcome(run, FAULT) == "CONFIRMED"
    assert run.verdict["cause"]["kernel"] == "rope"
    assert run.verdict["cause"]["confidence"] >= 0.85
    assert run.verdict["cause"]["alternatives"] == []


@pytest.mark.parametrize("case", [THREE_SUSPECTS], ids=["case"])
def test_three_suspects_are_less_sure(case: Case, runs: Runs, tmp_path: Path) -> None:
    run = without_log(runs[case.name].result(), tmp_path)
    cause = run.verdict["cause"]
    kernels = {cause["kernel"], *(other["kernel"] for other in cause["alternatives"])}
    assert kernels == {"rope", "rmsnorm", "scale"}
    assert cause["confidence"] <= 0.6
    assert "pin" in " ".join(run.verdict["next_steps"])


@pytest.mark.parametrize("case", [THREE_SUSPECTS], ids=["case"])
def test_pin_brings_three_suspects_to_one(
    case: Case,
    runs: Runs,
    tmp_path: Path,
    run_greta: Greta,
    environment: dict[str, str],
    root: Path,
) -> None:
    doubtful = without_log(runs[case.name].result(), tmp_path)
    paths = os.pathsep.join([environment["PYTHONPATH"], str(root)])
    pinned = run_greta("pin", "--yes", str(doubtful.folder), PYTHONPATH=paths)
    assert "rope" in pinned.stdout + pinned.stderr
    run = analyzed(doubtful.folder)
    assert says_rope(run.verdict["cause"], recorded_calls(run.folder))
    assert run.verdict["cause"]["confidence"] >= 0.9
    assert run.verdict["cause"]["alternatives"] == []


@pytest.mark.parametrize("case", [ABORTED], ids=["case"])
def test_an_abort_is_read_from_the_fault_line(case: Case, runs: Runs) -> None:
    run = runs[case.name].result()
    assert run.exit_code == 1
    assert run.verdict["verdict"] == "REPRODUCED"
    assert says_rope(run.verdict["cause"], recorded_calls(run.folder))
    assert "Memory access fault by GPU node" in (run.folder / "stderr.log").read_text()


@pytest.mark.parametrize("case", [NO_DOWNLOAD], ids=["case"])
def test_a_run_without_downloads_proves_nothing(case: Case, runs: Runs) -> None:
    run = runs[case.name].result()
    assert run.verdict["verdict"] == "INCONCLUSIVE"
    assert run.exit_code == 3
    assert run.verdict["coverage"]["d2h"]["calls"] == 0
    assert run.verdict["next_steps"]


@pytest.mark.parametrize("case", [NOT_STARTED], ids=["case"])
def test_a_workload_that_did_not_start_proves_nothing(case: Case, runs: Runs) -> None:
    run = runs[case.name].result()
    assert run.verdict["verdict"] == "INCONCLUSIVE"
    assert run.exit_code == 3
    hip_hypotheses = {h["verdict"] for h in run.verdict["hypotheses"][:7]}
    assert hip_hypotheses <= {"NOT_EXERCISED", "INCONCLUSIVE"}
    assert run.verdict["cause"] is None


@pytest.mark.parametrize("case", [KILLED], ids=["case"])
def test_a_run_that_was_cut_in_half_is_said_to_be(case: Case, runs: Runs) -> None:
    run = runs[case.name].result()
    assert run.verdict["verdict"] == "INCONCLUSIVE"
    assert run.exit_code == 3
    assert run.verdict["coverage"]["complete"] is False
    assert run.verdict["coverage"]["d2h"]["calls"] == 21
    assert not any(h["verdict"] in ("CONFIRMED", "REFUTED") for h in run.verdict["hypotheses"][:7])


@pytest.mark.parametrize("case", [ONE_SUSPECT], ids=["case"])
def test_a_recording_cut_in_half_says_so(case: Case, runs: Runs, tmp_path: Path) -> None:
    whole = runs[case.name].result()
    copy = tmp_path / "run"
    shutil.copytree(whole.folder, copy)
    for lane in copy.glob("recording/*/lane.*"):
        with lane.open("r+b") as file:
            file.truncate(4096 + 6 * 128)  # what was written before the machine went down
    run = analyzed(copy)
    assert run.verdict["verdict"] != "NOT_REPRODUCED"
    assert run.verdict["coverage"]["complete"] is False
