"""Whether a file is a log at all, or a document, a conversation, source code, a patch.

Such files may quote a log; what they quote is no evidence.
"""

from __future__ import annotations

import re
from typing import Final

from greta.trace.logs.platform import OF_CUDA
from greta.trace.logs.stated import FUNCTION_WORD

_MAGIC: Final = {
    b"\x7fELF": "is a program, a library or a core dump (ELF), not a log; "
    "record the program with `greta run -- COMMAND`",
    b"\x1f\x8b": "is compressed (gzip); unpack it first, with gunzip",
    b"\x28\xb5\x2f\xfd": "is compressed (zstd); unpack it first, with unzstd",
    b"\xfd7zXZ\0": "is compressed (xz); unpack it first, with unxz",
    b"BZh": "is compressed (bzip2); unpack it first, with bunzip2",
    b"PK\x03\x04": "is an archive (zip); unpack it first, with unzip",
    b"GGUF": "is a model (GGUF), not a log",
    b"EHRR": "is part of an archive (HRR); give the folder that it lies in",
    b"%PDF-": "is a document (PDF), not a log",
}
_NO_TEXT: Final = "is no text, and so no log"
_EMPTY: Final = "is empty"
_BLANKS: Final = b" \t\r\n\f\0"
_ALL: Final = 4096
"""Bytes of blanks that are a whole file."""
_WRITTEN: Final = {
    kind: f"is {kind}, not a log; what it quotes is no evidence: give the log itself"
    for kind in ("a document", "source code", "a patch")
}
REASONS: Final = (*_MAGIC.values(), *_WRITTEN.values(), _NO_TEXT, _EMPTY, OF_CUDA)
"""Why a file is refused; the sentence begins with its name."""
_CONTROL: Final = bytes(set(range(32)) - set(b"\0\a\b\t\n\f\r\x1b"))

