"""The checks before a transfer is queued. Each returns the reason to refuse, or None."""

from __future__ import annotations

import math
import re
from typing import Any, NamedTuple

import numpy as np

from greta.engine.d2h.transfer import UNKNOWN, Transfer
from greta.hip import Buffer, Event, Stream, inspection

_NAME = re.compile(r"[!-~]+")  # one word of printable ASCII: it stands in lines made of words


class CopyRequest(NamedTuple):
    """What the caller asked for."""

    source: Buffer
    offset: int
    nbytes: int
    dtype: np.dtype[Any]
    shape: tuple[int, ...]
    stream: Stream
    after: Event | None


class Refusal(NamedTuple):
    """Why a transfer may not be queued."""

    reason: str
    out_of_bounds: bool = False


def refusal(request: CopyRequest, transfer: Transfer) -> Refusal | None:
    """The first reason to refuse; None if all is right."""
    if reason := _wrong_labels(transfer) or _not_live(request):
        return Refusal(reason)
    if reason := _out_of_bounds(request):
        return Refusal(reason, out_of_bounds=True)
    reason = _wrong_form(request) or _misaligned(request, transfer) or _wrong_order(request)
    return Refusal(reason) if reason else None


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


def _wrong_labels(transfer: Transfer) -> str | None:
    if not _NAME.fullmatch(transfer.tensor):
        return "the tensor's name must be one word of printable ASCII"
    if transfer.step < UNKNOWN or transfer.layer < UNKNOWN:
        return "step and layer must be 0 or more, or None"
    return None


def _not_live(request: CopyRequest) -> str | None:
    if inspection.is_closed(request.source):
        return "the buffer has been freed; keep it until its last transfer has arrived"
    if request.source.nbytes and not request.source.address:
        return "its address is null"
    if inspection.is_closed(request.stream):
        return "the stream is closed"
    if request.after is not None and inspection.is_closed(request.after):
        return "the event to copy after is closed"
    return None


def _out_of_bounds(request: CopyRequest) -> str | None:
    begin, end = request.offset, request.offset + request.nbytes
    if begin >= 0 and request.nbytes >= 0 and end <= request.source.nbytes:
        return None
    return f"bytes {begin} to {end} of a buffer that has {request.source.nbytes} were asked for"


def _wrong_form(request: CopyRequest) -> str | None:
    if request.dtype.hasobject:
        return f"{request.dtype} holds Python objects, which a device cannot"
    if request.nbytes == 0:
        return "there are no bytes to copy"
    if min(request.shape, default=0) < 0:
        return f"shape {request.shape} has a negative extent"
    needed = math.prod(request.shape) * request.dtype.itemsize
    if needed != request.nbytes:
        return (
            f"shape {request.shape} of {request.dtype} needs {needed} bytes, not {request.nbytes}"
        )
    return None


def _misaligned(request: CopyRequest, transfer: Transfer) -> str | None:
    alignment = request.dtype.alignment
    if transfer.source % alignment:
        return f"{request.dtype} must begin at a multiple of {alignment}; correct the offset"
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
