"""llama.cpp's errors: the text, where, and the call that returned it.

    ROCm error: an illegal memory access was encountered
      current device: -1, in function ggml_backend_cuda_buffer_set_tensor at .../ggml-cuda.cu:779
      hipMemcpyAsync((char *) tensor->data + offset, data, size, hipMemcpyHostToDevice, ...)

Device -1 means that hipGetDevice failed too: the error is sticky.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Final

from greta.trace.evidence import Message
from greta.trace.logs.lines import UNKNOWN_ERROR, LogLine, error_in
from greta.trace.logs.logged import LogFormat, LoggedOperation
from greta.trace.trace import Gap, Kind, Where

_ERROR: Final = re.compile(r"(?:^|[\s:\]])((?:ROCm|CUDA|HIP) error: ?(?! \().{1,400})")
_OTHERS: Final = ("AcceleratorError", "RuntimeError", "OutOfMemoryError", "CudaCallError")
_DEVICE: Final = re.compile(r"current device: (-?\d{1,6}), in function (.{1,300}?) at (.{1,1000})")
_CALL: Final = re.compile(r"^\s*((?:hip|cuda|hipblas|cublas|rocblas)[A-Z_]\w{1,100})\s?\(")


class LlamaCpp(LogFormat):
    name = "llama.cpp"
    needles = ("ROCm error:", "CUDA error:", "HIP error:", "current device: ")

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._log.gaps[Gap.NO_RECORDING] = "only error messages"

    def take(self, line: LogLine) -> bool:
        found = _ERROR.search(line.text)
        if found and not any(word in line.text for word in _OTHERS):
            text = found[1].strip()
            self._log.say(Message(self.name, text, error=error_in(text), line=line.number))
            self.follows = True
            return True
        return self.follows and self._below(line)

    def _below(self, line: LogLine) -> bool:
        messages, last = self._log.messages, self._log.messages[-1]
        if line.number > last.line + 2:
            self.follows = False
            return False
        if found := _DEVICE.search(line.text):
            text = f"{last.text}; {found[0].strip()}"
            messages[-1] = replace(last, text=text, where=_place(found[2], found[3].strip()))
            return True
        if call := _CALL.match(line.text):
            self.follows = False
            self._failed(replace(last, call=call[1]), line)
            return True
        return False

    def _failed(self, message: Message, line: LogLine) -> None:
        self._log.messages[-1] = message
        call = message.call or ""
        code = message.error if message.error is not None else UNKNOWN_ERROR
        failed = LoggedOperation(
            line.number, line.offset, call, Kind.OTHER, failed=True, result=code
        )
        failed.where = message.where if message.where.file else None
        self._log.add(failed)


def _place(function: str, place: str) -> Where:
    file, _, line = place.rpartition(":")
    if file and line.isdecimal() and len(line) < 10:
        return Where(file, int(line), function)
    return Where(place, None, function)
