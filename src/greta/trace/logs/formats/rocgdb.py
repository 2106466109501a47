"""A session of rocgdb in which a wave of the device got a signal.

    Thread 6 "a.out" received signal SIGSEGV, Segmentation fault.
    [Switching to thread 6, lane 0 (AMDGPU Lane 1:2:1:1/0 (0,0,0)[0,0,0])]
    0x00007ffff7e7d0e8 in rope_q (x=0x7ffe00000000, n=128) at rope.hip:41

Unless it was told to be precise, the debugger too shows where the wave was stopped, which may be
behind the access. A thread of the host that got a signal is nothing of the device's.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Final

from greta.trace.evidence import DeviceFault
from greta.trace.logs.lines import LogLine, message_of
from greta.trace.logs.logged import LogFormat

_SIGNAL: Final = re.compile(r'Thread \S{1,12} "[^"]{0,80}" received signal (SIG[A-Z]{2,6})\b')
_OF_A_WAVE: Final = re.compile(r"\[Switching to .{0,60}\(?AMDGPU (?:Lane|Wave|Thread) ")
_FRAME: Final = re.compile(
    r"(?:#0 {1,4})?(?:0x[0-9a-f]{1,16} in )?([^\s(][^(]{0,400}?(?:\(.{0,400}?\))?) \(.{0,1000}\)"
    r"(?: at (\S{1,1000}):(\d{1,7}))?"
)
_LINES_OF_ONE: Final = 8
_FAULTS: Final = ("SIGSEGV", "SIGBUS", "SIGABRT", "SIGILL", "SIGFPE")


class RocGdb(LogFormat):
    name = "rocgdb"
    needles = ("received signal SIG", "AMDGPU ")
    in_quotes = True

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._begun: tuple[LogLine, str] | None = None
        self._is_wave = False

    def take(self, line: LogLine) -> bool:
        text = message_of(line.text, ("Thread ", "[Switching", "0x", "#0")).strip()
        if found := _SIGNAL.match(text):
            self._begun = (line, found[1]) if found[1] in _FAULTS else None
            self._is_wave, self.follows = False, self._begun is not None
            return self.follows
        if self._begun is None or line.number > self._begun[0].number + _LINES_OF_ONE:
            self.follows = False
            return False
        if _OF_A_WAVE.match(text):
            self._is_wave = True
            signal = self._begun[1]
            self._log.fault(DeviceFault("rocgdb", None, reason=signal, line=self._begun[0].text))
            return True
        if self._is_wave and (found := _FRAME.fullmatch(text)):
            place = (found[2], int(found[3])) if found[2] else None
            fault = self._log.faults.pop()
            self._log.fault(replace(fault, kernel=found[1].strip(), place=place))
            self._begun, self.follows = None, False
            return True
        return False
