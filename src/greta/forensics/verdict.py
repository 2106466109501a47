"""Verdicts: codes and data. The words for them are in greta.reports.lang.

`Verdict` is all that is said of a run, without the recording that it comes from: verdict.json as an
object (greta.forensics.verdict_json), and what reports show.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import ClassVar, Final, Literal

from greta.errors import ExitCode
from greta.forensics.saying import Saying as Saying
from greta.forensics.saying import Value as Value
from greta.trace.run_facts import IF_ANY
from greta.trace.trace import NONE, NOWHERE, Row, Seq, Where

HYPOTHESES: Final = (
    "byte_size_mismatch",
    "use_after_free",
    "missing_sync",
    "bad_pointer",
    "staging_reuse",
    "overlapping_copies",
    "upstream_kernel_fault",
    "model_mismatch",
    "wrong_binary",
    "uninitialized_read",
    "stale_handle",
    "bad_launch",
    "hang",
)
RACES: Final = ("missing_sync", "staging_reuse", "overlapping_copies")
"""Those about order; their findings name the synchronization that is missing."""
STOPS: Final = ("kernel_stopped", "kernel_asserted")
"""Findings about kernels that stopped themselves: no access to memory need be wrong."""
HOST_ACCESSES: Final = "host_accesses"
GRAPH_COPIES: Final = "graph_copies"
UNWATCHED: Final = "unwatched_copies"
KERNEL_REACH: Final = "kernel_reach"
DEVICE_POINTERS: Final = "device_pointers"
UNNOTED: Final = "unnoted_kernels"
PAGEABLE_SIZES: Final = "pageable_sizes"
MANAGED: Final = "managed_memory"
ZERO_COPY: Final = "zero_copy"
REGISTERED_MEMORY: Final = "registered_memory"
THREAD_TIMING: Final = "thread_timing"
OTHER_PROCESSES: Final = "other_processes"
LED_BY_MEMORY: Final = "led_by_memory"
IN_PLACE: Final = "in_place"
DROPPED_READS: Final = "dropped_reads"
BLOCKS: Final = "unknown_blocks"
SIMULATOR: Final = "simulator"
LIMITS: Final = (
    *(HOST_ACCESSES, GRAPH_COPIES, UNWATCHED, KERNEL_REACH, DEVICE_POINTERS, UNNOTED),
    PAGEABLE_SIZES,
    *(MANAGED, ZERO_COPY, REGISTERED_MEMORY, THREAD_TIMING, OTHER_PROCESSES),
    *(LED_BY_MEMORY, IN_PLACE, DROPPED_READS, BLOCKS, SIMULATOR),
)
"""host_accesses: what the host itself does with pinned memory, without --watch-host. graph_copies:
the same for copies of graphs, with it. unwatched_copies: for others that it does not follow, and in
host functions. kernel_reach: which bytes kernels use. device_pointers:
memory that kernels reach through pointers in device memory. unnoted_kernels: either of the two,
where --footprints was asked for and did not tell. pageable_sizes: how large pageable
memory is. managed_memory, zero_copy: what the host does with memory that kernels use as well.
registered_memory: whether memory that the program allocated and registered was still there.
thread_timing: calls of two threads on the same memory, which only time is known to have ordered.
led_by_memory: whether kernels that take pointers from memory were led where they should be.
in_place: whether kernels that read and write the same bytes wrote them first. dropped_reads:
whether bytes that nobody wrote and that kernels load can matter: in the runs of a pin they did not.
unknown_blocks: tensors inside allocations, where a library carves them out and nobody said which.
simulator: what would have run behind a call that the simulated device does not have."""


class Outcome(str, Enum):
    CONFIRMED = "CONFIRMED"
    REFUTED = "REFUTED"
    INCONCLUSIVE = "INCONCLUSIVE"
    NOT_EXERCISED = "NOT_EXERCISED"


class VerdictWord(str, Enum):
    REPRODUCED = "REPRODUCED"
    NOT_REPRODUCED = "NOT_REPRODUCED"
    INCONCLUSIVE = "INCONCLUSIVE"

    def __str__(self) -> str:
        return self.value


_EXIT_CODES: Final = {
    VerdictWord.NOT_REPRODUCED: ExitCode.OK,
    VerdictWord.REPRODUCED: ExitCode.FAULT,
    VerdictWord.INCONCLUSIVE: ExitCode.INCONCLUSIVE,
}


def exit_code_of(word: VerdictWord) -> int:
    return _EXIT_CODES[word]


@dataclass(frozen=True)
class Finding:
    code: str
    """Such as "copy_past_end"; names a sentence in the language files."""
    seq: Seq
    """The operation that is at fault, or that came too early."""
    other: Seq | None = None
    """The second operation of a race, or the one that freed the memory."""
    allocation: Row = NONE
    """A row of the trace, as `access` is; NONE in what is read from a file."""
    block: int = 0
    """The announced block in it, by its number in the trace; 0: none is known."""
    access: Row = NONE
    data: dict[str, Value] = field(default_factory=dict)
    """For the sentence."""
    strength: int = 2
    """2: the evidence leaves no other reading. 1: it does, and confidence says so."""

    @property
    def words(self) -> dict[str, Value]:
        return {**self.data, "seq": self.seq, "other": self.other}


@dataclass(frozen=True)
class Doubt:
    """Something that was noticed and could not be decided: the run is not called clean."""

    code: str
    """Names a sentence in the language files, as doubt_..."""
    operations: tuple[Seq, ...]
    """The one that is in question first."""
    hypothesis: str = ""
    data: Mapping[str, Value] = field(default_factory=dict)
    """For the sentence."""


@dataclass(frozen=True)
class Ruling:
    hypothesis: str
    outcome: Outcome
    code: str
    """Why; names a sentence in the language files."""
    examined: int
    """How many operations, accesses or facts it looked at."""
    findings: tuple[Finding, ...] = ()
    """The one that matters most first."""
    data: dict[str, Value] = field(default_factory=dict)
    missing: tuple[str, ...] = ()
    """What evidence would settle it (names of gaps, or codes)."""
    doubts: tuple[Doubt, ...] = ()
    run: str | None = None
    """In an audit: the run that shows it."""
    listed: tuple[Seq, ...] = ()
    """The evidence, in a file that does not have the findings."""
    text: str = field(default="", compare=False)
    """The reason as a file says it; for a code that has no sentence."""

    @property
    def confirmed(self) -> bool:
        return self.outcome is Outcome.CONFIRMED

    @property
    def is_limited(self) -> bool:
        """Whether nothing but limits keeps it from being refuted."""
        is_open = self.outcome is Outcome.INCONCLUSIVE and bool(self.missing)
        return is_open and set(self.missing) <= set(LIMITS)

    @property
    def evidence(self) -> tuple[Seq, ...]:
        """The operations of all findings, each once."""
        found = (seq for one in self.findings for seq in (one.seq, one.other))
        return tuple(dict.fromkeys(seq for seq in found if seq is not None)) or self.listed


@dataclass(frozen=True)
class Coverage:
    calls: int = 0
    d2h_calls: int = 0
    d2h_bytes: int = 0
    d2h_audited: int = 0
    """Copies to the host of which everything is known: end, sizes, the source's allocation."""
    launches: int = 0
    dropped: int = 0
    complete: bool = False
    gaps: tuple[tuple[str, str], ...] = field(default=())
    """Name and a word on how much."""
    approximate: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Kernels in machine code, and their instructions whose results may differ from hardware's in
    the last bits. All other arithmetic of machine code is exact."""


Stack = tuple[Where, ...] | None
"""Who made a call, innermost first, native frames before those of Python; None: not known."""


@dataclass(frozen=True)
class CallSite:
    """Where a call was made that the fault has to do with."""

    seq: Seq | None = None
    call: str | None = None
    where: Where = NOWHERE
    stack: Stack = field(default=None, metadata=IF_ANY)


@dataclass(frozen=True)
class BlamedCall:
    """Where the failure surfaced."""

    seq: Seq | None = None
    call: str | None = None
    kernel: str | None = None
    error: str | None = None
    where: Where = NOWHERE
    by: str | None = None
    """call, report, end or message: see greta.forensics.attribution."""
    pid: int | None = None
    """Where there were several processes: numbers of calls are a process' own."""
    rank: int | None = field(default=None, metadata=IF_ANY)
    """What a launcher calls the process."""
    run: str | None = None
    """In an audit: its run folder."""
    stage: tuple[str, ...] | None = field(default=None, metadata=IF_ANY)
    """The roctx ranges around the call, the outermost first: prefill, layer=0, tensor=rope."""
    stack: Stack = field(default=None, metadata=IF_ANY)
    apart: bool | None = field(default=None, metadata=IF_ANY)
    """The cause is a fault of its own, which does not explain why this call failed."""

    @property
    def is_last_call(self) -> bool:
        """Whether it reported nothing, and is only the last call before the end."""
        return self.by in ("end", "report")

    @property
    def part(self) -> str:
        """What it has to do with the cause, as reports name it."""
        return "blamed_last" if self.is_last_call else "blamed_apart" if self.apart else "blamed"


