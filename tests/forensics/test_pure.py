"""The analysis has no files, no caches by identity, and changes nothing that it is given."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from greta.forensics import order_library
from greta.forensics.analysis import analyze
from greta.trace.evidence import Evidence
from greta.trace.trace import Trace
from tests.forensics.programs import FAILED, Program

EDGES = {"order_library.py"}
"""Finds the native library; loads it once for a process."""


def faulting() -> Evidence:
    """A launch reports its own fault: the order has to count it as work that was queued."""
    program = Program()
    x = program.allocate(4096)
    stream = program.stream()
    program.h2d(x[:], stream=stream)
    program.launch(0, reads=[x[:]], **{**FAILED, "result": 700})
    program.wait_device(**{**FAILED, "result": 700})
    return program.evidence()


def frozen(trace: Trace) -> Trace:
    tables: dict[str, Any] = {}
    for one in fields(trace):
        value = getattr(trace, one.name)
        if isinstance(value, np.ndarray):
            tables[one.name] = value.copy()
            tables[one.name].flags.writeable = False
    assert len(tables) == 5
    return replace(trace, **tables)


def test_tables_that_cannot_be_written_give_the_same_verdict() -> None:
    evidence = faulting()
    before = [evidence.trace.operations.copy(), evidence.trace.accesses.copy()]
    expected = analyze([evidence])
    assert analyze([replace(evidence, trace=frozen(evidence.trace))]) == expected
    assert (evidence.trace.operations == before[0]).all()
    assert (evidence.trace.accesses == before[1]).all()
    assert expected.confirmed


def test_an_analysis_opens_no_file(monkeypatch: pytest.MonkeyPatch) -> None:
    order_library._library()
    evidence = faulting()

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a file was opened")

    monkeypatch.setattr(builtins, "open", refuse)
    monkeypatch.setattr("os.open", refuse)
    monkeypatch.setattr("io.open", refuse)
    assert analyze([evidence]).rulings


def test_what_is_changed_in_the_trace_is_seen_by_the_next_analysis() -> None:
    """Nothing is remembered of an earlier one."""
    evidence = faulting()
    first = analyze([evidence])
    evidence.trace.operations["failed"][:] = False
    evidence.trace.operations["result"][:] = 0
    assert analyze([evidence]).word != first.word


def called_names(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute):
            yield node.func.id if isinstance(node.func, ast.Name) else node.func.attr


@pytest.mark.parametrize("name", ["open", "id", "read_text", "read_bytes", "finalize", "now"])
def test_no_module_calls(root: Path, name: str) -> None:
    folder = root / "src" / "greta" / "forensics"
    modules = [path for path in folder.rglob("*.py") if path.name not in EDGES]
    assert len(modules) > 25
    guilty = [p.name for p in modules if name in called_names(ast.parse(p.read_text()))]
    assert guilty == []
