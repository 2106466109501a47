"""--guard: an overrun of one byte or of 64 KiB faults at its kernel; nothing else is noticed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from greta import analyze
from greta.forensics.verdict import VerdictWord
from greta.recording import open_recording
from tests import children
from tests.recorder.conftest import Build
from tests.simdevice.library import compile_kernels

# All 200 in `make test-long`.
COUNT = int(os.environ.get("GRETA_TEST_GUARDS", "20"))
KERNEL = 'extern "C" __global__ void poke(char* memory, long long offset) { memory[offset] = 1; }'
ILLEGAL = 700


@pytest.fixture(scope="module")
def code(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("guard") / "poke.co"
    path.write_bytes(compile_kernels(KERNEL))
    return path


@pytest.fixture
def guarded_environment(recorded_environment: dict[str, str]) -> dict[str, str]:
    return {**recorded_environment, "GRETA_RECORD_GUARD": "::"}


def answers(program: Path, code: Path, how: str, env: dict[str, str]) -> list[list[int]]:
    done = children.run([program, code, how, COUNT], env=env)
    assert done.returncode == 0, done.stderr
    lines = [[int(word) for word in line.split()] for line in done.stdout.splitlines()]
    assert len(lines) == COUNT
    return lines


def test_every_overrun_faults_at_its_kernel(
    build: Build, code: Path, guarded_environment: dict[str, str]
) -> None:
    lines = answers(build("guard"), code, "over", guarded_environment)
    assert {error for *_, error in lines} == {ILLEGAL}
    processes = open_recording(guarded_environment["GRETA_RECORD"]).processes
    assert sum(process.header.guarded for process in processes) == 6 * COUNT
    assert sum(process.header.unguarded for process in processes) == 0
    for process in processes:
        for fault in process.device_faults():
            assert fault.kernel == "poke"


def test_without_a_guard_the_device_notices_few_of_them(
    build: Build, code: Path, recorded_environment: dict[str, str]
) -> None:
    lines = answers(build("guard"), code, "over", recorded_environment)
    assert 0 in {error for *_, error in lines}


def test_its_twin_runs_clean(build: Build, code: Path, guarded_environment: dict[str, str]) -> None:
    lines = answers(build("guard"), code, "within", guarded_environment)
    assert {error for *_, error in lines} == {0}


@pytest.mark.parametrize("guard", ["::", "8000::", ":4096:", "::65536", None])
def test_a_program_cannot_tell(
    build: Build, code: Path, recorded_environment: dict[str, str], guard: str | None
) -> None:
    more = {"GRETA_RECORD_GUARD": guard} if guard is not None else {}
    done = children.run([build("guard"), code, "manners"], env={**recorded_environment, **more})
    assert done.returncode == 0, done.stderr
    (process,) = open_recording(recorded_environment["GRETA_RECORD"]).processes
    assert (process.header.guarded > 0) is (guard is not None)
    assert process.header.unguarded > 0 or guard in ("::", None)
    said = [note for note in process.tables.notes if note.startswith("allocations without")]
    assert len(said) == (guard in ("::", "::65536", "8000::"))  # one asks for all memory there is


def test_the_verdict_names_the_buffer_and_the_bytes(
    build: Build, code: Path, guarded_environment: dict[str, str]
) -> None:
    children.run([build("guard"), code, "over", 1], env=guarded_environment)
    verdict = analyze(guarded_environment["GRETA_RECORD"])
    assert verdict.word is VerdictWord.REPRODUCED
    assert verdict.cause
    assert verdict.cause.kernel == "poke"
    assert verdict.cause.buffer
    assert verdict.cause.access
    assert verdict.cause.access.past_end == 0
