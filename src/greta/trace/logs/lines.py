"""The lines of a log, whatever is in them, and files that are no logs though they may quote one.

Memory is bounded by the longest line that is kept, time by the length of the file: what is longer
is cut, and says so. Colours, carriage returns and bytes that are no UTF-8 do not matter below.
"""

from __future__ import annotations

import codecs
import io
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Final, NamedTuple

from greta.errors import OutsideError
from greta.outside import open_outside
from greta.recording import ERROR_NAMES, ERROR_TEXTS

LONGEST: Final = 16 << 10
_CHUNK: Final = 1 << 20
# Real escapes, and two ways in which pagers and mail write them. No repetition is nested.
_ESCAPES: Final = re.compile(r"(?:\x1b|\^\[|ESC)\[[0-9;?]{0,32}[A-Za-z]")


class LogLine(NamedTuple):
    """One line; `cut` if its end is missing, so that its last word may be half a word."""

    number: int
    offset: int
    """Where it begins in the file."""
    text: str
    cut: bool


_WIDE: Final = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}
"""By what Windows' tools put at the beginning of a file."""
_WRAPPED: Final = '{"log":'
"""How a line of Docker's json-file logs begins."""


def first_bytes(path: Path) -> bytes:
    """By which it can be told what a file is; of UTF-16 nothing, which is text. Raises OSError."""
    with open_outside(path) as file:
        start = file.read(LONGEST)
    return b"" if start[:2] in _WIDE else start


def read_lines(path: Path) -> Iterator[LogLine]:
    """All lines of a file; raises OSError, and OutsideError of what is no regular file."""
    with open_outside(path) as file:
        wide = _WIDE.get(file.read(2))
        file.seek(2 if wide else 0)
        found = _wide_lines(file, wide) if wide else _raw_lines(file)
        for number, (offset, raw, cut) in enumerate(found, start=1):
            yield LogLine(number, offset, clean(raw), cut)


def line_at(path: Path, offset: int) -> str:
    """The line that begins there; empty if the file is gone."""
    try:
        with open_outside(path) as file:
            wide = _WIDE.get(file.read(2))
            file.seek(offset)
            if wide:
                text = file.read(2 * LONGEST).decode(wide, "replace")
                return clean(text.partition("\n")[0].encode())
            return clean(file.readline(LONGEST))
    except (OSError, OutsideError):
        return ""


def clean(raw: bytes) -> str:
    """As text, without colours and without the end of the line."""
    text = raw.decode("utf-8", "replace").rstrip("\r\n")
    text = _unwrapped(text) if text.startswith(_WRAPPED) else text
    # What a progress bar has overwritten is not what it ended with.
    text = text.rpartition("\r")[2] if "\r" in text else text
    return _ESCAPES.sub("", text) if "[" in text else text


def _unwrapped(text: str) -> str:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return text
    inner = found.get("log") if isinstance(found, dict) else None
    return inner.rstrip("\r\n").replace("\n", " ") if isinstance(inner, str) else text


def _wide_lines(file: BinaryIO, encoding: str) -> Iterator[tuple[int, bytes, bool]]:
    """The same of UTF-16; the rest of a long line counts as a line that is cut."""
    offset = len(codecs.BOM_UTF16_LE)
    text = io.TextIOWrapper(file, encoding, "replace", newline="\n")
    try:
        while line := text.readline(LONGEST):
            yield offset, line.encode("utf-8", "replace"), not line.endswith("\n")
            offset += len(line.encode(encoding, "replace"))
    finally:
        text.detach()  # the file is its opener's to close


def _raw_lines(file: BinaryIO) -> Iterator[tuple[int, bytes, bool]]:
    """Offset, the first LONGEST bytes, whether more is missing."""
    offset, begin, kept, skipping = 0, 0, b"", False
    while chunk := file.read(_CHUNK):
        at = 0
        while (end := chunk.find(b"\n", at)) >= 0:
            if skipping:
                yield begin, kept, True
            else:
                whole = kept + chunk[at : min(end, at + LONGEST + 1)]
                yield begin, whole[:LONGEST], len(whole) > LONGEST
            at, kept, skipping = end + 1, b"", False
            begin = offset + at
        if not skipping:
            kept += chunk[at : at + LONGEST + 1]
            skipping = len(kept) > LONGEST
            kept = kept[:LONGEST]
        offset += len(chunk)
    if kept:
        yield begin, kept, True


