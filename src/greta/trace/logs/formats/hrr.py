"""HRR: archives of HIP record and replay, versions 5 to 8.

    capture.hrr/pid-N/events.bin      "HRRE", u16 version, u16 flags; then records
                     code_objects/    the code that was loaded
                     regions/*.hrrr   blocks that an allocator carved (greta.trace.memory_history)

A record is a header of 32 bytes (u16 call, u64 sequence, u64 nanoseconds of CLOCK_MONOTONIC, u64
thread, u32 length with the header, 2 bytes) and the arguments of the call: what it returned, then
each parameter as wide as in C, and of a parameter that the call fills what it filled in. A launch
has a form of its own, with name, sizes and values of the kernel's arguments. A trailer at the end
says that the process ended in order.

Calls that failed are not in an archive, nor is what was called when the process died.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import BinaryIO, Final, NamedTuple

from greta.errors import GretaError, UsageError
from greta.outside import is_there, open_outside
from greta.printable import printable
from greta.symbols.code_objects import GpuArgument, read_file_code
from greta.trace import memory_history
from greta.trace.logs.formats.amd_calls import CallReader, logged_call
from greta.trace.logs.logged import MOST_OPERATIONS, LoggedAccess, LoggedOperation, ProcessLog
from greta.trace.trace import Gap, Kind, Mode, Role, Space

_EVENTS: Final = "events.bin"
_FILE: Final = struct.Struct("<4sHH")
_MAGIC: Final = b"EHRR"
_RECORD: Final = struct.Struct("<HQQQI2x")
_TRAILER: Final = (0xFFFF, 44, b"HEOF")
_VERSIONS: Final = range(5, 9)
LARGEST: Final = 64 << 30
LONGEST: Final = 64 << 20
"""Bytes of a record; AMD's own reader takes no more."""
MOST_ARGUMENTS: Final = 4 * MOST_OPERATIONS
"""A limit for all launches together."""
_MOST_PROCESSES: Final = 1024
_MOST_CODE: Final = 64
"""Code objects that are looked at."""
_LARGEST_CODE: Final = 256 << 20
_MOST_REGIONS: Final = 64
_LAUNCH: Final = struct.Struct("<QQ3I3II2H")
_POINTER, _STRUCT = 1, 3
_RETURN: Final = 4
_WIDE: Final = {1: "B", 2: "H", 4: "I", 8: "Q", 12: "3I"}

