"""What a command prints: titles and what there is to say under each."""

from __future__ import annotations

from dataclasses import dataclass

from greta.reports.blocks import Table, Tone


@dataclass(frozen=True)
class Line:
    """A title, what there is to say, and whether it is good news. An empty title continues."""

    title: str
    text: str
    tone: Tone = "plain"
    table: Table | None = None
    """In the place of text."""
    words: tuple[str, ...] = ()
    """The text is a command, and these are its words, quoted for a shell."""


def command_line(title: str, words: tuple[str, ...]) -> Line:
    """A command, to be pasted as it stands."""
    return Line(title, " ".join(words), words=words)
