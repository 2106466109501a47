"""A report is named after what it is about."""

from __future__ import annotations

from typing import Any

import pytest

from greta.reports import compose
from tests.reports.documents import reported, summary


def title(document: dict[str, Any], lang: Any = "en") -> str:
    return compose(reported(document), lang).title


def audit(case: str | None, program: list[str], name: str) -> dict[str, Any]:
    rerun = {"options": {"case": case, "program": program}}
    return summary(case=case or name, rerun=rerun, model={} if program else {"name": "m/tiny.gguf"})


@pytest.mark.parametrize(
    ("case", "program", "expected"),
    [
        ("logits", [], "Audit of logits"),
        (None, [], "Audit of the inference engine with tiny.gguf"),
        (None, ["./a.out"], "Audit of a"),
        ("logits", ["./a.out"], "Audit of logits"),
    ],
)
def test_an_audit_has_the_name_of_its_case_or_of_what_ran(
    case: str | None, program: list[str], expected: str
) -> None:
    assert title(audit(case, program, "a")) == expected


def test_one_run_is_no_audit() -> None:
    run = summary(case="20261116-app")
    del run["tests"]
    assert title(run) == "The run 20261116-app"
    assert title(run, "es") == "La ejecución 20261116-app"
    del run["case"]
    assert title(run, "es") == "Una ejecución"