@dataclass(frozen=True)
class FaultBuffer:
    address: str | None = None
    bytes: int | None = None
    allocated_at: Seq | None = None
    freed_at: Seq | None = None
    name: str | None = None
    allocation: CallSite | None = field(default=None, metadata=IF_ANY)
    free: CallSite | None = field(default=None, metadata=IF_ANY)


@dataclass(frozen=True)
class FaultAccess:
    address: str | None = None
    address_bytes: int = 1
    """More than one where only the page is known."""
    bytes: int | None = None
    past_end: int | None = None
    past_end_below: int | None = None
    """It was fewer than this; one more than `past_end` where that is known to the byte."""
    kind: Literal["read", "write", "atomic"] | None = field(default=None, metadata=IF_ANY)
    """This and what follows: where the device checked each access and told of this one."""
    block: tuple[int, int, int] | None = field(default=None, metadata=IF_ANY)
    thread: tuple[int, int, int] | None = field(default=None, metadata=IF_ANY)
    line: str | None = field(default=None, metadata=IF_ANY)
    """FILE:LINE of the kernel's source."""
    before_start: int | None = field(default=None, metadata=IF_ANY)
    """Bytes below the buffer's start, where that is known to the byte."""


@dataclass(frozen=True)
class Turn:
    """Which of launches that are alike in kernel, argument and buffer is meant."""

    number: int = 1
    """From 1, in the order of the calls."""
    count: int = 1
    seqs: tuple[Seq, ...] = ()
    """The launches; only the first, if there are very many."""


