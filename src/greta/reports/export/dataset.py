"""Many runs as one Parquet data set, partitioned by run, rank, node and device (docs/export.md).

DATASET/calls/run=R/rank=0/node=N/device=0/PID.1.parquet    one row a call
DATASET/runs/run=R/run.parquet                              one row a run
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from greta.errors import GretaError, UsageError
from greta.forensics.verdict import Verdict
from greta.printable import plain
from greta.recording import Process, open_recording
from greta.reports.export.parquet import SCHEMA, batches
from greta.runs.folder import read_run
from greta.runs.gather import runs_at
from greta.trace.run_facts import ExitFacts, RunFacts

Judge = Callable[[Path], Verdict]

_VISIBLE: Final = ("HIP_VISIBLE_DEVICES", "CUDA_VISIBLE_DEVICES")
_TEXT, _INT = pa.string(), pa.int64()
RUNS: Final = pa.schema(
    [
        *(("started", _TEXT), ("ended", _TEXT), ("seconds", pa.float64())),
        *(("exit_code", _INT), ("signal", _TEXT), ("command", _TEXT), ("program_sha256", _TEXT)),
        *(("device_kind", _TEXT), ("greta", _TEXT), ("processes", _INT), ("calls", _INT)),
        *(("verdict", _TEXT), ("hypothesis", _TEXT), ("cause_call", _TEXT)),
        *(("cause_kernel", _TEXT), ("blamed_call", _TEXT), ("blamed_error", _TEXT)),
    ]
)


def write_dataset(
    paths: Sequence[Path], target: Path, judge: Judge, *, force: bool
) -> tuple[int, int]:
    """How many runs and calls were written; those of a run that is there only with `force`."""
    runs = dict(_named([run for path in paths for run in runs_at(path)]))
    if not runs:
        raise UsageError(f"{', '.join(map(str, paths))}: there is no run")
    for name in runs:
        if (target / "runs" / name).exists() and not force:
            raise UsageError(f"{target} has {name} already; add --force to replace it")
    calls = 0
    for name, run in runs.items():
        part = target / f".{name}.part"
        shutil.rmtree(part, ignore_errors=True)
        try:
            calls += _write_run(run, part, judge)
            for kind in ("calls", "runs"):
                place = target / kind / name
                place.parent.mkdir(parents=True, exist_ok=True)
                shutil.rmtree(place, ignore_errors=True)
                (part / kind).rename(place)
        finally:
            shutil.rmtree(part, ignore_errors=True)
    return len(runs), calls


def _named(runs: Sequence[Path]) -> Iterator[tuple[str, Path]]:
    """`run=NAME` for each; runs of one name in several folders are told apart."""
    seen: set[str] = set()
    for run in dict.fromkeys(one.resolve() for one in runs):
        near = f"{run.parent.name}.{run.name}"
        names = (run.name, near, *(f"{near}.{number}" for number in range(2, len(runs) + 2)))
        name = next(one for one in map(_plain, names) if one not in seen)
        seen.add(name)
        yield f"run={name}", run


def _plain(text: str) -> str:
    """Without what has a meaning in the path of a partition."""
    return re.sub(r"[^A-Za-z0-9._+-]", "_", text) or "_"


def _write_run(run: Path, part: Path, judge: Judge) -> int:
    facts, recording = read_run(run) or RunFacts(), open_recording(run)
    node = _plain((facts.host.name if facts.host else None) or "unknown")
    (part / "calls").mkdir(parents=True)
    (part / "runs").mkdir()
    for number, process in enumerate(recording.processes):
        rank = number if process.rank is None else process.rank
        _write_process(process, part / "calls" / f"rank={rank}" / f"node={node}")
    counts = {"processes": len(recording.processes), "calls": sum(map(len, recording.processes))}
    row = {**counts, **_run_row(facts), **_verdict_row(run, judge)}
    pq.write_table(pa.Table.from_pylist([row], RUNS), part / "runs" / "run.parquet")
    return counts["calls"]


def _write_process(process: Process, folder: Path) -> None:
    devices = device_of_calls(process)
    with ExitStack() as files:
        writers: dict[int, pq.ParquetWriter] = {}
        for first, batch in batches(process):
            own = devices[first : first + len(batch)]
            for device in np.unique(own).tolist():
                if device not in writers:
                    place = folder / f"device={device}" / f"{process.folder.name}.parquet"
                    place.parent.mkdir(parents=True, exist_ok=True)
                    writer = pq.ParquetWriter(place, SCHEMA, compression="zstd")
                    writers[device] = files.enter_context(writer)
                writers[device].write_batch(batch.filter(pa.array(own == device)))


def device_of_calls(process: Process) -> npt.NDArray[np.int64]:
    """The device that each call went to: its thread's current one, by the number it has outside."""
    columns, tables = process.columns, process.tables
    ids = [id_ for id_, entry in tables.calls.items() if entry.name == "hipSetDevice"]
    done = np.isin(columns.call, ids) & columns.finished & (columns.result == 0)
    devices = np.zeros(len(columns), np.int64)
    for thread in np.unique(columns.thread_id[done]):
        rows = np.flatnonzero(columns.thread_id == thread)
        changes = rows[done[rows]]
        chosen = columns.words_of(changes)[:, 0].astype(np.int64)
        last = np.searchsorted(changes, rows, side="right") - 1
        devices[rows] = np.where(last >= 0, chosen[np.maximum(last, 0)], 0)
    for ordinal in np.unique(devices).tolist():
        outside = _outside(ordinal, tables.environment)
        devices[devices == ordinal] = -1 - outside  # so that none is taken for another meanwhile
    return -1 - devices


def _outside(ordinal: int, environment: Mapping[str, str]) -> int:
    hip = next((environment[name] for name in _VISIBLE if environment.get(name)), "")
    for listed in (hip, environment.get("ROCR_VISIBLE_DEVICES", "")):
        names = listed.split(",") if listed else []
        if 0 <= ordinal < len(names) and names[ordinal].strip().isdecimal():
            ordinal = int(names[ordinal])
    return ordinal


def _run_row(facts: RunFacts) -> dict[str, object]:
    ended = facts.exit or ExitFacts()
    return {
        "started": facts.started,
        "ended": facts.ended,
        "seconds": facts.seconds,
        "exit_code": ended.code,
        "signal": ended.signal,
        "command": plain(" ".join(facts.command)),
        "program_sha256": facts.program.sha256 if facts.program else None,
        "device_kind": facts.device.kind if facts.device else None,
        "greta": facts.greta,
    }


def _verdict_row(run: Path, judge: Judge) -> dict[str, object]:
    try:
        verdict = judge(run)
    except GretaError:
        return {}
    cause, blamed = verdict.cause, verdict.blamed
    return {
        "verdict": verdict.word.value,
        "hypothesis": cause.hypothesis if cause else None,
        "cause_call": cause.call if cause else None,
        "cause_kernel": cause.kernel if cause else None,
        "blamed_call": blamed.call if blamed else None,
        "blamed_error": blamed.error if blamed else None,
    }
