"""Commands that can be pasted into a shell."""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from typing import Final

_ESCAPED: Final = {"\\": "\\\\", "'": "\\'", "\n": "\\n", "\t": "\\t"}


def quoted(words: Iterable[str]) -> tuple[str, ...]:
    """The words of a command, each on one line and printable whatever is in it."""
    return tuple(map(_quoted, words))


def assigned(name: str, value: str) -> str:
    """A variable before a command."""
    return f"{name}={_quoted(value)}"


def _quoted(word: str) -> str:
    if word.isprintable():
        return shlex.quote(word)
    return "$'" + "".join(map(_escaped, word)) + "'"


def _escaped(letter: str) -> str:
    if letter in _ESCAPED or letter.isprintable():
        return _ESCAPED.get(letter, letter)
    # A byte that was no text came in as a surrogate, and goes out as that byte.
    errors = "surrogateescape" if "\udc80" <= letter <= "\udcff" else "surrogatepass"
    return "".join(f"\\x{byte:02x}" for byte in letter.encode("utf-8", errors))
