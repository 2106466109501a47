"""What the device itself told the recorder: faults, and what it noticed without any."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from pathlib import Path, PurePath
from typing import Final

import numpy as np

from greta.recording import DeviceNote, Footprint, Process, Recording
from greta.recording.notes import NotedSide
from greta.symbols.sites import Demangler, line_in
from greta.trace.evidence import DeviceFault, DeviceRemark, KernelRace, Leak, ThreadAccess
from greta.trace.logs.logged import ProcessLog
from greta.trace.trace import NOWHERE, Seq, Where


def device_logs(recording: Recording) -> list[ProcessLog]:
    """One log for each process of which the device told something."""
    told = ((one, _faults(one), _remarks(one)) for one in recording.processes)
    return [
        ProcessLog("recording", one.folder, one.pid, faults=faults, remarks=remarks)
        for one, faults, remarks in told
        if faults or remarks
    ]


def noted_launches(process: Process) -> dict[int, bool]:
    """Calls that launched a kernel of which it is known what it accessed; not graphs.

    The value says whether it read bytes that it wrote: nobody noted which came first.
    """
    notes = (one for one in process.footprints() if one.complete and one.node is None)
    return {one.seq: _reads_what_it_writes(one) for one in notes if one.seq}


def approximate_kernels(process: Process) -> dict[str, tuple[str, ...]]:
    """Kernels with instructions whose results may differ from hardware's in the last bits."""
    notes = (note for note in process.device_faults() if note.event == "approximate")
    told = {note.kernel or "?": note.message for note in notes}
    return {kernel: tuple(names.split(", ")) for kernel, names in sorted(told.items())}


def kernel_races(process: Process) -> tuple[KernelRace, ...]:
    """What it noticed between the threads of a launch: where it was told to look for that.

    One for all of a kernel between the same lines: an unrolled loop makes one mistake often.
    """
    alike: dict[Hashable, list[tuple[Seq, DeviceNote, tuple[ThreadAccess, ...]]]] = {}
    for one in process.device_faults():
        if (one.event == "race" or one.event == "barrier") and one.seq is not None:
            sides = tuple(_side(side, one.code) for side in one.sides)
            alike.setdefault(_kind_of_race(one, sides), []).append((one.seq, one, sides))
    demangler = Demangler()
    return tuple(_race(races, demangler) for races in alike.values())


def _race(
    races: Sequence[tuple[Seq, DeviceNote, tuple[ThreadAccess, ...]]], demangler: Demangler
) -> KernelRace:
    seq, one, sides = races[0]
    return KernelRace(
        "barrier" if one.event == "barrier" else "race",
        seq,
        demangler.readable(one.kernel or "?"),
        one.address or 0,
        sides,
        shared=bool(one.space),
        buffer=one.allocation,
        buffer_bytes=one.allocation_bytes,
        variable=one.variable,
        count=len(races),
        calls=tuple(sorted({call for call, _, _ in races})),
    )


def _kind_of_race(note: DeviceNote, sides: Sequence[ThreadAccess]) -> Hashable:
    """What is the same of races that one mistake makes: the lines, else the instructions."""
    places = [
        f"{side.access} {side.line or one.instruction}"
        for one, side in zip(note.sides, sides, strict=True)
    ]
    memory = note.space or (note.allocation, note.variable)
    return note.event, note.kernel, note.code, memory, tuple(sorted(places))


def _side(side: NotedSide, code: Path | None) -> ThreadAccess:
    block, thread = (",".join(map(str, one or ())) for one in (side.block, side.thread))
    line = line_in(code, side.instruction) if code and side.instruction else None
    return ThreadAccess(side.access, block, thread, Where(*line) if line else NOWHERE)


LOST: Final = ("illegal_access", "trap")
"""Notes after which nothing can be freed any more."""


def leaks(process: Process) -> tuple[Leak, ...]:
    """What a program that ended by itself left allocated."""
    notes = process.device_faults()
    if process.ending.how != "exit" or any(one.event in LOST for one in notes):
        return ()
    return (*_kept_memory(process, notes), *_kept_blocks(process, notes))


