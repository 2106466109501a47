"""Runs are many, and what the program writes is in their folders: nothing is passed on."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator


@contextlib.contextmanager
def nothing_passed_on() -> Iterator[None]:
    """For the time of the block the standard streams of this process lead nowhere."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    saved = [(number, os.dup(number)) for number in (0, 1, 2)]
    try:
        for number, _ in saved:
            os.dup2(nowhere, number)
        yield
    finally:
        for number, copy in saved:
            os.dup2(copy, number)
            os.close(copy)
        os.close(nowhere)
