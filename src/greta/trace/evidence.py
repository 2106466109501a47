"""Everything a check may look at: the trace, what the program and its runtime said, what ran."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Final, Literal

from greta.trace.run_facts import BinaryFacts, RunFacts
from greta.trace.trace import NOWHERE, Seq, Trace, Where


@dataclass(frozen=True)
class DeviceFault:
    """A fault as the runtime or the kernel's log reported it."""

    source: Literal["rocr", "clr", "dmesg", "queue", "debug_agent", "rocgdb", "device"]
    """"device": the device itself told the recorder; the other fields at the end are from there."""
    address: int | None
    """Usually that of the page; None if it was not said."""
    exact: bool = False
    """Whether the address is more than that of a page."""
    kernel: str | None = None
    reason: str | None = None
    pid: int | None = None
    time: float | None = None
    line: str = ""
    seq: Seq | None = None
    """The call that submitted the work."""
    access: Literal["read", "write", "atomic"] | None = None
    bytes: int | None = None
    block: tuple[int, int, int] | None = None
    thread: tuple[int, int, int] | None = None
    place: tuple[str, int] | None = None
    """File and line of the access in the source of its kernel."""
    space: Literal["shared", "private"] | None = None
    """Beyond a block's shared or a thread's private memory, which is at no address of the device:
    at which byte of it, and how many it has."""
    space_address: int | None = None
    space_bytes: int | None = None


@dataclass(frozen=True)
class DeviceRemark:
    """Something that the simulated device noticed itself, and for which no call failed."""

    what: Literal["damage", "outside", "unwritten"]
    """damage: bytes next to an allocation were changed, found when it was freed. outside: an access
    there. unwritten: a read of bytes that nothing has written."""
    buffer: int
    """Where the allocation begins."""
    buffer_bytes: int
    address: int
    """The first byte."""
    seq: Seq | None = None
    """The call that submitted the work; None: not known."""
    kernel: str | None = None
    bytes: int | None = None
    pid: int | None = None
    access: Literal["read", "write", "atomic"] | None = None


@dataclass(frozen=True)
class ThreadAccess:
    """One side of what the simulated device noticed within a launch."""

    access: Literal["read", "write", "atomic"] | None
    """None: a thread at a barrier, or one that is not there."""
    block: str
    thread: str
    """As "1,0,0"."""
    where: Where = NOWHERE
    """In the kernel's source."""

    @property
    def line(self) -> str | None:
        """Such as "scale.hip:14"."""
        file, line = self.where.file, self.where.line
        return f"{PurePath(file).name}:{line}" if file and line else None


@dataclass(frozen=True)
class KernelRace:
    """Two threads of a launch and what nothing orders between them, as the device noted it."""

    what: Literal["race", "barrier"]
    """barrier: one of them waits there, the other does not reach it."""
    seq: Seq
    """The call that submitted the work."""
    kernel: str
    address: int
    """Within the shared memory of the block, if it is `shared`."""
    sides: tuple[ThreadAccess, ...]
    shared: bool = False
    buffer: int | None = None
    buffer_bytes: int = 0
    variable: str = ""
    """That begins where the buffer does."""
    count: int = 1
    """How many there are like it: pairs of instructions, in each launch."""
    calls: tuple[Seq, ...] = ()
    """The launches they are of."""


@dataclass(frozen=True)
class Leak:
    """Memory that was not freed, of a run that was to be checked for that."""

    what: Literal["leak", "graph_leak", "heap_leak"]
    """Who allocated it: the call, a node of the graph that it launched, the kernel itself."""
    seq: Seq
    call: str
    address: int
    """Of the heap's blocks: 0."""
    bytes: int
    kernel: str | None = None
    count: int = 1
    """Blocks of the heap, allocated at one place."""
    where: Where = NOWHERE
    """In the kernel's source."""


