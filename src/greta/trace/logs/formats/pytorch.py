"""PyTorch's errors.

    torch.AcceleratorError: HIP error: an illegal memory access was encountered
    RuntimeError: CUDA error: ...        (builds that keep CUDA's words)

The line names no call: PyTorch finds errors of earlier work at whatever it does next.
"""

from __future__ import annotations

import re
from typing import Final

from greta.trace.evidence import Message
from greta.trace.logs.lines import LogLine, error_in
from greta.trace.logs.logged import LogFormat

_ERROR: Final = re.compile(
    r"\b(?:AcceleratorError|RuntimeError|OutOfMemoryError|DeferredCudaCallError): "
    r"((?:HIP|CUDA)(?: error: | out of memory).{0,2000})"
)


class PyTorch(LogFormat):
    name = "pytorch"
    needles = ("HIP error: ", "CUDA error: ", "out of memory")

    def take(self, line: LogLine) -> bool:
        found = _ERROR.search(line.text)
        if found is None:
            return False
        text = found[1].strip()
        self._log.say(Message(self.name, text, error=error_in(text), line=line.number))
        return True
