"""Where an audit keeps what it saw: artifacts/YYYY-MM-DD/<case>/, docs/first-audit.md."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Final

from greta.errors import UsageError
from greta.runs.files import sha256_of
from greta.runs.folder import write_whole

DEFAULT_ROOT: Final = Path("artifacts")
SUMS: Final = "SHA256SUMS"


def require_case_name(case: str) -> None:
    """Raises UsageError if it cannot be that of a folder."""
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}", case):
        raise UsageError(
            f"--case {case!r}: use letters, digits, '.', '_' and '-', at most 80, beginning with a "
            "letter or a digit"
        )


def create_case_folder(root: Path, case: str, day: date) -> Path:
    """A new folder for an audit; the second of the same day is <case>.2."""
    require_case_name(case)
    parent = root / day.isoformat()
    try:
        parent.mkdir(parents=True, exist_ok=True)
        for number in itertools.count(1):
            folder = parent / (case if number == 1 else f"{case}.{number}")
            try:
                folder.mkdir(mode=0o700)
            except FileExistsError:
                continue
            return folder
    except OSError as error:
        raise UsageError(
            f"cannot write to {root}: {error.strerror}; name another with --out"
        ) from None
    raise AssertionError("unreachable")


def write_json(path: Path, data: Mapping[str, object]) -> None:
    """Old or new, nothing between."""
    write_whole(path, json.dumps(data, indent=1) + "\n")


def write_sums(folder: Path) -> None:
    """SHA-256 of every file, in the format of sha256sum."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    lines = [
        f"{sha256_of(path)}  {path.relative_to(folder)}" for path in paths if path.name != SUMS
    ]
    write_whole(folder / SUMS, "\n".join(lines) + "\n")


def unused(parent: Path, name: str, mark: str = "") -> Path:
    """The first of name, name<mark>.1, name<mark>.2 ... that is not there: no run is written over.

    Without a mark the first is name.0.
    """
    plain = [name] if mark else []
    numbers = itertools.count(1 if mark else 0)
    names = itertools.chain(plain, (f"{name}{mark}.{number}" for number in numbers))
    folders = (parent / one for one in names)
    return next(one for one in folders if not (one.exists() or start_log(one).exists()))


def start_log(folder: Path) -> Path:
    """What `greta run` itself says of a run: beside its folder, which it makes later."""
    return folder.with_name(f"{folder.name}.greta.log")
