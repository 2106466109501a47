"""Traces written by hand: a small program in the words of HIP, as tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from greta.trace.trace import (
    ACCESS,
    ALLOCATION,
    NONE,
    OPERATION,
    STREAM,
    Call,
    Gap,
    Kind,
    Known,
    Memory,
    Mode,
    Role,
    Row,
    Seq,
    Space,
    StreamKind,
    Trace,
    Waits,
    Where,
)

NULL_STREAM = 0
"""The default stream of device 0 is always there."""
_CALLS = tuple("hipMalloc" if kind is Kind.ALLOCATE else kind.name for kind in Kind)


@dataclass(frozen=True)
class Part:
    """Some bytes of an allocation, or of the host's own memory (allocation NONE)."""

    allocation: Row
    address: int
    bytes: int
    pitch: int = 0
    width: int = 0


@dataclass(frozen=True)
class Buffer:
    """An allocation; a slice of it is a Part."""

    row: Row
    address: int
    bytes: int

    def __getitem__(self, part: slice) -> Part:
        begin, end, _ = part.indices(self.bytes)
        return Part(self.row, self.address + begin, end - begin)

    def rectangle(self, offset: int, width: int, pitch: int, rows: int) -> Part:
        """Rows of bytes that lie `pitch` apart."""
        return Part(
            self.row, self.address + offset, pitch * (rows - 1) + width, pitch=pitch, width=width
        )


def pageable(address: int, size: int) -> Part:
    """Host memory of which HIP knows nothing."""
    return Part(NONE, address, size)