_CALLS: Final = """
31 hipCtxSynchronize
60 hipDeviceReset
66 hipDeviceSynchronize
72 hipDrvMemcpy2DUnaligned hipDrvMemcpy3D hipDrvMemcpy3DAsync
76 hipEventCreate hipEventCreateWithFlags hipEventDestroy
80 hipEventQuery hipEventRecord hipEventSynchronize
86 hipExtMallocWithFlags hipExtStreamCreateWithCUMask
89 hipExternalMemoryGetMappedBuffer hipFree hipFreeArray hipFreeAsync hipFreeHost
118 hipGraphAddChildGraphNode
124 hipGraphAddKernelNode hipGraphAddMemAllocNode hipGraphAddMemFreeNode hipGraphAddMemcpyNode
128 hipGraphAddMemcpyNode1D
131 hipGraphAddMemsetNode
166 hipGraphLaunch
193 hipHostAlloc hipHostFree
197 hipHostMalloc hipHostRegister hipHostUnregister
207 hipIpcOpenMemHandle
213 hipLaunchHostFunc
215 hipMalloc hipMalloc3D
219 hipMallocAsync hipMallocFromPoolAsync hipMallocHost hipMallocManaged
224 hipMallocPitch
228 hipMemAllocHost hipMemAllocPitch
238 hipMemMap
251 hipMemPrefetchAsync
258 hipMemUnmap hipMemcpy hipMemcpy2D hipMemcpy2DAsync hipMemcpy2DFromArray
263 hipMemcpy2DFromArrayAsync hipMemcpy2DToArray hipMemcpy2DToArrayAsync hipMemcpy3D
267 hipMemcpy3DAsync hipMemcpyAsync hipMemcpyAtoH hipMemcpyDtoD hipMemcpyDtoDAsync hipMemcpyDtoH
273 hipMemcpyDtoHAsync hipMemcpyFromArray hipMemcpyFromSymbol hipMemcpyFromSymbolAsync
277 hipMemcpyHtoA hipMemcpyHtoD hipMemcpyHtoDAsync hipMemcpyParam2D hipMemcpyParam2DAsync
282 hipMemcpyPeer hipMemcpyPeerAsync hipMemcpyToArray hipMemcpyToSymbol hipMemcpyToSymbolAsync
287 hipMemcpyWithStream hipMemset hipMemset2D hipMemset2DAsync hipMemset3D hipMemset3DAsync
293 hipMemsetAsync hipMemsetD16 hipMemsetD16Async hipMemsetD32 hipMemsetD32Async hipMemsetD8
299 hipMemsetD8Async
308 hipModuleLaunchKernel
331 hipStreamAddCallback
333 hipStreamBeginCapture hipStreamCreate hipStreamCreateWithFlags hipStreamCreateWithPriority
337 hipStreamDestroy hipStreamEndCapture
345 hipStreamQuery hipStreamSynchronize
348 hipStreamWaitEvent hipStreamWaitValue32 hipStreamWaitValue64 hipStreamWriteValue32
352 hipStreamWriteValue64
390 hipMemcpy_spt hipMemcpyToSymbol_spt hipMemcpyFromSymbol_spt hipMemcpy2D_spt
394 hipMemcpy2DFromArray_spt hipMemcpy3D_spt hipMemset_spt hipMemsetAsync_spt hipMemset2D_spt
399 hipMemset2DAsync_spt hipMemset3DAsync_spt hipMemset3D_spt hipMemcpyAsync_spt
403 hipMemcpy3DAsync_spt hipMemcpy2DAsync_spt hipMemcpyFromSymbolAsync_spt
406 hipMemcpyToSymbolAsync_spt hipMemcpyFromArray_spt hipMemcpy2DToArray_spt
409 hipMemcpy2DFromArrayAsync_spt hipMemcpy2DToArrayAsync_spt hipStreamQuery_spt
412 hipStreamSynchronize_spt
414 hipStreamWaitEvent_spt
417 hipEventRecord_spt
420 hipGraphLaunch_spt hipStreamBeginCapture_spt hipStreamEndCapture_spt
426 hipLaunchHostFunc_spt
443 hipStreamBeginCaptureToGraph
446 hipMemcpyAtoD hipMemcpyDtoA hipMemcpyAtoA hipMemcpyAtoHAsync hipMemcpyHtoAAsync
451 hipMemcpy2DArrayToArray
461 hipExtHostAlloc
473 hipEventRecordWithFlags hipLaunchKernelExC hipDrvLaunchKernelEx
478 hipMemsetD2D8 hipMemsetD2D8Async hipMemsetD2D16 hipMemsetD2D16Async hipMemsetD2D32
483 hipMemsetD2D32Async
487 hipMemcpyBatchAsync hipMemcpy3DBatchAsync hipMemcpy3DPeer hipMemcpy3DPeerAsync
"""
"""Numbers of calls that access memory or order work: the first of each line, then the next ones."""
_NAMES: Final = {
    int(first) + at: name
    for first, *names in (line.split() for line in _CALLS.strip().splitlines())
    for at, name in enumerate(names)
}
_LAUNCHES: Final = ("hipModuleLaunchKernel", "hipLaunchKernelExC", "hipDrvLaunchKernelEx")
_GRAPHS: Final = "graph launches, whose nodes are not read"


class _Argument(NamedTuple):
    kind: int
    data: bytes
    pointers: tuple[int, ...]
    """Offsets of addresses in a struct."""


def is_hrr(path: Path) -> bool:
    """Whether a folder is an archive, or that of one of its processes."""
    return path.is_dir() and bool(_processes(path))


def read_hrr(path: Path) -> list[ProcessLog]:
    """One log for each process; raises UsageError."""
    found = _processes(path)
    if len(found) > _MOST_PROCESSES:
        raise UsageError(f"{_shown(path)} has {len(found)} processes; give the folder of one")
    return [_Process(folder, path).read() for folder in found]


def _processes(path: Path) -> list[Path]:
    if is_there(path / _EVENTS):
        return [path]
    try:
        folders = sorted(one for one in path.glob("pid-*") if re.fullmatch(r"pid-\d+", one.name))
    except OSError:
        return []
    return [one for one in folders if is_there(one / _EVENTS)]


def _shown(path: Path) -> str:
    return printable(str(path))


