"""Copies as code without guard rails makes them: addresses, bytes, a kind, a stream."""

from __future__ import annotations

from typing import Any

from greta.hip import Buffer, PinnedBuffer, Stream
from greta.hip._bindings import call, hip


def kind(name: str) -> Any:
    """A hipMemcpyKind by the last part of its name, such as DeviceToHost."""
    return hip().hipMemcpyKind[f"hipMemcpy{name}"]


def to_host(
    target: PinnedBuffer, source: Buffer, stream: Stream, nbytes: int | None = None
) -> None:
    size = target.nbytes if nbytes is None else nbytes
    _queue(target.address, source.address, size, "DeviceToHost", stream)


def to_device(
    target: Buffer, source: PinnedBuffer, stream: Stream, nbytes: int | None = None
) -> None:
    size = source.nbytes if nbytes is None else nbytes
    _queue(target.address, source.address, size, "HostToDevice", stream)


def between(target: Buffer, source: Buffer, stream: Stream) -> None:
    size = min(target.nbytes, source.nbytes)
    _queue(target.address, source.address, size, "DeviceToDevice", stream)


def _queue(target: int, source: int, nbytes: int, name: str, stream: Stream) -> None:
    call("hipMemcpyAsync", target, source, nbytes, kind(name), stream.native)
