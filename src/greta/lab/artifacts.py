"""Where an audit keeps what it saw: artifacts/YYYY-MM-DD/<case>/.

run/<test>.<n>/     the run folder of each child: recording, logs, run.json
summary.json        the verdict and all that it rests on
report.*.md, .html  in both languages
rerun.json          what it takes to run exactly this again
SHA256SUMS          of all files but the recordings of iterations that passed
"""

from __future__ import annotations

import hashlib
import itertools
import json
import os
import re
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any, Final

from greta.errors import UsageError

DEFAULT_ROOT: Final = Path("artifacts")
SUMS: Final = "SHA256SUMS"


def create_case_folder(root: Path, case: str, day: date) -> Path:
    """A new folder for an audit; the second of the same day is <case>.2."""
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}", case):
        raise UsageError(
            f"--case {case!r}: use letters, digits, '.', '_' and '-', at most 80, beginning with a "
            "letter or a digit"
        )
    parent = root / day.isoformat()
    try:
        parent.mkdir(parents=True, exist_ok=True)
        for number in itertools.count(1):
            folder = parent / (case if number == 1 else f"{case}.{number}")
            try:
                folder.mkdir()
            except FileExistsError:
                continue
            return folder
    except OSError as error:
        raise UsageError(
            f"cannot write to {root}: {error.strerror}; name another with --out"
        ) from None
    raise AssertionError("unreachable")


def write_json(path: Path, data: Mapping[str, Any]) -> None:
    """Old or new, nothing between."""
    fresh = path.with_name(path.name + ".new")
    fresh.write_text(json.dumps(data, indent=1) + "\n", encoding="ascii")
    fresh.replace(path)


def write_sums(folder: Path) -> None:
    """SHA-256 of every file, in the format of sha256sum."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    lines = [f"{_sha256(path)}  {path.relative_to(folder)}" for path in paths if path.name != SUMS]
    (folder / SUMS).write_text("\n".join(lines) + "\n", encoding="utf-8")


def _sha256(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(1 << 20):
            digest.update(chunk)
    return digest.hexdigest()


def size_of(folder: Path) -> int:
    """Bytes of all files in it."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def left_free(folder: Path) -> int:
    """Bytes that the disk has left."""
    system = os.statvfs(folder)
    return system.f_bavail * system.f_frsize
