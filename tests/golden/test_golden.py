"""What the product says of runs that were recorded once and for all has not changed unnoticed."""

from __future__ import annotations

import os
from itertools import islice

import pytest

import greta.forensics.copies
import greta.forensics.scan
import greta.large_arrays
import greta.recording.columns
import greta.recording.identities
import greta.recording.lanes
import greta.recording.process
import greta.trace.reading
import greta.trace.reading.build
import greta.trace.reading.handles
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


EACH_IN_PIECES = int(os.environ.get("GRETA_TEST_GOLDEN_PIECES", "29"))
PIECES = {
    greta.forensics.copies: ("ROWS",),
    greta.forensics.scan: ("ROWS", "SORTED_AT_ONCE"),
    greta.recording.columns: ("CHUNK_ROWS", "MERGED_AT_ONCE"),
    greta.recording.identities: ("CHUNK_ROWS",),
    greta.recording.lanes: ("BLOCK_RECORDS",),
    greta.recording.process: ("COUNTED_AT_ONCE", "LARGE_LANES"),
    greta.trace.reading: ("CHUNK_ROWS",),
    greta.trace.reading.build: ("BLOCK_ROWS",),
    greta.trace.reading.handles: ("CHUNK_ROWS",),
}
"""How much is read and looked at together."""


@pytest.mark.parametrize("rows", [3, 7])
def test_the_same_is_said_if_all_is_in_files_and_read_a_few_rows_at_a_time(
    rows: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("IN_MEMORY", "RESIDENT", "_LARGE"):
        monkeypatch.setattr(greta.large_arrays, name, 0)
    monkeypatch.setattr(greta.large_arrays, "_STEP", 4096)
    for module, names in PIECES.items():
        for name in names:
            monkeypatch.setattr(module, name, rows)
    now = said_now(each=EACH_IN_PIECES + rows)
    expected = read_expected(EXPECTED.read_bytes())
    assert not differences({name: expected[name] for name in now}, now)


def test_a_changed_word_is_noticed_and_shown_once() -> None:
    before = {"a": "one\nsize 16\n", "b": "one\nsize 32\n", "c": "one\n"}
    now = {"a": "one\nbytes 16\n", "b": "one\nbytes 32\n", "c": "one\n"}
    found = differences(before, now)
    assert list(found) == ["a", "b"]
    assert list(brief(found)) == ["in 2 runs, such as a:\n-size 16\n+bytes 16\n"]


def test_a_run_that_is_new_or_gone_differs() -> None:
    assert list(differences({"a": "one\n"}, {"b": "one\n"})) == ["a", "b"]