@dataclass(frozen=True)
class Alternative:
    """Another operation that may be the cause; of launches that are alike, the first."""

    seq: Seq | None = None
    call: str | None = None
    kernel: str | None = None
    confidence: float = 0.0
    stage: tuple[str, ...] | None = field(default=None, metadata=IF_ANY)
    """The roctx ranges around the call, the outermost first: prefill, layer=0, tensor=rope."""


@dataclass(frozen=True)
class Cause:
    """What made the run fail, or the one fault that was found."""

    hypothesis: str
    seq: Seq | None = None
    call: str | None = None
    """None of what is no call, such as a wrong binary."""
    kernel: str | None = None
    stream: int | None = None
    buffer: FaultBuffer | None = None
    access: FaultAccess | None = None
    confidence: float | None = None
    """How sure it is: the kernel or call, its argument, the buffer."""
    launch_confidence: float | None = None
    """How sure it is which launch; the same number where there is no other like it."""
    turn: Turn | None = None
    """Set where there were launches that are alike."""
    rule: str | None = None
    """Which rule of docs/verdicts.md gave the confidence."""
    alternatives: tuple[Alternative, ...] = ()
    code: str = ""
    data: Mapping[str, Value] = field(default_factory=dict)
    """For the sentence."""
    where: Where = NOWHERE
    pid: int | None = None
    rank: int | None = field(default=None, metadata=IF_ANY)
    run: str | None = None
    iteration: int | None = None
    """In an audit, as `run`."""
    stage: tuple[str, ...] | None = field(default=None, metadata=IF_ANY)
    """The roctx ranges around the call, the outermost first: prefill, layer=0, tensor=rope."""

    stack: Stack = field(default=None, metadata=IF_ANY)
    other: CallSite | None = field(default=None, metadata=IF_ANY)
    """The other side of a race."""

    @property
    def operation(self) -> str:
        """The kernel or the call; nothing if it is neither."""
        return self.kernel or self.call or ""


