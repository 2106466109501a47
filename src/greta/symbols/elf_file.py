"""Program files: their build id, sections and symbols, bounded so that no file can harm the reader.

pyelftools reads the headers; what may be long, symbols above all, is read with NumPy. DwarfBytes
reads within a section: no file can make it read past an end, or forever.
"""

from __future__ import annotations

import struct
import time
import zlib
from functools import cached_property
from pathlib import Path
from typing import IO, Any

import numpy as np
from elftools.elf.elffile import ELFFile
from numpy.typing import NDArray


class DwarfError(Exception):
    """The information makes no sense, or is of a kind that is not known."""


class Deadline:
    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds

    def check(self) -> None:
        if time.monotonic() > self._end:
            raise TimeoutError


class DwarfBytes:
    """A place in bytes; reading past the end is an error."""

    def __init__(self, content: bytes, at: int, end: int | None = None) -> None:
        self.content, self.at, self.end = content, at, len(content) if end is None else end

    def unsigned(self, width: int) -> int:
        return int.from_bytes(self.take(width), "little")

    def take(self, width: int) -> bytes:
        if not 0 <= width <= self.end - self.at:
            raise DwarfError("cut short")
        self.at += width
        return self.content[self.at - width : self.at]

    def length(self) -> tuple[int, int]:
        """The length at the beginning of a unit, and the width of offsets that it stands for."""
        length = self.unsigned(4)
        return (self.unsigned(8), 8) if length == 0xFFFFFFFF else (length, 4)

    def uleb(self) -> int:
        value = shift = 0
        while shift < 70:
            byte = self.unsigned(1)
            value |= (byte & 127) << shift
            if byte < 128:
                return value
            shift += 7
        raise DwarfError("a number is too long")

    def sleb(self) -> int:
        begin = self.at
        value = self.uleb()
        bits = 7 * (self.at - begin)
        return value - (1 << bits) if value >> (bits - 1) & 1 else value

    def text(self) -> bytes:
        end = self.content.find(b"\0", self.at, self.end)
        if end < 0:
            raise DwarfError("cut short")
        begin, self.at = self.at, end + 1
        return self.content[begin:end]


SECTIONS_LIMIT = 100_000
BYTES_LIMIT = 1 << 30  # of all sections that are read of one file, decompressed

_MOST_SYMBOLS = 4_000_000  # a compressed table may claim far more than its file has bytes
_MOST_PLACES_OF_NAME = 100_000
_SHF_COMPRESSED = 0x800
_COMPRESSED_WITH_ZLIB = 1
_NOTE_BUILD_ID = 3
_FILE_TYPE = 4  # STT_FILE
_FUNCTION_TYPES = (2, 10)  # STT_FUNC, STT_GNU_IFUNC
_SYMBOL = np.dtype(
    [
        ("name", "<u4"),
        ("info", "u1"),
        ("other", "u1"),
        ("section", "<u2"),
        ("value", "<u8"),
        ("size", "<u8"),
    ]
)


class UnreadableFileError(Exception):
    """The file is not what it should be."""


