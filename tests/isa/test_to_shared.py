"""Loads from global to shared memory: what `greta check` and a recording tell of them."""

from __future__ import annotations

import lzma
import sys
from pathlib import Path

import pytest

import greta
from greta.symbols.kernel_reach import READ, WRITE
from tests.isa.test_check import PROGRAM, check
from tests.isa.test_reach import kernels_of, reach_of

HERE = Path(__file__).parent
SOURCE = (HERE / "compiled" / "to_shared.hip").read_text()
pytestmark = pytest.mark.usefixtures("engine")


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    path = tmp_path / "to_shared.co"
    path.write_bytes(lzma.decompress((HERE / "data" / "to_shared.co.xz").read_bytes()))
    return path


def test_a_race_with_a_load_to_shared_memory_has_both_sides(kept: Path, tmp_path: Path) -> None:
    kernels = ["to_shared_race", "to_shared"]
    code, found = check(tmp_path, kept, "", kernels, "--tools", "racecheck")
    assert code == 1
    (race,) = found["findings"]
    assert (race["code"], race["kernel"]) == ("race", "to_shared_race")
    marked = [number for number, line in enumerate(SOURCE.split("\n"), 1) if "// RACE" in line]
    told = sorted(int(side["line"].rpartition(":")[2]) for side in race["sides"])
    assert told == marked


def test_its_twin_is_silent_to_every_tool(kept: Path, tmp_path: Path) -> None:
    tools = "memcheck,initcheck,racecheck,leakcheck"
    code, found = check(tmp_path, kept, "", ["to_shared"], "--tools", tools)
    assert (code, found["findings"]) == (0, [])


def test_memory_that_it_may_not_read_is_a_fault_at_its_line(kept: Path, tmp_path: Path) -> None:
    code, found = check(tmp_path, kept, "overrun", ["to_shared"])
    assert code == 1
    (one,) = found["findings"]
    assert (one["tool"], one["kernel"]) == ("memcheck", "to_shared")
    assert "read of 4 bytes by thread 0,0,0 of block 4,0,0" in one["lines"]
    place = SOURCE.index("KERNEL(to_shared) ")
    line = 1 + SOURCE[: SOURCE.index("LOAD(in", place)].count("\n")
    assert any(text.endswith(f"to_shared.hip:{line}") for text in one["lines"])


def test_unwritten_memory_that_it_reads_is_found(kept: Path, tmp_path: Path) -> None:
    code, found = check(tmp_path, kept, "unwritten", ["to_shared"], "--tools", "initcheck")
    assert (code, [one["code"] for one in found["findings"]]) == (1, ["kernel_reads_unwritten"])


def test_its_reads_are_recorded_and_were_claimed(kept: Path, tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    words = [sys.executable, str(program), str(kept), "", "to_shared"]
    run = greta.run(words, device="sim", out=tmp_path / "run", footprints=True)
    assert run.exit_code == 0
    (process,) = (one for one in run.recording.processes if len(one))
    (footprint,) = process.footprints()
    ranges = footprint.read.ranges()
    assert int((ranges[:, 1] - ranges[:, 0]).sum()) >= 4096
    reach = reach_of(kernels_of(kept)["to_shared"])
    assert (reach.arguments[:2], reach.uses_lds) == (((WRITE,), (READ,)), True)
