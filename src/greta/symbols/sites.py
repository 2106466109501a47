"""Call sites: from the numbers of a recording to functions, files and lines.

    resolver = SiteResolver(process.tables.libraries)
    site = resolver.native(event.site, event.begin_ticks)
    frames = script_frames(process.tables.scripts[event.script_id])
    own = user_frame(frames)

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
import shutil
import subprocess
import weakref
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass
from enum import Enum
from pathlib import Path, PurePath
from typing import Protocol

import greta
from greta.recording.tables_json import ScriptEntry
from greta.symbols.dwarf_lines import DwarfLines
from greta.symbols.elf_file import ElfFile
from greta.symbols.python_lines import line_of_instruction

PROGRAMS = ("c++filt", "llvm-cxxfilt")
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
        program = next(filter(None, map(shutil.which, PROGRAMS)), None)
        if program is None:
            raise FileNotFoundError
        process = subprocess.Popen(
            [program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        weakref.finalize(self, _end, process)
        resource.prlimit(process.pid, resource.RLIMIT_AS, (MEMORY_LIMIT, MEMORY_LIMIT))
        self._process = process
        return process


def _exchange(process: Process, name: str) -> str:
    """One name in, one line out."""
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


class Library(Protocol):
    """Code between two addresses, from `since` on; `base` is what to subtract from an address."""

    @property
    def path(self) -> str: ...  # noqa: D102
    @property
    def begin(self) -> int: ...  # noqa: D102
    @property
    def end(self) -> int: ...  # noqa: D102
    @property
    def base(self) -> int: ...  # noqa: D102
    @property
    def build_id(self) -> str: ...  # noqa: D102
    @property
    def since(self) -> int: ...  # noqa: D102


class SiteProblem(Enum):
    """Why a site has no function or line."""

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

    def __init__(self, libraries: Iterable[Library]) -> None:
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
        key = (address, self.era(ticks))
        if key not in self._sites:
            self._sites[key] = self._resolve(*key)
        return self._sites[key]

    def era(self, ticks: int | None) -> int:
        """How often libraries had been unloaded by then."""
        return len(self.changes) if ticks is None else bisect_right(self.changes, ticks)

    def _library_of(self, call: int, era: int) -> Library | None:
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


def line_in(file: Path, address: int) -> tuple[str, int] | None:
    """File and line of an instruction, by the addresses of the file; None if it does not say."""
    try:
        with closing(ElfFile(file)) as opened:
            return DwarfLines(opened).find(address)
    except Exception:  # what damaged files make the parsers raise is anything
        return None


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


def user_frame(frames: Sequence[ScriptLine]) -> ScriptLine | None:
    """The innermost line of the user's own code: not of AMD's bindings and not of ours.

    Where all of it is ours, as in our engine, the line that means something: not a wrapper's.
    """
    own = (frame for frame in frames if not _is_library_code(frame.file))
    others = (frame for frame in frames if not _is_wrapper(frame.file))
    return next(own, None) or next(others, None)


_PACKAGE_FOLDERS = {"site-packages", "dist-packages"}
_OWN_FOLDER = os.path.dirname(greta.__file__) + os.sep  # noqa: PTH120 - compared with texts


def _is_wrapper(file: str) -> bool:
    # Recordings of older releases have the workload beside the engine.
    wrappers = {
        ("greta", "hip"),
        ("engine", "workload"),
        ("greta", "workload"),
        ("rocm", "bindings"),
    }
    return bool(wrappers & set(itertools.pairwise(PurePath(file).parts)))


def _is_library_code(file: str) -> bool:
    parts = PurePath(file).parts
    installed = any(
        folder in _PACKAGE_FOLDERS and package in ("rocm", "greta")
        for folder, package in itertools.pairwise(parts)
    )
    return installed or file.startswith(_OWN_FOLDER)
