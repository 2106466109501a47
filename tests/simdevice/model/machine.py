"""Plays a program on the device and, one step at a time, on the oracle.

Every command is done to the oracle's bytes at once, in the order of submission. That is right
because the machine makes every program correct: before it submits an operation it looks up which
earlier operations touch the same segments, and where HIP's rules do not put them before this one
already, it adds an event wait (for a stream) or a synchronization (for the host). It adds no more
than that, so streams run apart from each other wherever a correct program may let them.
"""

from __future__ import annotations

import ctypes
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from tests.simdevice.launching import Kernels
from tests.simdevice.library import Library, MemLocation, byref, done, hip_library
from tests.simdevice.memory import DEFAULT, DEVICE_TO_HOST, HOST_TO_DEVICE
from tests.simdevice.model.graph import CopyGraph, box
from tests.simdevice.model.order import Clock, Operation, Order, StreamId, is_over, join
from tests.simdevice.model.program import (
    SEGMENTS,
    Command,
    Kind,
    Memory,
    Program,
    StreamKind,
)
from tests.simdevice.structures import AccessDescription, AllocationProperties

Bytes = npt.NDArray[np.uint8]

EVENTS = 4
MOST_BUFFERS = 8
OFTEN_ALLOCATED = [*Memory, Memory.POOL, Memory.POOL, Memory.POOL]
NO_TIMING = 2
LONGEST_DELAY_US = 200
THREADS = 64  # of a block

SOURCE = """
typedef unsigned char byte;
#define EACH(n) (long long i = blockIdx.x * blockDim.x + threadIdx.x; i < n; \
                 i += static_cast<long long>(gridDim.x) * blockDim.x)

extern "C" __global__ void add(byte* x, long long n, int c) { for EACH(n) x[i] += c; }

extern "C" __global__ void pattern(byte* x, long long n, int c) { for EACH(n) x[i] = i * 7 + c; }

extern "C" __global__ void mix(byte* x, const byte* y, long long n, int c) {
  for EACH(n) x[i] = (x[i] * 3) ^ (y[i] + c);
}
"""


@dataclass
class Stream:
    handle: int
    kind: StreamKind
    name: StreamId


@dataclass
class Segment:
    """Who touched it last."""

    written: Operation | None = None
    read: list[Operation] = field(default_factory=list)


@dataclass(eq=False)
class Buffer:
    memory: Memory
    address: int
    segment_size: int
    expected: Bytes  # the oracle's
    segments: list[Segment] = field(default_factory=lambda: [Segment() for _ in range(SEGMENTS)])

    @property
    def host_can_see(self) -> bool:
        return self.memory in (Memory.PINNED, Memory.MANAGED)


