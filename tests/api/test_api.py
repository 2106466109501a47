"""`import greta`: runs, verdicts, audits and reports without the command line."""

from __future__ import annotations

import html
import json
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any, cast

import pytest

import greta
from greta.cli.main import main
from greta.hip import SimTree
from greta.lab.request import AuditRequest
from greta.recording import process

CALM = """
import ctypes, sys
hip = ctypes.CDLL("libamdhip64.so")
buffer, host = ctypes.c_void_p(), ctypes.create_string_buffer(64)
hip.hipMalloc(ctypes.byref(buffer), ctypes.c_size_t(64))
hip.hipMemset(buffer, 0, ctypes.c_size_t(64))
hip.hipMemcpy(host, buffer, ctypes.c_size_t(64), ctypes.c_int(2))
print("done", len(sys.stdin.read()))
print("and said", file=sys.stderr)
"""
FREED = (
    CALM
    + """
hip.hipFree(buffer)
error = hip.hipMemcpy(host, buffer, ctypes.c_size_t(64), ctypes.c_int(2))
sys.exit(3)
"""
)


@pytest.fixture(autouse=True)
def _place(sim_tree: SimTree, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TMPDIR", str(tmp_path))  # other audits have other locks
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", str(Path(greta.__file__).parents[1]))


def program(text: str) -> list[str]:
    Path("program.py").write_text(text)
    return [sys.executable, "program.py"]


def test_all_that_is_offered_is_there_and_in_order() -> None:
    assert list(greta.__all__) == sorted(greta.__all__)
    assert len(set(greta.__all__)) == len(greta.__all__)
    for name in greta.__all__:
        assert getattr(greta, name) is not None
        assert name in dir(greta)
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        _ = greta.nothing


def test_importing_it_loads_nothing_of_it() -> None:
    ask = "import sys, greta; print([n for n in sys.modules if n.startswith(('greta.', 'numpy'))])"
    said = subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True, check=True)
    assert said.stdout.strip() == "[]"


@pytest.mark.parametrize("command", ["ls", Path("ls"), b"ls"])
def test_a_command_is_a_list(command: Any) -> None:
    for start in (greta.run, greta.audit):
        with pytest.raises(greta.GretaError, match=r"must be a list of words.*, not .*ls"):
            start(command, device="sim")


def test_a_device_that_there_is_not_is_named_as_the_caller_knows_it() -> None:
    with pytest.raises(greta.GretaError, match=r"^the device must be auto, hip or sim, not 'gpu'$"):
        greta.run(["true"], device=cast(Any, "gpu"))


def test_a_reason_is_a_sentence() -> None:
    run = greta.run(program(CALM), device="sim", out="run")
    verdict = run.verdict()
    assert str(verdict.reason).startswith("No fault was seen, and every HIP call was recorded")
    assert all(str(step).endswith(".") for step in verdict.next_steps)


def test_a_run_that_went_well(capfd: pytest.CaptureFixture[str]) -> None:
    run = greta.run(program(CALM), device="sim", out="run")
    assert capfd.readouterr() == ("", "")
    assert (run.exit_code, run.stdout, run.stderr) == (0, "done 0\n", "and said\n")
    assert run.facts.command == (sys.executable, "program.py")
    assert run.facts.processes[0].calls == run.summary.calls == 3
    verdict = run.verdict()
    assert (verdict.word, verdict.cause, verdict.blamed) == ("NOT_REPRODUCED", None, None)
    assert verdict.coverage.complete
    assert verdict.coverage.d2h_calls == 1


def test_a_run_that_failed_says_which_buffer() -> None:
    run = greta.run(program(FREED), device="sim", out="run")
    verdict = run.verdict()
    assert (run.exit_code, verdict.word) == (3, "REPRODUCED")
    assert verdict.confirmed == ("use_after_free",)
    assert verdict.cause
    assert verdict.cause.buffer
    assert (verdict.cause.call, verdict.cause.buffer.bytes) == ("hipMemcpy", 64)
    assert verdict.cause.buffer.freed_at


def test_what_was_run_is_opened_again_with_the_same_answers() -> None:
    ran = greta.run(program(FREED), device="sim", out="run")
    run = greta.open_run("run")
    assert (run.exit_code, run.facts) == (ran.exit_code, ran.facts)
    assert run.summary == ran.summary
    assert run.verdict() == ran.verdict() == greta.analyze("run")
    alone = greta.open_run("run/recording")
    assert alone.exit_code is None
    assert alone.verdict().confirmed == ("use_after_free",)


def test_a_recording_is_opened_once(monkeypatch: pytest.MonkeyPatch) -> None:
    opened = []
    before = process._open_process

    def counting(folder: Path) -> Any:
        opened.append(folder)
        return before(folder)

    monkeypatch.setattr(process, "_open_process", counting)
    run = greta.run(program(FREED), device="sim", out="run")
    assert run.verdict().word == "REPRODUCED"
    assert run.summary.calls
    run.report()
    assert len(opened) == 1


