"""Whoever asks a long command to end gets what it has so far, however he asks."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Iterator

_ASKS_TO_END = (signal.SIGTERM, signal.SIGHUP)


@contextlib.contextmanager
def ended_as_by_ctrl_c() -> Iterator[None]:
    """SIGTERM, and the end of the terminal, raise KeyboardInterrupt as Ctrl-C does."""
    heeded = [one for one in _ASKS_TO_END if signal.getsignal(one) is not signal.SIG_IGN]  # nohup
    before = {number: signal.signal(number, signal.default_int_handler) for number in heeded}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
