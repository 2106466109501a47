"""Every call that is supported is tried by a test of its effect, every one that must work by name.

What counts as a call is one in the code of a test module: `library.hipMalloc(...)`, or a call that
is handed the name, `call("hipMalloc", ...)`. A comment, docstring or table entry does not count.
Of calls of which a thin answer is enough, the entry of a table does. The tests in bad_input, which
call everything with nonsense, never count. `make calls CALLS_ARGS=RUN` says what a recorded run of
the tests really called, with success and without.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from contract import model

FOLDER = Path(__file__).parent
BAD_INPUT = FOLDER / "bad_input"
MUST_WORK = 1


def called_names(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        if isinstance(node.func, ast.Attribute):
            yield node.func.attr
        first = node.args[0] if node.args else None
        if isinstance(first, ast.Constant) and isinstance(first.value, str):
            yield first.value


def referred_names(tree: ast.AST) -> Iterator[str]:
    """Attributes, and the words of string constants other than docstrings: tables of calls."""
    docstrings = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, (ast.Module, ast.FunctionDef, ast.ClassDef))
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            yield node.attr
        if isinstance(node, ast.Constant) and id(node) not in docstrings:
            yield from str(node.value).split()


def trees(pattern: str) -> list[ast.Module]:
    files = sorted(path for path in FOLDER.rglob(pattern) if BAD_INPUT not in path.parents)
    return [ast.parse(path.read_text(encoding="utf-8"), str(path)) for path in files]


@pytest.fixture(scope="module")
def called() -> set[str]:
    return {name for tree in trees("test_*.py") for name in called_names(tree)}


def calls_of_tier(tier: int) -> set[str]:
    return {call.name for call in model.load().calls if call.tier == tier and not call.twin_of}


def test_every_call_that_must_work_is_called_by_a_test(called: set[str]) -> None:
    assert calls_of_tier(MUST_WORK) - called == set()


def test_every_supported_call_is_named_by_a_test_of_its_effect() -> None:
    named = {name for tree in trees("*.py") for name in referred_names(tree)}
    assert {call.name for call in model.load().calls if call.supported} - named == set()


def test_a_comment_or_a_docstring_is_not_a_call() -> None:
    tree = ast.parse('"""hipMalloc()"""\n# hip.hipFree()\nnames = ["hipInit"]\n')
    assert set(called_names(tree)) == set()
    assert set(referred_names(tree)) == {"hipInit"}


def test_both_forms_of_a_call_count() -> None:
    tree = ast.parse('hip.hipMalloc(1)\ncall("hipFree", 2)\n')
    assert set(called_names(tree)) == {"hipMalloc", "hipFree"}
