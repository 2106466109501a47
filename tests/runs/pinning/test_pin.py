"""`greta pin`: the operation that makes a fault, found by running again."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from greta.cli.pin import _told
from greta.hip import SimTree
from greta.recording import open_recording
from greta.reports.lang import Say
from greta.runs.folder import Pin
from tests import children
from tests.conftest import Run
from tests.simdevice.library import compile_kernels

PROGRAM = Path(__file__).parent / "programs" / "faulty.py"

KERNELS = """
extern "C" __global__ void step(float* values, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] += 1;
}
extern "C" __global__ void over(float* values, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  values[i + (1 << 24)] = 1;
}
extern "C" __global__ void slowly(int* index) {
  if (blockIdx.x != 0 || threadIdx.x != 0) return;
  volatile int turns = 0;
  while (turns < 300000000) turns = turns + 1;
  index[0] = 0;
}
extern "C" __global__ void follow(float* values, const int* index) {
  values[index[0]] = 1;
}
"""


@pytest.fixture(scope="module")
def code_object(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("kernels") / "kernels.co"
    path.write_bytes(compile_kernels(KERNELS))
    return path


Recorded = Callable[..., Path]


@pytest.fixture
def recorded(run_greta: Run, code_object: Path, tmp_path: Path) -> Recorded:
    """Runs the program under `greta run`; gives the run's folder."""

    def run(how: str, *options: str) -> Path:
        program = tmp_path / "faulty.py"
        program.write_text(PROGRAM.read_text())
        words = ["--device", "sim", "--quiet", "--out", "r", *options]
        run_greta("run", *words, "--", sys.executable, program, code_object, how, cwd=tmp_path)
        return tmp_path / "r"

    return run


def pinned(run: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((run / "pin.json").read_text())
    return found


def kernel_at(run: Path, seq: int) -> str | None:
    (process,) = open_recording(run).processes
    kernel = process.event(seq).kernel
    return kernel.name if kernel else None


@pytest.mark.parametrize("options", [(), ("--abort-on-fault",)], ids=["error", "abort"])
def test_the_launch_that_overruns_is_named(
    recorded: Recorded, run_greta: Run, options: tuple[str, ...]
) -> None:
    run = recorded("overrun", *options)
    done = run_greta("pin", "--yes", run)
    assert done.returncode == 1, done.stderr
    assert "hipModuleLaunchKernel of over" in done.stdout
    result = pinned(run)
    assert result["persists_serialized"] is True
    assert result["exact_mapping"] is True
    assert (result["kernel"], result["operation"], result["runs"]) == ("over", 3, 1)
    assert kernel_at(run, result["seq"]) == "over"


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ((), "the error was there as soon as it was waited for"),
        (("--abort-on-fault",), "the process died while it was waited for"),
    ],
    ids=["error", "abort"],
)
def test_the_reason_is_what_was_seen(
    recorded: Recorded, run_greta: Run, options: tuple[str, ...], why: str
) -> None:
    told = run_greta("pin", "--yes", recorded("overrun", *options)).stdout
    assert why in " ".join(told.split())


def test_a_fault_that_shows_only_when_waited_for_explains_the_exit_code(
    recorded: Recorded, run_greta: Run
) -> None:
    run = recorded("unwaited")
    done = run_greta("pin", "--yes", run)
    assert "looking for exit code 3" in done.stderr
    assert done.returncode == 1, done.stdout + done.stderr
    assert pinned(run)["kernel"] == "over"


def test_a_refused_call_that_ends_the_program_is_not_pinned_but_named(
    recorded: Recorded, run_greta: Run
) -> None:
    run = recorded("refused")
    done = run_greta("pin", "--yes", run)
    assert done.returncode == 3, done.stderr
    assert "not pinned: the program ends with exit code 4 even if" in done.stdout
    assert "was refused with hipErrorInvalidValue (1)" in done.stdout
    assert "`greta analyze " in done.stdout
    assert pinned(run)["pinned"] is False


def test_a_refused_call_that_the_program_ignores_is_named(
    recorded: Recorded, run_greta: Run
) -> None:
    run = recorded("refusal ignored")
    done = run_greta("pin", "--yes", run)
    assert done.returncode == 2
    assert "no fault to look for: it ended with 0" in done.stderr
    assert "hipMemcpy (call " in done.stderr
    assert "`greta analyze " in done.stderr
    assert not (run / "pin").exists()


def test_an_exit_code_that_waits_do_not_change_is_no_operations(
    recorded: Recorded, run_greta: Run
) -> None:
    done = run_greta("pin", "--yes", recorded("exit code"))
    assert done.returncode == 3, done.stderr
    told = " ".join(done.stdout.split())
    assert "ends with exit code 3 even if every operation is waited for" in told
    assert "refused" not in done.stdout


