"""Whether a line states that an error happened, or only speaks of one.

It may quote it, deny it, expect it, look for it, explain it, count it, or say that the program goes
on without what failed. And what a test that passed has printed is what the test asked for.
"""

from __future__ import annotations

import re
from bisect import bisect_right, insort
from collections import deque
from collections.abc import Sequence
from typing import Final

from greta.recording import ERROR_NAMES, ERROR_TEXTS
from greta.trace.device_errors import STICKY
from greta.trace.evidence import Message
from greta.trace.logs.errors import STATUS, without_errors
from greta.trace.logs.lines import Speaker, speaker_of
from greta.trace.logs.logged import ProcessLog

_QUOTATION: Final = re.compile(
    r'"[^"]{6,2000}"|`[^`]{6,2000}`|“[^“”]{6,2000}”|«[^«»]{6,2000}»'
    r"|(?<!\w)'[^']{6,2000}'(?!\w)"
)
_MARKS: Final = "\"'`“”«»"
_NOT_CLOSED: Final = re.compile(r"(?<=\w )[\"“«](?=\w)[^\"”»]{6,2000}$")
"""A quotation that goes on in the next line."""
_SHORT: Final = 12
"""Quotations with fewer letters are names, as are those of one word."""
_KEYS: Final = re.compile(
    r"(?:.{0,200}\s)?(?:time|ts|t|level|lvl|severity)=\S"
    r"|\s*##teamcity\[(?:testFailed|buildProblem)\s"
)
"""What a line of a logger has that writes key="value", and how TeamCity is told of a failure."""
_EXACT: Final = frozenset((*ERROR_NAMES.values(), *ERROR_TEXTS.values()))
_DENIED: Final = re.compile(
    r"\b(?:not|never|didn't|no longer)\b.{0,40}\b(?:occur|happen|reproduc|appear|seen|observed)"
    r"|\bno (?:se |fue |ha )?.{0,20}(?:ocurri|reproduc|apareci|sucedi|produ[cj])"
    r"|\bnicht (?:auf|repro)|未(?:发|發|出)"
    r"|(?:し|り)ませんで"
    r"|\b(?:is|was|are|were|now|ya) (?:gone|fixed|solved|resolved|resuelto|corregido)\b"
    r"|(?:\b(?:(?:without|free of|no|sin|keine?|aucune?) |[没沒]有).{0,24}"
    r"|(?:^|[:;,(=] )(?:0|zero) (?:\w{1,12} ){0,2})"
    r"(?=Memory access fault|(?:HIP|ROCm) err|illegal memory access|hipError[A-Z])"
    r"|\b(?:HIP )?errors?: (?:0|none)\b",
    re.IGNORECASE,
)
_MARK: Final = re.compile(
    r"Memory access fault by GPU|(?:HIP|CUDA|ROCm) error:|hipError(?!String|Name|_)[A-Z]\w{3,60}"
    r"|\w{0,60}(?:Error|Exception): (?=HIP|CUDA|Triton)"
    r"|hip[A-Z]\w{1,60}(?: [A-Z0-9]{2,4})? failed: |Generation error: "
    + "".join(f"|{re.escape(text)}" for text in ERROR_TEXTS.values() if len(text) > 24)
)
_HINTS: Final = ("rror", "xception", "access", "launch", "ailed: ")
"""One of these is in every mark; most lines have none."""
_STICKY: Final = frozenset(
    words[code] for words in (ERROR_NAMES, ERROR_TEXTS) for code in STICKY if code in words
)
_ERROR: Final = re.compile(
    "|".join(re.escape(text) for text in sorted(_EXACT - {"no error"}, key=len, reverse=True))
)
_SPOKEN_OF: Final = re.compile(
    r"\b(?:expect(?:s|ed|ing)?(?!.{0,80}\b(?:received|got|but|actual|found)\b)"
    r"|look(?:s|ing)? for|search(?:es|ing)? for|patterns?|grep"
    r"|fix(?:es|ed)?|simulat(?:es|ed|ing)|mock(?:s|ed)?|inject(?:s|ed)?|if|si|cuando|unless|whether|falls|wenn|lorsque"
    r"|such as|e\.g\.|see also|means?|says?|said|prints?|printed|known|avoids?|prevents?"
    r"|workarounds?|about|espera\w*|busca\w*|dice|dijo|imprime|imprimi\w*|corrige|significa)\b|如果|如遇",
    re.IGNORECASE,
)
_WHENEVER: Final = re.compile(r"(?:^|[.!?] )\s*(?:When|Whenever|Once|As soon as) [^:]{0,300}$")
"""How a sentence begins that explains what may happen; a program puts a colon before an error."""
_MARKUP_OF_A_LINE: Final = re.compile(
    r"\s{0,200}(?:\|.*\|\s*$|>|\*\*(?! )|(?:<|//|#|[-*\u2022]|\d{1,3}[.)])\s)"
    r"|\s{1,20}(?:-\w, )?--[a-z][\w-]{0,60}(?:[ =][\w<>\[\]{},|-]{1,60})? {2,60}\S"
)
"""Or of a program's help: an option and what it does."""
_THROWN: Final = re.compile(
    r"(?:\b\w{0,60}(?:Error|Exception)|_error|_exception)(?:: |\()$|\b(?:error|failed with) $"
)
"""What is before the quotation marks that an exception is printed with."""
_NONE_OF_IT: Final = re.compile(r"\s?(?:count|errors?|times)?\s?[:=]\s?0\b(?!x)")
"""A counter behind the name of an error."""
_NUMBERED_ROW: Final = re.compile(r"\s*\d{1,9}\t")
_PASSED: Final = re.compile(
    r"^ok \d|^\s{0,40}[\u2713\u2714\u221a] |\b(?:PASSED|XFAIL|XPASS|SKIPPED|xfailed)\b"
)
"""Of a test, which may be named after the error."""
_DIAGNOSTIC: Final = re.compile(
    r"\s{0,8}\S{1,300}(?::\d{1,7}){1,2}: (?:fatal )?(?:error|warning|note): "
)
"""A compiler speaks of the source."""
_SOURCE: Final = re.compile(
    r"\s{0,80}(?:[\w./-]{1,200}:\d{1,7}:\s{0,80})?"
    r"(?:INSERT INTO|SELECT|UPDATE|case|return|throw|raise|f?printf|std::c(?:err|out)|#\s?define"
    r"|static|const|constexpr|var|let|echo|grep)\b[ (\w]"
    r"|(?:[\w./-]{1,200}[:-]\d{1,7}[:-])?\s{0,80}\{.*\},?\s*$"
    r"|\s{0,80}[\w.-]{1,80} = [\"'\[{]"
    r"|[a-z_:]{1,80}\{.*\} [\d.eE+-]{1,20}$"
    r"|[\w./-]{1,200}\.(?:cc?|cpp|cxx|cuh?|hpp|hxx|h|hip|rs|go|js|java)[:-]\d{1,7}[:-].*[;{]\s*$"
)
"""A line of a program, a setting, or a metric."""
_LISTED: Final = re.compile(r"[\"']?(?: ?[,|/] ?| or | and )[\"']?hipError[A-Z]")
"""Another error behind one: a list of them."""
_KNOWN_TO_GO_ON: Final = re.compile(
    r"ggml_cuda_init: failed|ggml_cuda_host_malloc: failed|hipBlasLT failed"
)
"""Programs that say this do without."""
_CALM: Final = re.compile(
    r"(?:^|[\s\[|(])(?:INFO|DEBUG|TRACE|VERBOSE|NOTICE|[Ii]nfo|[Dd]ebug|[Tt]race)(?=[\]\s:|)])"
    r"|^[ID]\d{4} |(?:^|: )[ID] (?=\S{1,200}\.cc)|\blevel=(?:info|debug)\b"
)
"""The level of a line that tells of nothing bad."""
_AS_EXPECTED: Final = re.compile(
    r"(?:\b(?:as|was|is) |\()expected\b|\bcomo se esperaba\b", re.IGNORECASE
)
_GOES_ON_AS_PROSE: Final = re.compile(
    r" ?[がのは].{0,40}場合"
    r"| (?:can|may|might|could|would) (?:also )?(?:be|come|mean|occur|happen|appear)\b"
    r"|,? (?:is|was|are|were|means?|if|because|that|which|but|it|se|es|fue|era|significa|si|que"
    r"|porque|pero|dijo|cuando|(?:when|while) (?:I|you|we|it|the|a))\b"
)
_HANDLED: Final = re.compile(
    r"(?<![\w/\\.-])(?:caught(?! signal| (?:the following )?un)|retry|retrying|trying"
    r"|fall(?:ing|s)? back|fallback|skipp(?:ed|ing)"
    r"|recover(?:ed|ing)|handled|reducing|instead|(?<=[,;] )using|ignor(?:ed|ing)|disabl(?:ed|ing)"
    r"|continuing|cleared|optional"
    r"|unavailable|not fatal|non-fatal|reintent\w+|en su lugar|se usa|se omite|ignorad[oa])"
    r"(?![\w/\\-])",
    re.IGNORECASE,
)
"""Words, and no parts of a path. What is caught unhandled, and a signal, ends the program."""
_ENDS: Final = re.compile(r"(?<!not )(?<!non-)fatal|abort|terminat|\bexit", re.IGNORECASE)
_NEXT_SENTENCE: Final = re.compile(r"[a-záéíóúñ]\. [A-ZÁÉÍÓÚÑ¿¡]")
FUNCTION_WORD: Final = re.compile(
    r"\b(?:the|a|of|is|was|were|that|and|to|we|it|el|la|los|las|de|que|y|se|un|una|en"
    r"|der|die|das|und|ist|ein|eine|nicht|auf|le|les|est|une|et|du)\b",
    re.IGNORECASE,
)