@dataclass(frozen=True)
class LoggedWait:
    """A wait that did not end, as a program said that gave it up."""

    operation: str
    seconds: int


ASSERTION: Final = "assertion"
"""The source of a message that an assertion in a kernel failed: its text, and where it stands."""


@dataclass(frozen=True)
class Message:
    """A line by which a program says that something went wrong, or right."""

    source: str
    """Such as "pytorch", "llama.cpp", "greta", "status"."""
    text: str
    call: str | None = None
    error: int | None = None
    """As HIP numbers errors."""
    line: int = 0
    where: Where = NOWHERE
    """The line of the program that found the error, as the program printed it."""
    wait: LoggedWait | None = None
    status: str = ""
    """What the library below calls its error, where it is none of HIP's."""
    unsaid: bool = False
    """The call failed, and the program does not say with which error."""


@dataclass(frozen=True)
class ModelFact:
    """A model that the run used, and what the guard rail says of it."""

    path: str
    dimensions: dict[str, int] = field(default_factory=dict)
    """heads, kv_heads, head_dim, hidden, feed_forward, layers, vocabulary, context ..."""
    mismatches: tuple[tuple[str, str, str], ...] = ()
    """Field, expected, found."""
    problem: str | None = None
    """Why it could not be looked at."""
    name: str = ""
    parameters: tuple[int, ...] = ()
    """How many it has; each number that the program printed."""
    contradictions: tuple[tuple[str, str, str], ...] = ()
    """Dimensions that the program printed twice, differently: name, first, other."""


@dataclass(frozen=True)
class Expectations:
    build: str | None = None
    """A path, or a hash or build id, or the beginning of one."""
    texts: tuple[str, ...] = ()
    """What the program's file must contain."""


@dataclass(frozen=True)
class Pinned:
    """What a re-run with added synchronization has shown (greta pin)."""

    seq: Seq
    """The operation, numbered as in this trace, after which the error was there at once."""
    runs: int
    kernel: str | None = None


@dataclass(frozen=True)
class FreshBytes:
    """What runs with other bytes in fresh memory have shown (greta pin)."""

    reach: Literal["used", "part", "none"]
    """used: all that a copy brings to the host, or what the program does, is another then. part:
    some of what a copy brings. none: neither."""
    copy: Seq | None = None
    """That copy, numbered as in this trace."""


@dataclass(frozen=True)
class Unseen:
    """A process that may have used HIP and was not recorded."""

    pid: str
    command: str
    why: str
    """environment, static, rights, machine, not_noted: not followed; gone: its folder is; alive:
    it had made no call when the run ended, and went on."""
    reach: str
    """Why it may have used HIP: links, loads, starts, unknown, called."""
    is_child: bool = False
    """Its own pid is not known; `pid` is that of the process that started it."""


@dataclass(frozen=True)
class Evidence:
    trace: Trace
    faults: tuple[DeviceFault, ...] = ()
    messages: tuple[Message, ...] = ()
    remarks: tuple[DeviceRemark, ...] = ()
    noted_launches: Mapping[Seq, bool] = field(default_factory=dict)
    """Launches of which the device noted all that they accessed, and whether they read bytes that
    they wrote. A read that came first is a remark; that none did is not noted."""
    races: tuple[KernelRace, ...] = ()
    leaks: tuple[Leak, ...] = ()
    approximate: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Kernels whose results may differ from hardware's in the last bits, by these instructions."""
    models: tuple[ModelFact, ...] = ()
    printed: tuple[ModelFact, ...] = ()
    """The model as the program itself printed it."""
    run: RunFacts = field(default_factory=RunFacts)
    """run.json; nothing is known of a log."""
    binary: BinaryFacts | None = None
    expectations: Expectations = Expectations()
    pinned: Pinned | None = None
    fresh_bytes: FreshBytes | None = None
    unseen: Unseen | None = None
    """Set where this is about a process of which there is no recording; its trace is empty."""
