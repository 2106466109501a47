"""What is said of a process with two HIP libraries: each is a world of its own."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from greta.forensics.analysis import analyze
from greta.forensics.verdict_json import dump_verdict
from greta.hip import SimTree
from greta.recording import open_recording
from greta.reports.lang import Say
from greta.runs.gather import gather
from greta.trace.reading import traces_of
from tests import children
from tests.recorder.conftest import PROGRAMS, Record

A, B = 0, 1


class Worlds(NamedTuple):
    """The program, and its two libraries."""

    program: Path
    libraries: tuple[str, str]

    def command(self, scene: str) -> list[object]:
        return [self.program, *self.libraries, scene]


@pytest.fixture(scope="session")
def worlds(tmp_path_factory: pytest.TempPathFactory, sim_tree: SimTree) -> Worlds:
    folder = tmp_path_factory.mktemp("worlds")
    real = (sim_tree.lib / "libamdhip64.so").read_bytes()
    for name in "89":
        soname = f"libamdhip64.so.{name}"
        renamed = real.replace(b"libamdhip64.so.7\0", soname.encode() + b"\0")
        (folder / soname).write_bytes(renamed)
    program = folder / "two_worlds"
    source = PROGRAMS / "two_worlds.cpp"
    made = ["-std=c++17", "-g", f"-I{sim_tree.include}", source, "-o", program, "-ldl"]
    children.run([os.environ.get("CXX", "g++"), *made], check=True)
    return Worlds(program, (f"{folder}/libamdhip64.so.8", f"{folder}/libamdhip64.so.9"))


def judged(folder: Path) -> dict[str, Any]:
    return dump_verdict(analyze(gather(folder)), Say("en").of)


def outcomes(found: dict[str, Any]) -> dict[str, str]:
    """By hypothesis; not of wrong_binary, which is about files."""
    return {one["id"]: one["verdict"] for one in found["hypotheses"] if one["id"] != "wrong_binary"}


@pytest.mark.parametrize("scene", ["clean", "a is reset", "b waits for b"])
def test_nothing_is_found_and_nothing_refuted_where_nothing_is_wrong(
    worlds: Worlds, record: Record, tmp_path: Path, scene: str
) -> None:
    record(worlds.command(scene))
    found = judged(tmp_path / "recording")
    assert found["verdict"] == "INCONCLUSIVE"
    assert found["cause"] is None
    assert not {"CONFIRMED", "REFUTED"} & set(outcomes(found).values())
    assert [gap["code"] for gap in found["coverage"]["gaps"]] == ["two_runtimes"]


@pytest.mark.parametrize(("scene", "guilty"), [("a copies", A), ("b copies", B)])
def test_a_fault_is_found_in_the_library_that_it_is_in(
    worlds: Worlds, record: Record, tmp_path: Path, scene: str, guilty: int
) -> None:
    (process,) = record(worlds.command(f"{scene} past the end"))
    found = judged(tmp_path / "recording")
    assert found["verdict"] == "REPRODUCED"
    assert found["cause"]["hypothesis"] == "byte_size_mismatch"
    assert process.event(found["cause"]["seq"]).runtime == guilty
    assert process.event(found["blamed"]["seq"]).runtime == guilty
    assert list(outcomes(found).values()).count("CONFIRMED") == 1
    assert "REFUTED" not in outcomes(found).values()


def test_a_wait_in_one_library_is_no_wait_in_the_other(
    worlds: Worlds, record: Record, tmp_path: Path
) -> None:
    (process,) = record(worlds.command("a waits for b"))
    for runtime, trace in zip((A, B), traces_of(process), strict=True):
        seen = trace.operations["seq"].tolist()
        assert {process.event(seq).runtime for seq in seen} == {runtime}
    found = judged(tmp_path / "recording")
    assert found["verdict"] == "INCONCLUSIVE"
    assert outcomes(found)["missing_sync"] == "INCONCLUSIVE"


def test_every_call_is_read_once(worlds: Worlds, record: Record, tmp_path: Path) -> None:
    (process,) = record(worlds.command("clean"))
    assert judged(tmp_path / "recording")["coverage"]["calls"] == len(process)


def test_run_and_analyze_say_what_to_do(worlds: Worlds, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    greta = [sys.executable, "-m", "greta"]
    run = [*greta, "run", "--device", "sim", "--out", folder, "--", *worlds.command("clean")]
    done = children.run(run)
    assert done.returncode == 0, done.stderr
    (line,) = [one for one in done.stderr.splitlines() if " runtimes " in one]
    assert "2 HIP libraries in one process" in line
    assert len(open_recording(folder).processes) == 1
    said = children.run([*greta, "analyze", folder])
    assert said.returncode == 3
    assert "Make all but one go" in " ".join(said.stdout.split())
