"""The story of a report: what went wrong in one sentence that a stranger understands."""

from __future__ import annotations

import json
import os
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from greta.forensics.analysis import analyze
from greta.forensics.verdict import (
    Alternative,
    BlamedCall,
    Cause,
    FaultAccess,
    FaultBuffer,
    Saying,
    Verdict,
    VerdictWord,
)
from greta.forensics.verdict_json import dump_verdict
from greta.lab.summary import Summary
from greta.reports import Reported, compose, html, markdown
from greta.reports.lang import LANGUAGES, Language, Say
from greta.reports.reported import with_sources
from greta.reports.sentences import story_sentence, surfaced_sentence
from greta.reports.terminal import verdict_lines
from greta.trace.evidence import DeviceFault
from greta.trace.trace import Call, Where
from tests.forensics.programs import FAULTED, Pointer, Program
from tests.reports.documents import reported, summary

ADDRESSES = frozenset(
    {"address", "fault_address", "buffer", "unwritten", "handle", "reached", "reached_buffer"}
    | {"nearest", "source_address"}
)
"""Data of findings that is hexadecimal."""
NO_CAUSE = re.compile("^(check|doubt|story|field|gap|reached$|access|legend|word)")


def overrun(**changes: Any) -> Cause:
    data = {"kernel": "rope", "past_end": 0, "buffer": "0x7e00", "buffer_bytes": 64, "argument": 1}
    return Cause(
        **{
            "hypothesis": "upstream_kernel_fault",
            "seq": 13,
            "call": "hipModuleLaunchKernel",
            "kernel": "rope",
            "code": "kernel_past_end",
            "data": data,
            "buffer": FaultBuffer("0x7e00", 64, 10, None, "positions"),
            "access": FaultAccess(
                "0x7e40", 1, 4, 0, 1, "read", (3, 0, 0), (12, 0, 0), "/src/rope.hip:14"
            ),
            "where": Where("/home/you/model.py", 79, "forward"),
            **changes,
        }
    )


def told(cause: Cause | None, blamed: BlamedCall | None = None, started: str = "") -> Reported:
    verdict = Verdict(VerdictWord.REPRODUCED, cause=cause, blamed=blamed)
    return Reported(Summary(verdict, "case", started=started))


def test_the_story_names_kernel_buffer_bytes_thread_line_and_call() -> None:
    assert story_sentence(told(overrun()), Say("en")) == (
        "Kernel `rope` reads past the end of `positions` (64 B): 4 bytes, 0 bytes past its end, "
        "thread 12 of block 3, rope.hip:14, launched at model.py:79 in `forward`."
    )


def test_the_story_in_spanish_has_the_same_facts() -> None:
    assert story_sentence(told(overrun()), Say("es")) == (
        "El kernel `rope` lee más allá del final de `positions` (64 B): 4 bytes, 0 bytes más allá "
        "de su final, hilo 12 del bloque 3, rope.hip:14, lanzado en model.py:79 en `forward`."
    )


def test_what_nobody_checked_is_not_told_to_the_byte() -> None:
    found = overrun(access=FaultAccess("0x7e40", bytes=4096), where=Where())
    assert story_sentence(told(found), Say("en")) == (
        "Kernel `rope` reaches past the end of `positions` (64 B): 0 bytes past its end."
    )


def test_a_buffer_without_a_name_is_told_by_its_size() -> None:
    found = overrun(buffer=FaultBuffer("0x7e00", 1 << 20), where=Where(), access=None)
    assert "the end of a buffer of 1 MiB:" in story_sentence(told(found), Say("en"))


@pytest.mark.parametrize("lang", ["en", "es"])
def test_every_sentence_with_an_address_has_a_story_without(lang: Language) -> None:
    """A new finding that tells an address must have its story, or the page would begin with it."""
    say, lacking = Say(lang), []
    for code, sentence in LANGUAGES["en"].items():
        names = set(re.findall(r"\{(\w+)\}", sentence))
        if not names & ADDRESSES or "seq" not in names or NO_CAUSE.match(code):
            continue
        data = {name: "0x7e00" if name in ADDRESSES else 7 for name in names}
        story = story_sentence(told(overrun(code=code, data=data)), say)
        if "0x" in story or story.startswith(say("name_upstream_kernel_fault")):
            lacking.append(code)
    assert lacking == []


def test_an_unknown_finding_is_told_by_its_hypothesis_and_its_call() -> None:
    found = overrun(code="", data={}, hypothesis="bad_pointer")
    assert story_sentence(told(found), Say("en")) == "Bad pointer, at rope (#13)."


def test_a_fault_without_a_cause_is_told_without_its_address() -> None:
    reason = Saying("verdict_fault_reported", {"fault": "0x7e00, rope", "suspects": 3})
    document = Reported(Summary(Verdict(VerdictWord.REPRODUCED, reason)))
    story = story_sentence(document, Say("en"))
    assert "0x" not in story
    assert "suspects: 3" in story


def test_a_name_of_four_hundred_letters_is_cut_in_the_story_alone() -> None:
    name = "void gemm<" + "float, " * 56 + "4>"
    page = markdown.render(compose(told(overrun(kernel=name)), "en"))
    headline = next(line for line in page.splitlines() if line.startswith("**Fault found**"))
    assert name not in headline
    assert "void gemm&lt;" not in headline
    assert name in page.replace("\\", "")


def test_where_it_surfaced_is_told_if_it_is_elsewhere() -> None:
    blamed = BlamedCall(16, "hipMemcpyAsync", None, "hipErrorIllegalAddress", Where("a.py", 84))
    assert surfaced_sentence(told(overrun(), blamed), Say("en")) == (
        "The program heard of it only later: `hipMemcpyAsync` (#16) at a.py:84 returned "
        "`hipErrorIllegalAddress`."
    )
    assert surfaced_sentence(told(overrun(seq=16), blamed), Say("en")) == ""


