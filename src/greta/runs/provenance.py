"""Whether a compiled program can be what its sources say; noted when it runs: files change."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from greta.runs.elf import read_elf
from greta.runs.files import sha256_of, stat_facts
from greta.runs.git import run_git
from greta.runs.program import is_interpreter
from greta.runs.sources import SYSTEM, source_facts
from greta.trace.run_facts import FileFacts, GitFacts, NewerBuild, Provenance

_MOST_ENTRIES: Final = 200_000
_PASSED_OVER: Final = {".git", "node_modules", "__pycache__", "greta-runs"}


def provenance_facts(program: FileFacts) -> Provenance | None:
    """For the facts of a program's file (files.file_facts); None for what nobody built here."""
    path = Path(program.real_path)
    foreign = is_interpreter(path) or str(path).startswith(SYSTEM)
    if foreign or program.problem or read_elf(path) is None:
        return None
    git = program.git or GitFacts()
    try:
        newer = newer_builds(path, git.tree) if git.tree and git.tracked else ()
        return Provenance(source_facts(path, git.tree), newer)
    except (OSError, subprocess.TimeoutExpired) as error:
        return Provenance(problem=str(error))


def newer_builds(program: Path, tree: str) -> tuple[NewerBuild, ...]:
    """Untracked ELF files of that name elsewhere in the tree that are newer and not the same."""
    built, digest = program.stat().st_mtime, sha256_of(program)
    found = []
    for path in _named(Path(tree), program.name):
        if path.stat().st_mtime <= built or path.samefile(program):
            continue
        elf = read_elf(path)
        other = sha256_of(path) if elf else digest
        if elf and other != digest and not _is_tracked(path):
            found.append(NewerBuild(str(path), other, elf.build_id, *stat_facts(path)))
    return tuple(found)


def _is_tracked(path: Path) -> bool:
    return run_git(path.parent, "ls-files", "--error-unmatch", "--", path.name).returncode == 0


def _named(tree: Path, name: str) -> Iterator[Path]:
    seen = 0
    for folder, folders, files in os.walk(tree):
        folders[:] = sorted(one for one in folders if one not in _PASSED_OVER)
        seen += len(folders) + len(files)
        if seen > _MOST_ENTRIES:
            return
        if name in files and (path := Path(folder, name)).is_file():
            yield path
