"""What a path is: a run folder, a recording, logs; and what it gives."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Final

from greta.errors import UsageError
from greta.outside import open_outside
from greta.runs.gather.expected import require_sense
from greta.runs.gather.run_folder import gather_recorded, is_recorded
from greta.trace.evidence import Evidence, Expectations
from greta.trace.logs.logged import ProcessLog
from greta.trace.logs.read import evidence_of, process_logs_if_any, read_process_logs

Paths = Path | str | Iterable[Path | str]

_NOTHING: Final = Expectations()
_WANTED: Final = "give a run folder, a recording, a log, or a folder of logs"
_MOST: Final = 1000
_LOOK: Final = 4096


def gather(paths: Paths, expectations: Expectations = _NOTHING) -> list[Evidence]:
    """The evidence, one for each process; raises UsageError if there is none to be had.

    Several paths speak of one run: at most one of them is a run folder or a recording.
    """
    require_sense(expectations)
    given = [Path(paths)] if isinstance(paths, Path | str) else [Path(path) for path in paths]
    for path in given:
        if not path.exists():
            raise UsageError(f"{path} does not exist; {_WANTED}")
    if not given:
        raise UsageError(f"nothing was given to analyze; {_WANTED}")
    recorded = [path for path in given if path.is_dir() and is_recorded(path)]
    if len(recorded) > 1:
        raise UsageError(f"{recorded[0]} and {recorded[1]} are two runs; give one of them")
    logs = [path for path in given if path not in recorded]
    stories = [story for path in logs for story in _stories(path)]
    if recorded:
        return gather_recorded(recorded[0], stories, expectations)
    return [_expecting(evidence, expectations) for evidence in evidence_of(stories, logs)]


def _stories(path: Path) -> list[ProcessLog]:
    if not path.is_dir():
        return read_process_logs(path)
    found = stories_in(path)
    if not found:
        raise UsageError(f"{path} is neither a run nor a recording, and has no log; {_WANTED}")
    return found


def _expecting(evidence: Evidence, expectations: Expectations) -> Evidence:
    return replace(evidence, expectations=expectations)


def stories_in(folder: Path) -> list[ProcessLog]:
    """Of the regular files directly in it that are text."""
    try:
        files = sorted(path for path in folder.iterdir() if path.is_file())
    except OSError as error:
        raise UsageError(f"{folder} cannot be read: {error.strerror or error}") from None
    if len(files) > _MOST:
        raise UsageError(f"{folder} has {len(files)} files; give the logs of one run by name")
    return [story for path in files if _is_text(path) for story in process_logs_if_any(path)]


def _is_text(path: Path) -> bool:
    try:
        with open_outside(path, within=path.parent) as file:
            return b"\0" not in file.read(_LOOK)
    except OSError:
        return False