def without_quotations(text: str) -> str:
    """What a line says itself.

    The bare text of an error may stand in quotation marks: some programs print it so. A logger
    that writes key="value" puts everything in quotes.
    """
    if _KEYS.match(text) or not any(mark in text for mark in "\"'`“«"):
        return text
    return _NOT_CLOSED.sub(_kept, _QUOTATION.sub(_kept, text))


def _kept(quotation: re.Match[str]) -> str:
    inner = quotation[0][1:-1]
    name = inner.partition(":")[0]
    is_name = inner.replace("::", "_").isidentifier()
    is_own = len(inner) < _SHORT or inner in _EXACT or name in _EXACT or is_name
    is_own = is_own or STATUS.match(inner) is not None
    before = quotation.string[max(0, quotation.start() - 80) : quotation.start()]
    is_thrown = _THROWN.search(before)
    return quotation[0] if is_own or is_thrown else " "


def is_stated(text: str) -> bool:
    """Whether a line that may have an error in it says that it happened."""
    if _DENIED.search(text) or _MARKUP_OF_A_LINE.match(text):
        return False
    mark = _MARK.search(text) if any(word in text for word in _HINTS) else None
    if mark is None:
        return True
    error = _ERROR.search(text, mark.start())
    can_go_on = error[0] not in _STICKY if error else "out of memory" in text[mark.start() :]
    return is_stated_at(text, mark.start(), error.end() if error else len(text), can_go_on)


