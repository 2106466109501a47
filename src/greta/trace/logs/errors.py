"""Errors as logs spell them: by HIP's name, number or text, or by the status of a library."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from greta.recording import EFFECTS, ERROR_NAMES, ERROR_TEXTS, CallKind
from greta.trace.device_errors import STICKY

NO_CODE: Final = "hipErrorNoBinaryForGpu: Unable to find code object"
"""What the runtime used to print before it ended the process."""
UNKNOWN_ERROR: Final = 999
"""hipErrorUnknown: what stands for an error whose number nobody says."""
HARMLESS: Final = (0, 600)
"""hipSuccess, hipErrorNotReady."""
_ENOUGH: Final = 12
"""Letters of the beginning of an error's text."""
LONGEST: Final = 2000
"""Of a line, where an error is looked for."""

_ANYBODYS: Final = (1, 2, 3, 4, 207, 301, 302, 303, 304, 801, 999, 1052, 1053, 1055)
"""Errors whose texts ("file not found") other programs say of other things."""
_NUMBERS: Final = {name: code for code, name in ERROR_NAMES.items()}
# Words of other alphabets may stand right behind a name.
_NAME: Final = re.compile(r"\bhipError(?=[A-Z])\w{1,60}|\bHIP_ERROR_[A-Z][a-z]\w{1,60}", re.ASCII)
_IN_WORDS: Final = re.compile(r"\bhip(?:Drv)?GetError(?:Name|String)\b")
"""Calls that are given an error, and do not fail with it."""
# The longest first, so that a text that is part of another does not win.
_ORDERED: Final = sorted(
    ((code, text) for code, text in ERROR_TEXTS.items() if code), key=lambda item: -len(item[1])
)
_TEXTS: Final = {text: code for code, text in reversed(_ORDERED)}
_TEXT: Final = re.compile("|".join(re.escape(text) for _, text in _ORDERED))
_OF_WORDS: Final = 4
"""Of the numbers below, those behind words that other programs use as well."""
_DIGITS: Final = r"(0x[0-9a-f]{1,4}|\d{1,4})\b(?!\.\d)"
_NUMBER: Final = re.compile(
    rf"\b(?:HIP|ROCm) (?:runtime )?(?:error|failure)(?: code| number)?[ :=#(]{{1,3}}{_DIGITS}"
    rf"|\b(?:rc|ret|err|errno|error)(?: code| number)? ?[=:#]? ?{_DIGITS}"
    rf"|\b(?:status|code)(?: code| number)? ?[=:#]? ?{_DIGITS}|\breturned (\d{{3,4}})\b"
    r"|\bhipError_t ?\((\d{1,4})\)|\(error code = HIP:(\d{1,4})\)|\bhipSuccess \((\d{1,4}) vs\. 0\)"
    r"|\bhip(?!\w{0,60}(?:Get(?!Function|Global)|Query|Count|Occupancy))\w{1,60}\(\): (\d{3,4})$",
    re.IGNORECASE,
)
"""The last is the bare number behind a call, unless it is one that asks for a number."""
BARE_NUMBER: Final = re.compile(r"\bhip\w{1,60}\(\): \d{1,9}$")
"""The form of the last, which is a count's as well."""
_BY_CYCLES: Final = {
    "Illegal address": 700,
    "Launch failed": 719,
    "Launch exceeded timeout": 702,
    "Out of memory": 2,
    "Invalid value": 1,
    "Invalid handle": 400,
}
_CYCLES: Final = re.compile(rf"\b({'|'.join(_BY_CYCLES)}) in (?=HIP queue |hip[A-Z])")
"""Blender words errors in its own way, and names the call or the queue right behind them."""
FAILURE: Final = re.compile(
    r"(?<![^\W\d_])err|(?-i:Err|ERR)|fail|fatal|abort|assert|exception|what\(\)|panic"
    r"|could not|cannot|unable"
    r"|falló|fallo|fallid|no se pud|falha|fehl|échec|ошибк|错误|失败|失敗|エラー|오류|실패"
    r"|(?-i:CHECK|FATL)",
    re.IGNORECASE,
)
"""The words that a failure is told with; not within others, as in "stderr"."""
STATUS: Final = re.compile(
    r"\b(?:(?:HIP|ROC|CU)(?:BLAS|BLASLT|SPARSE|SOLVER|DNN|RAND|TENSOR)_STATUS_\w{1,60}"
    r"|HIPFFT_(?:INVALID_(?:PLAN|TYPE|VALUE|SIZE|DEVICE)|(?:ALLOC|EXEC|SETUP)_FAILED"
    r"|(?:INTERNAL|PARSE)_ERROR|UNALIGNED_DATA|INCOMPLETE_PARAMETER_LIST|NO_WORKSPACE"
    r"|NOT_(?:IMPLEMENTED|SUPPORTED))\b|HIPRTC_ERROR_\w{1,60}"
    r"|roc(?:blas|fft|sparse|solver|rand|alution)_status_"
    r"(?!to_string|continue|perf_degraded|size_increased|size_unchanged)\w{1,60}"
    r"|miopenStatus[A-Z]\w{1,60}|HSA_STATUS_ERROR\w{0,60}"
    r"|nccl(?:UnhandledCuda|System|Internal)Error|ncclInvalid(?:Argument|Usage)"
    r"|unhandled (?:cuda|system) error(?= \(run with NCCL_DEBUG)"
    r"|internal error(?= - please report this issue to the [NR]CCL developers)"
    r"|(?<=rocBLAS error: )(?:Could not initialize Tensile host"
    r"|Cannot read .{0,300}?TensileLibrary\w{0,60}\.dat))"
)
"""How AMD's libraries name an error; one that ends in "success" is none. Of hipFFT all are listed:
directions, types and variables of its build are named alike. Without its kernels rocBLAS aborts."""

