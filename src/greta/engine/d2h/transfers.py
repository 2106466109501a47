"""The public object: where transfers are asked for."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from greta.engine.d2h.flight import Arrival, Flight, Traffic, settle_all
from greta.engine.d2h.staging import HostBlock, Staging, StagingFullError
from greta.engine.d2h.transfer import (
    UNKNOWN,
    CopyRequest,
    D2HError,
    Labels,
    Refusal,
    facts,
    failure,
    refusal,
)
from greta.engine.d2h.watch import Settings, Watch
from greta.errors import UsageError
from greta.hip import Array, Buffer, Event, HipError, Stream, current_device, inspection

Shape = int | tuple[int, ...]

STAGING_BYTES = 256 << 20


class Transfers:
    """Copies from the device to the host, by any thread and on any stream.

    `staging_bytes` bounds the pinned memory. Settings come from the environment unless given.

    >>> with Transfers() as transfers:                                # doctest: +SKIP
    ...     transfers.read(buffer, dtype=np.float32, stream=stream, tensor="logits", step=3)
    array([0., 1., 2., 3.], dtype=float32)
    """

    def __init__(
        self, *, staging_bytes: int = STAGING_BYTES, settings: Settings | None = None
    ) -> None:
        if staging_bytes <= 0:
            raise UsageError(f"staging needs more than {staging_bytes} bytes")
        self.settings = settings if settings is not None else Settings.from_environment()
        watch = None if self.settings.silent else Watch(self.settings)
        self._traffic = Traffic(Staging(staging_bytes), watch)
        self._default_stream = Stream.default()

    def to_host(
        self,
        source: Buffer,
        *,
        dtype: npt.DTypeLike,
        tensor: str,
        offset: int = 0,
        nbytes: int | None = None,
        shape: Shape | None = None,
        stream: Stream | None = None,
        after: Event | None = None,
        step: int | None = None,
        layer: int | None = None,
    ) -> Arrival:
        """Queues a copy of bytes from `offset` on: all, or so many as nbytes or shape say.

        It is ordered after the work that is on `stream` now (None: the default stream). If the
        producer is on another stream, record an event behind it and give it as `after`.
        """
        stream = self._default_stream if stream is None else stream
        request = _copy_request(source, int(offset), nbytes, dtype, shape, stream, after)
        labels = Labels(
            tensor, UNKNOWN if step is None else step, UNKNOWN if layer is None else layer
        )
        block = self._checked(request, labels)
        traffic = self._traffic
        flight = Flight(request, facts(request, labels, block.address), block, traffic)
        if self.settings.debug:
            if traffic.watch is not None:
                traffic.watch.checking(flight.transfer)
            flight.queue_in_debug_mode()
        else:
            flight.queue()
        return Arrival(flight, traffic)

    def read(self, source: Buffer, *, dtype: npt.DTypeLike, tensor: str, **asked: Any) -> Array:
        """As `to_host`, with the same arguments, and waits: an array of the caller's own."""
        return self.to_host(source, dtype=dtype, tensor=tensor, **asked).copy()

    def reserve(self, nbytes: int, blocks: int = 1) -> None:
        """Makes staging ahead of time: allocating is slow, and not allowed during a capture."""
        self._traffic.staging.reserve(nbytes, blocks, current_device())

    @property
    def staging_bytes(self) -> int:
        """Pinned memory in use, free blocks included."""
        return self._traffic.staging.nbytes

    def close(self) -> None:
        """Waits for all copies and frees the staging that no array has."""
        settle_all(self._traffic.open)
        self._traffic.collect(wait=True)
        self._traffic.staging.close()

    def __enter__(self) -> Transfers:
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        if error is None:
            self.close()
        else:
            settle_all(self._traffic.open)  # the first error is the one to see

    def _checked(self, request: CopyRequest, labels: Labels) -> HostBlock:
        """Staging for a transfer that may be queued; raises D2HError for all others."""
        refused: Refusal | None
        try:
            if (fault := inspection.device_fault()) is not None:
                raise fault
            refused = refusal(request, labels)
            if refused is None:
                return self._staging_for(request)
        except StagingFullError as full:
            refused = Refusal(str(full))
        except HipError as cause:
            error = failure(facts(request, labels), cause)
            if self._traffic.watch is not None:
                self._traffic.watch.failed(None, error, cause)
            raise error from cause
        error = D2HError(facts(request, labels), refused.reason)
        if self._traffic.watch is not None:
            self._traffic.watch.refused(error, out_of_bounds=refused.out_of_bounds)
        raise error

    def _staging_for(self, request: CopyRequest) -> HostBlock:
        traffic = self._traffic
        if traffic.dropped:
            traffic.collect(wait=False)
        device = 0 if inspection.has_one_device() else inspection.device_of_stream(request.stream)
        try:
            return traffic.staging.take(request.nbytes, device)
        except StagingFullError:
            traffic.collect(wait=True)
            return traffic.staging.take(request.nbytes, device)


def _copy_request(
    source: Buffer,
    offset: int,
    nbytes: int | None,
    dtype: npt.DTypeLike,
    shape: Shape | None,
    stream: Stream,
    after: Event | None,
) -> CopyRequest:
    kind = np.dtype(dtype)
    extents = (shape,) if isinstance(shape, int) else shape
    if nbytes is None:
        rest = source.nbytes - offset
        nbytes = math.prod(extents) * kind.itemsize if extents is not None else rest
    if extents is None:
        extents = (nbytes // max(kind.itemsize, 1),)
    begin = inspection.number_of(source) + offset
    return CopyRequest(source, offset, begin, nbytes, kind, extents, stream, after)
