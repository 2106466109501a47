"""An error of HIP in whatever words a program checks its calls with.

    HIP error: 'an illegal memory access was encountered'(700) at main.cpp:87
    hipDeviceSynchronize() error( hipErrorIllegalAddress): an illegal memory access ... x.cpp:144
    gpu07:4411:4502 [3] strongstream.cc:396 NCCL WARN HIP failure 'an illegal memory access ...'
    rocSPARSE error: rocsparse_status_invalid_pointer at spmv.cpp:19

Three things make such a line: the error as HIP or a library names, words or numbers it; that HIP
is spoken of; and that it failed: a word of failure, or the call right before its error. Some
programs spread it over lines:

    HIP call failed: hipEventSynchronize(ev)        hipMemcpy.cc:88: FAILED:
      reason: an illegal memory access ...            REQUIRE( hipMemcpy(a, b, n) == hipSuccess )
                                                    with expansion:
                                                      700 == 0
    hipMemcpyDtoHAsync(): 719

    stopped
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable
from pathlib import Path
from typing import Final, NamedTuple

from greta.recording import ERROR_NAMES
from greta.trace.evidence import Message
from greta.trace.logs.errors import (
    BARE_NUMBER,
    FAILURE,
    HARMLESS,
    LONGEST,
    NO_CODE,
    ToldError,
    call_of,
    told_calls,
    told_error,
    without_errors,
)
from greta.trace.logs.formats.frameworks import Speakers, Traceback
from greta.trace.logs.lines import LogLine, message_of, speaker_of
from greta.trace.logs.logged import LogFormat, ProcessLog
from greta.trace.logs.stated import is_stated_at, without_quotations
from greta.trace.trace import NOWHERE, Where

_ABOUT: Final = re.compile(
    r"\bhip|\bHIP|\.hip\b|ROCm|ROCM|RCCL|NCCL|GPUassert|gpuErr|GPU error|\bCUDA|\bcuda[A-Z]"
)
_PLACE: Final = re.compile(
    r"([\w.+~/\\-]{1,300}\.(?:cc?|cpp|cxx|cuh?|hpp|hxx|h|hip|py|jl|rs|go|js|f90))"
    r"(?::|\(| line |, line | at line | )(\d{1,7})\b"
)
_WARNS: Final = re.compile(r"(?:^|[\s\[|(])(?:warn|warning|aviso)(?=[\]\s:|)])", re.IGNORECASE)
_OF_HIP: Final = re.compile(r" in (?:HIP queue |hip[A-Z])")
_THROWN: Final = re.compile(
    r"\bterminate called after throwing an instance of '([\w:]{0,100}(?:\bi?hip|Hip|HIP)\w{1,60})'"
)
_COMPARED: Final = re.compile(r"[=!]= ?\(?$")


class HipErrors(LogFormat):
    """Last of all: what another format knows is not seen here."""

    name = "program"
    needles = (
        "hip",
        "HIP",
        "ROCm error",
        "CUDA error",
        "GPU error",
        "GPUassert",
        "cuda",
        "rror: '",
        "encountered",
        "launch failure",
        "argument",
        "device-side",
        "nvalid device",
        "resource handle",
        "kernel image",
        *("ROCm-capable", "launch timed out", "requested for launch", "cooperative launch"),
        *("captur", "peer access"),
        "_status_",
        "Status",
        "HSA_STATUS_ERROR",
        "rocBLAS error",
        "nccl",
        *("unhandled ", "internal error"),
        "throwing an instance",
        *("FAILED:", "is NOT correct!"),
        "Expected equality",
        "Value of: ",
        *Traceback.needles,
    )

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._traceback = Traceback()
        self._speakers = Speakers(self.name, path)
        self._failed: _FailedCall | None = None
        """A call that is said to have failed, and not yet how."""
        self._announced = -_NEAR
        """The line in which a test said that one of its checks failed."""
        self._before = ""
        """What a launcher had put before that line."""
        self._bare: _BareNumber | None = None
        """The number behind a call in one of the last lines, which may be an error's."""
        self._last: deque[tuple[int, str]] = deque(maxlen=_NEAR)
        self._thrown: Message | None = None
        """An exception of HIP that ended the program; it may not say which error it was."""

    def take(self, line: LogLine) -> bool:
        text = without_quotations(line.text)
        if self._bare:
            self._bare = self._still_bare(self._bare, line, text)
        self._last.append((line.number, text[:LONGEST]))
        if self._failed and self._told_below(self._failed, line, text):
            return True
        told = told_error(text)
        if told and told.code not in HARMLESS and _is_failure(text, told):
            if told.is_bare and not _says_so(BARE_NUMBER.sub(" ", text), told):
                self._bare = self._counted_or_failed(_BareNumber(line, text, told))
                self.follows |= self._bare is not None
                return False
            self._say(line, text, call_of(text, told.begin), told)
            return True
        if failed := self._failed_call(line, text):
            self._failed = self._in_turn(failed)
        waits = self._failed is not None or self._bare is not None
        self.follows = waits or line.number - self._announced < _NEAR
        self._traceback.note(line.text)
        if thrown := _THROWN.search(text):
            words = text.strip()[:400]
            self._thrown = Message(self.name, words, line=line.number, status=thrown[1])
            return True
        return self._failed is not None and self._failed.line.number == line.number

    def _say(self, line: LogLine, text: str, call: str | None, told: ToldError) -> None:
        where = _place(text) or self._traceback.ended(line.text)
        log = self._speakers.log_of(line.text)
        words = text.strip()[:400]
        log.say(Message(self.name, words, call, told.code, line.number, where, status=told.status))
        if call and told.code:
            log.failed_call(line, call, told.code, where)

    def _counted_or_failed(self, bare: _BareNumber) -> _BareNumber | None:
        """With whether a line above speaks of a failure; None in a list of counts."""
        number = bare.line.number
        above = [text for at, text in self._last if number - _NEAR < at < number]
        if any(BARE_NUMBER.search(text) for text in above):
            return None
        return bare._replace(is_said=any(_says_so(text, bare.told) for text in above))

    def _still_bare(self, bare: _BareNumber, line: LogLine, text: str) -> _BareNumber | None:
        """None where this line decides what the number is."""
        if BARE_NUMBER.search(text[:LONGEST]):
            return None
        is_near = line.number - bare.line.number < _NEAR
        if bare.is_said or (is_near and _says_so(text[:LONGEST], bare.told)):
            self._say_bare(bare)
            return None
        return bare if is_near else None

    def _say_bare(self, bare: _BareNumber) -> None:
        self._say(bare.line, bare.text, call_of(bare.text, bare.told.begin), bare.told)

    def _told_below(self, failed: _FailedCall, line: LogLine, text: str) -> bool:
        """Whether this line says how the call failed."""
        told = told_error(text) or _expanded(_without(self._before, text))
        if told and told.code not in HARMLESS and not told_calls(text):
            self._give_up(failed.first)
            self._say(failed.line, f"{failed.text} {text.strip()}", failed.call, told)
        elif line.number - failed.line.number < _NEAR:
            return False
        else:
            told = None
            self._give_up(failed)
        self._failed, self.follows = None, False
        return told is not None

    def _in_turn(self, failed: _FailedCall) -> _FailedCall:
        """With the first of the calls that failed right before it: that one is to blame."""
        last = self._failed
        if last is None or not last.is_enough:
            return failed
        if speaker_of(last.line.text) == speaker_of(failed.line.text):
            return failed._replace(first=last.first or last)
        self._give_up(last)
        return failed

    def _failed_call(self, line: LogLine, text: str) -> _FailedCall | None:
        if text.endswith(_ANNOUNCES) and (announced := _ANNOUNCED.search(text[-400:])):
            self._announced, words = line.number, announced[0]
            self._before = text.removesuffix(words)
            return None
        value = _VALUE.search(text)
        self._before = text[: value.start()] if value else self._before
        is_checked = line.number - self._announced < _NEAR or value is not None
        if is_checked and (calls := told_calls(text)):
            return _FailedCall(line, text.strip()[:400], calls[0].name, False)
        found = _SAID_TO_FAIL.search(text) or _ASSERTED.search(line.text)
        calls = told_calls(found[0]) if found else []
        if found is None or not calls or _WARNS.search(line.text[: found.start()]):
            return None
        if not is_stated_at(text, found.start(), found.end(), True):
            return None
        return _FailedCall(line, line.text.strip()[:400], calls[-1].name, True)

    def _give_up(self, failed: _FailedCall | None) -> None:
        """No line says how."""
        if failed and failed.first:
            self._give_up(failed.first)
        if failed and failed.is_enough:
            number, where = failed.line.number, _place(failed.text) or NOWHERE
            said = Message(self.name, failed.text, failed.call, None, number, where, unsaid=True)
            self._speakers.log_of(failed.line.text).say(said)

    def finish(self) -> Iterable[ProcessLog]:
        if self._failed:
            self._give_up(self._failed)
        if self._bare and self._bare.is_said:
            self._say_bare(self._bare)
        if self._thrown and not any(log.messages for log in self._speakers.logs):
            self._speakers.log_of("").say(self._thrown)
        return self._speakers.logs


