"""How the tests read logs that they have written."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from greta.trace.evidence import Evidence
from greta.trace.logs.read import evidence_of, read_process_logs
from greta.trace.trace import Kind, Table, Trace


def read_log(*files: Path) -> list[Evidence]:
    """What one log, or several about one run, tell."""
    return evidence_of((log for path in files for log in read_process_logs(path)), files)


class Logs:
    """Writes logs into a folder and reads them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def write(self, text: str | bytes, name: str = "run.log") -> Path:
        path = self.folder / name
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return path

    def read(self, *texts: str | bytes) -> list[Evidence]:
        return read_log(*(self.write(text, f"{n}.log") for n, text in enumerate(texts)))

    def one(self, *texts: str | bytes) -> Evidence:
        (evidence,) = self.read(*texts)
        return evidence


def rows_of(trace: Trace, kind: Kind) -> Table:
    """The operations of one kind."""
    rows: Table = trace.operations[trace.operations["kind"] == kind]
    return rows


def sizes(trace: Trace) -> list[int]:
    """How much each copy reads."""
    rows = np.flatnonzero(trace.operations["kind"] == Kind.COPY)
    return [int(trace.accesses_of(int(row))["bytes"][0]) for row in rows]