def is_stated_at(text: str, begin: int, end: int, can_go_on: bool) -> bool:
    """The same of an error whose words are known; a program `can_go_on` after most."""
    head, tail = text[:begin].rstrip(_MARKS), text[end:].lstrip(_MARKS)
    if _DENIED.search(text) or _MARKUP_OF_A_LINE.match(text) or _NONE_OF_IT.match(tail):
        return False
    if (
        _DIAGNOSTIC.match(text)
        or _SOURCE.match(text)
        or _LISTED.match(text, end)
        or _KNOWN_TO_GO_ON.search(head)
    ):
        return False
    if (
        _SPOKEN_OF.search(head)
        or _WHENEVER.search(head)
        or _AS_EXPECTED.search(text)
        or "?" in tail[:200]
    ):
        return False
    if head.endswith(",") or _NUMBERED_ROW.match(head) or _PASSED.search(text):
        return False  # a field of a table, a test that passed
    if can_go_on and (_HANDLED.search(text) or _CALM.search(head[-200:])):
        return False
    if _GOES_ON_AS_PROSE.match(tail) or (not can_go_on and _is_prose(tail)):
        return False
    # A sentence may end in a colon and an error. What a model wrote may have an error right behind
    # it, for a runtime does not wait for the end of the line.
    is_sentence = len(FUNCTION_WORD.findall(without_errors(head))) > 1
    return not (is_sentence and head.endswith(" ") and head.rstrip()[-1:] not in ":!]|)")


