"""PyTorch's errors, and the traceback above them.

      File "/app/model.py", line 79, in forward
    torch.AcceleratorError: HIP error: an illegal memory access was encountered
    RuntimeError: CUDA error: ...        (builds that keep CUDA's words)

The line names no call: PyTorch finds errors of earlier work at whatever it does next.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from greta.symbols.sites import is_library_code
from greta.trace.evidence import Message
from greta.trace.logs.lines import LogLine, error_in
from greta.trace.logs.logged import LogFormat
from greta.trace.trace import NOWHERE, Where

_ERROR: Final = re.compile(
    r"\b(?:AcceleratorError|RuntimeError|OutOfMemoryError|DeferredCudaCallError): "
    r"((?:HIP|CUDA)(?: error: | out of memory).{0,2000})"
)
_TRACEBACK: Final = "Traceback (most recent call last)"
_FRAME: Final = re.compile(
    r'^(.{0,200}?)\s*File "([^"]{1,1000})", line (\d{1,9}), in ([^\n]{1,200})$'
)
_MOST_FRAMES: Final = 1000


class PyTorch(LogFormat):
    name = "pytorch"
    needles = ("HIP error: ", "CUDA error: ", "out of memory", _TRACEBACK, ", line ")

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._frames: list[tuple[str, Where]] = []
        """Of the last traceback, the outermost first, with what stands before each in its line:
        a launcher puts the rank there, and tracebacks of several ranks may be mixed."""

    def take(self, line: LogLine) -> bool:
        found = _ERROR.search(line.text)
        if found is None:
            self._note_frame(line.text)
            return False
        text, before = found[1].strip(), line.text[: found.start()]
        frames = [where for prefix, where in self._frames if before.startswith(prefix)]
        self._frames = []
        told = Message(self.name, text, error=error_in(text), line=line.number, where=_user(frames))
        self._log.say(told)
        return True

    def _note_frame(self, text: str) -> None:
        begun = text.find(_TRACEBACK)
        if begun >= 0:
            prefix = text[:begun].rstrip()
            self._frames = [one for one in self._frames if one[0] != prefix]
        elif (frame := _FRAME.match(text)) and len(self._frames) < _MOST_FRAMES:
            where = Where(frame[2], int(frame[3]), frame[4].strip())
            self._frames.append((frame[1].rstrip(), where))


def _user(frames: list[Where]) -> Where:
    """The innermost line of the user's own code; else of anything but PyTorch."""
    inner = [one for one in reversed(frames) if one.file]
    own = (one for one in inner if not is_library_code(str(one.file)))
    others = (one for one in inner if "/torch/" not in str(one.file))
    return next(own, None) or next(others, None) or next(iter(inner), NOWHERE)
