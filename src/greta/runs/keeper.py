"""What becomes of a recorded program if `greta run` is killed before it has ended.

It ends, as a rule. The system ends the program itself with us (greta.runs.child), but not what that
has started: nobody would wait for it, or keep what it writes. So a process beside us waits for our
end. Where the program is to live on (--keep-running), that process takes our place at its output.
"""

from __future__ import annotations

import contextlib
import os
import signal
import struct
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

from greta.runs.stream import OutputStream

_DONE: Final = b"."
_LEFT: Final = b"!"
_PID: Final = struct.Struct("<q")
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


class Successor:
    """A process that goes on with the output of a program when we are gone."""

    def __init__(self, streams: Sequence[OutputStream], tell: Callable[[int], None]) -> None:
        """To be made before the program is started. `tell` says of its process that it lives on."""
        wakes, self._holds = os.pipe()
        self._pid = os.fork()
        if self._pid == 0:
            os.close(self._holds)  # or our end would not be seen
            _succeed(wakes, streams, tell)
        os.close(wakes)

    def announce(self) -> None:
        """In the process of the program, right before that is executed: there is none without."""
        with contextlib.suppress(OSError):  # somebody has killed it
            os.write(self._holds, _PID.pack(os.getpid()))

    def take_over(self) -> None:
        """We go, and say so ourselves; nothing here reads the streams any more."""
        with contextlib.suppress(OSError):
            os.write(self._holds, _LEFT)
        os.close(self._holds)

    def dismiss(self) -> None:
        """The program has ended, or was never started."""
        with contextlib.suppress(OSError):  # somebody else was faster
            os.kill(self._pid, signal.SIGKILL)
            os.waitpid(self._pid, 0)
        os.close(self._holds)  # only now: it would take this for our end


def _succeed(wakes: int, streams: Sequence[OutputStream], tell: Callable[[int], None]) -> None:
    try:
        os.setsid()  # what ends our group does not end this
        for stream in streams:
            stream.wait_beside()
        program, word = os.read(wakes, _PID.size), os.read(wakes, 1)
        if len(program) == _PID.size:
            if word != _LEFT:
                with contextlib.suppress(OSError):  # the terminal has gone, too
                    tell(*_PID.unpack(program))
            for stream in streams:
                stream.take_up()
            for stream in streams:
                stream.join()
    finally:
        os._exit(0)


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
