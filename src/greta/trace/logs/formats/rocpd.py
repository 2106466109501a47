"""rocpd: rocprofv3's database (SQLite), schema versions 3 and 4.

    rocpd_region            calls, with start, end, thread and event
    rocpd_arg               arguments of an event, as text
    rocpd_kernel_dispatch   kernels with their grids
    rocpd_memory_copy       copies as the device's engines ran them
    rocpd_memory_allocate   what was asked of HSA, below HIP
    rocpd_event             stack_id: the number that a call shares with all that it caused

Each name ends in the uuid of its run. Version 4 keeps times in rocpd_timestamp, and process and
thread in rocpd_track. Nothing has results: a call that failed looks like one that succeeded.

The file is foreign. It is opened to be read and nothing else; only columns of tables are asked for,
by statements of our own without a function in them: no view, trigger, virtual table or generated
column of the file ever runs. Rows, bytes of a value and time are bounded.
"""

from __future__ import annotations

import re
import sqlite3
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Final, NoReturn

from greta.errors import UsageError
from greta.outside import open_outside
from greta.printable import printable
from greta.trace.logs.formats.amd_calls import CallReader, logged_call
from greta.trace.logs.formats.rocprof import API, grid_of, in_time, merge_caused
from greta.trace.logs.logged import (
    MOST_OPERATIONS,
    LoggedAccess,
    LoggedAllocation,
    LoggedOperation,
    ProcessLog,
)
from greta.trace.trace import Gap, Kind, Memory, Mode, Role, Space

MAGIC: Final = b"SQLite format 3\0"
LARGEST: Final = 4 << 30
MOST_ROWS: Final = 2 * MOST_OPERATIONS
"""Rows that are read of one table."""
MOST_TEXT: Final = 128 << 20
"""Characters of all names and arguments."""
SECONDS: Final = 60.0
"""For all statements together."""
_STEPS: Final = 20_000
"""Instructions of SQLite between two looks at the clock."""
_LONGEST: Final = 1 << 20
_LIMIT_LENGTH: Final = 0  # SQLITE_LIMIT_LENGTH, which Python 3.10 does not name
_TEXT: Final = 4096
_MOST_RUNS: Final = 64
_NAME: Final = re.compile(r"(rocpd_[a-z_]*[a-z])((?:_[0-9a-fA-F]{1,32}){0,8})")
_VERSIONS: Final = ("3", "4")
_LATEST: Final = 1 << 62
_COLUMNS: Final = "table_xinfo"
_ALLOWED: Final = (sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ)
_SPACES: Final = {"CPU": Space.HOST, "GPU": Space.DEVICE}

Row = tuple[Any, ...]


def read_rocpd(path: Path) -> list[ProcessLog]:
    """One log for each process; raises UsageError of what is no such database."""
    try:
        with open_outside(path, LARGEST) as file, closing(_opened(file.fileno())) as database:
            runs = _runs(database)
            if not runs:
                _refuse(database, path)
            logs: dict[int, ProcessLog] = {}
            for tables in runs:
                _Run(database, tables, path, logs).read()
    except (sqlite3.Error, sqlite3.Warning, OverflowError, UnicodeDecodeError) as error:
        # SQLite quotes what it does not understand, which need be no text.
        why = "its schema is no text" if isinstance(error, UnicodeDecodeError) else str(error)
        raise UsageError(
            f"{_shown(path)} cannot be read as a database: {printable(why[:200])}"
        ) from None
    if not logs:
        raise UsageError(f"{_shown(path)} is a rocpd database without any call or kernel")
    return [in_time(log) for log in logs.values()]


def _refuse(database: sqlite3.Connection, path: Path) -> NoReturn:
    """Says of which kind the database is, as far as that is known."""
    rows = database.execute("SELECT type, name FROM sqlite_master NOT INDEXED LIMIT 10000")
    names = {(kind, name) for kind, name in rows}
    if ("table", "rocpd_api") in names:
        raise UsageError(f"{_shown(path)} is a trace of rocmProfileData (RPD), which is not read")
    if ("view", "rocpd_region") in names:
        raise UsageError(
            f"{_shown(path)} has rocpd's views and not their tables; give the files with the tables"
        )
    raise UsageError(f"{_shown(path)} is a database (SQLite), but not of rocprofv3")


def _shown(path: Path) -> str:
    return printable(str(path))


