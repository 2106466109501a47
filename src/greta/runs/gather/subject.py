"""Which file is "the program" of a process: not the interpreter, but the script."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from greta.runs.files import sha256_of, stat_facts
from greta.runs.program import find_program, is_interpreter
from greta.trace.run_facts import FileFacts, ProcessFacts, Provenance, RunFacts


class Subject(NamedTuple):
    """A file that ran, with its facts as run.json has them."""

    kind: str
    """ "program" or "script"."""
    facts: FileFacts
    provenance: Provenance | None


def subject_of(run: RunFacts, pid: int) -> Subject | None:
    """None where the run does not say, or what ran is in no file (python -c)."""
    program, process = _known(run.program), _process(run, pid)
    executable = process.executable
    names = (program.real_path, program.path) if program else ()
    if executable and executable not in names:
        return _other(run, process, executable)
    if script := _known(run.script):
        return Subject("script", script, None)
    if not program or is_interpreter(Path(program.real_path)):
        return None
    return Subject("program", program, run.provenance)


def _process(run: RunFacts, pid: int) -> ProcessFacts:
    return next((one for one in run.processes if one.pid == pid), ProcessFacts())


def _other(run: RunFacts, process: ProcessFacts, executable: str) -> Subject | None:
    """A program that the program started."""
    if is_interpreter(Path(executable)):
        return _script_of(process, executable)
    for facts in filter(None, map(_known, run.executables)):
        if executable in (facts.real_path, facts.path):
            return Subject("program", facts, facts.provenance)
    return None


def _script_of(process: ProcessFacts, executable: str) -> Subject | None:
    try:
        found = find_program([executable, *process.arguments[1:]], {})
    except OSError:
        return None
    if found.script is None:
        return None
    path = Path(process.folder or ".", found.script)
    if not path.is_file():
        return None
    size, modified = stat_facts(path)
    # Not with what git says: its settings are those of a folder that a foreign file names.
    facts = FileFacts(str(path), str(path.resolve()), size, modified, sha256_of(path))
    return Subject("script", facts, None)


def _known(file: FileFacts | None) -> FileFacts | None:
    """Facts that say which file they are about."""
    return file if file and file.real_path else None
