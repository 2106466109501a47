"""Three days of a fault: a log, another log, a run; and what the case says of them in the end."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import greta
from greta.cli.main import main

EXAMPLE = Path(__file__).parents[2] / "examples" / "rope_overrun.py"
FIRST = """\
Model: Llama-2-7B (6.73815B params)
Weights loaded and config updated (vocab size: 128256)
Generation error: hipMemcpy D2H failed: an illegal memory access was encountered
"""
SECOND = """\
[D2H_AUDIT_START] op_id=0 ts=1770456000.123456 stream=0x7f1234000000 dev_ptr=0x7f0000000000 \
host_ptr=0x7f1000000000 bytes=4096 tensor=logits step=0 layer=-1
[D2H_AUDIT_END] op_id=0 ts=1770456000.123789 stream=0x7f1234000000 result=hipSuccess tensor=logits
STATUS=OK
"""
NUMBER = re.compile(r"0x[0-9a-f]+|\d+(?:[.\u202f]\d+)*")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the two logs and the run are."""
    path = tmp_path_factory.mktemp("story")
    (path / "first.log").write_text(FIRST)
    (path / "second.log").write_text(SECOND)
    words = [sys.executable, "-m", "greta", "run", "--device", "sim", "--strict", "--quiet"]
    command = [*words, "--out", "run", "--", sys.executable, str(EXAMPLE)]
    environment = {**os.environ, "PYTHONPATH": str(Path(greta.__file__).parents[1])}
    done = subprocess.run(command, cwd=path, env=environment, capture_output=True, check=False)
    assert done.returncode == 1, done.stderr
    return path


