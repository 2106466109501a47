"""What a log tells of one process: operations, faults, messages and what is missing.

A fault that names no process is given to the one it fits: FaultOwner is what a log or a recording
knows of a process for that.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar, Final, NamedTuple, Protocol, TypeVar

from greta.recording import HostWait
from greta.trace.evidence import DeviceFault, DeviceRemark, Message, ModelFact
from greta.trace.logs.errors import UNKNOWN_ERROR
from greta.trace.logs.lines import LogLine
from greta.trace.memory_history import DatedBlock
from greta.trace.trace import Gap, Kind, Memory, Mode, Role, Space, StreamKind, Waits, Where

NEAR: Final = 1 << 16
"""How far outside a buffer a fault may be and still be laid to it; faults are told by the page."""


class FaultOwner(Protocol):
    """What a log or a recording knows of a process."""

    def ran(self, kernel: str) -> bool:
        """Whether it launched a kernel of this name."""

    def had_memory_near(self, address: int) -> bool:
        """Whether an allocation is there, or not farther than NEAR."""

    def was_running_at(self, seconds: float, /) -> bool:
        """By the clock of the kernel's log; False where that cannot be known."""

    @property
    def failed(self) -> bool:
        """Whether a call failed."""

    @property
    def unfinished(self) -> bool:
        """Whether a call did not return."""


AnyOwner = TypeVar("AnyOwner", bound=FaultOwner)


def owner_of(fault: DeviceFault, processes: Sequence[AnyOwner]) -> AnyOwner:
    """The process that a fault without pid belongs to."""
    tests: tuple[Callable[[FaultOwner], bool], ...] = (
        lambda one: fault.kernel is not None and one.ran(fault.kernel),
        lambda one: bool(fault.address) and one.had_memory_near(fault.address or 0),
        lambda one: fault.time is not None and one.was_running_at(fault.time),
    )
    for test in tests:
        fitting = [process for process in processes if test(process)]
        if len(fitting) == 1:
            return fitting[0]
    return most_likely(processes)


def most_likely(processes: Sequence[AnyOwner]) -> AnyOwner:
    """The one that has something to say of a failure."""
    failed = (process for process in processes if process.failed)
    unfinished = (process for process in processes if process.unfinished)
    return next(failed, None) or next(unfinished, None) or processes[0]


MOST_OPERATIONS: Final = 1_000_000
MOST_REMARKS: Final = 10_000
"""Faults, and messages, that are kept of one source; a program can print the same forever."""

_SECONDS_AFTER: Final = 5.0
"""How long after a process' last call the kernel may still write of its fault."""

UNKNOWN_STREAM: Final = -1
"""The handle of a stream that the source does not name."""


class LoggedAccess(NamedTuple):
    address: int
    bytes: int
    mode: Mode
    role: Role
    space: Space
    argument: int = -1
    estimated: bool = False
    pitch: int = 0
    width: int = 0


class LoggedAllocation(NamedTuple):
    """Memory that an operation allocated, or that it shows to be there."""

    address: int
    bytes: int
    memory: Memory
    known_bytes: bool = True
    firm: bool = True
    """Whether it overrules another size that is known of the same address."""


@dataclass(slots=True)
class LoggedOperation:
    """One call, as far as the source knows it. Times are nanoseconds of the source's own clock."""

    line: int
    offset: int
    name: str
    kind: Kind
    waits: Waits = Waits.NO
    host: HostWait = HostWait.NO
    """The rule of HIP by which the host waits, where memory decides it."""
    thread: int = 0
    begin: int = 0
    end: int = 0
    finished: bool = True
    failed: bool = False
    result: int = 0
    stream: int = UNKNOWN_STREAM
    stream_kind: StreamKind | None = None
    event: int | None = None
    captured: bool = False
    accesses: tuple[LoggedAccess, ...] = ()
    allocated: LoggedAllocation | None = None
    """For an ALLOCATE."""
    shown: tuple[LoggedAllocation, ...] = ()
    """Allocations that this operation proves to have been there before it."""
    freed: int | None = None
    kernel: str | None = None
    arguments: tuple[tuple[str, str, int | None], ...] = ()
    grid: tuple[int, int, int] | None = None
    block: tuple[int, int, int] | None = None
    labels: tuple[str, ...] = ()
    correlation: int = 0
    """rocprofv3's number for a call and all that it caused; 0 is none."""
    file: Path | None = None
    where: Where | None = None
    """The line of the program that made the call, where the log tells it; else it is the log's."""


