"""One output stream of a program: passed through as it comes, and kept in a log."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import select
import struct
import subprocess
import termios
import threading
import time
from pathlib import Path

_CHUNK = 64 << 10
_LARGEST_PIPE = 1 << 20
# How long children of the program may hold its output open after it has ended. Its own output is
# in the pipe by then, so this is for what ends with it, as the parts of a shell's pipeline do.
_PATIENCE_SECONDS = 0.5
_SIZE = struct.Struct("4H")
_OUTPUT_FLAGS = 1


class OutputStream:
    """What the program writes to one of our file descriptors.

    A thread of its own for each: a reader that takes stderr but leaves stdout lying must not stop
    stderr. A pseudoterminal where ours is a terminal, else a pipe.
    """

    def __init__(
        self,
        name: str,
        target: int | None,
        log: Path,
        *,
        follow_children: bool = False,
        outlast_reader: bool = False,
    ) -> None:
        """`target`: where to pass it on; None if it is only kept.

        `outlast_reader`: whoever reads what is passed on may go; the program is not told.
        """
        self.name = name
        self.bytes = 0
        self.left_open = False
        self.followed = False
        self.problem: str | None = None
        self.at_line_start = True
        self.is_terminal = target is not None and os.isatty(target)
        self._target = self._terminal = target
        self._follow_children, self._outlast_reader = follow_children, outlast_reader
        self._log_path = log
        self._log: int | None = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
        self._source: int | None
        terminal = target if self.is_terminal else None
        self._source, self.given = os.pipe() if terminal is None else open_pseudoterminal(terminal)
        self._ended, self._end = os.pipe()
        self._pump = self._new_pump()

    def start(self) -> None:
        """Begins to pass on; the program has been started and has its end."""
        os.close(self.given)
        self._pump.start()

    def wait_beside(self) -> None:
        """In a forked process: nothing of the other one's waits for this one's end."""
        for descriptor in (self.given, self._ended, self._end):
            os.close(descriptor)
        self._ended, self._end = os.pipe()
        self._pump = self._new_pump()  # to Python, threads of before a fork have ended

    def take_up(self) -> None:
        """In that process, when the other one has gone."""
        self._pump.start()

    def join(self) -> None:
        """Returns when no writer is left."""
        self._pump.join()

    def hand_over(self) -> None:
        """Passes on what is there, and leaves the rest to another process."""
        os.close(self._end)
        self._pump.join()
        self._close()

    def finish(self) -> None:
        """Takes what is there; returns when all of it has been passed on."""
        os.close(self._end)
        self._pump.join()
        if self.left_open and self._follow_children and self._source is not None:
            log = None if self._log is None else self._log_path
            self.followed = follow(self._source, self._target, log)
        self._close()

    def abandon(self) -> None:
        os.close(self.given)
        os.close(self._end)
        self._close()

    def resize(self) -> None:
        if self._terminal is not None and self.is_terminal and self._source is not None:
            copy_size(self._terminal, self._source)

    def _new_pump(self) -> threading.Thread:
        return threading.Thread(
            target=self._run, args=(self._source,), name=f"greta {self.name}", daemon=True
        )

    def _close(self) -> None:
        for descriptor in (self._source, self._ended, self._log):
            if descriptor is not None:
                os.close(descriptor)
        self._source = self._log = None

    def _run(self, source: int) -> None:
        if not self._pass_on_until_the_end(source):
            self._pass_on_what_is_there(source)

    def _pass_on_until_the_end(self, source: int) -> bool:
        """False if somebody held the stream open for longer than is waited for."""
        poll = select.poll()
        poll.register(source, select.POLLIN)
        poll.register(self._ended, select.POLLIN)
        deadline: float | None = None
        while deadline is None or time.monotonic() < deadline:
            left = None if deadline is None else 1000 * (deadline - time.monotonic())
            ready = [descriptor for descriptor, _ in poll.poll(left)]
            if source in ready and not self._pass_on(source):
                return True
            if self._ended in ready:
                deadline = time.monotonic() + _PATIENCE_SECONDS
                poll.unregister(self._ended)
        return False

    def _pass_on_what_is_there(self, source: int) -> None:
        poll = select.poll()
        poll.register(source, select.POLLIN)
        # A child may write for ever; what the program itself wrote fits in the pipe.
        most = self.bytes + _LARGEST_PIPE
        while self.bytes < most and poll.poll(0):
            if not self._pass_on(source):
                return
        self.left_open = True

    def _pass_on(self, source: int) -> bool:
        """Moves one chunk; False at the end of the stream."""
        try:
            chunk = os.read(source, _CHUNK)
        except OSError as error:
            if error.errno != errno.EIO:  # a pseudoterminal's way to say that nobody has it open
                self.problem = self.problem or f"cannot be read: {error.strerror}"
            return False
        if not chunk:
            return False
        self.bytes += len(chunk)
        self.at_line_start = chunk.endswith(b"\n")
        self._keep(chunk)
        return self._show(chunk, source)

    def _keep(self, chunk: bytes) -> None:
        if self._log is None:
            return
        try:
            _write_all(self._log, chunk)
        except OSError as error:  # no space left; the program goes on
            self.problem = f"the log is not complete: {error.strerror}"
            os.close(self._log)
            self._log = None

    def _show(self, chunk: bytes, source: int) -> bool:
        if self._target is None:
            return True
        try:
            _write_all(self._target, chunk)
        except BrokenPipeError:
            if self._outlast_reader:
                self._target = None
                return True
            # Our reader has gone. Closing our end tells the program, as it would be told without
            # us, at its next write.
            os.close(source)
            self._source = None
            return False
        except OSError as error:
            self.problem = f"could not be passed on: {error.strerror}"
            self._target = None
        return True


def _write_all(descriptor: int, chunk: bytes) -> None:
    remaining = memoryview(chunk)
    while remaining:
        remaining = remaining[_write(descriptor, remaining) :]


def _write(descriptor: int, chunk: memoryview) -> int:
    try:
        return os.write(descriptor, chunk)
    except BlockingIOError:  # somebody made what we share with them non-blocking
        poll = select.poll()
        poll.register(descriptor, select.POLLOUT)
        poll.poll()
        return 0


def follow(source: int, target: int | None, log: Path | None) -> bool:
    """Starts `tee`, which ends when the last writer has gone or, as they do, with our reader.

    False where there is no tee. Signals for us are held back here and so in it, too: it must not
    end before those whose output it takes.
    """
    try:
        process = subprocess.Popen(
            ["tee", "-a", *([str(log)] if log else [])],
            stdin=source,
            stdout=subprocess.DEVNULL if target is None else target,
            stderr=subprocess.DEVNULL,  # a pseudoterminal's end is an error to it
            cwd="/",
            start_new_session=True,
        )
    except OSError:
        return False
    process.returncode = 0  # nobody waits for it
    return True


def open_pseudoterminal(terminal: int) -> tuple[int, int]:
    """A pseudoterminal like `terminal`: the end to read from, and the one for the program.

    It passes bytes on unchanged: that a line feed needs a carriage return is for the real terminal
    to know, and the log keeps what the program wrote.
    """
    reading, writing = os.openpty()
    with contextlib.suppress(termios.error):
        attributes = termios.tcgetattr(terminal)
        attributes[_OUTPUT_FLAGS] &= ~termios.OPOST
        termios.tcsetattr(writing, termios.TCSANOW, attributes)
    copy_size(terminal, reading)
    return reading, writing


def copy_size(terminal: int, pseudoterminal: int) -> None:
    """Gives the pseudoterminal the rows and columns of the terminal."""
    with contextlib.suppress(OSError):
        size = fcntl.ioctl(terminal, termios.TIOCGWINSZ, bytes(_SIZE.size))
        fcntl.ioctl(pseudoterminal, termios.TIOCSWINSZ, size)
