"""The run folders that are kept below a folder: what each was, how large it is, and which go."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from greta.errors import OutsideError, UsageError
from greta.runs.folder import DEFAULT_PARENT, read_run_if_whole
from greta.trace.run_facts import RunFacts


@dataclass(frozen=True)
class KeptRun:
    path: Path
    facts: RunFacts
    bytes: int
    started: datetime | None = None


def find_runs(parent: Path) -> list[KeptRun]:
    """The run folders directly below a folder, the oldest first; raises UsageError without it."""
    try:
        folders = [
            Path(one.path) for one in os.scandir(parent) if one.is_dir(follow_symlinks=False)
        ]
    except OSError as error:
        raise UsageError(f"{parent} cannot be listed: {error.strerror}") from None
    runs = [_kept(folder) for folder in folders if (folder / "run.json").is_file()]
    return sorted(runs, key=lambda run: (run.started.timestamp() if run.started else 0.0, run.path))


def _kept(folder: Path) -> KeptRun:
    try:
        facts = read_run_if_whole(folder)
    except OutsideError:
        facts = RunFacts()  # listed all the same, so that it can be removed
    try:
        started = datetime.fromisoformat(facts.started or "")
    except ValueError:
        started = None
    return KeptRun(folder, facts, bytes_on_disk(folder), started)


def last_run() -> Path:
    """The newest folder that `greta run` made by itself; raises UsageError if there is none."""
    runs = find_runs(DEFAULT_PARENT) if DEFAULT_PARENT.is_dir() else []
    if not runs:
        raise UsageError(
            f"there is no run in {DEFAULT_PARENT}/; name a run folder or a log, or record one "
            "with `greta run -- COMMAND`"
        )
    return runs[-1].path


def bytes_on_disk(folder: Path) -> int:
    """The space that all files below take; files that vanish meanwhile do not count."""
    return sum(_blocks(Path(place, name)) for place, _, names in os.walk(folder) for name in names)


def _blocks(file: Path) -> int:
    try:
        return file.lstat().st_blocks * 512
    except OSError:
        return 0


def chosen_to_go(
    runs: Sequence[KeptRun], now: datetime, older: timedelta | None, keep: int | None
) -> list[KeptRun]:
    """Those that are older than that and not among the newest `keep`; never one still running.

    A run whose beginning is not known is not older than anything.
    """
    newest = {run.path for run in runs[max(0, len(runs) - keep) :]} if keep else set()
    return [
        run
        for run in runs
        if run.path not in newest
        and run.facts.finished
        and (older is None or (run.started is not None and now - run.started > older))
    ]


def remove_run(run: KeptRun) -> None:
    """Removes its folder; raises UsageError if that fails."""
    try:
        shutil.rmtree(run.path)
    except OSError as error:
        raise UsageError(f"{run.path} cannot be removed: {error.strerror}") from None
