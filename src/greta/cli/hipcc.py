"""`greta hipcc`."""

from __future__ import annotations

import argparse
import subprocess
import sys

from greta.errors import UsageError
from greta.hip import find_sim_tree
from greta.runs.hip_compiler import compiler_words, find_clang

_MISSING = {
    "__ocml_": "a mathematical function is not there; install rocm-device-libs, which has it",
    "__ockl_printf": "printf of kernels is not there; install rocm-device-libs, which has it",
    "__ockl_dm_": "malloc, free, new and delete in kernels are not supported by greta hipcc",
}


class HipccCommand:
    """Compile HIP C++ for the simulated device, where there is no ROCm.

    Takes hipcc's options and hands them to clang, with headers for the host and the device, and
    links with the simulated libamdhip64. It needs clang 19 or newer, its linker and its bundler;
    rocm-device-libs, if kernels call printf, sinf, expf and the like. Debian and Ubuntu have all of
    them: apt install clang-19 lld-19 clang-tools-19 rocm-device-libs. HIP_CLANG_PATH names the
    folder of another clang.

    Files that end with .cpp, .cc, .cxx, .hip or .cu are HIP; -x LANGUAGE says otherwise. Without
    --offload-arch it is gfx942, which the simulated device runs. Without -O it is -O3. With -g a
    fault is named with its source line. --genco writes the code for the device alone, as
    hipModuleLoad takes it; -fgpu-rdc links device code of several files.

    On a machine with ROCm use its own hipcc: the simulated device runs what that builds.

    examples:
      greta hipcc -g saxpy.cpp -o saxpy && greta run --device sim -- ./saxpy
      greta hipcc -c -O2 -Iinclude kernels.hip -o kernels.o
      greta hipcc --genco kernels.hip -o kernels.co
      CXX="greta hipcc" cmake -S . -B build
    """

    name = "hipcc"
    usage = "greta hipcc [OPTION ...] FILE ..."

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("words", nargs="*", metavar="OPTION|FILE", help="as of clang")

    def run(self, options: argparse.Namespace) -> int:
        words: list[str] = options.words
        if not words:
            raise UsageError(f"nothing to compile; usage: {self.usage}")
        clang, tree = find_clang(), find_sim_tree()
        command = [str(clang.path), "--driver-mode=g++", *compiler_words(words, clang, tree)]
        if sys.stderr.isatty():
            command.append("-fcolor-diagnostics")
        done = subprocess.run(command, stderr=subprocess.PIPE, check=False)
        said = done.stderr.decode(errors="replace")
        sys.stderr.write(said)
        for symbol, advice in _MISSING.items():
            if f"undefined symbol: {symbol}" in said:
                print(f"greta: {advice}", file=sys.stderr)
        return done.returncode
