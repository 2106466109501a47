"""A graph of the random programs, with a node of each kind.

It waits for events of others, has memory of its own, a kernel, a host function and a graph within
it, and records an event.
"""

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


class KernelNode(ctypes.Structure):
    _fields_ = (
        ("block", ctypes.c_uint32 * 3),
        ("extra", c_void_p),
        ("function", c_void_p),
        ("grid", ctypes.c_uint32 * 3),
        ("arguments", c_void_p),
        ("shared_bytes", ctypes.c_uint32),
    )


class HostNode(ctypes.Structure):
    _fields_ = (("function", ctypes.CFUNCTYPE(None, c_void_p)), ("data", c_void_p))


_NOTHING = ctypes.CFUNCTYPE(None, c_void_p)(lambda _: None)


class CopyGraph:
    """Nodes one behind the other; it is given up as soon as it is launched."""

    def __init__(self, event: int) -> None:
        self._hip, self._event = hip_library(), event
        self._graph, self._last = c_void_p(), c_void_p()
        self._kept: list[Any] = []
        done(self._hip.hipGraphCreate(byref(self._graph), 0))

    def wait_for(self, event: int) -> None:
        self._add("hipGraphAddEventWaitNode", event)

    def build(self, dst: int, src: int, size: int, value: int, add: c_void_p) -> None:
        memory = AllocationNode(kind=1, location=MemLocation(1, 0), bytes=size)
        self._add("hipGraphAddMemAllocNode", byref(memory))
        self._add("hipGraphAddMemcpyNode", byref(box(memory.dptr, src, size, 1, 1)))
        self._add("hipGraphAddKernelNode", byref(self._kernel(add, memory.dptr, size, value)))
        self._add("hipGraphAddHostNode", byref(HostNode(_NOTHING, None)))
        self._add("hipGraphAddEmptyNode")
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

    def _kernel(self, function: c_void_p, address: int, size: int, number: int) -> KernelNode:
        """Adds a number to each byte."""
        values = [ctypes.c_uint64(value) for value in (address, size, number)]
        pointers = (c_void_p * len(values))(*map(ctypes.addressof, values))
        self._kept += [values, pointers]
        return KernelNode((64, 1, 1), None, function, (2, 1, 1), ctypes.addressof(pointers), 0)

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
assert ctypes.sizeof(KernelNode) == 64
