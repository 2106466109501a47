"""What an audit ran on, for its summary: enough to run it again, nothing that is a secret."""

from __future__ import annotations

import platform
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import greta
from greta.lab.factors import run_facts
from greta.lab.programs import programs_of
from greta.runs.masking import MASK, kept_environment, masked_words
from greta.runs.run_json import to_json
from greta.trace.run_facts import FileFacts, HostFacts, RunFacts

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
    host = facts.host or HostFacts()
    return {
        "host": host.name or platform.node(),
        "kernel": host.kernel or platform.platform(),
        "cpu": host.cpu,
        "python": platform.python_version(),
        "greta": greta.__version__,
        "hip_runtime": facts.versions.get("hip_runtime"),
        "hip_library": facts.device.library if facts.device else None,
        "commit": _commit(),
        "variables": _variables(variables),
    }


def program_facts(run: Path | None) -> dict[str, Any]:
    """The program that ran, from the first run folder."""
    facts = _run_facts(run)
    program = facts.script or facts.program or FileFacts()
    known = {"path": program.path, "sha256": program.sha256, "build_id": program.build_id}
    return {name: value for name, value in known.items() if value}


def run_summary(run: Path) -> dict[str, Any]:
    """What a single run ran with, as the summary of an audit has it."""
    facts = _run_facts(run)
    variables = {
        name: value
        for name, value in facts.environment.items()
        if not name.startswith(_SET_FOR_A_RUN)
    }
    programs = [
        {"path": one.path, "sha256": one.sha256 or None, "build_id": one.build_id or None}
        for one in programs_of(facts)
    ]
    return {
        "environment": environment_facts(variables, run),
        "program": program_facts(run),
        "programs": programs,
        "device": to_json(facts.device),
        "rerun": {"command": list(facts.command) or None},
    }


def _run_facts(run: Path | None) -> RunFacts:
    return run_facts(run / "run.json") if run else RunFacts()


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
    used = to_json(_run_facts(run).device) or {}
    return {**choice, **used, **{name: choice[name] for name in ("asked", "reason")}}


def rerun_facts(
    command: Sequence[str],
    seed: int,
    variables: Mapping[str, str],
    options: Mapping[str, Any],
    files: Sequence[Mapping[str, Any]] = (),
) -> dict[str, Any]:
    """The command line that does exactly this again, and the options it came to.

    `files`: which files a command is, by path and hash.
    """
    words, masked = masked_words(command)
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
