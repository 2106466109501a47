"""Which gaps of a trace can hide what: the same answer for every check."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from greta.trace.trace import Gap, Trace

LOST_LIFETIMES: Final = frozenset(
    {
        *(Gap.DROPPED, Gap.DAMAGED, Gap.ONLY_MARKED, Gap.NO_RECORDING),
        *(Gap.UNRECORDED, Gap.UNSEEN, Gap.TWO_RUNTIMES, Gap.BYPASSED),
    }
)
"""What an address means is not sure: its allocation or its free may be among the lost calls."""

LOST_CALLS: Final = LOST_LIFETIMES | {Gap.OVERWRITTEN, Gap.NO_FAILURES}
"""Calls are missing before the last one that is known: allocations, frees and waits too, maybe."""

INCOMPLETE: Final = LOST_CALLS | {Gap.CUT_SHORT}
"""Something may have happened that the trace does not show. Whatever the fault, it can hide it."""

RECORDING: Final = "recording"
"""The source of a trace that is no log."""
SAYS_SIZES: Final = ("greta",)
"""Logs whose lines state a transfer together with its allocation: lost calls change nothing."""


def present(trace: Trace, gaps: Iterable[Gap]) -> tuple[str, ...]:
    """Names of those gaps that the trace has, in the order of their numbers."""
    return tuple(gap.name for gap in sorted(set(gaps) & set(trace.gaps)))


def hiding(trace: Trace, *also: Gap) -> tuple[str, ...]:
    """Names of the gaps because of which "nothing found" is no "nothing there"."""
    return present(trace, INCOMPLETE | set(also))
