"""Which file is "the program" of a process: not the interpreter, but the script."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from greta.runs.files import sha256_of, stat_facts
from greta.runs.program import find_program, is_interpreter

Facts = dict[str, Any]


class Subject(NamedTuple):
    """A file that ran, with its facts as run.json has them."""

    kind: str
    """ "program" or "script"."""
    facts: Facts
    provenance: Facts | None


def subject_of(run: Facts, pid: int) -> Subject | None:
    """None where the run does not say, or what ran is in no file (python -c)."""
    program, process = _file(run.get("program")), _process(run, pid)
    executable = process.get("executable")
    if executable and executable not in (program.get("real_path"), program.get("path")):
        return _other(run, process, str(executable))
    if script := _file(run.get("script")):
        return Subject("script", script, None)
    if not program or is_interpreter(Path(str(program.get("real_path", "")))):
        return None
    return Subject("program", program, _dict(run.get("provenance")) or None)


def _process(run: Facts, pid: int) -> Facts:
    processes = run.get("processes")
    listed = [_dict(one) for one in processes] if isinstance(processes, list) else []
    return next((one for one in listed if one.get("pid") == pid), {})


def _other(run: Facts, process: Facts, executable: str) -> Subject | None:
    """A program that the program started."""
    if is_interpreter(Path(executable)):
        return _script_of(process, executable)
    listed = run.get("executables")
    for facts in (_file(one) for one in (listed if isinstance(listed, list) else [])):
        if executable in (facts.get("real_path"), facts.get("path")):
            return Subject("program", facts, _dict(facts.get("provenance")) or None)
    return None


def _script_of(process: Facts, executable: str) -> Subject | None:
    words = [str(word) for word in process.get("arguments") or [""]]
    try:
        found = find_program([executable, *words[1:]], {})
    except OSError:
        return None
    if found.script is None:
        return None
    path = Path(str(process.get("folder") or "."), found.script)
    if not path.is_file():
        return None
    # Not with what git says: its settings are those of a folder that a foreign file names.
    facts = {"path": str(path), "real_path": str(path.resolve()), "sha256": sha256_of(path)}
    return Subject("script", {**facts, **stat_facts(path)}, None)


def _file(value: object) -> Facts:
    """Facts that say which file they are about; else nothing."""
    facts = _dict(value)
    return facts if isinstance(facts.get("real_path"), str) else {}


def _dict(value: object) -> Facts:
    return value if isinstance(value, dict) else {}