_LONGEST: Final = 1000
# Of a line without the blanks around it.
_MARKUP: Final = re.compile(
    r"#{1,6} \S.*|\.{3}|```.*|~~~.*|-{3,4}|={1,3} [A-Z][^=]*(?:={1,3})?"
    r"|\*\*.{1,200}|[-*] \*\*.{1,200}"
    r"|<[!a-zA-Z/].*>"
    r"|(?:From|To|Cc|Date|Subject|Author): {1,4}\S.*|commit [0-9a-f]{7,40}\b.*"
    r"|\\(?:begin|end|section|subsection|documentclass|item)\b.*"
    r"|(?:Summary|Title|Reporter|Assignee|Priority|Description|Environment|Steps to reproduce"
    r"|(?:Actual|Expected) (?:result|behaviou?r)):.*"
    r"|> \S.*|\.\. [\w-]+::.*|``[^`]+``"
)
_ROW: Final = re.compile(r"\|.*\|")
"""Of a table: benchmarks print them as well."""
_CODE: Final = re.compile(
    r"#\s?(?:include|define|if|ifdef|ifndef|endif|pragma)\b.*|#!/.*|//.*|/\*.*|\*/.*"
    r"|(?:import|from) [\w.]+(?: import .*)?|def \w+\(.*|class \w+.*:|return\b.*"
    r"|(?:if|for|while) .*[:{]|(?:using|namespace|template|struct|static|const|void|int|auto)\b.*"
    r"|(?:raise|throw|print|echo|export)\b.*|\}.*|.*[;{]|[\w.:]+\(.*\)|\"\"\".*"
    r"|- [\w-]+: .*|[a-z][\w-]*:|package \w+|import (?:\(|\"[\w./-]+\")"
    r"|(?:var|let|val|fn|func|pub|use|impl|type) .*"
    r"|diff --git .*|(?:---|\+\+\+) [^\s-].*|@@ -\d.* @@.*"
)
_GOES_ON: Final = re.compile(r"[a-záéíóúñ¿¡][^=\[\]:/\\]{20,}[.!?]")
"""A sentence that began on an earlier line, or after a salutation."""
_SENTENCE: Final = re.compile(r"(?:[-*] |\d{1,2}[.)] )?(?:[^\W\d_a-z]|[¿¡\"'(])[^=\[\]]{20,}[.:!?]")
_FAR_EASTERN: Final = re.compile(
    r"[^=\[\]]*[\u3040-\u30ff\u4e00-\u9fff]{2}[\uff0c\u3001][^=\[\]]{4,}[\u3002\uff1a\uff01\uff1f]"
)
"""A sentence of Chinese or Japanese with a comma in it."""
_CYRILLIC: Final = re.compile(r"[\u0400-\u04ff]{2}")
_NEXT: Final = re.compile(r"[^\W\d_A-Z]{2}[.!?] (?=[^\W\d_a-z]|[¿¡])|\u3002(?=\S)")
"""Where another sentence begins in a line."""
_SPEAKS: Final = re.compile(
    r"(?:[A-Za-zÁÉÍÓÚÑáéíóúñ]{1,20}: )?[^=\[\]{}<>|]{0,300}"
    r"(?:\b(?:I|I'm|you|we|my|me|[Yy]o|tú|usted|mi)\b[^=\[\]{}<>|]{0,300}|[a-z] ?\?)"
)
"""Programs hardly say "I", nor do they ask."""
_UNDERLINE: Final = re.compile(r"([=~^\"-])\1{3,200}")
_PYTHON_FRAME: Final = re.compile(r'\s*File "[^"]{1,1000}", line \d{1,9}')
_ENOUGH: Final = 3
_OPENING: Final = 5
_FIRST: Final = 12
_RARELY: Final = 8
_EARLY: Final = 100
_SESSION: Final = re.compile(r"GNU gdb |Script started on ")
"""Programs that begin with sentences."""
_WORD: Final = re.compile(r"[^\W\d_]+(?:'[a-z]{1,2})?")
_FEW: Final = 2000
"""Lines that are looked at."""
_PATCH: Final = re.compile(r"diff --git a/\S+ b/\S+|--- a/\S+|Index: \S+")
_HEADING: Final = re.compile(r"#{1,6} \S|={1,3} [^=]{1,200} ={1,3}$")
_IN_LINE: Final = re.compile(r"[a-z]{2} `[^`]{1,200}`[,.:!?]")
"""How Markdown names code within a sentence."""
_REMARK: Final = re.compile(r"[A-ZÁÉÍÓÚÑ¿¡].{0,999}[.:!?]")
_TAP: Final = re.compile(
    r"\s{0,40}(?:TAP version \d{1,3}|1\.\.\d{1,9}|(?:not )?ok \d{1,9}(?: .{0,999})?)\s{0,9}"
)
"""What tests print by the Test Anything Protocol, with comments that look like headings."""
_OF_GO: Final = re.compile(r"=== (?:RUN|PAUSE|CONT|NAME) {1,3}\S|--- (?:PASS|FAIL|SKIP): \S")
"""What Go's tests print, which looks like a heading or a patch."""
_PAGE: Final = re.compile(
    r"\s*<(?:!doctype html|html|\?xml|head|body)\b"
    r"|\s*([\w.-]{1,80}\(\d\w{0,3}\))\s{2,200}\S.{0,200}\s\1\s*$",
    re.IGNORECASE,
)
"""Of the web, and of a manual: NAME(1)     Commands     NAME(1)."""


def why_binary(start: bytes) -> str | None:
    """By the first bytes of a file; None if they may be a log's."""
    if not start.strip(_BLANKS) and len(start) < _ALL:
        return _EMPTY
    for magic, why in _MAGIC.items():
        if start.startswith(magic):
            return why
    odd = len(start) - len(start.translate(None, _CONTROL))
    return _NO_TEXT if odd * 10 > len(start) else None


