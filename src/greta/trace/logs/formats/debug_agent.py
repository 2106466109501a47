"""The ROCr debug agent (librocm-debug-agent.so.2): waves that stopped, and where in the code.

    System event (HSA_AMD_GPU_MEMORY_FAULT_EVENT: page not present or supervisor privilege)
    Faulting page: 0x7fbe4cc01000
    wave_1: pc=0x7f..d0e8 (kernel_code_entry=0x7f..d000 <add(int*)>, kernargs=0x7f..) (stopped, ...
    Disassembly for function add(int*):
    /src/add.cpp:
    55        c[gid] = a[gid];
        0x7fd4f100d0c4 <+196>:    s_waitcnt vmcnt(0)
    =>  0x7fd4f100d0c8 <+200>:    global_store_dword v[0:1], v2, off

A memory fault does not say which wave caused it, and several waves stop for it: of these the kernel
counts if they all ran the same one. Unless the agent was told to be precise, the counter may stand
behind the instruction that faulted: its line is where to look, not what is accused.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from greta.trace.evidence import DeviceFault, Message
from greta.trace.logs.lines import LogLine, address, message_of, prefixes
from greta.trace.logs.logged import LogFormat, ProcessLog
from greta.trace.trace import Gap

_STARTS: Final = ("System event (HSA_", "Queue error (HSA_", "Faulting page: 0x", "wave_")
_HEX: Final = r"0x([0-9a-f]{1,16})"
_EVENT: Final = re.compile(r"(System event|Queue error) \(HSA_([A-Z_]{1,80}): ?(.{0,400}?)\)?$")
_PAGE: Final = re.compile(rf"Faulting page: {_HEX}$")
_WAVE: Final = re.compile(
    rf"wave_(\d{{1,19}}): pc={_HEX}"
    rf"(?: \(kernel_code_entry=(?:not available|{_HEX}(?: <(.{{1,4096}})>)?, kernargs=0x\w+)\))?"
    r" \((?:running|stopped, reason: ([A-Z0-9_|]{1,400}))\)$"
)
_FUNCTION: Final = re.compile(r"Disassembly(?: for function (.{1,4096}))?:$")
_FILE: Final = re.compile(r"(\S.{0,4000}\.\w{1,10}):$")
_SOURCE: Final = re.compile(r"(\d{1,7})\s+\S")
_HERE: Final = re.compile(rf"=>\s{{1,8}}{_HEX}(?: <[+-]\d{{1,12}}>)?:\s{{1,8}}(.{{1,400}})$")
_CODE: Final = re.compile(rf"{_HEX}(?: <[+-]\d{{1,12}}>)?:\s|code object: |loaded at: |\.\.\.$")
_REGISTERS: Final = re.compile(r"(?:\w{1,20}: (?:\[\d+\] )?[0-9a-f]{8,16}\b|0x[0-9a-f]{4,16}: )")
_TITLES: Final = re.compile(r"\w+ registers:$|Local memory content|Global memory \(|-{20,}$")
_END: Final = "End of disassembly."
_MEMORY: Final = ("MEMORY_VIOLATION", "ADDRESS_ERROR")
_HARMLESS: Final = {"NONE", "DEBUG_TRAP", "BREAKPOINT", "WATCHPOINT", "SINGLE_STEP"}
_MOST_WAVES: Final = 100_000


@dataclass
class _Wave:
    line: LogLine
    pc: int
    kernel: str | None
    reason: str
    place: tuple[str, int] | None = None
    instruction: str = ""

    @property
    def words(self) -> str:
        at = f" at {self.place[0]}:{self.place[1]}" if self.place else ""
        of = f" of {self.kernel}" if self.kernel else ""
        code = f": {self.instruction}" if self.instruction else ""
        return f"a wave{of} stopped, {self.reason}, pc {self.pc:#x}{at}{code}"


class DebugAgent(LogFormat):
    """Faults of waves; what only runs is no fault."""

    name = "debug_agent"
    needles = _STARTS

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._event: DeviceFault | None = None
        self._waves: list[_Wave] = []
        self._file: str | None = None
        self._line = 0
        self._in_code = False
        self._prefixes = 0
        """How many a launcher put before each line."""

    def take(self, line: LogLine) -> bool:
        line = line._replace(text=self._without_prefixes(line.text))
        text = line.text.strip()
        if found := _EVENT.match(text):
            reason = f"{found[2]}: {found[3]}"
            self._event = DeviceFault("debug_agent", None, reason=reason, line=text)
            self.follows = True
        elif (found := _PAGE.match(text)) and not line.cut:
            event = self._event or DeviceFault("debug_agent", None, line=text)
            self._event = replace(event, address=address(found[1]))
        elif (found := _WAVE.match(text)) and not line.cut:
            self._begin(line, found)
        else:
            return self.follows and self._below(line, text)
        self._log.counts["lines"] += 1
        return True

    def _without_prefixes(self, text: str) -> str:
        count, end = prefixes(text, _STARTS)
        if text.startswith(_STARTS, end):
            self._prefixes = count
            return text[end:]
        return message_of(text, most=self._prefixes)

    def _begin(self, line: LogLine, found: re.Match[str]) -> None:
        self._log.counts["waves"] += 1
        self.follows, self._in_code, self._file = True, False, None
        wave = _Wave(line, int(found[2], 16), found[4], found[5] or "NONE")
        if len(self._waves) < _MOST_WAVES:
            self._waves.append(wave)

    def _below(self, line: LogLine, text: str) -> bool:
        """A line of the dump under a wave."""
        wave = self._waves[-1] if self._waves else None
        if wave and (found := _FUNCTION.match(text)):
            self._in_code, self._file, self._line = True, None, 0
            wave.kernel = wave.kernel or found[1]
        elif wave and self._in_code and (found := _HERE.match(text)):
            wave.instruction = found[2].strip()
            wave.place = (self._file, self._line) if self._file and self._line else None
        elif text == _END:
            self._in_code = False
        elif self._in_code and (found := _SOURCE.match(line.text)):
            self._line = int(found[1])
        elif self._in_code and (found := _FILE.match(text)):
            self._file, self._line = found[1], 0
        elif not (_CODE.match(text) if self._in_code else _REGISTERS.match(text)):
            return _TITLES.match(text) is not None
        return True

    def finish(self) -> Iterable[ProcessLog]:
        stopped = [one for one in self._waves if set(one.reason.split("|")) - _HARMLESS]
        kinds = {(one.kernel, one.reason, one.pc): one for one in reversed(stopped)}
        for wave in reversed(kinds.values()):
            self._log.say(Message(self.name, wave.words, line=wave.line.number))
        faults = {(one.kernel, one.reason): _fault(one) for one in reversed(stopped)}
        for fault in self._with_event(list(reversed(faults.values()))):
            self._log.fault(fault)
        self._log.gaps[Gap.NO_RECORDING] = "the debug agent shows waves, and no HIP call"
        return [self._log]

    def _with_event(self, waves: list[DeviceFault]) -> list[DeviceFault]:
        """The page belongs to the waves that stopped for memory, if these are of one kernel."""
        event = self._event
        memory = [one for one in waves if any(word in (one.reason or "") for word in _MEMORY)]
        if event is None:
            return waves
        about = memory if "MEMORY_FAULT" in (event.reason or "") or event.address else waves
        if len(about) != 1:
            return [event, *waves]
        joined = replace(about[0], address=event.address, reason=event.reason or about[0].reason)
        return [joined if one is about[0] else one for one in waves]


def _fault(wave: _Wave) -> DeviceFault:
    return DeviceFault(
        "debug_agent",
        None,
        kernel=wave.kernel,
        reason=wave.reason,
        line=wave.line.text.strip(),
        place=wave.place,
    )
