"""`greta run` with the real recorder: what it says of programs that really use HIP."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from greta.hip import SimTree
from greta.recording import Process, open_recording
from tests.runs.running import Runner

BINDINGS = """
import os, signal, sys
from rocm.bindings import hip
_, pointer = hip.hipMalloc(1 << 20)
host = bytes(4096)
hip.hipMemcpy(pointer, host, 4096, hip.hipMemcpyKind.hipMemcpyHostToDevice)
hip.hipMemset(pointer, 0, 1 << 30)
"""


def processes(runner: Runner) -> list[Process]:
    return open_recording(runner.folder).processes


def compiled(root: Path, sim_tree: SimTree, name: str, target: Path) -> str:
    flags = [f"-I{sim_tree.include}", f"-L{sim_tree.lib}", "-lamdhip64", "-lhiprtc"]
    source = str(root / "examples" / name)
    command = ["g++", "-D__HIP_PLATFORM_AMD__", source, *flags, "-o", str(target)]
    subprocess.run(command, check=True)
    return str(target)


def test_a_linked_program(real: Runner, root: Path, sim_tree: SimTree, tmp_path: Path) -> None:
    done = real(compiled(root, sim_tree, "saxpy.cpp", tmp_path / "saxpy"), options=())
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, b"ok")
    (process,) = done.facts["processes"]
    assert process["executable"] == str(tmp_path / "saxpy")
    assert Path(process["hip_library"]).parent == sim_tree.lib
    assert process["complete"] is True
    built = {Path(library["path"]).name: library["build_id"] for library in done.facts["libraries"]}
    assert built["libc.so.6"]
    said = done.stderr.decode()
    assert "launches  1: saxpy\n" in said
    assert "errors    none" in said


def test_a_script_that_fails(real: Runner) -> None:
    done = real.python(BINDINGS, options=())
    assert done.returncode == 0  # it says that all is well, and the recording that it is not
    said = done.stderr.decode()
    assert "errors    1: hipMemset hipErrorInvalidValue (1), call " in said
    assert "H2D 4 KiB in 1" in said
    assert "1 MiB on the device at its peak, 1 MiB not freed" in said


@pytest.mark.parametrize(
    ("name", "end"), [("SIGKILL", "open"), ("SIGSEGV", "signal"), ("SIGABRT", "signal")]
)
def test_a_program_that_dies(real: Runner, name: str, end: str) -> None:
    number = getattr(signal, name)
    done = real.python(BINDINGS + f"os.kill(os.getpid(), {int(number)})", options=())
    assert done.returncode == 128 + number
    assert done.facts["processes"][0]["end"] == end
    assert "H2D 4 KiB in 1" in done.stderr.decode()


def test_children_are_recorded_too(real: Runner, tmp_path: Path) -> None:
    script = tmp_path / "child.py"
    script.write_text(BINDINGS)
    line = f'"{sys.executable}" child.py & "{sys.executable}" child.py; wait'
    done = real("sh", "-c", line, options=())
    assert len(processes(real)) == 2
    assert "in 2 threads of 2 processes" in done.stderr.decode()
    executables: list[dict[str, Any]] = done.facts["executables"]
    assert [Path(one["path"]).name.startswith("python") for one in executables] == [True]


def test_a_ring_keeps_the_last_calls(real: Runner) -> None:
    script = "from rocm.bindings import hip\nfor _ in range(5000): hip.hipGetLastError()"
    done = real.python(script, options=("--ring", "128"))
    (process,) = processes(real)
    assert process.ring
    assert len(process) < 5000
    assert "older records were overwritten" in done.stderr.decode()
