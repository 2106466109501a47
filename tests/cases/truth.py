"""What is true of a program, as the one who wrote it knows it. Nothing here is read by a check."""

from __future__ import annotations

from dataclasses import dataclass, field

TINY = "{tiny}"
"""On a command line: the path of a small model."""

NOT_BUILT = {
    "footprints": "the device notes what each launch read, wrote and updated atomically",
    "own evidence": "what the simulated device says itself, and what it does not support",
    "uninitialized_read": "bytes that nothing wrote",
    "stale_handle": "handles that are used after their end",
    "bad_launch": "launches against their kernel's metadata",
    "hang": "what was waited for",
    "who was recorded": "that every call was recorded needs evidence",
    "logs": "logs of other tools",
}
"""Rules that some cases still wait for (Case.needs). Such a case must be wrong today: the test that
finds it right asks for the mark to be taken away."""

# Limits: what the source cannot show. A ruling that has one is INCONCLUSIVE and names it.
HOST_ACCESSES = "host_accesses"
"""What the host itself does with pinned memory, without --watch-host."""
GRAPH_COPIES = "graph_copies"
"""The same for copies inside graphs, under --watch-host."""
UNWATCHED = "unwatched_copies"
"""The same for other transfers that it does not follow, and in host functions."""
KERNEL_REACH = "kernel_reach"
"""What kernels reach, without footprints."""
DEVICE_POINTERS = "device_pointers"
"""Pointers that lie in device memory, without footprints."""
UNNOTED = "unnoted_kernels"
"""Either of the two, where footprints do not tell."""
PAGEABLE_SIZES = "pageable_sizes"
"""How much pageable host memory there is."""
MANAGED = "managed_memory"
"""What the host does with managed memory."""
ZERO_COPY = "zero_copy"
"""What the host does with pinned memory that kernels access themselves."""
REGISTERED = "registered_memory"
"""Whether memory that the program registered was still its own."""
THREAD_TIMING = "thread_timing"
"""Calls of two host threads that did not overlap in time; nothing shows what kept them apart."""
OTHER_PROCESSES = "other_processes"
"""What other processes do with memory and events that are shared with them."""
LED_BY_MEMORY = "led_by_memory"
"""Whether kernels that take pointers from memory were led to the right buffer, with footprints."""
IN_PLACE = "in_place"
"""Whether a kernel that reads and writes the same bytes wrote them first, with footprints."""
DROPPED = "dropped_reads"
"""Whether loaded bytes that nothing wrote can matter: in the runs of `greta pin` they did not."""
BLOCKS = "unknown_blocks"
"""Tensors inside allocations, where a library carves them out and nobody said which."""
SIMULATOR = "simulator"
"""Something the simulated device does not support."""
LIMITS = {
    *(HOST_ACCESSES, GRAPH_COPIES, UNWATCHED, KERNEL_REACH, DEVICE_POINTERS, UNNOTED),
    PAGEABLE_SIZES,
    *(MANAGED, ZERO_COPY, REGISTERED, THREAD_TIMING, OTHER_PROCESSES),
    *(LED_BY_MEMORY, IN_PLACE, DROPPED, BLOCKS, SIMULATOR),
}

# Doubts: what was noticed and could not be decided. The run is then INCONCLUSIVE.
OVERLAP = "estimated_overlap"
"""Two operations may meet in some bytes: only an estimate says how far a kernel reaches."""
CALLBACK = "callback"
"""A host function may have told the program that an operation is done."""
UNWAITED = "unwaited_copy"
"""A copy to the host that nothing waited for."""
UNWAITED_LAUNCH = "never_waited_for"
"""A launch that nothing waited for until the process ended."""
POLLED = "polled_memory"
"""Work behind an operation wrote memory that the host can read itself: it may have waited there."""
DANGLING = "dangling_argument"
"""A kernel was given freed memory, and nothing shows that it used it."""

ENDED_BLOCK = "ended_block"
"""An announced block that is over is used, in an allocation of which not all is announced."""
SEVERAL_BLOCKS = "several_blocks"
"""Something goes beyond its block, to the end of another or into what is not announced."""
UNWRITTEN = "unwritten_copy"
"""A copy took bytes that nothing had written, beside others; nobody knows whether they are used."""
UNWRITTEN_READ = "unwritten_read"
"""A kernel loads bytes that nothing had written; nobody knows whether it uses them."""
UNWRITTEN_RESULT = "unwritten_result"
"""Some of what a copy brings to the host depends on such bytes, as `greta pin` found."""


