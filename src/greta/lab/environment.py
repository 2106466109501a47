"""What an audit ran on, for its summary: enough to run it again, nothing that is a secret."""

from __future__ import annotations

import platform
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import greta
from greta.lab.factors import run_facts
from greta.lab.programs import programs_of
from greta.masking import MASK, masked_words
from greta.runs.environment import kept_environment

_SET_FOR_A_RUN: Final = ("GRETA_", "GCORE_", "ROCM_PATH", "HIP_PATH", "LD_")
"""By `greta run` or an audit, not by who typed it, as far as one can tell from the run."""
_NOT_MEANT: Final = ("PYTHON", "PATH", "LD_PRELOAD")
"""Kept of programs that run, but not part of what makes an audit what it is."""


def _variables(environment: Mapping[str, str]) -> dict[str, str]:
    kept = kept_environment(environment)
    return {name: text for name, text in kept.items() if not name.startswith(_NOT_MEANT)}


def environment_facts(variables: Mapping[str, str], run: Path | None) -> dict[str, Any]:
    """Versions of everything, and the variables that mean something to HIP or to us."""
    facts = _run_facts(run)
    host = facts.get("host") or {}
    return {
        "host": host.get("name") or platform.node(),
        "kernel": host.get("kernel") or platform.platform(),
        "cpu": host.get("cpu"),
        "python": platform.python_version(),
        "greta": greta.__version__,
        "hip_runtime": (facts.get("versions") or {}).get("hip_runtime"),
        "hip_library": (facts.get("device") or {}).get("library"),
        "commit": _commit(),
        "variables": _variables(variables),
    }


def program_facts(run: Path | None) -> dict[str, Any]:
    """The program that ran, from the first run folder."""
    facts = _run_facts(run)
    program = facts.get("script") or facts.get("program") or {}
    return {name: program.get(name) for name in ("path", "sha256", "build_id") if program.get(name)}


def run_summary(run: Path) -> dict[str, Any]:
    """What a single run ran with, as the summary of an audit has it."""
    facts = _run_facts(run)
    recorded = facts.get("environment")
    variables = {
        name: str(value)
        for name, value in (recorded if isinstance(recorded, dict) else {}).items()
        if not name.startswith(_SET_FOR_A_RUN)
    }
    command = facts.get("command")
    programs = [
        {"path": one.path, "sha256": one.sha256 or None, "build_id": one.build_id or None}
        for one in programs_of(facts)
    ]
    return {
        "environment": environment_facts(variables, run),
        "program": program_facts(run),
        "programs": programs,
        "device": facts.get("device"),
        "rerun": {"command": command if isinstance(command, list) else None},
    }


def _run_facts(run: Path | None) -> dict[str, Any]:
    return run_facts(run / "run.json") if run else {}


def _commit() -> str | None:
    """Of the folder in which the audit was started, if git has it."""
    try:
        done = subprocess.run(
            ["git", "rev-parse", "HEAD"],
            capture_output=True,
            text=True,
            timeout=5,
            check=False,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip() or None


def device_facts(choice: Mapping[str, Any], run: Path | None) -> dict[str, Any]:
    """The device that the first run had. Why it is that one, only who chose it knows."""
    device = _run_facts(run).get("device")
    used = device if isinstance(device, dict) else {}
    return {**choice, **used, **{name: choice[name] for name in ("asked", "reason")}}


def rerun_facts(
    seed: int,
    variables: Mapping[str, str],
    options: Mapping[str, Any],
    files: Sequence[Mapping[str, Any]] = (),
) -> dict[str, Any]:
    """The command line that does exactly this again, and the options it came to.

    `files`: which files a command is, by path and hash.
    """
    words, masked = masked_words(["greta", *sys.argv[1:]])
    if "--seed" not in words:
        at = words.index("--") if "--" in words else len(words)
        words[at:at] = ["--seed", str(seed)]
    return {
        "command": words,
        "masked": masked,
        "environment": {n: v for n, v in _variables(variables).items() if MASK not in v},
        "folder": str(Path.cwd()),
        "seed": seed,
        "files": list(files),
        "options": {**options, "program": masked_words(options.get("program") or [])[0]},
    }
