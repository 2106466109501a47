"""What the iterations of an audit came to: results, causes, endings, speed, the observer's cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from statistics import quantiles
from typing import Final

from greta.lab.summary import (
    DeviceRate,
    IterationSummary,
    MatrixRow,
    ObserverSlowdown,
    ProgramEnding,
    RatedCause,
)
from greta.reports.blocks import Block, Cell, Code, Facts, Figure, Paragraph, Section, Table
from greta.reports.lang import Say, figures, grouped, percent
from greta.reports.pictures import draw_distribution
from greta.reports.reported import Reported
from greta.reports.sentences import call_of, cause_sentence

Rows = list[tuple[str, Cell]]

_MOST_CAUSES: Final = 12
_RESULTS: Final = ("PASS", "FAIL", "INCONCLUSIVE")
_FIGURES: Final[tuple[tuple[Callable[[IterationSummary], float | None], str, str], ...]] = (
    (lambda one: one.tokens_per_second, "caption_throughput", "unit_tokens_per_second"),
    (lambda one: one.first_token_seconds, "caption_latency", "unit_seconds"),
    (lambda one: one.seconds, "caption_duration", "unit_seconds"),
)


def matrix(reported: Reported, say: Say) -> Section | None:
    """The table of tests; None for a single run."""
    summary = reported.summary
    if not summary.tests:
        return None
    header = tuple(
        say(name)
        for name in ("test", "mode", "iterations", "errors", "result", "tokens_per_second")
    )
    rows = [_test(test, say) for test in summary.tests]
    rows += [_total(summary.tests, say)] if len(rows) > 1 else []
    blocks: list[Block] = [Table(header, tuple(rows))]
    if any(test.variables for test in summary.tests):
        blocks.append(Facts(tuple(_variables(test, say) for test in summary.tests)))
    # One iteration may have failed in several ways.
    if codes := Counter(code for one in summary.iterations for code in one.problems):
        counts = ", ".join(f"{_named(code, say)}: {count}" for code, count in codes.most_common())
        blocks.append(Paragraph(say("failed_by", counts=counts)))
    # That runs which passed printed different things is no news to who said what to expect.
    outputs, asked = summary.outputs, reported.rerun.options
    if outputs and not (asked and asked.expect_output is not None):
        blocks.append(Paragraph(say("outputs_differ", kinds=outputs.kinds, runs=outputs.runs)))
    if summary.profile_evidence and say.has(summary.profile_evidence):
        blocks.append(Paragraph(say(summary.profile_evidence)))
    return Section(say("section_matrix"), tuple(blocks), "matrix")


def _variables(test: MatrixRow, say: Say) -> tuple[str, Cell]:
    """What the audit sets for a test; nothing for the one that runs as it is."""
    told = " ".join(f"{name}={value}" for name, value in test.variables.items())
    cell = Cell(told, code=True) if told else Cell(say("run_none"))
    return say("variables_of_test", test=test.id), cell


def _named(code: str, say: Say) -> str:
    names = (f"problem_{code}", f"name_{code}")
    return next((say(name) for name in names if say.has(name)), code)


def _test(test: MatrixRow, say: Say) -> tuple[Cell, ...]:
    asked, result, speed = test.iterations, test.result, test.tokens_per_second
    done = asked if test.completed is None else test.completed
    name = say(f"mode_{test.mode}") if say.has(f"mode_{test.mode}") else test.mode
    return (
        Cell(test.id),
        Cell(f"{name}, {test.profile}" if test.profile not in ("", "none") else name),
        Cell(
            grouped(asked) if done == asked else f"{grouped(done)} / {grouped(asked)}", number=True
        ),
        Cell(grouped(test.errors), number=True),
        Cell(result, tone="good" if result == "PASS" else "bad" if result == "FAIL" else "odd"),
        Cell(figures(speed) if speed is not None else "-", number=True),
    )


def _total(tests: Sequence[MatrixRow], say: Say) -> tuple[Cell, ...]:
    """All tests together: failed if one of them has."""
    results = [test.result for test in tests]
    result = next((one for one in ("FAIL", "INCONCLUSIVE") if one in results), "PASS")
    done = [test.iterations if test.completed is None else test.completed for test in tests]
    whole = replace(
        tests[0],
        id="Σ",
        profile="",
        iterations=sum(test.iterations for test in tests),
        completed=sum(done),
        errors=sum(test.errors for test in tests),
        result=result if all(one in _RESULTS for one in results) else "-",
        tokens_per_second=None,
    )
    name, _, *others = _test(whole, say)
    return (name, Cell(say("total")), *others)


def causes(reported: Reported, say: Say) -> Section | None:
    """Each cause with its runs; None if all failures had one: its rate is that of all."""
    rated = reported.summary.causes
    if len(rated) < 2:
        return None
    header = (say("cause_seen"), say("failed_runs"), say("rate"), say("interval"))
    rows = tuple(_rated(one, say) for one in rated[:_MOST_CAUSES])
    count = Paragraph(say("causes_several", count=len(rated)))
    return Section(say("section_causes"), (count, Table(header, rows)), "causes")


def devices(reported: Reported, say: Say) -> Section | None:
    """Each device with its runs, and what was lost with a worker; None if there was one device."""
    summary = reported.summary
    if len(summary.devices) < 2 and not summary.lost:
        return None
    names = ("column_node", "column_device", "judged_runs", "failed_runs", "rate", "interval")
    rows = tuple(_device(one, say) for one in summary.devices)
    blocks: list[Block] = [Table(tuple(say(name) for name in names), rows)]
    for one in summary.devices:
        if one.apart:
            runs = sum(each.runs for each in summary.devices) - one.runs
            failures = sum(each.failures for each in summary.devices) - one.failures
            known = {"device": _ordinal(one.device), "node": one.node}
            told = say(
                "device_apart",
                **known,
                failures=one.failures,
                runs=one.runs,
                others=failures,
                others_runs=runs,
            )
            blocks.append(Paragraph(told))
    if summary.lost:
        where = dict.fromkeys(f"{one.node} {_ordinal(one.device)}".strip() for one in summary.lost)
        count, lost = len(summary.lost), sum(len(one.iterations) for one in summary.lost)
        seconds = figures(sum(one.seconds or 0.0 for one in summary.lost))
        told = say(
            "work_lost", count=count, where=", ".join(where), iterations=lost, seconds=seconds
        )
        blocks.append(Paragraph(told))
    return Section(say("section_devices"), tuple(blocks), "devices")


def _ordinal(device: int | None) -> str:
    return "" if device is None else str(device)


def _device(one: DeviceRate, say: Say) -> tuple[Cell, ...]:
    low, high = one.failure_rate_interval_95
    return (
        Cell(one.node),
        Cell(_ordinal(one.device), number=True),
        Cell(grouped(one.runs), number=True),
        Cell(grouped(one.failures), number=True, tone="bad" if one.apart else "plain"),
        Cell(percent(one.failure_rate or 0.0), number=True),
        Cell(say("from_to", low=percent(low), high=percent(high))),
    )


def _rated(one: RatedCause, say: Say) -> tuple[Cell, ...]:
    low, high = one.rate_interval_95
    return (
        Cell(cause_sentence(one, say)),
        Cell(grouped(one.runs), number=True),
        Cell(percent(one.rate or 0.0), number=True),
        Cell(say("from_to", low=percent(low), high=percent(high))),
    )


def ending(reported: Reported, say: Say) -> Section | None:
    """How the program ended; None if something else explains the failure, or nothing failed."""
    seen = reported.summary.seen
    if not seen:
        return None
    told = reported.verdict.blamed is not None  # with the signal, and where it was called
    rows = [] if told else _end(seen.ending, say)
    rows.append((say("seen_in"), Cell(seen.run, code=True)))
    if seen.ending.stacks:
        rows.append((say("stacks_in"), Cell(f"{seen.run}/{seen.ending.stacks}", code=True)))
    blocks: list[Block] = [Facts(tuple(rows))]
    if seen.ending.stderr:
        blocks += [Paragraph(say("last_words")), Code("\n".join(seen.ending.stderr))]
    return Section(say("section_ending"), tuple(blocks), "ending")


def last_words(reported: Reported) -> tuple[str, ...]:
    return reported.summary.seen.ending.stderr if reported.summary.seen else ()


def _end(end: ProgramEnding, say: Say) -> Rows:
    rows: Rows = []
    if end.signal:
        rows.append((say("ended_by"), Cell(end.signal, code=True)))
    if end.exit_code is not None:
        rows.append((say("fact_exit_code"), Cell(str(end.exit_code))))
    if end.seconds is not None:
        rows.append((say("ended_after"), Cell(f"{figures(end.seconds)} {say('unit_seconds')}")))
    if end.call:
        title = say("blamed_last" if end.returned else "call_under_way")
        rows.append((title, Cell(call_of(end, say), code=True)))
    return rows


def speed(reported: Reported, say: Say) -> Section | None:
    """How throughput and latency are spread over A, B and C; None if nothing was timed."""
    blocks: list[Block] = []
    for measured, caption, unit in _FIGURES:
        found: dict[str, list[float]] = {}
        for one in reported.summary.iterations:
            number = measured(one)
            if number is not None and one.test:
                found.setdefault(one.test, []).append(number)
        values = {test: numbers for test, numbers in sorted(found.items()) if len(numbers) >= 2}
        if values:
            legend = "" if blocks else say("legend_speed")
            blocks.append(_figure(values, say(caption), say(unit), legend, say))
    return Section(say("section_speed"), tuple(blocks), "speed") if blocks else None


def _figure(
    values: dict[str, list[float]], caption: str, unit: str, legend: str, say: Say
) -> Figure:
    header = (say("test"), say("quarter"), say("median"), say("three_quarters"), say("unit"))
    rows = []
    for test, numbers in values.items():
        cuts = [
            Cell(figures(cut), number=True) for cut in quantiles(numbers, n=4, method="inclusive")
        ]
        rows.append((Cell(test), *cuts, Cell(unit)))
    table = Table(header, tuple(rows))
    svg = draw_distribution(values, caption, unit, say("median"))
    return Figure(svg, caption, table, legend, table_title=say("table_speed"))


def observer(reported: Reported, say: Say) -> Section | None:
    """What watching cost: nobody shall take the watched program for the unwatched one.

    None if it was not measured.
    """
    cost = reported.summary.observer
    measured = (("observer_audit", cost.audit), ("observer_recorder", cost.recorder))
    sentences = [_slowdown(code, found, say) for code, found in measured if found]
    blocks: list[Block] = [Paragraph(sentence) for sentence in sentences]
    return Section(say("section_observer"), tuple(blocks), "observer") if blocks else None


def _slowdown(code: str, found: ObserverSlowdown, say: Say) -> str:
    low, high = found.interval_95
    if low <= 1 <= high:
        return say(f"{code}_noise", low=figures(low), high=figures(high))
    return say(code, ratio=figures(found.slowdown), low=figures(low), high=figures(high))
