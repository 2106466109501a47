"""What `wrong_binary` compares: the file that ran, what was expected of it, what is in it."""

from __future__ import annotations

import ast
import functools
import mmap
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from greta.errors import UsageError
from greta.runs.elf import read_elf
from greta.runs.files import sha256_of, stat_facts
from greta.runs.program import find_program, is_interpreter
from greta.trace.evidence import Expectations
from greta.trace.run_facts import (
    BinaryFacts,
    ExpectedBuild,
    FileFacts,
    LibraryFacts,
    ProcessFacts,
    Provenance,
    RunFacts,
)


class Subject(NamedTuple):
    """A file that ran, with its facts as run.json has them."""

    kind: str
    """ "program" or "script"."""
    facts: FileFacts
    provenance: Provenance | None


def subject_of(run: RunFacts, pid: int) -> Subject | None:
    """None where the run does not say, or what ran is in no file (python -c)."""
    program = _known(run.program)
    process = next((one for one in run.processes if one.pid == pid), ProcessFacts())
    executable = process.executable
    names = (program.real_path, program.path) if program else ()
    if executable and executable not in names:  # a program that the program started
        if is_interpreter(Path(executable)):
            return _script_of(process, executable)
        for facts in filter(None, map(_known, run.executables)):
            if executable in (facts.real_path, facts.path):
                return Subject("program", facts, facts.provenance)
        return None
    if script := _known(run.script):
        return Subject("script", script, None)
    if not program or is_interpreter(Path(program.real_path)):
        return None
    return Subject("program", program, run.provenance)


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
    return file if file and file.real_path else None


_DIGEST: Final = re.compile(r"[0-9a-fA-F]{6,64}")


def require_sense(expectations: Expectations) -> None:
    """Raises UsageError for expectations that nothing could meet."""
    build = expectations.build
    if build is not None and not Path(build).is_file() and not _DIGEST.fullmatch(build):
        raise UsageError(
            f"--expect-build: {build!r} is neither a file nor a hash or build id "
            "(6 to 64 hexadecimal digits); build it first, or correct the path"
        )
    if any(not text for text in expectations.texts):
        raise UsageError("--expect-text: the text is empty; say what the program must contain")


def expected_build(expectations: Expectations) -> ExpectedBuild | None:
    """The file that is meant, or the beginning of its hash or build id; None if nothing is."""
    build = expectations.build
    if build is None:
        return None
    path = Path(build)
    if not path.is_file():
        return ExpectedBuild(digits=build.lower())
    try:
        elf = read_elf(path)
        build_id = elf.build_id if elf else None
        return ExpectedBuild(str(path.absolute()), sha256_of(path), build_id)
    except OSError as error:
        raise UsageError(f"--expect-build: {path} cannot be read: {error.strerror}") from None


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
    # An audit offers its variables to programs that need not know them.
    offered = run.environment.get("GRETA_OFFERED", "").split(",")
    asked = [
        name
        for name in INSTRUMENTATION
        if name not in offered and run.environment.get(name, "0") not in ("0", "")
    ]

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
        asked={name: obeys(name) for name in asked},
        provenance=subject.provenance,
    )


def _unchanged(subject: Subject) -> bool:
    digest, path = subject.facts.sha256, Path(subject.facts.real_path)
    try:
        # A run.json from elsewhere may name a pipe or a device, which would have no end.
        return digest is not None and path.is_file() and sha256_of(path) == digest
    except OSError:
        return False


def _files(subject: Subject, run: RunFacts) -> tuple[tuple[Path, ...], bool]:
    """Where the program's texts may be: its own file, its own libraries, what it imports."""
    path, git = Path(subject.facts.real_path), subject.facts.git
    home = Path(git.tree) if git and git.tree else path.parent
    loaded = [Path(one.path) for one in run.libraries if one.path]
    # Libraries of the same tree that are neither HIP's nor ours.
    own = [one for one in loaded if one.is_relative_to(home) and not one.name.startswith(_RUNTIME)]
    if subject.kind == "program":
        return (path, *own), True
    if path.suffix == ".py" or (path.is_file() and _is_python(path)):
        imported, complete = python_files(path, run)
        return (*imported, *own), complete
    return (path, *own), True


def _is_python(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return b"python" in file.readline(256)
    except OSError:
        return False


def _same_name(run: RunFacts, expectations: Expectations) -> tuple[LibraryFacts, ...]:
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


_MOST_FILES: Final = 4000
_LARGEST: Final = 4 << 20
_INSTALLED: Final = "site-packages"
# Large, and nobody's instrumentation is in them.
_PASSED_OVER: Final = frozenset(
    ("numpy", "scipy", "torch", "rocm", "hip", "pandas", "matplotlib", "pyarrow", "perfetto")
)


def python_files(script: Path, run: RunFacts) -> tuple[tuple[Path, ...], bool]:
    """What a script imports, and whether every import was found, or belongs to Python itself.

    A package that is imported counts with all its files: it may import the rest by name. What
    installed packages import in their turn is not followed: it is not the program's own.
    """
    folders = list(_folders(script, run))
    found, waiting, seen, complete = {script}, [script], set(_PASSED_OVER), True
    while waiting:
        for name in _imported(waiting.pop()) - seen - sys.stdlib_module_names:
            seen.add(name)
            files = _module(name, folders)
            complete = complete and bool(files) and len(found) + len(files) <= _MOST_FILES
            fresh = [path for path in files if path not in found][: _MOST_FILES - len(found)]
            found.update(fresh)
            waiting.extend(path for path in fresh if _INSTALLED not in path.parts)
    return tuple(sorted(found)), complete


def _folders(script: Path, run: RunFacts) -> Iterator[Path]:
    yield script.parent
    start = Path(run.folder or ".")
    yield from (start / word for word in run.environment.get("PYTHONPATH", "").split(":") if word)
    if run.module:
        yield start
        # `python -m package.module`: the folder that holds the package.
        yield from script.parents[1 : 2 + run.module.count(".")]
    if run.program and run.program.path:
        library = Path(run.program.path).parent.parent / "lib"
        yield from sorted(library.glob(f"python3*/{_INSTALLED}"))


def _imported(path: Path) -> set[str]:
    try:
        if path.suffix == ".so" or path.stat().st_size > _LARGEST:
            return set()
        tree = ast.parse(path.read_bytes())
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        return set()
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names.update(alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            names.add(node.module.partition(".")[0])
    return names


def _module(name: str, folders: list[Path]) -> list[Path]:
    for folder in folders:
        package, plain = folder / name, folder / f"{name}.py"
        if plain.is_file():
            return [plain]
        if (package / "__init__.py").is_file():
            return sorted((*package.rglob("*.py"), *package.rglob("*.so")))[: _MOST_FILES + 1]
        natives = sorted(folder.glob(f"{name}.*.so")) + sorted(folder.glob(f"{name}.so"))
        if natives:
            return natives
    return []
