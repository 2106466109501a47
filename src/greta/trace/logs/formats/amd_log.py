"""AMD_LOG_LEVEL=3 and 4: every HIP call, and under it what its launch was given.

    :3:hip_memory.cpp :615 : 1326120791 us: [pid:8976 tid:0x7f8c]  hipMalloc ( 0x7ffe, 2097152 )
    :3:hip_memory.cpp :617 : 1326120914 us: [pid:8976 tid:0x7f8c] hipMalloc: Returned hipSuccess ...

A call and its "Returned" line are paired by thread. Older releases write the process as "8976 :"
and the thread as "[7f8c5a889f80]"; a program with a locale groups digits; several writers may put
their messages into one line.
"""

from __future__ import annotations

import itertools
import re
from bisect import bisect_right, insort
from collections.abc import Iterable
from pathlib import Path
from typing import Final, NamedTuple

from greta.recording import is_failure
from greta.trace.device_errors import STICKY
from greta.trace.evidence import Message
from greta.trace.logs.errors import NO_CODE, UNKNOWN_ERROR, number_of
from greta.trace.logs.formats.amd_calls import CallReader, kind_if_refused, pointer
from greta.trace.logs.lines import LogLine, address, count
from greta.trace.logs.logged import (
    LogFormat,
    LoggedAccess,
    LoggedAllocation,
    LoggedOperation,
    ProcessLog,
)
from greta.trace.trace import Gap, Kind, Memory, Mode, Role, Space, Waits

_HEAD: Final = re.compile(
    r":\d:[\w./+-]{1,200} {0,40}:\d{1,6} {0,6}: {0,4}(\d{1,18})d?(?: us)?: "
    r"{0,2}(?:(\d{1,9}) {0,6}: )? {0,2}"
    r"(?:\[(?:pid: {0,2}(\d{1,9}) {0,8})?(?:tid: {0,2})?(?:0x)?([0-9a-f]{4,16})\])?"
)
_CALL: Final = re.compile(r"\s{0,4}(hip[A-Z]\w{1,80}) \( ")
_RETURNED: Final = re.compile(
    r"\s{0,4}(hip[A-Z]\w{1,80}): Returned (hip\w{1,80})(?: : ?(.{0,400}))?"
)
_DURATION: Final = re.compile(r": duration: \d{1,18}d? us.*")
_ARGUMENT: Final = re.compile(r"\s{0,4}Arg(\d{1,4}): (.{0,400}?) ?= (ptr:|val:|0x)(.{0,400})")
_OBJECT: Final = re.compile(r"obj:\[(0x[0-9a-f,]{1,24})-(0x[0-9a-f,]{1,24})\]")
_SHADER: Final = "ShaderName : "
_MOST_THREADS: Final = 65_536
_LAST_WORD: Final = ":0:"
"""The level of what the runtime says before it aborts the process."""
_DUMPED: Final = re.compile(r"= ?0x|^\s*\w{1,40} =")
"""Of the dump of a queue, which is no sentence."""
_BEGINS: Final = re.compile(r"Init\w{1,4}i[sz]ing (?:HSA|runtime) stack|Direct Dispatch: ")
LACKS_WORK: Final = "a fault is reported, and the log may not show all that was running"
_SILENT: Final = ("hipGetLastError", "hipPeekAtLastError", "hipExtGetLastError")
"""They do not say that they return."""


class _Spot(NamedTuple):
    line: LogLine
    pid: int
    thread: int
    ns: int


class _Pending:
    """A call that has not returned, and what was said under it."""

    def __init__(self, operation: LoggedOperation) -> None:
        self.operation = operation
        self.arguments: list[tuple[str, str, int | None]] = []
        self.accesses: list[LoggedAccess] = []
        self.shown: list[LoggedAllocation] = []


class _Process:
    def __init__(self, pid: int, path: Path) -> None:
        self.log = ProcessLog("amd_log", path, pid)
        self.pending: dict[int, _Pending] = {}
        self.orphans = 0
        self.began = False
        """Whether the log shows how the runtime was started, before all calls."""
        self.reader = CallReader()
        self.without_address = 0
        self.launches = 0
        self.with_arguments = 0


