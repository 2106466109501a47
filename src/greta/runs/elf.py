"""What an ELF file says of itself: build id, machine, how it is linked."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from elftools.elf.elffile import ELFFile
from elftools.elf.segments import NoteSegment

_MAGIC = b"\x7fELF"


@dataclass(frozen=True)
class Elf:
    """A readable ELF file."""

    machine: str
    build_id: str | None
    dynamic: bool
    """A loader starts it, and would preload what LD_PRELOAD names."""


def read_elf(path: Path) -> Elf | None:
    """None where the file is not ELF, or is damaged."""
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
