"""The C++ compiler, with which the simulated device compiles kernels."""

from __future__ import annotations

import os
import shutil
import subprocess

from greta.machine.check import Check

_NAMES = ("c++", "g++", "clang++")


def find_compiler() -> str | None:
    """The compiler that CXX names, else the first of the usual ones that is installed."""
    named = os.environ.get("CXX", "").split()
    for name in (*named[:1], *_NAMES):
        if path := shutil.which(name):
            return path
    return None


def check_compiler() -> Check:
    """Is there a C++17 compiler?"""
    path = find_compiler()
    if path is None:
        advice = "install one: apt-get install g++ (Debian, Ubuntu), dnf install gcc-c++ (Fedora)"
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
