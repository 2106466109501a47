"""What somebody wrote about an error, as against what a program printed of it.

Two questions. Of a line: does it state that an error happened, or does it only speak of one: quote
it, deny it, explain it, look for it, expect it? Of a file: is it a log at all, or a document,
source code, a patch, which may quote one?
"""

from __future__ import annotations

import re
from typing import Final

from greta.recording import ERROR_NAMES, ERROR_TEXTS
from greta.trace.device_errors import STICKY

_QUOTATION: Final = re.compile(
    r'"[^"]{6,2000}"|`[^`]{6,2000}`|“[^“”]{6,2000}”|«[^«»]{6,2000}»'
    r"|(?<!\w)'[^']{6,2000}'(?!\w)"
)
_SHORT: Final = 12
"""Quotations with fewer letters are names."""
_KEYS: Final = re.compile(r"(?:time|ts|t|level|lvl)=\S")
"""How a line of a logger begins that writes key="value"."""
_EXACT: Final = frozenset((*ERROR_NAMES.values(), *ERROR_TEXTS.values()))
_DENIED: Final = re.compile(
    r"\b(?:not|never|didn't|no longer)\b.{0,40}\b(?:occur|happen|reproduc|appear|seen|observed)"
    r"|\bno (?:se |fue |ha )?.{0,20}(?:ocurri|reproduc|apareci|sucedi|produc)"
    r"|\b(?:is|was|are|were|now|ya) (?:gone|fixed|solved|resolved|resuelto|corregido)\b"
    r"|\b(?:without|free of|no|sin|0|zero) .{0,24}(?=Memory access fault|(?:HIP|ROCm) err)",
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
    r"\b(?:expect(?:s|ed|ing)?|look(?:s|ing)? for|search(?:es|ing)? for|patterns?|grep"
    r"|fix(?:es|ed)?|simulat(?:es|ed|ing)|mock(?:s|ed)?|inject(?:s|ed)?|if|unless|whether"
    r"|such as|e\.g\.|means?|says?|said|prints?|printed|known|avoids?|prevents?"
    r"|workarounds?|about|espera\w*|busca\w*|dice|dijo|imprime|imprimi\w*|corrige|significa)\b",
    re.IGNORECASE,
)
_MARKUP_OF_A_LINE: Final = re.compile(r"\s{0,200}(?:>|\*\*|(?:[-*\u2022]|\d{1,3}[.)])\s)")
_AS_EXPECTED: Final = re.compile(r"\b(?:as|was|is) expected\b|\bcomo se esperaba\b", re.IGNORECASE)
_GOES_ON_AS_PROSE: Final = re.compile(
    r",? (?:is|was|are|were|means?|if|because|that|which|but|it|se|es|fue|era|significa|si|que"
    r"|porque|pero|dijo|cuando|(?:when|while) (?:I|you|we|it|the|a))\b"
)
_HANDLED: Final = re.compile(
    r"\b(?:caught|retry|retrying|fall(?:ing|s)? back|skipp(?:ed|ing)|recover(?:ed|ing)|handled"
    r"|reducing|reintent\w+)\b",
    re.IGNORECASE,
)
_FUNCTION_WORD: Final = re.compile(
    r"\b(?:the|a|of|is|was|were|that|and|to|we|it|el|la|los|las|de|que|y|se|un|una|en)\b",
    re.IGNORECASE,
)


def without_quotations(text: str) -> str:
    """What a line says itself.

    The bare text of an error may stand in quotation marks: some programs print it so. A logger
    that writes key="value" puts everything in quotes.
    """
    if _KEYS.match(text) or not any(mark in text for mark in "\"'`“«"):
        return text
    return _QUOTATION.sub(_kept, text)


def _kept(quotation: re.Match[str]) -> str:
    inner = quotation[0][1:-1]
    name = inner.partition(":")[0]
    return quotation[0] if len(inner) < _SHORT or inner in _EXACT or name in _EXACT else " "


def is_stated(text: str) -> bool:
    """Whether a line that has an error in it says that it happened."""
    if _DENIED.search(text) or _MARKUP_OF_A_LINE.match(text):
        return False
    mark = _MARK.search(text) if any(word in text for word in _HINTS) else None
    if mark is None:
        return True
    head, rest = text[: mark.start()], text[mark.start() :]
    error = _ERROR.search(rest)
    tail = rest[error.end() :] if error else ""
    if _SPOKEN_OF.search(head) or _AS_EXPECTED.search(text) or "?" in tail[:200]:
        return False
    if head.endswith(","):
        return False  # a field of a table
    can_go_on = error[0] not in _STICKY if error else "out of memory" in rest
    if can_go_on and _HANDLED.search(text):
        return False
    if _GOES_ON_AS_PROSE.match(tail):
        return False
    # A sentence may end in a colon and an error. What a model wrote may have an error right behind
    # it, for a runtime does not wait for the end of the line.
    is_sentence = len(_FUNCTION_WORD.findall(head)) > 1
    return not (is_sentence and head.endswith(" ") and head.rstrip()[-1:] not in ":!]|)")


