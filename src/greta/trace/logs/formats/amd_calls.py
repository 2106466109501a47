"""What the calls in AMD's log mean: which argument is what."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from greta.trace.logs.logged import Logged, Made, Touch
from greta.trace.logs.numbers import address, count
from greta.trace.trace import Kind, Memory, Mode, Role, Space, StreamKind, Waits

Words = list[str]
Meaning = Callable[[Logged, Words], None]

_DIM3: Final = re.compile(r"\{(\d{1,10}),(\d{1,10}),(\d{1,10})\}")
_SPACES: Final = {
    "hipMemcpyHostToHost": (Space.HOST, Space.HOST),
    "hipMemcpyHostToDevice": (Space.HOST, Space.DEVICE),
    "hipMemcpyDeviceToHost": (Space.DEVICE, Space.HOST),
    "hipMemcpyDeviceToDevice": (Space.DEVICE, Space.DEVICE),
    "0": (Space.HOST, Space.HOST),
    "1": (Space.HOST, Space.DEVICE),
    "2": (Space.DEVICE, Space.HOST),
    "3": (Space.DEVICE, Space.DEVICE),
}
_NAMED: Final = {
    "HtoD": (Space.HOST, Space.DEVICE),
    "DtoH": (Space.DEVICE, Space.HOST),
    "DtoD": (Space.DEVICE, Space.DEVICE),
}


def pointer(word: str) -> int | None:
    """An argument that is an address or a handle: 0x7f.., stream:0x7f.., char array:<null>."""
    return address(word.rpartition(":")[2])


def _at(words: Words, index: int) -> str:
    return words[index] if index < len(words) else ""


def _size(words: Words, index: int) -> int | None:
    value = count(_at(words, index))
    return value if value is not None and value >= 0 else None


def _on(operation: Logged, words: Words, index: int) -> None:
    handle = pointer(_at(words, index))
    operation.stream = handle if handle is not None else operation.stream


def allocation(memory: Memory, size_at: int = 1) -> Meaning:
    """The address comes with the line that says what the call returned."""

    def read(operation: Logged, words: Words) -> None:
        size = _size(words, size_at) if size_at else None
        operation.made = Made(0, size or 1, memory, known_bytes=size is not None)
        if memory is Memory.POOL:
            _on(operation, words, 2)

    return read


def _register(operation: Logged, words: Words) -> None:
    start, size = pointer(_at(words, 0)), _size(words, 1)
    if start:
        operation.made = Made(start, size or 1, Memory.REGISTERED, size is not None)


def _free(operation: Logged, words: Words) -> None:
    operation.freed = pointer(_at(words, 0))
    if operation.freed:
        touch = Touch(operation.freed, 0, Mode.WRITE, Role.FREED, Space.UNKNOWN)
        operation.touches = (touch,)
    if "Async" in operation.name:
        _on(operation, words, 1)


def copy(kind_at: int | None, stream_at: int | None) -> Meaning:
    """Destination, source, bytes; the kind is an argument or part of the name."""

    def read(operation: Logged, words: Words) -> None:
        size = _size(words, 2)
        spaces = _spaces(operation.name, _at(words, kind_at) if kind_at is not None else "")
        sides = (pointer(_at(words, 1)), pointer(_at(words, 0)))
        operation.touches = _sides(sides, spaces, size or 0)
        operation.stream = 0
        if stream_at is not None:
            _on(operation, words, stream_at)
        blocking = "Async" not in operation.name and spaces != (Space.DEVICE, Space.DEVICE)
        operation.waits = Waits.FOR_IT if blocking else Waits.NO

    return read


def _spaces(name: str, kind: str) -> tuple[Space, Space]:
    for part, spaces in _NAMED.items():
        if part in name:
            return spaces
    return _SPACES.get(kind.strip(), (Space.UNKNOWN, Space.UNKNOWN))


def _sides(
    sides: tuple[int | None, int | None], spaces: tuple[Space, Space], size: int
) -> tuple[Touch, ...]:
    modes = (Mode.READ, Mode.WRITE)
    roles = (Role.SOURCE, Role.DESTINATION)
    every = zip(sides, modes, roles, spaces, strict=True)
    return tuple(
        Touch(side, size, mode, role, space)
        for side, mode, role, space in every
        if side is not None
    )


def _copy_2d(operation: Logged, words: Words) -> None:
    """dst, dpitch, src, spitch, width, height, kind[, stream]."""
    width, height = _size(words, 4) or 0, _size(words, 5) or 0
    spaces = _spaces(operation.name, _at(words, 6))
    touches = []
    for at, mode, role, space in (
        (2, Mode.READ, Role.SOURCE, spaces[0]),
        (0, Mode.WRITE, Role.DESTINATION, spaces[1]),
    ):
        start, pitch = pointer(_at(words, at)), _size(words, at + 1) or 0
        if start is not None:
            span = pitch * (height - 1) + width if height and width else 0
            touches.append(Touch(start, span, mode, role, space, pitch=pitch, width=width))
    operation.touches, operation.stream = tuple(touches), 0
    if "Async" in operation.name:
        _on(operation, words, 7)
    elif spaces != (Space.DEVICE, Space.DEVICE):
        operation.waits = Waits.FOR_IT


def _copy_peer(operation: Logged, words: Words) -> None:
    """dst, device, src, device, bytes[, stream]."""
    sides = (pointer(_at(words, 2)), pointer(_at(words, 0)))
    operation.touches = _sides(sides, (Space.DEVICE, Space.DEVICE), _size(words, 4) or 0)
    operation.stream = 0
    if "Async" in operation.name:
        _on(operation, words, 5)


def fill(element: int) -> Meaning:
    """dst, value, count[, stream]."""

    def read(operation: Logged, words: Words) -> None:
        start, number = pointer(_at(words, 0)), _size(words, 2)
        if start is not None:
            size = (number or 0) * element
            touch = Touch(start, size, Mode.WRITE, Role.DESTINATION, Space.DEVICE)
            operation.touches = (touch,)
        operation.stream = 0
        if "Async" in operation.name:
            _on(operation, words, 3)

    return read


def _launch(operation: Logged, words: Words) -> None:
    """function, {grid}, {block}, arguments, shared, stream."""
    operation.grid, operation.block = _dim3(_at(words, 1)), _dim3(_at(words, 2))
    operation.stream = 0
    _on(operation, words, 5)


def module_launch(grid_in_threads: bool) -> Meaning:
    """function, 3 of the grid, 3 of the block, shared, stream."""

    def read(operation: Logged, words: Words) -> None:
        sizes = [_size(words, index) for index in range(1, 7)]
        operation.stream = 0
        _on(operation, words, 8)
        if any(size is None for size in sizes):
            return
        gx, gy, gz, bx, by, bz = (size or 1 for size in sizes)
        operation.block = (bx, by, bz)
        grid = (gx, gy, gz)
        if grid_in_threads:
            grid = (-(-gx // bx), -(-gy // by), -(-gz // bz))
        operation.grid = grid

    return read


def _dim3(word: str) -> tuple[int, int, int] | None:
    found = _DIM3.fullmatch(word.replace(" ", ""))
    return (int(found[1]), int(found[2]), int(found[3])) if found else None


def on_stream(index: int) -> Meaning:
    """A call about the stream at that place."""

    def read(operation: Logged, words: Words) -> None:
        operation.stream = 0
        _on(operation, words, index)

    return read


def _stream_create(operation: Logged, words: Words) -> None:
    flags = _size(words, 1) if operation.name != "hipStreamCreate" else 0
    kinds = {0: StreamKind.BLOCKING, 1: StreamKind.NON_BLOCKING}
    operation.stream_kind = kinds.get(-1 if flags is None else flags, StreamKind.UNKNOWN)


def on_event(event_at: int, stream_at: int | None) -> Meaning:
    """A call about an event."""

    def read(operation: Logged, words: Words) -> None:
        operation.event = pointer(_at(words, event_at))
        if stream_at is not None:
            operation.stream = 0
            _on(operation, words, stream_at)

    return read


def _nothing(operation: Logged, words: Words) -> None:
    """Its name says it all."""


_EVERYONE: Final = Waits.FOR_DEVICE
CALLS: Final[dict[str, tuple[Kind, Waits, Meaning]]] = {
    "hipMalloc": (Kind.ALLOCATE, Waits.NO, allocation(Memory.DEVICE)),
    "hipExtMallocWithFlags": (Kind.ALLOCATE, Waits.NO, allocation(Memory.DEVICE)),
    "hipMallocPitch": (Kind.ALLOCATE, Waits.NO, allocation(Memory.DEVICE, 0)),
    "hipMallocManaged": (Kind.ALLOCATE, Waits.NO, allocation(Memory.MANAGED)),
    "hipHostMalloc": (Kind.ALLOCATE, Waits.NO, allocation(Memory.PINNED)),
    "hipHostAlloc": (Kind.ALLOCATE, Waits.NO, allocation(Memory.PINNED)),
    "hipMallocHost": (Kind.ALLOCATE, Waits.NO, allocation(Memory.PINNED)),
    "hipMallocAsync": (Kind.ALLOCATE, Waits.NO, allocation(Memory.POOL)),
    "hipHostRegister": (Kind.ALLOCATE, Waits.NO, _register),
    "hipFree": (Kind.FREE, _EVERYONE, _free),
    "hipFreeAsync": (Kind.FREE, Waits.NO, _free),
    "hipHostFree": (Kind.FREE, _EVERYONE, _free),
    "hipFreeHost": (Kind.FREE, _EVERYONE, _free),
    "hipHostUnregister": (Kind.FREE, _EVERYONE, _free),
    "hipMemcpy": (Kind.COPY, Waits.FOR_IT, copy(3, None)),
    "hipMemcpyAsync": (Kind.COPY, Waits.NO, copy(3, 4)),
    "hipMemcpyWithStream": (Kind.COPY, Waits.FOR_IT, copy(3, 4)),
    "hipMemcpyHtoD": (Kind.COPY, Waits.FOR_IT, copy(None, None)),
    "hipMemcpyDtoH": (Kind.COPY, Waits.FOR_IT, copy(None, None)),
    "hipMemcpyDtoD": (Kind.COPY, Waits.NO, copy(None, None)),
    "hipMemcpyHtoDAsync": (Kind.COPY, Waits.NO, copy(None, 3)),
    "hipMemcpyDtoHAsync": (Kind.COPY, Waits.NO, copy(None, 3)),
    "hipMemcpyDtoDAsync": (Kind.COPY, Waits.NO, copy(None, 3)),
    "hipMemcpy2D": (Kind.COPY, Waits.NO, _copy_2d),
    "hipMemcpy2DAsync": (Kind.COPY, Waits.NO, _copy_2d),
    "hipMemcpyPeer": (Kind.COPY, Waits.NO, _copy_peer),
    "hipMemcpyPeerAsync": (Kind.COPY, Waits.NO, _copy_peer),
    "hipMemset": (Kind.FILL, Waits.NO, fill(1)),
    "hipMemsetAsync": (Kind.FILL, Waits.NO, fill(1)),
    "hipMemsetD8": (Kind.FILL, Waits.NO, fill(1)),
    "hipMemsetD8Async": (Kind.FILL, Waits.NO, fill(1)),
    "hipMemsetD16": (Kind.FILL, Waits.NO, fill(2)),
    "hipMemsetD16Async": (Kind.FILL, Waits.NO, fill(2)),
    "hipMemsetD32": (Kind.FILL, Waits.NO, fill(4)),
    "hipMemsetD32Async": (Kind.FILL, Waits.NO, fill(4)),
    "hipLaunchKernel": (Kind.LAUNCH, Waits.NO, _launch),
    "hipExtLaunchKernel": (Kind.LAUNCH, Waits.NO, _launch),
    "hipLaunchCooperativeKernel": (Kind.LAUNCH, Waits.NO, _launch),
    "hipModuleLaunchKernel": (Kind.LAUNCH, Waits.NO, module_launch(False)),
    "hipModuleLaunchCooperativeKernel": (Kind.LAUNCH, Waits.NO, module_launch(False)),
    "hipExtModuleLaunchKernel": (Kind.LAUNCH, Waits.NO, module_launch(True)),
    "hipHccModuleLaunchKernel": (Kind.LAUNCH, Waits.NO, module_launch(True)),
    "hipGraphLaunch": (Kind.GRAPH_LAUNCH, Waits.NO, on_stream(1)),
    "hipLaunchHostFunc": (Kind.HOST_FUNCTION, Waits.NO, on_stream(0)),
    "hipStreamAddCallback": (Kind.HOST_FUNCTION, Waits.NO, on_stream(0)),
    "hipStreamCreate": (Kind.STREAM_CREATE, Waits.NO, _stream_create),
    "hipStreamCreateWithFlags": (Kind.STREAM_CREATE, Waits.NO, _stream_create),
    "hipStreamCreateWithPriority": (Kind.STREAM_CREATE, Waits.NO, _stream_create),
    "hipStreamDestroy": (Kind.STREAM_DESTROY, Waits.NO, on_stream(0)),
    "hipStreamSynchronize": (Kind.WAIT_STREAM, Waits.NO, on_stream(0)),
    "hipStreamQuery": (Kind.QUERY_STREAM, Waits.NO, on_stream(0)),
    "hipStreamWaitEvent": (Kind.STREAM_WAIT_EVENT, Waits.NO, on_event(1, 0)),
    "hipEventRecord": (Kind.EVENT_RECORD, Waits.NO, on_event(0, 1)),
    "hipEventRecordWithFlags": (Kind.EVENT_RECORD, Waits.NO, on_event(0, 1)),
    "hipEventSynchronize": (Kind.WAIT_EVENT, Waits.NO, on_event(0, None)),
    "hipEventQuery": (Kind.QUERY_EVENT, Waits.NO, on_event(0, None)),
    "hipDeviceSynchronize": (Kind.WAIT_DEVICE, Waits.NO, _nothing),
    "hipCtxSynchronize": (Kind.WAIT_DEVICE, Waits.NO, _nothing),
    "hipDeviceReset": (Kind.RESET, Waits.NO, _nothing),
}
"""By name, without the ending _spt of calls compiled for a default stream per thread."""

UNREAD: Final = re.compile(
    r"hip(?:Drv)?(?:Memcpy|Memset|MemMap|Malloc3D|MallocArray|MallocFromPool|IpcOpenMem)\w*"
)
"""Calls that touch or make memory and that nobody here reads: a gap."""
