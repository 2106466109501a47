"""`greta export`."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path

from greta.api import judged, replacing
from greta.cli.common_options import STDOUT
from greta.cli.progress import count_bar
from greta.errors import ExitCode, GretaError, UsageError
from greta.forensics.verdict import Verdict
from greta.printable import printable
from greta.recording import Recording, open_recording
from greta.reports.export import FORMATS, Advance, write, write_runs
from greta.runs.gather import is_recorded, runs_at
from greta.trace.evidence import Expectations

RECORDING = "recording"  # of a run's folder
LONG = 50_000  # events that take some seconds


class ExportCommand:
    """Write a recording for other tools: JSON Lines, Parquet, Perfetto.

    jsonl: one object a call, to stdout or to FILE; for jq, grep and scripts.
    parquet: one row a call, for pandas, polars and DuckDB; by default RUN/export.parquet. It needs
    pip install 'gretacore[parquet]'.
    perfetto: threads, streams, annotations and memory on a time line, for https://ui.perfetto.dev;
    by default RUN/export.pftrace. What a stream does is seen at the HIP calls only, so its slices
    go from the call that enqueued the work to the first call that proves it complete. The fault is
    an instant with its verdict, and what caused it has CAUSE in its name.

    Several runs, or a folder that holds runs (of an audit, greta-runs), become one Parquet data
    set in the folder that -o names, partitioned by run, rank, node and device.

    RUN is the folder of a run, of its recording, or of one process. Of a damaged recording all that
    can be read is written, and what cannot is told on stderr.

    examples:
      greta export greta-runs/20260714-101500-a.out --format perfetto
      greta export RUN --format jsonl | jq -c 'select(.call == "hipMemcpy")'
      greta export RUN --format jsonl | head
      greta export RUN -o calls.parquet      the file's name says the format
      greta export greta-runs -o runs.dataset   all of them, for questions over many runs
      duckdb -c "select call, count(*) from 'calls.parquet' group by call"
    """

    name = "export"
    usage = "greta export RUN ... --format jsonl|parquet|perfetto [-o FILE] [--force]"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument(
            "recordings", metavar="RUN", nargs="+", help="what `greta run` or `greta audit` wrote"
        )
        parser.add_argument(
            "--format", choices=list(FORMATS), help="if it is not given, FILE's name says it"
        )
        parser.add_argument("-o", "--output", metavar="FILE", help="where to; - is stdout (jsonl)")
        parser.add_argument("--force", action="store_true", help="replace FILE if it is there")

    def run(self, options: argparse.Namespace) -> int:
        paths = [Path(word) for word in options.recordings]
        if len(paths) > 1 or (not is_recorded(paths[0]) and runs_at(paths[0])):
            return _export_dataset(paths, options)
        format_ = options.format or _format_of(options.output)
        recording = open_recording(paths[0])
        target = _target(options.output, format_, paths[0])
        for problem in recording.problems:
            print(f"greta: not read: {printable(problem)}", file=sys.stderr)
        if target is None:
            _write_stdout(recording, format_)
        else:
            if target.is_dir():
                raise UsageError(f"{target} is a folder; name a file with -o")
            if target.exists() and not options.force:
                raise UsageError(f"{target} is there already; add --force to replace it")
            try:
                verdict = _verdict(paths[0]) if format_ == "perfetto" else None
                with replacing(target) as file, _progress(recording, shown=True) as advance:
                    write(recording, format_, file, advance, verdict)
            except OSError as error:
                reason = error.strerror or error
                raise UsageError(
                    f"cannot write {target}: {reason}; name another file with -o"
                ) from None
            calls = sum(len(process) for process in recording.processes)
            opened = "; open it with https://ui.perfetto.dev" if format_ == "perfetto" else ""
            print(f"greta: wrote {target}, {calls:,} calls{opened}", file=sys.stderr)
        return ExitCode.OK


def _export_dataset(paths: Sequence[Path], options: argparse.Namespace) -> int:
    if options.format not in (None, "parquet"):
        raise UsageError(f"--format {options.format} is of one run; parquet takes several")
    if options.output in (None, STDOUT):
        raise UsageError("several runs become a data set; name its folder with -o")
    target = Path(options.output)
    if target.exists() and not target.is_dir():
        raise UsageError(f"{target} is a file; name the folder of a data set with -o")
    try:
        runs, calls = write_runs(paths, target, _judged, force=options.force)
    except OSError as error:
        raise UsageError(f"cannot write {target}: {error.strerror or error}") from None
    print(f"greta: wrote {target}, {runs:,} runs, {calls:,} calls", file=sys.stderr)
    return ExitCode.OK


def _judged(path: Path) -> Verdict:
    return judged([path], Expectations())


def _verdict(path: Path) -> Verdict | None:
    """What is drawn on a time line; a part of a recording is written whatever can be said of it."""
    try:
        return judged([path], Expectations())
    except GretaError:
        return None


def _format_of(output: str | None) -> str:
    suffix = Path(output or "").suffix
    found = [name for name, format_ in FORMATS.items() if format_.suffix == suffix]
    if found:
        return found[0]
    add = f"add --format {'|'.join(FORMATS)}"
    if not suffix:
        raise UsageError(f"no format given; {add}")
    known = ", ".join(format_.suffix for format_ in FORMATS.values())
    raise UsageError(
        f"the ending {suffix!r} of {output!r} does not say the format; known are {known}; or {add}"
    )


def _target(output: str | None, format_: str, run: Path) -> Path | None:
    if FORMATS[format_].text and output in (None, STDOUT):
        return None
    if output == STDOUT:
        raise UsageError(f"--format {format_} goes to a file, not to stdout; name one with -o")
    return Path(output) if output else _beside(run, FORMATS[format_].suffix)


def _beside(run: Path, suffix: str) -> Path:
    """In the run's folder, also where its recording or one process of it was given."""
    folder = run.resolve()
    if re.fullmatch(r"\d+\.\d+", folder.name):
        process = folder.name
        home = folder.parent.parent if folder.parent.name == RECORDING else folder.parent
        return home / f"export-{process}{suffix}"
    return (folder.parent if folder.name == RECORDING else run) / f"export{suffix}"


def _progress(recording: Recording, *, shown: bool) -> AbstractContextManager[Advance]:
    calls = sum(len(process) for process in recording.processes)
    return count_bar("calls", calls, shown=shown and calls > LONG)


def _write_stdout(recording: Recording, format_: str) -> None:
    try:
        with _progress(recording, shown=not sys.stdout.isatty()) as advance:
            write(recording, format_, sys.stdout.buffer, advance)
            sys.stdout.buffer.flush()
    except BrokenPipeError:
        raise  # who read it has seen enough
    except OSError as error:
        raise UsageError(f"cannot write to stdout: {error.strerror or error}") from None
