"""What the ELF file of a program says: build id, does it load the recorder, can it reach HIP.

The rule for what was not recorded is in docs/recording.md.
"""

from __future__ import annotations

import mmap
import os
import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final, Literal

from elftools.elf.dynamic import DynamicSection, DynamicSegment
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection
from elftools.elf.segments import NoteSegment

from greta.forensics.saying import Saying
from greta.runs.program import first_line

_MAGIC = b"\x7fELF"


@dataclass(frozen=True)
class Elf:
    machine: str
    build_id: str | None
    dynamic: bool
    """A loader starts it, and would preload what LD_PRELOAD names."""


def read_elf(path: Path) -> Elf | None:
    """None where the file is not ELF, or is damaged."""
    try:
        status = path.stat()
    except OSError:
        return None
    return _read_elf(path, status.st_ino, status.st_size, status.st_mtime_ns)


@lru_cache(maxsize=64)
def _read_elf(path: Path, *_version: int) -> Elf | None:
    """Once for each version of a file: of one run it is asked half a dozen times."""
    try:
        with path.open("rb") as file:
            if file.read(4) != _MAGIC:
                return None
            elf = ELFFile(file)
            dynamic = any(segment["p_type"] == "PT_INTERP" for segment in elf.iter_segments())
            return Elf(str(elf["e_machine"]), _build_id(elf), dynamic)
    except Exception:  # pyelftools meets damage with errors of many kinds, and none matters here
        return None


def _build_id(elf: ELFFile) -> str | None:
    # Segments, because sections can be stripped.
    for segment in elf.iter_segments():
        if isinstance(segment, NoteSegment):
            for note in segment.iter_notes():
                if note["n_type"] == "NT_GNU_BUILD_ID":
                    return str(note["n_desc"])
    return None


Reason = Literal["machine", "static", "rights"]
"""Why a program does not load the recorder."""


def why_not_loaded(program: Path) -> Reason | None:
    """None for a program that loads the recorder, or whose file does not tell."""
    elf = read_elf(program)
    if elf is None:
        return None
    if elf.machine != "EM_X86_64":
        return "machine"
    if not elf.dynamic:
        return "static"
    return "rights" if _runs_with_more_rights(program) else None


def why_nothing(program: Path) -> Saying:
    """What is known, or else what it may be; never a guess dressed up as knowledge."""
    elf, data = read_elf(program), {"program": str(program)}
    if elf is None:
        return Saying("nothing_no_elf", data)
    reason = why_not_loaded(program) or "called"
    return Saying(f"nothing_{reason}", {**data, "machine": elf.machine})


def _runs_with_more_rights(program: Path) -> bool:
    try:
        status = program.stat()
        capable = os.getuid() != 0 and "security.capability" in os.listxattr(program)
    except OSError:
        return False
    as_user = bool(status.st_mode & stat.S_ISUID) and status.st_uid != os.getuid()
    as_group = bool(status.st_mode & stat.S_ISGID) and status.st_gid != os.getgid()
    return as_user or as_group or capable


Reach = Literal["links", "loads", "starts", "unknown"]
"""Linked with HIP; can load libraries; can start programs; its file does not tell."""
_ORDER: Final[tuple[Reach, ...]] = ("links", "loads", "starts", "unknown")

_HIP: Final = re.compile(r"lib(amdhip64|hiprtc|hsa-runtime64|hsakmt)\b")
_HIP_BYTES: Final = (b"libamdhip64", b"libhsa-runtime64", b"/dev/kfd")
_LOADING: Final = frozenset(("dlopen", "dlmopen"))
_STARTING: Final = frozenset(
    (
        *("execve", "execv", "execvp", "execvpe", "execl", "execlp", "execle", "fexecve"),
        *("execveat", "posix_spawn", "posix_spawnp", "system", "popen"),
    )
)
_HARMLESS: Final = re.compile(
    r"(ld-linux.*|lib(c|m|dl|rt|pthread|resolv|util|nsl|stdc\+\+|gcc_s|selinux))\.so.*"
)
"""Libraries of the system that load and start only what belongs to them."""
_EXEC_IN_CODE: Final = re.compile(rb"\xb8(\x3b\x00|\x42\x01)\x00\x00|\x6a\x3b\x58")
"""Machine code that puts the number of execve or execveat where the kernel looks for it."""
_FOLDERS: Final = (
    *("/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu", "/lib64", "/usr/lib64"),
    *("/lib", "/usr/lib", "/usr/local/lib", "/lib/i386-linux-gnu", "/lib32"),
)
_MOST_INTERPRETERS: Final = 4
_MOST_LIBRARIES: Final = 256


