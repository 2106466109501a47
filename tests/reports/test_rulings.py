"""How a ruling is told: a wrong program by its name, what is left open even where all is well."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from greta.forensics.verdict import Saying
from greta.reports import compose, html, markdown
from greta.reports.lang import Say
from greta.reports.terminal import audit_lines
from tests.reports.documents import reported, summary

OTHER = {
    "path": "/old/eng",
    "sha256": "0330a6dd5dabc34a291150a42c3f21d0",
    "build_id": "7998628fabee2a3c4f5ded63",
    "expected": "/build/eng fc69506c73fc215c",
}


def wrong_binary(code: str = "other_build", **data: Any) -> dict[str, Any]:
    return {
        "id": "wrong_binary",
        "verdict": "CONFIRMED",
        "code": "wrong_binary_confirmed",
        "data": {"found": 10, "examined": 90, "missing": []},
        "evidence": [0],
        "examined": 90,
        "findings": [{"code": code, "seq": 0, "data": data}] * 2,
    }


def told(*hypotheses: dict[str, Any], **more: Any) -> list[str]:
    document = reported(summary(hypotheses=list(hypotheses), **more))
    return [
        f"{line.title} {line.text}" for line in audit_lines(document.summary, Say("en"), Path("c"))
    ]


@pytest.mark.parametrize("lang", ["en", "es"])
@pytest.mark.parametrize("render", [markdown.render, html.render])
def test_a_wrong_program_is_named_with_what_was_meant(lang: Any, render: Any) -> None:
    page = render(compose(reported(summary(hypotheses=[wrong_binary(**OTHER)])), lang))
    for name in ("/old/eng", "0330a6dd5dabc34a", "7998628fabee2a3c", OTHER["expected"]):
        assert page.count(name) == 1, name  # two runs that say the same say it once
    assert "#0" not in page  # a program is no call


def test_the_terminal_names_it_too() -> None:
    [line] = [one for one in told(wrong_binary(**OTHER)) if "Wrong binary" in one]
    assert line.startswith("CONFIRMED Wrong binary: 10 of 90 facts")
    assert "/old/eng ran (SHA-256 0330a6dd5dabc34a," in line


def test_a_text_that_is_not_in_the_file_is_named() -> None:
    missing = wrong_binary("text_not_in_file", path="./a.out", text="[D2H_CHECK]")
    assert any("./a.out does not contain [D2H_CHECK]." in line for line in told(missing))


def test_a_good_verdict_does_not_hide_what_was_left_open() -> None:
    data = {"examined": 18, "found": 0, "missing": ["estimated_overlap"]}
    common = {"id": "missing_sync", "examined": 18, "data": data}
    ruling = {**common, "verdict": "INCONCLUSIVE", "code": "missing_sync_inconclusive"}
    clean = {"verdict": "NOT_REPRODUCED", "cause": None, "blamed": None}
    open_ = [one for one in told(ruling, **clean) if one.startswith("INCONCLUSIVE")]
    assert len(open_) == 1
    assert "Missing synchronization: Nothing was found (18 examined)" in open_[0]
    assert not any("Missing sync" in one for one in told({**ruling, "examined": 0}, **clean))
    refuted = {**common, "verdict": "REFUTED", "code": "missing_sync_refuted"}
    assert not any("Missing synchronization" in one for one in told(refuted, **clean))


def test_a_sentence_within_a_sentence_has_the_same_language() -> None:
    one = Saying("binary_in_runs", {"path": "/a", "hash": "12", "runs": 3, "failures": 1})
    english, spanish = (Say(lang)("binaries_differ", binaries=[one, one]) for lang in ("en", "es"))
    assert "/a 12 (runs: 3, failed: 1), /a 12 (runs: 3, failed: 1)." in english
    assert "/a 12 (ejecuciones: 3, fallos: 1), /a 12" in spanish


def test_a_code_without_a_sentence_is_shown_as_it_is() -> None:
    said = Say("en")("binaries_differ", binaries=[Saying("nothing", {"a": 7})])
    assert "nothing (a=7)" in said
