"""greta/d2h_safe.hpp: what a C++ engine includes writes the lines that the Python side writes."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from greta.cli.main import main
from greta.hip import SimTree
from greta.recording import open_recording
from greta.runs.recorder import find_recorder
from tests import children
from tests.engine.d2h.strict_log import (
    AuditEnd,
    AuditStart,
    Bounds,
    Check,
    CopyFailed,
    CopySucceeded,
    Engaged,
    Failed,
    TraceAfter,
    TraceBefore,
    TraceFatal,
    pairs,
    parse_log,
)

SOURCE = Path(__file__).parent / "programs" / "engine.cpp"
WARNINGS = ["-std=c++11", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-O1", "-g"]
COMPILERS = ["g++", "clang++-19"]
TRACE = "-DGRETA_TRACE_MEMCPY"

Build = Callable[..., Path]
Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory, sim_tree: SimTree) -> Build:
    """Compiles it; each way only once."""
    folder = tmp_path_factory.mktemp("engine")

    def compiled(*options: str, compiler: str = "g++") -> Path:
        program = folder / "-".join((compiler, "engine", *options))
        if not program.exists():
            flags = [*WARNINGS, f"-I{sim_tree.include}", *options]
            libraries = [f"-L{sim_tree.lib}", "-lamdhip64", "-lroctx64"]
            children.run([compiler, *flags, SOURCE, "-o", program, *libraries], check=True)
        return program

    return compiled


@pytest.fixture
def run(environment: dict[str, str], sim_tree: SimTree) -> Run:
    def started(program: Path, *words: str, **variables: str) -> subprocess.CompletedProcess[str]:
        place = {"LD_LIBRARY_PATH": str(sim_tree.lib), "ROCM_PATH": str(sim_tree.root)}
        return children.run([program, *words], env={**environment, **place, **variables})

    return started


@pytest.mark.parametrize("options", [(), (TRACE,)])
@pytest.mark.parametrize("compiler", COMPILERS)
def test_it_compiles_without_a_warning_and_copies(
    build: Build, run: Run, compiler: str, options: tuple[str, ...]
) -> None:
    if shutil.which(compiler) is None:
        pytest.skip(f"{compiler} is not here")
    done = run(build(*options, compiler=compiler))
    assert done.returncode == 0, done.stderr
    assert bool(done.stderr) == bool(options)


def test_the_audit_s_lines(build: Build, run: Run, tmp_path: Path) -> None:
    log = tmp_path / "audit.log"
    done = run(build(), GCORE_D2H_AUDIT="1", GCORE_D2H_AUDIT_LOG=str(log))
    assert (done.returncode, done.stderr) == (0, "")
    ((start, end),) = pairs(parse_log(log.read_text()))
    assert (start.tensor, start.step, start.layer, start.bytes) == ("logits", 3, 2, 1024)
    assert end is not None
    assert end.result == "hipSuccess"


def test_the_lines_of_debug_mode(build: Build, run: Run) -> None:
    done = run(build(), GRETA_D2H_DEBUG="1")
    engaged, check, succeeded = parse_log(done.stderr)
    assert isinstance(engaged, Engaged)
    assert isinstance(check, Check)
    assert (check.offset, check.size, check.alloc) == (256, 1024, 4096)
    assert isinstance(succeeded, CopySucceeded)


def test_what_is_past_the_end_is_not_queued(build: Build, run: Run) -> None:
    done = run(build(), "past_end", GRETA_D2H_DEBUG="1", GCORE_D2H_AUDIT="1")
    assert done.returncode == 0
    _, _, bounds, error = parse_log(done.stderr)
    assert isinstance(bounds, Bounds)
    assert (bounds.offset, bounds.size, bounds.alloc) == (256, 4096, 4096)
    assert isinstance(error, Failed)


def test_the_trace_s_lines(build: Build, run: Run) -> None:
    before, after = parse_log(run(build(TRACE)).stderr)
    assert isinstance(before, TraceBefore)
    assert isinstance(after, TraceAfter)
    assert (before.tensor, before.bytes, after.tensor, after.bytes) == ("logits", 1024) * 2


def test_a_copy_that_fails_is_told_and_aborts_where_it_is_traced(build: Build, run: Run) -> None:
    done = run(build(), "nowhere", GRETA_D2H_DEBUG="1", GCORE_D2H_AUDIT="1")
    assert done.returncode == 0, done.stderr
    records = parse_log(done.stderr, skip_others=True)
    assert [type(record) for record in records[2:]] == [AuditStart, AuditEnd, CopyFailed]
    traced = run(build(TRACE), "nowhere")
    assert traced.returncode == -6
    assert isinstance(parse_log(traced.stderr, skip_others=True)[-1], TraceFatal)


def test_the_short_wrapper_says_what_failed(build: Build, run: Run) -> None:
    said = run(build(), "wrapper").stderr
    assert "[D2H SAFE] Async copy failed KV cache: " in said


def test_its_lines_are_evidence(
    build: Build, run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "engine.log"
    log.write_text(run(build(), "nowhere", GRETA_D2H_DEBUG="1", GCORE_D2H_AUDIT="1").stderr)
    assert main(["analyze", str(log), "--json", "-"]) == 1
    verdict = json.loads(capsys.readouterr().out)
    assert verdict["verdict"] == "REPRODUCED"
    assert verdict["blamed"]["call"] == verdict["cause"]["call"] == "hipMemcpyAsync"
    assert verdict["cause"]["access"]["address"] == "0x10"  # where the device said it faulted


def test_the_tensor_is_a_range_around_the_copy(build: Build, run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "recording"
    run(build(), LD_PRELOAD=str(find_recorder()), GRETA_RECORD=str(folder))
    (process,) = open_recording(folder).processes
    first = next(event for event in process.events() if event.call == "hipMemcpyAsync")
    assert [annotation.text for annotation in first.annotations] == ["tensor=logits"]
