"""The signal actions that this process was started with, for the program that it starts.

Python ignores SIGPIPE and SIGXFSZ for itself. We heed SIGCHLD also where we were started with it
ignored: nobody could wait for a child then, or learn how it ended.
"""

from __future__ import annotations

import signal

_IGNORED_BY_PYTHON = (signal.SIGPIPE, signal.SIGXFSZ)
_ignored: set[signal.Signals] = set()


def heed_children() -> None:
    """From now on children can be waited for."""
    if signal.getsignal(signal.SIGCHLD) is signal.SIG_IGN:
        _ignored.add(signal.SIGCHLD)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)


def give_back() -> None:
    """Right before a program takes the place of this process, or of its forked child."""
    for number in _IGNORED_BY_PYTHON:
        signal.signal(number, signal.SIG_DFL)
    for number in _ignored:
        signal.signal(number, signal.SIG_IGN)
