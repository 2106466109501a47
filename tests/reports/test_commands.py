"""Next steps come with commands that can be pasted: this program, these paths, quoted."""

from __future__ import annotations

import re
import shlex
import subprocess
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from greta.reports import Reported, compose, html, markdown
from greta.reports.lang import Say
from greta.reports.sections.follow_up import again, as_case, command_of, next_steps, quoted
from tests.reports.documents import reported, summary

HERE = Path("/home/me/my project")
PROGRAM = ["python", "my script.py", "--text", "it's"]


def run_document(**more: Any) -> Reported:
    rerun = {"command": PROGRAM, "folder": str(HERE)}
    return reported({"rerun": rerun, "kept": f"{HERE}/runs/one run", **more})


def audit_document(program: list[str], **more: Any) -> Reported:
    options = {"program": program, "model": None if program else "tiny", "max_tokens": 7}
    command = ["greta", "audit", *(["--", *program] if program else ["--model", "tiny"])]
    rerun = {"command": command, "folder": str(HERE), "options": options}
    rerun |= {"environment": {"HIP_VISIBLE_DEVICES": "0 1", "not a name;": "x"}}
    return reported({"rerun": rerun, "kept": f"{HERE}/artifacts/2026-01-01/c", **more})


def words(code: str, document: Reported, reader: Path | None = HERE) -> list[str]:
    return shlex.split(" ".join(command_of(code, document, reader)))


def test_a_run_is_run_again_with_its_own_command() -> None:
    strict = ["greta", "run", "--device", "sim", "--strict", "--", *PROGRAM]
    assert words("step_strict_placement", run_document()) == strict
    assert words("step_repeat", run_document()) == ["greta", "audit", "--", *PROGRAM]


def test_paths_are_those_of_the_run() -> None:
    assert words("step_pin", run_document()) == ["greta", "pin", "runs/one run"]
    assert words("step_see_output", run_document()) == ["cat", "runs/one run/stderr.log"]


def test_an_audit_names_the_run_that_showed_the_fault() -> None:
    document = audit_document(PROGRAM, blamed={"run": "run/B.3"})
    assert words("step_pin", document) == ["greta", "pin", "artifacts/2026-01-01/c/run/B.3"]


def test_of_our_engine_one_run_is_suggested() -> None:
    engine = ["greta", "infer", "--model", "tiny", "--prompt", "Hello", "--greedy"]
    expected = ["greta", "run", "--device", "sim", "--strict", "--", *engine, "--max-tokens", "7"]
    assert words("step_strict_placement", audit_document([])) == expected


def test_the_host_is_watched_in_the_run_or_the_audit_that_did_not() -> None:
    run = ["greta", "run", "--watch-host", "--", *PROGRAM]
    assert words("step_watch_host", run_document()) == run
    audit = ["greta", "audit", "--watch-host"]
    assert words("step_watch_host", audit_document(PROGRAM)) == [*audit, "--", *PROGRAM]
    assert words("step_watch_host", audit_document([])) == [*audit, "--model", "tiny"]


@pytest.mark.parametrize("given", [[], ["--case", "c"], ["--case=c"]])
def test_another_case_is_the_same_audit_under_another_name(given: list[str]) -> None:
    audit = ["greta", "audit", *given, "--iters", "3", "--", "./a.out", "--case", "x"]
    document = reported({"rerun": {"command": audit, "folder": str(HERE)}})
    assert as_case("c-rope", document, HERE) == (
        *("greta", "audit", "--case", "c-rope"),
        *("--iters", "3", "--", "./a.out", "--case", "x"),
    )


def test_another_case_of_an_unknown_audit_has_no_command() -> None:
    # `greta audit` alone would audit our own engine.
    assert as_case("c-rope", reported({}), HERE) == ()
    assert as_case("c-rope", reported({"rerun": {"folder": str(HERE)}}), Path("/")) == ()


def test_who_is_elsewhere_is_taken_there() -> None:
    there = ["cd", str(HERE), "&&"]
    assert words("step_repeat", run_document(), Path("/")) == [
        *there,
        "greta",
        "audit",
        "--",
        *PROGRAM,
    ]


def test_a_report_brings_the_environment_along_but_no_name_that_is_none() -> None:
    command = words("step_watch_host", audit_document(PROGRAM), None)
    assert command[:4] == ["cd", str(HERE), "&&", "HIP_VISIBLE_DEVICES=0 1"]
    assert "not a name" not in " ".join(command)


@pytest.mark.parametrize(
    "code", ["step_pin", "step_strict_placement", "step_repeat", "fix_bad_pointer"]
)
def test_what_is_not_known_has_no_command(code: str) -> None:
    assert command_of(code, reported({}), HERE) == ()


@pytest.mark.parametrize("lang", ["en", "es"])
def test_reports_show_the_commands(lang: Any) -> None:
    steps = [{"code": "step_watch_host", "data": {}}]
    options = {"program": PROGRAM}
    rerun = {"command": ["greta", "audit", "--", *PROGRAM], "folder": str(HERE), "options": options}
    page = compose(reported(summary(next_step_codes=steps, rerun=rerun)), lang)
    command = f"greta audit --watch-host -- {shlex.join(PROGRAM)}"
    assert command in markdown.render(page)
    shown = re.sub("</?span>", "", html.render(page))  # words that are not to be broken
    assert command.replace("'", "&#39;").replace('"', "&#34;") in shown
    [step] = next_steps(reported(summary(next_step_codes=steps, rerun=rerun)), Say(lang), HERE)
    assert " ".join(step.command) == command


@given(st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=20))
def test_quoting_is_on_one_line_and_means_the_same(word: str) -> None:
    [text] = quoted([word])
    assert text.isprintable()
    if not text.startswith("$"):
        assert shlex.split(text) == [word]


@pytest.mark.parametrize(
    "word", ["two\nlines", "it's\ta tab", "\x1b[31m", "back\\slash\n", "\udcff"]
)
def test_bash_reads_what_was_meant(word: str) -> None:
    [text] = quoted([word])
    done = subprocess.run(["bash", "-c", f"printf %s {text}"], capture_output=True, check=True)
    assert done.stdout == word.encode("utf-8", "surrogateescape")


def test_a_run_is_run_again_under_the_recorder() -> None:
    recorder = ["greta", "run", "--device", "sim", "--strict"]
    rerun = {"command": PROGRAM, "folder": str(HERE), "recorder": recorder}
    typed = shlex.split(" ".join(again(reported({"rerun": rerun}))))
    assert typed == [*recorder, "--", *PROGRAM]