def _is_prose(tail: str) -> bool:
    """More sentences behind a fault. Advice for who has run out of memory is the runtime's own."""
    return _NEXT_SENTENCE.search(tail) is not None and len(FUNCTION_WORD.findall(tail)) > 3


_NEAR: Final = 5
"""In so many lines a program says that it does without what failed."""


class DoneWithout:
    """Which lines tell of a failure that the same program says below to do without.

    hipMalloc failed: out of memory
    freeing cached blocks and retrying
    """

    def __init__(self) -> None:
        self._last: deque[tuple[int, Speaker]] = deque(maxlen=_NEAR)
        """Lines that are understood, and whose they are."""
        self._lines: set[int] = set()

    def see(self, text: str, number: int, understood: bool) -> None:
        while self._last and number - self._last[0][0] >= _NEAR:
            self._last.popleft()
        if understood:
            self._last.append((number, speaker_of(text)))
        elif self._last and _ENDS.search(text):
            self._last.clear()
        if self._last and _HANDLED.search(text) and not _ENDS.search(text):
            who = speaker_of(text)
            if len(self._lines) < _MOST_TESTS:
                self._lines |= {at for at, whose in self._last if whose == who}

    def forgive(self, logs: Sequence[ProcessLog]) -> None:
        """After a fault no program goes on, whatever it says."""
        for log in logs if self._lines else ():
            told = {one.line for one in log.messages if one.line in self._lines and _is_minor(one)}
            log.messages = [one for one in log.messages if one.line not in told]
            log.operations = [one for one in log.operations if one.line not in told]


def _is_minor(message: Message) -> bool:
    is_failure = bool(message.error or message.status or message.unsaid)
    return is_failure and message.error not in STICKY


_TEST_BEGUN: Final = re.compile(r"\[ RUN {6}\] (\S{1,300})")
_TEST_PASSED: Final = re.compile(r"\[ {7}OK \] (\S{1,300})")
_CTEST_BEGUN: Final = re.compile(r"(?:^|\s)Start {1,6}(\d{1,6}): \S")
_CTEST_PASSED: Final = re.compile(r"(?:^|\s)Test {1,6}#(\d{1,6}): .{1,300} Passed\b")
_OF_CTEST: Final = re.compile(r"(?:\S{1,40}Z )? {0,6}(\d{1,6}): ")
"""What CTest puts before what a test prints."""
_CTEST: Final = "ctest"
_PYTEST_HEADING: Final = re.compile(r"={4,200} (.{1,200}?) ={4,200}")
_GO_RUNS: Final = re.compile(r"\s{0,200}=== (?:RUN|CONT|NAME) {1,3}(\S{1,300})")
_GO_ENDED: Final = re.compile(r"\s{0,200}--- (PASS|FAIL|SKIP): (\S{1,300}) \(")
_NAMED_BEFORE: Final = re.compile(
    r"(?:^|\s)(?:test (\S{1,300})(?: - should panic)?|(test\w{0,300}) \([\w.]{1,300}\)) \.\.\."
    r"(?! (?:ok|FAIL|FAILED|ERROR|ignored|skipped)\b)"
)
"""Of a test of Rust or of Python's unittest, which may print before its result is told."""
_RESULTS: Final = {"ok": True, "FAIL": False, "FAILED": False, "ERROR": False}
_RUST_ENDED: Final = re.compile(
    r"(?:^|\s)test (\S{1,300})(?: - should panic)? \.\.\. (ok|FAILED)\b"
)
_RUST_PANICS: Final = re.compile(r"\bthread '([^']{1,300})' (?:\(\d{1,9}\) )?panicked at ")
_RUST_TELLS_HOW: Final = "note: run with `RUST_BACKTRACE"
_RUST_RESULT: Final = "test result: "
_CATCH_BEGUN: Final = re.compile(r"(?:^|\s)(?:Randomness seeded to|Filters): \S")
_CATCH_PASSED: Final = re.compile(
    r"(?:^|\s)All tests passed \(\d{1,9} assertions? in \d{1,9} test cases?\)"
)
_CATCH: Final = "catch"
_MOST_TESTS: Final = 100_000
_MOST_SPEAKERS: Final = 4096
_HEADING: Final = "PASSES"
"""Of what pytest has captured, and Rust's tests, above those that passed."""
_SHOWN: Final = "successes:"
_CAPTURED: Final = (_HEADING, _SHOWN)
_SHOWN_NO_MORE: Final = ("failures:", _RUST_RESULT)