# --- files that are no logs -----------------------------------------------------------------------

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
_WRITTEN: Final = {
    kind: f"is {kind}, not a log; what it quotes is no evidence: give the log itself"
    for kind in ("a document", "source code", "a patch")
}
REASONS: Final = (*_MAGIC.values(), *_WRITTEN.values(), _NO_TEXT)
"""Why a file is refused; the sentence begins with its name."""
_CONTROL: Final = bytes(set(range(32)) - set(b"\0\a\b\t\n\f\r\x1b"))

_LONGEST: Final = 1000
# Of a line without the blanks around it.
_MARKUP: Final = re.compile(
    r"#{1,6} \S.*|```.*|~~~.*|\|.*\||-{3,}|\*\*.{1,200}|[-*] \*\*.{1,200}|<[!a-zA-Z/].*>"
    r"|(?:From|To|Cc|Date|Subject): \S.*|\\(?:begin|end|section|subsection|documentclass|item)\b.*"
    r"|> \S.*"
)
_CODE: Final = re.compile(
    r"#\s?(?:include|define|if|ifdef|ifndef|endif|pragma)\b.*|#!/.*|//.*|/\*.*|\*/.*"
    r"|(?:import|from) [\w.]+(?: import .*)?|def \w+\(.*|class \w+.*:|return\b.*"
    r"|(?:if|for|while) .*[:{]|(?:using|namespace|template|struct|static|const|void|int|auto)\b.*"
    r"|(?:raise|throw|print|echo|export)\b.*|\}.*|.*[;{]|[\w.:]+\(.*\)|\"\"\".*"
    r"|diff --git .*|(?:---|\+\+\+) [^\s-].*|@@ -\d.* @@.*"
)
_GOES_ON: Final = re.compile(r"[a-záéíóúñ¿¡][^=\[\]:/\\]{20,}[.!?]")
"""A sentence that began on an earlier line, or after a salutation."""
_SENTENCE: Final = re.compile(r"(?:[-*] |\d{1,2}[.)] )?[A-ZÁÉÍÓÚÑ¿¡\"'(][^=\[\]]{20,}[.:!?]")
_SPEAKS: Final = re.compile(
    r"(?:[A-Za-zÁÉÍÓÚÑáéíóúñ]{1,20}: )?[^=\[\]{}<>|]{0,300}"
    r"(?:\b(?:I|I'm|you|we|my|me|[Yy]o|tú|usted|mi)\b[^=\[\]{}<>|]{0,300}|[a-z] ?\?)"
)
"""Programs hardly say "I", nor do they ask."""
_UNDERLINE: Final = re.compile(r"([=~^\"-])\1{3,200}")
_PYTHON_FRAME: Final = re.compile(r'\s*File "[^"]{1,1000}", line \d{1,9}')
_ENOUGH: Final = 3
_OPENING: Final = 5
_FEW: Final = 2000
"""Lines that are looked at."""
_PATCH: Final = re.compile(r"diff --git a/\S+ b/\S+|--- a/\S+|Index: \S+")


def why_binary(start: bytes) -> str | None:
    """By the first bytes of a file; None if they may be a log's."""
    for magic, why in _MAGIC.items():
        if start.startswith(magic):
            return why
    odd = len(start) - len(start.translate(None, _CONTROL))
    return _NO_TEXT if odd * 10 > len(start) else None


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
        self._is_patch = False
        self._before = 0
        """How long the line before is."""

    def see(self, text: str, understood: bool) -> None:
        """One more line; `understood` if it has the form of a known log."""
        if self._lines >= _FEW or not text.strip():
            return
        self._lines += 1
        self._is_patch |= self._lines == 1 and _PATCH.match(text) is not None
        kind = None if understood or self._in_traceback else self._kind(text.strip()[:_LONGEST])
        self._in_traceback = _PYTHON_FRAME.match(text) is not None
        self._before = len(text.strip())
        self._goes_on = not understood and (self._goes_on or kind is not None)
        if kind:
            self._written[kind] += 1
            self._spoken += _SPEAKS.fullmatch(text.strip()[:_LONGEST]) is not None
            self._begins_as_one |= self._lines <= _OPENING and not self._understood
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
        written = sum(self._written.values()) + (self._spoken if self._goes_on else 0)
        if not self._begins_as_one or written < _ENOUGH or written * 3 < self._lines:
            return None
        kind = max(self._written, key=lambda one: self._written[one])
        return _WRITTEN[kind]


def _kind(text: str) -> str | None:
    if _MARKUP.fullmatch(text):
        return "a document"
    if _CODE.fullmatch(text):
        return "source code"
    words = len(_FUNCTION_WORD.findall(text))
    is_sentence = _SENTENCE.fullmatch(text) and words
    goes_on = words > 1 and _GOES_ON.fullmatch(text)
    return "a document" if is_sentence or goes_on or _SPEAKS.fullmatch(text) else None
