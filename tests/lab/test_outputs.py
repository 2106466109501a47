"""What a command printed: expected or not, the same in all runs or not."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from greta.lab import endings
from greta.lab.endings import outputs_of, take_output
from greta.lab.outcomes import IterationOutcome
from greta.lab.plan import Iteration, MatrixTest, Prompt
from greta.lab.summary import OutputKinds
from greta.reports.lang import Say
from greta.reports.sections import matrix
from tests.reports.documents import reported

PLAIN = MatrixTest("A", "baseline", 9)
ASKED = MatrixTest("B", "audit", 9, environment={"GCORE_D2H_AUDIT": "1"})
SUM = re.compile("^sum=1000", re.MULTILINE)


def printed(
    folder: Path, text: bytes, expected: re.Pattern[str] | None = SUM, test: MatrixTest = PLAIN
) -> IterationOutcome:
    folder.mkdir(exist_ok=True)
    (folder / "stdout.log").write_bytes(text)
    outcome = IterationOutcome(Iteration(test, 0, Prompt("command", ""), 0), "run/A.0")
    take_output(outcome, folder, expected)
    return outcome


def test_who_prints_what_is_expected_has_passed(tmp_path: Path) -> None:
    outcome = printed(tmp_path, b"loading\nsum=1000.0\n")
    assert (outcome.result, outcome.problems) == ("PASS", [])


def test_who_does_not_has_failed_and_it_is_shown_what_he_printed(tmp_path: Path) -> None:
    outcome = printed(tmp_path, b"sum=2000.0\n\x1b[2J\xff" + b"x" * 9999 + b"\n3\n4\n5\n")
    assert (outcome.result, outcome.problems) == ("FAIL", ["output_unexpected"])
    assert outcome.ending is not None
    lines = outcome.ending.printed
    assert lines is not None
    assert lines[0] == "sum=2000.0"
    assert lines[-1] == "..."
    assert len(lines) == 4
    assert all(line.isprintable() and len(line) < 200 for line in lines)


def test_who_prints_nothing_is_told_so(tmp_path: Path) -> None:
    outcome = printed(tmp_path, b"\n")
    assert outcome.problems == ["output_unexpected"]
    assert outcome.ending is not None
    assert outcome.ending.how == "output_empty"


def test_without_an_expectation_nothing_is_wrong(tmp_path: Path) -> None:
    assert printed(tmp_path, b"sum=2000\n", None).result == "PASS"


def test_of_more_than_anybody_searches_nothing_is_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(endings, "_MOST_BYTES", 8)
    assert printed(tmp_path, b"x" * 9).result == "INCONCLUSIVE"
    assert printed(tmp_path, b"sum=1000\n").result == "PASS"


def test_a_log_that_is_not_there_tells_nothing(tmp_path: Path) -> None:
    outcome = IterationOutcome(Iteration(PLAIN, 0, Prompt("command", ""), 0), "run/A.0")
    take_output(outcome, tmp_path, SUM)
    assert outcome.result == "INCONCLUSIVE"


def of(tmp_path: Path, *texts: bytes, test: MatrixTest = PLAIN) -> list[IterationOutcome]:
    return [printed(tmp_path, text, None, test) for text in texts]


def test_kinds_of_output_are_counted(tmp_path: Path) -> None:
    found = outputs_of(of(tmp_path, b"1", b"1", b"2", b"1"))
    assert found == OutputKinds(2, 4, (3, 1))
    assert outputs_of(of(tmp_path, b"1", b"1")) is None


def test_what_the_environment_asks_for_is_no_difference(tmp_path: Path) -> None:
    both = of(tmp_path, b"1", b"1") + of(tmp_path, b"1 and more", b"1 and more", test=ASKED)
    assert outputs_of(both) is None


@pytest.mark.parametrize(("asked", "told"), [({}, True), ({"expect_output": "x"}, False)])
def test_it_is_told_unless_somebody_said_what_to_expect(asked: dict[str, Any], told: bool) -> None:
    document = {
        "tests": [{"id": "A"}],
        "outputs": {"kinds": 2, "runs": 12},
        "rerun": {"options": {"iters": 1, **asked}},
    }
    section = matrix.matrix(reported(document), Say("en"))
    assert ("2 kinds in 12 runs" in str(section)) is told
