"""Who is blamed and who may have done it: two answers, and how sure the second is.

The blamed call is where the error surfaced. The rules of confidence are listed in docs/verdicts.md
and are here in one place (`_confidence`).
"""

from __future__ import annotations

import signal
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from greta.forensics.failures import DEINITIALIZED, failed_rows, first_failure, first_sticky
from greta.forensics.fault_address import comes_of_fresh_memory, has_trapped, names_memory
from greta.forensics.order import Completion, completion
from greta.forensics.scan import LAUNCHES, TRANSFERS, WORK, is_kind
from greta.forensics.suspects import Charge, Charges, Suspect, ranked
from greta.trace.device_errors import STICKY, STOPPED
from greta.trace.evidence import Evidence, Message
from greta.trace.trace import NONE, Kind, Row, Seq, Table, Trace, Waits

Rule = Literal[
    "told",
    "pinned",
    "one_and_address",
    "one_by_input",
    "one_left",
    "named_and_address",
    "named",
    "address",
    "arguments",
    "equal",
    "unseen",
]
CONFIDENCE: Final[dict[Rule, float]] = {
    "told": 0.99,
    "pinned": 0.95,
    "one_and_address": 0.95,
    "one_by_input": 0.9,
    "one_left": 0.9,
    "named_and_address": 0.95,
    "named": 0.9,
    "address": 0.85,
    "arguments": 0.6,
    "equal": 1.0,
    "unseen": 0.3,
}
"""Before it is divided among those of whom the same is true; launches that differ in nothing but
their turn are one."""

_ENDS_OF_A_FAULT: Final = frozenset(
    {signal.SIGABRT, signal.SIGSEGV, signal.SIGBUS, signal.SIGILL, signal.SIGFPE, signal.SIGTRAP}
)


@dataclass(frozen=True)
class Blamed:
    row: Row
    """NONE if no call is known, only a report of the fault."""
    seq: Seq
    error: int
    """As HIP numbers errors; 0 if no call returned one."""
    by: Literal["call", "report", "end", "message"]
    """A call returned an error; the runtime reported a fault; the process ended by a signal; a log
    says that there was an error, and not where."""

    @property
    def is_device_fault(self) -> bool:
        """Whether work of the device failed, and not just this call."""
        return self.by == "report" or self.error in STICKY


@dataclass(frozen=True)
class Attribution:
    """The operations that may have made the device fault, and how sure it is that the first did.

    Two certainties: which kernel, argument and buffer; and which launch of that kernel.
    """

    blamed: Blamed
    suspects: tuple[Suspect, ...]
    """Most incriminated first. Of very many only some; `count` says how many."""
    count: int
    rule: Rule | None
    confidence: float
    launch_confidence: float = 0.0
    alike: tuple[Suspect, ...] = ()
    """Launches of which all that is said of the first can be said too, that one included."""
    others: tuple[Suspect, ...] = ()
    """One for each other kernel, argument or buffer that may be the one."""
    alike_count: int = 1
    by_fresh_memory: bool = False
    """The first went where the bytes of fresh memory lead: something of its input was unwritten."""
    may_be_trap: bool = False
    """Neither the error nor a report speaks of memory."""

    @property
    def likely(self) -> Suspect | None:
        return self.suspects[0] if self.suspects else None

    @property
    def equals(self) -> tuple[Suspect, ...]:
        """The suspects against whom the same speaks as against the first, that one included."""
        return tuple(s for s in self.suspects if s.weight == self.suspects[0].weight)


def blamed_call(evidence: Evidence) -> Blamed | None:
    """Where a failure surfaced; None if the evidence shows none."""
    failure = first_failure(evidence.trace)
    if failure != NONE:
        return call_of_row(evidence.trace, failure)
    if evidence.faults:
        return _last_call(evidence.trace, "report")
    return _end(evidence) or _message(evidence)


def ended_badly(evidence: Evidence) -> bool:
    """Whether the process was ended by a signal that speaks of a fault."""
    return evidence.trace.signal in _ENDS_OF_A_FAULT


def attribute(evidence: Evidence) -> Attribution | None:
    sticky = first_sticky(evidence.trace)
    if sticky != NONE:
        return _attributed(evidence, call_of_row(evidence.trace, sticky))
    if evidence.faults:
        return _attributed(evidence, _last_call(evidence.trace, "report"))
    return None