_MOST: Final = 12
_MONTHS: Final = "Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec"
# One prefix each; no repetition is nested, and each takes at least one character.
_PREFIX: Final = re.compile(
    rf"\s{{1,200}}"
    rf"|(?:{_MONTHS}) {{1,2}}\d{{1,2}} \d\d:\d\d:\d\d[.\d]{{0,10}} [\w.-]{{1,80}} "
    r"|\d{4}-\d\d-\d\dT[\d:.,+-]{1,40}Z? [\w.-]{1,80} (?=[\w./@-]{1,80}\[\d{1,10}\]: )"
    r"|\d[\d:.,T/+Z-]{0,40}(?=\s)"
    r"|\[[^\]]{0,80}\]:?"
    r"|\([^)]{0,60}\)"
    r"|(?:std(?:err|out))(?: [FP])?(?=\s)"
    r"|(?:trace|debug|info|notice|warn|warning|error|critical|fatal|[iwedf])(?=[\s:|])[:|]?"
    r"|[\w./@-]{1,80}(?:\[\d{1,10}\])?:(?=\s)"
    r"|[\w.-]{1,80} {0,20}\|(?=\s)",
    re.IGNORECASE,
)
_QUOTATION: Final = re.compile(r'"[^"]{12,2000}"|`[^`]{12,2000}`|“[^“”]{12,2000}”|«[^«»]{12,2000}»')
_DENIED: Final = re.compile(
    r"\b(?:not|never|didn't|no longer)\b.{0,40}\b(?:occur|happen|reproduc|appear|seen|observed)"
    r"|\bno (?:se |fue |ha )?.{0,20}(?:ocurri|reproduc|apareci|sucedi)",
    re.IGNORECASE,
)


def message_of(text: str, known: tuple[str, ...] = ()) -> str:
    """The line without prefixes; `known` messages begin like one themselves."""
    at = 0
    for _ in range(_MOST):
        found = _PREFIX.match(text, at)
        if found is None or text.startswith(known, at):
            break
        at = found.end()
    return text[at:]


def without_quotations(text: str) -> str:
    """What a sentence says itself. A logger that writes JSON puts everything in quotes."""
    if text.lstrip().startswith("{"):
        return text
    return _QUOTATION.sub(" ", text) if any(mark in text for mark in '"`“«') else text


def denies(text: str) -> bool:
    return _DENIED.search(text) is not None


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
_CONTROL: Final = bytes(set(range(32)) - set(b"\0\a\b\t\n\f\r\x1b"))

_LONGEST: Final = 1000
# Of a line without the blanks around it.
_MARKUP: Final = re.compile(
    r"#{1,6} \S.*|```.*|~~~.*|\|.*\||-{3,}|\*\*.{1,200}|[-*] \*\*.{1,200}|<[!a-zA-Z/].*>"
    r"|(?:From|To|Cc|Date|Subject): \S.*"
)
_CODE: Final = re.compile(
    r"#\s?(?:include|define|if|ifdef|ifndef|endif|pragma)\b.*|#!/.*|//.*|/\*.*|\*/.*"
    r"|(?:import|from) [\w.]+(?: import .*)?|def \w+\(.*|class \w+.*:|return\b.*"
    r"|(?:if|for|while) .*[:{]|(?:using|namespace|template|struct|static|const|void|int|auto)\b.*"
    r"|(?:raise|throw|print|echo|export)\b.*|\}.*|.*[;{]|[\w.:]+\(.*\)|\"\"\".*"
)
_GOES_ON: Final = re.compile(r"[a-záéíóúñ¿¡][^=\[\]:/\\]{20,}[.!?]")
"""A sentence that began on an earlier line, or after a salutation."""
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
    words = len(_FUNCTION_WORD.findall(text))
    is_sentence = _SENTENCE.fullmatch(text) and words
    goes_on = words > 1 and _GOES_ON.fullmatch(text)
    return "a document" if is_sentence or goes_on else None


# --- numbers and errors as logs spell them; what is no whole number is None, never a guess --------

_HEX: Final = re.compile(r"(?:0x){0,2}([0-9a-f]{1,16})")
_DECIMAL: Final = re.compile(r"-?[0-9]{1,20}")
_LARGEST: Final = (1 << 64) - 1


def address(text: str) -> int | None:
    """Hexadecimal, with one 0x, two (some printers double it) or none; null in three spellings.

    A program that set a locale groups digits: 0x7fb,bb5,821,380.
    """
    word = text.strip().lower()
    if word in ("(nil)", "nil", "<null>", "null", "nullptr"):
        return 0
    found = _HEX.fullmatch(word.replace(",", ""))
    return int(found[1], 16) if found else None


def count(text: str) -> int | None:
    """Decimal, or hexadecimal with 0x; digits may be grouped."""
    word = text.strip().lower().replace(",", "")
    if word.startswith("0x"):
        return address(word)
    if not _DECIMAL.fullmatch(word):
        return None
    value = int(word)
    return value if -_LARGEST <= value <= _LARGEST else None


UNKNOWN_ERROR: Final = 999
"""hipErrorUnknown: what stands for an error whose number nobody says."""
_LONGEST_ERROR: Final = 400

_NUMBERS: Final = {name: code for code, name in ERROR_NAMES.items()}
# The longest first, so that a text that is part of another does not win.
_ORDERED: Final = sorted(
    ((code, text) for code, text in ERROR_TEXTS.items() if code), key=lambda item: -len(item[1])
)


def error_in(text: str) -> int | None:
    """The error that a sentence speaks of, by its name or its text."""
    start = text[:_LONGEST_ERROR]
    at = start.find("hipError")
    if at >= 0:
        name = start[at:].replace("(", " ").replace(")", " ").split()[0].rstrip(".,:;'\"")
        if name in _NUMBERS:
            return _NUMBERS[name]
    return next((code for code, words in _ORDERED if words in start), None)


def number_of(name: str) -> int | None:
    """The number of an error by its name; 0 is hipSuccess."""
    return _NUMBERS.get(name)