class _GoTests:
    """What Go's tests print stands behind the name of the one that prints, a parent's result first.

    === RUN   TestCopy
    === RUN   TestCopy/null
        copy_test.go:31: hipMemcpy: invalid argument
    --- PASS: TestCopy (0.01s)
        --- PASS: TestCopy/null (0.01s)
    """

    def __init__(self) -> None:
        self._lines: dict[str, list[tuple[int, int]]] = {}
        """The first of its lines, and the one behind the last."""
        self._name, self._first = "", 0

    def see(self, text: str, number: int) -> list[tuple[int, int]]:
        """The lines of a test that is now known to have passed."""
        if runs := _GO_RUNS.match(text):
            self._leave(number)
            self._name, self._first = runs[1], number
        elif ended := _GO_ENDED.match(text):
            self._leave(number)
            lines = self._lines.pop(ended[2], [])
            return lines if ended[1] == "PASS" else []
        return []

    def _leave(self, number: int) -> None:
        if self._name and len(self._lines) < _MOST_TESTS:
            self._lines.setdefault(self._name, []).append((self._first, number))
        self._name = ""


class _RustTests:
    """What Rust's tests print when they panic, which those marked `should_panic` are meant to do.

    thread 'copies::null' panicked at src/lib.rs:40:9:
    hipMemcpy failed: invalid argument
    note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace
    test copies::null - should panic ... ok
    """

    def __init__(self) -> None:
        self._lines: dict[str, list[tuple[int, int]]] = {}
        """The first line of a panic, and the one behind the last."""
        self._name, self._first = "", 0

    def see(self, text: str, number: int) -> list[tuple[int, int]]:
        """The lines of a test that is now known to have passed."""
        if panics := _RUST_PANICS.search(text):
            self._leave(number)
            self._name, self._first = panics[1], number
        elif ended := _RUST_ENDED.search(text):
            self._leave(number)
            lines = self._lines.pop(ended[1], [])
            return lines if ended[2] == "ok" else []
        elif _RUST_TELLS_HOW in text:
            self._leave(number)
        elif _RUST_RESULT in text:  # the next program may have tests of the same names
            self._leave(number)
            self._lines.clear()
        return []

    def _leave(self, number: int) -> None:
        """Other tests may print right behind a panic."""
        if self._name and len(self._lines) < _MOST_TESTS:
            panic = (self._first, min(number, self._first + _NEAR))
            self._lines.setdefault(self._name, []).append(panic)
        self._name = ""