def _attributed(evidence: Evidence, blamed: Blamed) -> Attribution:
    known = completion(evidence.trace, blamed.row if blamed.by == "call" else None)
    pinned = _pinned(evidence)
    told = None if pinned else _told(evidence)
    only = pinned or told
    launches, transfers = only or _rows(evidence, blamed, known)
    found = ranked(
        *(evidence, launches, transfers),
        all_transfers=only is not None,
        trapped=has_trapped(evidence, blamed.error),
    )
    if not found:
        return Attribution(blamed, (), 0, None, 0.0)
    count = max(len(found), len(launches))
    folded = _folded(evidence, found)
    kernels = np.unique(evidence.trace.operations["kernel"][launches])
    alone = len(folded) == 1 and (count == len(found) or len(kernels) == 1)
    rule: Rule = "pinned" if pinned else _rule(found, alone)
    if told and (found[0].is_plain or found[0].pointer is None):
        rule = "told"
    if rule == "one_left" and found[0].is_mere_transfer:
        rule = "arguments"
    if rule in ("pinned", "told", "one_left") and _is_guess_in_a_graph(evidence.trace, found[0]):
        rule = "arguments"
    if rule in ("one_left", "arguments", "equal") and not told and known.may_lack_launches():
        rule = "unseen"
    first, *others = folded
    equals = sum(one[0].weight == found[0].weight for one in folded)
    if rule in ("equal", "unseen") and not alone:
        equals = len(folded) + int(count > len(found))
    alike = count if alone else len(first)
    plain = tuple(one for one in first if one.is_plain)
    if found[0].is_plain and len(plain) < len(first) and count == len(found):
        # Of these launches only some were given numbers that lead out of the buffer.
        first, alike = plain, len(plain)
    confidence = max(0.01, round(CONFIDENCE[rule] / equals, 2))
    of_launch = max(0.001, round(confidence / alike, 3))
    if told:
        of_launch = CONFIDENCE["told"]  # which it was is certain, whatever led it there
    unlike = tuple(one[0] for one in others)
    if rule == "named_and_address":  # two witnesses that do not know of each other
        unlike = tuple(one for one in unlike if one.named)
    fresh = not found[0].is_plain and comes_of_fresh_memory(evidence, found[0].row)
    may_be_trap = blamed.error in STOPPED and not names_memory(evidence.faults)
    return Attribution(
        *(blamed, found, count, rule, confidence, of_launch, first, unlike, alike, fresh),
        may_be_trap=may_be_trap,
    )


def _folded(evidence: Evidence, found: tuple[Suspect, ...]) -> list[tuple[Suspect, ...]]:
    """Suspects of which the same would be said, together; most incriminated first."""
    charges = Charges(evidence)
    kinds: dict[tuple[tuple[int, int, int], Charge], list[Suspect]] = {}
    for one in found:
        kinds.setdefault((one.weight, charges.of(one)), []).append(one)
    return [tuple(alike) for alike in kinds.values()]


def _is_guess_in_a_graph(trace: Trace, suspect: Suspect) -> bool:
    """Whether the launch is known, but which of its nodes it was only guessed by a small buffer."""
    if int(trace.operations["kind"][suspect.row]) != Kind.GRAPH_LAUNCH or suspect.named:
        return False
    bad = suspect.pointer is not None and suspect.pointer.is_bad_memory
    several = len(np.unique(trace.accesses_of(suspect.row)["origin"])) > 1
    return several and not bad and suspect.weight[1] == 0


def _told(evidence: Evidence) -> tuple[Table, Table] | None:
    """The operation one of whose accesses the device checked, and refused."""
    checked = (fault.seq for fault in evidence.faults if fault.source == "device")
    return _alone(evidence.trace, next((seq for seq in checked if seq), None))


def _pinned(evidence: Evidence) -> tuple[Table, Table] | None:
    """The one operation that a re-run has left."""
    return _alone(evidence.trace, evidence.pinned.seq if evidence.pinned else None)


