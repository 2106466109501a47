"""The tree of errors in greta/errors.py is that of the classes."""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Iterator
from pathlib import Path

from greta import errors
from greta.errors import ExitCode, GretaError

BASE = "greta.errors"


def drawn() -> Iterator[tuple[str, str]]:
    """Each error of the docstring, and the one that it is a kind of."""
    above: list[tuple[int, str]] = []
    for line in (errors.__doc__ or "").splitlines():
        if not (found := re.match(r"([│├└─ ]*)([A-Za-z0-9_.]+Error)\b", line)):
            continue
        depth, name = len(found[1]), found[2] if "." in found[2] else f"{BASE}.{found[2]}"
        above = [one for one in above if one[0] < depth]
        if above:
            yield name, above[-1][1]
        above.append((depth, name))


def defined(root: Path) -> Iterator[tuple[str, str]]:
    """Each class of the package that is a GretaError, and its base."""
    source = root / "src"
    for path in sorted(source.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if "Error(" not in text:
            continue
        module = ".".join(path.relative_to(source).with_suffix("").parts)
        names = [node.name for node in ast.walk(ast.parse(text)) if isinstance(node, ast.ClassDef)]
        for name in (one for one in names if one.endswith("Error")):
            found = getattr(importlib.import_module(module), name)
            if issubclass(found, GretaError) and found is not GretaError:
                (base,) = found.__bases__
                yield f"{module}.{name}", f"{base.__module__}.{base.__name__}"


def test_the_tree_is_complete(root: Path) -> None:
    assert dict(drawn()) == dict(defined(root))


def test_every_error_has_an_exit_code_of_its_kind(root: Path) -> None:
    known = {ExitCode.FAULT, ExitCode.BAD_USAGE, ExitCode.INCONCLUSIVE}
    for name, _ in defined(root):
        module, _, class_name = name.rpartition(".")
        assert getattr(importlib.import_module(module), class_name).exit_code in known