class AmdLog(LogFormat):
    name = "amd_log"
    needles = (" us: ", "Returned hip", ".cpp")

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._processes: dict[int, _Process] = {}

    def take(self, line: LogLine) -> bool:
        if NO_CODE in line.text:
            return False  # the runtime's last word, and no call
        heads = list(_HEAD.finditer(line.text))
        for head, following in itertools.zip_longest(heads, heads[1:]):
            end = following.start() if following else len(line.text)
            thread = int(head[4], 16) if head[4] else 0
            spot = _Spot(line, int(head[3] or head[2] or 0), thread, int(head[1]) * 1000)
            whole = following is not None or not line.cut
            text = line.text[head.end() : end]
            if process := self._process(spot.pid):
                _message(process, spot, text, whole)
                if head[0].startswith(_LAST_WORD) and text.strip() and not _DUMPED.search(text):
                    process.log.say(_last_word(line, text.strip()[:400]))
        return bool(heads)

    def _process(self, pid: int) -> _Process | None:
        if pid not in self._processes and len(self._processes) < 4096:
            self._processes[pid] = _Process(pid, self.path)
        return self._processes.get(pid)

    def finish(self) -> Iterable[ProcessLog]:
        for process in self._processes.values():
            _finish(process, self.ended_whole)
            yield process.log


def _message(process: _Process, spot: _Spot, text: str, whole: bool) -> None:
    process.log.counts["lines"] += 1
    process.began |= _BEGINS.search(text) is not None
    if found := _RETURNED.match(text):
        _returned(process, spot, found)
    elif (found := _CALL.match(text)) and text.rstrip().endswith(")"):
        # The end of a call is its bracket, so a call that matches is whole.
        _called(process, spot, found[1], text[found.end() :].rstrip()[:-1].rstrip())
    elif spot.thread in process.pending and whole:
        _under(process.pending[spot.thread], text)


def _called(process: _Process, spot: _Spot, name: str, arguments: str) -> None:
    if earlier := process.pending.pop(spot.thread, None):
        _went_on(process, earlier, spot.ns)
    words = arguments.split(", ") if arguments.strip() else []
    operation = process.reader.read(spot.line.number, spot.line.offset, name, words)
    operation.thread, operation.begin, operation.finished = spot.thread, spot.ns, False
    if len(process.pending) < _MOST_THREADS:
        process.pending[spot.thread] = _Pending(operation)


def _went_on(process: _Process, pending: _Pending, ns: int) -> None:
    """Its thread did more, so the call has returned; what it returned is lost."""
    if pending.operation.name not in _SILENT:
        process.orphans += 1
        _answer(process, pending.operation, "")
    _settle(process, pending, ns, finished=True)


def _returned(process: _Process, spot: _Spot, found: re.Match[str]) -> None:
    pending = process.pending.pop(spot.thread, None)
    name = found[1].removesuffix("_spt")
    if pending is None or pending.operation.name != name:
        process.orphans += 1
        if pending:
            _went_on(process, pending, spot.ns)
        # A failure is one also where the line of its call was filtered out or cut off.
        pending = _Pending(process.reader.read(spot.line.number, spot.line.offset, name, None))
        _end(pending.operation, spot, found[2])
        if pending.operation.failed:
            _settle(process, pending, spot.ns, finished=True)
        return
    operation = pending.operation
    _end(operation, spot, found[2])
    _answer(process, operation, _DURATION.sub("", found[3] or "").strip(" :"))
    _settle(process, pending, spot.ns, finished=True)


def _end(operation: LoggedOperation, spot: _Spot, result: str) -> None:
    code = number_of(result)
    operation.result = UNKNOWN_ERROR if code is None else code
    operation.failed = is_failure(operation.name, operation.result)
    if operation.failed and operation.kind is Kind.OTHER:
        operation.kind = kind_if_refused(operation.name)
    operation.thread, operation.begin = spot.thread, operation.begin or spot.ns


def _answer(process: _Process, operation: LoggedOperation, text: str) -> None:
    """What the call made, which only its end can say."""
    value = pointer(text) if text else None
    if operation.kind is Kind.ALLOCATE and operation.allocated and not operation.allocated.address:
        if operation.failed:
            operation.allocated = None
        elif value:
            operation.allocated = operation.allocated._replace(address=value)
        else:
            operation.allocated = None
            process.without_address += operation.result == 0
    elif operation.kind is Kind.STREAM_CREATE and value:
        operation.stream = value


