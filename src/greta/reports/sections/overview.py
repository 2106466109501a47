"""The verdict and what it rests on, in three sentences."""

from __future__ import annotations

from greta.reports.blocks import Block, Paragraph, Section, Tone, Verdict
from greta.reports.document import Document
from greta.reports.facts import fact_value
from greta.reports.lang import Say, percent
from greta.reports.sentences import stopped_sentence, verdict_sentence

TONES: dict[str, Tone] = {"REPRODUCED": "bad", "NOT_REPRODUCED": "good", "INCONCLUSIVE": "odd"}


def section(document: Document, say: Say) -> Section:
    """Always there."""
    word = document.text("verdict")
    blocks: list[Block] = [
        Verdict(word, verdict_sentence(document, say), TONES.get(word, "plain")),
        Paragraph(say(_meaning(document))),
    ]
    blocks += _partial(document, say)
    blocks += _bound(document, say)
    blocks += _by_profile(document, say)
    blocks += _device(document.part("device"), say)
    return Section(say("section_overview"), tuple(blocks), "overview")


def _partial(document: Document, say: Say) -> list[Block]:
    """That it is not all that was asked for, and why."""
    if not document.text("partial"):
        return []
    code, why = f"partial_{document.text('partial')}", stopped_sentence(document, say)
    if why and not document.text("reason_code").endswith("_early"):  # which says it already
        told = [] if why == verdict_sentence(document, say) else [why]
        return [Paragraph(text, "odd") for text in (*told, say("seen_until_then"))]
    return [Paragraph(say(code, saved=document.text("ended")[11:19]), "odd")]


def _meaning(document: Document) -> str:
    code = f"means_{document.text('verdict')}"
    told_by_a_log = document.text("verdict") == "REPRODUCED" and document.text("source") == "log"
    return f"{code}_in_log" if told_by_a_log else code


def _device(device: Document, say: Say) -> list[Block]:
    """Nobody may take the simulated device for a GPU."""
    if device.text("obstacle"):
        why = fact_value(device.text("obstacle"), say)
        return [Paragraph(say("device_was_not_there", why=why), "odd")]
    code = f"device_was_{device.text('kind')}"
    return [Paragraph(say(code))] if say.has(code) else []


def _by_profile(document: Document, say: Say) -> list[Block]:
    """A rate over several profiles is nobody's: each has its own."""
    profiles = [one for one in document.parts("profiles") if one.whole("runs")]
    return [Paragraph(_rate_of(one, say)) for one in profiles] if len(profiles) > 1 else []


def _rate_of(profile: Document, say: Say) -> str:
    low, high = (*profile.numbers("failure_rate_interval_95"), 0.0, 1.0)[:2]
    return say(
        "bound_profile",
        profile=profile.text("name"),
        failures=profile.whole("failures"),
        runs=profile.whole("runs"),
        rate=percent(profile.whole("failures") / profile.whole("runs")),
        low=percent(low),
        high=percent(high),
    )


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
