"""A graph of the random programs: memory of its own, a graph within it, the record of an event."""

from __future__ import annotations

import ctypes
from ctypes import c_void_p
from typing import Any

from tests.simdevice.boxes import BY_ADDRESS, Copy3D
from tests.simdevice.library import Extent, MemLocation, PitchedPointer, byref, done, hip_library
from tests.simdevice.structures import AllocationNode, FillNode


def box(dst: int, src: int, pitch: int, rows: int, slices: int) -> Copy3D:
    """Rows and slices one behind the other."""
    params = Copy3D(extent=Extent(pitch, rows, slices), kind=BY_ADDRESS)
    params.src, params.dst = (PitchedPointer(at, pitch, pitch, rows) for at in (src, dst))
    return params


class CopyGraph:
    """Nodes one behind the other; it is given up as soon as it is launched."""

    def __init__(self, event: int) -> None:
        self._hip, self._event = hip_library(), event
        self._graph, self._last = c_void_p(), c_void_p()
        done(self._hip.hipGraphCreate(byref(self._graph), 0))

    def build(self, dst: int, src: int, size: int, value: int) -> None:
        memory = AllocationNode(kind=1, location=MemLocation(1, 0), bytes=size)
        self._add("hipGraphAddMemAllocNode", byref(memory))
        self._add("hipGraphAddMemcpyNode", byref(box(memory.dptr, src, size, 1, 1)))
        self._add("hipGraphAddMemcpyNode1D", dst, memory.dptr, size, BY_ADDRESS)
        self._add("hipGraphAddMemFreeNode", memory.dptr)
        self._add("hipGraphAddChildGraphNode", self._inner(dst, value))
        self._add("hipGraphAddEventRecordNode", self._event)

    def launch(self, stream: int) -> int:
        executable = c_void_p()
        done(self._hip.hipGraphInstantiateWithFlags(byref(executable), self._graph, 0))
        code = self._hip.hipGraphLaunch(executable, stream)
        done(self._hip.hipGraphExecDestroy(executable))
        done(self._hip.hipGraphDestroy(self._graph))
        return int(code)

    def _inner(self, address: int, value: int) -> c_void_p:
        graph, node = c_void_p(), c_void_p()
        done(self._hip.hipGraphCreate(byref(graph), 0))
        fill = FillNode(address, 1, 1, 1, value, 1)
        done(self._hip.hipGraphAddMemsetNode(byref(node), graph, None, 0, byref(fill)))
        return graph

    def _add(self, call: str, *arguments: Any) -> None:
        before = (c_void_p * 1)(self._last.value)
        count = 1 if self._last.value else 0
        place = (byref(self._last), self._graph, before if count else None, count)
        done(getattr(self._hip, call)(*place, *arguments))


assert ctypes.sizeof(FillNode) == 48
