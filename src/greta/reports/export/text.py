"""Texts from a recording, for files that must be valid UTF-8."""

from __future__ import annotations


def plain(text: str) -> str:
    r"""A text that can be encoded: a byte that was not UTF-8 is shown as \udc80 to \udcff."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
