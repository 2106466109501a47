"""Tests that passed: what a program printed in one of them is what the test asked for.

GoogleTest says in the end how a test went, pytest in the heading above what was captured:

    [ RUN      ] Copy.NullIsRefused                 ===== PASSES =====
    hipMemcpy failed: invalid argument              ----- Captured stderr call -----
    [       OK ] Copy.NullIsRefused (0 ms)          hipMemcpy failed: invalid argument
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from greta.trace.logs.logged import ProcessLog

_BEGUN: Final = re.compile(r"\[ RUN {6}\] (\S{1,300})")
_WELL: Final = re.compile(r"\[ {7}OK \] (\S{1,300})")
_HEADING: Final = re.compile(r"={4,200} (.{1,200}?) ={4,200}")
_MOST: Final = 100_000


class PassedTests:
    """Which lines of a file tests printed that passed."""

    def __init__(self) -> None:
        self._ranges: list[range] = []
        self._test, self._begun = "", 0
        self._heading = 0
        """Where pytest's heading of tests that passed is."""

    def see(self, text: str, number: int) -> None:
        if "[ " in text:
            self._googles(text, number)
        elif "====" in text and (found := _HEADING.search(text)):
            self._end(self._heading, number)
            self._heading = number if found[1] == "PASSES" else 0

    def _googles(self, text: str, number: int) -> None:
        if found := _BEGUN.search(text):
            self._test, self._begun = found[1], number
        elif (found := _WELL.search(text)) and found[1] == self._test:
            self._end(self._begun, number)
            self._test, self._begun = "", 0

    def _end(self, begun: int, number: int) -> None:
        if begun and len(self._ranges) < _MOST:
            self._ranges.append(range(begun, number))

    def forgive(self, logs: Sequence[ProcessLog]) -> None:
        """Errors that such tests printed are none of the program's."""
        lines = {number for one in self._ranges for number in one} if self._ranges else ()
        if not lines:
            return
        for log in logs:
            told = {one.line for one in log.messages if one.line in lines}
            log.messages = [one for one in log.messages if one.line not in lines]
            log.operations = [one for one in log.operations if one.line not in told]
