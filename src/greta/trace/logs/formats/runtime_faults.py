"""What AMD's runtimes write of a fault.

The HIP runtime (CLR): fault lines, and the dump of a queue that stops.

:0:rocdevice.cpp :3678: 11343484349 us:  Memory Fault Error [host: X, GPU index: 0, ...]
:0:rocdevice.cpp :3676: 386051038082 us:  Callback: Queue 0x7387a8e00000 aborting with error : ...
:0:rocdevice.cpp :2589: 1093018268353 us: Device::callbackQueue aborting with error : ...
a.hip:12: void f(int): Device-side assertion `n < 4' failed.
Kernel Name: Cijk_...
VGPU=0x3279ee90 SWq=0x738a0ff8c000, HWq=0x7387a8e00000, id=1
        grid=[27136, 46, 1], workgroup=[256, 1, 1]
        kernel_obj=0x73878fb1de80, kernarg_address=0x0x7387a8c00000

ROCr, the HSA runtime, before it aborts the process:

Memory access fault by GPU node-4 (Agent handle: 0x152e220) on address (nil). Reason: ...
HW Exception by GPU node-4 (Agent handle: 0x1ebc04e0) reason :GPU Hang

LLVM's offloading runtime (OpenMP):

AMDGPU fatal error 1: Memory access fault by GPU 4 (agent 0x55) at virtual address ... Reasons: ...

tinygrad, which drives the device itself:

MMU fault: 0x7F2E40010000 | NotPresent=1 ReadOnly=0 NoExecute=0 imprecise=0
HW fault: reset_type=0 reset_cause=1 memory_lost=0 gpu_id=4131

The debug agent of old releases, which writes x for what is below the page:

Memory access fault at GPU Node: 2
Address: 0x12345xxx (page not present;write access to a read-only page;)
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Final

from greta.trace.device_errors import ASSERT
from greta.trace.evidence import ASSERTION, DeviceFault, Message
from greta.trace.logs.lines import LogLine, address, message_of, speaker_of
from greta.trace.logs.logged import LogFormat, ProcessLog
from greta.trace.trace import NOWHERE, Where

_TIME: Final = re.compile(r":\s{0,4}(\d{1,18})d? us:")
_PID: Final = re.compile(r"\[pid: ?(\d{1,9}) | us: {1,4}(\d{1,9}) ?: \[")
_ADDRESS: Final = re.compile(r"faulting addr: (\(nil\)|[0-9a-fA-Fx,]{1,24})(?=[,\]\s])")
_QUEUE: Final = re.compile(
    r"(?:Queue (?:0x)?[0-9a-fA-F]{1,16}|Device::callbackQueue) [aA]borting with "
    r"(?:error ?: ?(.{1,400})|(status: 0x[0-9a-f]{1,8}))"
)
_MEMORY: Final = "Memory Fault Error ["
_KERNEL_NAME: Final = "Kernel Name: "
_KERNEL_FIELD: Final = "kernel: "
_ASSERTION: Final = ": Device-side assertion `"
_ASSERTED: Final = re.compile(
    r"(.{0,400}?):(\d{1,9}): (.{0,400}?): (Device-side assertion `(.{1,400})' failed)\."
)
_GRID: Final = re.compile(r"grid=\[[\d, ]{1,40}\], workgroup=\[[\d, ]{1,40}\]")


class ClrFault(LogFormat):
    """Faults; the runtime may know the kernel."""

    name = "clr"
    needles = (
        *(_MEMORY, "borting with ", _KERNEL_NAME, _ASSERTION),
        *("VGPU=0x", "Dispatch Header", "grid=["),
    )

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._kernel: str | None = None
        """Named before its fault was."""
        self._asserted = ""
        """What a kernel said before it stopped."""

    def take(self, line: LogLine) -> bool:
        fault = _memory_fault(line) or _queue_fault(line)
        if fault is not None:
            why = "; ".join(filter(None, (fault.reason, self._asserted)))
            self._log.fault(replace(fault, kernel=fault.kernel or self._kernel, reason=why))
            self._kernel, self._asserted = None, ""
            return True
        if _ASSERTION in line.text and (found := _assertion(line)):
            self._log.say(found)
            self._asserted = self._asserted or found.status
            return True
        if _KERNEL_NAME in line.text:
            self._name(line.text.partition(_KERNEL_NAME)[2].strip()[:4096], line.cut)
            return True
        return "VGPU=0x" in line.text or _GRID.search(line.text) is not None

    def _name(self, kernel: str, cut: bool) -> None:
        if not kernel or cut:
            return
        faults = self._log.faults
        if faults and faults[-1].kernel is None:
            faults[-1] = replace(faults[-1], kernel=kernel)
        else:
            self._kernel = kernel


def _assertion(line: LogLine) -> Message | None:
    """What assert in a kernel prints, on any device, before it stops it."""
    found = _ASSERTED.fullmatch(message_of(line.text, (_ASSERTION, ":")).strip())
    if found is None:
        return None
    where = Where(found[1], int(found[2]), found[3]) if found[1] else NOWHERE
    return Message(
        ASSERTION, found[5], error=ASSERT, line=line.number, where=where, status=found[4]
    )


def _memory_fault(line: LogLine) -> DeviceFault | None:
    _, found, rest = line.text.partition(_MEMORY)
    if not found:
        return None
    where = _ADDRESS.search(rest)
    return DeviceFault(
        source="clr",
        address=address(where[1]) if where else None,
        kernel=_kernel(rest),
        reason="Memory Fault Error",
        pid=_pid(line.text),
        time=_time(line.text),
        line=line.text.strip(),
    )


def _kernel(rest: str) -> str | None:
    # A name may hold anything, brackets and commas too; the field is the last one.
    _, found, name = rest.partition(_KERNEL_FIELD)
    end = name.rfind("]")
    return name[:end].strip() or None if found and end >= 0 else None


def _queue_fault(line: LogLine) -> DeviceFault | None:
    found = _QUEUE.search(line.text)
    if found is None:
        return None
    return DeviceFault(
        source="queue",
        address=None,
        reason=(found[1] or found[2]).strip(),
        pid=_pid(line.text),
        time=_time(line.text),
        line=line.text.strip(),
    )


def _time(text: str) -> float | None:
    found = _TIME.search(text[:200])
    return int(found[1]) / 1e6 if found else None


def _pid(text: str) -> int | None:
    found = _PID.search(text[:200])
    return int(found[1] or found[2]) if found else None


_FAULT: Final = re.compile(
    r"(?:Memory access fault by GPU|Memory critical error by agent) (?:node-)?\d{1,9}\b"
)
_ON_ADDRESS: Final = re.compile(
    r" (?:on|at virtual) address (\(nil\)|(?:0x)?[0-9a-fA-F]{1,16})(?![0-9a-fA-F])"
)
_REASON: Final = re.compile(r"Reasons?: ([^.]{1,200})")
_MOST_RANKS: Final = 4096
_OLD_FAULT: Final = re.compile(r"Memory access fault (?:at GPU Node: \d|by GPU agent: \S)")
_OLD_ADDRESS: Final = re.compile(r"\bAddress: (0x[0-9a-fA-F]{1,13})xxx(?: \(([^)]{1,200}?);?\))?")
_BY_AOMP: Final = re.compile(
    r"\[GPU Memory Error\] Addr: (\(nil\)|0x[0-9a-f]{1,16}) Reason: (.{1,200})"
)
_BELOW: Final = 3
"""So many lines below the first the address is told."""
_BY_TINYGRAD: Final = re.compile(
    r"\b(?:MMU fault: (0x[0-9a-fA-F]{1,16}) \| (NotPresent=\d.{0,200})"
    r"|HW fault: (reset_type=\d.{0,200}))"
)
"""Its words for NVIDIA's devices name the fault otherwise."""
_EXCEPTION: Final = re.compile(r"HW Exception by GPU node-\d{1,9}\b.{0,80}?reason ?: ?(.{1,200})")


