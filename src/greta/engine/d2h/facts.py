"""What is known about a transfer: the facts that its checks, lines and errors share."""

from __future__ import annotations

from typing import NamedTuple

OpId = int
AllocationNumber = int

UNKNOWN = -1  # the step or layer of a transfer that belongs to none, as the lines write it


class Allocation(NamedTuple):
    """The memory that a source is part of; numbered from 1 as transfers first meet them."""

    number: AllocationNumber
    address: int
    nbytes: int


class Transfer(NamedTuple):
    """One copy from the device to the host; `offset` counts from where the allocation begins."""

    tensor: str
    step: int
    layer: int
    source: int
    target: int  # 0 until there is staging for it
    offset: int
    nbytes: int
    stream: int
    allocation: Allocation

    def to(self, target: int) -> Transfer:
        """The same with staging; `_replace` would cost twice the calls of every copy."""
        return Transfer(*self[:4], target, *self[5:])

    def __str__(self) -> str:
        number, address, size = self.allocation
        return (
            f"{self.tensor!r} ({_at('step', self.step)}, {_at('layer', self.layer)}, "
            f"{self.nbytes} bytes from {self.source:#x}, at offset {self.offset} of allocation "
            f"{number} with {size} bytes at {address:#x}, to {self.target:#x}, "
            f"stream {self.stream:#x})"
        )


def _at(what: str, number: int) -> str:
    return f"no {what}" if number == UNKNOWN else f"{what} {number}"
