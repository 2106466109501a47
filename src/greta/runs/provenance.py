"""Whether a compiled program can be what its sources say; noted when it runs: files change.

Which files its sources are is read from the program: its debug information (paths), else its
symbol table (names of compiled files), else only a file that has the program's own name. Times of
files lie after a checkout, so for a newer file it is also noted what can tell: whether its content
is what was compiled (some compilers keep the hash), whether git says it was changed, when it was
committed. A program that git has itself is held against the sources of its own commit.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Final

from greta.runs.elf import read_elf
from greta.runs.files import iso_time, run_git, sha256_of, stat_facts
from greta.runs.program import is_interpreter
from greta.symbols.dwarf_lines import DwarfLines
from greta.symbols.elf_file import Deadline, ElfFile
from greta.trace.run_facts import (
    FileFacts,
    GitFacts,
    NewerBuild,
    NewerSource,
    Provenance,
    SourceFacts,
)

_LARGEST: Final = 256 << 20
_SECONDS: Final = 2.0
"""A program waits for this before it starts."""
_MOST_FILES: Final = 20_000
_MOST_NEWER: Final = 20
_SLACK_SECONDS: Final = 1.0
"""File systems and copies round times."""
_SUFFIXES: Final = {".c", ".cc", ".cpp", ".cxx", ".cu", ".hip", ".h", ".hpp", ".cuh", ".rs", ".f90"}
SYSTEM: Final = ("/usr/", "/lib", "/opt/")
_FOREIGN: Final = ("/site-packages/", "/include/hip/", "/include/c++/", "/lib/gcc/", "/lib/clang/")

Found = dict[Path, bytes | None]
"""Files, and the MD5 that the compiler noted."""


def source_facts(program: Path, tree: str | None) -> SourceFacts:
    """How the sources are known, how many there are, and those that are newer than the program."""
    deadline = time.monotonic() + _SECONDS
    how, found = _sources(program, Path(tree) if tree else None, deadline)
    built = program.stat().st_mtime
    when, since = _changed_since(program, tree)
    newer = [
        path
        for path in sorted(found)
        if _time(path) > built + _SLACK_SECONDS or path.resolve() in since
    ]
    shown = tuple(
        NewerSource(
            str(path),
            iso_time(_time(path)),
            _is_as_compiled(path, found[path]),
            *_committed(path),
            when if path.resolve() in since else None,
        )
        for path in newer[:_MOST_NEWER]
    )
    complete = time.monotonic() < deadline
    return SourceFacts(how, len(found), complete, shown)


def _sources(program: Path, tree: Path | None, deadline: float) -> tuple[str, Found]:
    named, compiled = _read(program, tree, deadline)
    existing = {path: md5 for path, md5 in named.items() if path.is_file()}
    if existing:
        return "debug information", existing
    candidates = list(_tracked(tree)) if tree else list(_beside(program))
    listed = {path: None for path in candidates if path.name in compiled}
    if listed:
        return "symbol table", dict(listed)
    alike = {path: None for path in candidates if path.stem == program.stem}
    return ("name", dict(alike)) if alike else ("nothing", {})


def _read(program: Path, tree: Path | None, deadline: float) -> tuple[Found, set[str]]:
    named: Found = {}
    try:
        if program.stat().st_size > _LARGEST:
            return {}, set()
        with closing(ElfFile(program)) as elf:
            with suppress(TimeoutError):
                for path, md5 in _debug_files(DwarfLines(elf), tree, deadline):
                    named[path] = md5 or named.get(path)
            return named, {Path(name).name for name in elf.compiled_names}
    except Exception:  # pyelftools meets damage with errors of many kinds
        return {}, set()


def _debug_files(
    lines: DwarfLines, tree: Path | None, deadline: float
) -> Iterator[tuple[Path, bytes | None]]:
    for unit in lines.units(Deadline(max(deadline - time.monotonic(), 0))):
        main = Path(os.path.normpath(unit.main))
        if str(main).startswith((*SYSTEM, ".")):
            continue  # of the compiler's own start-up code, or of no file
        yield main, None
        homes = _homes(main, tree)
        listed = ((Path(os.path.normpath(one.path)), one.md5) for one in unit.files)
        yield from ((path, md5) for path, md5 in listed if _is_own(path, homes))


def _homes(main: Path, tree: Path | None) -> tuple[Path, ...]:
    if tree:
        return main.parent, tree
    around = main.parent.parent
    shallow = len(around.parts) < 4  # such as / or a user's whole home
    return (main.parent,) if shallow else (main.parent, around)


def _is_own(path: Path, homes: tuple[Path, ...]) -> bool:
    foreign = str(path).startswith(SYSTEM) or any(part in str(path) for part in _FOREIGN)
    return not foreign and any(path.is_relative_to(home) for home in homes)


def _tracked(tree: Path) -> Iterator[Path]:
    try:
        listed = run_git(tree, "ls-files", "-z")
    except (OSError, subprocess.TimeoutExpired):
        return
    for name in listed.stdout.split(b"\0")[:_MOST_FILES]:
        path = tree / os.fsdecode(name)
        if path.suffix in _SUFFIXES and path.is_file():
            yield path


def _beside(program: Path) -> Iterator[Path]:
    try:
        names = sorted(program.parent.iterdir())[:_MOST_FILES]
    except OSError:
        return
    yield from (path for path in names if path.suffix in _SUFFIXES and path.is_file())


def _time(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def _is_as_compiled(path: Path, md5: bytes | None) -> bool | None:
    if md5 is None:
        return None
    try:
        return hashlib.md5(path.read_bytes(), usedforsecurity=False).digest() == md5
    except OSError:
        return None


def _committed(path: Path) -> tuple[bool | None, str | None]:
    """Whether it differs from its last commit, and when that was; None where git does not know."""
    unknown = None, None
    try:
        status = run_git(path.parent, "status", "--porcelain", "--", path.name)
        log = run_git(path.parent, "log", "-1", "--format=%ct", "--", path.name)
    except (OSError, subprocess.TimeoutExpired):
        return unknown
    when = log.stdout.strip()
    if status.returncode != 0 or not when.isdigit():
        return unknown
    return bool(status.stdout.strip()), iso_time(int(when))


def _changed_since(program: Path, tree: str | None) -> tuple[str | None, set[Path]]:
    """When a program that git has, as it is, was committed; files that are others since then."""
    changed, when = _committed(program)
    if tree is None or changed is not False:
        return None, set()
    try:
        commit = run_git(program.parent, "log", "-1", "--format=%H", "--", program.name)
        words = ("diff", "--name-only", "-z", os.fsdecode(commit.stdout.strip()), "HEAD")
        others = run_git(Path(tree), *words)
    except (OSError, subprocess.TimeoutExpired):
        return None, set()
    root = Path(tree).resolve()
    return when, {root / os.fsdecode(name) for name in others.stdout.split(b"\0") if name}


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
        tracked = ("ls-files", "--error-unmatch", "--", path.name)
        if elf and other != digest and run_git(path.parent, *tracked).returncode != 0:
            found.append(NewerBuild(str(path), other, elf.build_id, *stat_facts(path)))
    return tuple(found)


def _named(tree: Path, name: str) -> Iterator[Path]:
    seen = 0
    for folder, folders, files in os.walk(tree):
        folders[:] = sorted(one for one in folders if one not in _PASSED_OVER)
        seen += len(folders) + len(files)
        if seen > _MOST_ENTRIES:
            return
        if name in files and (path := Path(folder, name)).is_file():
            yield path
