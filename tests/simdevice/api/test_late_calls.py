"""Destructors that run late and call HIP: of the program's objects, and of a thread's."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from greta.hip import SimTree
from tests import children

# What is on the stacks is still there in a destructor that runs after those of the objects that a
# thread made while it used them.
PROGRAM = """
#include <hip/hip_runtime.h>
#include <stdio.h>
#include <thread>

struct Late {
  void be_there() {}
  ~Late() {
    dim3 grid, block;
    size_t shared = 0;
    hipStream_t stream;
    hipDevice_t device = -1;
    const bool configured =
        __hipPopCallConfiguration(&grid, &block, &shared, &stream) == hipSuccess;
    const bool switched = hipCtxPopCurrent(nullptr) == hipSuccess;
    if (hipCtxGetDevice(&device) != hipSuccess) return;
    printf("%d %d %d %u %u %zu\\n", configured, switched, device, grid.x, block.x, shared);
  }
};

static void use_stacks() {
  hipCtx_t context;
  if (hipCtxCreate(&context, 0, 1) != hipSuccess) printf("no context\\n");
  if (__hipPushCallConfiguration(dim3(3), dim3(4), 5, nullptr) != hipSuccess) printf("no push\\n");
}

#ifdef IN_THREAD
static thread_local Late late;
int main() {
  std::thread([] { late.be_there(); use_stacks(); }).join();
}
#else
static Late late;
int main() { use_stacks(); }
#endif
"""


@pytest.mark.parametrize("whose", ["IN_PROGRAM", "IN_THREAD"])
def test_what_a_thread_has_pushed_is_there_until_its_end(
    whose: str, sim_tree: SimTree, tmp_path: Path
) -> None:
    source, program = tmp_path / "late.cpp", tmp_path / "late"
    source.write_text(PROGRAM)
    flags = [f"-I{sim_tree.include}", f"-L{sim_tree.lib}", "-lamdhip64", "-pthread", f"-D{whose}"]
    subprocess.run(["g++", "-Wall", "-Werror", source, *flags, "-o", program], check=True)
    environment = {
        **os.environ,
        "LD_LIBRARY_PATH": str(sim_tree.lib),
        "GRETA_SIM_DEVICES": "2",
        "MALLOC_PERTURB_": "165",  # freed memory does not keep its content
    }
    done = children.run([program], env=environment)
    assert (done.returncode, done.stdout, done.stderr) == (0, "1 1 0 3 4 5\n", "")
