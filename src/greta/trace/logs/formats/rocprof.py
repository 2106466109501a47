"""rocprofv3's CSV files: HIP calls, kernels, copies and allocations, each in a file of its own.

They share a number for what one call caused, by which `greta.trace.logs.read` puts them
together. No file has arguments of kernels, bytes or addresses of copies, or results: a call that
failed looks like one that succeeded.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

from greta.trace.logs.formats.amd_calls import logged_call
from greta.trace.logs.formats.format import LogFormat
from greta.trace.logs.lines import LogLine
from greta.trace.logs.logged import LoggedAllocation, LoggedOperation, ProcessLog
from greta.trace.logs.numbers import address, count
from greta.trace.trace import Gap, Kind, Memory

Row = dict[str, str]

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
        operation.block = _three(row, "Workgroup_Size_")
        threads = _three(row, "Grid_Size_")  # in threads, as the queue's packets have it
        if threads and operation.block:
            sizes = zip(threads, operation.block, strict=True)
            x, y, z = (-(-all_ // one) for all_, one in sizes)
            operation.grid = (x, y, z)
    return operation


def _three(row: Row, prefix: str) -> tuple[int, int, int] | None:
    values = [count(row.get(f"{prefix}{axis}", "")) for axis in "XYZ"]
    x, y, z = (value or 0 for value in values)
    return (x, y, z) if min(x, y, z) > 0 else None


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
