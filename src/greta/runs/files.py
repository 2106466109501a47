"""Which file exactly: size, hash, build id, time, and what git knows of it."""

from __future__ import annotations

import functools
import hashlib
import os
import subprocess
from dataclasses import replace
from datetime import datetime, timezone
from pathlib import Path

from greta.outside import open_outside
from greta.runs.elf import read_elf
from greta.trace.run_facts import FileFacts, GitFacts

_SECONDS = 10
# Only to look: take no lock that the user's own git could meet, start no helper program.
_GIT = ("git", "--no-optional-locks", "-c", "core.fsmonitor=false")


def git_facts(path: Path) -> GitFacts | None:
    """None where git is not installed or the file lies in no work tree."""
    try:
        place = run_git(path.parent, "rev-parse", "--show-toplevel")
        if place.returncode != 0:
            return _failure(place.stderr)
        tree = _tree_facts(Path(_line(place.stdout)))
        listed = run_git(path.parent, "ls-files", "--error-unmatch", "--", path.name)
    except FileNotFoundError:
        return None
    except (OSError, subprocess.TimeoutExpired) as error:
        return GitFacts(problem=str(error))
    return replace(tree, tracked=listed.returncode == 0)


@functools.lru_cache(maxsize=8)  # program and script often lie in one tree
def _tree_facts(tree: Path) -> GitFacts:
    status = run_git(tree, "status", "--porcelain=v2", "--branch", "--untracked-files=no")
    lines = os.fsdecode(status.stdout).splitlines()
    commit = next((line.split()[2] for line in lines if line.startswith("# branch.oid ")), None)
    branch = next((line.split()[2] for line in lines if line.startswith("# branch.head ")), None)
    changed = sum(1 for line in lines if not line.startswith("#"))
    return GitFacts(
        tree=str(tree),
        commit=None if commit == "(initial)" else commit,
        branch=branch,
        clean=changed == 0 if status.returncode == 0 else None,
        changed_files=changed,
    )


def run_git(folder: Path, *words: str) -> subprocess.CompletedProcess[bytes]:
    """Git's answer; raises OSError, or TimeoutExpired."""
    # GIT_DIR and its kin would answer for another tree than the file's.
    environment = {name: text for name, text in os.environ.items() if not name.startswith("GIT_")}
    return subprocess.run(
        [*_GIT, "-C", str(folder), *words],
        env={**environment, "LC_ALL": "C"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=_SECONDS,
        check=False,
    )


def _failure(stderr: bytes) -> GitFacts | None:
    if b"not a git repository" in stderr:
        return None
    return GitFacts(problem=_line(stderr.splitlines()[0] if stderr else b"git failed"))


def _line(text: bytes) -> str:
    return os.fsdecode(text.removesuffix(b"\n"))


_CHUNK = 1 << 20


def file_facts(path: Path) -> FileFacts:
    """What tells this file from every other of the same name.

    `path` is as it was found, `real_path` has no symbolic links.
    """
    real = Path(os.path.realpath(path))
    known = FileFacts(str(path.absolute()), str(real))
    try:
        size, modified = stat_facts(real)
        known = replace(known, bytes=size, modified=modified, sha256=sha256_of(real))
    except OSError as error:
        # A program may be executable and not readable.
        return replace(known, problem=f"cannot be read: {error.strerror}")
    elf = read_elf(real)
    return replace(known, build_id=elf.build_id if elf else None, git=git_facts(real))


def stat_facts(path: Path) -> tuple[int, str]:
    """Size and time of change."""
    status = path.stat()
    return status.st_size, iso_time(status.st_mtime)


def sha256_of(path: Path) -> str:
    """The hash of the whole file."""
    digest = hashlib.sha256()
    with open_outside(path) as file:
        while chunk := file.read(_CHUNK):
            digest.update(chunk)
    return digest.hexdigest()


def iso_time(seconds: float) -> str:
    """A time of the clock as ISO 8601, in this machine's zone and with its offset."""
    return datetime.fromtimestamp(seconds, timezone.utc).astimezone().isoformat()
