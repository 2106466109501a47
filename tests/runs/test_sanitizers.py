"""Programs with a sanitizer's runtime are recorded like others."""

from __future__ import annotations

from pathlib import Path

import pytest

import greta
from greta.hip import SimTree
from greta.recording import open_recording
from tests import children
from tests.conftest import Run

PROGRAM = "int hipInit(unsigned); int main(void) { return hipInit(0); }"


@pytest.mark.parametrize("how", ["linked", "preloaded"])
def test_a_program_with_address_sanitizer_is_recorded(
    tmp_path: Path, sim_tree: SimTree, how: str
) -> None:
    source, program = tmp_path / "a.c", tmp_path / "a"
    source.write_text(PROGRAM)
    asan = children.run(["gcc", "-print-file-name=libasan.so"]).stdout.strip()
    if not Path(asan).is_absolute():
        pytest.skip("gcc has no AddressSanitizer here")
    options = ["-fsanitize=address"] if how == "linked" else []
    linked = [f"-L{sim_tree.lib}", "-lamdhip64"]
    children.run(["gcc", *options, source, "-o", program, *linked], check=True)
    given = {"LD_PRELOAD": asan} if how == "preloaded" else {}
    run = greta.run([program], device="sim", out=tmp_path / "run", environment=given)
    assert run.exit_code == 0, run.stderr
    (process,) = open_recording(run.path / "recording").processes
    assert process.calls_by_name == {"hipInit": 1}


@pytest.mark.parametrize("code", [0, 3])
def test_a_leak_checker_before_the_command_leaves_its_exit_code_alone(
    run_greta: Run, tmp_path: Path, code: int
) -> None:
    """It is for the program; what Python never frees is nobody's business."""
    asan = children.run(["gcc", "-print-file-name=libasan.so"]).stdout.strip()
    if not Path(asan).is_absolute():
        pytest.skip("gcc has no AddressSanitizer here")
    words = ("run", "--device", "sim", "--quiet", "--out", "r", "--", "sh", "-c", f"exit {code}")
    done = run_greta(*words, cwd=tmp_path, LD_PRELOAD=asan)
    assert done.returncode == code
    assert "LeakSanitizer" not in done.stderr


def test_leaks_of_the_program_are_still_told(run_greta: Run, tmp_path: Path) -> None:
    source, program = tmp_path / "a.c", tmp_path / "a"
    source.write_text("#include <stdlib.h>\nint main(void) { return malloc(4711) == 0; }")
    asan = children.run(["gcc", "-print-file-name=libasan.so"]).stdout.strip()
    if not Path(asan).is_absolute():
        pytest.skip("gcc has no AddressSanitizer here")
    children.run(["gcc", "-O0", source, "-o", program], check=True)
    words = ("run", "--device", "sim", "--quiet", "--out", "r", "--", str(program))
    done = run_greta(*words, cwd=tmp_path, LD_PRELOAD=asan, ASAN_OPTIONS="exitcode=77")
    assert done.returncode == 77
    assert "4711 byte(s)" in done.stderr
