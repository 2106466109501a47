"""Running again what a folder names: a folder is data, and never a program by itself.

The folder must be the caller's own, what it names must be what was recorded, and the caller is
shown it and asked. What was masked when it was recorded is asked for.
"""

from __future__ import annotations

import getpass
import os
import shlex
import stat
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from greta.errors import UsageError
from greta.printable import printable
from greta.runs.files import sha256_of
from greta.runs.masking import MASK, masked_words

_OTHERS_MAY_WRITE = stat.S_IWGRP | stat.S_IWOTH
_OTHERS_MAY_ENTER = stat.S_IXGRP | stat.S_IXOTH


def require_own(folder: Path, file: str) -> None:
    """Raises UsageError unless the folder, and the file in it, can only be the caller's work."""
    status = folder.stat()
    _require_owner(folder, status)
    if status.st_mode & _OTHERS_MAY_WRITE:
        raise UsageError(_writable(folder))
    inside = (folder / file).lstat()
    _require_owner(folder / file, inside)
    if status.st_mode & _OTHERS_MAY_ENTER and inside.st_mode & _OTHERS_MAY_WRITE:
        raise UsageError(_writable(folder / file))


def _require_owner(path: Path, status: os.stat_result) -> None:
    if status.st_uid != os.geteuid():
        raise UsageError(
            f"{printable(str(path))} belongs to another user (uid {status.st_uid}); what it names "
            "is not run: record the program yourself with `greta run`"
        )


def _writable(path: Path) -> str:
    shown = shlex.quote(printable(str(path)))
    return (
        f"others may write to {shown}, so what it names is not run; if nobody did, "
        f"`chmod go-w {shown}` first"
    )


def require_recorded(path: Path, known: str | None) -> None:
    """Raises UsageError unless the file at `path` has this hash."""
    if not known:
        raise UsageError(
            f"{printable(str(path))} is not run again: the folder does not hold the hash of what "
            "ran then; record it anew with `greta run`"
        )
    try:
        now = sha256_of(Path(os.path.realpath(path)))
    except OSError as error:
        raise UsageError(f"{path} cannot be run again: {error.strerror}") from None
    if now != known:
        raise UsageError(
            f"{path} is not the file that ran then: its hash is another; record the new one with "
            "`greta run` first"
        )


def require_consent(
    command: Sequence[str], folder: str, variables: Mapping[str, str], *, yes: bool
) -> None:
    """Shows what would run and asks; raises UsageError if the answer is not yes."""
    assigned = [f"{name}={shlex.quote(value)}" for name, value in variables.items()]
    shown = printable(" ".join([*assigned, shlex.join(masked_words(command)[0])]))
    place = printable(folder)
    if yes:
        return
    if not sys.stdin.isatty():
        raise UsageError(
            f"this would run `{shown}` in {place}; say --yes to run it, as there is no terminal to "
            "ask at"
        )
    print(f"greta: this runs, in {place}:\n  {shown}", file=sys.stderr)
    print("greta: run it? [y/N] ", end="", file=sys.stderr, flush=True)
    if sys.stdin.readline().strip().lower() not in ("y", "yes"):
        raise UsageError("not run")


def unmasked(recorded: Sequence[str], given: Sequence[str], masked: Sequence[str]) -> list[str]:
    """The command with what was masked in it: as `given` after `--`, or as typed when asked."""
    if given:
        if list(given) != list(recorded) and masked_words(given)[0] != list(recorded):
            raise UsageError("the command after `--` is not the one that was recorded; drop it")
        return list(given)
    if not masked or not any(MASK in word for word in recorded):
        return list(recorded)
    names = printable(", ".join(masked))
    if not sys.stdin.isatty():
        raise UsageError(f"{names} was not written down; give the whole command again after `--`")
    print(f"greta: not written down, and needed again: {names}", file=sys.stderr)
    return [
        word.replace(MASK, getpass.getpass(f"{printable(word)}: ")) if MASK in word else word
        for word in recorded
    ]


def masked_then(kept: Mapping[str, str], current: Mapping[str, str]) -> dict[str, str]:
    """The variables whose values were not written down, as they are now.

    Raises UsageError that names those which are not set.
    """
    names = [name for name, value in kept.items() if MASK in value]
    if missing := [name for name in names if name not in current]:
        raise UsageError(
            f"{printable(', '.join(missing))} was set then, and its value was not written down; "
            "set it and try again"
        )
    return {name: current[name] for name in names}
