"""What is known about a transfer, and the checks before it is queued.

GretaError
 └── D2HError    transfer, reason, and the HipError beneath it if there was one
"""

from __future__ import annotations

import itertools
import math
import re
import weakref
from typing import Any, NamedTuple

import numpy as np

from greta.errors import ExitCode, GretaError
from greta.hip import Buffer, Event, HipError, Stream, inspection

OpId = int
AllocationNumber = int

UNKNOWN = -1  # the step or layer of a transfer that belongs to none, as the lines write it

MAYBE_EARLIER = (
    "the cause may be an earlier operation on the device, since errors surface at whatever call "
    "comes next: run it again with HIP_LAUNCH_BLOCKING=1, or under `greta run`, to find it"
)
THIS_CALL = "it was not tried again"

_NAME = re.compile(r"[!-~]+")  # one word of printable ASCII: it stands in lines made of words


class CopyRequest(NamedTuple):
    """What the caller asked for."""

    source: Buffer
    offset: int
    begin: int  # the address of the first byte
    nbytes: int
    dtype: np.dtype[Any]
    shape: tuple[int, ...]
    stream: Stream
    after: Event | None


class Labels(NamedTuple):
    """What the caller calls it."""

    tensor: str
    step: int
    layer: int


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
    target: int  # 0 if there is no staging for it
    offset: int
    nbytes: int
    stream: int
    allocation: SourceAllocation

    def __str__(self) -> str:
        number, address, size = self.allocation
        step = "no step" if self.step == UNKNOWN else f"step {self.step}"
        layer = "no layer" if self.layer == UNKNOWN else f"layer {self.layer}"
        return (
            f"{self.tensor!r} ({step}, {layer}, {self.nbytes} bytes from {self.source:#x}, at "
            f"offset {self.offset} of allocation {number} with {size} bytes at {address:#x}, to "
            f"{self.target:#x}, stream {self.stream:#x})"
        )


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


def failure(transfer: Transfer, cause: HipError) -> D2HError:
    """The error for a HIP call that failed; that call may be the messenger, and not the cause."""
    its_own = cause.call == "hipMemcpyAsync" and cause.code not in inspection.FAULTS
    return D2HError(transfer, THIS_CALL if its_own else MAYBE_EARLIER, cause)


def facts(request: CopyRequest, labels: Labels, target: int = 0) -> Transfer:
    """The transfer that a request asks for."""
    source, _, begin, nbytes, _, _, stream, _ = request
    allocation = _allocation_of(source)
    queue = inspection.number_of(stream)
    return Transfer(*labels, begin, target, begin - allocation[1], nbytes, queue, allocation)


_numbers = itertools.count(1)
_known: dict[weakref.ref[Buffer], SourceAllocation] = {}


def _allocation_of(buffer: Buffer) -> SourceAllocation:
    """The same buffer and its views always give the same one."""
    root = inspection.root_of(buffer)
    known = _known.get(weakref.ref(root))
    if known is not None:
        return known
    allocation = SourceAllocation(next(_numbers), inspection.number_of(root), root.nbytes)
    return _known.setdefault(weakref.ref(root, _known.pop), allocation)


class Refusal(NamedTuple):
    """Why a transfer may not be queued."""

    reason: str
    out_of_bounds: bool = False


def refusal(request: CopyRequest, labels: Labels) -> Refusal | None:
    """The first reason to refuse; None if all is right."""
    source, offset, _, nbytes, *_ = request
    if not _NAME.fullmatch(labels.tensor):
        return Refusal("the tensor's name must be one word of printable ASCII")
    if labels.step < UNKNOWN or labels.layer < UNKNOWN:
        return Refusal("step and layer must be 0 or more, or None")
    if reason := _not_live(request):
        return Refusal(reason)
    if not 0 <= offset <= offset + nbytes <= source.nbytes:
        asked = f"bytes {offset} to {offset + nbytes} of a buffer that has {source.nbytes}"
        return Refusal(f"{asked} were asked for", out_of_bounds=True)
    reason = _wrong_form(request) or _wrong_order(request)
    return Refusal(reason) if reason else None


def _not_live(request: CopyRequest) -> str | None:
    source, offset, begin, _, _, _, stream, after = request
    if inspection.is_closed(source):
        return "the buffer has been freed; keep it until its last transfer has arrived"
    if begin == offset and source.nbytes:
        return "its address is null"
    if inspection.is_closed(stream):
        return "the stream is closed"
    if after is not None and inspection.is_closed(after):
        return "the event to copy after is closed"
    return None


def _wrong_form(request: CopyRequest) -> str | None:
    _, _, begin, nbytes, dtype, shape, _, _ = request
    if dtype.hasobject:
        return f"{dtype} holds Python objects, which a device cannot"
    if nbytes == 0:
        return "there are no bytes to copy"
    if min(shape, default=0) < 0:
        return f"shape {shape} has a negative extent"
    needed = math.prod(shape) * dtype.itemsize
    if needed != nbytes:
        return f"shape {shape} of {dtype} needs {needed} bytes, not {nbytes}"
    if begin % dtype.alignment:
        return f"{dtype} must begin at a multiple of {dtype.alignment}; correct the offset"
    return None


def _wrong_order(request: CopyRequest) -> str | None:
    if inspection.is_capturing(request.stream):
        return "the stream is being captured into a graph; copy after the graph was launched"
    if inspection.has_one_device():
        return None
    queue = inspection.device_of_stream(request.stream)
    memory = inspection.device_of_memory(request.source.address)
    if queue != memory:
        return f"the buffer is on device {memory}, the stream on device {queue}"
    return None


def contradiction(transfer: Transfer) -> str | None:
    """What the runtime knows otherwise than we do (debug mode: it costs two more calls)."""
    if not inspection.is_device_memory(transfer.source):
        return f"HIP does not know {transfer.source:#x} as device memory"
    base, nbytes = inspection.live_range(transfer.source)
    if transfer.source + transfer.nbytes > base + nbytes:
        return (
            f"HIP's allocation at {base:#x} has {nbytes} bytes, and the transfer would read up to "
            f"byte {transfer.source + transfer.nbytes - base}"
        )
    return None
