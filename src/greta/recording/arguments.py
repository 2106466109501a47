"""The arguments of a call: words as C passed them, bytes behind pointers, values of a kernel."""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from greta.recording import _format as f
from greta.recording.entries import KernelEntry, KernelParameter
from greta.recording.files import Structs

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


KINDS = frozenset(f.PayloadKind) - {f.PayloadKind.FILLER}


@dataclass(frozen=True)
class Payload:
    """Bytes that belong to a call: kernel arguments, or what the pointer in a word points to."""

    kind: f.PayloadKind
    word: int
    data: bytes
    total: int

    @property
    def complete(self) -> bool:
        """Whether all of it was kept and could be read."""
        return len(self.data) == self.total

    @property
    def words(self) -> tuple[int, ...]:
        """As 64-bit words, as of an array."""
        whole = len(self.data) // 8 * 8
        return tuple(np.frombuffer(self.data[:whole], "<u8").tolist())


def join(continuations: Structs) -> list[Payload]:
    """Payloads, put together from their parts. A part that does not fit is left out."""
    found: dict[tuple[int, int], tuple[int, bytearray]] = {}
    for _, kind, word, used, offset, total, part in continuations.tolist():
        if kind not in KINDS or used > f.MORE_BYTES:
            continue
        whole, data = found.setdefault((kind, word), (total, bytearray()))
        if len(data) == offset and offset + used <= total == whole:
            data += bytes(part[:used])
    return [
        Payload(f.PayloadKind(kind), word, bytes(data), total)
        for (kind, word), (total, data) in found.items()
    ]


WORD = 8
Bytes = bytes  # a field of the class below has the name of the type


@dataclass(frozen=True)
class KernelArgument:
    """One argument: a number if it has up to 8 bytes, else its bytes; None if it was not kept.

    `pointers` are the words in it that may be addresses: its value, or any of the words of a struct
    that was passed by value.
    """

    offset: int
    bytes: int
    kind: str
    name: str
    value: int | Bytes | None
    pointers: tuple[int, ...]


def take_apart(data: bytes, kernel: KernelEntry | None) -> tuple[KernelArgument, ...]:
    """The arguments in order. Those of a kernel nobody knows are one block of bytes."""
    if kernel is None or not kernel.arguments:
        whole = KernelParameter(0, len(data), "unknown")
        return (_argument(data, whole),) if data else ()
    return tuple(_argument(data, parameter) for parameter in kernel.arguments)


def _argument(data: bytes, parameter: KernelParameter) -> KernelArgument:
    part = data[parameter.offset : parameter.offset + parameter.bytes]
    kept = len(part) == parameter.bytes
    value = None if not kept else part if len(part) > WORD else int.from_bytes(part, "little")
    return KernelArgument(
        offset=parameter.offset,
        bytes=parameter.bytes,
        kind=parameter.kind,
        name=parameter.name,
        value=value,
        pointers=tuple(_aligned_words(part, parameter.offset)) if kept else (),
    )


def _aligned_words(part: bytes, offset: int) -> Iterator[int]:
    """The 8-byte words that lie where an address could, which is at a multiple of 8."""
    for start in range(-offset % WORD, len(part) - WORD + 1, WORD):
        yield int.from_bytes(part[start : start + WORD], "little")
