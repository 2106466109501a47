"""A report says of a log only what the log says, and how a run is run again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from greta.api import rerun_of
from greta.cli.main import main
from greta.runs.folder import read_run

FAULT = (
    "Memory access fault by GPU node-1 (Agent handle: 0x5581) on address 0x7f3a5c200000. "
    "Reason: Page not present or supervisor privilege.\n"
)


def test_of_a_log_nobody_knows_where_it_was_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "fault.log"
    log.write_text(FAULT)
    assert main(["report", str(log)]) == 0
    text = capsys.readouterr().out
    assert text.startswith("# The log fault.log\n\nGRETA\n")
    for claim in ("What ran", "recorded calls below", "?", "Run it again", "greta pin"):
        assert claim not in text
    assert "rests on that log alone" in text


def test_an_ending_that_is_not_known_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log, page = tmp_path / "fault.log", tmp_path / "x.pdf"
    log.write_text(FAULT)
    assert main(["report", str(log), "-o", str(page)]) == 2
    assert capsys.readouterr().err == (
        f"greta: the ending '.pdf' of '{page}' does not say the format; known are .md, .html, "
        ".json; or add --format md|html|json\n"
    )
    assert not page.exists()
    assert main(["report", str(log), "--format", "html", "-o", str(page)]) == 0
    assert page.read_text().startswith("<!DOCTYPE html>")
    assert main(["report", str(log), "-o", str(tmp_path / "page")]) == 0
    assert (tmp_path / "page").read_text().startswith("# ")


def test_the_same_run_again(tmp_path: Path) -> None:
    environment = {"GRETA_SIM_PLACEMENT": "strict", "GRETA_SIM_VRAM": "1048576", "OTHER": "x"}
    facts = {
        "command": ["./a.out"],
        "folder": "/home/me",
        "device": {"kind": "sim"},
        "environment": environment,
        "ring": 1000,
        "watch_host": True,
    }
    (tmp_path / "run.json").write_text(json.dumps(facts))
    known = read_run(tmp_path)
    assert known
    words = " ".join(rerun_of(known).recorder)
    assert words == "greta run --device sim --vram 1048576 --strict --ring 1000 --watch-host"
