"""Streams that stand still until they are let go."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from greta.hip import Stream


@contextmanager
def held(*streams: Stream) -> Iterator[threading.Event]:
    """Nothing runs in the streams until the block ends, or sets what it is given."""
    release = threading.Event()
    for stream in streams:
        stream.call_on_host(lambda: _wait(release))
    try:
        yield release
    finally:
        release.set()
        for stream in streams:
            stream.synchronize()


def _wait(release: threading.Event) -> None:
    release.wait(30)
