"""Call sites: from the numbers of a recording to functions, files and lines.

    resolver = SiteResolver(process.tables.libraries)
    site = resolver.native(event.site, event.begin_ticks)
    frames = script_frames(process.tables.scripts[event.script_id])

Native sites are looked up in the program files themselves, if they are still those that ran. A file
that is damaged costs its own sites and nothing else. C++ names are demangled in another process:
there are names, made on purpose, whose readable form would fill the memory or take forever.
"""

from __future__ import annotations

import itertools
import os
import re
import resource
import select
import subprocess
import weakref
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from enum import Enum
from pathlib import Path, PurePath
from typing import Final

import greta
from greta.native_library import find_native_program
from greta.recording.tables_json import LibraryEntry, ScriptEntry
from greta.symbols.dwarf_lines import DwarfLines
from greta.symbols.elf_file import ElfFile

PROGRAM = "greta-demangle"
MANGLED = re.compile(r"_Z[\w.$@]+", re.ASCII)
NAME_LIMIT = 4096
READABLE_LIMIT = 16384
SECONDS_LIMIT = 5.0
MEMORY_LIMIT = 1 << 30

Process = subprocess.Popen[bytes]


class Demangler:
    """Translates names; one that cannot be translated stays as it is."""

    def __init__(self) -> None:
        self._known: dict[str, str] = {}
        self._process: Process | None = None
        self._gave_up = False

    def readable(self, name: str) -> str:
        """`foo::bar(int)` for `_ZN3foo3barEi`."""
        if not MANGLED.fullmatch(name) or len(name) > NAME_LIMIT:
            return name
        if name not in self._known and not self._gave_up:
            self._known[name] = self._ask(name)
        return self._known.get(name, name)

    def _ask(self, name: str) -> str:
        try:
            process = self._process or self._start()
            return _exchange(process, name)
        except (OSError, ValueError, TimeoutError):
            self._gave_up = True
            return name

    def _start(self) -> Process:
        program = find_native_program(PROGRAM)
        if program is None:
            raise FileNotFoundError
        process = subprocess.Popen(
            [program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        weakref.finalize(self, _end, process)
        resource.prlimit(process.pid, resource.RLIMIT_AS, (MEMORY_LIMIT, MEMORY_LIMIT))
        self._process = process
        return process


_UNNAMED: Final = ("(anonymous namespace)", "{anonymous}")
_OPERATOR: Final = re.compile(r"operator(?:\(\)|[^\w\s(]+)")
_CLONE: Final = re.compile(r" \[clone [^\]]*\]")


def short_name(name: str) -> str:
    """`foo::bar` for `void foo<int>::bar<4>(int*)`: without types, as people name a function."""
    if "<" not in name and "(" not in name:
        return name
    named = _CLONE.sub("", name).replace(_UNNAMED[0], _UNNAMED[1])
    kept, depth, at = "", 0, 0
    while at < len(named):
        operator = _OPERATOR.match(named, at)
        part = operator[0] if operator else named[at]
        at += len(part)
        depth += part in "<("
        kept += "" if depth else part
        depth -= part in ">)"
    if depth:
        return name  # it is not C++
    *_, short = kept.removesuffix(" const").rstrip().split(" ")
    return short.replace(_UNNAMED[1], _UNNAMED[0]) or name


def _exchange(process: Process, name: str) -> str:
    assert process.stdin is not None  # noqa: S101 - pipes, as asked for
    assert process.stdout is not None  # noqa: S101
    process.stdin.write(name.encode() + b"\n")
    process.stdin.flush()
    answer = b""
    while not answer.endswith(b"\n"):
        ready, _, _ = select.select([process.stdout], [], [], SECONDS_LIMIT)
        part = process.stdout.read1(READABLE_LIMIT) if ready else b""  # type: ignore[attr-defined]
        if not part or len(answer) > READABLE_LIMIT:
            raise TimeoutError
        answer += part
    return answer.decode("utf-8", "replace").rstrip("\n")


def _end(process: Process) -> None:
    process.kill()
    process.communicate()


# Where distributions put what they strip from their libraries.
DEBUG_FOLDER = Path("/usr/lib/debug/.build-id")


class SiteProblem(Enum):
    FILE_MISSING = "file_missing"
    FILE_CHANGED = "file_changed"  # it is not the one that ran
    FILE_UNREADABLE = "file_unreadable"


@dataclass(frozen=True)
class NativeSite:
    """Where a call was made, as far as the file says."""

    library: str
    offset: int  # of the return address, as the file counts
    function: str | None = None
    file: str | None = None
    line: int | None = None
    problem: SiteProblem | None = None


@dataclass(frozen=True)
class ScriptLine:
    """A frame of a Python stack; `line` is None where Python itself does not say."""

    file: str
    function: str
    line: int | None


class SiteResolver:
    """Resolves return addresses of one recorded process. Each file is read once."""

    def __init__(self, libraries: Iterable[LibraryEntry]) -> None:
        # Where one was unloaded and another came to the same place, the later one counts.
        self._libraries = list(libraries)[::-1]
        self._files: dict[tuple[str, str], _ProgramFile] = {}
        # Ticks at which libraries had been unloaded. Between two of them, an address is one place.
        self.changes = sorted({library.since for library in self._libraries} - {0})
        self._sites: dict[tuple[int, int], NativeSite | None] = {}
        self._demangler = Demangler()

    def native(self, address: int, ticks: int | None = None) -> NativeSite | None:
        """Where the call that returns to this address was made; None if no library is there.

        By the libraries that were loaded at that time, or else by the last ones.
        """
        return self.in_era(address, self.era(ticks))

    def in_era(self, address: int, era: int) -> NativeSite | None:
        """The same, by how often libraries had been unloaded."""
        key = (address, era)
        if key not in self._sites:
            self._sites[key] = self._resolve(*key)
        return self._sites[key]

    def era(self, ticks: int | None) -> int:
        """How often libraries had been unloaded by then."""
        return len(self.changes) if ticks is None else bisect_right(self.changes, ticks)

    def _library_of(self, call: int, era: int) -> LibraryEntry | None:
        latest = self.changes[era - 1] if era else 0
        there = (each for each in self._libraries if each.begin <= call < each.end)
        return next((each for each in there if each.since <= latest), None)

    def _resolve(self, address: int, era: int) -> NativeSite | None:
        # The call itself is before its return address, and may be the last of its function.
        call = address - 1
        library = self._library_of(call, era)
        if library is None:
            return None
        key = (library.path, library.build_id)
        if key not in self._files:
            self._files[key] = _ProgramFile(Path(library.path), library.build_id)
        file = self._files[key]
        offset = call - library.base
        function = file.function(offset)
        source, line = file.line(offset) or (None, None)
        return NativeSite(
            library=library.path,
            offset=offset + 1,
            function=self._demangler.readable(function) if function else None,
            file=source,
            line=line,
            problem=file.problem,
        )


class _ProgramFile:
    """A file and, where it was stripped, the file with what was taken from it.

    This is the one place that catches what damaged files make the parsers raise, which is anything.
    """

    def __init__(self, path: Path, build_id: str) -> None:
        self.problem: SiteProblem | None = None
        self._with_symbols: list[ElfFile] = []
        self._lines: list[DwarfLines] = []
        try:
            self._read(path, build_id)
        except (FileNotFoundError, NotADirectoryError):
            self.problem = SiteProblem.FILE_MISSING
        except Exception:
            self.problem = SiteProblem.FILE_UNREADABLE

    def _read(self, path: Path, build_id: str) -> None:
        if not path.is_file():  # as for the kernel's own library, which is no file
            raise FileNotFoundError
        with closing(ElfFile(path)) as file:
            if file.build_id != build_id:
                self.problem = SiteProblem.FILE_CHANGED
                return
            self._take(file)
        separate = DEBUG_FOLDER / build_id[:2] / f"{build_id[2:]}.debug"
        if not any(self._lines) and len(build_id) > 2 and separate.is_file():
            with closing(ElfFile(separate)) as file:
                if file.build_id == build_id:
                    self._take(file)

    def _take(self, file: ElfFile) -> None:
        """Read all that will be needed: the file may be gone tomorrow."""
        if len(file.symbols):
            self._with_symbols.append(file)
        self._lines.append(DwarfLines(file))

    def function(self, offset: int) -> str | None:
        """The function at an offset. The file with all symbols, if there is one, came last."""
        try:
            found = (file.symbols.find(offset) for file in reversed(self._with_symbols))
            return next(filter(None, found), None)
        except Exception:
            self.problem = SiteProblem.FILE_UNREADABLE
            return None

    def line(self, offset: int) -> tuple[str, int] | None:
        """File and line at an offset: of the code as written, not of HIP's inline functions."""
        try:
            found = next(filter(None, (lines.find(offset) for lines in self._lines)), None)
        except Exception:
            self.problem = SiteProblem.FILE_UNREADABLE
            return None
        return self._line_around_wrappers(offset) or found if found else None

    def _line_around_wrappers(self, offset: int) -> tuple[str, int] | None:
        try:
            found = (lines.find_around_wrappers(offset) for lines in self._lines)
            return next(filter(None, found), None)
        except Exception:
            return None  # the line that was found without it is still true


def line_in(file: Path, address: int, *, of_caller: bool = False) -> tuple[str, int] | None:
    """File and line of an instruction, by the addresses of the file; None if it does not say.

    `of_caller`: of malloc and its kin in the headers, not their own line but who calls them.
    """
    try:
        with closing(ElfFile(file)) as opened:
            lines = DwarfLines(opened)
            around = lines.find_around_wrappers(address) if of_caller else None
            return around or lines.find(address)
    except Exception:  # what damaged files make the parsers raise is anything
        return None


# The recorder cuts a table here; what lies beyond is not known.
LINE_TABLE_LIMIT = 64 * 1024

# No source file has more lines than this; a larger number comes from a corrupt table.
_LINE_LIMIT = 1 << 31

# The recorder writes the tables as they are (recording.h, "script"); they are decoded here, where
# time does not matter and where a table that makes no sense costs a line and nothing else.
# A run of instructions with one line: first byte, the byte after the last, the line if it has one.
LineRange = tuple[int, int, "int | None"]


def line_of_instruction(
    python: str, first_line: int, line_table: bytes, instruction: int
) -> int | None:
    """The line of the instruction at that byte offset; None if the table does not say.

    `python` is the version, such as "3.11".
    """
    read = _LINE_TABLES.get(python)
    if read is None or instruction < 0:
        return None
    for begin, end, line in read(first_line, line_table):
        if begin <= instruction < end:
            return line if line is not None and 0 <= line < _LINE_LIMIT else None
    return None


def _signed_byte(value: int) -> int:
    return value - 256 if value >= 128 else value


def _line_number_ranges(first_line: int, table: bytes) -> Iterator[LineRange]:
    """3.9, co_lnotab: pairs of bytes, by how much the instruction and then the line go on.

    The last line holds to the end of the code, whose length is not in the table.
    """
    begin, line = 0, first_line
    address = 0
    for at in range(0, len(table) - 1, 2):
        address += table[at]
        if address > begin:
            yield begin, address, line
            begin = address
        line += _signed_byte(table[at + 1])
    if len(table) < LINE_TABLE_LIMIT:
        yield begin, _LINE_LIMIT, line


def _line_ranges(first_line: int, table: bytes) -> Iterator[LineRange]:
    """3.10, co_linetable: pairs of bytes, the length of a range and by how much the line goes on.

    -128 stands for a range without a line.
    """
    begin, line = 0, first_line
    for at in range(0, len(table) - 1, 2):
        end = begin + table[at]
        delta = _signed_byte(table[at + 1])
        if delta != -128:
            line += delta
        yield begin, end, None if delta == -128 else line
        begin = end


def _location_ranges(first_line: int, table: bytes) -> Iterator[LineRange]:
    """3.11 and newer, co_linetable: entries of several bytes, the first of each with bit 7 set.

    CPython's Objects/locations.md draws them. Bits 0 to 2 of the first byte are the length in code
    units of two bytes, less one; bits 3 to 6 say what follows.
    """
    begin, line = 0, first_line
    at = 0
    while at < len(table):
        head = table[at]
        if head < 128:  # not the beginning of an entry: no sense can be made of the rest
            return
        kind = head >> 3 & 15
        if kind in (13, 14):
            delta = _signed_varint(table, at + 1)
            if delta is None:
                return
            line += delta
        elif 10 <= kind <= 12:
            line += kind - 10
        end = begin + 2 * ((head & 7) + 1)
        yield begin, end, None if kind == 15 else line
        begin = end
        at += 1
        while at < len(table) and table[at] < 128:
            at += 1


def _signed_varint(table: bytes, at: int) -> int | None:
    """Six bits a byte, lowest first, bit 6 where another follows; the lowest bit is the sign."""
    value = 0
    for shift in range(0, 36, 6):
        if at >= len(table) or table[at] >= 128:
            return None
        value |= (table[at] & 63) << shift
        if not table[at] & 64:
            return -(value >> 1) if value & 1 else value >> 1
        at += 1
    return None


_LINE_TABLES = {"3.9": _line_number_ranges, "3.10": _line_ranges} | dict.fromkeys(
    ("3.11", "3.12", "3.13", "3.14"), _location_ranges
)


def script_frames(entry: ScriptEntry) -> list[ScriptLine]:
    """The stack of a place in a Python program, innermost frame first."""
    return [
        ScriptLine(
            frame.file,
            frame.function,
            line_of_instruction(
                entry.python, frame.first_line, _bytes_of(frame.line_table), frame.instruction
            ),
        )
        for frame in entry.frames
    ]


def _bytes_of(digits: str) -> bytes:
    try:
        return bytes.fromhex(digits)
    except ValueError:
        return b""


_PYTHON = re.compile(r"python3(\.\d+)?t?|python3\d*\.zip")
_PACKAGE_FOLDERS = {"site-packages", "dist-packages"}
_OWN_FOLDER = os.path.dirname(greta.__file__) + os.sep  # noqa: PTH120 - compared with texts


def is_wrapper(file: str) -> bool:
    """Whether it is AMD's bindings or ours, which say nothing of the program."""
    # Recordings of older releases have the workload beside the engine.
    wrappers = {
        ("greta", "hip"),
        ("engine", "workload"),
        ("greta", "workload"),
        ("rocm", "bindings"),
    }
    return bool(wrappers & set(itertools.pairwise(PurePath(file).parts)))


def is_library_code(file: str) -> bool:
    """Whether a file is of an installed package, of Python itself, or ours."""
    parts = PurePath(file).parts
    installed = any(folder in _PACKAGE_FOLDERS for folder in parts)
    standard = any(
        folder == "lib" and _PYTHON.fullmatch(version)
        for folder, version in itertools.pairwise(parts)
    )
    return installed or standard or file.startswith((_OWN_FOLDER, "<frozen "))
