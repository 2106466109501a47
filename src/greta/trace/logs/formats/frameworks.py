"""What frameworks print of an error of HIP.

PyTorch, with the traceback above it. The line names no call: PyTorch finds errors of earlier work
at whatever it does next. Builds that keep CUDA's words say "RuntimeError: CUDA error: ...".

      File "/app/model.py", line 79, in forward
    torch.AcceleratorError: HIP error: an illegal memory access was encountered

Its watchdog, of a collective operation that did not end:

    [rank2]:[E1118 02:11:09 ProcessGroupNCCL.cpp:616] [Rank 2] Watchdog caught collective operation
    timeout: WorkNCCL(SeqNum=881, OpType=ALLREDUCE, ...) ran for 600031 milliseconds before ...

llama.cpp: the text, where, and the call that returned it. Device -1 means that hipGetDevice failed
too: the error is sticky.

    ROCm error: an illegal memory access was encountered
      current device: -1, in function ggml_backend_cuda_buffer_set_tensor at .../ggml-cuda.cu:779
      hipMemcpyAsync((char *) tensor->data + offset, data, size, hipMemcpyHostToDevice, ...)
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Final

from greta.symbols.sites import is_library_code
from greta.trace.evidence import LoggedWait, Message
from greta.trace.logs.errors import LONGEST, STATUS, error_begun, error_in
from greta.trace.logs.lines import LogLine, Speaker, speaker_of
from greta.trace.logs.logged import LogFormat, ProcessLog
from greta.trace.trace import NOWHERE, Gap, Where

TRACEBACK: Final = "Traceback (most recent call last)"
_FRAME: Final = re.compile(
    r'^(.{0,200}?)\s*File "([^"]{1,1000})", line (\d{1,9}), in ([^\n]{1,200})$'
)
_MOST_FRAMES: Final = 1000
_MOST_SPEAKERS: Final = 4096


class Traceback:
    """The frames of the last traceback, the outermost first.

    With what stands before each in its line: a launcher puts the rank there, and tracebacks of
    several ranks may be mixed.
    """

    needles = (TRACEBACK, ", line ")

    def __init__(self) -> None:
        self._frames: list[tuple[str, Where]] = []

    def note(self, text: str) -> None:
        begun = text.find(TRACEBACK)
        if begun >= 0:
            prefix = text[:begun].rstrip()
            self._frames = [one for one in self._frames if one[0] != prefix]
        elif (frame := _FRAME.match(text)) and len(self._frames) < _MOST_FRAMES:
            where = Where(frame[2], int(frame[3]), frame[4].strip())
            self._frames.append((frame[1].rstrip(), where))

    def ended(self, before: str) -> Where:
        """The user's line, of the traceback whose last line has this before its error."""
        frames = [where for prefix, where in self._frames if before.startswith(prefix)]
        self._frames = []
        return _user(frames)


def _user(frames: list[Where]) -> Where:
    """The innermost line of the user's own code; else of anything but PyTorch."""
    inner = [one for one in reversed(frames) if one.file]
    own = (one for one in inner if not is_library_code(str(one.file)) and not _is_cython(one))
    others = (one for one in inner if "/torch/" not in str(one.file))
    return next(own, None) or next(others, None) or next(iter(inner), NOWHERE)


def _is_cython(where: Where) -> bool:
    """Compiled modules name their sources as they were when the package was built."""
    return str(where.file).endswith((".pyx", ".pxd", ".pxi"))


class Speakers:
    """One log for each process or rank that the lines of a file name."""

    def __init__(self, source: str, path: Path) -> None:
        self._source, self._path = source, path
        self._logs: dict[Speaker, ProcessLog] = {}

    def log_of(self, text: str) -> ProcessLog:
        who = speaker_of(text)
        if who not in self._logs and len(self._logs) >= _MOST_SPEAKERS:
            who = Speaker()
        return self._logs.setdefault(
            who, ProcessLog(self._source, self._path, who.pid, rank=who.rank)
        )

    @property
    def logs(self) -> Iterable[ProcessLog]:
        return self._logs.values()


_TORCH_ERROR: Final = re.compile(
    r"\b(?:AcceleratorError|RuntimeError|OutOfMemoryError|DeferredCudaCallError): "
    r"((?:HIP|CUDA)(?: error: | out of memory).{0,2000}|Triton Error \[HIP\].{0,2000})"
    r"|(?<![\w`\"'])(HIP out of memory\. Tried to allocate .{0,2000})"
)
_WATCHDOG: Final = "Watchdog caught collective operation timeout: "
_TIMEOUT: Final = re.compile(
    rf"{_WATCHDOG}WorkNCCL\(.{{0,200}}?OpType=(\w{{1,60}})"
    r".{0,400}?ran for (\d{1,12}) milliseconds"
)


_PLACE_BELOW: Final = re.compile(r"(\S{1,300}\.py):(\d{1,7}): \w{0,40}(?:Error|Exception)")


