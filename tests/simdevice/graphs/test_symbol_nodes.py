"""Nodes that copy to variables of the device and from them; memory that the driver's form frees."""

from __future__ import annotations

import struct
from collections.abc import Iterator

import pytest

from tests.simdevice.api.test_compiler_entry_points import Program
from tests.simdevice.borrowed import Borrowed
from tests.simdevice.boxes import D2D
from tests.simdevice.codes import INVALID_VALUE, Code
from tests.simdevice.fixtures import device, hip, image
from tests.simdevice.graphs.test_all_nodes import Graph, allocation, launch
from tests.simdevice.library import Library, byref, done

__all__ = ["device", "hip", "image"]

FLOATS = 16
SIZE = 4 * FLOATS


def floats(first: int) -> bytes:
    return struct.pack(f"{FLOATS}f", *range(first, first + FLOATS))


@pytest.fixture
def table(hip: Library, device: Borrowed, image: bytes) -> Iterator[int]:
    """The host's shadow of a variable of 16 floats."""
    program = Program(hip, image)
    yield program.variable(b"table", SIZE)
    program.leave()


def test_a_graph_copies_through_a_variable(hip: Library, device: Borrowed, table: int) -> None:
    source, target = device.memory(floats(1)), device.memory(bytes(SIZE))
    graph = Graph()
    graph.add("hipGraphAddMemcpyNodeToSymbol", table, source, SIZE, 0, D2D)
    graph.add("hipGraphAddMemcpyNodeFromSymbol", target, table, SIZE - 8, 8, D2D)
    graph.run()
    done(hip.hipDeviceSynchronize())
    assert device.read(target, SIZE) == floats(1)[8:] + bytes(8)


def test_the_nodes_are_changed_before_and_after_they_are_made_ready(
    hip: Library, device: Borrowed, table: int
) -> None:
    sources = [device.memory(floats(first)) for first in (1, 100, 200)]
    targets = [device.memory(bytes(SIZE)) for _ in range(3)]
    graph = Graph()
    into = graph.add("hipGraphAddMemcpyNodeToSymbol", table, sources[0], SIZE, 0, D2D)
    out_of = graph.add("hipGraphAddMemcpyNodeFromSymbol", targets[0], table, SIZE, 0, D2D)
    done(hip.hipGraphMemcpyNodeSetParamsToSymbol(into, table, sources[1], SIZE, 0, D2D))
    done(hip.hipGraphMemcpyNodeSetParamsFromSymbol(out_of, targets[1], table, SIZE, 0, D2D))
    ready = graph.run()
    done(hip.hipDeviceSynchronize())
    again = (ready, into, table, sources[2], SIZE, 0, D2D)
    done(hip.hipGraphExecMemcpyNodeSetParamsToSymbol(*again))
    again = (ready, out_of, targets[2], table, SIZE, 0, D2D)
    done(hip.hipGraphExecMemcpyNodeSetParamsFromSymbol(*again))
    launch(ready)
    done(hip.hipDeviceSynchronize())
    seen = [device.read(target, SIZE) for target in targets]
    assert seen == [bytes(SIZE), floats(100), floats(200)]


def test_what_goes_past_the_variable_is_refused(hip: Library, device: Borrowed, table: int) -> None:
    memory, graph = device.memory(2 * SIZE), Graph()
    for count, offset in ((SIZE + 1, 0), (SIZE, 1)):
        into = (table, memory, count, offset, D2D)
        out_of = (memory, table, count, offset, D2D)
        codes = [
            graph.try_to_add("hipGraphAddMemcpyNodeToSymbol", *into)[0],
            graph.try_to_add("hipGraphAddMemcpyNodeFromSymbol", *out_of)[0],
        ]
        assert codes == [INVALID_VALUE, INVALID_VALUE]
    node = graph.add("hipGraphAddMemcpyNodeToSymbol", table, memory, SIZE, 0, D2D)
    no_symbol = (node, None, memory, SIZE, 0, D2D)
    assert hip.hipGraphMemcpyNodeSetParamsToSymbol(*no_symbol) == Code.INVALID_SYMBOL


def test_the_drivers_form_frees_what_a_graph_allocated(hip: Library, device: Borrowed) -> None:
    graph, memory, target = Graph(), allocation(SIZE), device.memory(bytes(SIZE))
    source = device.memory(floats(7))
    graph.add("hipGraphAddMemAllocNode", byref(memory))
    graph.add("hipGraphAddMemcpyNode1D", memory.dptr, source, SIZE, D2D)
    graph.add("hipGraphAddMemcpyNode1D", target, memory.dptr, SIZE, D2D)
    graph.add("hipDrvGraphAddMemFreeNode", memory.dptr)
    ready = graph.run()
    done(hip.hipDeviceSynchronize())
    assert device.read(target, SIZE) == floats(7)
    launch(ready)  # without its free it could not be launched again
    done(hip.hipDeviceSynchronize())
    twice = graph.try_to_add("hipDrvGraphAddMemFreeNode", memory.dptr)
    assert twice[0] == INVALID_VALUE