@pytest.mark.parametrize(
    ("lang", "words"),
    [
        ("en", ("Fault found", "Fault reproduced")),
        ("es", ("Fallo encontrado", "Fallo reproducido")),
    ],
)
def test_a_run_and_an_audit_have_words_for_strangers(
    lang: Language, words: tuple[str, str]
) -> None:
    for document, word in zip((told(overrun()), reported(summary())), words, strict=True):
        for text in (
            markdown.render(compose(document, lang)),
            html.render(compose(document, lang)),
        ):
            assert word in text
            assert "REPRODUCED" in text


def test_numbers_of_calls_that_have_a_row_are_links() -> None:
    page = html.render(compose(reported(summary()), "en"))
    assert '<a href="#call-4711">#4711</a>' in page
    assert 'id="call-4711"' in page
    assert "#call-4712" not in page  # a suspect that the picture does not have
    assert set(re.findall(r'href="#([^"]+)"', page)) <= set(re.findall(r'id="([^"]+)"', page))


# --- the stage ------------------------------------------------------------------------------------

STAGE = ("iteration=3", "prefill", "layer=0", "tensor=rope", "my own range")


def annotated() -> Verdict:
    """A kernel that overran its buffer, in a program that names what it does."""
    program = Program()
    x = program.allocate(4096)
    program.kernel("rope", Pointer(x[:], reach=8192))
    program.kernel("rope", Pointer(x[:], reach=8192))
    program.wait_device(**FAULTED)
    evidence = program.evidence(DeviceFault("clr", x.address + 4096, exact=True, kernel="rope"))
    describe = evidence.trace.describe
    ranges = {1: ("iteration=3", "tensor=positions"), 2: STAGE, 3: (*STAGE[:2], "layer=1")}

    def named(seq: int) -> Call:
        return replace(describe(seq), annotations=ranges.get(seq, ()))

    trace = replace(evidence.trace, describe=named)
    return analyze([replace(evidence, trace=trace)])


@pytest.mark.parametrize(
    ("lang", "stage"),
    [
        ("en", "in iteration 3, prefill, layer 0, tensor rope, my own range."),
        ("es", "en iteración 3, prefill, capa 0, tensor rope, my own range."),
    ],
)
def test_the_stage_of_the_fault_is_told_in_every_form(lang: Language, stage: str) -> None:
    verdict = annotated()
    assert verdict.cause
    assert verdict.cause.stage == STAGE
    document = Reported(Summary(verdict))
    assert story_sentence(document, Say(lang)).endswith(stage)
    lines = {line.title: line.text for line in verdict_lines(document, Say(lang))}
    assert f"{stage[3:-1]}" == lines[Say(lang)("stage")]
    read = json.loads(json.dumps(dump_verdict(verdict, Say("en").of)))
    assert read["cause"]["stage"] == list(STAGE)


def test_a_range_that_names_a_tensor_names_its_buffer_and_a_stage_does_not() -> None:
    verdict = annotated()
    assert verdict.cause
    assert verdict.cause.buffer
    assert verdict.cause.buffer.name == "positions"


def test_equal_suspects_are_told_apart_by_their_layer() -> None:
    others = (
        Alternative(14, "x", "rope", 0.5, ("prefill", "layer=1")),
        Alternative(15, "x", "rope", 0.4, ("prefill", "layer=2")),
    )
    page = markdown.render(compose(told(overrun(alternatives=others)), "en"))
    assert "| `rope (#14)` | prefill, layer 1 |" in page
    assert "| `rope (#15)` | prefill, layer 2 |" in page


# --- source lines --------------------------------------------------------------------------------


def source(folder: Path, name: str = "model.py", age: float = 1e9) -> Path:
    path = folder / name
    path.write_text(
        "\n".join(f"line {number}" for number in range(1, 21)) + "\ntoken=hf_" + "a" * 34
    )
    os.utime(path, (age, age))
    return path


def shown(path: Path, line: int, started: str = "2026-01-01T00:00:00+00:00") -> str:
    found = overrun(where=Where(str(path), line, "forward"), access=None)
    return markdown.render(compose(with_sources(told(found, started=started)), "en"))


def test_the_lines_around_the_call_are_shown(tmp_path: Path) -> None:
    page = shown(source(tmp_path), 10)
    assert "> 10  line 10" in page
    assert "  7  line 7\n" in page
    assert "line 6\n" not in page


def test_a_file_that_was_changed_since_is_not_shown(tmp_path: Path) -> None:
    assert "line 10" not in shown(source(tmp_path, age=2e9), 10)


def test_a_run_whose_time_is_not_known_shows_no_file(tmp_path: Path) -> None:
    assert "line 10" not in shown(source(tmp_path), 10, started="")


def test_only_source_files_are_opened(tmp_path: Path) -> None:
    """A run folder from elsewhere could name a key of this machine's user."""
    assert "line 10" not in shown(source(tmp_path, "id_rsa"), 10)
    os.mkfifo(tmp_path / "pipe.py")
    assert "The source" not in shown(tmp_path / "pipe.py", 1)
    assert "The source" not in shown(tmp_path / "gone.py", 1)
    assert "The source" not in shown(source(tmp_path), 400)


def test_secrets_in_source_lines_are_hidden(tmp_path: Path) -> None:
    page = shown(source(tmp_path), 20)
    assert "line 20" in page
    assert "a" * 34 not in page