@dataclass(frozen=True)
class Part:
    """Some segments of a buffer."""

    buffer: Buffer
    first: int
    count: int

    @property
    def address(self) -> int:
        return self.buffer.address + self.first * self.buffer.segment_size

    @property
    def size(self) -> int:
        return self.count * self.buffer.segment_size

    @property
    def expected(self) -> Bytes:
        start = self.first * self.buffer.segment_size
        return self.buffer.expected[start : start + self.size]

    @property
    def segments(self) -> list[Segment]:
        return self.buffer.segments[self.first : self.first + self.count]

    def cut_to(self, size: int) -> Part:
        """As many whole segments as cover so many bytes."""
        return Part(self.buffer, self.first, -(-size // self.buffer.segment_size))

    def overlaps(self, other: Part) -> bool:
        return self.buffer is other.buffer and any(
            mine is theirs for mine in self.segments for theirs in other.segments
        )


@dataclass
class Record:
    """The latest record of an event."""

    stream: StreamId
    clock: Clock


class WrongBytesError(AssertionError):
    """The device and the oracle disagree."""


class Machine:
    """One program, from its first to its last command. `careless` leaves the waits out."""

    def __init__(self, program: Program, kernels: Kernels, *, careless: bool = False) -> None:
        self._program = program
        self._kernels = kernels
        self._careless = careless
        self._hip: Library = hip_library()
        self._order = Order()
        self._streams: list[Stream] = []
        self._buffers: list[Buffer] = []
        self._events = [self._new_event() for _ in range(EVENTS)]
        self._records: list[Record | None] = [None] * EVENTS
        self._next_event = 0

    def play(self) -> None:
        own: dict[StreamKind, Stream] = {}
        for kind in self._program.streams:
            shared = kind in (StreamKind.DEFAULT, StreamKind.PER_THREAD)
            made = own.get(kind) or self._new_stream(kind)
            self._streams.append(made)
            if shared:
                own[kind] = made
        for number, (memory, size) in enumerate(self._program.buffers):
            self._allocate(memory, size, self._streams[number % len(self._streams)], number)
        for command in self._program.commands:
            ACTIONS[command.kind](self, command)
        self._finish()

    def _finish(self) -> None:
        done(self._hip.hipDeviceSynchronize())
        self._order.synchronize_all()
        for buffer in self._buffers:
            self._compare(self._download(buffer), buffer.expected, "at the end")
        for buffer in self._buffers:
            self._give_back(buffer)
        for event in self._events:
            done(self._hip.hipEventDestroy(event))
        for stream in self._streams:
            if stream.kind in (StreamKind.BLOCKING, StreamKind.NON_BLOCKING):
                done(self._hip.hipStreamDestroy(stream.handle))

    def _download(self, buffer: Buffer) -> Bytes:
        seen = np.empty_like(buffer.expected)
        kind = DEVICE_TO_HOST
        done(self._hip.hipMemcpy(seen.ctypes.data, buffer.address, seen.nbytes, kind))
        return seen

    def _compare(self, seen: Bytes, expected: Bytes, when: str) -> None:
        if not np.array_equal(seen, expected):
            first = int(np.argmax(seen != expected))
            pair = f"{seen[first]} instead of {expected[first]}"
            raise WrongBytesError(f"{when}: byte {first} of {len(seen)} is {pair}")

    # --- what commands name

    def _stream(self, command: Command) -> Stream:
        return self._streams[command.stream % len(self._streams)]

    def _part(self, buffer: int, first: int, count: int) -> Part:
        chosen = self._buffers[buffer % len(self._buffers)]
        return Part(chosen, first, min(count, SEGMENTS - first))

    def _target(self, command: Command) -> Part:
        return self._part(command.target, command.first, command.segments)

    def _source(self, command: Command) -> Part:
        return self._part(command.source, command.source_first, command.segments)

    def _pair(self, command: Command) -> tuple[Part, Part, int] | None:
        """Target, source and how many bytes both have; nothing if they overlap."""
        target, source = self._target(command), self._source(command)
        size = min(target.size, source.size)
        target, source = target.cut_to(size), source.cut_to(size)
        return None if target.overlaps(source) else (target, source, size)

    # --- making the program correct

    def _before(self, stream: Stream, *, reads: Iterable[Part], writes: Iterable[Part]) -> None:
        """Puts the operations that this one must come after before it."""
        for operation in self._conflicts(reads, writes):
            if not is_over(operation, self._order.clock_of_next(stream.name)):
                self._wait_for(stream, operation)

    def _conflicts(self, reads: Iterable[Part], writes: Iterable[Part]) -> Iterator[Operation]:
        for part in reads:
            for segment in part.segments:
                yield from filter(None, [segment.written])
        for part in writes:
            for segment in part.segments:
                yield from filter(None, [segment.written, *segment.read])

    def _wait_for(self, stream: Stream, operation: Operation) -> None:
        if self._careless:
            self._order.wait(stream.name, {operation.stream: operation.number})
            return
        event = self._event_after(operation)
        if event is None:
            done(self._hip.hipDeviceSynchronize())
            self._order.synchronize_all()
            return
        record = self._records[event]
        assert record is not None
        done(self._hip.hipStreamWaitEvent(stream.handle, self._events[event], 0))
        self._order.wait(stream.name, record.clock)

    def _event_after(self, operation: Operation) -> int | None:
        """An event that is complete only when the operation is; recorded now if there is none.

        None if the operation's stream is gone and nobody recorded an event in time.
        """
        event = self._recorded_after(operation)
        if event is not None:
            return event
        for stream in self._streams:
            if stream.name == operation.stream:
                return self._record(stream)
        return None

    def _record(self, stream: Stream) -> int:
        event = self._next_event
        self._next_event = (event + 1) % EVENTS
        done(self._hip.hipEventRecord(self._events[event], stream.handle))
        self._order.submit(stream.name)
        self._records[event] = Record(stream.name, self._order.clock_of_last(stream.name))
        return event

    def _after(self, stream: Stream, *, reads: Iterable[Part], writes: Iterable[Part]) -> Operation:
        """Notes that an operation was submitted."""
        operation = self._order.submit(stream.name)
        for part in reads:
            for segment in part.segments:
                segment.read.append(operation)
        for part in writes:
            for segment in part.segments:
                segment.written = operation
                segment.read.clear()
        return operation

    def _submit(
        self, stream: Stream, call: Callable[[], int], *, reads: list[Part], writes: list[Part]
    ) -> None:
        self._before(stream, reads=reads, writes=writes)
        done(call())
        self._after(stream, reads=reads, writes=writes)

    def _host_waits(self, command: Command, *, reads: list[Part], writes: list[Part]) -> None:
        """The host itself is going to touch this."""
        for operation in self._conflicts(reads, writes):
            if is_over(operation, self._order.host) or self._careless:
                continue
            event = self._event_after(operation)
            if event is None or command.number % 3 == 0:
                done(self._hip.hipDeviceSynchronize())
                self._order.synchronize_all()
            else:
                self._synchronize_event(event)

    def _synchronize_event(self, event: int) -> None:
        done(self._hip.hipEventSynchronize(self._events[event]))
        record = self._records[event]
        if record:
            join(self._order.host, record.clock)

    # --- commands

    def nothing(self, command: Command) -> None:
        pass

    def fill(self, command: Command) -> None:
        stream, part, value = self._stream(command), self._target(command), command.number
        blocking = stream.kind is StreamKind.DEFAULT and command.source % 2 == 1
        arguments = (part.address, value, part.size)
        if blocking:  # which waits or not; nothing here relies on it
            call = lambda: self._hip.hipMemset(*arguments)  # noqa: E731
        else:
            call = lambda: self._hip.hipMemsetAsync(*arguments, stream.handle)  # noqa: E731
        self._submit(stream, call, reads=[], writes=[part])
        part.expected[:] = value

    def add(self, command: Command) -> None:
        part = self._target(command)
        self._launch(command, "add", part.size, part.address, reads=[part], writes=[part])
        part.expected[:] += np.uint8(command.number)

    def pattern(self, command: Command) -> None:
        part = self._target(command)
        self._launch(command, "pattern", part.size, part.address, reads=[], writes=[part])
        part.expected[:] = (np.arange(part.size) * 7 + command.number).astype(np.uint8)

    def mix(self, command: Command) -> None:
        pair = self._pair(command)
        if pair is None:
            return
        target, source, size = pair
        addresses = (target.address, source.address)
        self._launch(command, "mix", size, *addresses, reads=[target, source], writes=[target])
        bytes_ = target.expected[:size]
        bytes_[:] = (bytes_ * np.uint8(3)) ^ (source.expected[:size] + np.uint8(command.number))

    def _launch(
        self, command: Command, name: str, size: int, *addresses: int, **touched: list[Part]
    ) -> None:
        stream = self._stream(command)
        grid = 1 + min(3, size // (4 * THREADS))
        arguments = (*addresses, size, command.number)
        shape = {"grid": grid, "block": THREADS, "stream": stream.handle}
        self._submit(stream, lambda: self._kernels.launch(name, *arguments, **shape), **touched)

    def copy(self, command: Command) -> None:
        pair = self._pair(command)
        if pair is None:
            return
        stream, (target, source, size) = self._stream(command), pair
        arguments = (target.address, source.address, size, DEFAULT, stream.handle)
        call = lambda: self._hip.hipMemcpyAsync(*arguments)  # noqa: E731
        self._submit(stream, call, reads=[source], writes=[target])
        target.expected[:size] = source.expected[:size]

    def copy_2d(self, command: Command) -> None:
        pair = self._pair(command)
        if pair is None:
            return
        stream, (target, source, size) = self._stream(command), pair
        rows = 1 + command.number % 5
        pitch = size // rows
        width = max(1, pitch - command.number % 7)
        if pitch < width or size < rows:
            return
        shape = (target.address, pitch, source.address, pitch, width, rows, DEFAULT)
        call = lambda: self._hip.hipMemcpy2DAsync(*shape, stream.handle)  # noqa: E731
        self._submit(stream, call, reads=[source], writes=[target])
        for row in range(rows):
            piece = slice(row * pitch, row * pitch + width)
            target.expected[piece] = source.expected[piece]

    def copy_3d(self, command: Command) -> None:
        pair = self._pair(command)
        if pair is None:
            return
        stream, (target, source, size) = self._stream(command), pair
        rows, slices = 1 + command.number % 3, 1 + command.number % 2
        pitch = size // (rows * slices)
        if pitch == 0:
            return
        params = box(target.address, source.address, pitch, rows, slices)
        params.extent.width = max(1, pitch - command.number % 5)
        call = lambda: self._hip.hipMemcpy3DAsync(byref(params), stream.handle)  # noqa: E731
        self._submit(stream, call, reads=[source], writes=[target])
        for row in range(rows * slices):
            piece = slice(row * pitch, row * pitch + params.extent.width)
            target.expected[piece] = source.expected[piece]

    def graph(self, command: Command) -> None:
        """Copies by way of memory of the graph's own, where a kernel adds a number to each byte.

        A graph within it sets the first byte. It waits for what it needs in nodes of its own.
        """
        pair = self._pair(command)
        if pair is None:
            return
        stream, (target, source, size) = self._stream(command), pair
        waits = self._waits_of_nodes(stream, reads=[source], writes=[target])
        event = next(e for e in self._events_from_next() if e not in waits)
        self._next_event = (event + 1) % EVENTS
        made = CopyGraph(self._events[event])
        for one in waits:
            made.wait_for(self._events[one])
        add = self._kernels.function("add")
        made.build(target.address, source.address, size, command.number, add)
        self._submit(stream, lambda: made.launch(stream.handle), reads=[source], writes=[target])
        target.expected[:size] = source.expected[:size] + np.uint8(command.number)
        target.expected[0] = command.number
        self._records[event] = Record(stream.name, self._order.clock_of_last(stream.name))

    def _events_from_next(self) -> Iterator[int]:
        return ((self._next_event + step) % EVENTS for step in range(EVENTS))

    def _waits_of_nodes(
        self, stream: Stream, *, reads: list[Part], writes: list[Part]
    ) -> list[int]:
        """Events that nodes of a graph can wait for, in place of the stream that it is put on.

        They were recorded before: a record that is made for one wait might take another's event.
        """
        if self._careless:
            return []
        clock = self._order.clock_of_next(stream.name)
        needed = [one for one in self._conflicts(reads, writes) if not is_over(one, clock)]
        found = [self._recorded_after(operation) for operation in needed]
        waits = list(dict.fromkeys(event for event in found if event is not None))
        if None in found or len(waits) == EVENTS:
            return []  # the stream waits for all of it
        for event in waits:
            self._order.wait(stream.name, self._clock_of(event))
        return waits

    def _recorded_after(self, operation: Operation) -> int | None:
        """An event that is complete only when the operation is."""
        for event, record in enumerate(self._records):
            if record and is_over(operation, record.clock):
                return event
        return None

    def _clock_of(self, event: int) -> Clock:
        record = self._records[event]
        assert record is not None
        return record.clock

    def upload(self, command: Command) -> None:
        """From pageable memory, which is overwritten as soon as the call has returned."""
        stream, part = self._stream(command), self._target(command)
        source = np.full(part.size, command.number, dtype=np.uint8)
        source[::3] += np.uint8(1)
        part.expected[:] = source
        arguments = (part.address, source.ctypes.data, part.size, HOST_TO_DEVICE, stream.handle)
        call = lambda: self._hip.hipMemcpyAsync(*arguments)  # noqa: E731
        self._submit(stream, call, reads=[], writes=[part])
        source.fill(0xEE)

    def download(self, command: Command) -> None:
        """To pageable memory, which is looked at as soon as the call has returned."""
        stream, part = self._stream(command), self._target(command)
        seen = np.empty(part.size, dtype=np.uint8)
        arguments = (seen.ctypes.data, part.address, part.size, DEVICE_TO_HOST, stream.handle)
        call = lambda: self._hip.hipMemcpyAsync(*arguments)  # noqa: E731
        self._submit(stream, call, reads=[part], writes=[])
        self._order.synchronize([stream.name])
        self._compare(seen, part.expected, "after a download")

    def blocking_copy(self, command: Command) -> None:
        """On the default stream, whatever stream was named."""
        stream = self._default_stream()
        part = self._target(command)
        host = np.full(part.size, command.number, dtype=np.uint8)
        up = command.source % 2 == 0
        addresses = (part.address, host.ctypes.data) if up else (host.ctypes.data, part.address)
        touched = {"reads": [] if up else [part], "writes": [part] if up else []}
        call = lambda: self._hip.hipMemcpy(*addresses, part.size, 1 if up else 2)  # noqa: E731
        self._submit(stream, call, **touched)
        self._order.synchronize([stream.name])
        if up:
            part.expected[:] = command.number
            host.fill(0xEE)
        else:
            self._compare(host, part.expected, "after hipMemcpy")

    def _default_stream(self) -> Stream:
        return Stream(0, StreamKind.DEFAULT, self._order.default)

    def host_write(self, command: Command) -> None:
        part = self._target(command)
        if not part.buffer.host_can_see:
            return
        self._host_waits(command, reads=[], writes=[part])
        ctypes.memset(part.address, command.number, part.size)
        part.expected[:] = command.number

    def host_read(self, command: Command) -> None:
        part = self._target(command)
        if not part.buffer.host_can_see:
            return
        self._host_waits(command, reads=[part], writes=[])
        seen = np.frombuffer(ctypes.string_at(part.address, part.size), dtype=np.uint8)
        self._compare(seen, part.expected, "to the host")

    def record(self, command: Command) -> None:
        self._record(self._stream(command))

    def wait(self, command: Command) -> None:
        stream, event = self._stream(command), command.number % EVENTS
        done(self._hip.hipStreamWaitEvent(stream.handle, self._events[event], 0))
        record = self._records[event]
        if record:
            self._order.wait(stream.name, record.clock)

    def synchronize(self, command: Command) -> None:
        stream, how = self._stream(command), command.number % 4
        if how == 0:
            done(self._hip.hipDeviceSynchronize())
            self._order.synchronize_all()
        elif how == 1:
            self._synchronize_event(command.target % EVENTS)
        else:
            done(self._hip.hipStreamSynchronize(stream.handle))
            if stream.kind is StreamKind.DEFAULT:
                self._order.synchronize_default()
            else:
                self._order.synchronize([stream.name])

    def delay(self, command: Command) -> None:
        """The stream, or the host, loses some time."""
        microseconds = command.number % LONGEST_DELAY_US
        if command.source % 4 == 3:
            time.sleep(microseconds / 1e6)
            return
        stream = self._stream(command)
        done(self._hip.hipLaunchHostFunc(stream.handle, c_sleep(), microseconds))
        self._order.submit(stream.name)

    def allocate(self, command: Command) -> None:
        if len(self._buffers) < MOST_BUFFERS:
            size = self._program.buffers[command.target % len(self._program.buffers)][1]
            memory = OFTEN_ALLOCATED[command.number % len(OFTEN_ALLOCATED)]
            self._allocate(memory, size, self._stream(command), command.number)

    def _allocate(self, memory: Memory, segment_size: int, stream: Stream, value: int) -> None:
        """What new memory holds is undefined, so it is filled at once."""
        hip, size, pointer = self._hip, segment_size * SEGMENTS, ctypes.c_void_p()
        calls: dict[Memory, Callable[[], int]] = {
            Memory.DEVICE: lambda: hip.hipMalloc(byref(pointer), size),
            Memory.PINNED: lambda: hip.hipHostMalloc(byref(pointer), size, 0),
            Memory.POOL: lambda: hip.hipMallocAsync(byref(pointer), size, stream.handle),
            Memory.MANAGED: lambda: hip.hipMallocManaged(byref(pointer), size, 1),
        }
        calls[Memory.MAPPED] = lambda: map_in_two_pieces(hip, pointer, size)
        done(calls[memory]())
        address = pointer.value or 0
        expected = np.full(size, value, dtype=np.uint8)
        buffer = Buffer(memory, address, segment_size, expected)
        self._buffers.append(buffer)
        whole = Part(buffer, 0, SEGMENTS)
        call = lambda: hip.hipMemsetAsync(address, value, size, stream.handle)  # noqa: E731
        self._submit(stream, call, reads=[], writes=[whole])

    def free(self, command: Command) -> None:
        if len(self._buffers) <= 2:
            return
        # Memory of pools rather than other: it is freed without waiting for anything.
        pools = [b for b in self._buffers if b.memory is Memory.POOL]
        choice = pools if pools and command.number % 4 else self._buffers
        buffer = choice[command.target % len(choice)]
        self._buffers.remove(buffer)
        whole = Part(buffer, 0, SEGMENTS)
        if buffer.memory is Memory.POOL:
            stream = self._stream(command)
            call = lambda: self._hip.hipFreeAsync(buffer.address, stream.handle)  # noqa: E731
            self._submit(stream, call, reads=[], writes=[whole])
        else:
            self._give_back(buffer)
            self._order.synchronize_all()

    def _give_back(self, buffer: Buffer) -> None:
        if buffer.memory is not Memory.MAPPED:
            done(self._hip.hipFree(buffer.address))
            return
        pages = 2 * mapped_piece(len(buffer.expected))
        done(self._hip.hipMemUnmap(buffer.address, pages))
        done(self._hip.hipMemAddressFree(buffer.address, pages))

    def new_stream(self, command: Command) -> None:
        place = command.stream % len(self._streams)
        old = self._streams[place]
        if old.kind in (StreamKind.BLOCKING, StreamKind.NON_BLOCKING):
            done(self._hip.hipStreamDestroy(old.handle))
            self._streams[place] = self._new_stream(old.kind)

    def _new_stream(self, kind: StreamKind) -> Stream:
        if kind is StreamKind.DEFAULT:
            return self._default_stream()
        if kind is StreamKind.PER_THREAD:
            return Stream(2, kind, self._order.add_stream(blocking=True))
        handle = ctypes.c_void_p()
        blocking = kind is StreamKind.BLOCKING
        done(self._hip.hipStreamCreateWithFlags(byref(handle), 0 if blocking else 1))
        return Stream(handle.value or 0, kind, self._order.add_stream(blocking=blocking))

    def _new_event(self) -> int:
        handle = ctypes.c_void_p()
        done(self._hip.hipEventCreateWithFlags(byref(handle), NO_TIMING))
        return handle.value or 0


PAGE = 4096
PINNED_TYPE, ON_DEVICE, READ_WRITE = 1, 1, 3


def mapped_piece(size: int) -> int:
    """Half of what holds so many bytes, in whole pages."""
    return -(-size // (2 * PAGE)) * PAGE


def map_in_two_pieces(hip: Library, pointer: ctypes.c_void_p, size: int) -> int:
    piece = mapped_piece(size)
    place = MemLocation(ON_DEVICE, 0)
    wanted = AllocationProperties(type=PINNED_TYPE, location=place)
    done(hip.hipMemAddressReserve(byref(pointer), 2 * piece, 0, None, 0))
    for at in (0, piece):
        memory = ctypes.c_void_p()
        done(hip.hipMemCreate(byref(memory), piece, byref(wanted), 0))
        done(hip.hipMemMap((pointer.value or 0) + at, piece, 0, memory, 0))
        done(hip.hipMemRelease(memory))
    rights = AccessDescription(place, READ_WRITE)
    return int(hip.hipMemSetAccess(pointer, 2 * piece, byref(rights), 1))


def c_sleep() -> int:
    """usleep, which is as good a host function as any: it takes one word and needs no Python."""
    address = ctypes.cast(ctypes.CDLL(None).usleep, ctypes.c_void_p).value
    assert address
    return address


ACTIONS: dict[Kind, Callable[[Machine, Command], Any]] = {
    kind: getattr(Machine, kind.name.lower()) for kind in Kind
}
