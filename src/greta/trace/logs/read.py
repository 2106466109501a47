"""From log files to evidence: formats read lines, and what speaks of one process is joined.

A process is known by its pid. What names no pid joins a process by an address or a kernel that
both name, or by time (the kernel's log and AMD's log count from the same start), or because it is
the only one, or the only one whose calls failed. What fits nowhere stays on its own.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from greta.errors import UsageError
from greta.printable import printable
from greta.trace.evidence import Evidence
from greta.trace.logs.formats.amd_log import LACKS_WORK, AmdLog, lacks_work
from greta.trace.logs.formats.debug_agent import DebugAgent
from greta.trace.logs.formats.dmesg import Dmesg
from greta.trace.logs.formats.frameworks import LlamaCpp, PyTorch
from greta.trace.logs.formats.greta.log import GretaLog
from greta.trace.logs.formats.hip_errors import HipErrors
from greta.trace.logs.formats.hrr import is_hrr, read_hrr
from greta.trace.logs.formats.rocgdb import RocGdb
from greta.trace.logs.formats.rocpd import MAGIC as ROCPD
from greta.trace.logs.formats.rocpd import read_rocpd
from greta.trace.logs.formats.rocprof import (
    API,
    RocprofCsv,
    by_correlation,
    in_time,
    merge_caused,
)
from greta.trace.logs.formats.runtime_faults import ClrFault, Rocr
from greta.trace.logs.lines import LogLine, first_bytes, read_lines
from greta.trace.logs.logged import LogFormat, LoggedOperation, ProcessLog, most_likely, owner_of
from greta.trace.logs.platform import Platform
from greta.trace.logs.prose import Manuscript, why_binary
from greta.trace.logs.stated import DoneWithout, PassedTests, is_stated, without_quotations
from greta.trace.logs.tables import trace_of
from greta.trace.trace import Gap, Kind

_COMPLETE: Final = ("amd_log", "hrr", "rocprof")
"""Sources of all calls; the others tell of some."""
_RANK: Final = (
    *_COMPLETE,
    *("greta", "llama.cpp", "clr", "debug_agent", "rocgdb", "rocr", "pytorch", "program", "dmesg"),
)


def join(logs: Iterable[ProcessLog]) -> list[ProcessLog]:
    told = [log for log in logs if not log.empty]
    told = [
        *join_rocprof([log for log in told if log.source == "rocprof"]),
        *(log for log in told if log.source != "rocprof"),
    ]
    told = [one for log in told for one in _by_pid(log)]
    told.sort(key=lambda log: (_RANK.index(log.source), _first_message(log), log.pid))
    joined: list[ProcessLog] = []
    lone = len({(log.pid, log.rank) for log in told if log.pid or log.rank is not None}) < 2
    for log in told:
        _place(joined, log, lone)
    return joined


def _by_pid(log: ProcessLog) -> list[ProcessLog]:
    """Faults that name a process, such as those of the kernel's log, apart from the rest."""
    named: dict[int, ProcessLog] = {}
    if not log.pid:
        for fault in log.faults:
            if fault.pid:
                one = named.setdefault(fault.pid, ProcessLog(log.source, log.path, fault.pid))
                one.faults.append(fault)
        log.faults = [fault for fault in log.faults if not fault.pid]
    return [*([] if log.empty else [log]), *named.values()]


def _first_message(log: ProcessLog) -> tuple[bool, int]:
    """Of several ranks that fail, the first is the one to look at; others only waited for it."""
    return min(((not one.error, one.line) for one in log.messages), default=(False, 0))


def _place(joined: list[ProcessLog], log: ProcessLog, lone: bool) -> None:
    """`lone`: no two processes or ranks are named, so what names none speaks of the same one."""
    target = _same_process(joined, log, lone)
    if target is not None:
        _merge(target, log)
    elif not log.operations and not log.pid and log.rank is None and joined:
        _share_out(joined, log)
    else:
        joined.append(log)


def _same_process(joined: Sequence[ProcessLog], log: ProcessLog, lone: bool) -> ProcessLog | None:
    if log.pid or log.rank is not None:
        return _named(joined, log, lone)
    same_file = [one for one in joined if one.path == log.path]
    if len(same_file) == 1:
        return same_file[0]
    if log.operations:
        own = _copies(log).keys()
        return next((one for one in joined if own & _copies(one).keys()), None)
    return joined[0] if len(joined) == 1 else None


def _named(joined: Sequence[ProcessLog], log: ProcessLog, lone: bool) -> ProcessLog | None:
    for one in joined:
        same_rank = not log.pid and one.path == log.path and one.rank == log.rank
        if same_rank or (log.pid and one.pid == log.pid):
            return one
    # The one process there is, and its own log does not say which it is.
    unnamed = len(joined) == 1 and not joined[0].pid and joined[0].rank is None
    return joined[0] if lone and unnamed else None