def _is_failure(text: str, told: ToldError) -> bool:
    if NO_CODE in text:
        return True
    if not is_stated_at(text, told.begin, told.end, not told.ends_the_program):
        return False
    if _COMPARED.search(text, 0, told.begin):
        return False  # what a check compares with
    if told.status:
        return True
    calls = told_calls(text)
    rest = without_errors(text)
    is_of_a_call = any(one.begin < told.begin for one in calls) and not _is_warning(text, told)
    if FAILURE.search(rest) or is_of_a_call:
        return told.own or bool(calls) or bool(_ABOUT.search(text))
    return _is_all(text, told)


def _says_so(text: str, told: ToldError) -> bool:
    """Whether a line near a number says that something failed, or that the program stopped."""
    for found in _FAILED_OR_STOPPED.finditer(text):
        is_none = _NONE_OF.search(text[max(0, found.start() - 40) : found.start()])
        if not is_none and is_stated_at(text, *found.span(), not told.ends_the_program):
            return True
    return False


def _is_warning(text: str, told: ToldError) -> bool:
    """The program says itself that this is none."""
    return not told.ends_the_program and _WARNS.search(text[: told.begin]) is not None


def _is_all(text: str, told: ToldError) -> bool:
    """Nothing but the text of a fault; or that, or an error's name, and a place in the source."""
    rest = text[: told.begin] + text[told.end :]
    is_text = told.ends_the_program and told.own and not text.startswith(" ")
    if told.is_name or (is_text and _PLACE.search(rest)):
        return _PLACE.search(rest) is not None
    is_of_hip = is_text and _OF_HIP.match(text, told.end) is not None
    return is_text and not message_of(text[: told.begin] if is_of_hip else rest).strip(" .!")


