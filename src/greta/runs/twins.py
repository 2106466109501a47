"""Other builds of one name in a tree: a tracked program may stand in place of a fresh build."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from greta.runs.elf import read_elf
from greta.runs.files import sha256_of, stat_facts
from greta.runs.git import run_git

_MOST_ENTRIES: Final = 200_000
_PASSED_OVER: Final = {".git", "node_modules", "__pycache__", "greta-runs"}


def newer_builds(program: Path, tree: str) -> list[dict[str, Any]]:
    """Untracked ELF files of that name elsewhere in the tree that are newer and not the same."""
    built, digest = program.stat().st_mtime, sha256_of(program)
    found = []
    for path in _named(Path(tree), program.name):
        if path.stat().st_mtime <= built or path.samefile(program):
            continue
        elf = read_elf(path)
        other = sha256_of(path) if elf else digest
        if elf and other != digest and not _is_tracked(path):
            facts = {"path": str(path), "sha256": other, "build_id": elf.build_id}
            found.append(facts | stat_facts(path))
    return found


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
