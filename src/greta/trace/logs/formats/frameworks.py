"""What frameworks print of an error of HIP.

PyTorch, with the traceback above it. The line names no call: PyTorch finds errors of earlier work
at whatever it does next. Builds that keep CUDA's words say "RuntimeError: CUDA error: ...".

      File "/app/model.py", line 79, in forward
    torch.AcceleratorError: HIP error: an illegal memory access was encountered

llama.cpp: the text, where, and the call that returned it. Device -1 means that hipGetDevice failed
too: the error is sticky.

    ROCm error: an illegal memory access was encountered
      current device: -1, in function ggml_backend_cuda_buffer_set_tensor at .../ggml-cuda.cu:779
      hipMemcpyAsync((char *) tensor->data + offset, data, size, hipMemcpyHostToDevice, ...)
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Final

from greta.symbols.sites import is_library_code
from greta.trace.evidence import Message
from greta.trace.logs.lines import UNKNOWN_ERROR, LogLine, error_in
from greta.trace.logs.logged import LogFormat, LoggedOperation
from greta.trace.trace import NOWHERE, Gap, Kind, Where

_TORCH_ERROR: Final = re.compile(
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
        found = _TORCH_ERROR.search(line.text)
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


_LLAMA_ERROR: Final = re.compile(r"(?:^|[\s:\]])((?:ROCm|CUDA|HIP) error: ?(?! \().{1,400})")
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
        found = _LLAMA_ERROR.search(line.text)
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