@dataclass
class ProcessLog:
    """What one source tells of one process; pid 0 where the source does not say."""

    source: str
    path: Path
    pid: int = 0
    rank: int | None = None
    operations: list[LoggedOperation] = field(default_factory=list)
    faults: list[DeviceFault] = field(default_factory=list)
    messages: list[Message] = field(default_factory=list)
    remarks: list[DeviceRemark] = field(default_factory=list)
    models: list[ModelFact] = field(default_factory=list)
    blocks: list[DatedBlock] = field(default_factory=list)
    """By the clock of the operations."""
    gaps: dict[Gap, str] = field(default_factory=dict)
    counts: Counter[str] = field(default_factory=Counter)
    """Lines that were understood, by what they are."""
    total_calls: int = 0
    dropped: int = 0
    shows_start: bool = True
    """False where calls may have been made before the first that it tells of."""

    def add(self, operation: LoggedOperation) -> None:
        operation.file = self.path
        self.total_calls += 1
        if len(self.operations) < MOST_OPERATIONS:
            self.operations.append(operation)
        else:
            self.dropped += 1
            self.gaps[Gap.DROPPED] = f"{self.dropped} operations beyond {MOST_OPERATIONS}"

    def say(self, message: Message) -> None:
        if len(self.messages) < MOST_REMARKS:
            self.messages.append(message)

    def failed_call(self, line: LogLine, call: str, error: int | None, where: Where) -> None:
        """A call of which the log shows that it failed, and no more."""
        code = UNKNOWN_ERROR if error is None else error
        failed = LoggedOperation(
            line.number, line.offset, call, Kind.OTHER, failed=True, result=code
        )
        failed.where = where if where.file else None
        self.gaps[Gap.NO_RECORDING] = "only error messages"
        self.add(failed)

    def fault(self, fault: DeviceFault) -> None:
        if len(self.faults) < MOST_REMARKS:
            self.faults.append(fault)

    @property
    def empty(self) -> bool:
        return not (self.operations or self.faults or self.messages or self.models or self.counts)

    # What FaultOwner asks for.

    def ran(self, kernel: str) -> bool:
        return any(operation.kernel == kernel for operation in self.operations)

    def had_memory_near(self, address: int) -> bool:
        return any(
            allocated.address - NEAR <= address < allocated.address + allocated.bytes + NEAR
            for operation in self.operations
            for allocated in (operation.allocated, *operation.shown)
            if allocated and allocated.address
        )

    def was_running_at(self, seconds: float) -> bool:
        """AMD's log and HRR count from the same start as the kernel's log; others do not."""
        if self.source not in ("amd_log", "hrr") or not self.operations:
            return False
        first = min(operation.begin for operation in self.operations) / 1e9
        last = max(max(one.begin, one.end) for one in self.operations) / 1e9
        return first <= seconds <= last + _SECONDS_AFTER

    @property
    def failed(self) -> bool:
        return any(operation.failed for operation in self.operations)

    @property
    def unfinished(self) -> bool:
        return not all(operation.finished for operation in self.operations)


class LogFormat(ABC):
    """Reads the lines of one file. Formats may be mixed in a file; each takes what is its own."""

    name: ClassVar[str]
    needles: ClassVar[tuple[str, ...]]
    """A line that has none of these is not of this format, unless `follows` says otherwise."""

    in_quotes: ClassVar[bool] = False
    """Whether what it reads stands in quotation marks; elsewhere these quote somebody else."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._log = ProcessLog(self.name, path)
        """What is told of a process without a name."""
        self.follows = False
        """The next lines may belong to the one before."""
        self.ended_whole = True
        """False, when all is read, for a file whose last line has no end."""

    @abstractmethod
    def take(self, line: LogLine) -> bool:
        """Reads a line; False if it is not of this format."""

    def finish(self) -> Iterable[ProcessLog]:
        """What was read."""
        return [self._log]
