"""Standard streams that are closed, full, or know fewer characters than we write."""

from __future__ import annotations

import errno
import io
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn

from greta.errors import UsageError
from greta.printable import without_controls


class _ClosedStdout(io.TextIOBase):
    """Stands where Python has None, so that only those who write notice."""

    def write(self, _text: str) -> NoReturn:
        raise OSError(errno.EBADF, "it is closed")


def mend_standard_streams() -> None:
    """Makes the best of what we were started with.

    A descriptor that is closed would be taken by the first file that is opened, and what is meant
    for stderr would be written into it.
    """
    while (number := os.open(os.devnull, os.O_RDWR)) <= 2:  # the lowest that is free
        pass
    os.close(number)
    if sys.stderr is None:
        sys.stderr = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 - for good
    if sys.stdout is None:
        sys.stdout = _ClosedStdout()
    if isinstance(sys.stdout, io.TextIOWrapper) and sys.stdout.errors == "strict":
        sys.stdout.reconfigure(errors="backslashreplace")


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
