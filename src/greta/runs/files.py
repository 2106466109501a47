"""Which file exactly: size, hash, build id, time, and what git knows of it."""

from __future__ import annotations

import hashlib
import os
from dataclasses import replace
from datetime import datetime, timezone
from pathlib import Path

from greta.outside import open_outside
from greta.runs.elf import read_elf
from greta.runs.git import git_facts
from greta.trace.run_facts import FileFacts

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
