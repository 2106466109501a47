"""`greta analyze` of a log."""

from __future__ import annotations

from pathlib import Path

import pytest

from greta.cli.main import main
from tests.trace.logs.amd import AmdText


def test_an_operation_of_a_log_is_named_by_file_and_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    text = AmdText().call("hipMalloc", "0x7ffe58b19390, 4096", "0x7f87de200000")
    text.say(" hipMemcpy ( 0x7f87de200000, 0xdc2150, 8192, hipMemcpyHostToDevice )")
    text.returned("hipMemcpy", result="hipErrorInvalidValue")
    Path("run.log").write_text(f"another line\n{text.text}")
    assert main(["analyze", "run.log"]) == 1
    said = " ".join(capsys.readouterr().out.split())
    # It is what caused the error and what reported it, and told once.
    assert "caused by hipMemcpy (#4): hipErrorInvalidValue, run.log:4 buffer" in said
    assert "reported by" not in said