def _under(pending: _Pending, text: str) -> None:
    """The runtime's own lines between a launch and its end."""
    if pending.operation.kind is not Kind.LAUNCH:
        return
    if text.lstrip().startswith(_SHADER):
        pending.operation.kernel = text.partition(_SHADER)[2].strip()[:4096]
    elif (found := _ARGUMENT.match(text)) and len(pending.arguments) < 1024:
        _argument(pending, found)


def _argument(pending: _Pending, found: re.Match[str]) -> None:
    kind, _, name = found[2].strip().rpartition(" ")
    index = len(pending.arguments)
    if found[3] != "ptr:":
        # A struct is written as bytes, in a way that is no number.
        value = count(found[4].split(" ")[0]) if found[3] == "val:" else None
        pending.arguments.append((name or f"arg{index}", kind, value))
        return
    start = address(found[4].split(" ")[0])
    pending.arguments.append((name or f"arg{index}", f"{kind}*" if kind else "void*", start))
    if start is None:
        return
    mode = Mode.READ if kind.startswith("const ") else Mode.MAY_WRITE
    access = LoggedAccess(start, 1, mode, Role.ARGUMENT, Space.DEVICE, index, estimated=True)
    pending.accesses.append(access)
    if (range_ := _OBJECT.search(found[4])) and (allocated := _object(range_)):
        pending.shown.append(allocated)


def _object(found: re.Match[str]) -> LoggedAllocation | None:
    """The runtime's own view of the memory that a pointer is part of."""
    start, end = address(found[1]), address(found[2])
    if not start or not end or end <= start:
        return None
    return LoggedAllocation(start, end - start, Memory.DEVICE, firm=False)


def _settle(process: _Process, pending: _Pending, ns: int, finished: bool) -> None:
    """The call is over, or the log is."""
    operation = pending.operation
    operation.finished = finished
    operation.end = ns if finished else 0
    matters = operation.kind is not Kind.OTHER or operation.failed
    if operation.kind is Kind.LAUNCH:
        process.launches += 1
        process.with_arguments += bool(pending.arguments)
        operation.arguments = tuple(pending.arguments)
        operation.accesses = tuple(pending.accesses)
        operation.shown = tuple(pending.shown)
    if matters:
        process.log.add(operation)
    else:
        process.log.total_calls += 1


def _finish(process: _Process, ended_whole: bool) -> None:
    log = process.log
    open_calls = 0
    for pending in process.pending.values():
        operation = pending.operation
        if operation.name in _SILENT:
            continue
        open_calls += 1
        _settle(process, pending, 0, finished=False)
        if operation.kind is Kind.OTHER:
            log.add(operation)
    log.operations.sort(key=lambda operation: operation.line)
    _note_gaps(process, open_calls, ended_whole)


def _last_word(line: LogLine, text: str) -> Message:
    return Message("amd_log", text, line=line.number, status=text)


def _begins_late(process: _Process) -> str | None:
    """What is used, or reported, whose beginning the log does not show.

    Where it does not show the runtime start either, it may be the end of a longer one.
    """
    if process.began:
        return None
    if _lacks_memory(process):
        return "memory is used whose allocation is not in the log"
    return LACKS_WORK if lacks_work(process.log.operations, is_reported=False) else None


_WORK: Final = (Kind.LAUNCH, Kind.GRAPH_LAUNCH)
_TRANSFERS: Final = (Kind.COPY, Kind.FILL)
_WAITS: Final = (Kind.WAIT_STREAM, Kind.WAIT_EVENT, Kind.WAIT_DEVICE)


