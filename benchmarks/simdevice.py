"""Builds and runs simdevice.cpp: the simulated device against the same work done without it."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from greta.hip import find_sim_tree


def main() -> int:
    tree = find_sim_tree()
    source = Path(__file__).with_suffix(".cpp")
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "simdevice"
        libraries = [f"-L{tree.lib}", "-lamdhip64", "-lhiprtc", f"-Wl,-rpath,{tree.lib}"]
        compiler = os.environ.get("CXX", "g++")
        # -O3 so that the peer's loop is a vector loop too.
        flags = ["-O3", "-std=c++17", "-pthread", f"-I{tree.include}"]
        subprocess.run([compiler, *flags, source, "-o", program, *libraries], check=True)
        subprocess.run([program], check=True)
        print("with every access checked (GRETA_SIM_PLACEMENT=strict):", flush=True)
        strict = {**os.environ, "GRETA_SIM_PLACEMENT": "strict"}
        return subprocess.run([program, "vector-add"], env=strict, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
