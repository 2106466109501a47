"""A recording and its processes: of each its facts, its tables, and its calls in order."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import cast

import numpy as np
import numpy.typing as npt

from greta.large_arrays import keep_freed_memory
from greta.recording import _format as f
from greta.recording.columns import Columns, report_backward_times
from greta.recording.events import (
    ANNOUNCEMENTS,
    BLOCK_CREATED,
    PART_LAUNCHED,
    Announcement,
    Block,
    CallEvent,
    EventSource,
    blocks_of,
    events_of,
)
from greta.recording.files import Problems, RecordingError, size_of
from greta.recording.header import Clock, LiveTable, ProcessHeader, read_header, read_live
from greta.recording.identities import Allocation, Identities, Identity, identities_of
from greta.recording.lanes import Lane, read_lane
from greta.recording.notes import (
    CallPlace,
    DeviceNote,
    DeviceVariable,
    Footprint,
    read_device_notes,
)
from greta.recording.tables_json import Tables, read_tables

EVENTS_AT_ONCE = 4096
FEW_CALL_IDS = 1 << 16
COUNTED_AT_ONCE = 1 << 20
_NO_ROWS = np.empty(0, np.int64)
LARGEST_LANE = 0xFFFFFFFF


@dataclass(frozen=True)
class ProcessEnd:
    """How a process ended: "open", "exit", "signal" or "quick" (_exit), and its status or signal.

    `survived`: calls were made after the signal, so it was not the end.
    """

    how: str
    code: int
    survived: bool


RANK_VARIABLES = (
    *("RANK", "OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "MV2_COMM_WORLD_RANK"),
    *("SLURM_PROCID", "LOCAL_RANK"),
)
_GET_ATTRIBUTE = "hipDeviceGetAttribute"
_PAGEABLE = 65  # hipDeviceAttributePageableMemoryAccess
LARGE_LANES = 64 << 20  # bytes
_MOST_ASKED = 4096  # frameworks ask for attributes at their start


class Process:
    """What was recorded of one process, as it was when it was opened."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._problems = Problems()
        self.header: ProcessHeader = read_header(folder / "header", self._problems)
        self.clock = Clock.of(self.header, self._problems)
        # Whether threads may be in the middle of something, or were when a signal came.
        unfinished = self.header.end in (f.End.OPEN, f.End.SIGNAL)
        # The live table first: what it has, the lanes then have too.
        self.live: LiveTable = read_live(folder / "live", self._problems, still_written=unfinished)
        self.lanes: list[Lane] = self._read_lanes(unfinished)
        # The tables last: a line is written before the first record that refers to it.
        self.tables: Tables = read_tables(
            folder / "tables.jsonl", self._problems, still_written=unfinished
        )
        self._device_notes = read_device_notes(folder, self._problems, still_written=unfinished)
        self.columns = Columns(self.lanes, self.clock)
        self._report_unnamed_calls()
        if not (self.header.readable or self.lanes or self.tables.calls):
            raise RecordingError(f"{folder} has nothing in it that can be read as a recording")

    def __repr__(self) -> str:
        return f"<Process {self.pid}: {len(self)} calls, {self.ending.how}>"

    def __len__(self) -> int:
        return len(self.columns)

    @property
    def pid(self) -> int:
        """From the header, or from the name of the folder if that is lost."""
        named = re.match(r"\d{1,10}(?=\.)", self.folder.name)
        return self.header.pid or (int(named[0]) if named else 0)

    @property
    def rank(self) -> int | None:
        """What its launcher (torchrun, Open MPI, Slurm) calls it; None: it is one of no several."""
        given = (self.tables.environment.get(name, "") for name in RANK_VARIABLES)
        return next((int(text) for text in given if re.fullmatch(r"[0-9]{1,9}", text)), None)

    @cached_property
    def reaches_pageable(self) -> bool:
        """Whether devices reach host memory that HIP does not know: by XNACK, or as they said."""
        if self.tables.environment.get("HSA_XNACK") == "1":
            return True
        asked = [id_ for id_, one in self.tables.calls.items() if one.name == _GET_ATTRIBUTE]
        rows = self.columns.rows_of(asked)[:_MOST_ASKED]
        events = (self.event(int(row) + 1) for row in rows)
        return any(
            event.arguments.get("attr") == _PAGEABLE and event.arguments.get("pi") == 1
            for event in events
        )

    @cached_property
    def ending(self) -> ProcessEnd:
        """How it ended."""
        end = self.header.end
        began = (lane.scan.begin for lane in self.lanes)
        after = any(bool((ticks > self.header.end_ticks).any()) for ticks in began)
        survived = end is f.End.SIGNAL and after
        return ProcessEnd(end.name.lower(), self.header.end_code, survived)

    @property
    def ring(self) -> bool:
        """Whether only the last records were kept."""
        return self.header.ring or any(lane.facts.ring_records for lane in self.lanes)

    @property
    def overwritten(self) -> int:
        """Records that rings no longer have, continuations counted. That is not damage."""
        return sum(lane.overwritten for lane in self.lanes)

    @property
    def dropped(self) -> int:
        """Records that are not there: overwritten, or never written for want of space."""
        return self.header.dropped + self.overwritten

    @property
    def problems(self) -> list[str]:
        """What could not be read, in plain words."""
        return self._problems.sentences()

    @property
    def complete(self) -> bool:
        """Whether every call of the process, up to an end that is known, is here and readable."""
        ended = self.header.end is not f.End.OPEN and not self.ending.survived
        return ended and not (self.header.gave_up or self.dropped or self.problems)

    # --- calls ------------------------------------------------------------------------------------

    @cached_property
    def calls_by_id(self) -> dict[int, int]:
        """How often each call was made, by its id."""
        counts: dict[int, int] = {}
        for lane in self.lanes:
            for id_, count in _counted(lane.scan.call):
                counts[id_] = counts.get(id_, 0) + count
        return counts

    @property
    def calls_by_name(self) -> dict[str, int]:
        """How often each call was made, by its name."""
        return {self.tables.call_name(id_): count for id_, count in self.calls_by_id.items()}

    def event(self, seq: int) -> CallEvent:
        """One call by its rank, from 1; IndexError if there is none."""
        if not 1 <= seq <= len(self):
            raise IndexError(f"no event {seq}: there are {len(self)}")
        return next(self.events(seq, seq + 1))

    def events(self, first: int = 1, stop: int | None = None) -> Iterator[CallEvent]:
        """Calls in order, from `first` up to and without `stop`."""
        end = len(self) + 1 if stop is None else min(stop, len(self) + 1)
        for start in range(max(first, 1), end, EVENTS_AT_ONCE):
            rows = np.arange(start - 1, min(start + EVENTS_AT_ONCE, end) - 1)
            records = self.columns.records(rows)
            yield from events_of(start, records, self._sources(rows))

    def _sources(self, rows: npt.NDArray[np.int64]) -> Iterator[EventSource]:
        places = self.columns.lane_place[rows].tolist()
        for place, row in zip(places, self.columns.lane_row[rows].tolist(), strict=True):
            yield EventSource(self.tables, self.clock, self.lanes[place], row)

    # --- several HIP libraries --------------------------------------------------------------------

    @property
    def runtimes(self) -> list[int]:
        """The numbers of the HIP libraries that were called."""
        found: set[int] = set()
        for lane in self.lanes:
            for first in range(0, len(lane), COUNTED_AT_ONCE):
                flags = lane.scan.flags[first : first + COUNTED_AT_ONCE] & f.RUNTIME_MASK
                found.update(np.unique(flags >> f.RUNTIME_SHIFT).tolist() if flags.any() else (0,))
        return sorted(found)

    def of_runtime(self, runtime: int) -> Process:
        """What this process did with one of its HIP libraries; calls keep their ranks."""
        view = copy(self)
        view.__dict__.pop("_identities", None)
        view.columns = self.columns.of_runtime(runtime)
        made = dict(_counted(view.columns.call))
        view.__dict__["calls_by_id"] = {id_: made[id_] for id_ in made if id_ in self.calls_by_id}
        own = [entry for entry in self.live.entries if entry.runtime == runtime]
        view.live = replace(self.live, entries=own)
        return view

    # --- identities -------------------------------------------------------------------------------

    def allocations(self) -> list[Allocation]:
        """All allocations, in the order in which they were made; a reused address has several."""
        memory = [kind for kind in f.LiveKind if kind.is_memory]
        return cast("list[Allocation]", self._identities.of_kinds(*memory))

    def handles(self, kind: f.LiveKind) -> list[Identity]:
        """Every handle of a kind with its lifetime, by order of creation; no default streams."""
        return self._identities.of_kinds(kind)

    @cached_property
    def _identities(self) -> Identities:
        cut = {lane.facts.number for lane in self.lanes if lane.overwritten}
        return identities_of(self.columns, self.tables, self.live.entries, cut)

    # --- what the device and the program said beside ----------------------------------------------

    def footprints(self) -> list[Footprint]:
        """What launches accessed, for those whose device noted it, in the order they ended."""
        return [
            replace(one, seq=self.seq_of(one.call), node_seq=self.seq_of(one.node))
            for one in self._device_notes.footprints
        ]

    def device_faults(self) -> list[DeviceNote]:
        """What went wrong on the device as the device tells it, in the order it was found."""
        return [
            replace(one, seq=self._seq_of_part(one), node_seq=self.seq_of(one.node))
            for one in self._device_notes.faults
        ]

    def _seq_of_part(self, note: DeviceNote) -> int | None:
        """Of a launch on several devices, what it put on the stream in question."""
        own = (note.call[1], note.stream) if note.call else (0, 0)
        return self._parts.get(own, self.seq_of(note.call))

    @cached_property
    def _parts(self) -> dict[tuple[int, int], int]:
        """By the begin of the call's record, and the stream."""
        ids = [id_ for id_, entry in self.tables.calls.items() if entry.name == PART_LAUNCHED]
        rows = self.columns.rows_of(ids).tolist() if ids else []
        events = [self.event(row + 1) for row in rows]
        return {
            (int(one.arguments.get("call") or 0), int(one.arguments.get("stream") or 0)): one.seq
            for one in events
        }

    def device_variables(self) -> list[DeviceVariable]:
        """Variables of loaded code that the program names, or that a kernel was seen to write.

        Where the device noted them. The rest are constants of the compiler.
        """
        notes = self._device_notes
        if not notes.variables:
            return []
        written = [one for seen in notes.footprints for one in (seen.written, seen.atomic)]
        rows = np.concatenate([np.empty((0, 4), np.uint64), *(one.rows for one in written)])
        begin, size, stride, count = rows[np.argsort(rows[:, 0])].T
        end = np.maximum.accumulate(begin + stride * (count - np.uint64(1)) + size)

        def is_used(one: DeviceVariable) -> bool:
            before = int(np.searchsorted(begin, np.uint64(one.address + one.bytes)))
            return bool(one.symbol) or bool(before and end[before - 1] > one.address)

        found = filter(is_used, notes.variables)
        return [replace(one, seq=self.seq_of(one.call)) for one in found]

    def seq_of(self, call: CallPlace | None) -> int | None:
        """The rank of the call whose record begins there in its lane; None if it is gone."""
        return None if call is None else self._seq_by_place.get(call)

    @cached_property
    def _seq_by_place(self) -> dict[CallPlace, int]:
        notes, wanted = self._device_notes, list[Footprint | DeviceNote | DeviceVariable]()
        wanted += [*notes.footprints, *notes.faults, *notes.variables]
        places = {place for one in wanted for place in (one.call, one.node) if place}
        ranks: dict[CallPlace, int] = {}
        for place, lane in enumerate(self.lanes):
            number = lane.facts.number
            own = np.array([begin for lane_, begin in places if lane_ == number], np.uint64)
            rows = np.flatnonzero(np.isin(lane.scan.begin, own)) if len(own) else _NO_ROWS
            seqs = self.columns.seqs_of(place, rows).tolist()
            begins = lane.scan.begin[rows].tolist()
            ranks |= {(number, begin): seq for begin, seq in zip(begins, seqs, strict=True)}
        return ranks

    def blocks(self) -> list[Block]:
        """Blocks that the program announced inside its allocations, by order of creation."""
        ids = [id_ for id_, entry in self.tables.calls.items() if entry.name in ANNOUNCEMENTS]
        begin = [id_ for id_ in ids if self.tables.call_name(id_) == BLOCK_CREATED]
        rows = self.columns.rows_of(ids)
        begins = np.isin(self.columns.scanned("call", rows), begin).tolist()
        told = zip(rows.tolist(), begins, self.columns.words_of(rows)[:, :4].tolist(), strict=True)
        texts = self.tables.texts
        return blocks_of(
            Announcement(row + 1, is_new, base, size, texts.get(name) or "", stream)
            for row, is_new, (base, size, name, stream) in told
        )

    # --- opening ----------------------------------------------------------------------------------

    def _read_lanes(self, still_written: bool) -> list[Lane]:
        paths = dict(sorted(_lane_files(self.folder)))
        lanes: list[Lane | None] = []
        for lane, problems in _read(paths, still_written):
            lanes.append(lane)
            self._problems.take_over(problems)
        if self.header.lanes > len(paths) and not still_written:
            missing = self.header.lanes - len(paths)
            self._problems.add("header", None, f"counts {missing} lanes that are not there")
        found = [lane for lane in lanes if lane is not None]
        for lane in found:
            report_backward_times(lane, self._problems)
        return found

    def _report_unnamed_calls(self) -> None:
        unnamed = {i: n for i, n in self.calls_by_id.items() if i not in self.tables.calls}
        if unnamed:
            what = f"does not name {len(unnamed)} calls that were made, such as {min(unnamed)}"
            self._problems.add("tables.jsonl", None, what)