def _place(text: str) -> Where | None:
    found = _PLACE.search(text)
    return Where(found[1], int(found[2])) if found else None


# --- failures that are spread over lines ----------------------------------------------------------

_NEAR: Final = 5
"""In so many lines the rest is told."""
_NAMED: Final = (
    r"\bhip(?:rtc)?(?!Success|Error)[A-Z]\w{1,60}"
    r"(?:\([^()]{0,400}(?:\([^()]{0,200}\)[^()]{0,200}){0,4}\))?"
)
_SAID_TO_FAIL: Final = re.compile(
    rf"{_NAMED}[)\]'\"`}}]{{0,2}}(?: [A-Z0-9]{{2,4}})? (?:has )?(?:failed|FAILED|falló)\b"
    rf"|\b(?:[Ff]ail(?:ed|ure)|(?:HIP|hip) error)(?: in| at)?:? {_NAMED}"
)
_ASSERTED: Final = re.compile(
    rf"\bAssertion .{{0,40}}?{_NAMED}\s?==\s?hipSuccess.{{0,40}}\bfailed\b"
    rf"|\bERROR: [A-Z_]{{4,40}}\( {_NAMED} ?== ?hipSuccess \) is NOT correct!"
)
"""By assert, and by a check of doctest."""
_ANNOUNCES: Final = ("FAILED:", "Expected equality of these values:")
_ANNOUNCED: Final = re.compile(r"\S{0,300} ?\bFAILED:$|\bExpected equality of these values:$")
_VALUE: Final = re.compile(r"(?:^|\s)Value of: ")
"""How Catch2 and GoogleTest begin to tell of a check."""
_EXPANDED: Final = re.compile(
    r"\s*(?:(?:Which is|Actual): (\d{1,4})"
    r"|(?:values: [A-Z_]{4,40}\( )?(\d{1,4}) [=!]= \d{1,4}(?: \))?)\s*"
)
_DIGIT: Final = re.compile(r"\d")


_FAILED_OR_STOPPED: Final = re.compile(
    rf"(?:{FAILURE.pattern})\w{{0,40}}"
    r"|^\W{0,8}(?:stopped|terminated|killed|crashed)(?= ?(?:$|[:.!,(]))",
    re.IGNORECASE,
)
_NONE_OF: Final = re.compile(
    r"\b(?:0|no|zero|without|sin|keine?) (?:\w{1,20} ){0,2}$", re.IGNORECASE
)


class _BareNumber(NamedTuple):
    line: LogLine
    text: str
    told: ToldError
    is_said: bool = False
    """A line above speaks of a failure."""


class _FailedCall(NamedTuple):
    line: LogLine
    text: str
    call: str
    is_enough: bool
    """Whether the line is a failure also where none below it says how."""
    first: _FailedCall | None = None
    """That failed before it, and nobody says how."""


def _without(prefix: str, text: str) -> str:
    """Without what a launcher puts before each line; times and numbers in it differ."""
    before = text[: len(prefix)]
    return text[len(prefix) :] if _DIGIT.sub("0", before) == _DIGIT.sub("0", prefix) else text


def _expanded(text: str) -> ToldError | None:
    """A value of a check that failed."""
    found = _EXPANDED.fullmatch(text)
    code = int(found[1] or found[2]) if found else 0
    return ToldError(0, len(text), code) if code in ERROR_NAMES else None
