"""What ran is not what was meant.

What it does:
    Compares the file that ran with the build that is expected (--expect-build) and looks in it for
    texts that it must have (--expect-text). Without being told, it looks for sources that are newer
    than the program, for a tracked file that ran although a newer build of that name is there or
    git has its sources in another state than when the file was committed, and for instrumentation
    that the environment asks for and that is in neither the program nor its output. Of a script,
    the script counts and not its interpreter. Whether it is another than in the other runs of an
    audit is asked where these are side by side, in greta.lab.programs.

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

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final

from greta.forensics.case import Case
from greta.forensics.verdict import Finding, Outcome, Ruling, Value
from greta.forensics.wording import KEPT, RULING_FIELDS, ruling_codes, settled
from greta.trace.evidence import Evidence
from greta.trace.run_facts import (
    BinaryFacts,
    ExpectedBuild,
    FileFacts,
    LibraryFacts,
    NewerSource,
    SourceFacts,
)

HYPOTHESIS: Final = "wrong_binary"
CODES: Final[dict[str, tuple[str, ...]]] = {
    "other_build": ("path", "sha256", "build_id", "expected"),
    "text_not_in_file": ("path", "text"),
    "source_newer": ("path", "source", "source_time", "built", "why"),
    "source_committed_since": ("path", "source", "source_time", "built", "why"),
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

_SHORT_DIGEST: Final = 16
_NO_SEQ: Final = 0
"""The fault is the program's, not an operation's."""


def examine(case: Case) -> Ruling:
    evidence = case.evidence
    binary, expectations = evidence.binary, evidence.expectations
    if binary is None:
        wanted = expectations.build is not None or bool(expectations.texts)
        return settled(HYPOTHESIS, 0, missing=("run_facts",) if wanted else ())
    findings = (
        *_other_build(binary),
        *_absent(binary),
        *_tracked(binary),
        *_sources(binary),
    )
    checked = _checked(binary)
    examined = sum(checked.values()) + (1 if binary.expected else 0)
    missing = (*_missing(binary), *_undecided(evidence, binary, checked))
    ruling = settled(HYPOTHESIS, examined, findings[:KEPT], missing, len(findings))
    return ruling if binary.expected else _as_unnamed(ruling, checked)


def _undecided(evidence: Evidence, binary: BinaryFacts, checked: dict[str, int]) -> Iterator[str]:
    """Why "nothing speaks against it" would say more than was looked at."""
    ending = evidence.run.exit  # with what shells and loaders say of what they cannot start
    if not len(evidence.trace.operations) and ending and ending.code in (126, 127):
        yield "program_start"
    if binary.expected:
        return
    if any(checked.values()) and not any(checked[kind] for kind in _DECISIVE):
        yield "decisive_comparison"


def _as_unnamed(ruling: Ruling, checked: dict[str, int]) -> Ruling:
    """Nobody named a build: then nothing shows that it was the one that was meant."""
    if ruling.outcome is not Outcome.REFUTED:
        return ruling
    kinds = tuple(kind for kind, count in checked.items() if count)
    data = {**ruling.data, "checked": kinds}
    return replace(ruling, code=f"{HYPOTHESIS}_refuted_unnamed", data=data)


def _checked(binary: BinaryFacts) -> dict[str, int]:
    """How many things of each kind were looked at."""
    git = binary.subject.git
    tracked = int(bool(git and git.tracked and binary.provenance))
    counts = len(binary.texts), len(binary.asked), tracked, _sources_of(binary).examined
    return dict(zip(CHECKED, counts, strict=True))


def _missing(binary: BinaryFacts) -> tuple[str, ...]:
    missing = []
    looked_for = [*binary.texts.values(), *binary.asked.values()]
    if None in looked_for:
        # It is not in what could be looked at, which is not everything that ran.
        missing.append("program_as_it_ran" if not binary.unchanged else "all_files")
    if binary.expected and _is_expected(binary, binary.expected) is None:
        missing.append("hash")
    if any(_is_newer(source, binary) is None for source in _sources_of(binary).newer):
        missing.append("sources_as_compiled")
    if _sources_of(binary).complete is False:
        missing.append("all_sources")
    return tuple(missing)


def _other_build(binary: BinaryFacts) -> Iterator[Finding]:
    if binary.expected and _is_expected(binary, binary.expected) is False:
        subject = binary.subject
        words = _words(binary) | {"sha256": subject.sha256, "expected": _meant(binary.expected)}
        words["build_id"] = subject.build_id or "-"
        yield Finding("other_build", _NO_SEQ, data=words)


def _meant(expected: ExpectedBuild) -> str:
    """With its hash where it is a file: it may be the same path, built again."""
    if expected.path is None:
        return expected.digits or ""
    return f"{expected.path} {(expected.sha256 or '')[:_SHORT_DIGEST]}".rstrip()


def _is_expected(binary: BinaryFacts, expected: ExpectedBuild) -> bool | None:
    """None: there is nothing to compare by."""
    # Where the build that is expected is a library, that one counts, not the program.
    ran: Sequence[FileFacts | LibraryFacts] = binary.loaded or (binary.subject,)
    answers = [_is_same(one, expected) for one in ran]
    if True in answers:
        return True
    return None if None in answers else False


def _is_same(one: FileFacts | LibraryFacts, expected: ExpectedBuild) -> bool | None:
    sha256 = one.sha256 if isinstance(one, FileFacts) else None
    digests = [digest for digest in (sha256, one.build_id) if digest]
    if not digests:
        return None
    if digits := expected.digits:
        return any(digest.lower().startswith(digits) for digest in digests)
    # A stripped copy has another hash and the same build id.
    pairs = ((sha256, expected.sha256), (one.build_id, expected.build_id))
    return any(own == other for own, other in pairs if own)


def _absent(binary: BinaryFacts) -> Iterator[Finding]:
    for text, found in binary.texts.items():
        if found is False:
            yield Finding("text_not_in_file", _NO_SEQ, data=_words(binary) | {"text": text})
    for variable, found in binary.asked.items():
        if found is False:
            words = _words(binary) | {"variable": variable}
            yield Finding("instrumentation_absent", _NO_SEQ, data=words)


def _tracked(binary: BinaryFacts) -> Iterator[Finding]:
    for other in binary.provenance.newer_builds if binary.provenance else ():
        words = _words(binary) | {"built": binary.subject.modified}
        words |= {"newer": other.path, "newer_time": other.modified}
        yield Finding("tracked_file", _NO_SEQ, data=words)


def _sources(binary: BinaryFacts) -> Iterator[Finding]:
    for source in _sources_of(binary).newer:
        why = _is_newer(source, binary)
        if why:
            words = _words(binary) | {"source": source.path, "why": why}
            words |= {"source_time": source.modified, "built": binary.subject.modified}
            strength = 2 if why in ("content", "changed") else 1
            if why == "history":
                words |= {"source_time": source.committed, "built": source.program_committed}
            code = "source_committed_since" if why == "history" else "source_newer"
            yield Finding(code, _NO_SEQ, data=words, strength=strength)


def _is_newer(source: NewerSource, binary: BinaryFacts) -> str | None:
    """Why it is newer; "" if it is not, though its time says so; None if nobody can tell."""
    if source.as_compiled is not None:
        return "" if source.as_compiled else "content"
    if source.changed:
        return "changed"
    if source.program_committed:
        return "history"
    if _is_later(source.committed, binary.subject.modified):
        return "committed"
    return None


def _is_later(one: str | None, other: str | None) -> bool:
    try:
        return bool(one and other and datetime.fromisoformat(one) > datetime.fromisoformat(other))
    except (ValueError, TypeError):  # of a file that says anything; with and without an offset
        return False


def _sources_of(binary: BinaryFacts) -> SourceFacts:
    return (binary.provenance.sources if binary.provenance else None) or SourceFacts()


def _words(binary: BinaryFacts) -> dict[str, Value]:
    return {"path": binary.subject.path}
