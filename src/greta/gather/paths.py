"""What a path is: a run folder, a recording, logs; and what it gives."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Final

from greta.errors import UsageError
from greta.forensics.evidence import Evidence, Expectations
from greta.gather.expected import require_sense
from greta.gather.log_folder import logs_in
from greta.gather.run_folder import gather_recorded, is_recorded
from greta.ingest import read_log

Paths = Path | str | Iterable[Path | str]

_NOTHING: Final = Expectations()
_WANTED: Final = "give a run folder, a recording, a log, or a folder of logs"


def gather(paths: Paths, expectations: Expectations = _NOTHING) -> list[Evidence]:
    """The evidence, one for each process; raises UsageError if there is none to be had.

    Several paths speak of one run: at most one of them is a run folder or a recording.
    """
    require_sense(expectations)
    given = [Path(paths)] if isinstance(paths, Path | str) else [Path(path) for path in paths]
    for path in given:
        if not path.exists():
            raise UsageError(f"{path} does not exist; {_WANTED}")
    recorded = [path for path in given if path.is_dir() and is_recorded(path)]
    logs = [log for path in given if path not in recorded for log in _logs(path)]
    if len(recorded) > 1:
        raise UsageError(f"{recorded[0]} and {recorded[1]} are two runs; give one of them")
    if recorded:
        return gather_recorded(recorded[0], logs, expectations)
    if not logs:
        raise UsageError(f"nothing was given to analyze; {_WANTED}")
    return [_expecting(evidence, expectations) for evidence in read_log(logs)]


def _logs(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    found = logs_in(path)
    if not found:
        raise UsageError(f"{path} is neither a run nor a recording, and has no log; {_WANTED}")
    return found


def _expecting(evidence: Evidence, expectations: Expectations) -> Evidence:
    return replace(evidence, expectations=expectations)
