"""Programs with a sanitizer's runtime are recorded like others."""

from __future__ import annotations

from pathlib import Path

import pytest

import greta
from greta.hip import SimTree
from greta.recording import open_recording
from tests import children

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