@dataclass(frozen=True)
class NearbyCall:
    seq: Seq = 0
    call: str = ""
    kernel: str | None = None
    stream: str = ""
    result: str = ""
    role: str = ""
    """cause, blamed, suspect, other, or nothing."""
    begin_ns: int | None = field(default=None, metadata=IF_ANY)
    """When it was called, since the process started."""
    took_ns: int | None = field(default=None, metadata=IF_ANY)
    """Until it returned; None if it did not."""
    done_by: Seq | None = field(default=None, metadata=IF_ANY)
    """The call at whose return the host knew that the work was done."""
    in_flight: bool | None = field(default=None, metadata=IF_ANY)
    """True of work of a stream that is not known to have ended."""


@dataclass(frozen=True)
class NearbyAllocation:
    """The buffer, or one of its neighbours in memory."""

    address: str = ""
    bytes: int = 0
    name: str | None = None
    state: str = ""
    """live or freed."""
    generation: int | None = field(default=None, metadata=IF_ANY)
    """Set where it is not the first allocation at its address."""
    freed_at: Seq | None = field(default=None, metadata=IF_ANY)


@dataclass(frozen=True)
class LackedCall:
    """The first call of a process that the simulated device could not do: its own limit."""

    seq: Seq
    call: str
    reason: Saying
    is_code: bool = False
    """Kernels did not run."""
    pid: int | None = None
    """Where there were several processes."""


@dataclass(frozen=True)
class Surroundings:
    """What lies around a cause, for pictures."""

    operations: tuple[NearbyCall, ...] = ()
    memory: tuple[NearbyAllocation, ...] = ()
    address: str | None = None
    """That was reached."""


@dataclass(frozen=True)
class Verdict:
    """All that is said of a run; of a matrix, of its runs together."""

    word: VerdictWord
    reason: Saying | None = None
    coverage: Coverage = field(default_factory=Coverage)
    rulings: tuple[Ruling, ...] = ()
    """In the order of the hypotheses."""
    blamed: BlamedCall | None = None
    cause: Cause | None = None
    next_steps: tuple[Saying, ...] = ()
    around: Surroundings | None = None
    doubts: tuple[Doubt, ...] = ()
    """What was noticed and could not be decided."""
    lacks: tuple[LackedCall, ...] = ()
    """What came after these calls convicts nobody, unless the program did it in any case."""

    shown_by: ClassVar[Callable[[Verdict], str] | None] = None
    """Makes a page of it for a notebook: who has words (greta.api) says how."""

    def _repr_html_(self) -> str | None:
        show = Verdict.shown_by
        return show(self) if show else None

    @property
    def confirmed(self) -> tuple[str, ...]:
        return tuple(one.hypothesis for one in self.rulings if one.confirmed)

    @property
    def is_lacking(self) -> bool:
        """Whether the simulated device could not run the program: how it ended says nothing."""
        return self.reason is not None and self.reason.code.startswith("verdict_simulator_")

    @property
    def exit_code(self) -> int:
        return exit_code_of(self.word)
