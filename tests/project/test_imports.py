"""Imports point downward only, and AMD's bindings are imported in one place."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

# Which parts of greta a part may import; all may import greta itself and what is in ALWAYS. A new
# part is entered here with the direction it is meant to have.
MAY_IMPORT: dict[str, set[str]] = {
    "blocks": set(),
    "errors": set(),
    "inherited": set(),
    "large_arrays": set(),
    "native_library": set(),
    "outside": set(),
    "printable": set(),
    "reading_library": set(),
    "typed_json": set(),
    "hip": set(),
    "machine": {"runs", "hip"},
    "model": set(),
    "engine": {"model", "hip"},
    "recording": set(),
    "symbols": {"recording"},
    "trace": {"symbols", "recording"},
    "forensics": {"trace", "recording"},
    "runs": {"forensics", "trace", "symbols", "recording", "model", "hip"},
    # The lab reaches the engine only by starting a child process; of the drills it knows the names.
    "lab": {"lab.drills", "runs", "forensics", "trace", "recording", "model"},
    "lab.drills": {"engine", "model", "hip"},
    "reports": {"lab", "runs", "forensics", "trace", "symbols", "recording"},
    "api": {"reports", "lab", "runs", "forensics", "trace", "recording"},
    "cli": {
        *(
            "api",
            "reports",
            "lab",
            "lab.drills",
            "runs",
            "forensics",
            "trace",
            "symbols",
            "recording",
        ),
        *("hip", "machine", "engine", "model"),
    },
    "pytest_plugin": {"reports", "forensics"},
    "__init__": {"api", "lab", "forensics", "trace"},
    "__main__": {"cli"},
}
INNER = {"lab.drills"}
"""Packages with directions of their own, within another."""
ALWAYS = {
    *("", "errors", "inherited", "large_arrays", "native_library", "printable"),
    *("outside", "reading_library", "typed_json"),
}


def modules(root: Path) -> Iterator[tuple[Path, str]]:
    package = root / "src" / "greta"
    for path in sorted(package.rglob("*.py")):
        yield path, part_of(path.relative_to(package).with_suffix("").parts)


def part_of(words: tuple[str, ...]) -> str:
    return inner if (inner := ".".join(words[:2])) in INNER else words[0]


def imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            yield node.module or ""
            yield from (f"{node.module}.{name.name}" for name in node.names)
        elif isinstance(node, ast.Call) and ast.unparse(node.func) == "importlib.import_module":
            yield ast.literal_eval(node.args[0])


def test_every_part_imports_only_what_is_below_it(root: Path) -> None:
    parts = {part for _, part in modules(root)} - {"__init__"}
    wrong = []
    for path, part in modules(root):
        allowed = MAY_IMPORT.get(part, set()) | ALWAYS | {part}
        for name in imported(path):
            words = name.split(".")
            target = part_of(tuple(words[1:])) if words[0] == "greta" and len(words) > 1 else ""
            if target in parts and target not in allowed:
                wrong.append(f"{path.relative_to(root)} imports greta.{target}")
    assert wrong == []


def test_every_part_has_a_direction(root: Path) -> None:
    assert {part for _, part in modules(root)} - {"__init__"} <= set(MAY_IMPORT)


def test_only_greta_hip_imports_amds_bindings(root: Path) -> None:
    importers = {
        part
        for path, part in modules(root)
        if any(name == "rocm" or name.startswith("rocm.") for name in imported(path))
    }
    assert importers == {"hip"}


def test_nothing_in_src_names_a_path_of_one_machine(root: Path) -> None:
    suspicious = ("/home/", "/root/", "/work/", "/Users/")
    hits = [
        f"{path.relative_to(root)}: {word}"
        for path, _ in modules(root)
        for word in suspicious
        if word in path.read_text(encoding="utf-8")
    ]
    assert hits == []