@pytest.fixture(scope="module")
def bystander(tmp_path_factory: pytest.TempPathFactory, sim_tree: SimTree) -> Path:
    program = tmp_path_factory.mktemp("bystander") / "bystander"
    source = PROGRAM.with_name("bystander.cpp")
    options = ["-std=c++17", "-pthread", f"-I{sim_tree.include}", f"-L{sim_tree.lib}"]
    compiler = os.environ.get("CXX", "g++")
    children.run([compiler, *options, source, "-o", program, "-lamdhip64"], check=True)
    return program


@pytest.mark.parametrize(("how", "ending"), [("exit", "exit code 5"), ("signal", "SIGSEGV")])
def test_a_call_that_was_only_under_way_is_not_named(
    run_greta: Run, bystander: Path, tmp_path: Path, how: str, ending: str
) -> None:
    run = tmp_path / "r"
    run_greta("run", "--device", "sim", "--quiet", "--out", run, "--", bystander, how)
    done = run_greta("pin", "--yes", run)
    assert done.returncode == 3, done.stdout
    assert f"not pinned: the program ends with {ending}" in done.stdout


def test_a_program_without_a_hip_call_is_refused(run_greta: Run, tmp_path: Path) -> None:
    run = tmp_path / "r"
    words = ["--device", "sim", "--quiet", "--out", run, "--", "sh", "-c", "exit 7"]
    assert run_greta("run", *words).returncode == 7
    done = run_greta("pin", "--yes", run)
    assert done.returncode == 2
    assert "there is no operation that could be pinned" in done.stderr


def test_every_run_is_kept(recorded: Recorded, run_greta: Run) -> None:
    run = recorded("overrun")
    run_greta("pin", "--yes", run)
    run_greta("pin", "--yes", run)
    assert sorted(path.name for path in (run / "pin").iterdir()) == ["1", "2"]
    facts = json.loads((run / "pin" / "1" / "run.json").read_text())
    assert facts["sync"] == "all"
    assert facts["environment"]["HIP_LAUNCH_BLOCKING"] == "1"
    assert "GRETA_RECORD_SYNC" not in json.loads((run / "run.json").read_text())["environment"]


def test_a_matter_of_timing_is_halved(recorded: Recorded, run_greta: Run) -> None:
    run = recorded("timing")
    done = run_greta("pin", "--yes", run, "--tries", "1")
    assert done.returncode == 1, done.stderr + done.stdout
    result = pinned(run)
    assert result["persists_serialized"] is False
    assert result["kernel"] == "slowly"
    assert kernel_at(run, result["seq"]) == "slowly"
    assert "a matter of timing" in done.stdout
    assert result["runs"] == len(result["history"]) > 3


def test_a_run_without_a_fault_is_refused(recorded: Recorded, run_greta: Run) -> None:
    done = run_greta("pin", "--yes", recorded("clean"))
    assert done.returncode == 2
    assert "no fault to look for" in done.stderr


def test_a_race_that_made_no_call_fail_is_refused_as_such(
    recorded: Recorded, run_greta: Run
) -> None:
    done = run_greta("pin", "--yes", recorded("race"))
    assert done.returncode == 2
    assert "shows a race (" in done.stderr
    assert "that made no call fail" in done.stderr
    assert "no fault to look for" not in done.stderr


def test_a_program_that_changed_is_refused(
    recorded: Recorded, run_greta: Run, tmp_path: Path
) -> None:
    run = recorded("overrun")
    with (tmp_path / "faulty.py").open("a") as program:
        program.write("# another\n")
    done = run_greta("pin", "--yes", run)
    assert done.returncode == 2
    assert "faulty.py is not the file that ran then" in done.stderr
    assert not (run / "pin").exists()


def test_a_fault_that_does_not_come_again_is_said_so(
    recorded: Recorded, run_greta: Run, code_object: Path
) -> None:
    run = recorded("overrun")
    kept = code_object.read_bytes()
    try:
        code_object.write_bytes(compile_kernels(KERNELS.replace("(1 << 24)", "0")))
        done = run_greta("pin", "--yes", run, "--tries", "2")
    finally:
        code_object.write_bytes(kept)
    assert done.returncode == 3, done.stderr
    result = pinned(run)
    assert (result["pinned"], result["runs"]) == (False, 4)
    assert "did not show again, with waits or without (4 runs)" in done.stdout
    assert "a matter of timing" not in done.stdout + done.stderr


def test_what_is_not_a_run_is_refused(run_greta: Run, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for path in (tmp_path, tmp_path / "file", tmp_path / "nothing"):
        done = run_greta("pin", "--yes", path)
        assert done.returncode == 2
        assert "is not a run folder" in done.stderr


def test_a_kernel_has_its_readable_name() -> None:
    """The file keeps the one that the recording has."""
    name = "_Z8fill_rowIfEvPT_i"
    told = _told(Pin(True, "r", True, 1, 6, "hipLaunchKernel", name, 1), Say("en"))
    assert any("hipLaunchKernel of fill_row:" in line for line in told)
