"""Where HIP's own inline functions were called from, once a compiler has put them in their callers.

`hipMalloc(&floats, n)` is a template of HIP's header that calls the function of the library: the
line of that call is the header's. The place that a user wrote is the one the template was called
from, which a compiler notes in .debug_info for each inlined copy.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from greta.symbols.dwarf_entries import DebugInfo, DwarfEntry, Range, ranges_of
from greta.symbols.elf_file import Deadline

# What looking through the units of one file may take, all of them together.
SECONDS_LIMIT = 30.0

_INLINED_SUBROUTINE = 0x1D
_NAME, _ABSTRACT_ORIGIN, _SPECIFICATION, _DECLARED_IN = 0x03, 0x31, 0x47, 0x3A
_CALL_FILE, _CALL_LINE = 0x58, 0x59
_ORIGINS_LIMIT = 8  # an inlined copy, the function, its declaration: there are not more

UnitOffset = int
FileNumber = int
FileOf = Callable[[UnitOffset, FileNumber], str]


# What stands on the host for a kernel, and is called by <<<>>>.
DEVICE_STUB = "__device_stub__"
HIP_NAME = re.compile("hip[A-Z]")
# What allocates in kernels: inline functions of clang's headers, which say by the lines of their
# code where they are; compilers that note lines alone leave out where a function is declared.
_MAKERS = ("malloc", "operator new", "operator new[]")
_HEADERS_OF_MAKERS = ("__clang_hip_runtime_wrapper.h", "new")


def is_header_of_hip(file: str) -> bool:
    """Whether a file is one of HIP's headers: as <hip/...>, so they lie in a folder of that name.

    It takes both, name and header: users have functions called hipMallocOrExit, too.
    """
    folders = PurePosixPath(file).parts[:-1]
    return folders[-1:] == ("hip",) or folders[-2:] == ("hip", "amd_detail")


@dataclass(frozen=True)
class WrapperCall:
    """An inlined copy of a wrapper: its code, and the place it was called from."""

    ranges: list[Range]
    file: FileNumber
    line: int
    makes: bool = False
    """Whether it is one of those that allocate in kernels, if its code is of clang's headers."""


class InlinedWrappers:
    """The inlined wrappers of one file. Its methods raise all that a damaged file can cause."""

    def __init__(self, info: DebugInfo, file_of: FileOf) -> None:
        self._info, self._file_of = info, file_of
        self._calls: dict[UnitOffset, list[WrapperCall]] = {}
        self._seconds_left = SECONDS_LIMIT

    def find(self, unit: UnitOffset, address: int, file: str = "") -> WrapperCall | None:
        """The wrapper that an address of a unit is in, the outermost if there are several.

        `file` has the line of that address, if that is known.
        """
        in_header = PurePosixPath(file).name in _HEADERS_OF_MAKERS
        if unit not in self._calls:
            self._calls[unit] = []  # should it fail, it is not tried again
            self._calls[unit] = self._read(unit)
        for call in self._calls[unit]:
            if call.makes and not in_header:
                continue
            if any(begin <= address < end for begin, end in call.ranges):
                return call
        return None

    def _read(self, unit: UnitOffset) -> list[WrapperCall]:
        began = time.monotonic()
        try:
            return list(self._wrapper_calls(unit, Deadline(self._seconds_left)))
        finally:
            self._seconds_left -= time.monotonic() - began

    def _wrapper_calls(self, offset: UnitOffset, deadline: Deadline) -> Iterator[WrapperCall]:
        unit = self._info.unit(offset, deadline)
        known: dict[int, tuple[bool, bool]] = {}
        for entry in unit.with_tag(_INLINED_SUBROUTINE, deadline):
            origin = entry.reference(_ABSTRACT_ORIGIN)
            if origin is None:
                continue
            if origin not in known:
                known[origin] = self._kind_of(entry, deadline)
            is_wrapper, makes = known[origin]
            file, line = entry.number(_CALL_FILE), entry.number(_CALL_LINE)
            if is_wrapper and file is not None and line is not None:
                yield WrapperCall(ranges_of(entry), file, line, makes)

    def _kind_of(self, inlined: DwarfEntry, deadline: Deadline) -> tuple[bool, bool]:
        """Whether it is a wrapper, and whether one that allocates in kernels.

        By the function it is a copy of, and the declaration of that, as far as they say more.
        """
        name, entry = "", inlined
        for _ in range(_ORIGINS_LIMIT):
            further = entry.reference(_ABSTRACT_ORIGIN) or entry.reference(_SPECIFICATION)
            if further is None:
                break
            deadline.check()
            entry = self._info.entry(further, entry.unit, deadline)
            name = name or (entry.text(_NAME) or b"").decode("utf-8", "replace")
            if name.startswith(DEVICE_STUB):
                return True, False
            if name in _MAKERS:
                return True, True
            if name and not HIP_NAME.match(name):
                return False, False
            number = entry.number(_DECLARED_IN)
            if name and number is not None:
                return is_header_of_hip(self._file_of(entry.unit.offset, number)), False
        return False, False
