"""All cases, by folder."""

from __future__ import annotations

import importlib
from pathlib import Path

from greta.forensics.verdict import HYPOTHESES
from tests.cases.truth import Case

HERE = Path(__file__).parent
RULES = (
    "limits",
    "doubts",
    "reach",
    "blocks",
    "in_flight",
    "address",
    "fed_by_a_race",
    "own_evidence",
    "equal_launches",
    "who_was_recorded",
    "tried",
    "logs",
    "calls",
)
"""What a verdict may and may not say, whatever the hypothesis."""
CLEAN = "clean"
"""Programs without a fault, and without a faulty twin."""
FOLDERS = (*HYPOTHESES, *RULES, CLEAN)


def cases_of(folder: str) -> list[Case]:
    """As truths.py in a folder says."""
    cases: list[Case] = importlib.import_module(f"tests.cases.{folder}.truths").CASES
    return cases


def all_cases() -> list[Case]:
    """Of all folders."""
    return [case for folder in dict.fromkeys(FOLDERS) for case in cases_of(folder)]
