"""What ran, how to run it again, and what to do next."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from greta.lab.summary import Fact, ProgramRuns, facts_in
from greta.reports.blocks import Bullets, Cell, Code, Facts, Folded, Paragraph, Section
from greta.reports.commands import Words, again, command_of, quoted
from greta.reports.lang import Say, shown
from greta.reports.reported import Reported
from greta.reports.sentences import fact_name, fact_value

_MOST: Final = 60
_MOST_PROGRAMS: Final = 16
_SAME: Final = {"argument": "path", "hash": "sha256", "shape.title": "name"}
"""Facts of a file that say nothing new where they are the same as another."""


def environment(reported: Reported, say: Say) -> Section | None:
    """What ran, and on what; None if nothing of it is known."""
    ran, programs = reported.ran, reported.summary.programs[:_MOST_PROGRAMS]
    parts = {
        "program": ran.program,
        "model": ran.model,
        "environment": ran.environment,
        "device": ran.device,
    }
    rows = [
        (
            say("fact_of_part", part=say(f"part_{part}"), name=fact_name(name, say)),
            Cell(fact_value(text, say), code=True),
        )
        for part, facts in parts.items()
        for name, text in _telling(dict(facts_in(facts)))
    ]
    # Every file that made HIP calls, and in how many runs.
    rows = [*((say("made_hip_calls"), Cell(_program(one, say))) for one in programs), *rows]
    if not rows:
        return None
    folded = Folded(say("show_environment"), (Facts(tuple(rows[:_MOST])),))
    return Section(say("section_environment"), (folded,), "environment")


def _program(one: ProgramRuns, say: Say) -> str:
    names = {"path": one.path, "sha256": one.sha256, "build_id": one.build_id}
    named = {name: value or "-" for name, value in names.items()}
    return say("program_in_runs", **named, runs=one.runs, failures=one.failures)


def _telling(facts: dict[str, Fact]) -> Iterator[tuple[str, str]]:
    same = {name for name, other in _SAME.items() if facts.get(name) == facts.get(other)}
    if "hash" in same:
        same.add("hash_method")
    for name, value in facts.items():
        if name not in same:
            yield name, _shown(name, value)


def _shown(name: str, value: Fact) -> str:
    if name == "hip_runtime" and isinstance(value, int):
        return f"{value // 10**7}.{value // 10**5 % 100}.{value % 10**5}"
    if name == "modified":
        return str(value)[:16].replace("T", " ")
    return shown(value)


def repeat(reported: Reported, say: Say) -> Section | None:
    """How to run exactly this again; None if the command is not known."""
    command = " ".join(again(reported))
    if not command:
        return None
    folder = reported.rerun.folder
    there = f"cd {quoted([folder])[0]}\n" if folder else ""
    return Section(
        say("section_repeat"), (Paragraph(say("repeat")), Code(there + command)), "repeat"
    )


@dataclass(frozen=True)
class NextStep:
    """A sentence, and the command that does it, if there is one: its words, quoted."""

    text: str
    command: Words = ()


def steps(reported: Reported, say: Say) -> Section | None:
    """What to do next; None if there is nothing left to do."""
    listed = next_steps(reported, say)
    if not listed:
        return None
    texts = tuple(step.text for step in listed)
    codes = tuple(" ".join(step.command) for step in listed)
    listed_steps = Bullets(texts, numbered=True, codes=codes)
    return Section(say("section_steps"), (listed_steps,), "steps", leads=True)


def next_steps(reported: Reported, say: Say, reader: Path | None = None) -> list[NextStep]:
    return [
        NextStep(say.saying(step), command_of(step.code, reported, reader))
        for step in reported.verdict.next_steps
    ]
