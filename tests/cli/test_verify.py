"""`greta verify`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from greta.cli.main import main


def verify(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    code = main(["verify", "logits", *words])
    return code, capsys.readouterr().out


def audit(folder: Path, failures: int, runs: int, unjudged: int = 0, **more: Any) -> str:
    folder.mkdir(parents=True)
    results = ["FAIL"] * failures + ["PASS"] * (runs - failures) + ["INCONCLUSIVE"] * unjudged
    iterations = [{"result": result} for result in results]
    summary = {
        "schema": 1,
        "case": "logits",
        "verdict": "REPRODUCED",
        "iterations": iterations,
        **more,
    }
    (folder / "summary.json").write_text(json.dumps(summary))
    return str(folder)


def test_no_failure_before_proves_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    code, said = verify(capsys, "--before", "0/20", "--after", "0/20")
    assert code == 3
    assert "Nothing was proven" in said


@pytest.mark.parametrize("before", ["0/5", "1/5"])
def test_more_failures_after_than_before_are_no_luck(
    capsys: pytest.CaptureFixture[str], before: str
) -> None:
    code, said = verify(capsys, "--before", before, "--after", "3/5")
    assert code == 1
    assert "so few failures" not in said
    assert ("got worse" if before == "0/5" else "Nothing has improved") in said


def test_a_very_small_chance_is_below_a_bound(capsys: pytest.CaptureFixture[str]) -> None:
    _, said = verify(capsys, "--before", "90/100", "--after", "5/100")
    assert "(p < 0.0001)" in said


def test_nine_of_twenty_before_and_none_after_is_proof(capsys: pytest.CaptureFixture[str]) -> None:
    code, said = verify(capsys, "--before", "9/20", "--after", "0/20")
    assert code == 0
    assert "0.00061" in said


def test_spanish(capsys: pytest.CaptureFixture[str]) -> None:
    code, said = verify(capsys, "--before", "9/20", "--after", "0/20", "--lang", "es")
    assert code == 0
    assert "0.00061" in said
    assert "arreglo" in said


def test_audits_are_added_up(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    before = [audit(tmp_path / "2026-01-01" / "logits", 5, 10)]
    before += [audit(tmp_path / "2026-01-02" / "logits", 4, 10, 2)]
    after = audit(tmp_path / "2026-01-03" / "logits", 0, 20)
    out = tmp_path / "verify.json"
    code, _ = verify(capsys, "--before", *before, "--after", after, "--json", str(out))
    assert code == 0
    found = json.loads(out.read_text())
    assert found["before"] == {"runs": 20, "failures": 9, "inconclusive": 2}
    assert found["proven"] is True


def test_a_day_names_its_audits(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    audit(tmp_path / "2026-01-01" / "logits", 10, 10)
    audit(tmp_path / "2026-01-03" / "logits", 10, 10)
    days = ("--before", "2026-01-01", "--after", "2026-01-03")
    code, said = verify(capsys, *days, "--out", str(tmp_path))
    assert code == 1
    assert "Nothing has improved" in said


def test_what_is_no_run_is_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code = main(["verify", "x", "--before", "nothing", "--after", "0/1", "--out", str(tmp_path)])
    assert code == 2
    assert "no entry of the case" in capsys.readouterr().err


PROGRAM = {"path": "/app", "sha256": "aa" * 32, "build_id": "a1" * 20}


Facts = dict[str, Any]


def sides(capsys: pytest.CaptureFixture[str], tmp_path: Path, before: Facts, after: Facts) -> str:
    """What is said of an audit that failed and one that did not."""
    folders = [tmp_path / day / "logits" for day in ("2026-01-01", "2026-01-02")]
    first = audit(folders[0], 20, 20, **before)
    second = audit(folders[1], 0, 20, **after)
    code, said = verify(capsys, "--before", first, "--after", second)
    assert code == 0
    return " ".join(said.split())


def test_a_program_that_changed_where_it_is_is_the_fix(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    other = {**PROGRAM, "sha256": "bb" * 32, "build_id": "b1" * 20}
    ran = [{**one, "runs": 20} for one in (PROGRAM, other)]
    said = sides(
        capsys,
        tmp_path,
        {"program": PROGRAM, "programs": ran[:1]},
        {"program": other, "programs": ran[1:]},
    )
    assert said.count("The fix: /app is another file") == 1
    assert f"{'aa' * 8} -> {'bb' * 8}" in said
    assert "differ in this as well" not in said


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        (
            {"environment": {"variables": {}}},
            {"environment": {"variables": {"HIP_LAUNCH_BLOCKING": "1"}}},
            "variable HIP_LAUNCH_BLOCKING: - -> 1",
        ),
        (
            {"program": PROGRAM},
            {"program": {**PROGRAM, "path": "/other"}},
            "program, path: /app -> /other",
        ),
        (
            {"rerun": {"options": {"program": ["/app"]}}},
            {"rerun": {"options": {"program": ["/app", "--fixed"]}}},
            "arguments: - -> --fixed",
        ),
        ({"device": {"kind": "hip"}}, {"device": {"kind": "sim"}}, "device: hip -> sim"),
        ({"model": {"hash": "1"}}, {"model": {"hash": "2"}}, "model, hash: 1 -> 2"),
        (
            {"profiles": [{"name": "none"}]},
            {"profiles": [{"name": "serialize"}]},
            "profiles: none -> serialize",
        ),
    ],
)
def test_what_else_differs_is_told_below_the_verdict(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    before: dict[str, Any],
    after: dict[str, Any],
    told: str,
) -> None:
    said = sides(capsys, tmp_path, before, after)
    assert "differ in this as well" in said
    assert told in said
    assert "The fix: " not in said


def test_what_only_one_side_knows_is_no_difference(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    older = {"program": PROGRAM, "rerun": {"command": ["greta", "audit", "--iters", "1"]}}
    newer = {**older, "programs": [PROGRAM], "device": {"kind": "sim"}}
    assert "differ" not in sides(capsys, tmp_path, older, newer)


def test_the_audit_of_another_case_is_named(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    said = sides(capsys, tmp_path, {}, {"case": "tokens"})
    assert "is an audit of the case tokens, not of logits." in said


def test_a_case_that_is_not_there_is_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    first = audit(tmp_path / "2026-01-01" / "logits", 9, 20)
    words = ["--before", first, "--after", "0/20", "--out", str(tmp_path)]
    assert main(["verify", "nobody", *words]) == 2
    said = capsys.readouterr().err
    assert "no entry of the case 'nobody'" in said
    assert "there are: logits" in said
    assert main(["verify", "nobody", "--before", "9/20", "--after", "0/20"]) == 0
