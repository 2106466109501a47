"""A call was given a handle (stream, event, module, graph, pool, array, memory) after its end.

What it does:
    Looks at every handle that a call with a meaning was given, and at those of all calls that
    failed or did not return: whether its lifetime had ended by then, and the value was not given
    out again. A launch means its kernel's module. Names the call that destroyed the handle.

Evidence:
    The calls that create and destroy handles; results of calls.

Known problems:
    A call that succeeded with such a handle is no finding: the value may have been given out again
    by a call that is not known to create it. The ruling is then INCONCLUSIVE.

Example:
    hipEventDestroy(e); hipEventRecord(e, s);
"""

from __future__ import annotations

from typing import Final

import numpy as np

from greta.forensics.attribution import ended_badly
from greta.forensics.case import Case
from greta.forensics.failures import last_that_counts
from greta.forensics.verdict import Finding, Ruling
from greta.forensics.wording import KEPT, OPERATION_FIELDS, operation_words, ruling_codes, settled
from greta.trace.device_errors import STICKY
from greta.trace.trace import NONE, RECORDING, StaleHandle, Trace, hiding

HYPOTHESIS: Final = "stale_handle"
CODES: Final[dict[str, tuple[str, ...]]] = {
    "handle_used_after_end": (*OPERATION_FIELDS, "what", "handle", "destroyer"),
    **ruling_codes(HYPOTHESIS),
}


def examine(case: Case) -> Ruling:
    trace = case.trace
    last = int(trace.operations["seq"][last_that_counts(trace)]) if len(trace.operations) else 0
    stale = [one for one in trace.stale_handles if one.seq <= last]
    wrong = [one for one in stale if _went_wrong(case, one)]
    missing = hiding(trace)
    if len(wrong) < len(stale):
        missing = (*missing, "ended_handles")
    if trace.source != RECORDING and len(trace.operations):
        missing = (*missing, "handle_lifetimes")
    findings = tuple(_finding(trace, one) for one in wrong[:KEPT])
    named = (trace.operations["stream"] != NONE) | (trace.operations["event"] != NONE)
    return settled(HYPOTHESIS, int(np.count_nonzero(named)), findings, missing, len(wrong))


def _went_wrong(case: Case, stale: StaleHandle) -> bool:
    """HIP refused the call, or the process died in it."""
    row = case.trace.row_of(stale.seq)
    if row == NONE:
        return False
    operation = case.trace.operations[row]
    if not operation["finished"]:
        return ended_badly(case.evidence)
    return bool(operation["failed"]) and int(operation["result"]) not in STICKY


def _finding(trace: Trace, stale: StaleHandle) -> Finding:
    words = operation_words(trace, trace.row_of(stale.seq))
    destroyer = trace.describe(stale.destroyed_by).name
    words |= {"what": stale.what, "handle": hex(stale.handle), "destroyer": destroyer}
    return Finding("handle_used_after_end", stale.seq, stale.destroyed_by, data=words)
