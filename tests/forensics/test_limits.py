"""What the source cannot show: a limit where the run has something of that kind, and only there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from greta.forensics.analysis import analyze
from greta.forensics.verdict import BLOCKS, Outcome, Ruling, VerdictWord
from greta.trace.evidence import Evidence
from greta.trace.reading import carving_library
from greta.trace.trace import BLOCK, Kind, Memory, Waits
from tests.facts import run_facts
from tests.forensics.tracing import Part, TraceBuilder, pageable

Program = Callable[[TraceBuilder], object]


def rulings(program: Program, copies_by: str = "", **run: object) -> dict[str, Ruling]:
    build = TraceBuilder()
    program(build)
    build.wait_device()
    trace = build.build()
    names = {Kind.COPY.name: copies_by} if copies_by else {}
    trace = replace(trace, calls=tuple(names.get(one, one) for one in trace.calls))
    report = analyze([Evidence(trace, run=run_facts(**run))])
    assert report.word is not VerdictWord.REPRODUCED
    return {one.hypothesis: one for one in report.rulings}


def written(build: TraceBuilder) -> Part:
    x = build.allocate(64)
    build.fill(x[:])
    return x[:]


def download(build: TraceBuilder, waits: Waits = Waits.NO, memory: Memory = Memory.PINNED) -> None:
    build.copy(build.allocate(64, memory)[:], written(build), waits=waits)


def upload(build: TraceBuilder) -> None:
    x, host = build.allocate(64), build.allocate(64, Memory.PINNED)
    build.copy(x[:], host[:])


def waited_for(build: TraceBuilder) -> None:
    download(build, Waits.FOR_IT)


def from_graph(build: TraceBuilder) -> None:
    download(build)
    build.operations[-1].update(kind=Kind.GRAPH_LAUNCH)


def into_pageable(build: TraceBuilder) -> None:
    build.copy(pageable(0x10, 64), written(build), waits=Waits.FOR_IT)


def writing(memory: Memory) -> Program:
    def program(build: TraceBuilder) -> None:
        build.launch(may_write=[build.allocate(64, memory)[:]])

    return program


def by_threads(second: int) -> Program:
    def program(build: TraceBuilder) -> None:
        x = build.allocate(64)
        build.fill(x[:], thread=0)
        build.wait_device(thread=0)
        build.fill(x[:], thread=second)

    return program


@pytest.mark.parametrize(
    ("program", "hypothesis", "limits"),
    [
        (download, "missing_sync", ("host_accesses",)),
        (download, "overlapping_copies", ("host_accesses",)),
        (download, "staging_reuse", ()),
        (upload, "staging_reuse", ("host_accesses",)),
        (upload, "missing_sync", ()),
        (waited_for, "missing_sync", ()),
        (from_graph, "missing_sync", ("host_accesses",)),
        (into_pageable, "byte_size_mismatch", ("pageable_sizes",)),
        (waited_for, "byte_size_mismatch", ()),
        (writing(Memory.MANAGED), "missing_sync", ("managed_memory",)),
        (writing(Memory.PINNED), "missing_sync", ("zero_copy",)),
        (writing(Memory.DEVICE), "missing_sync", ()),
        (writing(Memory.REGISTERED), "use_after_free", ("registered_memory",)),
        (writing(Memory.PINNED), "use_after_free", ()),
        (writing(Memory.DEVICE), "upstream_kernel_fault", ("kernel_reach",)),
        (download, "upstream_kernel_fault", ()),
        (by_threads(1), "overlapping_copies", ("thread_timing",)),
        (by_threads(0), "overlapping_copies", ()),
    ],
)
def test_a_limit_is_named_where_it_matters(
    program: Program, hypothesis: str, limits: tuple[str, ...]
) -> None:
    ruling = rulings(program)[hypothesis]
    assert ruling.missing == limits
    assert ruling.is_limited == bool(limits)
    if limits:
        assert ruling.outcome is Outcome.INCONCLUSIVE
    else:
        assert ruling.outcome in (Outcome.REFUTED, Outcome.NOT_EXERCISED)


def test_who_watches_the_host_sees_it_but_for_copies_of_graphs() -> None:
    seen = rulings(download, "hipMemcpyAsync", watch_host=True)
    assert seen["missing_sync"].outcome is Outcome.REFUTED
    ruling = rulings(from_graph, "hipMemcpyAsync", watch_host=True)["missing_sync"]
    assert ruling.missing == ("graph_copies",)


def with_host_function(build: TraceBuilder) -> None:
    download(build)
    build.call(Kind.HOST_FUNCTION, stream=0)


def into_registered(size: int) -> Program:
    def program(build: TraceBuilder) -> None:
        there = build.allocate(size, Memory.REGISTERED)
        build.copy(there[-128:-64], written(build))

    return program


def many(build: TraceBuilder) -> None:
    host, x = build.allocate(64, Memory.PINNED), written(build)
    for _ in range(1025):
        build.copy(host[:], x)


@pytest.mark.parametrize(
    ("program", "call"),
    [
        (download, "hipMemcpy3DAsync"),
        (download, "hipMemcpyParam2DAsync"),
        (with_host_function, "hipMemcpyAsync"),
        (into_registered(2048), "hipMemcpyAsync"),
        (many, "hipMemcpyAsync"),
    ],
)
def test_what_the_watch_does_not_follow_stays_a_limit(program: Program, call: str) -> None:
    ruling = rulings(program, call, watch_host=True)["missing_sync"]
    assert ruling.missing == ("unwatched_copies",)
    assert ruling.outcome is Outcome.INCONCLUSIVE


def test_a_memset_of_pinned_memory_is_not_watched() -> None:
    ruling = rulings(
        lambda build: build.fill(build.allocate(64, Memory.PINNED)[:]), watch_host=True
    )
    assert ruling["overlapping_copies"].missing == ("unwatched_copies",)


def test_waited_for_in_between_many_copies_are_watched() -> None:
    def program(build: TraceBuilder) -> None:
        many(build)
        build.operations.pop()
        build.accesses[-2:] = []
        build.wait_device()
        build.copy(build.allocate(64, Memory.PINNED)[:], written(build))

    seen = rulings(program, "hipMemcpyAsync", watch_host=True)
    assert seen["missing_sync"].missing == ()


def test_where_footprints_were_asked_for_they_are_no_advice() -> None:
    asked = {"GRETA_SIM_FOOTPRINTS": "1"}
    ruling = rulings(writing(Memory.DEVICE), environment=asked)["upstream_kernel_fault"]
    assert ruling.missing == ("unnoted_kernels",)


def test_a_clean_run_with_limits_stays_clean_and_says_what_was_not_seen() -> None:
    build = TraceBuilder()
    download(build)
    build.wait_device()
    report = analyze([Evidence(build.build())])
    assert report.word is VerdictWord.NOT_REPRODUCED
    assert report.reason
    assert report.reason.code == "verdict_clean_limited"
    assert report.reason.data["missing"] == ("host_accesses",)


def test_a_doubt_makes_the_run_inconclusive() -> None:
    build = TraceBuilder()
    download(build)
    report = analyze([Evidence(build.build())])
    assert report.word is VerdictWord.INCONCLUSIVE
    assert [one.code for one in report.doubts] == ["unwaited_copy"]
    assert report.reason
    assert report.reason.code == "verdict_doubts"


@pytest.mark.parametrize(
    ("library", "announced", "limited"),
    [("libc10_hip.so", 0, True), ("libc10_hip.so", 1, False), (None, 0, False)],
)
def test_tensors_that_nobody_announced(library: str | None, announced: int, limited: bool) -> None:
    build = TraceBuilder()
    build.copy(pageable(0x10, 64), written(build), waits=Waits.FOR_IT)
    trace = replace(build.build(), carved_by=library, blocks=np.zeros(announced, BLOCK))
    report = analyze([Evidence(trace)])
    ruling = next(one for one in report.rulings if one.hypothesis == "use_after_free")
    assert (BLOCKS in ruling.missing) == limited
    assert ("step_announce_blocks" in [step.code for step in report.next_steps]) == limited
    assert report.word is VerdictWord.NOT_REPRODUCED


def test_libraries_that_carve() -> None:
    assert carving_library(["/lib/libc.so.6", "/venv/torch/lib/libc10_hip.so"]) == "libc10_hip.so"
    assert carving_library(["/lib/libc10.so", "/lib/libggml-base.so"]) is None
