"""How commands behave in terminals, pipes, shells and odd surroundings."""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from rich.console import Console

from greta.cli.common_options import options_of
from greta.cli.main import COMMANDS, load_command, main
from greta.cli.progress import audit_progress
from greta.forensics.verdict import Cause, NearbyCall, Surroundings, Verdict, VerdictWord
from greta.lab.session import AuditStep
from greta.reports.lang import Say
from greta.reports.reported import reported_verdict
from greta.reports.terminal import print_in_colour, verdict_lines
from tests import children
from tests.conftest import Run

LOG = "Memory access fault by GPU node-1 (Agent handle: 0x1) on address 0x7f0000001000. Reason: x\n"
WRITERS = (
    *("infer", "audit", "run", "analyze", "case", "verify", "diff", "runs", "pin", "drill"),
    *("check", "kernels", "doctor"),
)


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "dying.log"
    path.write_text(LOG)
    return path


def test_lines_in_a_pipe_are_whole(
    log: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    main(["analyze", str(log)])
    whole = capsys.readouterr().out
    monkeypatch.setenv("COLUMNS", "60")
    main(["analyze", str(log)])
    narrow = capsys.readouterr().out
    assert max(map(len, whole.splitlines())) > 100
    assert max(map(len, narrow.splitlines())) <= 60
    assert "".join(whole.split()) == "".join(narrow.split())


def raced() -> Verdict:
    stream = "0x5e1000000000"
    around = (
        NearbyCall(12, "hipLaunchKernel", kernel="embed", stream=stream, role="operation"),
        NearbyCall(13, "hipLaunchKernel", kernel="rope", stream=stream, role="cause"),
        NearbyCall(16, "hipMemcpyAsync", stream=stream, role="blamed", result="hipErrorUnknown"),
    )
    cause = Cause("upstream_kernel_fault", 13, "hipLaunchKernel", kernel="rope")
    return Verdict(VerdictWord.REPRODUCED, cause=cause, around=Surroundings(around))


def test_sixty_columns_break_no_word_and_the_cause_has_a_colour() -> None:
    screen = io.StringIO()
    console = Console(file=screen, width=60, force_terminal=True, color_system="standard")
    print_in_colour(verdict_lines(reported_verdict(raced()), Say("en")), console)
    rows = screen.getvalue().splitlines()
    plain = [re.sub(r"\x1b\[[0-9;]*m", "", row) for row in rows]
    assert max(map(len, plain)) <= 60
    (cause,) = [row for row, text in zip(rows, plain, strict=True) if text.endswith("  cause")]
    assert "\x1b[1;31m" in cause
    assert "rope" in cause
    assert any("hipErrorUnknown" in text for text in plain)
    (other,) = [row for row, text in zip(rows, plain, strict=True) if "embed" in text]
    assert "\x1b[1;31m" not in other


@pytest.mark.parametrize("variables", [{"PYTHONIOENCODING": "ascii"}, {"LC_ALL": "C"}])
def test_a_stdout_that_knows_few_letters_is_no_traceback(
    run_greta: Run, log: Path, variables: dict[str, str]
) -> None:
    done = run_greta("analyze", str(log), "--lang", "es", **variables)
    assert done.returncode in (1, 3)
    assert "Traceback" not in done.stderr
    if variables.get("PYTHONIOENCODING"):
        assert done.stdout.isascii()
        assert "proximos pasos" in done.stdout


def test_nor_has_a_stderr_that_knows_few_letters_escapes(run_greta: Run, tmp_path: Path) -> None:
    words = ("run", "--device", "sim", "--out", "r", "--lang", "es", "--", "true")
    done = run_greta(*words, cwd=tmp_path, PYTHONIOENCODING="ascii")
    assert "codigo de salida 0" in done.stderr
    assert "\\x" not in done.stderr


@pytest.mark.parametrize("name", WRITERS)
def test_json_is_written_to_a_file_or_to_stdout_by_all_alike(name: str) -> None:
    [option] = [one for one in options_of(name) if "--json" in one.names]
    assert option.value == "FILE"
    assert "stdout" in option.help


def test_after_the_last_iteration_it_is_judging(capsys: pytest.CaptureFixture[str]) -> None:
    with audit_progress(Say("en")) as progress:
        progress(AuditStep(1, 2, 0, "A", None, kept=True))
        progress(AuditStep(2, 2, 0, "B", None, kept=True))
    last = capsys.readouterr().err.splitlines()[-1]
    assert last == "greta: 2/2, test B, errors 0, judging"


# --- completion and the manual page ---------------------------------------------------------------


def printed(words: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    assert main(words) == 0
    return capsys.readouterr().out


def completed(script: str, *words: str) -> list[str]:
    """What bash offers for the last of these words."""
    ask = f'{script}\nCOMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _greta; echo "${{COMPREPLY[@]}}"'
    done = children.run(["bash", "-c", ask, "bash", "greta", *words], env=dict(os.environ))
    assert done.stderr == ""
    return done.stdout.split()


@pytest.mark.skipif(not shutil.which("bash"), reason="there is no bash")
def test_bash_completes_commands_options_and_choices(capsys: pytest.CaptureFixture[str]) -> None:
    script = printed(["completion", "bash"], capsys)
    assert completed(script, "an") == ["analyze"]
    assert completed(script, "run", "--watch") == ["--watch-host"]
    assert completed(script, "report", "x", "--format", "") == ["md", "html", "json"]
    assert completed(script, "run", "--", "--dev") == []


@pytest.mark.parametrize(
    ("shell", "form"), [("bash", "--{}"), ("zsh", "--{}["), ("fish", "-l {} ")]
)
def test_every_option_of_every_command_is_in_every_script(
    shell: str, form: str, capsys: pytest.CaptureFixture[str]
) -> None:
    script = printed(["completion", shell], capsys)
    for name in COMMANDS:
        assert re.search(rf"\b{name}\b", script)
        for option in options_of(name):
            for flag in option.names:
                assert not flag.startswith("--") or form.format(flag[2:]) in script, (name, flag)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_shells_take_their_script(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    if not shutil.which(shell):
        pytest.skip(f"there is no {shell}")
    script = printed(["completion", shell], capsys)
    done = subprocess.run([shell, "-n"], input=script, text=True, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_manual_page_has_every_command_and_option(capsys: pytest.CaptureFixture[str]) -> None:
    page = printed(["man"], capsys)
    assert page.startswith(".TH GRETA 1 ")
    for name in COMMANDS:
        assert f".SS greta {name}\n" in page
        for option in options_of(name):
            assert all(flag.replace("-", "\\-") in page for flag in option.names)
    requests = {line.split()[0] for line in page.splitlines() if line.startswith(".")}
    assert requests <= {".TH", ".SH", ".SS", ".B", ".PP", ".TP", ".nf", ".fi"}
    if groff := shutil.which("groff"):
        done = subprocess.run(
            [groff, "-man", "-Tascii", "-ww"],
            input=page,
            text=True,
            capture_output=True,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, "")
        assert "--error-exitcode" in done.stdout


def test_every_command_has_one_line_of_help() -> None:
    for name, summary in COMMANDS.items():
        assert (type(load_command(name)).__doc__ or "").startswith(summary.split(" ", 3)[0])


# --- cases ----------------------------------------------------------------------------------------


def test_a_foreign_folder_does_not_hide_the_other_cases(
    log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = tmp_path / "artifacts"
    assert main(["case", "add", "good", str(log), "--out", str(root)]) == 0
    foreign = root / "2026-02-06" / "foreign"
    foreign.mkdir(parents=True)
    (foreign / "summary.json").write_text('{"schema": 1, "verdict": "REPRODUCED", "tests": 7}')
    capsys.readouterr()
    assert main(["case", "list", "--out", str(root), "--json", "-"]) == 0
    out, err = capsys.readouterr()
    assert [one["case"] for one in json.loads(out)["cases"]] == ["good"]
    assert "foreign/summary.json" in err
    assert main(["case", "show", "foreign", "--out", str(root)]) == 2
    assert "foreign/summary.json" in capsys.readouterr().err