class TraceBuilder:
    """Each method is a call; times pass by themselves unless begin and end are given."""

    def __init__(self) -> None:
        self.operations: list[dict[str, Any]] = []
        self.accesses: list[dict[str, Any]] = []
        self.allocations: list[dict[str, Any]] = []
        self.streams: list[dict[str, Any]] = []
        self.kernels: list[str] = []
        self.numbers: dict[Seq, tuple[int, ...]] = {}
        self.number_type = "int"
        self.gaps: dict[Gap, str] = {}
        self._next_address = 0x1000
        self._events = 0
        self.add_stream(StreamKind.LEGACY)

    # ---- names

    def add_stream(self, kind: StreamKind, device: int = 0, thread: int = NONE) -> Row:
        """A stream that needs no call to be there."""
        handle = 0 if kind == StreamKind.LEGACY else 0x100 + len(self.streams)
        self.streams.append(
            {"handle": handle, "kind": kind, "device": device, "thread": thread, "generation": 1}
        )
        return len(self.streams) - 1

    def stream(self, kind: StreamKind = StreamKind.NON_BLOCKING, device: int = 0) -> Row:
        """hipStreamCreateWithFlags."""
        row = self.add_stream(kind, device)
        self.call(Kind.STREAM_CREATE, stream=row, device=device)
        return row

    def event(self) -> int:
        """hipEventCreate leaves no trace."""
        self._events += 1
        return self._events - 1

    # ---- calls

    def call(
        self,
        kind: Kind,
        accesses: Iterable[Mapping[str, Any]] = (),
        *,
        begin: int | None = None,
        end: int | None = None,
        **fields: Any,
    ) -> Row:
        """Any call at all. Times default to: after everything before, and over at once."""
        row = len(self.operations)
        begin = 10 * row if begin is None else begin
        operation = {
            "seq": row + 1,
            "kind": kind,
            "waits": Waits.NO,
            "finished": True,
            "stream": NONE,
            "event": NONE,
            "start_event": NONE,
            "allocation": NONE,
            "call": int(kind),
            "kernel": NONE,
            "begin": begin,
            "end": begin + 5 if end is None else end,
            "first_access": len(self.accesses),
            **fields,
        }
        stream = operation["stream"]
        if "device" not in fields and stream != NONE:
            operation["device"] = self.streams[stream]["device"]
        self.operations.append(operation)
        for access in accesses:
            self.accesses.append({"operation": row, "origin": row + 1, **access})
        return row

    def allocate(
        self,
        size: int,
        memory: Memory = Memory.DEVICE,
        device: int = 0,
        stream: Row = NONE,
        **fields: Any,
    ) -> Buffer:
        """hipMalloc, hipHostMalloc; with a stream hipMallocAsync."""
        address = self._next_address
        self._next_address += (size + 0xFFF) // 0x1000 * 0x1000 + 0x1000
        row = len(self.allocations)
        self.allocations.append(
            {
                "address": address,
                "bytes": size,
                "known_bytes": True,
                "memory": memory if stream == NONE else Memory.POOL,
                "device": device,
                "generation": 1,
                "made_by": len(self.operations) + 1,
                "freed_by": NONE,
                "made_at": len(self.operations),
                "freed_at": NONE,
                "free_stream": NONE,
            }
        )
        self.call(Kind.ALLOCATE, allocation=row, stream=stream, device=device, **fields)
        return Buffer(row, address, size)

    def free(self, buffer: Buffer, stream: Row = NONE, waits: Waits | None = None, **f: Any) -> Row:
        """hipFree waits for the device; with a stream it is hipFreeAsync, which does not."""
        if waits is None:
            waits = Waits.FOR_DEVICE if stream == NONE else Waits.NO
        freed = _access(buffer[:], Mode.WRITE, Role.FREED)
        fields = {"device": self.allocations[buffer.row]["device"], **f}
        row = self.call(
            Kind.FREE, [freed], allocation=buffer.row, stream=stream, waits=waits, **fields
        )
        self.allocations[buffer.row].update(
            freed_by=row + 1, freed_at=row, free_stream=stream if stream != NONE else NONE
        )
        return row

    def copy(self, to: Part, source: Part, stream: Row = NULL_STREAM, **fields: Any) -> Row:
        """hipMemcpyAsync; waits=Waits.FOR_IT makes it hipMemcpy."""
        sides = [_access(source, Mode.READ, Role.SOURCE), _access(to, Mode.WRITE, Role.DESTINATION)]
        return self.call(Kind.COPY, sides, stream=stream, **fields)

    def fill(self, to: Part, stream: Row = NULL_STREAM, **fields: Any) -> Row:
        """hipMemsetAsync."""
        return self.call(
            Kind.FILL, [_access(to, Mode.WRITE, Role.DESTINATION)], stream=stream, **fields
        )

    def launch(
        self,
        stream: Row = NULL_STREAM,
        reads: Iterable[Part] = (),
        may_write: Iterable[Part] = (),
        writes: Iterable[Part] = (),
        kernel: str = "kernel",
        numbers: tuple[int, ...] = (),
        **fields: Any,
    ) -> Row:
        """A kernel with const pointers, pointers, and pointers that are only written."""
        self.numbers[len(self.operations) + 1] = numbers
        if kernel not in self.kernels:
            self.kernels.append(kernel)
        modes = ((Mode.READ, reads), (Mode.MAY_WRITE, may_write), (Mode.WRITE, writes))
        parts = [(part, mode) for mode, group in modes for part in group]
        pointers = [
            {
                **_access(part, mode, Role.ARGUMENT),
                "argument": number,
                "element": 1,
                "reach": part.bytes,
                "known": known(len(parts), numbers),
            }
            for number, (part, mode) in enumerate(parts)
        ]
        place = self.kernels.index(kernel)
        return self.call(Kind.LAUNCH, pointers, stream=stream, kernel=place, **fields)

    def host_touch(self, part: Part, mode: Mode = Mode.READ, **fields: Any) -> Row:
        """What --watch-host sees."""
        return self.call(Kind.HOST_TOUCH, [_access(part, mode, Role.HOST)], **fields)

    def host_function(self, stream: Row, **fields: Any) -> Row:
        """hipLaunchHostFunc."""
        return self.call(Kind.HOST_FUNCTION, stream=stream, **fields)

    def record(self, event: int, stream: Row, **fields: Any) -> Row:
        """hipEventRecord."""
        return self.call(Kind.EVENT_RECORD, event=event, stream=stream, **fields)

    def stream_wait(self, stream: Row, event: int, **fields: Any) -> Row:
        """hipStreamWaitEvent."""
        return self.call(Kind.STREAM_WAIT_EVENT, event=event, stream=stream, **fields)

    def wait_stream(self, stream: Row, **fields: Any) -> Row:
        """hipStreamSynchronize."""
        return self.call(Kind.WAIT_STREAM, stream=stream, **fields)

    def wait_event(self, event: int, **fields: Any) -> Row:
        """hipEventSynchronize."""
        return self.call(Kind.WAIT_EVENT, event=event, **fields)

    def wait_device(self, device: int = 0, **fields: Any) -> Row:
        """hipDeviceSynchronize."""
        return self.call(Kind.WAIT_DEVICE, device=device, **fields)

    def build(self) -> Trace:
        """The trace of all this."""
        return Trace(
            operations=_table(self.operations, OPERATION),
            accesses=_table(self.accesses, ACCESS),
            allocations=_table(self.allocations, ALLOCATION),
            streams=_table(self.streams, STREAM),
            calls=_CALLS,
            describe=self._describe,
            gaps=dict(self.gaps),
            total_calls=len(self.operations),
            kernels=tuple(self.kernels),
        )

    def _describe(self, seq: Seq) -> Call:
        operation = self.operations[seq - 1]
        kernel = self.kernels[operation["kernel"]] if operation["kernel"] != NONE else None
        name = _CALLS[operation["call"]]
        numbers = tuple(("", self.number_type, number) for number in self.numbers.get(seq, ()))
        return Call(seq, name, operation.get("result", 0), None, {}, Where(), kernel, numbers)


def known(pointers: int, numbers: tuple[int, ...]) -> Known:
    """Of a kernel's pointers, as the reader of a recording has it; a lone number is the count."""
    found = Known.PLAIN if len(numbers) < 2 else Known(0)
    found |= Known.LONE if pointers == 1 else Known(0)
    return found | (Known(0) if 0 in numbers else Known.ACCESSED)


def _access(part: Part, mode: Mode, role: Role) -> dict[str, Any]:
    return {
        "address": part.address,
        "bytes": part.bytes,
        "pitch": part.pitch,
        "width": part.width,
        "allocation": part.allocation,
        "argument": NONE,
        "mode": mode,
        "role": role,
        "space": Space.HOST if part.allocation == NONE else Space.UNKNOWN,
        "at_call": part.allocation == NONE,
    }


def _table(rows: list[dict[str, Any]], dtype: np.dtype[np.void]) -> np.ndarray[Any, Any]:
    table = np.zeros(len(rows), dtype)
    for number, row in enumerate(rows):
        for name, value in row.items():
            table[name][number] = value
    return table
