"""What this process was started with: signal actions, and standard streams that may be odd.

Python ignores SIGPIPE and SIGXFSZ for itself. We heed SIGCHLD also where we were started with it
ignored: nobody could wait for a child then, or learn how it ended. A program that we start gets the
actions that we were started with. Standard streams may be closed, full, or know fewer characters
than we write.
"""

from __future__ import annotations

import codecs
import errno
import io
import os
import signal
import sys
import unicodedata
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn

from greta.errors import UsageError
from greta.printable import without_controls

_IGNORED_BY_PYTHON = (signal.SIGPIPE, signal.SIGXFSZ)
_PLAIN = "greta_plain"
_LIKE = str.maketrans({"µ": "u", "—": "-", "·": "-", "…": "...", "Σ": "sum"})
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


def open_missing_descriptors(*, inheritable: bool = False) -> None:
    """Fills closed descriptors 0 to 2, or the next file that is opened would become one of them.

    What is meant for stderr would be written into it. `inheritable`: a child has them, too.
    """
    while (opened := os.open(os.devnull, os.O_RDWR)) <= 2:  # the lowest that is free
        os.set_inheritable(opened, inheritable)
    os.close(opened)


class _ClosedStdout(io.TextIOBase):
    """Stands where Python has None, so that only those who write notice."""

    def write(self, _text: str) -> NoReturn:
        raise OSError(errno.EBADF, "it is closed")


def _plain(error: UnicodeError) -> tuple[str, int]:
    """For a stream that knows fewer letters: without accents, or as an escape; none is lost."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    text = error.object[error.start : error.end].translate(_LIKE)
    letters = [
        one if one.isascii() else one.encode("ascii", "backslashreplace").decode()
        for one in unicodedata.normalize("NFKD", text)
        if not unicodedata.combining(one)
    ]
    return "".join(letters), error.end


def mend_standard_streams() -> None:
    """Makes the best of what we were started with."""
    open_missing_descriptors()
    if sys.stderr is None:
        sys.stderr = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 - for good
    if sys.stdout is None:
        sys.stdout = _ClosedStdout()
    codecs.register_error(_PLAIN, _plain)
    if isinstance(sys.stdout, io.TextIOWrapper) and sys.stdout.errors == "strict":
        sys.stdout.reconfigure(errors=_PLAIN)
    # There Python writes escapes, which in UTF-8 are only of what no letter is.
    if isinstance(sys.stderr, io.TextIOWrapper) and sys.stderr.encoding.lower() != "utf-8":
        sys.stderr.reconfigure(errors=_PLAIN)


class _Lasting(io.FileIO):
    """A descriptor whose reader may go away: what is written from then on is dropped."""

    def write(self, data: Any) -> int:
        try:
            return super().write(data)
        except BrokenPipeError:
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, self.fileno())
            os.close(nowhere)
            return len(data)


def outlast_readers() -> None:
    """For a command whose exit code says something: it ends with that, read or not."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if isinstance(stream, io.TextIOWrapper) and (
            type(stream.buffer) in (io.BufferedWriter, io.FileIO)
        ):
            stream.flush()
            setattr(sys, name, _lasting(stream))


def _lasting(stream: io.TextIOWrapper) -> io.TextIOWrapper:
    raw: Any = _Lasting(stream.fileno(), "w", closefd=False)
    unbuffered = isinstance(stream.buffer, io.FileIO)  # PYTHONUNBUFFERED
    return io.TextIOWrapper(
        raw if unbuffered else io.BufferedWriter(raw),
        encoding=stream.encoding,
        errors=stream.errors,
        line_buffering=stream.line_buffering,
        write_through=stream.write_through,
    )


def write_text(text: str) -> None:
    """Writes to stdout at once; on a terminal no control character gets through."""
    try:
        sys.stdout.write(without_controls(text) if sys.stdout.isatty() else text)
        sys.stdout.flush()
    except BrokenPipeError:  # the reader has seen enough, which is no error
        raise
    except OSError as error:
        raise UsageError(f"stdout cannot be written: {error.strerror}") from None


def abandon_stdout() -> None:
    """Keeps Python from complaining once more, at exit, of what could not be written."""
    with suppress(OSError):  # it has no descriptor, so nothing was written
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
