"""Symbols of files from outside: found by name, and bounded."""

from __future__ import annotations

import struct

import pytest

from greta.symbols import elf_file
from greta.symbols.elf_file import FunctionSymbols, UnreadableFileError

NAMES = b"\0kernel\0my_kernel\0kernel.kd\0"


def symbol(name: bytes, kind: int, value: int) -> bytes:
    return struct.pack("<IBBHQQ", NAMES.index(b"\0" + name + b"\0") + 1, 16 | kind, 0, 1, value, 64)


def test_a_name_is_found_among_names_that_end_with_it() -> None:
    rows = (symbol(b"my_kernel", 2, 0x200), symbol(b"kernel", 2, 0x100), symbol(b"kernel.kd", 1, 8))
    symbols = FunctionSymbols(b"".join(rows), NAMES)
    assert symbols.place("kernel") == (0x100, 64)
    assert symbols.place("my_kernel") == (0x200, 64)
    assert symbols.place("kernel.kd") == (8, 64)
    assert symbols.place("ernel") is None
    assert symbols.place("absent") is None


def test_more_symbols_than_any_program_has_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(elf_file, "_MOST_SYMBOLS", 2)
    table = symbol(b"kernel", 2, 0x100)
    assert len(FunctionSymbols(2 * table, NAMES)) == 2
    with pytest.raises(UnreadableFileError, match="symbols"):
        FunctionSymbols(3 * table, NAMES)