class Rocr(LogFormat):
    """Faults; the address is that of a page."""

    name = "rocr"
    needles = (
        *("by GPU ", "by agent node-", "fault at GPU Node: ", "[GPU Memory Error]"),
        *("MMU fault: 0x", "HW fault: reset_type="),
    )

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._ranks: dict[int | None, ProcessLog] = {None: self._log}
        self._begun: LogLine | None = None
        """A fault of an old debug agent, whose address is below."""
        self._announced: DeviceFault | None = None
        """What OpenMP's runtime says of a fault before ROCr does."""

    def take(self, line: LogLine) -> bool:
        if self._begun and self._below(self._begun, line):
            return True
        if _OLD_FAULT.search(line.text):
            self._begun, self.follows = line, True
            return True
        if (found := _BY_AOMP.search(line.text)) and not line.cut:
            why = found[2].strip(" .!")
            self._announced = DeviceFault("rocr", address(found[1]), reason=why, line=found[0])
            return True
        fault = _access_fault(line) or _exception(line) or _by_tinygrad(line)
        if fault is None:
            return False
        self._tell(line, fault)
        return True

    def _below(self, begun: LogLine, line: LogLine) -> bool:
        found = _OLD_ADDRESS.search(line.text)
        if found is None and line.number - begun.number < _BELOW:
            return False
        where = address(f"{found[1]}000") if found else None
        why = found[2] if found else None
        self._begun, self.follows = None, False
        self._tell(begun, DeviceFault("rocr", where, reason=why, line=begun.text.strip()))
        return found is not None

    def _tell(self, line: LogLine, fault: DeviceFault) -> None:
        rank = speaker_of(line.text).rank
        rank = rank if len(self._ranks) < _MOST_RANKS else None
        self._ranks.setdefault(rank, ProcessLog(self.name, self.path, rank=rank)).fault(fault)

    def finish(self) -> Iterable[ProcessLog]:
        if self._begun:
            self._tell(self._begun, DeviceFault("rocr", None, line=self._begun.text.strip()))
        if self._announced and not any(log.faults for log in self._ranks.values()):
            self._log.fault(self._announced)
        return self._ranks.values()


def _access_fault(line: LogLine) -> DeviceFault | None:
    begun = _FAULT.search(line.text)
    if begun is None:
        return None
    rest = line.text[begun.end() :]
    where, why = _ON_ADDRESS.search(rest), _REASON.search(rest)
    if where is None and not line.cut and " (Agent handle" not in rest:
        return None  # somebody speaks of such a line
    # Of an address at the end of a cut line digits may be missing.
    whole = where is not None and not (line.cut and where.end() == len(rest))
    return DeviceFault(
        source="rocr",
        address=address(where[1]) if where and whole else None,
        reason=why[1].strip() if why else None,
        pid=speaker_of(line.text[: begun.start()]).pid or None,
        line=line.text[begun.start() :].strip(),
    )


def _exception(line: LogLine) -> DeviceFault | None:
    found = _EXCEPTION.search(line.text)
    if found is None:
        return None
    return DeviceFault("rocr", None, reason=found[1].strip(), line=found[0].strip())


def _by_tinygrad(line: LogLine) -> DeviceFault | None:
    found = _BY_TINYGRAD.search(line.text)
    if found is None:
        return None
    where = address(found[1]) if found[1] else None
    return DeviceFault("rocr", where, reason=(found[2] or found[3]).strip(), line=found[0].strip())
