"""Two writes overlap, one at least a transfer, and nothing orders them; or a copy meets itself.

What it does:
    Puts all work of streams and all waits of the host in HIP's order and looks, byte range by
    byte range, for two writes to the same memory that do not wait for each other, one of them a
    copy or a fill. Rectangles are compared row by row. docs/order.md has the rules.
    Compares the source of each copy with its destination: HIP asks that they do not overlap.

Evidence:
    Streams, events, waits, copies, kernels' arguments; what the host touches with --watch-host.

Known problems:
    A copy after which a kernel may write the same memory is missing_sync: the kernel is taken to
    use what the copy brings.
    Rectangles of more than some thousand rows are not compared, and make the ruling INCONCLUSIVE.
    Of copies of boxes (hipMemcpy3D), source and destination are not compared.
    Without --watch-host, what the host writes is not seen; the ruling then says for how many
    copies to pinned memory it matters.

Example:
    hipMemcpyAsync(d, h1, n, hipMemcpyHostToDevice, a);
    hipMemsetAsync(d, 0, n, b);
"""

from __future__ import annotations

from typing import Final

from greta.forensics.case import Case
from greta.forensics.own_overlap import OwnOverlap, own_overlaps
from greta.forensics.races import race_codes, rule
from greta.forensics.verdict import Finding, Ruling, Value
from greta.forensics.wording import ACCESS_FIELDS, BUFFER_FIELDS, KEPT, finding_of, settled
from greta.trace.trace import Trace

HYPOTHESIS: Final = "overlapping_copies"
CODES: Final[dict[str, tuple[str, ...]]] = {
    **race_codes(
        HYPOTHESIS,
        "host_writes_over_write",
        "transfer_writes_over_write",
        "kernel_writes_over_write",
    ),
    "copy_meets_itself": (*ACCESS_FIELDS, *BUFFER_FIELDS, "source_address", "source_bytes"),
}


def examine(case: Case) -> Ruling:
    """Rule on this hypothesis."""
    trace, compared = case.trace, case.conflicts
    ruling = rule(case, HYPOTHESIS, compared.transfer_writes, unwatched=compared.host_destinations)
    own = own_overlaps(trace)
    if not own:
        return ruling
    findings = (*ruling.findings, *(_meets_itself(trace, one) for one in own[:KEPT]))
    first = sorted(findings, key=lambda finding: finding.seq)[:KEPT]
    unordered = ruling.data["found"]
    found = len(own) + (unordered if isinstance(unordered, int) else 0)
    return settled(HYPOTHESIS, ruling.examined, tuple(first), ruling.missing, found)


def _meets_itself(trace: Trace, copy: OwnOverlap) -> Finding:
    source = trace.accesses[copy.source]
    more: dict[str, Value] = {
        "source_address": hex(int(source["address"])),
        "source_bytes": int(source["bytes"]),
    }
    return finding_of(trace, "copy_meets_itself", copy.destination, more=more)