class ElfFile:
    """One file, held open. Its methods raise all that pyelftools raises on a damaged file."""

    def __init__(self, path: Path) -> None:
        self._stream: IO[bytes] = path.open("rb")
        try:
            self._bytes = path.stat().st_size
            self._left = BYTES_LIMIT
            self._sections: dict[str, bytes] = {}
            self._elf = self._open()
        except BaseException:
            self._stream.close()
            raise

    def close(self) -> None:
        self._stream.close()

    def _open(self) -> Any:
        elf = ELFFile(self._stream)
        if elf.elfclass != 64 or not elf.little_endian:
            raise UnreadableFileError("not a 64-bit little-endian file")
        if elf.num_sections() > SECTIONS_LIMIT or elf.num_segments() > SECTIONS_LIMIT:
            raise UnreadableFileError("too many sections")
        return elf

    @cached_property
    def build_id(self) -> str:
        """In hexadecimal; empty if the file has none."""
        # In a file that holds debug information alone, segments point to what is not there.
        if found := _build_id_in(self.section(".note.gnu.build-id")):
            return found
        segments = self._elf.iter_segments(type="PT_NOTE")
        notes = (_build_id_in(self._read(each["p_offset"], each["p_filesz"])) for each in segments)
        return next(filter(None, notes), "")

    def section(self, name: str) -> bytes:
        """What a section holds, decompressed; empty if there is none."""
        if name not in self._sections:
            self._sections[name] = self._read_section(name)
        return self._sections[name]

    def _read_section(self, name: str) -> bytes:
        section = self._elf.get_section_by_name(name)
        if section is None or section["sh_type"] == "SHT_NOBITS":
            return b""
        content = self._read(section["sh_offset"], section["sh_size"])
        if section["sh_flags"] & _SHF_COMPRESSED:
            content = _decompressed(content, self._left)
        self._left -= len(content)
        return content

    def _read(self, offset: int, size: int) -> bytes:
        if size > self._left or offset + size > self._bytes:
            raise UnreadableFileError("a part of the file is missing or too large")
        self._stream.seek(offset)
        return self._stream.read(size)

    def loaded(self, address: int, size: int) -> bytes:
        """What is at an address once the file is loaded; as much of it as one segment has."""
        for each in self._elf.iter_segments(type="PT_LOAD"):
            into = address - each["p_vaddr"]
            if 0 <= into < each["p_filesz"]:
                return self._read(each["p_offset"] + into, min(size, each["p_filesz"] - into))
        return b""

    @cached_property
    def symbols(self) -> FunctionSymbols:
        """All functions, or those that other files may use if the file was stripped."""
        table = FunctionSymbols(self.section(".symtab"), self.section(".strtab"))
        return table or FunctionSymbols(self.section(".dynsym"), self.section(".dynstr"))

    @cached_property
    def compiled_names(self) -> set[str]:
        """The files that were compiled, as the linker names them: without their folders."""
        table, names = self.section(".symtab"), self.section(".strtab")
        symbols = np.frombuffer(table[: len(table) // _SYMBOL.itemsize * _SYMBOL.itemsize], _SYMBOL)
        offsets = symbols["name"][symbols["info"] & 15 == _FILE_TYPE].tolist()
        texts = (names[at : names.find(b"\0", at)] for at in offsets)
        return {text.decode("utf-8", "surrogateescape") for text in texts if text}


def _build_id_in(notes: bytes) -> str:
    at = 0
    while at + 12 <= len(notes):
        name_bytes, content_bytes, kind = struct.unpack_from("<III", notes, at)
        name = at + 12
        content = name + (name_bytes + 3) // 4 * 4
        if kind == _NOTE_BUILD_ID and notes[name : name + name_bytes] == b"GNU\0":
            return notes[content : content + content_bytes].hex()
        at = content + (content_bytes + 3) // 4 * 4
    return ""


def _decompressed(content: bytes, limit: int) -> bytes:
    kind, _, size, _ = struct.unpack_from("<IIQQ", content)
    if kind != _COMPRESSED_WITH_ZLIB or not 0 < size <= limit:
        raise UnreadableFileError("a section is compressed in a way that cannot be read")
    return zlib.decompressobj().decompress(content[24:], size)


class FunctionSymbols:
    """Functions by address; false if there are none."""

    def __init__(self, table: bytes, names: bytes) -> None:
        whole = len(table) // _SYMBOL.itemsize * _SYMBOL.itemsize
        if whole > _MOST_SYMBOLS * _SYMBOL.itemsize:
            raise UnreadableFileError(f"the file has more than {_MOST_SYMBOLS:,} symbols")
        symbols = np.frombuffer(table[:whole], dtype=_SYMBOL)
        is_function = np.isin(symbols["info"] & 15, _FUNCTION_TYPES) & (symbols["section"] != 0)
        # Among the names of one address, the last in this order is kept: one with a size, global.
        functions = symbols[is_function]
        order = np.lexsort((functions["info"] >> 4, functions["size"] > 0, functions["value"]))
        self._functions = functions[order]
        self._variables = symbols[(symbols["info"] & 15 == 1) & (symbols["section"] != 0)]
        self._values: NDArray[np.uint64] = self._functions["value"]
        self._names = names

    def __len__(self) -> int:
        return len(self._functions)

    def find(self, address: int) -> str | None:
        """The linker's name of the function around an address; it ends at the next, or its size."""
        index = int(np.searchsorted(self._values, np.uint64(address), side="right")) - 1
        if index < 0:
            return None
        value, size = int(self._values[index]), int(self._functions["size"][index])
        if size and address >= value + size:
            return None
        return self._name(index) or None

    def place(self, name: str) -> tuple[int, int] | None:
        """Address and bytes of the function, or else of the variable, of that name."""
        wanted = name.encode("utf-8", "surrogateescape") + b"\0"
        offsets: list[int] = []
        at = self._names.find(wanted)
        while at >= 0 and len(offsets) < _MOST_PLACES_OF_NAME:  # it may end other names too
            offsets.append(at)
            at = self._names.find(wanted, at + 1)
        for symbols in (self._functions, self._variables):
            for index in np.flatnonzero(np.isin(symbols["name"], offsets))[:1]:
                return int(symbols["value"][index]), int(symbols["size"][index])
        return None

    def _name(self, index: int) -> str:
        begin = int(self._functions["name"][index])
        end = self._names.find(b"\0", begin, begin + 65536)
        name = self._names[begin:end] if end > begin else b""
        return name.decode("utf-8", "surrogateescape")
