"""What ran, how to run it again, and what to do next.

The command of a next step has the paths and the program of this very run. They need to be known:
what was typed, in which folder (`rerun`), and where the run or the audit is kept. What is not known
has no command; the sentence stands alone. Words are quoted for a shell.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final, TypeAlias

from greta.lab.summary import Fact, ProgramRuns, facts_in
from greta.reports.blocks import Bullets, Cell, Code, Facts, Folded, Paragraph, Section
from greta.reports.lang import Say, shown
from greta.reports.reported import Reported
from greta.reports.sentences import fact_name, fact_value

Words: TypeAlias = "tuple[str, ...]"

_MOST: Final = 60
_MOST_PROGRAMS: Final = 16
_SAME: Final = {"argument": "path", "hash": "sha256", "shape.title": "name"}
"""Facts of a file that say nothing new where they are the same as another."""
_PROMPT: Final = "Hello"
_NEW_RUN: Final = "pinned-run"
_ESCAPED: Final = {"\\": "\\\\", "'": "\\'", "\n": "\\n", "\t": "\\t"}


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


# --- commands -------------------------------------------------------------------------------------


def command_of(code: str, reported: Reported, reader: Path | None = None) -> Words:
    """Quoted words; none if the step has no command. `reader` is the folder he is in, if known."""
    make = _COMMANDS.get(code)
    words = make(reported, reader) if make else ()
    return (*_going_there(reported, reader), *words) if words else ()


def again(reported: Reported) -> Words:
    """What was typed, with its environment; of a run, under the recorder again."""
    command, recorder = reported.rerun.command, reported.rerun.recorder
    words = (*recorder, "--", *command) if recorder else command
    return (*_environment(reported), *quoted(words)) if command else ()


def as_case(case: str, reported: Reported, reader: Path | None = None) -> Words:
    command = reported.rerun.command
    if not command:
        return ()
    if command[:2] != ("greta", "audit"):  # a run, not an audit
        words = ["greta", "audit", "--case", case, "--", *command]
        return (*_going_there(reported, reader), *quoted(words))
    typed = command[2:]
    end = typed.index("--") if "--" in typed else len(typed)
    kept = [
        word
        for place, word in enumerate(typed[:end])
        if not word.startswith("--case") and typed[place - 1 : place] != ("--case",)
    ]
    words = ["greta", "audit", "--case", case, *kept, *typed[end:]]
    return (*_going_there(reported, reader), *quoted(words))


def _environment(reported: Reported) -> Words:
    # A name cannot be quoted, and whoever reads the report will paste this into a shell.
    return tuple(
        assigned(name, value)
        for name, value in reported.rerun.environment.items()
        if name.isidentifier()
    )


def _going_there(reported: Reported, reader: Path | None) -> Words:
    """A reader of a report may be anywhere, and has not the environment of who made it."""
    folder = reported.rerun.folder
    there = ("cd", *quoted([folder]), "&&") if folder and str(reader) != folder else ()
    return (*there, *_environment(reported)) if reader is None else there


def program_of(reported: Reported) -> Words:
    """What was run or audited; of our own engine, one run of it."""
    command, options = reported.rerun.command, reported.rerun.options
    if options is None:
        return command
    if options.program:
        return options.program
    model = ("--model", options.model) if options.model else ()
    tokens = 10 if options.max_tokens is None else options.max_tokens
    rest = ("--prompt", _PROMPT, "--greedy", "--max-tokens", str(tokens))
    return ("greta", "infer", *model, *rest) if command else ()


def _greta(*words: str) -> Callable[[Reported, Path | None], Words]:
    def of(reported: Reported, _reader: Path | None) -> Words:
        program = program_of(reported)
        return (*words, "--", *quoted(program)) if program else ()

    return of


_RUN: Final = _greta("greta", "run")
_STRICTLY: Final = _greta("greta", "run", "--device", "sim", "--strict")


def _watch_host(reported: Reported, reader: Path | None) -> Words:
    """Of an audit, the same audit: what is a matter of timing need not show in one run."""
    command = reported.rerun.command
    if reported.rerun.options and command[:2] == ("greta", "audit"):
        return ("greta", "audit", "--watch-host", *quoted(command[2:]))
    return _greta("greta", "run", "--watch-host")(reported, reader)


def _pin(reported: Reported, reader: Path | None) -> Words:
    options = reported.rerun.options
    if options and not options.program:
        # A child of an audit of our engine does nothing without the audit.
        run_it = _greta("greta", "run", "--out", _NEW_RUN)(reported, reader)
        return (*run_it, ";", "greta", "pin", _NEW_RUN)
    run = _kept_run(reported, reader)
    return ("greta", "pin", *quoted([run])) if run else ()


def _see(reported: Reported, reader: Path | None, name: str | None) -> Words:
    run = _kept_run(reported, reader)
    return ("cat", *quoted([f"{run}/{name}"])) if run and name else ()


def _see_stacks(reported: Reported, reader: Path | None) -> Words:
    seen = reported.summary.seen
    return _see(reported, reader, seen.ending.stacks if seen else None)


def _kept_run(reported: Reported, reader: Path | None) -> str:
    """The run folder; of an audit, that of the run which showed the fault."""
    kept, verdict = reported.kept, reported.verdict
    parts = (verdict.cause, verdict.blamed, reported.summary.seen)
    inside = next((part.run for part in parts if part and part.run), "")
    if not kept or (reported.rerun.options and not inside):
        return ""
    path = Path(kept, inside)
    base = reported.rerun.folder or reader or "/"
    return str(path.relative_to(base) if path.is_relative_to(base) and base != "/" else path)


_COMMANDS: Final[dict[str, Callable[[Reported, Path | None], Words]]] = {
    "step_pin": _pin,
    "step_pin_fresh": _pin,
    "step_launch_blocking": _greta("HIP_LAUNCH_BLOCKING=1", "greta", "run"),
    "step_record_whole": _RUN,
    "step_free_disk_space": _RUN,
    "step_let_it_be_recorded": _RUN,
    "step_run_to_the_end": _RUN,
    "step_read_damaged": _RUN,
    "step_see_output": partial(_see, name="stderr.log"),
    "step_see_stacks": _see_stacks,
    "step_see_stdout": partial(_see, name="stdout.log"),
    "step_watch_host": _watch_host,
    "step_wait_for_copies": _watch_host,
    "step_strict_placement": _STRICTLY,
    "step_strict_access": _STRICTLY,
    "step_repeat": _greta("greta", "audit"),
}


def quoted(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(map(_quoted, words))


def assigned(name: str, value: str) -> str:
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