def _alone(trace: Trace, seq: Seq | None) -> tuple[Table, Table] | None:
    """As the only launch, or the only transfer."""
    row = NONE if seq is None else trace.row_of(seq)
    if row == NONE:
        return None
    one, none = np.array([row]), np.zeros(0, np.int64)
    return (none, one) if int(trace.operations["kind"][row]) in TRANSFERS else (one, none)


def _rows(evidence: Evidence, blamed: Blamed, known: Completion) -> tuple[Table, Table]:
    """Launches and transfers that may have faulted; the blamed call itself may be among them."""
    trace = evidence.trace
    launches, transfers = known.unfinished(*LAUNCHES), known.unfinished(*TRANSFERS)
    if blamed.by != "call":
        return launches, transfers
    operation = trace.operations[blamed.row]
    kind, waits = int(operation["kind"]), int(operation["waits"]) == Waits.FOR_IT
    if kind in LAUNCHES and (waits or not len(launches)):
        return np.array([blamed.row]), transfers  # it reports its own fault
    return launches, np.append(transfers, blamed.row) if kind in TRANSFERS else transfers


def _rule(found: tuple[Suspect, ...], alone: bool) -> Rule:
    named, explained, doubtful = found[0].weight
    if alone and explained:
        return "one_and_address" if found[0].is_plain else "one_by_input"
    if alone and not named:
        return "one_left"
    if named:
        return "named_and_address" if explained and found[0].is_plain else "named"
    if explained:
        return "address"
    return "arguments" if doubtful else "equal"


def call_of_row(trace: Trace, row: Row) -> Blamed:
    operation = trace.operations[row]
    return Blamed(row, int(operation["seq"]), int(operation["result"]), "call")


def _last_call(trace: Trace, by: Literal["report", "end"]) -> Blamed:
    """The last call that had not returned; else the last."""
    total = len(trace.operations)
    if total == 0:
        return Blamed(NONE, 0, 0, by)
    under_way = np.flatnonzero(~trace.operations["finished"])
    row = int(under_way[-1]) if len(under_way) else total - 1
    return Blamed(row, int(trace.operations["seq"][row]), 0, by)


def _message(evidence: Evidence) -> Blamed | None:
    """The program's own words of failure count where nothing better was recorded."""
    if evidence.trace.source == "recording":
        return None
    errors = (message for message in evidence.messages if message.error or message.status)
    waits = (message for message in evidence.messages if message.wait)
    unsaid = (message for message in evidence.messages if message.unsaid)
    said = next(errors, None) or next(waits, None) or next(unsaid, None)
    return Blamed(NONE, said.line, said.error or 0, "message") if said else None


def words_of(evidence: Evidence, blamed: Blamed) -> Message | None:
    """What the program said, where that is all that is known of a failure."""
    if blamed.by != "message":
        return None
    return next((one for one in evidence.messages if one.line == blamed.seq), None)


def _end(evidence: Evidence) -> Blamed | None:
    """Calls that programs try may be refused; a process that then dies may have died of it."""
    if not ended_badly(evidence):
        return _gave_up(evidence)
    tried = first_failure(evidence.trace, tried=True)
    return (
        call_of_row(evidence.trace, tried) if tried != NONE else _last_call(evidence.trace, "end")
    )


def _gave_up(evidence: Evidence) -> Blamed | None:
    """A refused call behind which the program did no more work and ended with an exit code."""
    if not exit_code_of(evidence):
        return None
    operations = evidence.trace.operations
    worked = np.flatnonzero(is_kind(evidence.trace, *WORK) & ~operations["failed"])
    refused = failed_rows(evidence.trace)
    refused = refused[operations["result"][refused] != DEINITIALIZED]
    refused = refused[refused > (worked[-1] if len(worked) else NONE)]
    return call_of_row(evidence.trace, int(refused[0])) if len(refused) else None


def exit_code_of(evidence: Evidence) -> int:
    """Of the process that the evidence is about; 0 where it is not known."""
    processes = evidence.run.processes
    own = [one for one in processes if one.pid == evidence.trace.pid]
    seen = [one.end_code for one in own if one.end in ("exit", "quick")]
    if seen:
        return seen[-1] or 0
    ending = evidence.run.exit
    return 0 if ending is None or len(processes) > 1 else ending.code or 0
