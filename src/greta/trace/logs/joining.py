"""Several sources about one run: which of them speak of the same process.

A process is known by its pid. What names no pid joins a process by an address or a kernel that
both name, or by time (the kernel's log and AMD's log count from the same start), or because it is
the only one, or the only one whose calls failed. What fits nowhere stays on its own.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from typing import Final

from greta.trace.logs.logged import Logged, Story
from greta.trace.logs.owners import most_likely, owner_of
from greta.trace.logs.rocprof_join import join_rocprof
from greta.trace.trace import Gap, Kind

_RANK: Final = ("amd_log", "rocprof", "greta", "llama.cpp", "clr", "rocr", "pytorch", "dmesg")


def join(stories: Iterable[Story]) -> list[Story]:
    """One story for each process that the sources tell of."""
    told = [story for story in stories if not story.empty]
    told = [
        *join_rocprof([story for story in told if story.source == "rocprof"]),
        *(story for story in told if story.source != "rocprof"),
    ]
    told = [one for story in told for one in _by_pid(story)]
    told.sort(key=lambda story: (_RANK.index(story.source), story.pid))
    joined: list[Story] = []
    for story in told:
        _place(joined, story)
    return joined


def _by_pid(story: Story) -> list[Story]:
    """Faults that name a process, such as those of the kernel's log, apart from the rest."""
    named: dict[int, Story] = {}
    if not story.pid:
        for fault in story.faults:
            if fault.pid:
                one = named.setdefault(fault.pid, Story(story.source, story.path, fault.pid))
                one.faults.append(fault)
        story.faults = [fault for fault in story.faults if not fault.pid]
    return [*([] if story.empty else [story]), *named.values()]


def _place(joined: list[Story], story: Story) -> None:
    target = _same_process(joined, story)
    if target is not None:
        _merge(target, story)
    elif not story.operations and not story.pid and joined:
        _share_out(joined, story)
    else:
        joined.append(story)


def _same_process(joined: Sequence[Story], story: Story) -> Story | None:
    if story.pid:
        return _of_pid(joined, story)
    same_file = [one for one in joined if one.path == story.path]
    if len(same_file) == 1:
        return same_file[0]
    if story.operations:
        return next((one for one in joined if _share_a_copy(one, story)), None)
    return joined[0] if len(joined) == 1 else None


def _of_pid(joined: Sequence[Story], story: Story) -> Story | None:
    same = next((one for one in joined if one.pid == story.pid), None)
    if same is None and len(joined) == 1 and not joined[0].pid:
        # The one process there is, and its own log does not say its pid.
        joined[0].pid = story.pid
        return joined[0]
    return same


def _share_a_copy(one: Story, other: Story) -> bool:
    return bool(_copies(one).keys() & _copies(other).keys())


def _copies(story: Story) -> dict[tuple[int, int], deque[Logged]]:
    """By source address and bytes."""
    found: dict[tuple[int, int], deque[Logged]] = {}
    for operation in story.operations:
        if operation.kind is Kind.COPY and operation.touches:
            read = operation.touches[0]
            found.setdefault((read.address, read.bytes), deque()).append(operation)
    return found


def _merge(target: Story, story: Story) -> None:
    """`target` is the source that knows more: what both tell is told once."""
    left_out = _merge_operations(target, story) if story.operations else 0
    for fault in story.faults:
        target.fault(fault)
    for message in story.messages:
        target.say(message)
    target.models.extend(story.models)
    target.counts.update(story.counts)
    if story.operations:
        for gap, text in story.gaps.items():
            weaker = gap in (Gap.ONLY_MARKED, Gap.NO_ORDER, Gap.NO_RECORDING, Gap.NO_SIZES)
            if not (weaker and target.source in ("amd_log", "rocprof")):
                target.gaps.setdefault(gap, text)
    if left_out:
        target.gaps[Gap.DAMAGED] = f"{left_out} operations that only {story.path.name} tells of"


def _merge_operations(target: Story, story: Story) -> int:
    """How many of them have no place in the better source's order."""
    if target.path == story.path and target.source not in ("amd_log", "rocprof"):
        target.operations.extend(story.operations)
        target.operations.sort(key=lambda operation: operation.line)
        target.total_calls += story.total_calls
        if target.gaps.get(Gap.NO_RECORDING) and any(one.touches for one in story.operations):
            del target.gaps[Gap.NO_RECORDING]
        return 0
    if not target.operations:
        target.operations, target.total_calls = story.operations, story.total_calls
        target.gaps.pop(Gap.NO_RECORDING, None)
        return 0
    known, left_out = _copies(target), 0
    for operation in story.operations:
        if operation.kind is not Kind.COPY or not operation.touches:
            continue
        read = operation.touches[0]
        twins = known.get((read.address, read.bytes))
        if twins:
            twin = twins.popleft() if len(twins) > 1 else twins[0]
            twin.labels = twin.labels or operation.labels
        else:
            left_out += 1
    return left_out


def _share_out(joined: Sequence[Story], story: Story) -> None:
    """Faults and messages of nobody in particular, among several processes."""
    for fault in story.faults:
        owner_of(fault, joined).fault(fault)
    owner = most_likely(joined)
    for message in story.messages:
        owner.say(message)
    owner.models.extend(story.models)
    owner.counts.update(story.counts)
