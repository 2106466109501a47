"""Pseudoterminals: the program sees a terminal where the user has one."""

from __future__ import annotations

import contextlib
import fcntl
import os
import struct
import termios

_SIZE = struct.Struct("4H")
_OUTPUT_FLAGS = 1


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
