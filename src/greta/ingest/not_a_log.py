"""Files that are no logs though they may quote one: programs, archives, source code, documents."""

from __future__ import annotations

import re
from typing import Final

from greta.ingest.message_start import message_of

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

_MARKUP: Final = re.compile(
    r"#{1,6} \S.*|```.*|~~~.*|\|.{0,2000}\|\s*|-{3,}\s*|\*\*.{1,200}|[-*] \*\*.{1,200}|<[!a-zA-Z/].*>"
)
_CODE: Final = re.compile(
    r"\s*(?:#\s*(?:include|define|if|ifdef|ifndef|endif|pragma)\b.*|#!/.*|//.*|/\*.*|\*/.*"
    r"|(?:import|from) [\w.]+(?: import .*)?|def \w+\(.*|class \w+.*:|return\b.*|(?:if|for|while) .*[:{]"
    r"|(?:using|namespace|template|struct|static|const|void|int|auto|raise|throw|print|echo|export)\b.*"
    r"|\}.*|.{0,2000}[;{]|[\w.:]+\(.*\)|\"\"\".*|# .*)\s*"
)
_SENTENCE: Final = re.compile(r"(?:[-*] |\d{1,2}[.)] )?[A-ZÁÉÍÓÚÑ¿¡\"'(][^=\[\]]{20,}[.:!?,\w)]")
_ENOUGH: Final = 3
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
    """Counts the lines that somebody wrote, and those that a program printed."""

    def __init__(self) -> None:
        self._lines = 0
        self._written = {"a document": 0, "source code": 0}
        self._printed = 0
        self._first: bool | None = None

    def see(self, text: str, understood: bool) -> None:
        """One more line; `understood` if it has the form of a known log."""
        if self._lines >= _FEW or not text.strip():
            return
        self._lines += 1
        kind = None if text.startswith("\t") and understood else _kind(text)
        if kind and not (understood and message_of(text) != text):
            self._written[kind] += 1
        elif understood:
            self._printed += 1
        if self._first is None:
            self._first = kind is not None

    @property
    def why(self) -> str | None:
        """Why it is no log; None if it may be one."""
        kind = max(self._written, key=lambda one: self._written[one])
        written = sum(self._written.values())
        if written < _ENOUGH or written * 3 < self._lines:
            return None
        if not self._first and written * 2 < self._lines:
            return None
        return f"is {kind}, not a log; what it quotes is no evidence: give the log itself"


def _kind(text: str) -> str | None:
    if _MARKUP.fullmatch(text):
        return "a document"
    if _CODE.fullmatch(text):
        return "source code"
    if _SENTENCE.fullmatch(text.strip()) and len(text.split()) > 5:
        return "a document"
    return None
