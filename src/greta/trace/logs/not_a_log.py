"""Files that are no logs though they may quote one: programs, archives, source code, documents."""

from __future__ import annotations

import re
from typing import Final

_MAGIC: Final = {
    b"\x7fELF": "is a program, a library or a core dump (ELF), not a log; "
    "record the program with `greta run -- COMMAND`",
    b"\x1f\x8b": "is compressed (gzip); unpack it first, with gunzip",
    b"\x28\xb5\x2f\xfd": "is compressed (zstd); unpack it first, with unzstd",
    b"\xfd7zXZ\0": "is compressed (xz); unpack it first, with unxz",
    b"BZh": "is compressed (bzip2); unpack it first, with bunzip2",
    b"PK\x03\x04": "is an archive (zip); unpack it first, with unzip",
    b"GGUF": "is a model (GGUF), not a log",
    b"SQLite format 3\0": "is a database (SQLite), not a log",
    b"%PDF-": "is a document (PDF), not a log",
}
_CONTROL: Final = bytes(set(range(32)) - set(b"\0\a\b\t\n\f\r\x1b"))

_LONGEST: Final = 1000
# Of a line without the blanks around it.
_MARKUP: Final = re.compile(
    r"#{1,6} \S.*|```.*|~~~.*|\|.*\||-{3,}|\*\*.{1,200}|[-*] \*\*.{1,200}|<[!a-zA-Z/].*>"
)
_CODE: Final = re.compile(
    r"#\s?(?:include|define|if|ifdef|ifndef|endif|pragma)\b.*|#!/.*|//.*|/\*.*|\*/.*"
    r"|(?:import|from) [\w.]+(?: import .*)?|def \w+\(.*|class \w+.*:|return\b.*"
    r"|(?:if|for|while) .*[:{]|(?:using|namespace|template|struct|static|const|void|int|auto)\b.*"
    r"|(?:raise|throw|print|echo|export)\b.*|\}.*|.*[;{]|[\w.:]+\(.*\)|\"\"\".*"
)
_SENTENCE: Final = re.compile(r"(?:[-*] |\d{1,2}[.)] )?[A-ZÁÉÍÓÚÑ¿¡\"'(][^=\[\]]{20,}[.:!?]")
_FUNCTION_WORD: Final = re.compile(
    r"\b(?:the|a|of|is|was|were|that|and|to|we|it|el|la|los|las|de|que|y|se|un|una|en)\b",
    re.IGNORECASE,
)
_PYTHON_FRAME: Final = re.compile(r'\s*File "[^"]{1,1000}", line \d{1,9}')
_ENOUGH: Final = 3
_OPENING: Final = 5
_FEW: Final = 2000
"""Lines that are looked at."""


def why_binary(start: bytes) -> str | None:
    """By the first bytes of a file; None if they may be a log's."""
    for magic, why in _MAGIC.items():
        if start.startswith(magic):
            return why
    odd = len(start) - len(start.translate(None, _CONTROL))
    return "is no text, and so no log" if odd * 10 > len(start) else None


class Manuscript:
    """Counts the lines that somebody wrote among those that a program printed.

    A document or a source file shows what it is in its first lines. A log may have, further down,
    text and code that a model wrote, or the source lines of a traceback.
    """

    def __init__(self) -> None:
        self._lines = 0
        self._written = {"a document": 0, "source code": 0}
        self._begins_as_one = False
        self._in_traceback = False
        self._understood = False

    def see(self, text: str, understood: bool) -> None:
        """One more line; `understood` if it has the form of a known log."""
        if self._lines >= _FEW or not text.strip():
            return
        self._lines += 1
        kind = None if understood or self._in_traceback else _kind(text)
        self._in_traceback = _PYTHON_FRAME.match(text) is not None
        if kind:
            self._written[kind] += 1
            self._begins_as_one |= self._lines <= _OPENING and not self._understood
        self._understood |= understood

    @property
    def why(self) -> str | None:
        """Why it is no log; None if it may be one."""
        written = sum(self._written.values())
        if not self._begins_as_one or written < _ENOUGH or written * 3 < self._lines:
            return None
        kind = max(self._written, key=lambda one: self._written[one])
        return f"is {kind}, not a log; what it quotes is no evidence: give the log itself"


def _kind(line: str) -> str | None:
    text = line.strip()[:_LONGEST]
    if _MARKUP.fullmatch(text):
        return "a document"
    if _CODE.fullmatch(text):
        return "source code"
    is_sentence = _SENTENCE.fullmatch(text) and _FUNCTION_WORD.search(text)
    return "a document" if is_sentence else None
