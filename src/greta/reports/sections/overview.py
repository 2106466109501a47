"""The verdict and what it rests on, in three sentences."""

from __future__ import annotations

from greta.reports.blocks import Block, Paragraph, Section, Tone, Verdict
from greta.reports.document import Document
from greta.reports.lang import Say, percent
from greta.reports.sentences import verdict_sentence

TONES: dict[str, Tone] = {"REPRODUCED": "bad", "NOT_REPRODUCED": "good", "INCONCLUSIVE": "odd"}


def section(document: Document, say: Say) -> Section:
    """Always there."""
    word = document.text("verdict")
    blocks: list[Block] = [
        Verdict(word, verdict_sentence(document, say), TONES.get(word, "plain")),
        Paragraph(say(_meaning(document))),
    ]
    if document.text("partial"):
        blocks.append(Paragraph(say(f"partial_{document.text('partial')}"), "odd"))
    blocks += _bound(document, say)
    blocks += _device(document.part("device"), say)
    return Section(say("section_overview"), tuple(blocks), "overview")


def _meaning(document: Document) -> str:
    code = f"means_{document.text('verdict')}"
    told_by_a_log = document.text("verdict") == "REPRODUCED" and document.text("source") == "log"
    return f"{code}_in_log" if told_by_a_log else code


def _device(device: Document, say: Say) -> list[Block]:
    """Nobody may take the simulated device for a GPU."""
    code = f"device_was_{device.text('kind')}"
    return [Paragraph(say(code))] if say.has(code) else []


def _bound(document: Document, say: Say) -> list[Block]:
    statistics = document.part("statistics")
    upper, runs = statistics.number("failure_rate_upper_95"), statistics.whole("runs")
    if upper is None or runs == 0:
        return []
    failures = statistics.whole("failures")
    if failures == 0:
        needed = statistics.part("runs_needed_for").whole("0.001")
        sentence = say("bound_clean", runs=runs, upper=percent(upper), needed=needed)
        return [Paragraph(sentence)]
    interval = statistics.numbers("failure_rate_interval_95")
    low, high = interval if len(interval) == 2 else (0.0, upper)
    return [
        Paragraph(
            say(
                "bound_failing",
                runs=runs,
                failures=failures,
                rate=percent(failures / runs),
                low=percent(low),
                high=percent(high),
            )
        )
    ]