def reach_of(program: Path) -> Reach | None:
    """Why it may have used HIP; None if it surely has not."""
    for _ in range(_MOST_INTERPRETERS):
        if words := first_line(program):
            program = Path(words[0])
    try:
        return _of_elf(program)
    except Exception:  # pyelftools meets damage with errors of many kinds
        return "unknown"


def _of_elf(program: Path) -> Reach | None:
    with program.open("rb") as file:
        elf = ELFFile(file)
        if not any(segment["p_type"] == "PT_INTERP" for segment in elf.iter_segments()):
            return _of_static(file.fileno(), elf)
    found: set[Reach] = set()
    for library in _closure(program):
        found |= {library} if isinstance(library, str) else _by_imports(library)
    return next((reach for reach in _ORDER if reach in found), None)  # the one that says most


def _closure(program: Path) -> Iterator[Path | Reach]:
    waiting, seen = [program], {program}
    while waiting:
        file = waiting.pop()
        yield file
        for name, folders in _needed(file):
            if _HIP.match(name):
                yield "links"
                continue
            library = next((f / name for f in folders if (f / name).is_file()), None)
            if library is None or len(seen) >= _MOST_LIBRARIES:
                yield "unknown"
            elif library not in seen and not _HARMLESS.fullmatch(name):
                seen.add(library)
                waiting.append(library)


def _needed(file: Path) -> list[tuple[str, list[Path]]]:
    with file.open("rb") as opened:
        elf = ELFFile(opened)
        dynamic = next((s for s in elf.iter_segments() if isinstance(s, DynamicSegment)), None)
        tags = list(dynamic.iter_tags()) if dynamic else []
        names = [tag.needed for tag in tags if tag.entry.d_tag == "DT_NEEDED"]
        paths = [tag.rpath for tag in tags if tag.entry.d_tag == "DT_RPATH"]
        paths += [tag.runpath for tag in tags if tag.entry.d_tag == "DT_RUNPATH"]
    origin = str(Path(os.path.realpath(file)).parent)
    given = [part for path in paths for part in path.split(":") if part]
    folders = [re.sub(r"\$(ORIGIN|\{ORIGIN\})", lambda _: origin, part) for part in given]
    return [(name, [Path(folder) for folder in (*folders, *_FOLDERS)]) for name in names]


def _by_imports(file: Path) -> set[Reach]:
    with file.open("rb") as opened:
        names = set(_symbols(ELFFile(opened), imported=True))
    loads: set[Reach] = {"loads"} if names & _LOADING else set()
    return loads | ({"starts"} if names & _STARTING else set())


def _symbols(elf: ELFFile, *, imported: bool) -> Iterator[str]:
    kind = "SHT_DYNSYM" if imported else "SHT_SYMTAB"
    for section in elf.iter_sections():
        if isinstance(section, SymbolTableSection) and section["sh_type"] == kind:
            for symbol in section.iter_symbols():
                if not imported or symbol["st_shndx"] == "SHN_UNDEF":
                    yield symbol.name
    if imported and not any(isinstance(s, DynamicSection) for s in elf.iter_sections()):
        segments = (s for s in elf.iter_segments() if isinstance(s, DynamicSegment))
        yield from (symbol.name for s in segments for symbol in s.iter_symbols())


def _of_static(file: int, elf: ELFFile) -> Reach | None:
    with mmap.mmap(file, 0, access=mmap.ACCESS_READ) as content:
        if any(content.find(text) >= 0 for text in _HIP_BYTES):
            return "links"
        # dlopen is in every program that has the C library in it; what it loads has a name, above.
        names = set(_symbols(elf, imported=False))
        starts = names & _STARTING if names else _EXEC_IN_CODE.search(content)
        return "starts" if starts else None