def _opened(descriptor: int) -> sqlite3.Connection:
    # The file that was looked at, whatever its name leads to by now; no journal is looked for.
    address = f"file:/proc/self/fd/{descriptor}?mode=ro&immutable=1"
    database = sqlite3.connect(address, uri=True, isolation_level=None, cached_statements=0)
    database.text_factory = lambda data: data.decode("utf-8", "replace")
    for setting in ("trusted_schema=OFF", "query_only=ON", "cell_size_check=ON", "mmap_size=0"):
        database.execute(f"PRAGMA {setting}")
    if hasattr(database, "setlimit"):  # Python 3.11
        database.setlimit(_LIMIT_LENGTH, _LONGEST)
    stop = time.monotonic() + SECONDS
    database.set_progress_handler(lambda: int(time.monotonic() > stop), _STEPS)
    database.set_authorizer(_allow)
    return database


def _allow(action: int, name: str | None, *_: str | None) -> int:
    asks = action == sqlite3.SQLITE_PRAGMA and name == _COLUMNS
    return sqlite3.SQLITE_OK if asks or action in _ALLOWED else sqlite3.SQLITE_DENY


def _runs(database: sqlite3.Connection) -> list[dict[str, str]]:
    """The tables of each run, by their names without its uuid."""
    found: dict[str, dict[str, str]] = {}
    rows = database.execute("SELECT type, name, sql FROM sqlite_master NOT INDEXED LIMIT 10000")
    for kind, name, sql in rows:
        match = _NAME.fullmatch(name) if isinstance(name, str) else None
        plain = isinstance(sql, str) and sql.lstrip()[:13].upper() == "CREATE TABLE "
        if kind == "table" and match and plain:
            found.setdefault(match[2], {})[match[1]] = name
    wanted = ("rocpd_region", "rocpd_kernel_dispatch", "rocpd_memory_copy", "rocpd_memory_allocate")
    return [one for one in found.values() if any(name in one for name in wanted)][:_MOST_RUNS]


