"""What every format can do."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from pathlib import Path
from typing import ClassVar

from greta.trace.logs.lines import LogLine
from greta.trace.logs.logged import ProcessLog


class LogFormat(ABC):
    """Reads the lines of one file. Formats may be mixed in a file; each takes what is its own."""

    name: ClassVar[str]
    needles: ClassVar[tuple[str, ...]]
    """A line that has none of these is not of this format, unless `follows` says otherwise."""

    in_quotes: ClassVar[bool] = False
    """Whether what it reads stands in quotation marks; elsewhere these quote somebody else."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._log = ProcessLog(self.name, path)
        """Of a process that is not named."""
        self.follows = False
        """The next lines may belong to the one before."""
        self.ended_whole = True
        """False, when all is read, for a file whose last line has no end."""

    @abstractmethod
    def take(self, line: LogLine) -> bool:
        """Reads a line; False if it is not of this format."""

    def finish(self) -> Iterable[ProcessLog]:
        """What was read."""
        return [self._log]
