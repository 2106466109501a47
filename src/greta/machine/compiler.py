"""The C++ compiler, with which the simulated device compiles kernels."""

from __future__ import annotations

import os
import shutil
import subprocess

from greta.machine.check import Check

# The order in which hipRTC looks for them.
_VARIABLE = "GRETA_SIM_CXX"
_NAMES = ("c++", "g++", "clang++")


def find_compiler() -> str | None:
    """The compiler that GRETA_SIM_CXX names, else the first of the usual ones."""
    named = os.environ.get(_VARIABLE)
    found = (shutil.which(name) for name in ((named,) if named else _NAMES))
    return next(filter(None, found), None)


def check_compiler() -> Check:
    """Is there a C++17 compiler?"""
    path = find_compiler()
    if path is None:
        advice = "install one: apt-get install g++ (Debian, Ubuntu), dnf install gcc-c++ (Fedora)"
        if named := os.environ.get(_VARIABLE):
            advice = f"{_VARIABLE} names no program that can be run: {named}"
        return Check("compiler", "C++ compiler", "missing", "not found", advice)
    version = _version(path)
    return Check(
        "compiler",
        "C++ compiler",
        "ok",
        f"{path} ({version})",
        details={"path": path, "version": version},
    )


def _version(path: str) -> str:
    done = subprocess.run([path, "--version"], capture_output=True, text=True, check=False)
    lines = done.stdout.splitlines()
    return lines[0].strip() if lines else "version unknown"
