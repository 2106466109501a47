"""What programs of the seeds' kind do, on top of TraceBuilder: copies with a kind, real kernels."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from greta.trace.evidence import DeviceFault, Evidence
from greta.trace.trace import NONE, Gap, Kind, Known, Mode, Role, Row, Space, Trace, Waits
from tests.forensics.tracing import NULL_STREAM, Buffer, Part, TraceBuilder, pageable

HOST = pageable(0x7000_0000_0000, 1 << 20)
ILLEGAL_ADDRESS = 700
INVALID_VALUE = 1
FAILED: dict[str, Any] = {"failed": True, "result": INVALID_VALUE}
FAULTED: dict[str, Any] = {"failed": True, "result": ILLEGAL_ADDRESS}
"""What every call returns after a fault of the device."""


@dataclass(frozen=True)
class Pointer:
    """An argument of a kernel: where it points, and how far the grid reaches from there."""

    part: Part
    reach: int = 0
    element: int = 4
    in_struct: bool = False


def null() -> Pointer:
    return Pointer(Part(NONE, 0, 0))


class Program(TraceBuilder):
    """Calls with everything that the checks look at."""

    def copied(
        self, to: Part, to_space: Space, source: Part, source_space: Space, **fields: Any
    ) -> Row:
        sides = [
            _side(source, Mode.READ, Role.SOURCE, source_space),
            _side(to, Mode.WRITE, Role.DESTINATION, to_space),
        ]
        return self.call(Kind.COPY, sides, **{"stream": NULL_STREAM, **fields})

    def d2h(self, source: Part, to: Part = HOST, **fields: Any) -> Row:
        """hipMemcpy with the kind device to host."""
        to = replace(to, bytes=source.bytes) if to is HOST else to
        fields = {"waits": Waits.FOR_IT, **fields}
        return self.copied(to, Space.HOST, source, Space.DEVICE, **fields)

    def h2d(self, to: Part, source: Part = HOST, **fields: Any) -> Row:
        """hipMemcpy with the kind host to device."""
        source = replace(source, bytes=to.bytes) if source is HOST else source
        fields = {"waits": Waits.FOR_IT, **fields}
        return self.copied(to, Space.DEVICE, source, Space.HOST, **fields)

    def kernel(self, name: str, *pointers: Pointer | Buffer, **fields: Any) -> Row:
        """A launch; a buffer alone is a pointer that is used within it."""
        if name not in self.kernels:
            self.kernels.append(name)
        given = [p if isinstance(p, Pointer) else Pointer(p[:], p.bytes) for p in pointers]
        accesses = [_argument(pointer, number) for number, pointer in enumerate(given)]
        fields = {"stream": NULL_STREAM, "kernel": self.kernels.index(name), **fields}
        return self.call(Kind.LAUNCH, accesses, **fields)

    def evidence(self, *faults: DeviceFault, **more: Any) -> Evidence:
        return Evidence(self.build(), faults, **more)


def past(buffer: Buffer, more: int) -> Part:
    """The whole buffer and some bytes behind it."""
    return Part(buffer.row, buffer.address, buffer.bytes + more)


def nowhere(address: int, size: int = 64) -> Part:
    """An address in no allocation."""
    return Part(NONE, address, size)


def reported(address: int | None = None, kernel: str | None = None) -> DeviceFault:
    return DeviceFault("clr", address, kernel=kernel)


def rope_story(good_synchronization: bool, launches_after: int = 1) -> tuple[Program, Row, Buffer]:
    """Rope reads past its positions; the copy of the logits reports it. Gives both."""
    program = Program()
    stream = program.stream()
    activations = program.allocate(4096)
    positions = program.allocate(4)
    weights = program.allocate(4096)
    program.kernel("norm", activations, weights, stream=stream)
    if good_synchronization:
        program.wait_stream(stream)
    rope = program.kernel("rope", activations, Pointer(positions[:], reach=4096), stream=stream)
    for _ in range(launches_after):
        program.kernel("attention", activations, weights, stream=stream)
    program.d2h(activations[:], stream=NULL_STREAM, **FAULTED)
    return program, rope, positions


def cut(trace: Trace, calls: int) -> Trace:
    """The trace of a process that was killed during a call, that being the last one."""
    operations = trace.operations[:calls].copy()
    if 0 < calls < len(trace.operations):
        for column in ("finished", "failed", "result", "end"):
            operations[column][-1] = 0
    last = trace.operations[calls - 1 : calls]
    stop = trace.access_rows(calls - 1).stop if len(last) else 0
    allocations = trace.allocations[trace.allocations["made_at"] < calls].copy()
    still_live = allocations["freed_at"] >= calls
    for column in ("freed_at", "freed_by", "free_stream"):
        allocations[column][still_live] = NONE
    return replace(
        trace,
        operations=operations,
        accesses=trace.accesses[:stop].copy(),
        allocations=allocations,
        gaps={**trace.gaps, Gap.CUT_SHORT: f"after call {calls}"},
        total_calls=calls,
    )


def _side(part: Part, mode: Mode, role: Role, space: Space) -> dict[str, Any]:
    return {
        "address": part.address,
        "bytes": part.bytes,
        "pitch": part.pitch,
        "width": part.width,
        "allocation": part.allocation,
        "argument": NONE,
        "mode": mode,
        "role": role,
        "space": space,
        "at_call": space == Space.HOST and part.allocation == NONE,
    }


def _argument(pointer: Pointer, number: int) -> dict[str, Any]:
    role = Role.STRUCT_WORD if pointer.in_struct else Role.ARGUMENT
    clipped = min(pointer.reach or pointer.part.bytes, pointer.part.bytes)
    return {
        **_side(pointer.part, Mode.MAY_WRITE, role, Space.UNKNOWN),
        "argument": number,
        "bytes": clipped,
        "reach": pointer.reach,
        "element": pointer.element,
        "known": 0 if pointer.in_struct else Known.PLAIN | Known.ACCESSED,
        "at_call": False,
    }
