"""What an audit leaves in its folder when it has ended."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from greta.lab.artifacts import write_json, write_sums
from greta.lab.session import FILES
from greta.lab.summary import IterationSummary, RerunFacts, Summary
from greta.lab.summary_json import dump_rerun, dump_summary
from greta.reports import LANGUAGES, Reported, compose, html, markdown
from greta.reports.lang import Say
from greta.reports.reported import with_sources
from greta.runs.folder import write_whole

_NOT_IN_A_NAME: Final = re.compile(r"[^\w.-]+")
_RENDERERS: Final = {"md": markdown.render, "html": html.render}


def _logs(iterations: Iterable[IterationSummary]) -> dict[str, list[str]]:
    """By prompt, a line for each iteration: what it was, how it ended, and where its calls are."""
    logs: dict[str, list[str]] = {}
    for one in iterations:
        if one.prompt is None:
            continue
        told = {
            "test": one.test,
            "iteration": one.iteration,
            "seed": one.seed,
            "profile": one.profile,
            "result": one.result,
            "problems": ",".join(one.problems) or None,
            "seconds": one.seconds,
            "first_token_seconds": one.first_token_seconds,
            "tokens_per_second": one.tokens_per_second,
            "run": one.run or None,
            "calls": "-".join(map(str, one.range)) if one.range else None,
            "output": one.output,
        }
        shown = {
            name: f"{value:.6g}" if isinstance(value, float) else value
            for name, value in told.items()
        }
        line = " ".join(f"{name}={value}" for name, value in shown.items() if value is not None)
        logs.setdefault(_NOT_IN_A_NAME.sub("_", Path(one.prompt).name), []).append(line)
    return logs


def keep(folder: Path, summary: Summary) -> None:
    """Summary first: reports and sums can be made again from it. Raises OSError."""
    write_json(folder / "summary.json", dump_summary(summary, Say("en").of))
    reported = with_sources(Reported(summary, str(folder.resolve())))
    for lang in LANGUAGES:
        page = compose(reported, lang)
        for end, render in _RENDERERS.items():
            write_whole(folder / FILES[f"report_{lang}_{end}"], render(page))
    for prompt, lines in _logs(summary.iterations).items():
        (folder / "run").mkdir(exist_ok=True)
        write_whole(folder / "run" / f"{prompt}.log", "\n".join(lines) + "\n")
    write_json(folder / FILES["rerun"], dump_rerun(summary.ran.rerun or RerunFacts()))
    write_sums(folder)