_OF_COLLECTIVES: Final = re.compile(r"nccl[A-Z]\w{1,60}")
_ENDS_THERE: Final = re.compile(r":|['\")\]]{0,2}\s*$")
_ENUMERATED: Final = re.compile(r"\s*nccl[A-Z]\w{1,60}\s?[=:]\s?\d{1,9}\s?(?:[,;]|/[/*]|$)")


class ToldError(NamedTuple):
    """An error that a text has in it, and where."""

    begin: int
    end: int
    code: int | None
    """As HIP numbers errors; None for a library's status."""
    status: str = ""
    own: bool = True
    """Whether nothing but a GPU's interface says so."""
    is_name: bool = False
    is_bare: bool = False
    """A number behind a call, which may be a count: only other words make it an error."""

    @property
    def ends_the_program(self) -> bool:
        """After any other a program can go on."""
        return self.code in STICKY


def error_in(text: str) -> int | None:
    """The error that a sentence speaks of, by its name or its text."""
    start = text[:LONGEST]
    for found in _NAME.finditer(start):
        if (code := _number(found[0])) is not None:
            return code
    return next((code for code, words in _ORDERED if words in start), None)


def error_begun(words: str) -> int | None:
    """The error whose text begins so, and with it no other's: a terminal broke the line."""
    found = {code for code, text in _ORDERED if text.startswith(words)}
    return found.pop() if len(words) >= _ENOUGH and len(found) == 1 else None


def without_errors(text: str) -> str:
    """The rest of a line: "failure" in an error's own text is no word of failure."""
    return _TEXT.sub(" ", _NAME.sub(" ", _IN_WORDS.sub(" ", text[:LONGEST])))


def told_error(text: str) -> ToldError | None:
    """The error that a line of any program has in it: the surest way of telling it wins."""
    start = text[:LONGEST]
    for found in _NAME.finditer(start):
        if (code := _number(found[0])) is not None:
            return ToldError(*found.span(), code, is_name=True)
    for found in STATUS.finditer(start):
        if not found[0].lower().endswith("success") and _is_told(start, found):
            return ToldError(*found.span(), None, found[0], is_name=True)
    if words := _CYCLES.search(start):
        return ToldError(*words.span(1), _BY_CYCLES[words[1]])
    return _worded(start) or _numbered(start)


