"""Failures that no HIP call explains: what was seen is told, in every format and language."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from greta.forensics.analysis import analyze
from greta.forensics.verdict_json import dump_verdict
from greta.reports import LANGUAGES, Reported, compose, html, markdown
from greta.reports.lang import Language, Say
from greta.reports.layout import rows_of
from greta.reports.terminal import audit_lines, verdict_lines
from greta.trace.evidence import Evidence
from tests.forensics.programs import Program
from tests.reports.documents import reported, summary

SIGSEGV = 11


def crashed(lang: Language) -> dict[str, Any]:
    """A process that a signal ended after its last call had returned."""
    program = Program()
    program.allocate(64)
    died = Evidence(replace(program.evidence().trace, signal=SIGSEGV))
    return dump_verdict(analyze([died]), Say(lang).of)


def pages(document: Reported, lang: Language) -> list[str]:
    page = compose(document, lang)
    return [markdown.render(page), html.render(page)]


def on_screen(lines: Any) -> str:
    return "\n".join(f"{row.left}{row.right}" for row in rows_of(lines, 200))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_last_call_before_a_crash_reported_nothing(lang: Language) -> None:
    say, document = Say(lang), reported(crashed(lang))
    read, page = pages(document, lang)
    screen = on_screen(verdict_lines(document, say))
    assert say("role_blamed_last") in read
    assert say("role_blamed_last") in screen
    for text in (read, page, screen):
        assert say("blamed_last") in text
        for untrue in (say("blamed"), say("role_blamed"), say("caption_streams")):
            assert untrue not in text


def ended(**seen: Any) -> Reported:
    code = seen.pop("code")
    return reported(
        summary(
            cause=None,
            blamed=None,
            around=None,
            reason_code=code,
            reason_data=seen,
            seen={"run": "run/A.3", "code": code, **seen},
        )
    )


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(
    ("seen", "told"),
    [
        ({"code": "seen_exit_code", "exit_code": 3}, ["3", "run/A.3"]),
        ({"code": "seen_signal", "signal": "SIGKILL"}, ["SIGKILL", "run/A.3"]),
        (
            {
                "code": "seen_hang_in_call",
                "seconds": 4.0,
                "call": "hipMemcpy",
                "seq": 7,
                "returned": False,
                "stacks": "stacks.txt",
            },
            ["hipMemcpy (#7)", "run/A.3/stacks.txt", "4 s"],
        ),
    ],
)
def test_how_it_ended_is_told(lang: Language, seen: dict[str, Any], told: list[str]) -> None:
    document, say = ended(**seen, stderr=["<b>bad</b>", "the end"]), Say(lang)
    texts = [*pages(document, lang), on_screen(audit_lines(document.summary, say, Path()))]
    for text in texts:
        assert all(one in text for one in told)
        assert "the end" in text
        assert say("verdict_REPRODUCED") not in text
    assert "<b>" not in texts[1]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_cause_has_its_rate(lang: Language) -> None:
    causes = [
        {"code": "freed_twice", "data": {"call": "hipFree", "seq": 6, "freed_by": 5}, "runs": 6},
        {"code": "seen_exit_code", "data": {"exit_code": 3}, "runs": 2},
    ]
    for one in causes:
        one |= {"rate": int(str(one["runs"])) / 8, "rate_interval_95": [0.01, 0.99]}
    document = reported(summary(causes=causes))
    texts = [*pages(document, lang), on_screen(audit_lines(document.summary, Say(lang), Path()))]
    for text in texts:
        told = text.replace("\u202f", " ").replace("\\", "")
        assert all(one in told for one in ("hipFree (#6)", "75 %", "25 %", "1 %", "99 %"))
    alone = reported(summary(causes=causes[:1]))
    assert Say(lang)("section_causes") not in markdown.render(compose(alone, lang))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_profile_has_its_rate(lang: Language) -> None:
    profiles = [
        {"name": "none", "runs": 8, "failures": 0, "failure_rate_interval_95": [0.0, 0.369]},
        {"name": "serialize", "runs": 8, "failures": 8, "failure_rate_interval_95": [0.631, 1.0]},
    ]
    text = markdown.render(compose(reported(summary(profiles=profiles)), lang))
    assert all(one in text for one in ("36.9", "63.1", "serialize"))
    one = markdown.render(compose(reported(summary(profiles=profiles[:1])), lang))
    assert "36.9" not in one


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("verdict", ["INCONCLUSIVE", "REPRODUCED"])
def test_why_an_audit_could_not_go_on_is_told_once(lang: Language, verdict: str) -> None:
    stopped = {
        "verdict": verdict,
        "partial": "failed",
        "problem_code": "trouble_no_space",
        "problem_data": {"folder": "artifacts/x"},
    }
    changes = stopped if verdict == "REPRODUCED" else {**stopped, "cause": None, "blamed": None}
    say, document = Say(lang), reported(summary(**changes))
    why = say("trouble_no_space", folder="artifacts/x")
    texts = [
        markdown.render(compose(document, lang)),
        on_screen(audit_lines(document.summary, say, Path())),
    ]
    for text in texts:
        assert text.count(why) == 1
        assert say("seen_until_then") in text


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_gpu_that_is_not_there_was_not_used(lang: Language) -> None:
    device = {"kind": "hip", "asked": "hip", "obstacle": "there is no GPU driver"}
    text = markdown.render(compose(reported(summary(device=device)), lang))
    assert Say(lang)("device_was_hip") not in text
    assert Say(lang)("device_was_not_there", why="there is no GPU driver") in text


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_summary_of_an_audit_under_way_says_of_when_it_is(lang: Language) -> None:
    changes = {"partial": "running", "ended": "2026-11-16T10:20:30+00:00"}
    assert "10:20:30" in markdown.render(compose(reported(summary(**changes)), lang))
