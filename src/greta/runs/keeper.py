"""Ends what a recorded program started, if `greta run` is killed before it has ended.

The system ends the program itself with us (greta.runs.child), but not what that has started: nobody
would wait for it, or keep what it writes. So a process beside us waits for our end.
"""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

_DONE: Final = b"."
_DESCRIPTORS: Final = 1 << 16
_LOOKS: Final = 40
_PAUSE_SECONDS: Final = 0.05


@contextlib.contextmanager
def kept_together(mark: str) -> Iterator[None]:
    """To be entered before there are threads, and before there are pipes to the program.

    `mark`: NAME=VALUE, which only processes of this run have in their environment. What they leave
    behind when all is over is their own.
    """
    wakes, holds = os.pipe()  # what is executed gets neither
    keeper = os.fork()
    if keeper == 0:
        _keep(wakes, os.fsencode(mark))
    os.close(wakes)
    try:
        yield
    finally:
        with contextlib.suppress(OSError):  # somebody has killed it
            os.write(holds, _DONE)
        os.close(holds)
        with contextlib.suppress(ChildProcessError):
            os.waitpid(keeper, 0)


def _keep(wakes: int, mark: bytes) -> None:
    try:
        os.setsid()  # what ends our group does not end this
        os.closerange(0, wakes)
        os.closerange(wakes + 1, _DESCRIPTORS)
        if os.read(wakes, 1) != _DONE:
            _end_marked(mark)
    finally:
        os._exit(0)


def _end_marked(mark: bytes) -> None:
    """What is started meanwhile is found by looking again."""
    for _ in range(_LOOKS):
        numbers = [int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit()]
        ended = [_end_if_marked(number, mark) for number in numbers]
        if not any(ended):
            return
        time.sleep(_PAUSE_SECONDS)


def _end_if_marked(pid: int, mark: bytes) -> bool:
    try:
        process = os.pidfd_open(pid)  # so that no other one can get the number meanwhile
    except OSError:
        return False
    try:
        if mark not in Path(f"/proc/{pid}/environ").read_bytes().split(b"\0"):
            return False
        signal.pidfd_send_signal(process, signal.SIGKILL)
    except OSError:  # it has ended, or is not ours
        return False
    finally:
        os.close(process)
    return True