_SAID: Final = re.compile(
    r"(?:\[?(?:\d[\d/.-]{4,10},? )?\d{1,2}:\d\d(?::\d\d)?(?: ?[AP]M)?\]?(?: -)?\s{1,4})?"
    r"(?:<([\w.-]{1,30})>|([A-Za-z][\w.-]{0,29}):) (.*)"
)
_TURN: Final = re.compile(
    r"(\w[\w .-]{0,40}?),?\s{1,4}(?:— )?\[?(?:[\d./-]{6,10},? )?\d{1,2}:\d\d(?: ?[AP]M)?\]?"
)


class Conversation:
    """Lines that two people or more wrote to each other, with their names.

    [10:01] ana: did you see this?      10:01 <ana> did you see this?      ana  10:01 AM
    Ana, [05.05.2026 10:01]
    """

    def __init__(self) -> None:
        self._names: set[str] = set()
        self._turns = self._headings = 0
        self._is_spoken = False

    def see(self, text: str) -> None:
        if heading := _TURN.fullmatch(text):
            self._names.add(heading[1])
            self._headings += 1
        elif (said := _SAID.fullmatch(text)) and len(self._names) < _FEW:
            self._names.add(said[1] or said[2])
            self._turns += 1
            self._is_spoken |= said[1] is not None or _SPEAKS.fullmatch(said[3]) is not None

    def is_one(self, lines: int) -> bool:
        if len(self._names) < 2:
            return False
        is_written = self._is_spoken and self._turns >= _ENOUGH and self._turns * 3 >= lines * 2
        return is_written or (self._headings >= 2 and self._headings * 4 >= lines)


class Fences:
    """Blocks between lines of ```, which quote what is in them.

    A model that writes code opens one as well; the fault that interrupts it stands in none that is
    closed. Documents open their first early.
    """

    def __init__(self) -> None:
        self.is_open = False
        self._first = 0
        self._within = self._quoted = self._all = 0
        """Lines that are understood: in the block that is open, in closed ones, in all the file."""

    def see(self, text: str, number: int, understood: bool) -> None:
        self._all += understood
        if text.startswith("```"):
            self._first = self._first or number
            self._quoted += self._within
            self._within = 0
            self.is_open = not self.is_open
        elif self.is_open:
            self._within += understood

    @property
    def quote_all(self) -> bool:
        return 0 < self._first <= _EARLY and 0 < self._all == self._quoted