def _read(paths: Mapping[int, Path], still_written: bool) -> Iterator[tuple[Lane | None, Problems]]:
    """Large ones by two threads, which wait for the disk and work in native code."""

    def read(number: int) -> tuple[Lane | None, Problems]:
        problems = Problems()
        return read_lane(paths[number], number, problems, still_written=still_written), problems

    if sum(map(size_of, paths.values())) < LARGE_LANES:
        yield from map(read, paths)
        return
    keep_freed_memory()
    with ThreadPoolExecutor(max_workers=2) as readers:
        yield from readers.map(read, paths)


def _lane_files(folder: Path) -> Iterator[tuple[int, Path]]:
    for path in folder.glob("lane.*"):
        number = re.fullmatch(r"lane\.(0|[1-9]\d{0,9})", path.name, re.ASCII)
        if number and int(number[1]) <= LARGEST_LANE:
            yield int(number[1]), path


def _counted(call: npt.NDArray[np.uint32]) -> Iterator[tuple[int, int]]:
    """Values and how often they occur; only damage makes ids that a small table cannot count."""
    counts = np.zeros(FEW_CALL_IDS, np.int64)
    others: dict[int, int] = {}
    for first in range(0, len(call), COUNTED_AT_ONCE):
        chunk = call[first : first + COUNTED_AT_ONCE]
        small = chunk < FEW_CALL_IDS
        counts += np.bincount(chunk if small.all() else chunk[small], minlength=FEW_CALL_IDS)
        for id_ in chunk[~small].tolist():
            others[id_] = others.get(id_, 0) + 1
    yield from ((int(id_), int(counts[id_])) for id_ in np.flatnonzero(counts))
    yield from sorted(others.items())