def _is_told(text: str, status: re.Match[str]) -> bool:
    """What NCCL and RCCL name their errors is also spoken of, and listed."""
    if not _OF_COLLECTIVES.match(status[0]):
        return True
    if _ENUMERATED.match(text):
        return False
    says_so = FAILURE.search(_OF_COLLECTIVES.sub(" ", text)) is not None
    return says_so or _ENDS_THERE.match(text, status.end()) is not None


def _worded(text: str) -> ToldError | None:
    found = _TEXT.search(text)
    if found is None:
        return None
    code = _TEXTS[found[0]]
    # 'invalid argument'(1): no other program numbers its errors so.
    counted = re.match(rf"['\"]?[ (]{{1,3}}{code}\)", text[found.end() : found.end() + 12])
    own = code not in _ANYBODYS or counted is not None
    return ToldError(*found.span(), code, own=own)


def _numbered(text: str) -> ToldError | None:
    for found in _NUMBER.finditer(text):
        at = found.lastindex or 0
        code = int(found[at], 0) if _is_number(found[at]) else 0
        if code in ERROR_NAMES and code not in HARMLESS and _is_hips(text, found):
            own, is_bare = found[1] is not None or at > _OF_WORDS, at == _NUMBER.groups
            return ToldError(*found.span(at), code, own=own, is_bare=is_bare)
    return None


def _is_hips(text: str, found: re.Match[str]) -> bool:
    """A call may also return a value, a size or a state: only a failure's number is an error's."""
    if found[1] is not None or (found.lastindex or 0) > _OF_WORDS:
        return True
    return bool(told_calls(text)) and (found[2] is not None or FAILURE.search(text) is not None)


def _is_number(word: str) -> bool:
    return word[:2].lower() == "0x" or word == "0" or not word.startswith("0")


def _number(name: str) -> int | None:
    return _NUMBERS.get(name.replace("HIP_ERROR_", "hipError"))


def number_of(name: str) -> int | None:
    """The number of an error by its name; 0 is hipSuccess."""
    return _NUMBERS.get(name)


_CALL: Final = re.compile(
    r"\b(hip(?:rtc)?[A-Z]\w{1,60})\b(\s?\()?"
    r"|\b(cuda(?!Error|Success)[A-Z]\w{1,60})\b(?=\(| failed)",
    re.ASCII,
)


_NO_CALLS: Final = ("hipError", "hipSuccess")


class ToldCall(NamedTuple):
    begin: int
    end: int
    name: str


def told_calls(text: str) -> list[ToldCall]:
    """The calls that a line names, but for those that are arguments of another."""
    found = []
    for call in _CALL.finditer(text[:LONGEST]):
        name = call[1] or call[3]
        if _IN_WORDS.fullmatch(name):
            continue
        if call[3] or name in EFFECTS or (call[2] and not name.startswith(_NO_CALLS)):
            found.append(ToldCall(call.start(), call.start() + len(name), name))
    outer: list[ToldCall] = []
    for one in found:
        if not outer or not _is_within_arguments(text, outer[-1].end, one.begin):
            outer.append(one)
    return [one for one in outer if not _asks_for_an_error(one.name)] or outer


def _is_within_arguments(text: str, begin: int, end: int) -> bool:
    between = text[begin:end]
    return between.startswith("(") and between.count("(") > between.count(")")


def _asks_for_an_error(name: str) -> bool:
    return name in EFFECTS and EFFECTS[name].kind is CallKind.ERROR


def call_of(text: str, begin: int) -> str | None:
    """The call that an error is told of: the nearest before it, else the first behind it."""
    calls = told_calls(text)
    before = [one for one in calls if one.begin < begin]
    return before[-1].name if before else calls[0].name if calls else None
