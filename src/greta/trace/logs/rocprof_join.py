"""The files that rocprofv3 wrote of one run, as one story for each process."""

from __future__ import annotations

from collections.abc import Sequence

from greta.trace.logs.formats.rocprof import API
from greta.trace.logs.logged import Logged, Story


def join_rocprof(stories: Sequence[Story]) -> list[Story]:
    """Kernels, copies and allocations become part of the calls that caused them."""
    if len(stories) < 2:
        return [_in_time(story) for story in stories]
    calls = [story for story in stories if story.counts[API]]
    others = [story for story in stories if not story.counts[API]]
    targets = calls or [others.pop(0)]
    causes = [_by_correlation(story) if calls else {} for story in targets]
    for story in others:
        at = _nearest(story, causes)
        _merge(targets[at], causes[at], story)
    return [_in_time(story) for story in targets]


def _by_correlation(story: Story) -> dict[int, Logged]:
    return {one.correlation: one for one in story.operations if one.correlation}


def _nearest(story: Story, causes: Sequence[dict[int, Logged]]) -> int:
    """Where most of what it tells was caused; the numbers of two processes may be the same."""

    def fits(index: int) -> int:
        within = 0
        for operation in story.operations:
            cause = causes[index].get(operation.correlation)
            within += cause is not None and cause.begin <= operation.end
        return within

    return max(range(len(causes)), key=fits)


def _merge(target: Story, causes: dict[int, Logged], story: Story) -> None:
    for operation in story.operations:
        cause = causes.get(operation.correlation)
        if cause is not None and cause.kind is operation.kind:
            _enrich(cause, operation)
        else:
            target.operations.append(operation)
            target.total_calls += 1
    target.gaps.update(story.gaps)
    target.counts.update(story.counts)


def _enrich(call: Logged, caused: Logged) -> None:
    call.kernel = call.kernel or caused.kernel
    call.grid, call.block = call.grid or caused.grid, call.block or caused.block
    call.made, call.freed = call.made or caused.made, call.freed or caused.freed
    call.labels = call.labels or caused.labels


def _in_time(story: Story) -> Story:
    story.operations.sort(key=lambda operation: operation.begin)
    return story
