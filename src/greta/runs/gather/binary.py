"""What `wrong_binary` compares: the file that ran, what was expected of it, what is in it."""

from __future__ import annotations

import functools
import mmap
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from greta.runs.files import sha256_of
from greta.runs.gather.expected import expected_build
from greta.runs.gather.python_files import python_files
from greta.runs.gather.subject import Subject, subject_of
from greta.trace.evidence import Expectations
from greta.trace.run_facts import BinaryFacts, LibraryFacts, RunFacts

INSTRUMENTATION: Final = {
    "GCORE_D2H_AUDIT": ("D2H_AUDIT_START", "D2H_AUDIT_END"),
    "GRETA_D2H_DEBUG": ("D2H_CHECK", "D2H SAFE", "D2H_SAFE"),
    "GRETA_TRACE_MEMCPY": ("D2H TRACE", "D2H_TRACE"),
}
"""What a program that obeys the variable has in it, and prints."""
_RUNTIME: Final = ("libgreta_recorder", "libamdhip64", "libhiprtc")


def binary_facts(
    run: RunFacts, pid: int, expectations: Expectations, output: Sequence[Path]
) -> BinaryFacts | None:
    """Facts about one process' program; None where nothing is known of what ran."""
    subject = subject_of(run, pid)
    if subject is None:
        return None
    unchanged = _unchanged(subject)
    every = functools.cache(lambda: _files(subject, run))  # only if there is something to find

    def has(texts: Iterable[str]) -> bool | None:
        """None: it is not there, but not everything could be looked at."""
        texts = tuple(texts)
        files, complete = every()
        if any(_contains(path, text) for text in texts for path in files):
            return True
        return False if complete and unchanged else None

    def is_printed(texts: Iterable[str]) -> bool:
        return any(_contains(path, text) for text in texts for path in output)

    def is_in_file(text: str) -> bool | None:
        """The file decides; only of one that is gone or incomplete the output says what was in it.

        What a program prints may differ from run to run where the file is the same.
        """
        found = has([text])
        return is_printed([text]) or None if found is None else found

    def obeys(variable: str) -> bool | None:
        texts = INSTRUMENTATION[variable]
        return is_printed(texts) or has(texts)

    return BinaryFacts(
        subject=subject.facts,
        unchanged=unchanged,
        expected=expected_build(expectations),
        loaded=_same_name(run, expectations),
        texts={text: is_in_file(text) for text in expectations.texts},
        asked={name: obeys(name) for name in _asked(run)},
        provenance=subject.provenance,
    )


def _asked(run: RunFacts) -> list[str]:
    # An audit offers its variables to programs that need not know them.
    offered = run.environment.get("GRETA_OFFERED", "").split(",")
    asked = [name for name in INSTRUMENTATION if name not in offered]
    return [name for name in asked if run.environment.get(name, "0") not in ("0", "")]


def _unchanged(subject: Subject) -> bool:
    """Whether the file is still the one that ran."""
    digest, path = subject.facts.sha256, Path(subject.facts.real_path)
    try:
        # A run.json from elsewhere may name a pipe or a device, which would have no end.
        return digest is not None and path.is_file() and sha256_of(path) == digest
    except OSError:
        return False


def _files(subject: Subject, run: RunFacts) -> tuple[tuple[Path, ...], bool]:
    """Where the program's texts may be: its own file, its own libraries, what it imports."""
    path = Path(subject.facts.real_path)
    home = _home(subject)
    own = tuple(Path(one.path) for one in run.libraries if one.path and _is_own(one.path, home))
    if subject.kind == "program":
        return (path, *own), True
    if path.suffix == ".py" or (path.is_file() and _is_python(path)):
        found = python_files(path, run)
        return (*found.paths, *own), found.complete
    return (path, *own), True


def _is_python(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return b"python" in file.readline(256)
    except OSError:
        return False


def _home(subject: Subject) -> Path:
    """The folder that holds the program and what was built with it."""
    git = subject.facts.git
    return Path(git.tree) if git and git.tree else Path(subject.facts.real_path).parent


def _is_own(path: str, home: Path) -> bool:
    """A library of the same tree that is neither HIP's nor ours."""
    return Path(path).is_relative_to(home) and not Path(path).name.startswith(_RUNTIME)


def _same_name(run: RunFacts, expectations: Expectations) -> tuple[LibraryFacts, ...]:
    """Libraries that were loaded and have the name of the expected build."""
    if expectations.build is None or ".so" not in Path(expectations.build).name:
        return ()
    name = Path(expectations.build).name
    return tuple(one for one in run.libraries if Path(one.path).name == name)


def _contains(path: Path, text: str) -> bool:
    wanted = text.encode("utf-8", "surrogateescape")
    if not path.is_file():
        return False
    try:
        with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            return data.find(wanted) >= 0
    except (OSError, ValueError):  # gone, or empty
        return False
