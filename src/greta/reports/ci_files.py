"""Files that CI systems show: JUnit's XML and SARIF 2.1.0, of a run, a log or an audit."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET  # written, never read
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import Final
from urllib.parse import quote

import greta
from greta.forensics.verdict import HYPOTHESES, Outcome, Ruling, VerdictWord
from greta.reports.lang import Say
from greta.reports.reported import Reported, place_of_line
from greta.reports.sections.verdict import reason_of
from greta.reports.sentences import cause_sentence, verdict_sentence
from greta.runs.checking import CheckFinding, CheckOutcome
from greta.trace.trace import Where
from greta.typed_json import Json

_SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"
_DOCS: Final = "docs/verdicts.md"
_NOT_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit_xml(reported: Reported, name: str, say: Say) -> str:
    """A test suite: the run, and each hypothesis.

    A confirmed hypothesis is a failure, one that was not or not wholly looked at is skipped. The
    run itself fails with a fault, and has an error where the evidence does not allow a verdict.
    """
    cases = [_run_case(reported, name, say)]
    return _suite(
        name, [*cases, *(_ruling_case(one, name, say) for one in reported.verdict.rulings)]
    )


def check_junit(outcome: CheckOutcome, tools: Sequence[str], name: str, say: Say) -> str:
    """A test of each tool: failed by what it found, skipped where it could not look."""
    return _suite(name, [_tool_case(outcome, tool, name, say) for tool in tools])


def _tool_case(outcome: CheckOutcome, tool: str, name: str, say: Say) -> ET.Element:
    case = _case(f"greta.{tool}", name)
    found = [one for one in outcome.findings if one.tool == tool]
    limits = [say.saying(why) for one, why in outcome.limits if one == tool]
    if found:
        texts = [say.saying(told) for one in found for told in (one.told, *one.lines)]
        failed = ET.SubElement(case, "failure", message=_text(texts[0]), type=found[0].code)
        failed.text = _text("\n".join([*texts, *limits]))
    elif limits:
        ET.SubElement(case, "skipped").text = _text(" ".join(limits))
    return case


def _suite(name: str, cases: Sequence[ET.Element]) -> str:
    counts = {tag: str(sum(case.find(tag) is not None for case in cases)) for tag in _TAGS}
    totals = {
        "name": _text(name),
        "tests": str(len(cases)),
        "failures": counts["failure"],
        "errors": counts["error"],
        "skipped": counts["skipped"],
        "time": "0",
    }
    suite = ET.Element("testsuite", totals)
    suite.extend(cases)
    root = ET.Element("testsuites", {key: totals[key] for key in ("tests", "failures", "errors")})
    root.append(suite)
    ET.indent(root)
    return ET.tostring(root, "unicode", xml_declaration=True) + "\n"


_TAGS: Final = ("failure", "error", "skipped")


def _run_case(reported: Reported, name: str, say: Say) -> ET.Element:
    case = _case("greta", name)
    word, sentence = reported.verdict.word, verdict_sentence(reported, say)
    if word is VerdictWord.NOT_REPRODUCED:
        return case
    tag = "failure" if word is VerdictWord.REPRODUCED else "error"
    told = ET.SubElement(case, tag, message=_text(sentence), type=word.value)
    told.text = _text("\n".join((sentence, *_places(reported, say))))
    return case


def _places(reported: Reported, say: Say) -> Iterator[str]:
    cause, blamed = reported.verdict.cause, reported.verdict.blamed
    if cause and cause.where.text:
        yield f"{say('cause')}: {cause.where.text}"
    if blamed and blamed.where.text:
        yield f"{say(blamed.part)}: {blamed.where.text}"


def _ruling_case(one: Ruling, name: str, say: Say) -> ET.Element:
    case = _case(f"greta.{one.hypothesis}", name)
    tag = {Outcome.CONFIRMED: "failure", Outcome.REFUTED: ""}.get(one.outcome, "skipped")
    reason = _text(reason_of(one, say))
    if tag == "failure":
        ET.SubElement(case, tag, message=reason, type=one.outcome.value)
    elif tag:  # older schemas know no attribute of it
        ET.SubElement(case, tag).text = reason
    return case


def _case(group: str, name: str) -> ET.Element:
    return ET.Element("testcase", {"classname": group, "name": _text(name), "time": "0"})


def _text(text: str) -> str:
    """Without what XML cannot have, not even escaped."""
    return _NOT_XML.sub("\N{REPLACEMENT CHARACTER}", text)


def sarif(reported: Reported, say: Say, root: Path) -> Json:
    """A log with one run: its results are the cause, and what else is confirmed.

    A cause is at the line of its kernel where the device told it, else at that of its call.

    `root`: files below it are named from there on, as the pages of code hosts want it.
    """
    rules = [_rule(one, say) for one in _rules(reported)]
    results = list(_results(reported, say, root.resolve()))
    return _log(rules, results, root, {"verdict": reported.verdict.word.value})


def check_sarif(outcome: CheckOutcome, tools: Sequence[str], say: Say, root: Path) -> Json:
    """A result for each finding, at the kernel's line where it is known, else at that of the call.

    A note where a tool could not look.
    """
    rules = [_described(tool, say(f"check_tool_{tool}")) for tool in tools]
    results = [_check_result(one, say, root.resolve()) for one in outcome.findings]
    results += [
        _result(tool, "note", say.saying(why), None, root.resolve()) for tool, why in outcome.limits
    ]
    return _log(rules, results, root, {})


def _check_result(one: CheckFinding, say: Say, root: Path) -> Json:
    first, *others = (*one.places, one.where)
    found = _result(one.tool, "error", say.saying(one.told), first, root)
    if one.places:
        codes = [*("sarif_other_access" for _ in one.places[1:]), "sarif_launch"]
        found["relatedLocations"] = _related(zip(others, codes, strict=True), say, root)
    return found


def _related(places: Iterable[tuple[Where, str]], say: Say, root: Path) -> list[Json]:
    return [{**_location(where, root), "message": {"text": say(code)}} for where, code in places]


def _log(rules: list[Json], results: list[Json], root: Path, properties: Json) -> Json:
    run: Json = {
        "tool": {"driver": {"name": "greta", "version": greta.__version__, "rules": rules}},
        "originalUriBaseIds": {"ROOT": {"uri": f"{root.resolve().as_uri()}/"}},
        "columnKind": "unicodeCodePoints",
        "results": results,
        "properties": properties,
    }
    return {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}


def _rules(reported: Reported) -> list[str]:
    found = [one.hypothesis for one in reported.verdict.rulings]
    return [*HYPOTHESES, *(name for name in found if name not in HYPOTHESES), *_VERDICTS]


_OPEN: Final = "inconclusive"
_UNEXPLAINED: Final = "unexplained"
_VERDICTS: Final = {_OPEN: "verdict_INCONCLUSIVE", _UNEXPLAINED: "fault_unexplained"}
"""What is not a hypothesis: the evidence allows no verdict, or shows a fault and not its cause."""


def _rule(name: str, say: Say) -> Json:
    return _described(name, say(_VERDICTS.get(name, f"name_{name}")))


def _described(name: str, text: str) -> Json:
    return {"id": name, "shortDescription": {"text": text}, "help": {"text": _DOCS}}


def _results(reported: Reported, say: Say, root: Path) -> Iterator[Json]:
    verdict = reported.verdict
    where = verdict.blamed.where if verdict.blamed else None
    is_explained = verdict.cause or any(one.confirmed for one in verdict.rulings)
    if verdict.word is VerdictWord.INCONCLUSIVE:
        yield _result(_OPEN, "warning", verdict_sentence(reported, say), where, root)
    elif verdict.word is VerdictWord.REPRODUCED and not is_explained:
        yield _result(_UNEXPLAINED, "error", verdict_sentence(reported, say), where, root)
    if cause := verdict.cause:
        line = cause.access.line if cause.access else None
        at = Where(*place_of_line(line)) if line else cause.where
        found = _result(cause.hypothesis, "error", cause_sentence(cause, say), at, root)
        if cause.operation:
            kind = "function"
            found["locations"][0].setdefault("logicalLocations", []).append(
                {"name": cause.operation, "kind": kind}
            )
        if cause.confidence is not None:
            found["rank"] = round(100 * cause.confidence, 1)
        related = [(cause.where, "sarif_launch")] if line else []
        related += [(verdict.blamed.where, verdict.blamed.part)] if verdict.blamed else []
        if related:
            found["relatedLocations"] = _related(related, say, root)
        yield found
    for one in verdict.rulings:
        if one.confirmed and not (cause and one.hypothesis == cause.hypothesis):
            yield _result(one.hypothesis, "error", reason_of(one, say), None, root)


def _result(rule: str, level: str, text: str, where: Where | None, root: Path) -> Json:
    found: Json = {"ruleId": rule, "level": level, "message": {"text": text}}
    found["locations"] = [_location(where, root)]
    return found


def _location(where: Where | None, root: Path) -> Json:
    """A place in a file; an empty location where none is known, which the format allows."""
    if where is None or not where.file:
        return {}
    artifact = _artifact(where.file, root)
    physical: Json = {"artifactLocation": artifact}
    if where.line:
        physical["region"] = {"startLine": where.line}
    named = [{"name": where.function, "kind": "function"}] if where.function else []
    return {"physicalLocation": physical, **({"logicalLocations": named} if named else {})}


def _artifact(file: str, root: Path) -> Json:
    path = PurePosixPath(file)
    if path.is_relative_to(root):
        return {"uri": quote(str(path.relative_to(root))), "uriBaseId": "ROOT"}
    return {"uri": path.as_uri() if path.is_absolute() else quote(file)}
