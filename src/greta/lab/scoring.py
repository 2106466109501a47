"""Scores a verdict against the truth that was staged."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from greta.forensics.verdict import Cause, FaultBuffer
from greta.lab.judge import Judgement
from greta.lab.outcomes import IterationOutcome
from greta.lab.workload_json import StagedBuffer, StagedFault
from greta.recording import open_recording


@dataclass(frozen=True)
class Score:
    """What the verdict got right."""

    detected: bool
    """The hypothesis is confirmed."""
    class_correct: bool
    """It is the cause, and no other hypothesis is confirmed."""
    operation_correct: bool
    """The cause is that call and kernel; of launches that the verdict says are as likely, one."""
    buffer_correct: bool
    """The cause's buffer is the one; none where there is none."""
    operation_exact: bool
    """It is that call and no other; not needed to pass where nothing tells launches apart."""

    @property
    def passed(self) -> bool:
        """All that is needed."""
        needed = (self.detected, self.class_correct, self.operation_correct, self.buffer_correct)
        return all(needed)

    def as_json(self) -> dict[str, bool]:
        """As in drill.json."""
        return asdict(self)


def score(
    hypothesis: str,
    staged: Sequence[StagedFault],
    judgement: Judgement,
    seq_of: Callable[[StagedFault], int | None],
) -> Score:
    """A fault that was not committed, or a run that cannot be judged, scores nothing.

    `seq_of` gives the number that a staged call has in the recording; None where it is no call.
    """
    verdict = judgement.verdict
    if not staged or not verdict:
        return Score(False, False, False, False, False)
    cause = verdict.cause
    if cause is None:
        return Score(hypothesis in verdict.confirmed, False, False, False, False)
    right = [one for one in staged if _is_operation(one, cause, seq_of(one))]
    return Score(
        detected=hypothesis in verdict.confirmed,
        class_correct=cause.hypothesis == hypothesis and verdict.confirmed == (hypothesis,),
        operation_correct=bool(right),
        buffer_correct=any(_is_buffer(one.buffer, cause.buffer) for one in right),
        operation_exact=any(seq_of(one) in (None, cause.seq) for one in right),
    )


def seq_of_staged(
    folder: Path, outcomes: Sequence[IterationOutcome], truth: StagedFault
) -> int | None:
    """Of the nth call of a name; of what is not counted, the first of its name in the iteration."""
    if truth.call is None:
        return None
    seqs = _seqs(folder, truth.call)
    if truth.nth is not None:
        seqs = seqs[truth.nth - 1 :]
    else:
        spans = [one.range for one in outcomes if one.iteration.number == truth.iteration]
        seqs = [seq for seq in seqs if spans[0] and spans[0][0] <= seq <= spans[0][1]]
    return seqs[0] if seqs else 0


def _seqs(folder: Path, call: str) -> list[int]:
    """Of all calls of a name, in the one process of a drill."""
    found: list[int] = []
    for process in open_recording(folder / "recording").processes:
        ids = [id_ for id_ in process.tables.calls if process.tables.call_name(id_) == call]
        found += process.columns.seq[np.isin(process.columns.call, ids)].tolist()
    return found


def _is_operation(truth: StagedFault, cause: Cause, seq: int | None) -> bool:
    if (cause.call, _plain(cause.kernel)) != (truth.call, truth.kernel):
        return False
    return seq is None or seq in (cause.seq, *_equals(cause))


def _equals(cause: Cause) -> list[int | None]:
    """Launches of the same kernel that the verdict itself says are as likely."""
    like = (cause.kernel, cause.confidence)
    return [one.seq for one in cause.alternatives if (one.kernel, one.confidence) == like]


def _plain(kernel: str | None) -> str | None:
    """The name without the arguments that a demangled one has."""
    return kernel.partition("(")[0] if kernel else None


def _is_buffer(truth: StagedBuffer | None, found: FaultBuffer | None) -> bool:
    if truth is None or found is None:
        return truth is None and found is None
    return (found.address, found.bytes) == (truth.address, truth.bytes)