PROCESS_FILES = ("header", "lane.0", "tables.jsonl")


class Recording:
    """The processes of a run, in the order they started, and what else could not be read."""

    def __init__(self, path: Path, processes: list[Process], unopened: dict[Path, str]) -> None:
        self.path = path
        self.processes = processes
        self.unopened = unopened
        """Folders of processes of which nothing could be read, and why."""

    def __repr__(self) -> str:
        return f"<Recording {self.path}: {len(self.processes)} processes>"

    @property
    def problems(self) -> list[str]:
        """Those of all processes, each with the name of its folder."""
        within = (f"{p.folder.name}/{problem}" for p in self.processes for problem in p.problems)
        return [*self.unopened.values(), *within]

    @property
    def complete(self) -> bool:
        """Whether every process is complete."""
        return not self.unopened and all(process.complete for process in self.processes)


def open_recording(path: Path | str) -> Recording:
    """Open what is recorded under a folder: of a run, of a recording, or of one process.

    Raises RecordingError if nothing there can be read; all lesser damage is told in `problems`.
    A recording that is still being written is opened as it is now.
    """
    path = Path(path)
    folders = list(_process_folders(path))
    if not folders:
        raise RecordingError(f"{path} {_what_it_is(path)}")
    opened = {folder: _open_process(folder) for folder in folders}
    processes = [one for one in opened.values() if isinstance(one, Process)]
    errors = {at: one for at, one in opened.items() if isinstance(one, RecordingError)}
    if not processes:
        raise next(iter(errors.values()))
    processes.sort(key=lambda process: (process.header.start_realtime_ns, process.folder.name))
    return Recording(path, processes, {at: str(error) for at, error in errors.items()})