def test_reports_and_exports_are_those_of_the_command_line(
    capsys: pytest.CaptureFixture[str],
) -> None:
    greta.run(program(FREED), device="sim", out="run")
    run = greta.open_run("run")
    for lang in ("en", "es"):
        assert main(["report", "run", "--lang", lang]) == 0
        assert capsys.readouterr().out == run.report(lang=lang)
    assert main(["report", "run", "--format", "html", "-o", "a.html"]) == 0
    run.report(format="html", path="b.html")
    assert Path("a.html").read_text() == Path("b.html").read_text()
    shown = run._repr_html_()  # as a notebook calls it
    told = run.verdict()._repr_html_()
    assert told is not None
    assert told.startswith("<iframe srcdoc=")
    assert "REPRODUCED" in told
    assert html.unescape(shown.split('srcdoc="')[1].split('"')[0]) == Path("a.html").read_text()
    assert main(["export", "run", "--format", "jsonl"]) == 0
    run.export("jsonl", "calls.jsonl")
    assert capsys.readouterr().out == Path("calls.jsonl").read_text()


def test_a_run_from_a_process_with_threads_ends() -> None:
    """Another thread may take the signal by which the end of a child is told."""
    ended = threading.Event()
    others = [threading.Thread(target=ended.wait) for _ in range(4)]
    for one in others:
        one.start()
    try:
        for number in range(3):
            assert greta.run(["true"], device="sim", out=f"run{number}").exit_code == 0
    finally:
        ended.set()
        for one in others:
            one.join()


def test_echo_passes_on_what_is_written(capfd: pytest.CaptureFixture[str]) -> None:
    greta.run(["echo", "shown"], device="sim", out="run", echo=True)
    assert capfd.readouterr().out == "shown\n"


def test_an_audit_says_how_far_it_is_and_what_came_of_it(
    capfd: pytest.CaptureFixture[str],
) -> None:
    steps: list[greta.AuditStep] = []
    audit = greta.audit(
        program(FREED), device="sim", iters=2, stress_iters=1, case="freed", progress=steps.append
    )
    assert capfd.readouterr() == ("", "")
    assert [(one.done, one.total) for one in steps] == [(n + 1, 5) for n in range(5)]
    assert steps[-1].failures == 5
    assert steps[-1].kept
    assert audit.verdict.word == "REPRODUCED"
    assert audit.verdict.confirmed == ("use_after_free",)
    assert audit.summary.statistics.failures == 5
    assert [(one.id, one.errors) for one in audit.summary.tests] == [("A", 2), ("B", 2), ("C", 1)]
    assert audit.report("es") == (audit.path / "report.es.md").read_text()
    rerun = json.loads((audit.path / "rerun.json").read_text())
    flags = "--device sim --iters 2 --stress-iters 1 --case freed --seed 0"
    assert rerun["command"] == ["greta", "audit", *flags.split(), "--", *program(FREED)]


def test_a_request_and_its_words_are_the_same() -> None:
    request = AuditRequest(
        iters=3, prompts=("p0_short", "p1_mid"), fail_fast=True, expect_text=("a", "b"), timeout=7
    )
    words = " ".join(request.words)
    assert words == (
        "greta audit --iters 3 --prompts p0_short,p1_mid --fail-fast --timeout 7 "
        "--expect-text a --expect-text b"
    )


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (lambda: greta.run([]), "no program given"),
        (lambda: greta.run(["./gone"], device="sim"), "there is no such program"),
        (lambda: greta.run(["true"], device="hip", strict=True), "--device sim"),
        (lambda: greta.open_run("gone"), "does not exist"),
        (lambda: greta.open_run("."), "is no run folder"),
        (lambda: greta.analyze("gone"), "does not exist"),
        (lambda: greta.analyze(), "nothing was given"),
        (lambda: greta.audit(["./gone"], device="sim"), "there is no such program"),
        (lambda: greta.audit(["true"], iters=0, stress_iters=0), "nothing would run"),
        (lambda: greta.audit(["true"], iters=-1), "must be a whole number from 0"),
        (lambda: greta.audit(["true"], timeout=0), "must be a number of seconds"),
        (lambda: greta.audit(["true"], profiles=["other"]), "there is no 'other'"),
        (lambda: greta.audit(["true"], model="tiny"), "are for our own engine"),
    ],
)
def test_every_refusal_is_one_sentence(ask: Any, said: str) -> None:
    with pytest.raises(greta.GretaError, match=said) as refused:
        ask()
    assert "\n" not in str(refused.value)
    assert not Path("greta-runs").exists()
