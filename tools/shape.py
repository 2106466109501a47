"""Prints how the source is laid out, so that everyone sees where the house grows.

python tools/shape.py            the figures (`make shape`)
python tools/shape.py --names    and what they count, by name
"""

from __future__ import annotations

import argparse
import ast
import os
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
PACKAGE: Final = ROOT / "src" / "greta"
EXAMPLE: Final = ROOT / "examples" / "rope_overrun.py"

JSON_EDGE: Final = ("json", "document", "stored")
"""A module whose name says one of these reads or writes JSON; elsewhere data has types."""

FILES_RUN: Final = """
import sys
seen = set()
def note(frame, event, _):
    code = frame.f_code
    # A function: not the body of a module or class, nor a comprehension that is part of one.
    if event == "call" and code.co_flags & 1 and not code.co_name.startswith("<"):
        seen.add(code.co_filename)
sys.setprofile(note)
from greta.cli.main import main
try:
    main(sys.argv[2:])
except SystemExit:
    pass
sys.setprofile(None)
with open(sys.argv[1], "w") as file:
    file.write("\\n".join(sorted(seen)))
"""


@dataclass(frozen=True)
class Module:
    """One file of the package."""

    path: Path
    tree: ast.Module
    lines: int

    @property
    def name(self) -> str:
        """As it is imported."""
        parts = self.path.relative_to(PACKAGE.parent).with_suffix("").parts
        return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)

    @property
    def part(self) -> str:
        """The top-level package or module it belongs to."""
        return self.path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def modules() -> list[Module]:
    """All of them, in the order of their paths."""
    texts = [(path, path.read_text(encoding="utf-8")) for path in sorted(PACKAGE.rglob("*.py"))]
    return [Module(path, ast.parse(text), text.count("\n")) for path, text in texts]


def imports_of(module: Module) -> Iterator[str]:
    """Names that may be modules."""
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Import):
            yield from (one.name for one in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{one.name}" for one in node.names)
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith("import_module"):
            yield from (str(a.value) for a in node.args if isinstance(a, ast.Constant))


def single_importer(every: list[Module]) -> list[str]:
    """Modules that exactly one other imports, and their importer. Packages do not count."""
    importers: dict[str, set[str]] = defaultdict(set)
    for module in every:
        for name in set(imports_of(module)):
            importers[name].add(module.name)
    files = [m.name for m in every if m.path.name != "__init__.py"]
    alone = [(name, importers[name]) for name in files if len(importers[name]) == 1]
    return [f"{name} <- {next(iter(by))}" for name, by in alone]


def repeated_classes(every: list[Module]) -> list[str]:
    """Class names that stand for something in more than one package."""
    places: dict[str, set[str]] = defaultdict(set)
    for module in every:
        for node in ast.walk(module.tree):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].add(module.part)
    return [f"{name}: {', '.join(sorted(p))}" for name, p in sorted(places.items()) if len(p) > 1]


def untyped(every: list[Module]) -> list[str]:
    """Where `dict[str, Any]` or `Mapping[str, Any]` is written outside the JSON edge."""
    found: Counter[str] = Counter()
    for module in every:
        if any(word in module.path.stem for word in JSON_EDGE):
            continue
        for node in ast.walk(module.tree):
            if isinstance(node, ast.Subscript) and ast.unparse(node.slice) == "(str, Any)":
                found[module.name] += 1
    return [f"{name}: {number}" for name, number in found.most_common()]


def number_in(row: str) -> int:
    """What a row of `untyped` counts."""
    return int(row.rsplit(" ", 1)[1])


def once_used(every: list[Module]) -> tuple[int, int]:
    """Private functions, and how many of them are named once besides their definition."""
    private, once = 0, 0
    for module in every:
        names = Counter(
            node.id if isinstance(node, ast.Name) else node.attr
            for node in ast.walk(module.tree)
            if isinstance(node, (ast.Name, ast.Attribute))
        )
        for node in ast.walk(module.tree):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("_"):
                if node.name.startswith("__"):
                    continue
                private += 1
                once += names[node.name] == 1
    return private, once


def files_for_a_report() -> list[str]:
    """The files of the package in which something runs when an HTML report is made."""
    with tempfile.TemporaryDirectory() as folder:
        run, seen = Path(folder) / "run", Path(folder) / "seen"
        greta = [sys.executable, "-m", "greta"]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        record = [*greta, "run", "--device", "sim", "--out", run, "--", sys.executable, EXAMPLE]
        subprocess.run(record, check=False, **quiet)  # type: ignore[call-overload]
        report = ["report", str(run), "--format", "html", "-o", str(Path(folder) / "report.html")]
        command = [sys.executable, "-c", FILES_RUN, str(seen), *report]
        subprocess.run(command, check=True, **quiet)  # type: ignore[call-overload]
        names = seen.read_text().split("\n")
    inside = f"{os.sep}greta{os.sep}"
    return sorted(name.split(inside, 1)[1] for name in names if inside in name)


def lines_by_kind() -> list[tuple[str, int, int]]:
    """What is in git, by where it is and what it is written in: files and lines."""
    listed = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout.splitlines()
    kinds = {".py": "Python", ".cpp": "C++", ".h": "C++", ".hip": "HIP", ".md": "Markdown"}
    files: Counter[str] = Counter()
    lines: Counter[str] = Counter()
    for name in listed:
        path = ROOT / name
        if path.suffix in kinds and path.is_file():
            kind = f"{path.relative_to(ROOT).parts[0]}, {kinds[path.suffix]}"
            files[kind] += 1
            lines[kind] += path.read_bytes().count(b"\n")
    return [(kind, files[kind], lines[kind]) for kind in sorted(files)]


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--names", action="store_true", help="say what each figure counts")
    with_names = parser.parse_args().names
    every = modules()
    private, once = once_used(every)
    packages = sorted({m.part for m in every if m.path.parent != PACKAGE})
    alone, repeated, loose = single_importer(every), repeated_classes(every), untyped(every)
    ran = files_for_a_report()
    figures: list[tuple[str, int, list[str]]] = [
        ("packages", len(packages), packages),
        ("Python files in src/", len(every), []),
        ("lines in src/", sum(m.lines for m in every), []),
        ("files of at most 60 lines", sum(m.lines <= 60 for m in every), []),
        ("modules with a single importer", len(alone), alone),
        ("class names in several packages", len(repeated), repeated),
        ("dict[str, Any] outside the JSON edge", sum(number_in(row) for row in loose), loose),
        (f"private functions used once, of {private}", once, []),
        ("files that run for one HTML report", len(ran), ran),
    ]
    for title, number, names in figures:
        print(f"{number:>7,}  {title}")
        for name in names if with_names else []:
            print(f"         - {name}")
    for kind, number, lines in lines_by_kind():
        print(f"{lines:>7,}  lines of {kind} in {number} files")
    return 0


if __name__ == "__main__":
    sys.exit(main())
