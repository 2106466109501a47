"""The rules of docs/order.md once more, slow and plain: sets of operations, byte by byte.

What native/order computes with clocks and intervals must be the same.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field, replace
from typing import Any

from greta.forensics.scan import KERNEL_ROLES, fresh_memory, kernel_outputs, led_by_memory
from greta.trace.trace import Kind, Known, Memory, Mode, Role, Row, Space, StreamKind, Trace, Waits

ON_STREAMS = {
    Kind.COPY,
    Kind.FILL,
    Kind.LAUNCH,
    Kind.GRAPH_LAUNCH,
    Kind.HOST_FUNCTION,
    Kind.EVENT_RECORD,
    Kind.PREFETCH,
}
WITH_ACCESSES = {Kind.COPY, Kind.FILL, Kind.LAUNCH, Kind.GRAPH_LAUNCH, Kind.HOST_TOUCH}
RAW, WAR, WAW, FREED, EARLY = 1, 2, 3, 4, 5


@dataclass(frozen=True)
class Touch:
    row: Row
    mode: Mode
    stream: Row
    on_host: bool
    allocates: bool = False
    exact: bool = True
    """It accesses all bytes that it covers; else some of its allocation."""
    piece: range = range(0)
    """Of a transfer in one piece: all bytes."""
    covers: bool = False
    """All of the allocation is among them."""
    accesses: bool = True
    output: bool = False
    lone: bool = False

    @property
    def writes(self) -> bool:
        known = self.accesses and (self.output or self.lone)
        return self.mode == Mode.WRITE or (self.mode == Mode.MAY_WRITE and known)


@dataclass
class Byte:
    write: Touch | None = None
    others: list[Touch] = field(default_factory=list)


@dataclass(frozen=True, order=True)
class Found:
    second: Row
    first: Row
    kind: int
    allocation: Row
    sure: bool = True


class Reference:
    def __init__(self, trace: Trace, repairs: bool) -> None:
        self.trace = trace
        self.repairs = repairs
        self.operations = [
            dict(zip(trace.operations.dtype.names or (), row.tolist(), strict=True))
            for row in trace.operations
        ]
        self.before: list[set[Row]] = []
        """For each row, the work of streams that is over before it begins."""
        self.on_stream: dict[Row, list[Row]] = defaultdict(list)
        self.host: set[Row] = set()
        self.events: dict[int, set[Row]] = {}
        """For each event, the work that is over when it happens."""
        self.graphs: dict[int, Row] = {}
        self.lessons: dict[Row, set[Row]] = {}
        self.bytes: dict[tuple[Row, int], Byte] = defaultdict(Byte)
        self.outputs, self.fresh = kernel_outputs(trace), fresh_memory(trace)
        self.led = led_by_memory(trace).tolist()
        self.content: dict[Row, dict[Touch, set[int]]] = defaultdict(lambda: defaultdict(set))
        """Who may have written which bytes of which allocations."""
        self.flags: set[Row] = set()
        """Kernels that may tell the host something through memory."""
        self.ran: list[bool] = []
        self.found: list[Found] = []
        for row in range(len(self.operations)):
            self.take(row)

    # ---- order

    def take(self, row: Row) -> None:
        operation = self.operations[row]
        for wait, lesson in self.lessons.items():
            if self.returned(wait, row):
                self.host |= lesson
        self.before.append(set(self.host))
        self.ran.append(not (operation["failed"] or operation["captured"]))
        if not self.ran[row]:
            return
        if self.is_on_stream(operation):
            self.enqueue(row, operation)
        elif operation["waits"] == Waits.FOR_DEVICE:
            self.before[row] |= self.device_work(operation["device"])
        self.compare(row, operation)
        self.learn(row, operation)

    def returned(self, row: Row, at: Row) -> bool:
        """Whether a call is known to have returned when that of row `at` begins."""
        call = self.operations[row]
        later = self.operations[row + 1 : at + 1]
        return bool(call["finished"]) and any(
            other["thread"] == call["thread"] or other["begin"] >= call["end"] for other in later
        )

    def is_on_stream(self, operation: dict[str, Any]) -> bool:
        kind = operation["kind"]
        if kind == Kind.STREAM_WAIT_EVENT:
            return bool(operation["event"] in self.events)
        if kind == Kind.ALLOCATE:
            memory = self.trace.allocations["memory"][operation["allocation"]]
            return bool(memory == Memory.POOL) and operation["stream"] >= 0
        if kind == Kind.FREE:
            return bool(operation["stream"] >= 0)
        return kind in ON_STREAMS

    def with_past(self, row: Row) -> set[Row]:
        return {row} | self.before[row]

    def kind_of(self, stream: Row) -> int:
        return int(self.trace.streams["kind"][stream])

    def streams_of(self, device: int) -> list[Row]:
        return [
            stream for stream in self.on_stream if self.trace.streams["device"][stream] == device
        ]

    def enqueue(self, row: Row, operation: dict[str, Any]) -> None:
        stream, before = operation["stream"], self.before[row]
        device = int(self.trace.streams["device"][stream])
        kind = self.kind_of(stream)
        for other in self.streams_of(device):
            kinds = {kind, self.kind_of(other)}
            is_barrier = StreamKind.LEGACY in kinds and StreamKind.NON_BLOCKING not in kinds
            if other == stream or is_barrier:
                before |= self.with_past(self.on_stream[other][-1])
        if operation["kind"] == Kind.STREAM_WAIT_EVENT:
            before |= self.events[operation["event"]]
        if operation["kind"] == Kind.GRAPH_LAUNCH and operation["event"] in self.graphs:
            before |= self.with_past(self.graphs[operation["event"]])
        if operation["waits"] == Waits.FOR_DEVICE:
            before |= self.device_work(operation["device"])
        self.on_stream[stream].append(row)

    def device_work(self, device: int) -> set[Row]:
        work: set[Row] = set()
        for stream in self.streams_of(device):
            work |= self.with_past(self.on_stream[stream][-1])
        return work

    def learn(self, row: Row, operation: dict[str, Any]) -> None:
        kind, event, stream = operation["kind"], operation["event"], operation["stream"]
        if kind == Kind.LAUNCH and operation["start_event"] >= 0:
            self.events[operation["start_event"]] = set(self.before[row])
        if kind == Kind.EVENT_RECORD or (kind == Kind.LAUNCH and event >= 0):
            self.events[event] = self.with_past(row)
        if kind == Kind.GRAPH_LAUNCH and event >= 0:
            self.graphs[event] = row
        lesson: set[Row] = set()
        is_answer = operation["result"] == 0
        if kind in (Kind.WAIT_STREAM, Kind.QUERY_STREAM) and is_answer:
            lesson = self.stream_work(stream)
        elif kind in (Kind.WAIT_EVENT, Kind.QUERY_EVENT) and is_answer and event in self.events:
            lesson = self.events[event]
        elif kind in (Kind.WAIT_DEVICE, Kind.RESET):
            lesson = self.device_work(operation["device"])
        elif operation["waits"] == Waits.FOR_IT and self.is_on_stream(operation):
            lesson = self.with_past(row)
        elif operation["waits"] == Waits.FOR_DEVICE:
            lesson = self.device_work(operation["device"])
        self.lessons[row] = lesson

    def stream_work(self, stream: Row) -> set[Row]:
        work: set[Row] = set()
        device = int(self.trace.streams["device"][stream])
        for other in self.streams_of(device):
            is_blocking = self.kind_of(other) != StreamKind.NON_BLOCKING
            if other == stream or (self.kind_of(stream) == StreamKind.LEGACY and is_blocking):
                work |= self.with_past(self.on_stream[other][-1])
        return work

    def is_before(self, touch: Touch, row: Row) -> bool:
        if touch.on_host and self.returned(touch.row, row):
            return True
        return touch.stream >= 0 and touch.row in self.before[row]

    # ---- memory

    def compare(self, row: Row, operation: dict[str, Any]) -> None:
        found: Pairs = {}
        if operation["kind"] in WITH_ACCESSES:
            for touch, allocation, byte in self.touched_bytes(row, operation):
                self.compare_byte(touch, allocation, byte, found)
                self.update(touch, self.bytes[allocation, byte])
            self.note_content(row, operation)
        elif operation["kind"] == Kind.ALLOCATE and self.is_on_stream(operation):
            row_of = operation["allocation"]
            touch = Touch(row, Mode.WRITE, operation["stream"], False, allocates=True)
            for byte in range(int(self.trace.allocations["bytes"][row_of])):
                self.update(touch, self.bytes[row_of, byte])
        elif operation["kind"] == Kind.FREE:
            self.free(row, operation["allocation"], found)
        self.found += [Found(row, *key, self.is_sure(*pair)) for key, pair in found.items()]
        for pair in found.values() if self.repairs else ():
            self.repair(*pair)

    def note_content(self, row: Row, operation: dict[str, Any]) -> None:
        for touch, allocation, byte in self.touched_bytes(row, operation):
            if touch.mode == Mode.READ or allocation < 0:
                continue
            size = int(self.trace.allocations["bytes"][allocation])
            self.content[allocation][touch] |= {byte} if touch.exact else set(range(size))

    def touched_bytes(self, row: Row, operation: dict[str, Any]) -> list[tuple[Touch, Row, int]]:
        touched = []
        for number in range(*self.trace.access_rows(row).indices(len(self.trace.accesses))):
            access = self.trace.accesses[number]
            allocation = int(access["allocation"])
            if (allocation < 0 and access["space"] != Space.HOST) or access["role"] == Role.FREED:
                continue
            if allocation >= 0 and 0 <= self.trace.allocations["freed_at"][allocation] <= row:
                continue
            base = int(self.trace.allocations["address"][allocation]) if allocation >= 0 else 0
            size = int(self.trace.allocations["bytes"][allocation]) if allocation >= 0 else 1 << 62
            touch = self.touch_of(row, operation["stream"], number, base, size)
            count = int(access["bytes"])
            if access["role"] in KERNEL_ROLES:
                if allocation >= 0 and touch.mode != Mode.READ and self.is_of_host(allocation):
                    self.flags.add(row)
                is_plain = bool(access["known"] & Known.PLAIN)
                count = size if count and not is_plain and access["address"] == base else count
            for i in range(count):
                byte = int(access["address"]) + i - base
                inside = not access["pitch"] or i % int(access["pitch"]) < int(access["width"])
                if inside and 0 <= byte < size:
                    touched.append((touch, allocation, byte))
        return touched

    def touch_of(self, row: Row, stream: Row, number: Row, base: int, size: int) -> Touch:
        access = self.trace.accesses[number]
        start, count = int(access["address"]) - base, int(access["bytes"])
        on_host = stream < 0 or bool(access["at_call"])
        touch = Touch(row, Mode(int(access["mode"])), stream, on_host)
        if access["role"] not in KERNEL_ROLES:
            is_all = start == 0 and count >= size and access["pitch"] <= access["width"]
            piece = range(start, min(start + count, size))
            return replace(touch, covers=is_all, piece=piece)
        known = Known(int(access["known"]))
        return replace(
            touch,
            piece=range(start, min(start + count, size)),
            exact=False,
            covers=start == 0 and size <= max(int(access["element"]), 1),
            accesses=Known.ACCESSED in known,
            output=bool(self.outputs[number]),
            lone=Known.LONE in known,
        )

    def is_of_host(self, allocation: Row) -> bool:
        memory = Memory(int(self.trace.allocations["memory"][allocation]))
        return memory in (Memory.PINNED, Memory.REGISTERED, Memory.MANAGED)

    def compare_byte(self, touch: Touch, allocation: Row, place: int, found: Pairs) -> None:
        byte = self.bytes[allocation, place]
        for other in ([byte.write] if byte.write else []) + byte.others:
            if touch.mode == Mode.READ and other.mode == Mode.READ:
                continue
            if other.row == touch.row or self.is_before(other, touch.row):
                continue
            kind = WAR if other.mode == Mode.READ else WAW if touch.mode == Mode.WRITE else RAW
            kind = EARLY if other.allocates else kind
            key = (other.row, kind, allocation)
            sure = self.is_known(other, touch, allocation)
            if key not in found or (sure and not found[key][2]):
                found[key] = (other, touch, sure)

    def is_known(self, first: Touch, second: Touch, allocation: Row) -> bool:
        """Whether both surely access a common byte, and one surely writes it."""
        if self.reads_what_nobody_else_wrote(first, second, allocation):
            return True
        if not (first.accesses and second.accesses):
            return False
        if first.allocates:
            return True
        if first.mode == second.mode == Mode.MAY_WRITE:
            writes = first.output or second.output
        else:
            writes = first.writes or second.writes
        meet = (first.exact and second.exact) or first.covers or second.covers
        return writes and (meet or self.writes_all_there_is(first, second, allocation))

    def history_is_known(self, allocation: Row, row: Row) -> bool:
        made_at = self.trace.allocations["made_at"][allocation]
        return allocation >= 0 and bool(
            self.fresh[allocation] and not any(made_at <= led < row for led in self.led)
        )

    def reads_what_nobody_else_wrote(self, first: Touch, second: Touch, allocation: Row) -> bool:
        """All that it can take is of work that it does not wait for; or of nobody."""
        if second.mode != Mode.READ or not second.accesses:
            return False
        content = self.content[allocation]
        return (
            self.history_is_known(allocation, second.row)
            and max(first.piece.start, second.piece.start)
            < min(first.piece.stop, second.piece.stop)
            and {one.stream for one in content} == {first.stream}
            and not any(self.is_before(one, second.row) for one in content)
        )

    def writes_all_there_is(self, first: Touch, second: Touch, allocation: Row) -> bool:
        """Whatever the reader takes, somebody wrote: only where this writer writes."""
        modes = [touch.mode for touch in (first, second)]
        if Mode.READ not in modes or not self.history_is_known(allocation, second.row):
            return False
        writer = first if second.mode == Mode.READ else second
        written = {byte for bytes_ in self.content[allocation].values() for byte in bytes_}
        return writer.exact and bool(written) and all(byte in writer.piece for byte in written)

    def update(self, touch: Touch, byte: Byte) -> None:
        if touch.mode == Mode.WRITE:
            byte.write, byte.others = touch, []
            return
        byte.others = [
            other for other in byte.others if touch.stream < 0 or kind_of(other) != kind_of(touch)
        ]
        byte.others.append(touch)

    def free(self, row: Row, freed: Row, found: Pairs) -> None:
        stream = self.operations[row]["stream"]
        touch = Touch(row, Mode.WRITE, stream, stream < 0)
        for (allocation, _), byte in self.bytes.items():
            if allocation != freed:
                continue
            for other in ([byte.write] if byte.write else []) + byte.others:
                if other.allocates or self.is_before(other, row):
                    continue
                key = (other.row, FREED, allocation)
                if key not in found or (other.accesses and not found[key][2]):
                    found[key] = (other, touch, other.accesses)

    def is_sure(self, first: Touch, second: Touch, known: bool) -> bool:
        """Whether it is a fault: see docs/order.md, "How sure"."""
        after = [row for row in self.on_stream.get(first.stream, []) if row > first.row]
        told = (self.operations[row]["kind"] == Kind.HOST_FUNCTION for row in after)
        if any(told) or self.flags & set(after) or not known:
            return False
        if not first.mode == second.mode == Mode.MAY_WRITE:
            return True
        kernels = {self.operations[touch.row]["kernel"] for touch in (first, second)}
        return len(kernels) == 2 or kernels == {-1}

    def repair(self, first: Touch, second: Touch, known: bool) -> None:
        """As if the second had waited for the first: see docs/order.md, "One fault"."""
        if first.stream < 0 or first.on_host or not self.is_sure(first, second, known):
            return
        work = {row for row in self.on_stream[first.stream] if row <= first.row}
        if second.stream >= 0:
            self.before[second.row] |= work
        else:
            self.host |= work


Pairs = dict[tuple[Row, int, Row], tuple[Touch, Touch, bool]]
"""By first row, kind and allocation: both touches, and whether it is known that they collide."""


def kind_of(touch: Touch) -> tuple[object, ...]:
    """Of touches that are alike the last one counts."""
    return (touch.stream, touch.mode, touch.on_host, touch.accesses, touch.exact, touch.covers)