def lacks_work(operations: Iterable[LoggedOperation], is_reported: bool) -> bool:
    """Whether what was running when a fault of the device was reported may be older than these.

    A copy reports it with no launch in flight; or nothing has waited for what was there before.
    `is_reported`: other lines tell of the fault, so the calls need not.
    """
    running, reporter, waited = False, None, _Waited()
    for one in operations:
        if one.failed and one.result in STICKY:
            reporter, is_reported = one, True
            break
        if not one.finished:
            reporter = one
            continue
        if not one.failed:
            waited.see(one)
        is_wait = one.kind in _WAITS or one.waits in (Waits.FOR_IT, Waits.FOR_DEVICE)
        running = one.kind in _WORK or (running and not is_wait)
    if not is_reported:
        return False
    return not waited.for_all if running else reporter is not None and reporter.kind in _TRANSFERS


class _Waited:
    """For which streams somebody has waited, of those that were at work."""

    def __init__(self) -> None:
        self._used: set[int] = set()
        self._settled: set[int] = set()
        self._created: set[int] = set()
        self._recorded: dict[int | None, int] = {}
        """On which stream an event was recorded."""
        self._device = False

    def see(self, one: LoggedOperation) -> None:
        """A call that has returned. What it left in flight was begun in the log."""
        if one.kind is Kind.WAIT_DEVICE or one.waits is Waits.FOR_DEVICE:
            self._device = True
        elif one.kind is Kind.WAIT_EVENT:
            self._settled |= {self._recorded[one.event]} if one.event in self._recorded else set()
        elif one.kind is Kind.WAIT_STREAM or one.waits is Waits.FOR_IT:
            self._settled.add(one.stream)
        elif one.kind is Kind.STREAM_CREATE:
            self._created.add(one.stream)
        if one.kind is Kind.EVENT_RECORD:
            self._recorded[one.event] = one.stream
        if one.kind in _WORK or one.kind in _TRANSFERS:
            self._used.add(one.stream)

    @property
    def for_all(self) -> bool:
        new = self._settled | self._created
        return self._device or (bool(self._settled) and self._used <= new)


def _lacks_memory(process: _Process) -> bool:
    known = _Known()
    for operation in process.log.operations:
        known.learn(operation)
        if known.lacks(operation):
            return not process.without_address
    return False


class _Known:
    """Memory that was allocated, also what has been freed."""

    def __init__(self) -> None:
        self._starts: list[int] = []
        self._ends: dict[int, int] = {}

    def learn(self, operation: LoggedOperation) -> None:
        for one in (operation.allocated, *operation.shown):
            if one and one.address not in self._ends:
                insort(self._starts, one.address)
            if one:
                self._ends[one.address] = max(
                    one.address + one.bytes, self._ends.get(one.address, 0)
                )

    def lacks(self, operation: LoggedOperation) -> bool:
        """Whether it frees, or a transfer or a kernel is given, device memory not among it."""
        used = [operation.freed] if operation.freed else []
        if operation.kind in (Kind.COPY, Kind.FILL, Kind.LAUNCH):
            used += [one.address for one in operation.accesses if one.space is Space.DEVICE]
        return any(one and not self._has(one) for one in used)

    def _has(self, address: int) -> bool:
        at = bisect_right(self._starts, address)
        return at > 0 and address < max(self._ends[self._starts[at - 1]], self._starts[at - 1] + 1)


def _note_gaps(process: _Process, open_calls: int, ended_whole: bool) -> None:
    log, gaps = process.log, process.log.gaps
    if not log.total_calls:
        gaps[Gap.NO_RECORDING] = "AMD_LOG_LEVEL was below 3: no calls in the log"
        return
    log.shows_start = process.began
    gaps[Gap.CUT_SHORT] = "the log does not say whether the program went on after its last line"
    if open_calls or not ended_whole:
        gaps[Gap.CUT_SHORT] = f"{open_calls} calls had not returned at the end of the log"
    if process.orphans or process.reader.unread:
        halves = f"{process.orphans} calls or returns without their other half"
        gaps[Gap.DAMAGED] = f"{halves}, {process.reader.unread} calls that are not read"
    if why := _begins_late(process):
        gaps[Gap.OVERWRITTEN] = why
    if process.without_address:
        gaps[Gap.NO_ADDRESSES] = f"{process.without_address} allocations without their address"
    if process.with_arguments < process.launches:
        without = process.launches - process.with_arguments
        gaps[Gap.NO_ARGUMENTS] = f"{without} launches without arguments; AMD_LOG_LEVEL=4 has them"
