"""What ran, and on what."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from greta.reports.blocks import Cell, Facts, Section
from greta.reports.document import Document
from greta.reports.facts import fact_name, fact_value
from greta.reports.lang import Say, shown

_MOST: Final = 60
_MOST_PROGRAMS: Final = 16
_SAME: Final = {"argument": "path", "hash": "sha256"}
"""Facts of a file that say nothing new where they are the same as another."""


def section(document: Document, say: Say) -> Section | None:
    """None if nothing of it is known."""
    parts = ("program", "model", "environment", "device")
    rows = [
        (
            say("fact_of_part", part=say(f"part_{part}"), name=fact_name(name, say)),
            Cell(fact_value(text, say), code=True),
        )
        for part in parts
        for name, text in _flat(_telling(dict(document.part(part).items())))
    ]
    rows = [*_programs(document, say), *rows]
    if not rows:
        return None
    return Section(say("section_environment"), (Facts(tuple(rows[:_MOST])),), "environment")


def _programs(document: Document, say: Say) -> list[tuple[str, Cell]]:
    """Every file that made HIP calls, and in how many runs."""
    title = say("made_hip_calls")
    return [
        (title, Cell(say("program_in_runs", **_words_of(one))))
        for one in document.parts("programs")[:_MOST_PROGRAMS]
    ]


def _words_of(one: Document) -> dict[str, Any]:
    files = {name: one.text(name, "-") for name in ("path", "sha256", "build_id")}
    return {**files, **{name: one.whole(name) for name in ("runs", "failures")}}


def _telling(facts: dict[str, Any]) -> dict[str, Any]:
    same = {name for name, other in _SAME.items() if facts.get(name) == facts.get(other)}
    if "hash" in same:
        same.add("hash_method")
    return {name: value for name, value in facts.items() if name not in same}


def _flat(value: Any, name: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _flat(inner, f"{name}.{key}" if name else str(key))
    elif isinstance(value, list):
        yield name, " ".join(str(one) for one in value)
    elif value is not None:
        yield name, _shown(name, value)


def _shown(name: str, value: Any) -> str:
    if name == "hip_runtime" and isinstance(value, int):
        return f"{value // 10**7}.{value // 10**5 % 100}.{value % 10**5}"
    if name == "modified":
        return str(value)[:16].replace("T", " ")
    return shown(value)
