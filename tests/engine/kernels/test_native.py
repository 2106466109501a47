"""When the simulated device runs a hand-tuned version, and when the compiled one."""

from __future__ import annotations

import pytest

from tests.conftest import Run
from tests.engine.kernels.conftest import runs_here

# A product whose sum is rounded differently by each version; and which libraries are loaded.
PROGRAM = """
import numpy as np
from greta import hip
from greta.engine import kernels
rng = np.random.default_rng(1)
rows, cols = 64, 2048
told = rows
w, x = (hip.Buffer.from_array(rng.standard_normal((n, cols)).astype(np.float32)) for n in (rows, 1))
y = hip.Buffer.from_array(np.zeros(rows, np.float32))
sizes = [np.int32(n) for n in (told, cols, 1, rows, 0)]
kernel = kernels.load({"f32"}).kernel("matmul", "f32")
kernel(kernels.matmul_grid(told, 1), kernels.THREADS, w, None, None, None, x, y, *sizes)
print(y.to_array(np.uint8).tobytes().hex())
print("libgreta_kernels.so" in open("/proc/self/maps").read())
"""
# Told of a row more than there are.
OVERRUN = PROGRAM.replace("told = rows", "told = rows + 1")


def result(run_script: Run, **variables: str) -> tuple[str, bool]:
    ran = run_script(PROGRAM, **variables)
    assert ran.returncode == 0, ran.stderr
    numbers, loaded = ran.stdout.split()
    return numbers, loaded == "True"


def test_the_variables_choose(run_script: Run) -> None:
    compiled, loaded = result(run_script, GRETA_SIM_NATIVE_KERNELS="0")
    assert not loaded
    versions = [isa for isa in ("portable", "avx2", "avx512") if runs_here(isa)]
    found = {isa: result(run_script, GRETA_KERNELS_ISA=isa) for isa in versions}
    assert all(loaded for _, loaded in found.values())
    # The same program, added up in different orders.
    assert len({compiled, *(numbers for numbers, _ in found.values())}) == 1 + len(versions)
    assert result(run_script) == found[versions[-1]]  # the best is the default


def test_strict_placement_runs_the_checked_version(run_script: Run) -> None:
    numbers, loaded = result(run_script, GRETA_SIM_PLACEMENT="strict")
    assert not loaded
    assert numbers


@pytest.mark.parametrize("placement", ["strict", "paged"])
def test_a_kernel_that_reads_too_far_faults(run_script: Run, placement: str) -> None:
    ran = run_script(OVERRUN, GRETA_SIM_PLACEMENT=placement)
    assert ran.returncode != 0
    assert "an illegal memory access was encountered" in ran.stderr


# Each cell is a nonsense that only the kernel itself can stumble over.
STRAY = """
import numpy as np
from greta import hip
from greta.engine import kernels
room = hip.Buffer.from_array(np.zeros(1 << 16, np.float32))
pos = hip.Buffer.from_array(np.array([{position}], np.int32))
kernel = kernels.load(set()).kernel("attention")
sizes = [np.int32(n) for n in (1, 1, 64, 8, 1)]
arguments = ({queries}, room, room, pos, room, None, None, None, *sizes, np.float32(1), np.int32(0))
kernel(kernels.attention_grid(1, 1, False), kernels.THREADS, *arguments)
try:
    hip.synchronize()
    print("done")
except hip.HipError as error:
    print(error.name)
"""


@pytest.mark.parametrize("native", ["0", "1"])
@pytest.mark.parametrize(
    ("queries", "position", "outcome"),
    [
        ("room", 7, "done"),
        ("None", 7, "hipErrorIllegalAddress"),
        ("room", 2**31 - 2, "hipErrorIllegalAddress"),
        ("room", -(2**31), "done"),  # nothing to look at
    ],
)
def test_a_stray_access_is_reported_by_either_version(
    run_script: Run, native: str, queries: str, position: int, outcome: str
) -> None:
    program = STRAY.format(queries=queries, position=position)
    ran = run_script(program, GRETA_SIM_NATIVE_KERNELS=native)
    assert ran.stdout.split() == [outcome], ran.stderr


def test_the_number_of_threads_does_not_show(run_script: Run) -> None:
    assert result(run_script, GRETA_SIM_THREADS="1") == result(run_script, GRETA_SIM_THREADS="3")


def test_the_marker_is_no_device_variable(run_script: Run) -> None:
    ran = run_script(
        "from greta import hip\n"
        "from greta.engine import kernels\n"
        "module = kernels._compiled('sampling.hip')\n"
        "try:\n    module.variable('greta_native_argmax')\n"
        "except hip.HipError as error:\n    print(error.name)\n"
    )
    assert ran.stdout.split() == ["hipErrorNotFound"], ran.stderr