def _copies(log: ProcessLog) -> dict[tuple[int, int], deque[LoggedOperation]]:
    found: dict[tuple[int, int], deque[LoggedOperation]] = {}
    for operation in log.operations:
        if operation.kind is Kind.COPY and operation.accesses:
            read = operation.accesses[0]
            found.setdefault((read.address, read.bytes), deque()).append(operation)
    return found


def _merge(target: ProcessLog, log: ProcessLog) -> None:
    """`target` is the source that knows more: what both tell is told once."""
    target.pid = target.pid or log.pid
    target.rank = log.rank if target.rank is None else target.rank
    left_out = _merge_operations(target, log) if log.operations else 0
    for fault in log.faults:
        target.fault(fault)
    for message in log.messages:
        target.say(message)
    target.remarks.extend(log.remarks)
    target.models.extend(log.models)
    target.counts.update(log.counts)
    target.blocks.extend(log.blocks)
    if log.operations:
        for gap, text in log.gaps.items():
            weaker = gap in (Gap.ONLY_MARKED, Gap.NO_ORDER, Gap.NO_RECORDING, Gap.NO_SIZES)
            if not (weaker and target.source in _COMPLETE):
                target.gaps.setdefault(gap, text)
    if left_out:
        target.gaps[Gap.DAMAGED] = f"{left_out} operations that only {log.path.name} tells of"


def _merge_operations(target: ProcessLog, log: ProcessLog) -> int:
    """How many of them have no place in the better source's order."""
    if target.path == log.path and target.source not in _COMPLETE:
        target.operations.extend(log.operations)
        target.operations.sort(key=lambda operation: operation.line)
        target.total_calls += log.total_calls
        if target.gaps.get(Gap.NO_RECORDING) and any(one.accesses for one in log.operations):
            del target.gaps[Gap.NO_RECORDING]
        return 0
    if not target.operations:
        target.operations, target.total_calls = log.operations, log.total_calls
        target.gaps.pop(Gap.NO_RECORDING, None)
        return 0
    known, left_out = _copies(target), 0
    for operation in log.operations:
        if operation.kind is not Kind.COPY or not operation.accesses:
            continue
        read = operation.accesses[0]
        twins = known.get((read.address, read.bytes))
        if twins:
            twin = twins.popleft() if len(twins) > 1 else twins[0]
            twin.labels = twin.labels or operation.labels
        else:
            left_out += 1
    return left_out


def _share_out(joined: Sequence[ProcessLog], log: ProcessLog) -> None:
    """Faults and messages of nobody in particular, among several processes."""
    for fault in log.faults:
        owner_of(fault, joined).fault(fault)
    owner = most_likely(joined)
    for message in log.messages:
        owner.say(message)
    owner.remarks.extend(log.remarks)
    owner.models.extend(log.models)
    owner.counts.update(log.counts)


def join_rocprof(logs: Sequence[ProcessLog]) -> list[ProcessLog]:
    """Kernels, copies and allocations become part of the calls that caused them."""
    if len(logs) < 2:
        return [in_time(log) for log in logs]
    calls = [log for log in logs if log.counts[API]]
    others = [log for log in logs if not log.counts[API]]
    targets = calls or [others.pop(0)]
    causes = [by_correlation(log) if calls else {} for log in targets]
    for log in others:
        at = _nearest(log, causes)
        merge_caused(targets[at], log.operations, causes[at])
        targets[at].gaps.update(log.gaps)
        targets[at].counts.update(log.counts)
    return [in_time(log) for log in targets]


def _nearest(log: ProcessLog, causes: Sequence[dict[int, LoggedOperation]]) -> int:
    """Where most of what it tells was caused; the numbers of two processes may be the same."""

    def fits(index: int) -> int:
        within = 0
        for operation in log.operations:
            cause = causes[index].get(operation.correlation)
            within += cause is not None and cause.begin <= operation.end
        return within

    return max(range(len(causes)), key=fits)


# A line goes to the first that takes it: fault lines of the runtime before its other lines,
# PyTorch's errors before those of llama.cpp, which have fewer marks of their own.
FORMATS: Final[tuple[type[LogFormat], ...]] = (
    RocprofCsv,
    GretaLog,
    Rocr,
    ClrFault,
    DebugAgent,
    RocGdb,
    AmdLog,
    Dmesg,
    PyTorch,
    LlamaCpp,
    HipErrors,
)


