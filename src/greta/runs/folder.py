"""The run folder: everything that is kept of one run; run.json is read and written here alone.

recording/    what the recorder wrote, one folder a process
stdout.log    what the program wrote, byte for byte
stderr.log
run.json      what ran, where, and how it ended (greta.trace.run_facts)
pin.json      what `greta pin` found out about it
"""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import re
import shutil
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Literal

from greta.errors import NotJsonError, OutsideError, UsageError
from greta.outside import is_there, read_object
from greta.trace.run_facts import RunFacts
from greta.typed_json import Json, JsonField, decode, encode

NAME = "run.json"
DEFAULT_PARENT = Path("greta-runs")
_LONGEST_NAME = 40


def read_run(folder: Path) -> RunFacts | None:
    """None where there is none; raises UsageError for what is no run.json."""
    file = folder / NAME
    if not is_there(file):
        return None
    try:
        return _decoded(read_object(file), file)
    except OutsideError as error:
        raise UsageError(f"the facts of the run cannot be read: {error}") from None
    except OSError as error:
        raise UsageError(f"{file} cannot be read: {error.strerror}") from None


def read_run_if_whole(folder: Path) -> RunFacts:
    """Nothing is known where there is none, or half of one; raises OutsideError for another."""
    file = folder / NAME
    try:
        return _decoded(read_object(file), file)
    except (OSError, NotJsonError):
        return RunFacts()


def _decoded(found: Json, file: Path) -> RunFacts:
    facts = decode(RunFacts, found, JsonField(file))
    if len(facts.command) != len(found.get("command") or ()):
        # A command with a word less is another command.
        raise OutsideError(f"{file}: the field command has no text in it")
    return facts


def write_whole(path: Path, text: str) -> None:
    """A reader finds what was there or what is written, nothing between; so does OSError."""
    fresh = path.with_name(path.name + ".new")
    try:
        fresh.write_text(text, encoding="utf-8")
        fresh.replace(path)
    except OSError:
        fresh.unlink(missing_ok=True)
        raise


@dataclass(frozen=True)
class RunFolder:
    """One run's folder, under an absolute path; `made` are the folders that were made for it."""

    path: Path
    made: tuple[Path, ...] = ()

    @property
    def recording(self) -> Path:
        return self.path / "recording"

    @property
    def facts(self) -> Path:
        return self.path / NAME

    def log(self, stream: str) -> Path:
        return self.path / f"{stream}.log"

    def write_facts(self, facts: RunFacts) -> None:
        # dumps gives ASCII, so that bytes of a name that are no UTF-8 stay what they were:
        # "\\udcff" is 0xff.
        write_whole(self.facts, json.dumps(encode(facts), indent=2) + "\n")

    def discard(self) -> None:
        """Removes the folder, and what was made to hold it, for a run that never began."""
        for name in ("recording", "run.json", "stdout.log", "stderr.log"):
            target = self.path / name
            if target.is_dir():
                shutil.rmtree(target, ignore_errors=True)
            else:
                target.unlink(missing_ok=True)
        for folder in reversed(self.made):
            with contextlib.suppress(OSError):  # somebody else has put something in
                folder.rmdir()


def create_run_folder(out: str | None, program: str, now: datetime) -> RunFolder:
    """Makes the folder named `out`, or a new one under greta-runs/ named for time and program.

    Raises UsageError where there is something already or nothing can be made.
    """
    try:
        folder = _named(Path(out)) if out is not None else _dated(program, now)
        folder.recording.mkdir()
    except OSError as error:
        place = out if out is not None else str(DEFAULT_PARENT.absolute())
        raise UsageError(
            f"cannot make the run folder {place!r}: {error.strerror}; name another with --out DIR"
        ) from None
    return folder


def refuse_audit_folder(path: Path) -> None:
    """Raises UsageError that names a run inside, if it is the folder of an audit."""
    if not is_there(path / "summary.json") or not (path / "run").is_dir():
        return
    first = next(iter(sorted(one for one in (path / "run").iterdir() if one.is_dir())), None)
    example = f", such as {first}" if first else ""
    raise UsageError(
        f"{path} is an audit; name one of its runs{example}, or use `greta report {path}`"
    )


def _named(out: Path) -> RunFolder:
    if out.is_dir() and any(out.iterdir()):
        raise UsageError(f"--out: {str(out)!r} is not empty; name a new folder, or remove it first")
    if out.exists() and not out.is_dir():
        raise UsageError(f"--out: {str(out)!r} is not a folder; name a new folder")
    path = out.absolute()
    return RunFolder(path, _make(path))


def _dated(program: str, now: datetime) -> RunFolder:
    name = f"{now:%Y%m%d-%H%M%S}-{_plain(program)}"
    parent = DEFAULT_PARENT.absolute()
    made = _make(parent)
    for number in itertools.count(1):
        path = parent / (name if number == 1 else f"{name}-{number}")
        with contextlib.suppress(FileExistsError):  # of a run in the same second
            path.mkdir(mode=0o700)
            return RunFolder(path, (*made, path))
    raise AssertionError("unreachable")


def _make(path: Path) -> tuple[Path, ...]:
    missing = [folder for folder in (path, *path.parents) if not folder.exists()]
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    return tuple(reversed(missing))


def _plain(program: str) -> str:
    name = re.sub(r"[^A-Za-z0-9._+-]+", "_", os.path.basename(program))  # noqa: PTH119
    return name.strip("._-")[:_LONGEST_NAME] or "program"


def shortened(path: Path) -> str:
    """Relative where that is inside the working folder."""
    try:
        return str(path.relative_to(Path.cwd()))
    except (OSError, ValueError):
        return str(path)


_PIN = "pin.json"
_PIN_SCHEMA = 1


@dataclass(frozen=True)
class Attempt:
    """One run: `sync` says which operations were waited for (recorder/watch/added_sync.h)."""

    n: int
    sync: str | None
    folder: str
    shows: bool
    ending: str
    operations: int


@dataclass(frozen=True)
class Pin:
    """The result: `seq` is numbered as in the run that was asked about.

    `persists_serialized`: the fault is there when every operation is waited for; then the operation
    is the one that makes it. If not, it is a matter of timing, and the operation is the last one
    that must not be waited for, if the fault is to show. `fresh_bytes`: instead, runs with other
    bytes in fresh memory were compared (greta.trace.evidence), and the operation is the copy.
    """

    pinned: bool
    reason: str
    persists_serialized: bool | None = None
    pid: int | None = None
    seq: int | None = None
    call: str | None = None
    kernel: str | None = None
    operation: int | None = None
    error: int | None = None
    error_name: str | None = None
    exact_mapping: bool = False
    fresh_bytes: Literal["used", "part", "none"] | None = None
    history: tuple[Attempt, ...] = ()

    @property
    def runs(self) -> int:
        return len(self.history)


def write_pin(pin: Pin, run: Path) -> None:
    """Into the folder of the run that was asked about."""
    write_whole(run / _PIN, json.dumps(pin_json(pin), indent=2) + "\n")


def pin_json(pin: Pin) -> Json:
    return {"schema": _PIN_SCHEMA, "runs": pin.runs, **encode(pin)}


def read_pin(run: Path) -> Pin | None:
    """What `greta pin` has found out about a run; None where it was not asked."""
    file = run / _PIN
    return decode(Pin, read_object(file), JsonField(file)) if is_there(file) else None
