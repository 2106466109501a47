"""Reads code objects: the metadata note, and what the machine code looks like."""

from __future__ import annotations

import io
import shutil
import struct
import subprocess
from pathlib import Path
from typing import Any

import msgpack
from elftools.elf.elffile import ELFFile
from elftools.elf.segments import NoteSegment


def metadata(code: bytes) -> dict[str, Any]:
    """The AMDGPU metadata note, read from the program headers as a loader does."""
    for segment in ELFFile(io.BytesIO(code)).iter_segments():
        if isinstance(segment, NoteSegment):
            for owner, kind, descriptor in _notes(segment.data()):
                if owner == b"AMDGPU\0" and kind == 32:
                    found: dict[str, Any] = msgpack.unpackb(descriptor)
                    return found
    raise AssertionError("no AMDGPU metadata note")


def _notes(data: bytes) -> list[tuple[bytes, int, bytes]]:
    notes = []
    at = 0
    while at + 12 <= len(data):
        name_size, descriptor_size, kind = struct.unpack_from("<III", data, at)
        name_at = at + 12
        descriptor_at = name_at + (name_size + 3) // 4 * 4
        notes.append(
            (
                data[name_at : name_at + name_size],
                kind,
                data[descriptor_at : descriptor_at + descriptor_size],
            )
        )
        at = descriptor_at + (descriptor_size + 3) // 4 * 4
    return notes


def kernels(code: bytes) -> dict[str, dict[str, Any]]:
    """The kernels of the note, by name."""
    return {kernel[".name"]: kernel for kernel in metadata(code)["amdhsa.kernels"]}


def explicit_arguments(kernel: dict[str, Any]) -> list[tuple[int, int, str, str | None]]:
    return [
        (arg[".offset"], arg[".size"], arg[".value_kind"], arg.get(".address_space"))
        for arg in kernel[".args"]
        if not arg[".value_kind"].startswith("hidden_")
    ]


def exported_symbols(code: bytes) -> set[str]:
    table = ELFFile(io.BytesIO(code)).get_section_by_name(".dynsym")
    return {symbol.name for symbol in table.iter_symbols() if symbol["st_shndx"] != "SHN_UNDEF"}


def instructions_of_entry(code: bytes, kernel: str, folder: Path) -> list[str]:
    """The disassembled entry function of an extern "C" kernel, one instruction a line."""
    objdump = shutil.which("objdump")
    assert objdump
    path = folder / "code_object.so"
    path.write_bytes(code)
    listing = subprocess.run(
        [objdump, "-d", "--no-show-raw-insn", str(path)], capture_output=True, text=True, check=True
    ).stdout
    lines: list[str] = []
    inside = False
    for line in listing.splitlines():
        if line.endswith(">:"):
            inside = f"_Z{len(kernel)}{kernel}E" in line and "5entryE" in line
        elif inside and "\t" in line:
            lines.append(line.split("\t", 1)[1])
    assert lines, f"no entry function of {kernel}"
    return lines
