"""Builds one wheel for every Python 3.10 or newer on Linux x86-64 with glibc 2.28 or newer.

python tools/wheel.py     into dist/ (`make wheel`)

zig's clang carries the headers and symbols of old glibc versions, so that no old system is needed
to build on; its C++ library is linked in. auditwheel then says which systems the result fits.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import venv
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
TOOLS: Final = ROOT / "build" / "wheel-tools"
RAW: Final = ROOT / "build" / "wheel-raw"
PYTHON: Final = str(TOOLS / "bin" / "python")
GLIBC: Final = (2, 28)
TAG: Final = "manylinux_{}_{}_x86_64".format(*GLIBC)


def main() -> None:
    """Installs the tools, builds, checks, and names the wheel after what it fits."""
    venv.create(TOOLS, with_pip=True)
    pip = [PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "auditwheel", "build", "wheel", "ziglang"], check=True)
    wheel = built()
    refuse_newer(wheel)
    command = [PYTHON, "-m", "wheel", "tags", "--platform-tag", TAG, "--remove", str(wheel)]
    named = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()[-1]
    (ROOT / "dist").mkdir(exist_ok=True)
    target = ROOT / "dist" / Path(named).name
    (RAW / named).replace(target)
    print(f"{target.relative_to(ROOT)}: {target.stat().st_size / 1e6:.1f} MB")


def built() -> Path:
    """A wheel of this checkout, compiled by zig, under the name of this machine's system."""
    for old in RAW.glob("*.whl"):
        old.unlink()
    compiler = f"{PYTHON} -m ziglang {{}} -target x86_64-linux-gnu.{GLIBC[0]}.{GLIBC[1]}"
    variables = {"CC": compiler.format("cc"), "CXX": compiler.format("c++"), "LDFLAGS": "-s"}
    folder = ["--config-setting", "build-dir=build/manylinux"]
    command = [PYTHON, "-m", "build", "--wheel", "--outdir", str(RAW), *folder, str(ROOT)]
    subprocess.run(command, check=True, env={**os.environ, **variables})
    return next(RAW.glob("*.whl"))


def refuse_newer(wheel: Path) -> None:
    """Ends the build if a library asks for a newer glibc, or for one that not every system has."""
    command = [PYTHON, "-m", "auditwheel", "show", str(wheel)]
    said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    fits = re.search(r"manylinux_(\d+)_(\d+)_x86_64", said)
    if fits is None or (int(fits[1]), int(fits[2])) > GLIBC:
        sys.exit(f"the wheel does not fit {TAG}:\n{said}")


if __name__ == "__main__":
    main()
