"""Recordings for other tools: JSON Lines, Parquet, Perfetto.

    with open("export.pftrace", "wb") as file:
        write(open_recording("run"), "perfetto", file)

A format is one file with one function, listed below. Its libraries are loaded when it is used.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import IO

from greta.errors import UsageError
from greta.recording import Recording
from greta.reports.export.progress import Advance, unseen

__all__ = ["FORMATS", "Advance", "Format", "write"]


@dataclass(frozen=True)
class Format:
    """A format: how its files are called, and what it takes to write them."""

    name: str
    suffix: str
    needs: str = ""  # what to give to `pip install`
    text: bool = False  # it can go to a terminal


FORMATS = {
    "jsonl": Format("jsonl", ".jsonl", text=True),
    "parquet": Format("parquet", ".parquet", needs="'gretacore[parquet]'"),
    "perfetto": Format("perfetto", ".pftrace", needs="--upgrade perfetto protobuf"),
}


def write(recording: Recording, format_: str, file: IO[bytes], advance: Advance = unseen) -> None:
    """Write all calls of a recording; `advance` hears how many were written."""
    try:
        if format_ == "jsonl":
            write_all = importlib.import_module("greta.reports.export.jsonl").write_jsonl
        elif format_ == "parquet":
            write_all = importlib.import_module("greta.reports.export.parquet").write_parquet
        else:
            write_all = importlib.import_module(
                "greta.reports.export.perfetto_trace"
            ).write_perfetto
    except Exception as error:
        # Not only ImportError: protobuf raises its own where its version does not fit.
        raise _not_there(FORMATS[format_], error) from error
    write_all(recording, file, advance)


def _not_there(format_: Format, error: Exception) -> UsageError:
    reason = str(error).partition("\n")[0]
    return UsageError(
        f"--format {format_.name} cannot be used here ({reason}); run `pip install {format_.needs}`"
    )
