"""What ran is not what was meant.

What it does:
    Compares the file that ran with the build that is expected (--expect-build) and looks in it for
    texts that it must have (--expect-text). Without being told, it looks for sources that are newer
    than the program, for a tracked file that ran although a newer build of that name is there, and
    for instrumentation that the environment asks for and that is in neither the program nor its
    output. Of a script, the script counts and not its interpreter. Whether it is another than in
    the other runs of an audit is asked where these are side by side, in greta.lab.programs.

Evidence:
    run.json (hash, build id, time, git, sources named in debug information or symbols), and the
    file itself as long as it is still the one that ran.

Known problems:
    Times lie: a checkout, a copy or an editor that saves the same text makes files look new. A
    newer source counts if its content is not what was compiled (where the compiler noted the hash),
    if git says that it is changed, or if it was also committed later than the program was built;
    any other newer file is left open. A program that was copied looks newer than it is. Sources
    outside the program's debug information, symbols and name are not known to belong to it.

Example:
    ./greta_infer is the file that somebody committed months ago; build/greta_infer is yesterday's.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from typing import Any, Final

from greta.forensics.verdict import Finding, Outcome, Ruling, Value
from greta.forensics.wording import KEPT, RULING_FIELDS, ruling_codes, settled
from greta.trace.evidence import Evidence

HYPOTHESIS: Final = "wrong_binary"
CODES: Final[dict[str, tuple[str, ...]]] = {
    "other_build": ("path", "sha256", "build_id", "expected"),
    "text_not_in_file": ("path", "text"),
    "source_newer": ("path", "source", "source_time", "built", "why"),
    "tracked_file": ("path", "built", "newer", "newer_time"),
    "instrumentation_absent": ("path", "variable"),
    **ruling_codes(HYPOTHESIS),
    "wrong_binary_refuted_unnamed": (*RULING_FIELDS, "checked"),
}
CHECKED: Final = ("texts", "instrumentation", "newer_builds", "sources")
"""What `checked` may name."""
_DECISIVE: Final = ("texts", "instrumentation", "sources")
"""Of these, those that would show another program: a newer build beside it need not be there."""
DOUBTS: Final = (
    "run_facts",
    "program_as_it_ran",
    "all_files",
    "hash",
    "sources_as_compiled",
    "all_sources",
    "program_start",
    "decisive_comparison",
)
"""What `missing` may name."""

Facts = dict[str, Any]

_SHORT_DIGEST: Final = 16
_NO_SEQ: Final = 0
"""The fault is the program's, not an operation's."""


def examine(evidence: Evidence) -> Ruling:
    """Rule on this hypothesis."""
    binary, expectations = evidence.binary, evidence.expectations
    if not binary.get("subject"):
        wanted = expectations.build is not None or bool(expectations.texts)
        return settled(HYPOTHESIS, 0, missing=("run_facts",) if wanted else ())
    findings = (
        *_other_build(binary),
        *_texts(binary),
        *_instrumentation(binary),
        *_tracked(binary),
        *_sources(binary),
    )
    checked = _checked(binary)
    examined = sum(checked.values()) + (1 if binary.get("expected") else 0)
    missing = (*_missing(binary), *_undecided(evidence, checked))
    ruling = settled(HYPOTHESIS, examined, findings[:KEPT], missing, len(findings))
    return ruling if binary.get("expected") else _as_unnamed(ruling, checked)


def _undecided(evidence: Evidence, checked: dict[str, int]) -> Iterator[str]:
    """Why "nothing speaks against it" would say more than was looked at."""
    if not len(evidence.trace.operations) and _did_not_start(evidence.run.get("exit")):
        yield "program_start"
    if evidence.binary.get("expected"):
        return
    if any(checked.values()) and not any(checked[kind] for kind in _DECISIVE):
        yield "decisive_comparison"


def _did_not_start(ending: object) -> bool:
    """By the exit codes of shells and loaders for what cannot be executed or lacks a library."""
    return isinstance(ending, dict) and ending.get("code") in (126, 127)


def _as_unnamed(ruling: Ruling, checked: dict[str, int]) -> Ruling:
    """Nobody named a build: then nothing shows that it was the one that was meant."""
    if ruling.outcome is not Outcome.REFUTED:
        return ruling
    kinds = tuple(kind for kind, count in checked.items() if count)
    data = {**ruling.data, "checked": kinds}
    return replace(ruling, code=f"{HYPOTHESIS}_refuted_unnamed", data=data)


def _checked(binary: Facts) -> dict[str, int]:
    """How many things of each kind were looked at."""
    tracked = _git(binary).get("tracked") and binary.get("provenance")
    sources = int(_source_facts(binary).get("examined") or 0)
    counts = (
        len(_table(binary, "texts")),
        len(_table(binary, "asked")),
        int(bool(tracked)),
        sources,
    )
    return dict(zip(CHECKED, counts, strict=True))


def _missing(binary: Facts) -> tuple[str, ...]:
    missing = []
    looked_for = [*_table(binary, "texts").values(), *_table(binary, "asked").values()]
    if None in looked_for:
        # It is not in what could be looked at, which is not everything that ran.
        missing.append("program_as_it_ran" if not binary.get("unchanged") else "all_files")
    if binary.get("expected") and _is_expected(binary) is None:
        missing.append("hash")
    if any(_is_newer(source, binary) is None for source in _newer(binary)):
        missing.append("sources_as_compiled")
    if _source_facts(binary).get("complete") is False:
        missing.append("all_sources")
    return tuple(missing)


def _other_build(binary: Facts) -> Iterator[Finding]:
    if binary.get("expected") and _is_expected(binary) is False:
        subject, expected = binary["subject"], binary["expected"]
        words = _words(binary) | {"sha256": subject.get("sha256"), "expected": _meant(expected)}
        words["build_id"] = subject.get("build_id") or "-"
        yield Finding("other_build", _NO_SEQ, data=words)


def _meant(expected: Facts) -> str:
    """With its hash where it is a file: it may be the same path, built again."""
    digest = str(expected.get("sha256") or "")[:_SHORT_DIGEST]
    return f"{expected['path']} {digest}".rstrip() if "path" in expected else expected["digits"]


def _is_expected(binary: Facts) -> bool | None:
    """None: there is nothing to compare by."""
    expected = binary["expected"]
    ran = [binary["subject"], *(binary.get("loaded") or [])]
    answers = [_is_same(one, expected) for one in ran]
    if binary.get("loaded"):
        # The build that is expected is a library: that one counts, not the program.
        answers = answers[1:]
    if True in answers:
        return True
    return None if None in answers else False


def _is_same(one: Facts, expected: Facts) -> bool | None:
    digests = [str(one[name]).lower() for name in ("sha256", "build_id") if one.get(name)]
    if not digests:
        return None
    if digits := expected.get("digits"):
        return any(digest.startswith(digits) for digest in digests)
    # A stripped copy has another hash and the same build id.
    same = [one.get(name) == expected.get(name) for name in ("sha256", "build_id") if one.get(name)]
    return any(same)


def _texts(binary: Facts) -> Iterator[Finding]:
    for text, found in _table(binary, "texts").items():
        if found is False:
            yield Finding("text_not_in_file", _NO_SEQ, data=_words(binary) | {"text": text})


def _instrumentation(binary: Facts) -> Iterator[Finding]:
    for variable, found in _table(binary, "asked").items():
        if found is False:
            words = _words(binary) | {"variable": variable}
            yield Finding("instrumentation_absent", _NO_SEQ, data=words)


def _tracked(binary: Facts) -> Iterator[Finding]:
    for other in (binary.get("provenance") or {}).get("newer_builds") or []:
        words = _words(binary) | {"built": binary["subject"].get("modified")}
        words |= {"newer": other["path"], "newer_time": other["modified"]}
        yield Finding("tracked_file", _NO_SEQ, data=words)


def _sources(binary: Facts) -> Iterator[Finding]:
    for source in _newer(binary):
        why = _is_newer(source, binary)
        if why:
            words = _words(binary) | {"source": source["path"], "why": why}
            words |= {"source_time": source["modified"]}
            words["built"] = binary["subject"].get("modified")
            strength = 2 if why in ("content", "changed") else 1
            yield Finding("source_newer", _NO_SEQ, data=words, strength=strength)


def _is_newer(source: Facts, binary: Facts) -> str | None:
    """Why it is newer; "" if it is not, though its time says so; None if nobody can tell."""
    if source.get("as_compiled") is not None:
        return "" if source["as_compiled"] else "content"
    if source.get("changed"):
        return "changed"
    committed, built = source.get("committed"), binary["subject"].get("modified")
    if committed and built and datetime.fromisoformat(committed) > datetime.fromisoformat(built):
        return "committed"
    return None


def _newer(binary: Facts) -> list[Facts]:
    found = _source_facts(binary).get("newer")
    return found if isinstance(found, list) else []


def _source_facts(binary: Facts) -> Facts:
    return (binary.get("provenance") or {}).get("sources") or {}


def _git(binary: Facts) -> Facts:
    return binary["subject"].get("git") or {}


def _table(binary: Facts, name: str) -> dict[str, bool | None]:
    return binary.get(name) or {}


def _words(binary: Facts) -> dict[str, Value]:
    return {"path": str(binary["subject"].get("path"))}
