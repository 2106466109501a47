"""GPT-2's alphabet: every byte is a printable character, so that any bytes are a word.

Printable Latin-1 characters stand for themselves, the other bytes for characters from U+0100 on.
"""

from __future__ import annotations

_THEMSELVES = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]


def _alphabet() -> dict[int, str]:
    others = [byte for byte in range(256) if byte not in set(_THEMSELVES)]
    letters = {byte: chr(byte) for byte in _THEMSELVES}
    return letters | {byte: chr(0x100 + number) for number, byte in enumerate(others)}


LETTERS: dict[int, str] = _alphabet()
_BYTES = {letter: bytes([byte]) for byte, letter in LETTERS.items()}


def spelled(data: bytes) -> str:
    """Bytes in the alphabet."""
    return "".join(LETTERS[byte] for byte in data)


def unspelled(word: str) -> bytes:
    """The bytes of a word; a character outside the alphabet stands for itself."""
    return b"".join(_BYTES.get(letter) or letter.encode() for letter in word)