class _Process:
    """The archive of one process."""

    def __init__(self, folder: Path, root: Path) -> None:
        self._folder, self._root = folder, root
        name = re.fullmatch(r"pid-(\d{1,9})", folder.name)
        self._log = ProcessLog("hrr", folder, int(name[1]) if name else 0)
        self._reader = CallReader(answered=True)
        self._code = _arguments_of_kernels(folder, root)
        self._graph_launches = 0
        self._arguments = 0
        self._cut = 0
        """Records that are shorter than what their call has."""
        self._unread_regions: list[str] = []

    def read(self) -> ProcessLog:
        path = self._folder / _EVENTS
        with open_outside(path, LARGEST, within=self._root) as file:
            magic, version, _ = _FILE.unpack(file.read(_FILE.size).ljust(_FILE.size, b"\0"))
            if magic != _MAGIC:
                raise UsageError(f"{_shown(path)} is no archive of HIP record and replay (HRR)")
            if version not in _VERSIONS:
                raise UsageError(
                    f"{_shown(path)} is an HRR archive of version {version}; "
                    f"versions {_VERSIONS.start} to {_VERSIONS.stop - 1} are read"
                )
            found, ended = self._operations(file)
        # Threads write as they come; the sequence is the order of the calls.
        for _, operation in sorted(found, key=lambda one: one[0]):
            self._log.add(operation)
            operation.file = None  # it has no line
        self._read_regions()
        self._note_gaps(ended)
        return self._log

    def _operations(self, file: BinaryIO) -> tuple[list[tuple[int, LoggedOperation]], bool]:
        found: list[tuple[int, LoggedOperation]] = []
        while len(head := file.read(_RECORD.size)) == _RECORD.size:
            number, sequence, time, thread, length = _RECORD.unpack(head)
            if not _RECORD.size <= length <= LONGEST:
                break
            data = file.read(length - _RECORD.size)
            if len(data) < length - _RECORD.size:
                break
            if (number, length, data[8:12]) == _TRAILER:
                return found, True
            self._log.counts["records"] += 1
            operation = self._operation(number, data)
            if operation is None:
                self._log.total_calls += 1
                continue
            operation.begin, operation.end = min(time, 1 << 62), min(time, 1 << 62)
            operation.thread = thread
            if len(found) < MOST_OPERATIONS + 1:
                found.append((sequence, operation))
        return found, False

    def _operation(self, number: int, data: bytes) -> LoggedOperation | None:
        name = _NAMES.get(number)
        if name is None:
            return None
        if name in _LAUNCHES:
            return self._launch(name, data)
        words = _words(name, data)
        self._cut += words is None
        operation = self._reader.read(0, 0, name, words)
        self._graph_launches += operation.kind is Kind.GRAPH_LAUNCH
        return operation if operation.kind is not Kind.OTHER else None

    # --- launches ---------------------------------------------------------------------------------

    def _launch(self, name: str, data: bytes) -> LoggedOperation | None:
        operation = LoggedOperation(0, 0, name, Kind.LAUNCH)
        try:
            kernel, arguments = _read_launch(data, operation)
        except (struct.error, IndexError, ValueError):
            self._cut += 1
            return operation
        operation.kernel = kernel
        self._arguments += sum(1 + len(one.pointers) for one in arguments)
        if self._arguments > MOST_ARGUMENTS:
            return operation
        known = self._code.get(kernel, ())
        operation.captured = self._reader.is_captured(operation.stream)
        shown: list[tuple[str, str, int | None]] = []
        accesses: list[LoggedAccess] = []
        for index, argument in enumerate(arguments):
            told = known[index] if index < len(known) else GpuArgument()
            whole = len(argument.data) in (1, 2, 4, 8)
            value = int.from_bytes(argument.data, "little") if whole else None
            shown.append((told.name or f"arg{index}", told.type_name, value))
            accesses += _accessed(index, argument, told)
        operation.arguments, operation.accesses = tuple(shown), tuple(accesses)
        return operation

    def _read_regions(self) -> None:
        try:
            files = sorted((self._folder / "regions").glob("*.hrrr"))
        except OSError:
            return
        for file in files[:_MOST_REGIONS]:
            blocks = self._blocks_in(file)
            if blocks is None:
                self._unread_regions.append(printable(file.name))
            else:
                self._log.blocks += blocks

    def _blocks_in(self, file: Path) -> tuple[memory_history.DatedBlock, ...] | None:
        try:
            open_outside(file, memory_history.LARGEST, within=self._root).close()
            return memory_history.read_memory_history(file).blocks
        except (OSError, GretaError):
            return None

    def _note_gaps(self, ended: bool) -> None:
        gaps = self._log.gaps
        gaps[Gap.NO_FAILURES] = "HRR keeps only calls that succeeded"
        if not ended:
            gaps[Gap.CUT_SHORT] = "the archive has no end: the process died, or goes on"
        if not self._log.operations:
            gaps[Gap.NO_RECORDING] = "no call in the archive"
        launches = [one for one in self._log.operations if one.kind is Kind.LAUNCH]
        if without := sum(1 for one in launches if not one.arguments):
            gaps[Gap.NO_ARGUMENTS] = f"{without} launches without arguments"
        lost = [f"{self._reader.unread} calls that are not read"] if self._reader.unread else []
        lost += [f"{self._cut} records that are too short"] if self._cut else []
        lost += [f"{name} cannot be read" for name in self._unread_regions]
        if lost:
            gaps[Gap.DAMAGED] = ", ".join(lost)
        if self._graph_launches:
            gaps[Gap.UNKNOWN_KERNELS] = f"{self._graph_launches} {_GRAPHS}"