class Manuscript:
    """Counts the lines that somebody wrote among those that a program printed.

    A document or a source file shows what it is in its first lines. A log may have, further down,
    text and code that a model wrote, or the source lines of a traceback.
    """

    def __init__(self) -> None:
        self._lines = 0
        self._written = {"a document": 0, "source code": 0}
        self._spoken = 0
        self._goes_on = False
        """Somebody wrote a line behind the last one that is understood."""
        self._begins_as_one = False
        self._in_traceback = False
        self._understood = False
        self._is_patch = self._is_page = self._is_session = False
        self._is_headed = self._is_tap = False
        self._has_prose = False
        """Somebody wrote a line that is not indented and no heading."""
        self._only_quotes = True
        """What is understood is all indented, as Markdown quotes it."""
        self._begins_as_told = False
        """Somebody who says "I" ends a line among the first with a colon."""
        self._sentences = 0
        self._announced = self._is_introduced = False
        """A blank line or a colon is before what is understood. Programs print sentences too."""
        self._rows = 0
        self._opening = self._behind = 0
        """Lines that somebody wrote: among the first, and behind one that is understood."""
        self._conversation = Conversation()
        self._before = 0
        """How long the line before is."""
        self._fences = Fences()

    def see(self, text: str, understood: bool) -> None:
        """One more line; `understood` if it has the form of a known log."""
        if self._lines >= _FEW or not text.strip():
            self._announced |= not self._understood and self._lines > 0
            return
        self._is_introduced |= understood and self._announced
        self._announced = text.rstrip().endswith((":", "\uff1a"))
        if _ROW.fullmatch(text.strip()[:_LONGEST]):
            self._rows += 1
            return
        self._lines += 1
        self._is_session |= self._lines == 1 and _SESSION.match(text) is not None
        self._is_patch |= self._lines == 1 and _PATCH.match(text) is not None
        self._is_page |= self._lines == 1 and _PAGE.match(text) is not None
        self._conversation.see(text.strip()[:_LONGEST])
        self._fences.see(text.strip()[:_LONGEST], self._lines, understood)
        self._is_headed |= self._lines == 1 and _HEADING.match(text) is not None
        self._only_quotes &= not understood or text[:1].isspace()
        self._is_tap |= _TAP.fullmatch(text) is not None
        kind = None if understood or self._in_traceback else self._kind(text.strip()[:_LONGEST])
        self._has_prose |= not understood and _is_prose(text[:_LONGEST], kind)
        self._in_traceback = _PYTHON_FRAME.match(text) is not None
        self._before = len(text.strip())
        self._goes_on = not understood and (self._goes_on or kind is not None)
        if kind:
            self._written[kind] += 1
            self._opening += self._lines <= _FIRST and not self._understood
            self._behind += self._understood
            self._sentences += kind == "a document" and not _MARKUP.fullmatch(text.strip())
            self._spoken += _SPEAKS.fullmatch(text.strip()[:_LONGEST]) is not None
            self._spoken += len(_NEXT.findall(text[:_LONGEST])) if kind == "a document" else 0
            begins = self._lines <= _OPENING and not self._understood
            self._begins_as_one |= begins
            is_told = begins and self._announced and _SPEAKS.fullmatch(text.strip()[:_LONGEST])
            self._begins_as_told |= bool(is_told)
        self._understood |= understood

    def _kind(self, text: str) -> str | None:
        if len(text) == self._before and _UNDERLINE.fullmatch(text):
            return "a document"
        return _kind(text)

    @property
    def why(self) -> str | None:
        """Why it is no log; None if it may be one."""
        if self._is_patch:
            return _WRITTEN["a patch"]
        is_markdown = self._has_prose and (
            (self._is_headed and self._only_quotes) or self._fences.quote_all
        )
        is_told = self._begins_as_told and self._is_introduced
        if is_markdown or is_told or self._is_page or self._conversation.is_one(self._lines):
            return _WRITTEN["a document"]
        if self._is_tap and not self._has_prose:
            return None
        written = sum(self._written.values()) + (self._spoken if self._goes_on else 0)
        # Around what it quotes, a long document may show a lot of output, or tables.
        goes_on = self._opening >= _ENOUGH and self._behind > 1
        written -= 0 if self._is_introduced or goes_on else self._sentences
        if self._is_session or not self._begins_as_one or written < _ENOUGH:
            return None
        if (written + self._rows) * (_RARELY if goes_on else 3) < self._lines + self._rows:
            return None
        kind = max(self._written, key=lambda one: self._written[one])
        is_last = not self._behind and not self._is_introduced
        if kind == "source code" and self._fences.is_open and is_last:
            return None  # the code that a model was writing when the device faulted
        return _WRITTEN[kind]


def _kind(text: str) -> str | None:
    if _OF_GO.match(text):
        return None
    if _MARKUP.fullmatch(text):
        return "a document"
    if _CODE.fullmatch(text):
        return "source code"
    if _FAR_EASTERN.fullmatch(text):
        return "a document"
    words = len(FUNCTION_WORD.findall(text))
    is_sentence = _SENTENCE.fullmatch(text) and (words or _CYRILLIC.search(text))
    goes_on = words > 1 and (_GOES_ON.fullmatch(text) or _is_wrapped(text, words))
    return "a document" if is_sentence or goes_on or _SPEAKS.fullmatch(text) else None


def _is_prose(text: str, kind: str | None) -> bool:
    if text[:1].isspace() or _HEADING.match(text):
        return False
    is_remark = _REMARK.fullmatch(text.rstrip()) and FUNCTION_WORD.search(text)
    return kind == "a document" or is_remark is not None or _IN_LINE.search(text) is not None


def _is_wrapped(text: str, function_words: int) -> bool:
    """A line out of the middle of a paragraph."""
    words = len(_WORD.findall(text))
    return words > 7 and function_words > 2 and function_words * 5 >= words and "=" not in text