@dataclass(frozen=True)
class Step:
    """A call of a program: the nth of its name, or the nth launch of a kernel."""

    name: str
    nth: int = 1

    def __str__(self) -> str:
        return f"{self.name} no. {self.nth}"


@dataclass(frozen=True)
class Doubt:
    """Something that must be named as undecided."""

    code: str
    operations: tuple[Step, ...] = ()


@dataclass(frozen=True)
class Case:
    """One program, how it is run, and what must be said of it."""

    hypothesis: str
    """The one that the case is about; of a clean program, none."""
    program: str
    """A file in the case's folder."""
    arguments: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    """Of `greta run`."""
    variables: dict[str, str] = field(default_factory=dict)
    label: str = ""
    """Tells apart cases with the same program."""
    fires: bool = False
    outcome: str = "REFUTED"
    """What the hypothesis must be where it does not fire. INCONCLUSIVE for nothing but limits is as
    good as REFUTED, unless `exact`."""
    cause: Step | None = None
    """The operation at fault; of a race, the one that came too early."""
    other: Step | None = None
    """The second operation of a race, or the one that freed the memory."""
    buffer: Step | None = None
    """The call that made the memory which the cause is about."""
    buffer_name: str = ""
    """What the program calls it."""
    blamed: Step | None = None
    """Where the error surfaced, if that does not depend on timing; else the first failed call."""
    fails: bool = False
    """Some call returns an error."""
    aborts: bool = False
    """The process ends by a signal before a call could return the error."""

    folder: str = ""
    """Beside this file; the hypothesis where it is empty."""
    faulty: bool | None = None
    """Whether the program is wrong; `fires` where it is not said. A program can be wrong where
    nothing that was recorded shows it."""
    verdict: str = ""
    """Of the run; REPRODUCED if the hypothesis fires, else NOT_REPRODUCED, where it is empty.
    REFUSED: one sentence, exit code 2."""
    exact: bool = False
    """The outcome must be this one."""
    outcomes: dict[str, str] = field(default_factory=dict)
    """Of further hypotheses."""
    limits: tuple[tuple[str, str], ...] = ()
    """Hypotheses that must be INCONCLUSIVE, and the limit each must name."""
    doubts: tuple[Doubt, ...] = ()
    gaps: tuple[str, ...] = ()
    """Of the coverage: what must be said to be missing."""
    may: tuple[str, ...] = ()
    """Hypotheses that may be CONFIRMED as well, or instead: the same fault from another side."""
    also: tuple[str, ...] = ()
    """Hypotheses that may be CONFIRMED as well, and must not be the cause."""
    anyone: bool = False
    """The first failed call depends on timing, or on the release: whoever is blamed is right."""
    confidence: tuple[float, float] = (0.0, 1.0)
    """Between which the cause's must lie."""
    one_of_equal: bool = False
    """Any launch of the cause's kernel may be the one: its confidence is shared among them."""
    needs: str = ""
    """A rule of NOT_BUILT without which this case is judged wrongly."""

    footprints: bool | None = None
    """Run with or without them; as the default has it where it is not said."""
    command: str = ""
    """For a shell, instead of the program; {x} is the program that x.cpp is compiled to."""
    beside: bool = False
    """The program writes a file to the path in its last argument; it is analysed with the run."""
    after: str = ""
    """What is done to the run before it is analysed: a name in tampering.py."""

    @property
    def name(self) -> str:
        """For pytest."""
        stem = f"{self.place}/{self.program}"
        return f"{stem}[{self.label}]" if self.label else stem

    @property
    def place(self) -> str:
        """The folder."""
        return self.folder or self.hypothesis

    @property
    def is_faulty(self) -> bool:
        """Whether the program is wrong."""
        return self.fires if self.faulty is None else self.faulty

    @property
    def expected_verdict(self) -> str:
        """Of the run."""
        return self.verdict or ("REPRODUCED" if self.fires else "NOT_REPRODUCED")