@pytest.fixture
def case(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> Any:
    """`greta case ACTION b362 ...` where the three entries are filed."""
    monkeypatch.chdir(folder)

    def ask(action: str, *words: str) -> tuple[int, str]:
        monkeypatch.setenv("COLUMNS", "400")
        code = main(["case", action, "b362", *words, "--out", str(tmp_path / "artifacts")])
        caught = capsys.readouterr()
        return code, caught.out + caught.err

    days = (("first.log", "06"), ("second.log", "07"), ("run", "08"))
    for what, day in days:
        assert ask("add", what, "--date", f"2026-02-{day}", "--note", f"day {day}")[0] == 0
    return ask


def test_the_blame_moved_from_the_copy_to_the_kernel(case: Any) -> None:
    code, said = case("show")
    assert code == 0
    assert "The blame moved from hipMemcpy (2026-02-06) to the kernel rope (2026-02-08)." in said
    assert "OPEN" in said
    assert "day 06" in said
    assert "Nothing was judged since the fault was last seen: no fix is proven." in said


def test_a_log_of_successes_is_no_proof_of_anything(case: Any) -> None:
    lines = case("show")[1].splitlines()
    (place,) = [place for place, line in enumerate(lines) if line.startswith("2026-02-07")]
    assert "INCONCLUSIVE" in lines[place]
    assert "The cause was not known before." in case("show")[1]  # against the first log


def test_a_log_that_was_added_is_kept_with_its_checksum(case: Any, tmp_path: Path) -> None:
    kept = tmp_path / "artifacts" / "2026-02-06" / "b362"
    assert (kept / "evidence.log").read_text() == FIRST
    assert "evidence.log" in (kept / "SHA256SUMS").read_text()


@pytest.mark.parametrize("format_", ["md", "html"])
def test_the_report_names_what_moved_what_was_proven_and_what_was_not(
    case: Any, format_: str
) -> None:
    pages = [case("report", "--lang", lang, "--format", format_)[1] for lang in ("en", "es")]
    english, spanish = pages
    assert "The blame moved from" in english
    assert "La culpa pasó de" in spanish
    for page in pages:
        for word in ("OPEN", "REPRODUCED", "INCONCLUSIVE", "CONFIRMED", "rope", "positions"):
            assert word in page
    found = [NUMBER.findall(page.partition("<script")[0]) for page in pages]
    if format_ == "md":
        assert sorted(found[0]) == sorted(found[1])
    else:
        assert "<svg" in english
        assert "dot-bad" in english


def test_severity_author_and_what_is_left_are_kept(case: Any) -> None:
    case("set", "--severity", "high", "--author", "L.E.T", "--follow-up", "try the 8B model")
    case("set", "--follow-up", "and the 1B")
    said = case("show")[1]
    for text in ("Severity: high.", "Author: L.E.T.", "try the 8B model", "and the 1B"):
        assert text in said


def test_nothing_closes_a_case_that_its_entries_contradict(case: Any) -> None:
    for reason in ("fixed", "not-reproduced"):
        code, said = case("close", "--reason", reason)
        assert code == 2
        assert "Traceback" not in said
    code, said = case("close", "--reason", "duplicate", "--of", "unknown")
    assert code == 2
    assert "no entry of the case 'unknown'" in said


def fixed(tmp_path: Path, runs: int, day: str = "2026-02-09") -> None:
    """An audit of the case in which nothing failed."""
    kept = tmp_path / "artifacts" / day / "b362"
    kept.mkdir(parents=True)
    failing = json.loads((tmp_path / "artifacts/2026-02-08/b362/summary.json").read_text())
    ran = {name: failing[name] for name in ("device", "environment", "program", "rerun")}
    iterations = [{"result": "PASS"}] * runs
    summary = {"schema": 1, "case": "b362", "verdict": "NOT_REPRODUCED", "iterations": iterations}
    (kept / "summary.json").write_text(
        json.dumps({**ran, **summary, "started": f"{day}T10:00:00+00:00"})
    )


def test_a_proven_fix_closes_it_and_a_new_fault_opens_it_again(case: Any, tmp_path: Path) -> None:
    fixed(tmp_path, 40)
    code, said = case("close", "--reason", "fixed", "--note", "bounds of rope checked")
    assert code == 0
    assert "CLOSED" in said
    assert "The fix is proven" in said
    assert "bounds of rope checked" in said
    facts = tmp_path / "artifacts" / "cases" / "b362.json"
    document = json.loads(facts.read_text())
    document["closed"]["at"] = "2026-02-10T00:00:00+00:00"  # the next entry is later than this
    facts.write_text(json.dumps(document))
    case("add", "run", "--date", "2026-02-11")
    said = case("show")[1]
    assert "OPEN" in said
    assert "It was closed on 2026-02-10; the fault was seen again since." in said


def test_too_few_runs_say_how_many_would_do(case: Any, tmp_path: Path) -> None:
    fixed(tmp_path, 1)
    code, said = case("close", "--reason", "fixed")
    assert code == 2
    assert re.search(r"\d+ runs after the fix without a failure would prove it", said)


def test_not_reproduced_is_closed_with_its_bound(case: Any, tmp_path: Path) -> None:
    fixed(tmp_path, 20)
    code, said = case("close", "--reason", "not-reproduced")
    assert code == 0
    assert "Runs without the fault: 20; with 95 % confidence at most" in said


def test_a_case_file_from_elsewhere_is_refused_by_its_field(case: Any, tmp_path: Path) -> None:
    facts = tmp_path / "artifacts" / "cases" / "b362.json"
    facts.parent.mkdir()
    for text in ("[]", "{", '{"severity": 3}', '{"closed": {"reason": []}}'):
        facts.write_text(text)
        code, said = case("show")
        assert code == 2
        assert str(facts) in said
        assert "Traceback" not in said


def test_logs_and_runs_are_compared_with_each_other(
    case: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["diff", "first.log", "run"]) == 0
    said = capsys.readouterr().out
    assert "hipMemcpy (#3) | hipMemcpyAsync (#16)" in said
    assert "INCONCLUSIVE | CONFIRMED" in said
    words = [
        "--before",
        "first.log",
        "run",
        "--after",
        "0/40",
        "--out",
        str(tmp_path / "artifacts"),
    ]
    assert main(["verify", "b362", *words]) == 0
    assert "2 of 2" in capsys.readouterr().out


@pytest.mark.parametrize(
    "words",
    [
        ["add", "b362"],
        ["add", "b362", "nowhere.log"],
        ["add", "../b362", "first.log"],
        ["add", "b362", "first.log", "--date", "yesterday"],
        ["show"],
        ["show", "b362", "first.log"],
        ["close", "b362"],
    ],
)
def test_bad_usage_is_one_sentence(
    case: Any, words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["case", *words]) == 2
    said = capsys.readouterr().err
    assert "greta" in said
    assert "Traceback" not in said
