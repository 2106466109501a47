"""Faults that the device itself told the recorder of."""

from __future__ import annotations

from pathlib import PurePath

from greta.recording import DeviceNote, Process, Recording
from greta.symbols.sites import line_in
from greta.trace.evidence import DeviceFault
from greta.trace.logs.logged import ProcessLog


def device_logs(recording: Recording) -> list[ProcessLog]:
    """One log for each process that has such faults."""
    told = ((process, _faults(process)) for process in recording.processes)
    return [
        ProcessLog("recording", process.folder, process.pid, faults=faults)
        for process, faults in told
        if faults
    ]


def _faults(process: Process) -> list[DeviceFault]:
    """Accesses that were checked one by one: their first byte and their size are known."""
    notes = process.device_faults()
    checked = (one for one in notes if one.event == "illegal_access" and one.bytes is not None)
    return [_fault(one, process.pid) for one in checked]


def _place(note: DeviceNote) -> tuple[str, int] | None:
    found = line_in(note.code, note.instruction) if note.code else None
    return (str(PurePath(found[0])), found[1]) if found else None


def _fault(note: DeviceNote, pid: int) -> DeviceFault:
    return DeviceFault(
        source="device",
        address=note.address,
        exact=True,
        kernel=note.kernel,
        reason=note.message,
        pid=pid,
        seq=note.seq,
        access=note.access,
        bytes=note.bytes,
        block=note.block,
        thread=note.thread,
        place=_place(note),
    )