class PyTorch(LogFormat):
    name = "pytorch"
    needles = (
        "HIP error: ",
        "CUDA error: ",
        "out of memory",
        "Triton Error",
        "Watchdog caught",
        ".py:",
        *Traceback.needles,
    )

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._traceback = Traceback()
        self._speakers = Speakers(self.name, path)
        self._last: ProcessLog | None = None
        """Of whoever told the last error."""
        self._cut = ""
        """The first half of what the watchdog says."""

    def take(self, line: LogLine) -> bool:
        # A terminal may have broken the line in two.
        whole, self._cut, self.follows = self._cut + line.text, "", False
        if found := _TIMEOUT.search(whole):
            wait = LoggedWait(found[1], round(int(found[2]) / 1000))
            told = Message(self.name, found[0], line=line.number, wait=wait)
        elif found := _TORCH_ERROR.search(line.text):
            text = (found[1] or found[2]).strip()
            where = self._traceback.ended(line.text[: found.start()])
            words = text.partition(": ")[2].strip() or text
            error = error_in(text) or error_begun(words)
            told = Message(self.name, text, error=error, line=line.number, where=where)
            if error is None:
                status = STATUS.search(text)
                told = replace(told, status=status[0] if status else words)
        else:
            if _WATCHDOG in line.text:
                self._cut, self.follows = line.text[:LONGEST].rstrip(), True
            self._traceback.note(line.text)
            self._place_below(line)
            return False
        log = self._speakers.log_of(line.text)
        log.say(told)
        self._last = log
        return True

    def _place_below(self, line: LogLine) -> None:
        """pytest names the line of the test under the error."""
        found = _PLACE_BELOW.fullmatch(line.text.strip())
        last = self._last.messages[-1] if found and self._last and self._last.messages else None
        if found and self._last and last and not last.where.file and line.number - last.line < 16:
            self._last.messages[-1] = replace(last, where=Where(found[1], int(found[2])))

    def finish(self) -> Iterable[ProcessLog]:
        return self._speakers.logs


_LLAMA_ERROR: Final = re.compile(r"(?:^|[\s:\]])((?:ROCm|CUDA|HIP) error: ?(?! \().{1,400})")
_ABORTS: Final = (": ROCm error", ": HIP error")
_ABORTED: Final = re.compile(r"(\S{1,300}\.cuh?):(\d{1,7}): ((?:ROCm|HIP) error)$")
_OTHERS: Final = ("AcceleratorError", "RuntimeError", "OutOfMemoryError", "CudaCallError")
_DEVICE: Final = re.compile(r"current device: (-?\d{1,6}), in function (.{1,300}?) at (.{1,1000})")
_CALL: Final = re.compile(
    r"(?:^|[\s:|\]])((?:hip|cuda|hipblas|cublas|rocblas)[A-Z_]\w{1,100})\s?\(.{0,2000}\)\s*$"
)


class LlamaCpp(LogFormat):
    name = "llama.cpp"
    needles = ("ROCm error", "CUDA error:", "HIP error", "current device: ")

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._log.gaps[Gap.NO_RECORDING] = "only error messages"
        self._begun: Message | None = None
        """An error of which it is not known whether llama.cpp told it."""
        self._aborted: Message | None = None
        """Its last word, which says no more than that there was an error."""

    def take(self, line: LogLine) -> bool:
        found = _LLAMA_ERROR.search(line.text)
        if found and not any(word in line.text for word in _OTHERS):
            text = found[1].strip()
            error, words = error_in(text), text.partition(": ")[2].strip()
            self._begun = Message(
                self.name, text, error=error, line=line.number, status="" if error else words
            )
            self.follows = True
            return False  # what others print looks alike up to here
        if line.text.endswith(_ABORTS) and (found := _ABORTED.search(line.text[-400:])):
            where = Where(found[1], int(found[2]))
            self._aborted = Message(
                self.name, found[0].strip(), line=line.number, where=where, status=found[3]
            )
            self._log.counts["aborted"] += 1
            return True
        return self.follows and self._below(line)

    def _below(self, line: LogLine) -> bool:
        if self._begun is not None and (found := _DEVICE.search(line.text)):
            text, where = f"{self._begun.text}; {found[0].strip()}", _place(found[2], found[3])
            self._log.say(replace(self._begun, text=text, where=where))
            self._begun = None
            return True
        messages = self._log.messages
        last = messages[-1] if messages else None
        if line.number > (self._begun or last or Message("", "")).line + 2:
            self.follows, self._begun = False, None
            return False
        call = _CALL.search(line.text[:LONGEST])
        if call and last and self._begun is None:
            self.follows = False
            messages[-1] = replace(last, call=call[1])
            if last.error is not None:
                self._log.failed_call(line, call[1], last.error, last.where)
            return True
        return False

    def finish(self) -> Iterable[ProcessLog]:
        if self._aborted and not self._log.messages:
            self._log.say(self._aborted)
        return [self._log]


def _place(function: str, place: str) -> Where:
    file, _, line = place.strip().rpartition(":")
    if file and line.isdecimal() and len(line) < 10:
        return Where(file, int(line), function)
    return Where(place.strip(), None, function)
