"""Which program a command starts: the file that is executed, and the script it interprets."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from greta.errors import UsageError

_PYTHON = re.compile(r"python(\d+(\.\d+)?t?)?")
_INTERPRETERS = re.compile(r"(python|perl|ruby|lua|node|bash|dash|sh|zsh|env)[\d.]*t?")
_MOST_INTERPRETERS = 4  # as in the kernel: a script may be interpreted by a script


@dataclass(frozen=True)
class CommandFiles:
    executed: str
    """What to hand to exec: the word itself, or what PATH has under that name."""
    path: Path
    """The machine code: the program, or the interpreter of a script."""
    script: Path | None = None
    module: str | None = None

    @property
    def name(self) -> str:
        """What a person calls it: not "python", but the script."""
        if self.module:
            return self.module
        return self.script.stem if self.script else Path(self.executed).name


def is_interpreter(path: Path) -> bool:
    """Whether what it runs is in another file than its own."""
    return _INTERPRETERS.fullmatch(path.name) is not None


def find_program(command: Sequence[str], environment: Mapping[str, str]) -> CommandFiles:
    """What `command` runs, without running it; raises OSError as exec would."""
    executed = _executed(command[0], environment)
    path, script, words = Path(executed).absolute(), None, list(command[1:])
    for _ in range(_MOST_INTERPRETERS):
        interpreter = _interpreter(path, environment)
        if interpreter is None:
            break
        # What was asked for is the outermost script.
        script = script or path
        path, words = interpreter
    if script is None and _PYTHON.fullmatch(path.name):
        kind, name = _python_target(words)
        if kind == "script":
            return CommandFiles(executed, path, script=Path(name).absolute())
        if kind == "module":
            return CommandFiles(executed, path, _module_file(name, path, environment), module=name)
        return CommandFiles(executed, path)
    return CommandFiles(executed, path, script)


def refusal(program: str, error: OSError) -> UsageError:
    """What to say when the system refuses to execute `program`."""
    if isinstance(error, FileNotFoundError):
        if "/" in program and Path(program).is_file():
            return UsageError(f"cannot run {program!r}: {_needed(Path(program))} is not there")
        return UsageError(f"cannot run {program!r}: there is no such program")
    reason = "it is a folder" if Path(program).is_dir() else error.strerror
    hint = f"; did you mean python {program}?" if program.endswith(".py") else ""
    return UsageError(f"cannot run {program!r}: {reason}{hint}")


def _needed(program: Path) -> str:
    """What the system needs to run a file that is there: a script names it in its first line."""
    words = first_line(program)
    return f"the interpreter that it names, {words[0]!r}," if words else "its program loader"


def _executed(word: str, environment: Mapping[str, str]) -> str:
    if "/" in word:
        _refuse(word)
        return word
    refused: OSError | None = None
    for folder in environment.get("PATH", os.defpath).split(os.pathsep):
        candidate = f"{folder or '.'}/{word}"
        try:
            _refuse(candidate)
        except PermissionError as error:
            refused = refused or error
        except OSError:
            continue
        else:
            return candidate
    raise refused or FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), word)


def _refuse(path: str) -> None:
    status = os.stat(path)  # noqa: PTH116 (raises what exec would)
    if not os.access(path, os.X_OK) or (status.st_mode & 0o170000) != 0o100000:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)


def _interpreter(script: Path, environment: Mapping[str, str]) -> tuple[Path, list[str]] | None:
    words = first_line(script)
    if not words:
        return None
    if Path(words[0]).name == "env":
        words = [word for word in words[1:] if not word.startswith("-") and "=" not in word]
    try:
        found = _executed(words[0], environment)
    except (OSError, IndexError):
        return None
    return Path(found).absolute(), words[1:]


def first_line(path: Path) -> list[str]:
    """The words of a script after #!; none of anything else."""
    try:
        with path.open("rb") as file:
            start = file.read(256)
    except OSError:
        return []
    lines = start[2:].splitlines() if start.startswith(b"#!") else []
    return os.fsdecode(lines[0]).split() if lines else []


def _python_target(words: Sequence[str]) -> tuple[str, str]:
    """("script", its file), ("module", its name) or ("none", ""), from Python's own arguments."""
    remaining = iter(words)
    for word in remaining:
        if word in ("-", "--") or not word.startswith("-"):
            script = next(remaining, "-") if word == "--" else word
            return ("script", script) if script != "-" else ("none", "")
        if word.startswith("--"):
            if word == "--check-hash-based-pycs":
                next(remaining, None)
            continue
        for at, letter in enumerate(word[1:], start=2):
            if letter == "c":
                return "none", ""
            if letter == "m":
                return "module", word[at:] or next(remaining, "")
            if letter in "WX":
                if not word[at:]:
                    next(remaining, None)
                break
    return "none", ""


def _module_file(name: str, python: Path, environment: Mapping[str, str]) -> Path | None:
    """Where `python -m name` lies, by the folders it would look in; nothing is imported."""
    relative = name.replace(".", "/")
    for folder in _module_folders(python, environment):
        for candidate in (folder / f"{relative}/__main__.py", folder / f"{relative}.py"):
            if candidate.is_file():
                return candidate.absolute()
    return None


def _module_folders(python: Path, environment: Mapping[str, str]) -> Iterator[Path]:
    yield Path.cwd()
    yield from map(Path, filter(None, environment.get("PYTHONPATH", "").split(os.pathsep)))
    # In a virtual environment the interpreter is a link, and the modules lie beside the link or
    # beside what it points to.
    for binary in (python, Path(os.path.realpath(python))):
        for library in sorted((binary.parent.parent / "lib").glob("python3.*")):
            yield library
            yield library / "site-packages"
