"""Launches whose results the host may use without anybody seeing it; of graphs, too."""

from __future__ import annotations

from typing import Any

import pytest

from greta.forensics.completion import launches_that_write_host_memory
from greta.trace.trace import NONE, Kind, Memory, Row
from tests.forensics.programs import FAILED
from tests.forensics.tracing import Buffer, TraceBuilder


def found(build: TraceBuilder) -> list[Row]:
    return [int(row) for row in launches_that_write_host_memory(build.build())]


def graph_launch(build: TraceBuilder, node: Row, **fields: Any) -> Row:
    """A launch touches what its node does."""
    launch = build.call(Kind.GRAPH_LAUNCH, stream=0, event=0, **fields)
    touched = [one for one in build.accesses if one["operation"] == node]
    build.accesses += [{**one, "operation": launch} for one in touched]
    return launch


def shared_and_device(build: TraceBuilder) -> tuple[Buffer, Buffer]:
    return build.allocate(64, Memory.PINNED), build.allocate(64)


@pytest.mark.parametrize("memory", [Memory.PINNED, Memory.REGISTERED, Memory.MANAGED])
def test_only_what_the_host_sees_counts(memory: Memory) -> None:
    build = TraceBuilder()
    shared, device = build.allocate(64, memory), build.allocate(64)
    build.launch(reads=[shared[:]], may_write=[device[:]])
    assert found(build) == []
    launch = build.launch(may_write=[shared[:], shared[:32]])
    assert found(build) == [launch]


def test_a_launch_that_was_refused_wrote_nothing() -> None:
    build = TraceBuilder()
    shared, _ = shared_and_device(build)
    build.launch(may_write=[shared[:]], **FAILED)
    assert found(build) == []


def test_a_graph_counts_at_each_launch_if_a_kernel_of_it_does() -> None:
    build = TraceBuilder()
    shared, _ = shared_and_device(build)
    node = build.launch(NONE, may_write=[shared[:]], captured=True)
    launches = [graph_launch(build, node), graph_launch(build, node)]
    graph_launch(build, node, **FAILED)
    assert found(build) == launches


def test_a_graph_that_only_copies_to_the_host_does_not() -> None:
    build = TraceBuilder()
    shared, device = shared_and_device(build)
    graph_launch(build, build.copy(shared[:], device[:], NONE, captured=True))
    assert found(build) == []