def _kept_memory(process: Process, notes: Sequence[DeviceNote]) -> Iterator[Leak]:
    # Memory that nodes allocate is there once their graph was launched, also where it was captured.
    graphs = {one.address: one for one in notes if one.event == "graph_memory"}
    known = set()
    for one in process.allocations():
        if one.made_by is None:
            continue
        known.add(one.address)
        node = graphs.get(one.address)
        never_launched = node and not node.count and node.seq == one.made_by
        if one.live and one.kind.name != "REGISTERED_MEMORY" and not never_launched:
            call = process.event(one.made_by).call
            yield Leak("leak", one.made_by, call, one.address, one.bytes or 0)
    for note in graphs.values():
        if note.count and note.address not in known and note.seq is not None:
            call = process.event(note.seq).call
            yield Leak("graph_leak", note.seq, call, note.address or 0, note.bytes or 0)


def _kept_blocks(process: Process, notes: Sequence[DeviceNote]) -> Iterator[Leak]:
    """Blocks of malloc in kernels, by the place that allocated them: its last note holds."""
    demangler = Demangler()
    last = {(one.kernel, one.code, one.instruction): one for one in notes if one.event == "heap"}
    for one in last.values():
        if not one.count or one.seq is None:
            continue
        line = line_in(one.code, one.instruction, of_caller=True) if one.code else None
        yield Leak(
            *("heap_leak", one.seq, process.event(one.seq).call, 0, one.bytes or 0),
            kernel=demangler.readable(one.kernel or "?"),
            count=one.count,
            where=Where(*line) if line else NOWHERE,
        )


def _reads_what_it_writes(footprint: Footprint) -> bool:
    if footprint.atomic:
        return True
    read, written = footprint.read.ranges(), footprint.written.ranges()
    if not len(written):
        return False
    at = np.searchsorted(written[:, 1], read[:, 0], "right")
    near = np.minimum(at, len(written) - 1)
    return bool(((at < len(written)) & (written[near, 0] < read[:, 1])).any())


def _remarks(process: Process) -> list[DeviceRemark]:
    return [
        DeviceRemark(
            *(one.event, one.allocation, one.allocation_bytes, one.address, one.seq, one.kernel),
            bytes=one.bytes,
            pid=process.pid,
            access=one.access,
        )
        for one in process.device_faults()
        if (one.event == "damage" or one.event == "outside" or one.event == "unwritten")
        and one.allocation is not None
        and one.address is not None
        and not one.by_pattern  # bytes that hold that of fresh memory may have been written so
    ]


def _faults(process: Process) -> list[DeviceFault]:
    """Accesses that were checked one by one: their first byte and size are known. And traps."""
    notes = process.device_faults()
    told = (
        one
        for one in notes
        if one.event == "trap" or (one.event == "illegal_access" and one.bytes is not None)
    )
    return [_fault(one, process.pid) for one in told]


def _first_outside(note: DeviceNote) -> int | None:
    """Of an access that begins inside an allocation and ends beyond it: the first byte beyond."""
    if note.address is None or note.allocation is None or note.bytes is None:
        return note.address
    end = note.allocation + note.allocation_bytes
    return (
        end if note.allocation <= note.address < end < note.address + note.bytes else note.address
    )


def _fault(note: DeviceNote, pid: int) -> DeviceFault:
    line = line_in(note.code, note.instruction) if note.code else None
    return DeviceFault(
        source="device",
        address=None if note.space else _first_outside(note),
        exact=note.event != "trap",
        space=note.space,
        # The first byte outside: the device tells where the access begins.
        space_address=max(note.address or 0, note.allocation_bytes) if note.space else None,
        space_bytes=note.allocation_bytes if note.space else None,
        kernel=note.kernel,
        reason=note.message,
        pid=pid,
        seq=note.seq,
        access=note.access,
        bytes=note.bytes,
        block=note.block,
        thread=note.thread,
        place=(str(PurePath(line[0])), line[1]) if line else None,
    )
