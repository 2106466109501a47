"""What is known about a transfer: the facts that its checks, lines and errors share.

GretaError
 └── D2HError    transfer, reason, and the HipError beneath it if there was one
"""

from __future__ import annotations

import itertools
import weakref
from typing import NamedTuple

from greta.errors import ExitCode, GretaError
from greta.hip import Buffer, HipError
from greta.hip.inspection import number_of, root_of

OpId = int
AllocationNumber = int

UNKNOWN = -1  # the step or layer of a transfer that belongs to none, as the lines write it


class SourceAllocation(NamedTuple):
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
    allocation: SourceAllocation

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


_numbers = itertools.count(1)
_known: weakref.WeakKeyDictionary[Buffer, SourceAllocation] = weakref.WeakKeyDictionary()


def allocation_of(buffer: Buffer) -> SourceAllocation:
    """The allocation; the same buffer and its views always give the same one."""
    root = root_of(buffer)
    known = _known.get(root)
    if known is not None:
        return known
    allocation = SourceAllocation(next(_numbers), number_of(root), root.nbytes)
    return _known.setdefault(root, allocation)


MAYBE_EARLIER = (
    "the cause may be an earlier operation on the device, since errors surface at whatever call "
    "comes next: run it again with HIP_LAUNCH_BLOCKING=1, or under `greta run`, to find it"
)
THIS_CALL = "it was not tried again"


class D2HError(GretaError):
    """A transfer that was refused before anything was queued, or that failed; never retried.

    `error` is the HIP error of a failed transfer, and None of a refused one.
    """

    exit_code = ExitCode.FAULT

    def __init__(self, transfer: Transfer, reason: str, error: HipError | None = None) -> None:
        super().__init__(transfer, reason, error)
        self.transfer = transfer
        self.reason = reason
        self.error = error

    @property
    def refused(self) -> bool:
        """Nothing was queued."""
        return self.error is None

    def __str__(self) -> str:
        if self.error is None:
            return f"the D2H transfer of {self.transfer} was refused: {self.reason}"
        return f"the D2H transfer of {self.transfer} failed: {self.error}; {self.reason}"
