"""The command that does what a next step says: with the paths and the program of this very run.

A document that knows them has `rerun` (what was typed, and in which folder) and `kept` (where the
run or the audit is kept). What is not known has no command; the sentence stands alone.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeAlias

from greta.reports.document import Document
from greta.reports.shell import assigned, quoted

Words: TypeAlias = "tuple[str, ...]"

_PROMPT: Final = "Hello"
_NEW_RUN: Final = "pinned-run"


def command_of(code: str, document: Document, reader: Path | None = None) -> Words:
    """Quoted words; none if the step has no command. `reader` is the folder he is in, if known."""
    make = _COMMANDS.get(code)
    words = make(document, reader) if make else ()
    return (*_going_there(document, reader), *words) if words else ()


def again(document: Document) -> Words:
    """What was typed, with its environment; of a run, under the recorder again."""
    rerun = document.part("rerun")
    command, recorder = rerun.texts("command"), rerun.texts("recorder")
    words = [*recorder, "--", *command] if recorder else command
    return (*_environment(document), *quoted(words)) if command else ()


def as_case(case: str, document: Document, reader: Path | None = None) -> Words:
    """The same audit in another case; nothing if what was audited is not known."""
    command = document.part("rerun").texts("command")
    if not command:
        return ()
    typed = command[2:]
    end = typed.index("--") if "--" in typed else len(typed)
    kept = [
        word
        for place, word in enumerate(typed[:end])
        if not word.startswith("--case") and typed[place - 1 : place] != ["--case"]
    ]
    words = ["greta", "audit", "--case", case, *kept, *typed[end:]]
    return (*_going_there(document, reader), *quoted(words))


def _environment(document: Document) -> Words:
    # A name cannot be quoted, and whoever reads the report will paste this into a shell.
    return tuple(
        assigned(name, str(value))
        for name, value in document.part("rerun").part("environment").items()
        if name.isidentifier()
    )


def _going_there(document: Document, reader: Path | None) -> Words:
    """A reader of a report may be anywhere, and has not the environment of who made it."""
    folder = document.part("rerun").text("folder")
    there = ("cd", *quoted([folder]), "&&") if folder and str(reader) != folder else ()
    return (*there, *_environment(document)) if reader is None else there


def program_of(document: Document) -> list[str]:
    """What was run or audited; of our own engine, one run of it."""
    rerun = document.part("rerun")
    command, options = rerun.texts("command"), rerun.part("options")
    if not options:
        return command
    if program := options.texts("program"):
        return program
    model = ["--model", options.text("model")] if options.text("model") else []
    tokens = ["--max-tokens", str(options.whole("max_tokens", 10))]
    return ["greta", "infer", *model, "--prompt", _PROMPT, "--greedy", *tokens] if command else []


def _run(*options: str, variable: str = "") -> Callable[[Document, Path | None], Words]:
    """`greta run` of the same program."""

    def words(document: Document, _reader: Path | None) -> Words:
        program = program_of(document)
        run = (variable,) if variable else ()
        return (*run, "greta", "run", *options, "--", *quoted(program)) if program else ()

    return words


def _audit(document: Document, _reader: Path | None) -> Words:
    program = program_of(document)
    return ("greta", "audit", "--", *quoted(program)) if program else ()


def _watch_host(document: Document, reader: Path | None) -> Words:
    """Of an audit, the same audit: what is a matter of timing need not show in one run."""
    rerun = document.part("rerun")
    command = rerun.texts("command")
    if rerun.part("options") and command[:2] == ["greta", "audit"]:
        return ("greta", "audit", "--watch-host", *quoted(command[2:]))
    return _run("--watch-host")(document, reader)


def _pin(document: Document, reader: Path | None) -> Words:
    rerun = document.part("rerun")
    if rerun.part("options") and not rerun.part("options").texts("program"):
        # A child of an audit of our engine does nothing without the audit.
        return (*_run("--out", _NEW_RUN)(document, reader), ";", "greta", "pin", _NEW_RUN)
    run = _kept_run(document, reader)
    return ("greta", "pin", *quoted([run])) if run else ()


def _see_output(document: Document, reader: Path | None) -> Words:
    run = _kept_run(document, reader)
    return ("cat", *quoted([f"{run}/stderr.log"])) if run else ()


def _see_stdout(document: Document, reader: Path | None) -> Words:
    run = _kept_run(document, reader)
    return ("cat", *quoted([f"{run}/stdout.log"])) if run else ()


def _see_stacks(document: Document, reader: Path | None) -> Words:
    run, file = _kept_run(document, reader), document.part("seen").text("stacks")
    return ("cat", *quoted([f"{run}/{file}"])) if run and file else ()


def _kept_run(document: Document, reader: Path | None) -> str:
    """The run folder; of an audit, that of the run which showed the fault."""
    kept = document.text("kept")
    runs = (document.part(part).text("run") for part in ("cause", "blamed", "seen"))
    inside = next(filter(None, runs), "")
    if not kept or (document.part("rerun").part("options") and not inside):
        return ""
    path = Path(kept, inside)
    base = document.part("rerun").text("folder") or reader or "/"
    return str(path.relative_to(base) if path.is_relative_to(base) and base != "/" else path)


_COMMANDS: Final[dict[str, Callable[[Document, Path | None], Words]]] = {
    "step_pin": _pin,
    "step_launch_blocking": _run(variable="HIP_LAUNCH_BLOCKING=1"),
    "step_record_whole": _run(),
    "step_free_disk_space": _run(),
    "step_let_it_be_recorded": _run(),
    "step_run_to_the_end": _run(),
    "step_read_damaged": _run(),
    "step_see_output": _see_output,
    "step_see_stacks": _see_stacks,
    "step_see_stdout": _see_stdout,
    "step_watch_host": _watch_host,
    "step_wait_for_copies": _watch_host,
    "step_strict_placement": _run("--device", "sim", "--strict"),
    "step_repeat": _audit,
}
