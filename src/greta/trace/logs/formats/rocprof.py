"""rocprofv3's CSV files: HIP calls, kernels, copies and allocations, each in a file of its own.

They share a number for what one call caused, by which `greta.trace.logs.read` puts them
together. No file has arguments of kernels, bytes or addresses of copies, or results: a call that
failed looks like one that succeeded.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

from greta.trace.logs.formats.amd_calls import logged_call
from greta.trace.logs.lines import LogLine, address, count
from greta.trace.logs.logged import LogFormat, LoggedAllocation, LoggedOperation, ProcessLog
from greta.trace.trace import Gap, Kind, Memory

Row = dict[str, str]
Size = tuple[int, int, int]

_COMMON: Final = {"Correlation_Id", "Start_Timestamp", "End_Timestamp"}
API: Final = "hip_api"
_TABLES: Final = {
    API: {"Domain", "Function", "Process_Id", "Thread_Id"},
    "kernel": {"Kind", "Kernel_Name", "Dispatch_Id"},
    "memory_copy": {"Kind", "Direction"},
    "memory_allocation": {"Kind", "Operation", "Allocation_Size", "Address"},
}
_GAPS: Final = {
    Gap.NO_SIZES: "rocprofv3 does not write how much was copied",
    Gap.NO_ADDRESSES: "rocprofv3 does not write addresses of copies",
    Gap.NO_ARGUMENTS: "rocprofv3 does not write arguments of kernels",
    Gap.NO_ORDER: "rocprofv3 does not write which stream or event a call is about",
    Gap.NO_FAILURES: "rocprofv3 does not write what calls returned",
}


class RocprofCsv(LogFormat):
    """One file is one table; its first line says which."""

    name = "rocprof"
    in_quotes = True
    needles = ("Start_Timestamp",)

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._header: list[str] = []
        self._table = ""
        self._logs: dict[int, ProcessLog] = {}
        self._unreadable = 0

    def take(self, line: LogLine) -> bool:
        if not self._header:
            return self._begin(line)
        cells = _cells(line.text)
        operation = None
        if len(cells) == len(self._header) and not line.cut:
            row = dict(zip(self._header, cells, strict=True))
            operation = _READERS[self._table](row, line)
        if operation is None:
            self._unreadable += bool(line.text.strip())
            return True
        self._log_of(count(row.get("Process_Id", "0")) or 0).add(operation)
        return True

    def _begin(self, line: LogLine) -> bool:
        header = _cells(line.text.lstrip("\ufeff"))
        names = set(header)
        table = next((name for name, need in _TABLES.items() if need | _COMMON <= names), None)
        if table is None:
            return False
        self._header, self._table, self.follows = header, table, True
        self._log_of(0).counts[table] += 1
        return True

    def _log_of(self, pid: int) -> ProcessLog:
        if pid not in self._logs and len(self._logs) < 4096:
            self._logs[pid] = ProcessLog(self.name, self.path, pid, gaps=dict(_GAPS))
        return self._logs.get(pid) or self._logs[0]

    def finish(self) -> Iterable[ProcessLog]:
        """One log for each process; files without a process are pid 0."""
        logs = [log for log in self._logs.values() if log.operations or log.pid == 0]
        named = [log for log in logs if log.pid]
        for log in named or logs:
            log.counts[self._table] += len(log.operations)
            if self._unreadable:
                log.gaps[Gap.DAMAGED] = f"{self._unreadable} lines of {self.path.name}"
            if not self.ended_whole:
                log.gaps[Gap.CUT_SHORT] = f"the last line of {self.path.name} has no end"
        return named or logs


def _cells(text: str) -> list[str]:
    try:
        return next(csv.reader([text]), [])
    except csv.Error:
        return []


def _timed(row: Row, line: LogLine, name: str, kind: Kind) -> LoggedOperation | None:
    begin, end = count(row["Start_Timestamp"]), count(row["End_Timestamp"])
    if begin is None or end is None or not 0 <= begin < 1 << 62 or end >= 1 << 62:
        return None
    operation = LoggedOperation(line.number, line.offset, name, kind, begin=begin, end=end)
    operation.finished = end >= begin and end > 0
    operation.correlation = count(row["Correlation_Id"]) or 0
    return operation


def _call(row: Row, line: LogLine) -> LoggedOperation | None:
    name = row["Function"].removesuffix("_spt")
    call = logged_call(name)
    operation = _timed(row, line, name, call.kind)
    if operation:
        operation.waits, operation.thread = call.waits, count(row["Thread_Id"]) or 0
    return operation


def _kernel(row: Row, line: LogLine) -> LoggedOperation | None:
    operation = _timed(row, line, "kernel dispatch", Kind.LAUNCH)
    if operation:
        operation.kernel = row["Kernel_Name"]
        operation.thread = count(row.get("Thread_Id", "0")) or 0
        block, threads = (
            [count(row.get(f"{what}_Size_{axis}", "")) for axis in "XYZ"]
            for what in ("Workgroup", "Grid")
        )
        operation.block, operation.grid = grid_of(block, threads)
    return operation


def grid_of(block: Sequence[object], threads: Sequence[object]) -> tuple[Size | None, Size | None]:
    """Block and grid; the queue's packets have the grid in threads."""
    sizes = [one if isinstance(one, int) and one > 0 else 0 for one in (*block, *threads)]
    x, y, z = sizes[:3]
    if min(x, y, z) == 0:
        return None, None
    gx, gy, gz = (-(-all_ // one) for all_, one in zip(sizes[3:], (x, y, z), strict=True))
    return (x, y, z), (gx, gy, gz) if min(gx, gy, gz) > 0 else None


def _copy(row: Row, line: LogLine) -> LoggedOperation | None:
    operation = _timed(row, line, "memory copy", Kind.COPY)
    if operation:
        operation.labels = (row["Direction"].removeprefix("MEMORY_COPY_"),)
    return operation


def _allocation(row: Row, line: LogLine) -> LoggedOperation | None:
    freed = "FREE" in row["Operation"].upper()
    where, size = address(row["Address"]), count(row["Allocation_Size"])
    if where is None or size is None or size < 0:
        return None
    name, kind = ("free", Kind.FREE) if freed else ("allocation", Kind.ALLOCATE)
    operation = _timed(row, line, name, kind)
    if operation and freed:
        operation.freed = where
    elif operation and where:
        operation.allocated = LoggedAllocation(
            where, size or 1, Memory.DEVICE, known_bytes=size > 0
        )
    return operation


_READERS: Final[dict[str, Callable[[Row, LogLine], LoggedOperation | None]]] = {
    API: _call,
    "kernel": _kernel,
    "memory_copy": _copy,
    "memory_allocation": _allocation,
}


# --- what a call caused ---------------------------------------------------------------------------


def by_correlation(log: ProcessLog) -> dict[int, LoggedOperation]:
    return {one.correlation: one for one in log.operations if one.correlation}


def merge_caused(
    log: ProcessLog,
    caused: Sequence[LoggedOperation],
    calls: Mapping[int, LoggedOperation] | None = None,
) -> None:
    """Kernels, copies and allocations become part of the calls of a log that caused them."""
    calls = by_correlation(log) if calls is None else calls
    for operation in caused:
        call = calls.get(operation.correlation)
        if call is not None and call.kind is operation.kind:
            _enrich(call, operation)
        else:
            log.operations.append(operation)
            log.total_calls += 1


def _enrich(call: LoggedOperation, caused: LoggedOperation) -> None:
    call.kernel = call.kernel or caused.kernel
    call.grid, call.block = call.grid or caused.grid, call.block or caused.block
    call.freed = call.freed or caused.freed
    call.labels = call.labels or caused.labels
    call.accesses = call.accesses or caused.accesses
    if call.allocated is None:
        call.allocated = caused.allocated
    elif caused.allocated and not call.allocated.address:
        # HIP says how much the program asked for, HSA where it is.
        call.allocated = call.allocated._replace(address=caused.allocated.address)


def in_time(log: ProcessLog) -> ProcessLog:
    log.operations.sort(key=lambda operation: operation.begin)
    return log
