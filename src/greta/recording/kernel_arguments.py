"""The argument values of a kernel launch, taken apart as the kernel's entry says."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from greta.recording.entries import KernelEntry, KernelParameter

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
        pointers=tuple(_words(part, parameter.offset)) if kept else (),
    )


def _words(part: bytes, offset: int) -> Iterator[int]:
    """The 8-byte words that lie where an address could, which is at a multiple of 8."""
    for start in range(-offset % WORD, len(part) - WORD + 1, WORD):
        yield int.from_bytes(part[start : start + WORD], "little")
