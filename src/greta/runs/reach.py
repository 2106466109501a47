"""Can a program reach HIP, by what its file says? The rule is in docs/recording.md.

A program that is linked with no HIP library, cannot load one and cannot start another program has
surely not used HIP. Of every other one that was not recorded it is not known.
"""

from __future__ import annotations

import mmap
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final, Literal

from elftools.elf.dynamic import DynamicSection, DynamicSegment
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

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
        interpreter = _interpreter(program)
        if interpreter is None:
            break
        program = interpreter
    try:
        return _of_elf(program)
    except Exception:  # pyelftools meets damage with errors of many kinds
        return "unknown"


def _interpreter(script: Path) -> Path | None:
    try:
        with script.open("rb") as file:
            start = file.read(256)
    except OSError:
        return None
    words = start[2:].split(b"\n")[0].split() if start.startswith(b"#!") else []
    return Path(os.fsdecode(words[0])) if words else None


def _of_elf(program: Path) -> Reach | None:
    with program.open("rb") as file:
        elf = ELFFile(file)
        if not any(segment["p_type"] == "PT_INTERP" for segment in elf.iter_segments()):
            return _of_static(file.fileno(), elf)
    found: set[Reach] = set()
    for library in _closure(program):
        found |= {library} if isinstance(library, str) else _by_imports(library)
    return _first(found)


def _first(found: set[Reach]) -> Reach | None:
    """The one that says most."""
    return next((reach for reach in _ORDER if reach in found), None)


def _closure(program: Path) -> Iterator[Path | Reach]:
    """Files that are loaded with it, and what is found out on the way."""
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
        return _by_names(set(_symbols(ELFFile(opened), imported=True)))


def _by_names(names: set[str]) -> set[Reach]:
    loads: set[Reach] = {"loads"} if names & _LOADING else set()
    return loads | ({"starts"} if names & _STARTING else set())


def _symbols(elf: ELFFile, *, imported: bool) -> Iterator[str]:
    """Of the dynamic linker, or of the file's own table."""
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
