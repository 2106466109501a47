"""A word of a record as the value that C passed."""

from __future__ import annotations

import re
import struct
from collections.abc import Callable
from functools import lru_cache

Value = int | float | str | None
Decoder = Callable[[int], int | float]

SIGNED_BITS = {
    "char": 8,
    "signed char": 8,
    "int8_t": 8,
    "short": 16,
    "int16_t": 16,
    "int": 32,
    "int32_t": 32,
    "hipDevice_t": 32,
    "long": 64,
    "long long": 64,
    "int64_t": 64,
    "ssize_t": 64,
    "ptrdiff_t": 64,
}
UNSIGNED_BITS = {
    "bool": 8,
    "unsigned char": 8,
    "uint8_t": 8,
    "unsigned short": 16,
    "uint16_t": 16,
    "unsigned": 32,
    "unsigned int": 32,
    "uint32_t": 32,
    "GLenum": 32,
    "GLuint": 32,
    "size_t": 64,
    "uint64_t": 64,
    "uintptr_t": 64,
    "unsigned long": 64,
    "unsigned long long": 64,
}


@lru_cache(maxsize=1024)
def decoder_of(c_type: str) -> Decoder:
    """How a word of a C type is read. Types that are not numbers are handles or enumerations."""
    plain = re.sub(r"\b(?:const|volatile)\b", "", c_type).strip()
    if plain == "float":
        return _float
    if plain == "double":
        return _double
    if plain in SIGNED_BITS:
        return _signed(SIGNED_BITS[plain])
    if plain in UNSIGNED_BITS:
        mask = (1 << UNSIGNED_BITS[plain]) - 1
        return lambda word: word & mask
    return _address if "*" in plain else _handle_or_enumeration


def _address(word: int) -> int:
    return word


def _signed(bits: int) -> Decoder:
    sign, mask = 1 << (bits - 1), (1 << bits) - 1
    return lambda word: ((word & mask) ^ sign) - sign


def _float(word: int) -> float:
    return float(struct.unpack("<f", struct.pack("<I", word & 0xFFFFFFFF))[0])


def _double(word: int) -> float:
    return float(struct.unpack("<d", struct.pack("<Q", word))[0])


def _handle_or_enumeration(word: int) -> int:
    """A handle is an address in user space; one with all upper bits set is a negative number."""
    return word - (1 << 64) if word >> 32 == 0xFFFFFFFF else word
