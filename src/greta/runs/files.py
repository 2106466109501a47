"""Which file exactly: size, hash, build id, time, and what git knows of it."""

from __future__ import annotations

import hashlib
import os
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from greta.outside import open_outside
from greta.runs.elf import read_elf
from greta.runs.git import git_facts

_CHUNK = 1 << 20


def file_facts(path: Path) -> dict[str, Any]:
    """What tells this file from every other of the same name.

    `path` is as it was found, `real_path` has no symbolic links.
    """
    real = Path(os.path.realpath(path))
    facts: dict[str, Any] = {"path": str(path.absolute()), "real_path": str(real)}
    try:
        facts |= stat_facts(real)
        facts["sha256"] = sha256_of(real)
    except OSError as error:
        # A program may be executable and not readable.
        return {**facts, "problem": f"cannot be read: {error.strerror}"}
    elf = read_elf(real)
    facts["build_id"] = elf.build_id if elf else None
    facts["git"] = git_facts(real)
    return facts


def stat_facts(path: Path) -> dict[str, Any]:
    """Size and time of change."""
    status = path.stat()
    return {"bytes": status.st_size, "modified": iso_time(status.st_mtime)}


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