def is_recording(path: Path) -> bool:
    """Whether a folder holds recorded processes; none of them is opened."""
    try:
        return any(True for _ in _process_folders(path))
    except RecordingError:
        return False


def unrecorded_processes(path: Path | str) -> list[Path]:
    """Folders in which the recorder has begun and could not write anything."""
    return [folder for folder in _process_folders(Path(path)) if _is_blank(folder)]


def _is_blank(folder: Path) -> bool:
    try:
        return all(file.is_file() and not file.stat().st_size for file in folder.iterdir())
    except OSError:
        return False


def _open_process(folder: Path) -> Process | RecordingError:
    if _is_blank(folder):
        return RecordingError(f"{folder} is empty: the recorder could not record this process")
    try:
        return Process(folder)
    except RecordingError as error:
        return error


def _process_folders(path: Path) -> Iterator[Path]:
    try:
        if any((path / name).exists() for name in PROCESS_FILES):
            yield path
            return
        inner = path / "recording"
        folder = inner if inner.is_dir() else path
        names = sorted(folder.iterdir()) if folder.is_dir() else []
        yield from (p for p in names if re.fullmatch(r"\d+\.\d+", p.name) and p.is_dir())
    except OSError as error:
        raise RecordingError(f"{path} cannot be read: {error.strerror or error}") from error


def _what_it_is(path: Path) -> str:
    if not path.exists():
        return "does not exist"
    if not path.is_dir():
        return "is a file; a recording is a folder"
    if _is_empty_run(path):
        return "is a run of which no HIP call is recorded: run.json says what ran"
    return "is not a recording: it has no folder of a process, such as 4711.1, in it"


def _is_empty_run(path: Path) -> bool:
    """Whether `greta run` made it, or the run it is the recording of."""
    inner = path / "recording"
    recording = inner if inner.is_dir() else path.resolve()
    run_of = (recording.parent / "run.json").is_file() and recording.name == "recording"
    return run_of and not any(child.is_dir() for child in recording.iterdir())
