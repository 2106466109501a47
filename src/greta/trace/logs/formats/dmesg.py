"""The kernel's log: page faults of amdgpu, in the spellings of several generations.

    amdgpu 0000:03:00.0: amdgpu: [gfxhub] page fault (src_id:0 ring:40 vmid:8 pasid:32781)
    amdgpu 0000:03:00.0: amdgpu:  in process python3 pid 5748 thread python3 pid 5748)
    amdgpu 0000:03:00.0: amdgpu:   in page starting at address 0x0000796073ed4000 from client 10
    amdgpu 0000:03:00.0: amdgpu: GCVM_L2_PROTECTION_FAULT_STATUS:0x00841051

Rings and queues that stopped are faults without an address. That the driver resets the GPU is
none: it does so on resume, too, and for others.

    amdgpu 0000:c5:00.0: amdgpu: ring comp_1.0.0 timeout, signaled seq=2662395, emitted seq=2662397
    amdgpu 0000:c5:00.0: amdgpu:  Process a.out pid 1048641 thread a.out pid 1048662
    amdgpu 0000:c5:00.0: amdgpu: GPU reset begin!

The log is rate-limited and mixed: lines are put together by the device they name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from greta.trace.evidence import DeviceFault
from greta.trace.logs.lines import LogLine, address
from greta.trace.logs.logged import MOST_REMARKS, LogFormat, ProcessLog

_DEVICE: Final = re.compile(r"amdgpu ([0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-9a-f])")
_FAULT: Final = re.compile(r"page fault \(src_id:\d{1,9} ")
_PROCESS: Final = re.compile(r"\bprocess (.{0,40}?) ?pid (\d{1,9})\b", re.IGNORECASE)
_ADDRESS: Final = re.compile(r"\b(?:address|at page) (?:0x)?([0-9a-fA-F]{1,16})\b")
_TIME: Final = re.compile(r"\[ {0,12}(\d{1,12}\.\d{1,9})\]")
_WRITE: Final = re.compile(r"\bRW: ?(?:0x)?([01])\b")
_STATUS: Final = re.compile(r"L2_PROTECTION_FAULT_STATUS: ?(0x[0-9a-fA-F]{1,8})\b")
_STOPPED: Final = re.compile(
    r"\b(ring \S{1,40} timeout|[Qq]ueue preemption time ?out|qcm fence wait loop timeout"
    r"|Failed to evict (?:process queues|queue \d{1,4})|sq_intr: error"
    r"|MES failed to respond|MES might be in unrecoverable state"
    r"|uncorrectable hardware errors detected in \S{1,40} block)"
)
_PASID: Final = re.compile(r"\bpasid:(\d{1,9})\b")
_LINES_OF_ONE: Final = 24
_SECONDS_OF_ONE: Final = 1.0


@dataclass
class _Report:
    device: str
    line: str
    number: int
    what: str = "page fault"
    pid: int | None = None
    name: str = ""
    """Of the process, as far as the kernel keeps it."""
    space: str = ""
    address: int | None = None
    time: float | None = None
    status: str | None = None
    write: bool | None = None

    def is_near(self, other: _Report) -> bool:
        """Address spaces are numbered anew when their processes have ended."""
        if self.time is not None and other.time is not None:
            return abs(self.time - other.time) <= _SECONDS_OF_ONE
        return abs(self.number - other.number) <= _LINES_OF_ONE

    def fault(self) -> DeviceFault:
        words = [f"{self.what} of {self.name}" if self.name else self.what]
        if self.write is not None:
            words.append("while writing" if self.write else "while reading")
        if self.status:
            words.append(f"(status {self.status})")
        return DeviceFault(
            source="dmesg",
            address=self.address,
            reason=" ".join(words),
            pid=self.pid or None,  # the kernel writes 0 where it does not know
            time=self.time,
            line=self.line,
        )


class Dmesg(LogFormat):
    """Faults, with the process where the kernel knew it."""

    name = "dmesg"
    needles = ("amdgpu", "page fault (src_id", "PROTECTION_FAULT_STATUS", "Faulty UTCL2 client")

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._open: dict[str, _Report] = {}
        self._device = ""
        self._told: list[_Report] = []

    def take(self, line: LogLine) -> bool:
        found = _DEVICE.search(line.text)
        device = found[1] if found else self._device
        if begun := _FAULT.search(line.text):
            self._close(device)
            if len(self._open) < 64:
                self._open[device] = _Report(device, line.text.strip(), line.number)
            self._device = device
            self._more(device, line, begun.start())
            self.follows = True
            return True
        report = self._open.get(device)
        if stopped := _STOPPED.search(line.text):
            self._stopped(device, line, stopped[1])
            return True
        if report is None or line.number - report.number > _LINES_OF_ONE:
            self.follows = False
            return False
        return self._more(device, line, 0)

    def _stopped(self, device: str, line: LogLine, what: str) -> None:
        """A reset is what follows on a fault or a ring that stopped, where one was told."""
        report = self._open.get(device) or self._open.get("")
        if report and line.number - report.number <= _LINES_OF_ONE:
            return
        self._close(device)
        if len(self._open) < 64:
            self._open[device] = _Report(device, line.text.strip(), line.number, what)
        self._device = device
        self._more(device, line, 0)
        self.follows = True

    def _more(self, device: str, line: LogLine, start: int) -> bool:
        report, text = self._open.get(device), line.text[start:]
        if report is None:
            return False
        process, where = _PROCESS.search(text), _ADDRESS.search(text)
        if space := _PASID.search(text):
            report.space = space[1]
        if process and report.pid is None:
            report.pid, report.name = int(process[2]), process[1].strip()
        # A number at the end of a cut line may lack digits.
        if where and report.address is None and not (line.cut and where.end() == len(text)):
            report.address = address(where[1])
        if (time := _TIME.search(line.text[:80])) and report.time is None:
            report.time = float(time[1])
        if status := _STATUS.search(text):
            report.status = status[1]
        if write := _WRITE.search(text):
            report.write = write[1] == "1"
        return bool(process or where or status or write)

    def _close(self, device: str) -> None:
        report = self._open.pop(device, None)
        if report and len(self._told) < MOST_REMARKS:
            self._told.append(report)

    def finish(self) -> Iterable[ProcessLog]:
        for device in list(self._open):
            self._close(device)
        _name_by_space(self._told)
        for report in self._told:
            self._log.fault(report.fault())
        return [self._log]


def _name_by_space(reports: Sequence[_Report]) -> None:
    """The kernel does not name the process with every fault: a report nearby may have it."""
    in_order = sorted(reports, key=lambda report: report.number)
    owners: dict[int, set[tuple[int, str]]] = {}
    for one_way in (in_order, in_order[::-1]):
        named: dict[tuple[str, str], _Report] = {}
        for report in one_way:
            space = report.device, report.space
            if report.pid:
                named[space] = report
            elif report.space and (other := named.get(space)) and report.is_near(other):
                owners.setdefault(report.number, set()).add((other.pid or 0, other.name))
    for report in in_order:
        found = owners.get(report.number, ())
        if report.pid is None and len(found) == 1:
            ((report.pid, report.name),) = found