KNOWN: Final = (
    "GRETA's own logs, ROCr and HIP fault lines, HIP errors of programs (PyTorch, llama.cpp and "
    "others), AMD_LOG_LEVEL, rocprofv3's CSV and databases, the debug agent's dump, rocgdb, and "
    "the kernel's log"
)


def evidence_of(logs: Iterable[ProcessLog], files: Sequence[Path]) -> list[Evidence]:
    """What one log, or several about one run, tell: one evidence for each process.

    Raises UsageError if nothing in them is understood.
    """
    joined = join(logs)
    if not joined:
        shown = ", ".join(str(path) for path in files[:3])
        shown += f" and {len(files) - 3} more" if len(files) > 3 else ""
        raise UsageError(
            f"{shown}: no line is of a kind that is known and tells of a failure or a HIP call; an "
            f"error that was handled, expected or quoted is no failure. Known are {KNOWN}"
        )
    return [_evidence(log) for log in joined]


def read_process_logs(path: Path) -> list[ProcessLog]:
    """What a file tells, by format and process; nothing if nothing in it is understood.

    A folder is an archive of HRR.
    """
    if is_hrr(path):
        return read_hrr(path)
    logs, why = _read(path)
    if why is not None:
        raise UsageError(f"{path} {why}")
    return logs


def process_logs_if_any(path: Path) -> list[ProcessLog]:
    """The same; nothing of a file that is no log."""
    return _read(path)[0]


def process_logs_of_output(path: Path) -> list[ProcessLog]:
    """Reads what is known to be a program's output, whatever it looks like."""
    return _read(path, is_output=True)[0]


def _read(path: Path, is_output: bool = False) -> tuple[list[ProcessLog], str | None]:
    formats: dict[type[LogFormat], LogFormat] = {}  # those of which there is a line
    ended_whole, manuscript, forgivers = True, Manuscript(), (PassedTests(), DoneWithout())
    platform = Platform()
    try:
        start = b"" if is_output else first_bytes(path)
        if start.startswith(ROCPD):
            return _database(path)
        why = None if is_output else why_binary(start)
        if why:
            return [], why
        for line in read_lines(path):
            ended_whole = not line.cut
            understood = _offer(line, formats, path)
            manuscript.see(line.text, understood)
            platform.see(line.text)
            for forgiver in forgivers:
                forgiver.see(line.text, line.number, understood)
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror or error}") from None
    logs: list[ProcessLog] = []
    for one in (formats[kind] for kind in FORMATS if kind in formats):
        one.ended_whole = ended_whole
        logs += one.finish()
    _tell_once(logs)
    for forgiver in forgivers:
        forgiver.forgive(logs)
    logs = [log for log in logs if not log.empty]
    why = (manuscript.why or platform.why(logs)) if logs and not is_output else None
    return ([], why) if why else (logs, None)


def _tell_once(logs: Sequence[ProcessLog]) -> None:
    """What llama.cpp prints looks like anybody's, up to its second line."""
    known = {one.line for log in logs if log.source == LlamaCpp.name for one in log.messages}
    for log in logs:
        if log.source == HipErrors.name:
            log.messages = [one for one in log.messages if one.line not in known]


def _database(path: Path) -> tuple[list[ProcessLog], str | None]:
    try:
        return read_rocpd(path), None
    except UsageError as error:
        return [], str(error).removeprefix(f"{printable(str(path))} ")


def _offer(line: LogLine, formats: dict[type[LogFormat], LogFormat], path: Path) -> bool:
    own_words: str | None = None
    for kind in FORMATS:
        one = formats.get(kind)
        follows = one is not None and one.follows
        if not (follows or any(needle in line.text for needle in kind.needles)):
            continue  # so it is with most lines, and what is below costs more
        if not kind.in_quotes:
            if own_words is None:
                own_words = without_quotations(line.text)
                own_words = own_words if is_stated(own_words) else ""
            if not own_words or not (
                follows or any(needle in own_words for needle in kind.needles)
            ):
                continue
        if formats.setdefault(kind, one or kind(path)).take(line):
            return True
    return False


def _evidence(log: ProcessLog) -> Evidence:
    gaps = dict(log.gaps)
    if not log.operations:
        gaps = {Gap.NO_RECORDING: "the log has messages, and no operation"}
    elif log.faults and not log.shows_start and lacks_work(log.operations, is_reported=True):
        gaps.setdefault(Gap.OVERWRITTEN, LACKS_WORK)
    return Evidence(
        trace=trace_of(log, gaps),
        faults=tuple(log.faults),
        messages=tuple(log.messages),
        remarks=tuple(log.remarks),
        models=tuple(log.models),
        printed=tuple(log.models),
    )
