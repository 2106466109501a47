"""What the simulated device could not do, and what may follow from that.

It lacks calls, and runs no code of other GPUs. A program that goes on all the same finds memory
that nothing wrote, handles of nothing, and results that are none: what comes of that is nobody's
fault. Of a launch that did not run the host knows nothing until it looks at results, so what it
asked for until then it asked for in any case.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from greta.forensics.attribution import Attribution, Blamed
from greta.forensics.failures import failed_rows
from greta.forensics.limits import limited
from greta.forensics.scan import LAUNCHES
from greta.forensics.verdict import (
    RACES,
    SIMULATOR,
    Doubt,
    Finding,
    Outcome,
    Ruling,
    Saying,
)
from greta.recording import CallKind, effects_of
from greta.trace.evidence import Evidence
from greta.trace.trace import NONE, Kind, Row, Seq, Table, Trace, Waits

CODES: Final[dict[str, tuple[str, ...]]] = {
    "verdict_simulator_limit": ("call",),
    "verdict_simulator_ignored": ("call", "seq"),
    "verdict_simulator_no_code": ("call",),
    "verdict_simulator_other_gpu": ("call", "processors", "device"),
    "verdict_simulator_no_kernel": ("call", "kernel", "why"),
}
"""What it lacks, as the reason of a verdict."""

NO_BINARY: Final = 209
NOT_SUPPORTED: Final = 801
_INVALID_HANDLE: Final = 400
"""What calls get that are given a module, or a kernel of one, that was not loaded."""
_SETTINGS: Final = (CallKind.SETUP,)
"""Calls after which a program does the same, whatever they answer."""
_CHANGES_ACCESS: Final = ("hipCtxEnablePeerAccess",)
"""The program does the same, and the device refuses its accesses."""
_LEAVES_NOTHING: Final = re.compile(r"hip\w*(?:Destroy|Unbind|Unregister)|hipFree\w|hipGetCmdName")
"""Calls that only end something: nothing comes of their not being there."""
_LEFT_OUT: Final = ("uninitialized_read", "hang")
"""What a kernel that did not run would have kept from happening: it writes, it tells others."""
_LEFT_BY_KERNELS: Final = (*_LEFT_OUT, "upstream_kernel_fault")
"""And what other kernels may do for results that are not there."""
_WAITS: Final = (
    *(Kind.WAIT_STREAM, Kind.WAIT_EVENT, Kind.WAIT_DEVICE),
    *(Kind.QUERY_STREAM, Kind.QUERY_EVENT, Kind.HOST_FUNCTION),
)
_OTHER_GPU: Final = re.compile(
    r"cannot load the code object: it holds code for (.{1,400}); the simulated device is a (\w+)"
)
_NO_KERNEL: Final = re.compile(r"Cannot run the kernel (\S{1,300}): (.{1,400})")


@dataclass(frozen=True)
class Lack:
    """The first call that the simulated device could not do."""

    row: Row
    seq: Seq
    call: str
    reason: Saying
    is_launch: bool
    """The host learns of it only by looking at results."""
    is_code: bool
    """Kernels did not run. Without other calls programs may do."""
    is_tried: bool = False
    """It was refused code, and ran other: which kernels that left out is not known."""

    @property
    def is_serious(self) -> bool:
        """Whether the evidence is not that of the whole program, found something or not."""
        return self.is_code and not self.is_tried


def first_lack(evidence: Evidence) -> Lack | None:
    """None where it could do everything."""
    trace, said = evidence.trace, _unsupported(evidence)
    device = evidence.run.device
    if not said and not (device and device.kind == "sim"):
        return None
    rows = failed_rows(trace)
    results = trace.operations["result"][rows]
    names = [number for number, name in enumerate(trace.calls) if _matters(name, said)]
    unsupported = (results == NOT_SUPPORTED) & np.isin(trace.operations["call"][rows], names)
    rows = rows[(results == NO_BINARY) | unsupported]
    tried = [row for row in rows.tolist() if _is_tried_load(trace, row)]
    others = [row for row in rows.tolist() if row not in tried]
    first = (others or tried)[:1]
    return _lack(evidence, first[0], not others) if first else None


def _unsupported(evidence: Evidence) -> set[str]:
    """The calls that it said itself it does not have; others are refused as hardware does."""
    return {one.call for one in evidence.messages if one.source == "simulator" and one.call}


def _matters(call: str, said: set[str]) -> bool:
    if call not in said or _LEAVES_NOTHING.match(call):
        return False
    does = effects_of(call)
    return call in _CHANGES_ACCESS or does is None or does.kind not in _SETTINGS


def _is_tried_load(trace: Trace, row: Row) -> bool:
    """Whether a program that tries code of several GPUs seems to have found some for this one.

    Calls that load code are in the trace only where they failed: launches that ran say that one
    did not.
    """
    operations = trace.operations
    if not _loads_code(trace.calls[int(operations["call"][row])]):
        return False
    later = operations[row + 1 :]
    went_on = np.isin(later["kind"], LAUNCHES) & ~later["failed"]
    used_nothing = later["failed"] & (later["result"] == _INVALID_HANDLE)
    return bool(went_on.any()) and not used_nothing.any()


def _loads_code(call: str) -> bool:
    does = effects_of(call)
    is_code = does is not None and does.kind is CallKind.CODE
    return is_code and "Load" in call and "Unload" not in call


def _lack(evidence: Evidence, row: Row, is_tried: bool) -> Lack:
    operation = evidence.trace.operations[row]
    call = evidence.trace.describe(int(operation["seq"]))
    is_launch, error = int(operation["kind"]) in LAUNCHES, int(operation["result"])
    reason = reason_of(evidence, call.name, error, call.kernel)
    return Lack(row, call.seq, call.name, reason, is_launch, error == NO_BINARY, is_tried)


def reason_of(evidence: Evidence, call: str, error: int, kernel: str | None = None) -> Saying:
    """What it could not do, in its own words where those are known."""
    if error != NO_BINARY:
        return Saying("verdict_simulator_limit", {"call": call})
    texts = [message.text for message in evidence.messages]
    kernels = list(filter(None, map(_NO_KERNEL.search, texts)))
    others = list(filter(None, map(_OTHER_GPU.search, texts)))
    its_own = [one for one in kernels if one[1] == kernel]
    if found := next(iter(its_own or ([] if others else kernels)), None):
        data = {"call": call, "kernel": found[1], "why": found[2]}
        return Saying("verdict_simulator_no_kernel", data)
    if others:
        data = {"call": call, "processors": others[0][1], "device": others[0][2]}
        return Saying("verdict_simulator_other_gpu", data)
    return Saying("verdict_simulator_no_code", {"call": call})


# --- what is taken back ---------------------------------------------------------------------------


def without_what_follows(trace: Trace, ruling: Ruling, lack: Lack) -> Ruling:
    """Only what was found in what the program did before, or would have done in any case."""
    name = ruling.hypothesis
    doubts = tuple(one for one in ruling.doubts if not _doubt_follows(trace, name, one, lack))
    if ruling.outcome is not Outcome.CONFIRMED:
        return replace(ruling, doubts=doubts)
    kept = tuple(one for one in ruling.findings if not _finding_follows(trace, name, one, lack))
    if kept:
        return replace(ruling, findings=kept, doubts=doubts)
    # As if it had been looked for in vain; what hides it is said instead.
    open_ = replace(ruling, outcome=Outcome.REFUTED, findings=(), doubts=doubts)
    return limited(open_, (SIMULATOR,))


def _finding_follows(trace: Trace, hypothesis: str, finding: Finding, lack: Lack) -> bool:
    seqs = [finding.seq]
    if finding.other is not None and hypothesis in RACES:  # elsewhere it is who freed the memory
        seqs.append(finding.other)
    return _may_follow(trace, hypothesis, seqs, lack)


def _doubt_follows(trace: Trace, hypothesis: str, doubt: Doubt, lack: Lack) -> bool:
    return _may_follow(trace, hypothesis, doubt.operations, lack)


def _may_follow(trace: Trace, hypothesis: str, seqs: Sequence[Seq], lack: Lack) -> bool:
    """Whether operations may be what they are for what the device could not do before."""
    rows = [row for row in map(trace.row_of, seqs) if row != NONE]
    last = max(rows, default=NONE)
    if last < lack.row:
        return False
    if lack.is_tried:
        return hypothesis in _LEFT_OUT
    if not lack.is_launch or hypothesis in _LEFT_BY_KERNELS:
        return True
    launched = hypothesis != "bad_launch" and _ran_kernels(trace, np.array(rows, np.int64))
    return launched or _host_looked(trace, lack.row, last)


def _ran_kernels(trace: Trace, rows: Table) -> bool:
    """What a kernel does it may do for what another left."""
    return bool(np.isin(trace.operations["kind"][rows], LAUNCHES).any())


def _host_looked(trace: Trace, first: Row, last: Row) -> bool:
    """Whether the host may know results that were left out, and go by them."""
    between = trace.operations[first + 1 : last]
    waited = (between["waits"] != Waits.NO) | np.isin(between["kind"], _WAITS)
    return bool((~between["failed"] & waited).any())


def failure_follows(blamed: Blamed, attribution: Attribution | None, lack: Lack) -> bool:
    """Whether a failure that nothing explains may be for what the device could not do."""
    if blamed.row == NONE:
        return lack.is_serious
    if blamed.row < lack.row or (lack.is_tried and blamed.row > lack.row):
        return False
    suspects = attribution.suspects if attribution and blamed.is_device_fault else ()
    return not suspects or any(one.row >= lack.row for one in suspects)


def is_first(lack: Lack, blamed: Blamed) -> bool:
    """Whether the call that could not be done failed before all others that count."""
    return blamed.row == NONE or lack.row < blamed.row
