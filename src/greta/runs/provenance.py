"""Whether a compiled program can be what its sources say; noted when it runs: files change."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

from greta.runs.elf import read_elf
from greta.runs.program import is_interpreter
from greta.runs.sources import SYSTEM, source_facts
from greta.runs.twins import newer_builds


def provenance_facts(program: dict[str, Any]) -> dict[str, Any] | None:
    """For the facts of a program's file (files.file_facts); None for what nobody built here."""
    path = Path(program["real_path"])
    foreign = is_interpreter(path) or str(path).startswith(SYSTEM)
    if foreign or "problem" in program or read_elf(path) is None:
        return None
    git = program.get("git") or {}
    tree = git.get("tree")
    newer = []
    try:
        if tree and git.get("tracked"):
            newer = newer_builds(path, tree)
        return {"sources": source_facts(path, tree), "newer_builds": newer}
    except (OSError, subprocess.TimeoutExpired) as error:
        return {"problem": str(error)}