def _words(name: str, data: bytes) -> list[str] | None:
    """As a log prints them; None where the record is shorter than its call."""
    layout, widths = _layout(name)
    if layout is None:
        # It begins or ends a capture, which its first word says.
        return [hex(int.from_bytes(data[_RETURN : _RETURN + 8], "little"))]
    if len(data) < _RETURN + layout.size:
        return None
    values = iter(layout.unpack_from(data, _RETURN))
    return [
        "{" + ",".join(str(next(values)) for _ in range(3)) + "}"
        if width == 12
        else f"{next(values):#x}"
        for width in widths
    ]


@lru_cache(maxsize=1024)
def _layout(name: str) -> tuple[struct.Struct | None, tuple[int, ...]]:
    """The parameters of a call, and the bytes of each."""
    does = logged_call(name.removesuffix("_spt")).does
    if does is None or any(width not in _WIDE for width in does.widths):
        return None, ()
    return struct.Struct("<" + "".join(_WIDE[one] for one in does.widths)), does.widths


def _read_launch(data: bytes, operation: LoggedOperation) -> tuple[str, list[_Argument]]:
    """Stream, name, code object, sizes, and each argument: kind, bytes, its own bytes."""
    stream, length = struct.unpack_from("<QH", data)
    name = data[10 : 10 + length].decode("utf-8", "replace")
    at = 10 + length
    _, _, *sizes, count, _ = _LAUNCH.unpack_from(data, at)
    at += _LAUNCH.size
    operation.stream = stream
    operation.grid, operation.block = (sizes[0], sizes[1], sizes[2]), (sizes[3], sizes[4], sizes[5])
    return name[:4096], list(_read_arguments(data, at, count))


def _read_arguments(data: bytes, at: int, count: int) -> Iterator[_Argument]:
    for _ in range(count):
        kind, size = struct.unpack_from("<BH", data, at)
        own = data[at + 3 : at + 3 + size]
        if len(own) < size:
            raise ValueError
        at += 3 + size
        pointers: tuple[int, ...] = ()
        if kind == _STRUCT:
            (number,) = struct.unpack_from("<H", data, at)
            pointers = struct.unpack_from(f"<{number}H", data, at + 2)
            at += 2 + 2 * number
        yield _Argument(kind, own, pointers)


def _accessed(index: int, argument: _Argument, told: GpuArgument) -> Iterator[LoggedAccess]:
    """The memory that an argument leads to; how far the kernel goes there, nobody knows."""
    read_only = told.access == "read_only" or told.type_name.lstrip().startswith("const ")
    mode = Mode.READ if read_only and argument.kind == _POINTER else Mode.MAY_WRITE
    if argument.kind == _POINTER and len(argument.data) == 8:
        start = int.from_bytes(argument.data, "little")
        yield LoggedAccess(start, 1, mode, Role.ARGUMENT, Space.DEVICE, index, estimated=True)
    for offset in argument.pointers:
        start = int.from_bytes(argument.data[offset : offset + 8], "little")
        if offset + 8 <= len(argument.data) and start:
            yield LoggedAccess(
                start, 1, mode, Role.STRUCT_WORD, Space.DEVICE, index, estimated=True
            )


# --- code objects ---------------------------------------------------------------------------------


def _arguments_of_kernels(folder: Path, root: Path) -> dict[str, tuple[GpuArgument, ...]]:
    """What the archive's code says of its kernels: names and types, which launches do not have."""
    found: dict[str, tuple[GpuArgument, ...]] = {}
    try:
        files = sorted(one for one in (folder / "code_objects").iterdir() if one.is_file())
    except OSError:
        return found
    for file in files[:_MOST_CODE]:
        try:
            open_outside(file, _LARGEST_CODE, within=root).close()
            code = read_file_code(file)
        except (OSError, GretaError):
            continue  # launches are worth having without
        for kernel in (one for each in code.objects for one in each.kernels):
            visible = tuple(one for one in kernel.arguments if not one.hidden)
            found.setdefault(kernel.name, visible)
    return found
