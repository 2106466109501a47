"""Runs a function of a test module in a process of its own.

A device fault is permanent, and the switches in the environment are read once: both need a fresh
process. The function is named, not sent, so it must stand at the top of its module; its arguments
and its result must be what JSON can hold.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests import children
from tests.simdevice.library import library_folder

ROOT = Path(__file__).parents[2]
ANSWER = "the child's answer: "


@dataclass(frozen=True)
class Child:
    """How a child ended and what it said."""

    returncode: int
    stdout: str
    stderr: str

    @property
    def answered(self) -> bool:
        return ANSWER in self.stdout

    @property
    def answer(self) -> Any:
        """What the function returned."""
        assert self.answered, f"exit code {self.returncode}\n{self.stdout}\n{self.stderr}"
        return json.loads(self.stdout.rpartition(ANSWER)[2])


def run_in_child(function: Callable[..., Any], *arguments: Any, **variables: str) -> Child:
    """Calls the function in a new process with these variables in its environment."""
    words = [function.__module__, function.__name__, json.dumps(arguments)]
    command = [sys.executable, "-c", f"from {__name__} import main; main()", *words]
    done = children.run(command, env={**os.environ, **_paths(), **variables}, cwd=ROOT)
    return Child(done.returncode, done.stdout, done.stderr)


def answer_of(function: Callable[..., Any], *arguments: Any, **variables: str) -> Any:
    """The function's result; the child must have ended well."""
    child = run_in_child(function, *arguments, **variables)
    answer = child.answer
    assert child.returncode == 0, child.stderr
    return answer


def _paths() -> dict[str, str]:
    known = [str(ROOT), str(ROOT / "src"), os.environ.get("PYTHONPATH", "")]
    return {
        "PYTHONPATH": os.pathsep.join(filter(None, known)),
        "GRETA_SIM_TREE": str(library_folder().parent),
    }


def main() -> None:
    module, name, arguments = sys.argv[1:]
    function = getattr(importlib.import_module(module), name)
    answer = function(*json.loads(arguments))
    print(ANSWER + json.dumps(answer), flush=True)
