"""Graphs: capture, launch, update."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from greta.hip import Buffer, Graph, HipError, Kernel, Module, Stream

ADD = 'extern "C" __global__ void add(int* x, int n) { *x += n; }'


@pytest.fixture(scope="module")
def add() -> Kernel:
    return Module.compile(ADD).kernel("add")


@pytest.fixture
def stream() -> Iterator[Stream]:
    with Stream() as stream:
        yield stream


@pytest.fixture
def number() -> Iterator[Buffer]:
    with Buffer.from_array(np.zeros(1, dtype=np.int32)) as buffer:
        yield buffer


def value(number: Buffer) -> int:
    return int(number.to_array(np.int32)[0])


def capture(stream: Stream, add: Kernel, number: Buffer, *amounts: int) -> Graph:
    with Graph.capture(stream) as graph:
        for amount in amounts:
            add(1, 1, number, np.int32(amount), stream=stream)
    return graph


def test_captured_work_runs_only_when_it_is_launched(
    stream: Stream, add: Kernel, number: Buffer
) -> None:
    graph = capture(stream, add, number, 1, 2)
    stream.synchronize()
    assert value(number) == 0
    executable = graph.instantiate()
    for _ in range(3):
        executable.launch(stream)
    stream.synchronize()
    assert value(number) == 9


def test_an_executable_outlives_its_graph(stream: Stream, add: Kernel, number: Buffer) -> None:
    graph = capture(stream, add, number, 5)
    executable = graph.instantiate()
    graph.close()
    executable.launch(stream)
    stream.synchronize()
    assert value(number) == 5


def test_an_empty_graph_can_be_launched(stream: Stream) -> None:
    Graph().instantiate().launch(stream)
    stream.synchronize()


def test_an_update_changes_the_arguments(stream: Stream, add: Kernel, number: Buffer) -> None:
    executable = capture(stream, add, number, 1).instantiate()
    executable.update(capture(stream, add, number, 10))
    executable.launch(stream)
    stream.synchronize()
    assert value(number) == 10


def test_an_update_with_another_shape_is_an_error(
    stream: Stream, add: Kernel, number: Buffer
) -> None:
    executable = capture(stream, add, number, 1).instantiate()
    with pytest.raises(HipError) as caught:
        executable.update(capture(stream, add, number, 1, 2))
    assert caught.value.name == "hipErrorGraphExecUpdateFailure"


def test_an_exception_in_the_block_ends_the_capture(stream: Stream) -> None:
    with pytest.raises(KeyError), Graph.capture(stream) as graph:
        raise KeyError("inside")
    with pytest.raises(ValueError, match="closed"):
        graph.instantiate()
    stream.synchronize()


def test_synchronizing_while_capturing_is_the_documented_error(stream: Stream) -> None:
    with pytest.raises(HipError) as caught, Graph.capture(stream):
        stream.synchronize()
    assert caught.value.name == "hipErrorStreamCaptureUnsupported"
