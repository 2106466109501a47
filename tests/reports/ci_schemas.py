"""What JUnit's XML and SARIF 2.1.0 allow, written from their specifications.

JUnit: the schema of Jenkins' xunit plugin (junit-10.xsd). SARIF: OASIS, Static Analysis Results
Interchange Format 2.1.0; objects have no other properties than it names, of which these are ours.
The published schemas themselves are asked, too, where GRETA_TEST_SCHEMAS names a folder with them
(`make ci-schemas`).
"""

from __future__ import annotations

import json
import os
import re
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

_PUBLISHED = os.environ.get("GRETA_TEST_SCHEMAS")
_NUMBER = re.compile(r"\d+(\.\d{1,3})?")
_ATTRIBUTES: dict[str, tuple[set[str], set[str]]] = {  # required, allowed
    "testsuites": (set(), {"name", "time", "tests", "failures", "errors", "disabled"}),
    "testsuite": (
        {"name", "tests", "failures", "errors"},
        {"skipped", "time", "timestamp", "hostname", "id", "package"},
    ),
    "testcase": ({"name", "classname"}, {"time", "status", "assertions"}),
    "failure": (set(), {"message", "type"}),
    "error": (set(), {"message", "type"}),
    "skipped": (set(), set()),
}
_CHILDREN = {
    "testsuites": {"testsuite"},
    "testsuite": {"testcase", "properties", "system-out", "system-err"},
    "testcase": {"failure", "error", "skipped", "system-out", "system-err"},
}


def require_junit(text: str) -> None:
    _require_published_junit(text)
    root = ET.fromstring(text)  # noqa: S314 - ours
    assert root.tag == "testsuites"
    for element in root.iter():
        required, allowed = _ATTRIBUTES[element.tag]
        assert required <= element.attrib.keys() <= required | allowed, element.tag
        assert {child.tag for child in element} <= _CHILDREN.get(element.tag, set())
        for name in {"tests", "failures", "errors", "skipped", "time"} & element.attrib.keys():
            assert _NUMBER.fullmatch(element.attrib[name]), (element.tag, name)
    for suite in root:
        cases = suite.findall("testcase")
        assert len(cases) == int(suite.attrib["tests"])
        for tag, name in (("failure", "failures"), ("error", "errors"), ("skipped", "skipped")):
            assert sum(case.find(tag) is not None for case in cases) == int(suite.attrib[name])
        assert all(len(case) <= 1 for case in cases)


_URI = re.compile(r"(?:[a-z][a-z0-9+.-]*:)?[A-Za-z0-9%/._~!$&'()*+,;=:@-]*")
_MESSAGE = {"text": str}
_ARTIFACT = {"uri": _URI, "uriBaseId": str}
_LOGICAL = {"name": str, "kind": ("function", "member", "module", "namespace", "type")}
_LOCATION = {
    "physicalLocation": {
        "!artifactLocation": _ARTIFACT,
        "region": {"startLine": range(1, 1 << 31)},
    },
    "logicalLocations": [_LOGICAL],
    "message": _MESSAGE,
}
_RULE = {"!id": str, "shortDescription": {"!text": str}, "help": {"!text": str}}
_RESULT = {
    "ruleId": str,
    "level": ("none", "note", "warning", "error"),
    "!message": {"!text": str},
    "locations": [_LOCATION],
    "relatedLocations": [_LOCATION],
    "rank": float,
}
_LOG = {
    "$schema": str,
    "!version": ("2.1.0",),
    "!runs": [
        {
            "!tool": {"!driver": {"!name": str, "version": str, "rules": [_RULE]}},
            "originalUriBaseIds": dict,
            "columnKind": ("utf16CodeUnits", "unicodeCodePoints"),
            "results": [_RESULT],
            "properties": dict,
        }
    ],
}


def _require_published_junit(text: str) -> None:
    if _PUBLISHED:
        import xmlschema  # what most who test do not need

        for path in Path(_PUBLISHED).glob("*.xsd"):
            assert not list(xmlschema.XMLSchema(path).iter_errors(text))


def _require_published_sarif(log: Any) -> None:
    if _PUBLISHED:
        import jsonschema

        schema = json.loads((Path(_PUBLISHED) / "sarif.json").read_text(encoding="utf-8"))
        validator = jsonschema.Draft4Validator(schema, format_checker=jsonschema.FormatChecker())
        assert not list(validator.iter_errors(log))


def require_sarif(log: Any) -> None:
    _require_published_sarif(log)
    _require(log, _LOG, "log")
    for run in log["runs"]:
        rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
        assert len(set(rules)) == len(rules)
        assert {result["ruleId"] for result in run["results"]} <= set(rules)
        assert all(0 <= result.get("rank", 0.0) <= 100 for result in run["results"])
        for base in run["originalUriBaseIds"].values():
            assert base["uri"].endswith("/")


def _require(value: Any, shape: Any, place: str) -> None:
    if isinstance(shape, dict):
        known = {name.removeprefix("!"): one for name, one in shape.items()}
        assert isinstance(value, dict), place
        assert value.keys() <= known.keys(), (place, value.keys() - known.keys())
        assert {name[1:] for name in shape if name[0] == "!"} <= value.keys(), place
        for name, one in value.items():
            _require(one, known[name], f"{place}.{name}")
    elif isinstance(shape, list):
        assert isinstance(value, list), place
        for at, one in enumerate(value):
            _require(one, shape[0], f"{place}[{at}]")
    elif isinstance(shape, re.Pattern):
        assert shape.fullmatch(value), (place, value)
    elif isinstance(shape, type):
        assert isinstance(value, shape), (place, value)
    else:
        assert value in shape, (place, value)
