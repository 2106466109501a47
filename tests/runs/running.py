"""How the tests start `greta run`."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests import children

TIMEOUT = 60.0  # seconds; only a hang takes so long


@dataclass(frozen=True)
class Finished:
    """A run that has ended."""

    returncode: int
    stdout: bytes
    stderr: bytes
    folder: Path

    @property
    def facts(self) -> dict[str, Any]:
        return read_facts(self.folder)

    def log(self, stream: str) -> bytes:
        return (self.folder / f"{stream}.log").read_bytes()


@dataclass(frozen=True)
class Runner:
    """Starts `greta run --quiet --device sim --out <place>/run -- ...` in the folder `place`."""

    place: Path
    environment: dict[str, str]

    @property
    def folder(self) -> Path:
        return self.place / "run"

    def command(self, *words: str | bytes, options: tuple[str, ...] = ("--quiet",)) -> list[Any]:
        ours = ["run", "--device", "sim", "--out", str(self.folder), *options, "--"]
        return [sys.executable, "-m", "greta", *ours, *words]

    def start(
        self, *words: str | bytes, options: tuple[str, ...] = ("--quiet",), **how: Any
    ) -> subprocess.Popen[bytes]:
        how = {"cwd": self.place, "env": self.environment, **how}
        return subprocess.Popen(self.command(*words, options=options), **how)

    def __call__(
        self, *words: str | bytes, options: tuple[str, ...] = ("--quiet",), **how: Any
    ) -> Finished:
        how = {"cwd": self.place, "env": self.environment, "timeout": TIMEOUT, **how}
        done = children.run_raw(self.command(*words, options=options), **how)
        return Finished(done.returncode, done.stdout, done.stderr, self.folder)

    def python(self, script: str, *words: str, **how: Any) -> Finished:
        return self(sys.executable, "-c", script, *words, **how)


def read_facts(folder: Path) -> dict[str, Any]:
    facts: dict[str, Any] = json.loads((folder / "run.json").read_text())
    return facts


def wait_until(holds: Callable[[], object]) -> None:
    deadline = time.monotonic() + TIMEOUT
    while not holds():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.01)


def build_empty_recorder(folder: Path) -> Path:
    """A library that can be preloaded and does nothing."""
    library = folder / "libgreta_recorder.so"
    command = ["g++", "-shared", "-fPIC", "-x", "c++", "-", "-o", str(library)]
    subprocess.run(command, input=b"int nothing;", check=True)
    return library
