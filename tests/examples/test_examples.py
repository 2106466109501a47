"""The examples run as they are on the simulated device."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from greta.hip import SimTree
from tests.conftest import Run

FAILS = "rope_overrun.py"  # on purpose
ELSEWHERE = "notebook.py"  # tests/api/test_documents.py
PYTHON = [
    path
    for path in sorted((Path(__file__).parents[2] / "examples").glob("*.py"))
    if path.name not in (FAILS, ELSEWHERE)
]


@pytest.fixture(autouse=True)
def _needs_sim_tree(sim_tree: SimTree) -> None:
    pass


def assert_ok(done: subprocess.CompletedProcess[str]) -> None:
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert done.stdout.splitlines()[-1] == "ok"


@pytest.mark.parametrize("script", PYTHON, ids=lambda path: path.name)
@pytest.mark.parametrize("options", [[], ["--strict"]], ids=["paged", "strict"])
def test_python(run_greta: Run, script: Path, options: list[str]) -> None:
    assert_ok(run_greta("sim", *options, "--", sys.executable, str(script)))


def test_the_one_that_fails_on_purpose(run_greta: Run, root: Path) -> None:
    script = str(root / "examples" / FAILS)
    faulty = run_greta("sim", "--", sys.executable, script)
    fixed = run_greta("sim", "--strict", "--", sys.executable, script, "--fixed")
    assert faulty.returncode == 1
    assert "Generation error: hipErrorIllegalAddress" in faulty.stderr
    assert (fixed.returncode, fixed.stderr) == (0, "")
    assert fixed.stdout.startswith("best token: ")


def test_device_properties_of_several_devices(run_greta: Run, root: Path) -> None:
    script = str(root / "examples" / "device_properties.py")
    done = run_greta("sim", "--devices", "2", "--vram", "1G", "--", sys.executable, script)
    assert_ok(done)
    assert "device 1:" in done.stdout
    assert done.stdout.count(f"totalGlobalMem = {1 << 30}") == 2


@pytest.mark.parametrize(
    ("source", "compiler"),
    [("copies.c", "gcc -std=c99"), ("copies.c", "gcc -std=c11"), ("saxpy.cpp", "g++ -std=c++17")],
)
def test_compiled(run_greta: Run, root: Path, tmp_path: Path, source: str, compiler: str) -> None:
    flags = shlex.split(run_greta("sim", "--cflags", "--libs").stdout)
    build(compiler, root / "examples" / source, flags, tmp_path / "program")
    assert_ok(run_greta("sim", "--", str(tmp_path / "program")))


@pytest.mark.parametrize("linked_with", ["ours", "the system's"])
def test_a_program_built_against_another_release(
    run_greta: Run, root: Path, tmp_path: Path, sim_tree: SimTree, linked_with: str
) -> None:
    # Debian's libamdhip64-dev: headers of HIP 5.2.3, and a library whose soname ends in .5.
    if not Path("/usr/include/hip/hip_runtime_api.h").exists():
        pytest.skip("no HIP headers of the system (Debian: libamdhip64-dev)")
    search = [f"-L{sim_tree.lib}"] if linked_with == "ours" else []
    flags = ["-D__HIP_PLATFORM_AMD__", *search, "-lamdhip64"]
    build("gcc", root / "examples" / "copies.c", flags, tmp_path / "program")
    assert_ok(run_greta("sim", "--", str(tmp_path / "program")))


def test_the_tour_s_python(run_script: Run, root: Path) -> None:
    tour = (root / "docs" / "tour.md").read_text()
    correct, faulting = re.findall(r"```python\n(.*?)```", tour, re.DOTALL)
    done = run_script(correct)
    assert (done.stdout, done.stderr) == ("[0. 2. 4. 6. 8.]\n", "")
    failed = run_script(correct + faulting)
    promised = re.search("# (HipError: .*)", faulting)
    assert promised
    assert promised[1] in failed.stderr


def build(compiler: str, source: Path, flags: list[str], target: Path) -> None:
    command = shlex.split(compiler)
    if shutil.which(command[0]) is None:
        pytest.skip(f"{command[0]} is not installed")
    subprocess.run(
        [*command, "-Wall", "-Werror", str(source), *flags, "-o", str(target)], check=True
    )
