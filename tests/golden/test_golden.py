"""What the product says of runs that were recorded once and for all has not changed unnoticed."""

from __future__ import annotations

import os
from itertools import islice

from tests.golden.compare import brief, differences, read_expected, said_now
from tests.golden.place import EXPECTED

MOST_LINES = 200
EACH = int(os.environ.get("GRETA_TEST_GOLDEN_EACH", "4"))
"""A minute of all runs is what `make golden` takes; every fourth one is looked at here."""


def test_of_the_frozen_runs_the_same_is_said() -> None:
    now = said_now(each=EACH)
    expected = read_expected(EXPECTED.read_bytes())
    assert len(now) == (len(expected) + EACH - 1) // EACH
    found = differences({name: expected.get(name, "") for name in now}, now)
    shown = "\n".join(islice(brief(found), MOST_LINES))
    assert not found, f"{len(found)} runs; `make golden` shows all of it\n{shown}"


def test_a_changed_word_is_noticed_and_shown_once() -> None:
    before = {"a": "one\nsize 16\n", "b": "one\nsize 32\n", "c": "one\n"}
    now = {"a": "one\nbytes 16\n", "b": "one\nbytes 32\n", "c": "one\n"}
    found = differences(before, now)
    assert list(found) == ["a", "b"]
    assert list(brief(found)) == ["in 2 runs, such as a:\n-size 16\n+bytes 16\n"]


def test_a_run_that_is_new_or_gone_differs() -> None:
    assert list(differences({"a": "one\n"}, {"b": "one\n"})) == ["a", "b"]