class PassedTests:
    """Which lines of a file tests printed that passed.

    GoogleTest and CTest say in the end how a test went, pytest in the heading above what was
    captured:

        [ RUN      ] Copy.NullIsRefused                 ===== PASSES =====
        hipMemcpy failed: invalid argument              ----- Captured stderr call -----
        [       OK ] Copy.NullIsRefused (0 ms)          hipMemcpy failed: invalid argument

    So do Rust's tests of what they have captured, and Catch2 behind all of its tests. Where lines
    name a rank or a process, a test speaks for its own lines only.
    """

    def __init__(self) -> None:
        self._ranges: dict[Speaker, list[tuple[int, int]]] = {}
        """Lines of tests that passed: the first, and the one behind the last; in order."""
        self._count = 0
        self._open: dict[tuple[Speaker, bool], tuple[str, int]] = {}
        """The test that runs, and pytest's heading (True) of tests that passed; and its line."""
        self._go, self._rust = _GoTests(), _RustTests()
        self._said: dict[int, Speaker] = {}
        """Lines of such tests that are understood, and whose they are, if they name anybody."""

    def see(self, text: str, number: int, understood: bool) -> None:
        for lines in self._rust.see(text, number):
            insort(self._ranges.setdefault(Speaker(), []), lines)
        if "[ " in text and (found := _TEST_BEGUN.search(text)):
            self._begin(speaker_of(text), found[1], number)
        elif "[ " in text and (found := _TEST_PASSED.search(text)):
            self._end(speaker_of(text), found[1], number)
        elif "====" in text and (found := _PYTEST_HEADING.search(text)):
            self._end(speaker_of(text), _HEADING, number)
            if found[1] == _HEADING:
                self._begin(speaker_of(text), _HEADING, number)
        elif "Start " in text and (found := _CTEST_BEGUN.search(text)):
            self._begin(Speaker(test=int(found[1])), _CTEST, number)
        elif " Passed" in text and (found := _CTEST_PASSED.search(text)):
            self._end(Speaker(test=int(found[1])), _CTEST, number)
        elif text.startswith((_SHOWN, *_SHOWN_NO_MORE)):
            self._end(Speaker(), _SHOWN, number)
            if text == _SHOWN:
                self._begin(Speaker(), _SHOWN, number)
        elif " ..." in text and (found := _NAMED_BEFORE.search(text)):
            self._begin(Speaker(), found[1] or found[2], number)
        elif text in _RESULTS:
            self._result(_RESULTS[text], number)
        elif ("seeded" in text or "Filters" in text) and _CATCH_BEGUN.search(text):
            self._begin(speaker_of(text), _CATCH, number)
        elif "passed (" in text and _CATCH_PASSED.search(text):
            self._end(speaker_of(text), _CATCH, number)
        elif "=== " in text or "--- " in text:
            for lines in self._go.see(text, number):
                insort(self._ranges.setdefault(Speaker(), []), lines)
        elif understood and self._open and len(self._said) < _MOST_TESTS:
            who = self._who(text)
            if who != Speaker():
                self._said[number] = who

    def _result(self, passed: bool, number: int) -> None:
        """Of the test that runs, on a line of its own."""
        running = self._open.get((Speaker(), False))
        if running and passed:
            self._end(Speaker(), running[0], number)
        elif running:
            del self._open[Speaker(), False]

    def _who(self, text: str) -> Speaker:
        label = _OF_CTEST.match(text)
        of_ctest = Speaker(test=int(label[1])) if label else Speaker()
        return of_ctest if (of_ctest, False) in self._open else speaker_of(text)

    def _begin(self, who: Speaker, test: str, number: int) -> None:
        key = (who, test in _CAPTURED)
        if key in self._open or len(self._open) < _MOST_SPEAKERS:
            self._open[key] = (test, number)

    def _end(self, who: Speaker, test: str, number: int) -> None:
        key = (who, test in _CAPTURED)
        begun, first = self._open.get(key, ("", 0))
        if begun != test:
            return
        del self._open[key]
        if self._count < _MOST_TESTS:
            self._count += 1
            ranges = self._ranges.setdefault(who, [])
            while ranges and ranges[-1][0] >= first:  # a test within what pytest has captured
                ranges.pop()
            ranges.append((first, number))

    def _passed(self, number: int) -> bool:
        """A test whose lines name nobody speaks for all lines in it."""
        who = self._said.get(number, Speaker())
        return any(self._is_within(one, number) for one in {who, Speaker()})

    def _is_within(self, who: Speaker, number: int) -> bool:
        ranges = self._ranges.get(who, [])
        at = bisect_right(ranges, number, key=lambda one: one[0])
        return at > 0 and number < ranges[at - 1][1]

    def forgive(self, logs: Sequence[ProcessLog]) -> None:
        """Errors that such tests printed are none of the program's."""
        for log in logs if self._ranges else ():
            told = {one.line for one in log.messages if self._passed(one.line)}
            log.messages = [one for one in log.messages if one.line not in told]
            log.operations = [one for one in log.operations if one.line not in told]
