"""What ran, and on what."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from greta.reports.blocks import Cell, Facts, Section
from greta.reports.document import Document
from greta.reports.lang import Say

_MOST = 60


def section(document: Document, say: Say) -> Section | None:
    """None if nothing of it is known."""
    parts = ("program", "model", "environment", "device")
    rows = [
        (f"{say(f'part_{part}')}: {name}" if name else say(f"part_{part}"), Cell(text, code=True))
        for part in parts
        for name, text in _flat(dict(document.part(part).items()))
    ]
    if not rows:
        return None
    return Section(say("section_environment"), (Facts(tuple(rows[:_MOST])),), "environment")


def _flat(value: Any, name: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _flat(inner, f"{name}.{key}" if name else str(key))
    elif isinstance(value, list):
        yield name, " ".join(str(one) for one in value)
    elif value is not None:
        yield name, str(value)
