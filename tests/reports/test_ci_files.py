"""JUnit's XML and SARIF: what CI systems read is what the verdict says."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from greta.cli.main import main
from greta.forensics.saying import Saying
from greta.forensics.verdict import (
    BlamedCall,
    Cause,
    FaultAccess,
    Outcome,
    Ruling,
    Verdict,
    VerdictWord,
)
from greta.reports.ci_files import check_junit, check_sarif, junit_xml, sarif
from greta.reports.lang import Say
from greta.reports.reported import reported_verdict
from greta.runs.checking import CheckFinding, CheckOutcome
from greta.trace.trace import Where
from tests.reports.ci_schemas import require_junit, require_sarif

SAY = Say("en")
RULINGS = (
    Ruling("use_after_free", Outcome.CONFIRMED, "", 3),
    Ruling("missing_sync", Outcome.REFUTED, "", 3),
    Ruling("bad_pointer", Outcome.INCONCLUSIVE, "", 0),
    Ruling("wrong_binary", Outcome.NOT_EXERCISED, "", 0),
)
CAUSE = Cause(
    "use_after_free", 5, "hipMemcpy", confidence=0.95, where=Where("/src/app.cpp", 21, "main")
)


def judged(word: VerdictWord, cause: Cause | None = None) -> Verdict:
    return Verdict(word, rulings=RULINGS if cause else RULINGS[1:], cause=cause)


def suite(verdict: Verdict, name: str = "app") -> ET.Element:
    text = junit_xml(reported_verdict(verdict), name, SAY)
    require_junit(text)
    found = ET.fromstring(text).find("testsuite")  # noqa: S314
    assert found is not None
    return found


def test_a_fault_fails_the_run_and_its_hypothesis() -> None:
    found = suite(judged(VerdictWord.REPRODUCED, CAUSE))
    assert {key: found.get(key) for key in ("tests", "failures", "errors", "skipped")} == {
        "tests": "5",
        "failures": "2",
        "errors": "0",
        "skipped": "2",
    }
    failed = [case.get("classname") for case in found if case.find("failure") is not None]
    assert failed == ["greta", "greta.use_after_free"]
    (told,) = found.findall("testcase[@classname='greta']/failure")
    assert "/src/app.cpp:21 (main)" in (told.text or "")


def test_a_clean_run_passes_and_an_open_one_is_an_error() -> None:
    clean = suite(judged(VerdictWord.NOT_REPRODUCED))
    assert (clean.get("failures"), clean.get("errors")) == ("0", "0")
    open_ = suite(judged(VerdictWord.INCONCLUSIVE))
    assert (open_.get("failures"), open_.get("errors")) == ("0", "1")


def test_names_that_xml_cannot_hold_are_written_all_the_same() -> None:
    found = suite(judged(VerdictWord.NOT_REPRODUCED), 'a\x00b\ud800<"&')
    assert found.get("name") == 'a\ufffdb\ufffd<"&'


def results(verdict: Verdict, root: Path) -> list[dict[str, Any]]:
    log = json.loads(json.dumps(sarif(reported_verdict(verdict), SAY, root)))
    require_sarif(log)
    (run,) = log["runs"]
    known = {rule["id"] for rule in run["tool"]["driver"]["rules"]}
    found: list[dict[str, Any]] = run["results"]
    assert {one["ruleId"] for one in found} <= known
    assert all(one["message"]["text"] for one in found)
    return found


def test_sarif_names_the_line_of_the_cause() -> None:
    (found,) = results(judged(VerdictWord.REPRODUCED, CAUSE), Path("/src"))
    assert (found["ruleId"], found["level"], found["rank"]) == ("use_after_free", "error", 95.0)
    (place,) = found["locations"]
    assert place["physicalLocation"] == {
        "artifactLocation": {"uri": "app.cpp", "uriBaseId": "ROOT"},
        "region": {"startLine": 21},
    }
    assert {one["name"] for one in place["logicalLocations"]} == {"main", "hipMemcpy"}


def test_sarif_names_the_line_of_the_kernel_where_it_is_known_and_the_launch_beside_it() -> None:
    access = FaultAccess("0x7000", line="/src/scale.hip:8")
    blamed = BlamedCall(7, "hipMemcpy", where=Where("/src/app.cpp", 30, "main"), by="call")
    cause = replace(CAUSE, hypothesis="upstream_kernel_fault", kernel="scale", access=access)
    (found,) = results(
        replace(judged(VerdictWord.REPRODUCED, cause), rulings=(), blamed=blamed), Path("/src")
    )
    (place,) = found["locations"]
    assert place["physicalLocation"] == {
        "artifactLocation": {"uri": "scale.hip", "uriBaseId": "ROOT"},
        "region": {"startLine": 8},
    }
    lines = {
        one["message"]["text"]: one["physicalLocation"]["region"]["startLine"]
        for one in found["relatedLocations"]
    }
    assert lines == {"launched here": 21, "reported by": 30}


def test_a_race_is_at_its_first_access_with_the_other_and_the_launch_beside_it() -> None:
    first, second = Where("/src/k.hip", 14), Where("/src/k.hip", 13)
    told = Saying("check_race", {"kernel": "scale", "seq": 6, "place": "0x10"})
    where = Where("/src/app.cpp", 21, "main")
    one = CheckFinding("racecheck", "race", told, where=where, places=(first, second))
    outcome = CheckOutcome([one, replace(one, places=())])
    log = json.loads(json.dumps(check_sarif(outcome, ("racecheck",), SAY, Path("/src"))))
    require_sarif(log)
    known, unknown = log["runs"][0]["results"]

    def line(place: dict[str, Any]) -> int:
        number: int = place["physicalLocation"]["region"]["startLine"]
        return number

    assert line(known["locations"][0]) == 14
    related = [(line(one), one["message"]["text"]) for one in known["relatedLocations"]]
    assert related == [(13, "the other access"), (21, "launched here")]
    assert line(unknown["locations"][0]) == 21
    assert "relatedLocations" not in unknown


def test_a_run_has_its_program_s_name_in_junit(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = []
    for folder in ("20261119-044819-true", "20261119-044820-true"):
        main(["run", "--quiet", "--out", str(tmp_path / folder), "--junit", "-", "--", "true"])
        text = capsys.readouterr().out
        require_junit(text)
        names.append(ET.fromstring(text)[0].get("name"))  # noqa: S314
    assert names == ["true", "true"]


def test_files_elsewhere_have_their_whole_address() -> None:
    (found,) = results(judged(VerdictWord.REPRODUCED, CAUSE), Path("/other"))
    artifact = found["locations"][0]["physicalLocation"]["artifactLocation"]
    assert artifact == {"uri": "file:///src/app.cpp"}


def test_a_clean_run_has_no_result_and_an_open_one_a_warning() -> None:
    assert results(judged(VerdictWord.NOT_REPRODUCED), Path("/")) == []
    (found,) = results(judged(VerdictWord.INCONCLUSIVE), Path("/"))
    assert (found["ruleId"], found["level"]) == ("inconclusive", "warning")


LEAK = CheckFinding(
    "leakcheck",
    "leak",
    Saying("doubt_leak", {"bytes": 4096, "address": "0x7000", "call": "hipMalloc", "seq": 3}),
    (Saying("check_called", {"place": "/src/a b.py:7 (main)"}),),
    3,
    where=Where("/src/a b.py", 7, "main"),
)
CHECKED = CheckOutcome([LEAK], [("racecheck", Saying("check_limit_no_kernels"))])
CHECK_TOOLS = ("memcheck", "racecheck", "leakcheck")


def test_a_fault_that_nothing_explains_is_a_result_too() -> None:
    (found,) = results(judged(VerdictWord.REPRODUCED), Path("/src"))
    assert (found["ruleId"], found["level"]) == ("unexplained", "error")


def test_a_check_has_a_test_for_each_tool() -> None:
    text = check_junit(CHECKED, CHECK_TOOLS, "a.out", SAY)
    require_junit(text)
    cases = {case.get("classname"): case for case in ET.fromstring(text).iter("testcase")}  # noqa: S314
    assert list(cases) == [f"greta.{tool}" for tool in CHECK_TOOLS]
    assert len(cases["greta.memcheck"]) == 0
    assert cases["greta.racecheck"][0].tag == "skipped"
    failed = cases["greta.leakcheck"].find("failure")
    assert failed is not None
    assert "4096 bytes at 0x7000" in failed.get("message", "")
    assert "called at /src/a b.py:7" in (failed.text or "")


def test_the_findings_of_a_check_are_results_at_their_lines() -> None:
    log = json.loads(json.dumps(check_sarif(CHECKED, CHECK_TOOLS, SAY, Path("/src"))))
    require_sarif(log)
    leak, limit = log["runs"][0]["results"]
    assert (leak["ruleId"], leak["level"]) == ("leakcheck", "error")
    physical = leak["locations"][0]["physicalLocation"]
    assert physical["artifactLocation"] == {"uri": "a%20b.py", "uriBaseId": "ROOT"}
    assert physical["region"] == {"startLine": 7}
    assert (limit["ruleId"], limit["level"]) == ("racecheck", "note")


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"results": [{"ruleId": "x", "message": {"text": "y"}}]}, "a rule that nobody declared"),
        ({"columnKind": "bytes"}, "a word that is none"),
        ({"more": 1}, "a property that is none"),
    ],
)
def test_the_check_of_the_form_can_fail(wrong: dict[str, Any], why: str) -> None:
    log = json.loads(json.dumps(check_sarif(CHECKED, CHECK_TOOLS, SAY, Path("/src"))))
    log["runs"][0] |= wrong
    with pytest.raises(AssertionError):
        require_sarif(log)
    assert why


FAULTY = """
import ctypes
hip = ctypes.CDLL("libamdhip64.so")
buffer, host = ctypes.c_void_p(), ctypes.create_string_buffer(64)
hip.hipMalloc(ctypes.byref(buffer), ctypes.c_size_t(64))
hip.hipMemset(buffer, 0, ctypes.c_size_t(64))
hip.hipFree(buffer)
hip.hipMemcpy(host, buffer, ctypes.c_size_t(64), ctypes.c_int(2))
"""


@pytest.mark.parametrize(("cut", "code"), [("", 70), ("hip.hipFree(buffer)\n", 0)])
def test_a_run_that_ignores_its_error_ends_with_the_code_that_was_asked_for(
    run_greta: Any, tmp_path: Path, cut: str, code: int
) -> None:
    script = tmp_path / "app.py"
    script.write_text(FAULTY.replace(cut, "") if cut else FAULTY)
    files = {name: tmp_path / f"greta.{name}" for name in ("json", "junit", "sarif")}
    options = [word for name, path in files.items() for word in (f"--{name}", str(path))]
    run = ["run", "--device", "sim", "--out", str(tmp_path / "run"), "--error-exitcode", "70"]
    done = run_greta(*run, *options, "--", "python", str(script))
    assert done.returncode == code, done.stderr
    verdict = json.loads(files["json"].read_text())
    failures = ET.parse(files["junit"]).getroot().get("failures")  # noqa: S314
    log = json.loads(files["sarif"].read_text())
    assert (
        (verdict["verdict"] == "REPRODUCED") == (failures != "0") == bool(log["runs"][0]["results"])
    )
    again = tmp_path / "again.sarif"
    assert main(["analyze", str(tmp_path / "run"), "--sarif", str(again)]) == (1 if code else 0)
    assert json.loads(again.read_text())["runs"][0]["results"] == log["runs"][0]["results"]


def test_without_a_path_the_last_run_is_meant(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["analyze"]) == 2
    assert "greta run -- COMMAND" in capsys.readouterr().err
