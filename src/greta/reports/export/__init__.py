"""Recordings for other tools: JSON Lines, Parquet, Perfetto.

    with open("export.pftrace", "wb") as file:
        write(open_recording("run"), "perfetto", file)

A format is one file with one function, listed below. Its libraries are loaded when it is used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import IO

from greta.errors import UsageError
from greta.forensics.verdict import Verdict
from greta.recording import Recording

__all__ = ["FORMATS", "Advance", "Format", "write", "write_runs"]

Advance = Callable[[int], None]  # called with the number of events that were written


@dataclass(frozen=True)
class Format:
    name: str
    suffix: str
    needs: str = ""  # what to give to `pip install`
    text: bool = False  # it can go to a terminal


FORMATS = {
    "jsonl": Format("jsonl", ".jsonl", text=True),
    "parquet": Format("parquet", ".parquet", needs="'gretacore[parquet]'"),
    "perfetto": Format("perfetto", ".pftrace", needs="--upgrade perfetto protobuf"),
}


def write(
    recording: Recording,
    format_: str,
    file: IO[bytes],
    advance: Advance = lambda _: None,
    verdict: Verdict | None = None,
) -> None:
    """Write all calls of a recording; `advance` hears how many were written.

    A time line also shows the fault of which `verdict` tells.
    """
    with _needing(FORMATS[format_]):
        if format_ == "jsonl":
            from greta.reports.export.jsonl import write_jsonl as write_all
        elif format_ == "parquet":
            from greta.reports.export.parquet import write_parquet as write_all
        else:
            from greta.reports.export.perfetto_trace import write_perfetto

            write_all = partial(write_perfetto, verdict=verdict)
    write_all(recording, file, advance)


def write_runs(
    paths: Sequence[Path], target: Path, judge: Callable[[Path], Verdict], *, force: bool = False
) -> tuple[int, int]:
    """Many runs as one Parquet data set in the folder `target`; how many runs and calls."""
    with _needing(FORMATS["parquet"]):
        from greta.reports.export.dataset import write_dataset
    return write_dataset(paths, target, judge, force=force)


@contextmanager
def _needing(format_: Format) -> Iterator[None]:
    try:
        yield
    except Exception as error:
        # Not only ImportError: protobuf raises its own where its version does not fit.
        reason, needs = str(error).partition("\n")[0], format_.needs
        raise UsageError(
            f"--format {format_.name} cannot be used here ({reason}); run `pip install {needs}`"
        ) from error
