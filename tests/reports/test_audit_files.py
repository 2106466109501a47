"""What an audit leaves in its folder."""

from __future__ import annotations

from pathlib import Path

from greta.forensics.verdict import Verdict, VerdictWord
from greta.lab.summary import IterationSummary, MatrixRow, Summary
from greta.reports.audit_files import keep


def test_each_prompt_has_a_log_of_its_iterations(tmp_path: Path) -> None:
    iterations = (
        IterationSummary("A", 0, "p0_short", 7, result="PASS", seconds=0.25, run="run/A.0"),
        IterationSummary("A", 1, "../odd name.txt", 8, result="FAIL", problems=("died",)),
        IterationSummary("B", 2, "p0_short", 9, result="PASS", range=(98, 356)),
        IterationSummary("B", 3, None, 9),
    )
    rows = (MatrixRow("B", "audit", variables={"GCORE_D2H_AUDIT": "1"}),)
    verdict = Verdict(VerdictWord.REPRODUCED)
    keep(tmp_path, Summary(verdict, "case", tests=rows, iterations=iterations))
    logs = {path.name: path.read_text().splitlines() for path in (tmp_path / "run").iterdir()}
    assert sorted(logs) == ["odd_name.txt.log", "p0_short.log"]
    assert logs["p0_short.log"] == [
        "test=A iteration=0 seed=7 result=PASS seconds=0.25 run=run/A.0",
        "test=B iteration=2 seed=9 result=PASS calls=98-356",
    ]
    assert "problems=died" in logs["odd_name.txt.log"][0]
    assert "  run/p0_short.log" in (tmp_path / "SHA256SUMS").read_text()
    for lang, words in (("en", "variables of test B"), ("es", "variables de la prueba B")):
        report = (tmp_path / f"report.{lang}.md").read_text()
        assert f"- {words}: `GCORE_D2H_AUDIT=1`" in report