class _Run:
    """The tables of one run."""

    def __init__(
        self,
        database: sqlite3.Connection,
        tables: dict[str, str],
        path: Path,
        logs: dict[int, ProcessLog],
    ) -> None:
        self._database, self._tables, self._path, self._logs = database, tables, path, logs
        self._readers: dict[int, CallReader] = {}
        self._lost: Counter[str] = Counter()
        self._room = MOST_TEXT

    def read(self) -> None:
        self._require_version()
        self._strings = self._texts("rocpd_string", "string")
        self._agents = self._texts("rocpd_info_agent", "type")
        self._pids = self._values("rocpd_info_process", "pid")
        self._tids = self._values("rocpd_info_thread", "tid")
        self._stacks = self._values("rocpd_event", "stack_id")
        self._times = self._values("rocpd_timestamp", "value")
        tracks = self._rows("rocpd_track", "id", "pid", "tid")
        self._tracks = {id_: (pid, tid) for id_, pid, tid in tracks}
        calls, caused = defaultdict(list), defaultdict(list)
        for pid, operation in self._calls():
            calls[pid].append(operation)
        for pid, operation in (*self._kernels(), *self._copies(), *self._allocations()):
            caused[pid].append(operation)
        for pid in sorted(calls.keys() | caused.keys()):
            self._keep(pid, calls[pid], caused[pid])

    def _require_version(self) -> None:
        told = {tag: value for tag, value in self._rows("rocpd_metadata", "tag", "value")}  # noqa: C416
        version = str(told.get("schema_version", "3"))[:20]
        if not version.startswith(_VERSIONS):
            raise UsageError(
                f"{_shown(self._path)} is a rocpd database of schema version "
                f"{printable(version)}; versions 3 and 4 are read"
            )

    # --- tables -----------------------------------------------------------------------------------

    def _columns(self, table: str) -> set[str]:
        """Those that hold values. A generated one has an expression, which nobody asks for."""
        found = self._database.execute(f"PRAGMA {_COLUMNS}({_quoted(table)})")
        return {row[1] for row in found if row[6] == 0}

    def _rows(self, name: str, *columns: str) -> Iterator[Row]:
        """Rows of a table that may be missing; None for a column that it lacks."""
        table = self._tables.get(name)
        if table is None:
            return
        known = self._columns(table)
        if not known & set(columns):
            return
        asked = ", ".join(_quoted(one) if one in known else "NULL" for one in columns)
        rows = self._database.execute(
            f"SELECT {asked} FROM {_quoted(table)} NOT INDEXED LIMIT {MOST_ROWS + 1}"  # noqa: S608
        )
        for number, row in enumerate(rows):
            if number == MOST_ROWS:
                self._lost[f"rows of {name} beyond {MOST_ROWS:,}"] += 1
                return
            yield row

    def _values(self, name: str, column: str) -> dict[Any, Any]:
        return {id_: value for id_, value in self._rows(name, "id", column)}  # noqa: C416

    def _texts(self, name: str, column: str) -> dict[Any, str]:
        rows = self._rows(name, "id", column)
        return {id_: self._kept(text) for id_, text in rows if isinstance(text, str)}

    def _kept(self, text: str) -> str:
        """As much of it as there is room for; nothing is longer that means something."""
        short = text[: min(_TEXT, self._room)]
        self._room -= len(short)
        if not self._room:
            self._lost["texts that are too many"] = 1
        return short

    def _timed(
        self, row: Row, name: str, kind: Kind, reader: CallReader | None = None, words: Any = None
    ) -> tuple[int, LoggedOperation] | None:
        """`row` begins with track, process, thread, start, end, their numbers, and event."""
        track, pid, tid, start, end, start_id, end_id, event = row[:8]
        pid, tid = self._tracks.get(track, (pid, tid))
        pid, tid = self._pids.get(pid, pid), self._tids.get(tid, tid)
        begin, over = self._time(start, start_id), self._time(end, end_id)
        if begin is None or over is None:
            self._lost["rows without times"] += 1
            return None
        operation = reader.read(0, 0, name, words) if reader else LoggedOperation(0, 0, name, kind)
        operation.begin, operation.end = begin, over
        operation.finished = over >= begin and over > 0
        operation.thread = tid if isinstance(tid, int) else 0
        stack = self._stacks.get(event)
        operation.correlation = stack if isinstance(stack, int) else 0
        return (pid if isinstance(pid, int) and 0 < pid < 1 << 31 else 0), operation

    # --- what is in them --------------------------------------------------------------------------

    _HEAD = ("track_id", "pid", "tid", "start", "end", "start_id", "end_id", "event_id")

    def _calls(self) -> list[tuple[int, LoggedOperation]]:
        rows = []
        for row in self._rows("rocpd_region", *self._HEAD, "name_id"):
            name = self._strings.get(row[8], "")
            if name.lstrip("_").startswith("hip"):
                rows.append((row, name))
        words = self._words({row[7]: name for row, name in rows})
        found = []
        for row, name in sorted(rows, key=lambda one: self._time(one[0][3], one[0][5]) or 0):
            # Which streams are captured is known of each process by its own calls, in order.
            pid = self._tracks.get(row[0], (row[1],))[0]
            reader = self._readers.setdefault(pid, CallReader())
            call = self._timed(row, name, Kind.OTHER, reader, words.get(row[7]))
            if call:
                found.append(call)
        return found

    def _time(self, told: Any, number: Any) -> int | None:
        value = self._times.get(number) if told is None else told
        return value if isinstance(value, int) and 0 <= value < _LATEST else None

    def _words(self, names: dict[Any, str]) -> dict[Any, list[str]]:
        """The arguments of calls that are to be read, by event, in the order of parameters."""
        wanted = {}
        for event, name in names.items():
            does = logged_call(name.removesuffix("_spt")).does
            if does is not None:
                wanted[event] = does.parameters
        found: dict[Any, list[str]] = {}
        for event, name, value in self._rows("rocpd_arg", "event_id", "name", "value"):
            parameters = wanted.get(event, ())
            if name in parameters and value is not None:
                words = found.setdefault(event, [""] * len(parameters))
                words[parameters.index(name)] = self._kept(str(value))
        return found

    def _kernels(self) -> list[tuple[int, LoggedOperation]]:
        rows = self._rows("rocpd_info_kernel_symbol", "id", "display_name", "kernel_name")
        names = {id_: self._kept(str(shown or name or "")) for id_, shown, name in rows}
        sizes = [f"{what}_size_{axis}" for what in ("workgroup", "grid") for axis in "xyz"]
        found = []
        for row in self._rows("rocpd_kernel_dispatch", *self._HEAD, "kernel_id", *sizes):
            if kernel := self._timed(row, "kernel dispatch", Kind.LAUNCH):
                kernel[1].kernel = names.get(row[8]) or None
                kernel[1].block, kernel[1].grid = grid_of(row[9:12], row[12:15])
                found.append(kernel)
        return found

    def _copies(self) -> list[tuple[int, LoggedOperation]]:
        """What an engine did for a call: of memory of the host it may have had a copy of its own.

        So only the device's side is told, and of a call that took one copy.
        """
        sides = ("src_address", "src_agent_id", "dst_address", "dst_agent_id")
        found = []
        for row in self._rows("rocpd_memory_copy", *self._HEAD, "name_id", "size", *sides):
            direction = self._strings.get(row[8], "").removeprefix("MEMORY_COPY_")
            copy = self._timed(row, f"memory copy {direction}".rstrip(), Kind.COPY)
            if copy is None:
                continue
            size, source, source_agent, target, target_agent = row[9:14]
            ends = (
                (source, source_agent, Mode.READ, Role.SOURCE),
                (target, target_agent, Mode.WRITE, Role.DESTINATION),
            )
            copy[1].accesses = tuple(
                LoggedAccess(start, size, mode, role, Space.DEVICE)
                for start, agent, mode, role in ends
                if _is_size(size) and _is_size(start) and start and self._is_device(agent)
            )
            found.append(copy)
        many = Counter(one.correlation for _, one in found)
        for _, one in found:
            if one.correlation and many[one.correlation] > 1:
                one.accesses = ()
        return found

    def _is_device(self, agent: Any) -> bool:
        return _SPACES.get(self._agents.get(agent, "")) is Space.DEVICE

    def _allocations(self) -> list[tuple[int, LoggedOperation]]:
        found = []
        columns = (*self._HEAD, "type", "level", "address", "size", "agent_id")
        for row in self._rows("rocpd_memory_allocate", *columns):
            type_, level, start, size, agent = row[8:13]
            if level == "SCRATCH" or type_ not in ("ALLOC", "FREE") or not _is_size(start):
                continue
            freed = type_ == "FREE"
            name, kind = ("free", Kind.FREE) if freed else ("allocation", Kind.ALLOCATE)
            allocation = self._timed(row, name, kind)
            if allocation is None or not start:
                continue
            if freed:
                allocation[1].freed = start
            else:
                known = _is_size(size) and size > 0
                memory = Memory.PINNED if self._agents.get(agent) == "CPU" else Memory.DEVICE
                allocated = LoggedAllocation(start, size if known else 1, memory, known)
                allocation[1].allocated = allocated
            found.append(allocation)
        return found

    # --- a process --------------------------------------------------------------------------------

    def _keep(
        self, pid: int, calls: Sequence[LoggedOperation], caused: Sequence[LoggedOperation]
    ) -> None:
        log = self._logs.setdefault(pid, ProcessLog("rocprof", self._path, pid))
        for operation in calls:
            log.add(operation)
        log.counts[API] += len(calls)
        merge_caused(log, caused)
        kept = log.operations
        for operation in kept:
            operation.file = None  # it has no line
            if operation.allocated and not operation.allocated.address:
                operation.allocated = None
        self._note_gaps(log, kept)

    def _note_gaps(self, log: ProcessLog, kept: Sequence[LoggedOperation]) -> None:
        gaps = log.gaps
        gaps[Gap.NO_ARGUMENTS] = "rocprofv3 does not write arguments of kernels"
        gaps[Gap.NO_FAILURES] = "rocprofv3 does not write what calls returned"
        copies = [one for one in kept if one.kind in (Kind.COPY, Kind.FILL)]
        if bare := sum(1 for one in copies if len(one.accesses) < _sides(one)):
            gaps[Gap.NO_SIZES] = f"{bare} copies without how much they copied"
            gaps[Gap.NO_ADDRESSES] = f"{bare} copies without both their addresses"
        unread = sum(reader.unread for reader in self._readers.values())
        without = [one for one in kept if one.kind is Kind.ALLOCATE and one.allocated is None]
        if without:
            gaps.setdefault(Gap.NO_ADDRESSES, f"{len(without)} allocations without their address")
        if not log.counts[API] or _is_without_streams(kept) or unread:
            gaps[Gap.NO_ORDER] = "not every call says which stream or event it is about"
        if any(not one.finished for one in kept):
            gaps[Gap.CUT_SHORT] = "operations without an end"
        if lost := [*self._lost, *(["calls that are not read"] if unread else [])]:
            gaps[Gap.DAMAGED] = ", ".join(lost)


def _sides(operation: LoggedOperation) -> int:
    return 2 if operation.kind is Kind.COPY else 1


def _is_without_streams(operations: Sequence[LoggedOperation]) -> bool:
    """Whether a call that works on a stream, or waits for one, came without its arguments."""
    for one in operations:
        does = logged_call(one.name).does
        needs_event = does is not None and bool(does.event) and does.launch is None
        needs_stream = does is not None and bool(does.stream)
        if (needs_stream and one.stream < 0) or (needs_event and not one.event):
            return True
    return False


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _is_size(value: object) -> bool:
    return isinstance(value, int) and 0 <= value < _LATEST
