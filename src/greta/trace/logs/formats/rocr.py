"""ROCr, the HSA runtime: the lines that it writes before it aborts the process.

Memory access fault by GPU node-4 (Agent handle: 0x152e220) on address (nil). Reason: ...
HW Exception by GPU node-4 (Agent handle: 0x1ebc04e0) reason :GPU Hang
"""

from __future__ import annotations

import re
from typing import Final

from greta.trace.evidence import DeviceFault
from greta.trace.logs.lines import LogLine, address
from greta.trace.logs.logged import LogFormat

_FAULT: Final = re.compile(r"Memory access fault by GPU node-\d{1,9}\b")
_ADDRESS: Final = re.compile(r" on address (\(nil\)|(?:0x)?[0-9a-fA-F]{1,16})(?![0-9a-fA-F])")
_REASON: Final = re.compile(r"Reason: ([^.]{1,200})")
_EXCEPTION: Final = re.compile(r"HW Exception by GPU node-\d{1,9}\b.{0,80}?reason ?: ?(.{1,200})")


class Rocr(LogFormat):
    """Faults; the address is that of a page."""

    name = "rocr"
    needles = ("by GPU node-",)

    def take(self, line: LogLine) -> bool:
        fault = _memory_fault(line) or _exception(line)
        if fault is None:
            return False
        self._log.fault(fault)
        return True


def _memory_fault(line: LogLine) -> DeviceFault | None:
    begun = _FAULT.search(line.text)
    if begun is None:
        return None
    rest = line.text[begun.end() :]
    where, why = _ADDRESS.search(rest), _REASON.search(rest)
    # Of an address at the end of a cut line digits may be missing.
    whole = where is not None and not (line.cut and where.end() == len(rest))
    return DeviceFault(
        source="rocr",
        address=address(where[1]) if where and whole else None,
        reason=why[1].strip() if why else None,
        line=line.text[begun.start() :].strip(),
    )


def _exception(line: LogLine) -> DeviceFault | None:
    found = _EXCEPTION.search(line.text)
    if found is None:
        return None
    return DeviceFault("rocr", None, reason=found[1].strip(), line=found[0].strip())
