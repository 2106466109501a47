"""An error of HIP in whatever words a program checks its calls with.

    HIP error: 'an illegal memory access was encountered'(700) at main.cpp:87
    hipDeviceSynchronize() error( hipErrorIllegalAddress): an illegal memory access ... x.cpp:144
    gpu07:4411:4502 [3] strongstream.cc:396 NCCL WARN HIP failure 'an illegal memory access ...'

Three things make such a line: a word of failure, the error as HIP names or words it, and that HIP
or a GPU is spoken of. The call and the place in the source are read where they are there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from greta.trace.evidence import Message
from greta.trace.logs.formats.frameworks import Speakers, Traceback
from greta.trace.logs.lines import NO_CODE, LogLine, error_in
from greta.trace.logs.logged import LogFormat, ProcessLog
from greta.trace.logs.prose import without_quotations
from greta.trace.trace import Where

_FAILURE: Final = re.compile(
    r"error|fail|fatal|abort|assert|exception|\bwarn\b|what\(\)|panic|(?-i:CHECK)", re.IGNORECASE
)
_ABOUT: Final = re.compile(
    r"\bhip[A-Z]|\.hip\b|\bHIP|ROCm|RCCL|NCCL|GPUassert|GPU error|\bCUDA|illegal memory access"
)
_CALL: Final = re.compile(r"\b(?!hipError)(hip[A-Z]\w{1,60})\s?\(")
_PLACE: Final = re.compile(
    r"([\w.+~/\\-]{1,300}\.(?:cc?|cpp|cxx|cuh?|hpp|hxx|h|hip|py|jl|rs|f90))"
    r"(?::|\(| line |, line | )(\d{1,7})\b"
)
_HARMLESS: Final = (0, 600)
"""hipSuccess, hipErrorNotReady."""


class HipErrors(LogFormat):
    """Last of all: what another format knows is not seen here."""

    name = "program"
    needles = (
        "hipError",
        "an illegal memory access",
        "HIP ",
        "HIP error",
        "ROCm error",
        "CUDA error",
        "GPU error",
        "GPUassert",
        "(hip",
        " hip",
        ".hip:",
        *Traceback.needles,
    )

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._traceback = Traceback()
        self._speakers = Speakers(self.name, path)

    def take(self, line: LogLine) -> bool:
        text = without_quotations(line.text)
        error = error_in(text)
        if error is None or error in _HARMLESS or not _is_failure(text):
            self._traceback.note(line.text)
            return False
        where = _place(text) or self._traceback.ended(line.text)
        log, call = self._speakers.log_of(line.text), _CALL.search(text)
        name = call[1] if call else None
        log.say(Message(self.name, text.strip()[:400], name, error, line.number, where))
        if name:
            log.failed_call(line, name, error, where)
        return True

    def finish(self) -> Iterable[ProcessLog]:
        return self._speakers.logs


def _is_failure(text: str) -> bool:
    if NO_CODE in text:
        return True
    without = text.replace("hipError", "")  # the word of failure must be another
    return bool(_FAILURE.search(without) and _ABOUT.search(text))


def _place(text: str) -> Where | None:
    found = _PLACE.search(text)
    return Where(found[1], int(found[2])) if found else None
