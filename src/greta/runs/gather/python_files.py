"""The files that a Python script is made of: itself and what it imports; nothing is run."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from greta.trace.run_facts import RunFacts

_MOST_FILES: Final = 4000
_LARGEST: Final = 4 << 20
_INSTALLED: Final = "site-packages"
# Large, and nobody's instrumentation is in them.
_PASSED_OVER: Final = frozenset(
    ("numpy", "scipy", "torch", "rocm", "hip", "pandas", "matplotlib", "pyarrow", "perfetto")
)


class PythonFiles(NamedTuple):
    """`complete` if every import was found, or belongs to Python itself."""

    paths: tuple[Path, ...]
    complete: bool


def python_files(script: Path, run: RunFacts) -> PythonFiles:
    """A package that is imported counts with all its files: it may import the rest by name.

    What installed packages import in their turn is not followed: it is not the program's own.
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
    return PythonFiles(tuple(sorted(found)), complete)


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
    """First words of what a file imports."""
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
