"""What is examined before a transfer is queued. A check gives the reason to refuse, or None."""

from __future__ import annotations

import math
import re
from typing import Any, NamedTuple

import numpy as np

from greta.engine.d2h.facts import UNKNOWN, Transfer
from greta.hip import Buffer, Event, Stream, inspection

_NAME = re.compile(r"[!-~]+")  # one word of printable ASCII: it stands in lines made of words


class Wish(NamedTuple):
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


def refusal(wish: Wish, transfer: Transfer) -> Refusal | None:
    """The first reason to refuse; None if all is right."""
    if reason := _wrong_labels(transfer) or _not_live(wish):
        return Refusal(reason)
    if reason := _out_of_bounds(wish):
        return Refusal(reason, out_of_bounds=True)
    reason = _wrong_form(wish) or _misaligned(wish, transfer) or _wrong_order(wish)
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


def _not_live(wish: Wish) -> str | None:
    if inspection.is_closed(wish.source):
        return "the buffer has been freed; keep it until its last transfer has arrived"
    if wish.source.nbytes and not wish.source.address:
        return "its address is null"
    if inspection.is_closed(wish.stream):
        return "the stream is closed"
    if wish.after is not None and inspection.is_closed(wish.after):
        return "the event to copy after is closed"
    return None


def _out_of_bounds(wish: Wish) -> str | None:
    begin, end = wish.offset, wish.offset + wish.nbytes
    if begin >= 0 and wish.nbytes >= 0 and end <= wish.source.nbytes:
        return None
    return f"bytes {begin} to {end} of a buffer that has {wish.source.nbytes} were asked for"


def _wrong_form(wish: Wish) -> str | None:
    if wish.dtype.hasobject:
        return f"{wish.dtype} holds Python objects, which a device cannot"
    if wish.nbytes == 0:
        return "there are no bytes to copy"
    if min(wish.shape, default=0) < 0:
        return f"shape {wish.shape} has a negative extent"
    needed = math.prod(wish.shape) * wish.dtype.itemsize
    if needed != wish.nbytes:
        return f"shape {wish.shape} of {wish.dtype} needs {needed} bytes, not {wish.nbytes}"
    return None


def _misaligned(wish: Wish, transfer: Transfer) -> str | None:
    alignment = wish.dtype.alignment
    if transfer.source % alignment:
        return f"{wish.dtype} must begin at a multiple of {alignment}; correct the offset"
    return None


def _wrong_order(wish: Wish) -> str | None:
    if inspection.is_capturing(wish.stream):
        return "the stream is being captured into a graph; copy after the graph was launched"
    if inspection.has_one_device():
        return None
    queue = inspection.device_of_stream(wish.stream)
    memory = inspection.device_of_memory(wish.source.address)
    if queue != memory:
        return f"the buffer is on device {memory}, the stream on device {queue}"
    return None
