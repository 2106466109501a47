"""The interpreters that are installed: a test with `interpreter` runs once for each version."""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SUPPORTED = [(3, minor) for minor in range(9, 15)]


def _candidates() -> list[str]:
    """What may be a Python; GRETA_TEST_PYTHONS names more of them, separated by colons."""
    named = [path for path in os.environ.get("GRETA_TEST_PYTHONS", "").split(os.pathsep) if path]
    pyenv = sorted(Path.home().glob(".pyenv/versions/3.*/bin/python3"))
    in_path = [shutil.which(f"python{major}.{minor}") for major, minor in SUPPORTED]
    return [*named, *map(str, pyenv), *filter(None, in_path), sys.executable]


def version_of(path: str) -> tuple[int, int] | None:
    """None if it is none: a shim of pyenv may stand for a version that is not installed."""
    program = "import sys; print(*sys.version_info[:2])"
    try:
        run = subprocess.run([path, "-c", program], capture_output=True, text=True, timeout=60)
        major, minor = run.stdout.split()
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return None
    return int(major), int(minor)


@functools.cache
def installed() -> dict[str, str]:
    """A path for each version that is here."""
    found: dict[str, str] = {}
    for path in _candidates():
        version = version_of(path)
        if version in SUPPORTED:
            found.setdefault(f"{version[0]}.{version[1]}", path)
    return found


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "interpreter" in metafunc.fixturenames:
        versions = [f"{major}.{minor}" for major, minor in SUPPORTED]
        metafunc.parametrize("interpreter", versions, indirect=True)


@pytest.fixture
def interpreter(request: pytest.FixtureRequest) -> str:
    """The path of an interpreter of that version."""
    path = installed().get(request.param)
    if path is None:
        pytest.skip(f"Python {request.param} is not installed")
    return path
