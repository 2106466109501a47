"""What an audit leaves in its folder when it has ended."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from greta.lab.artifacts import write_json, write_sums
from greta.lab.session import FILES
from greta.lab.summary import RerunFacts, Summary
from greta.lab.summary_json import dump_rerun, dump_summary
from greta.reports import LANGUAGES, Reported, compose, html, markdown
from greta.reports.lang import Say
from greta.reports.reported import with_sources
from greta.runs.folder import write_whole

_RENDERERS: Final = {"md": markdown.render, "html": html.render}


def keep(folder: Path, summary: Summary) -> None:
    """Summary first: reports and sums can be made again from it. Raises OSError."""
    write_json(folder / "summary.json", dump_summary(summary, Say("en").of))
    reported = with_sources(Reported(summary, str(folder.resolve())))
    for lang in LANGUAGES:
        page = compose(reported, lang)
        for end, render in _RENDERERS.items():
            write_whole(folder / FILES[f"report_{lang}_{end}"], render(page))
    write_json(folder / FILES["rerun"], dump_rerun(summary.ran.rerun or RerunFacts()))
    write_sums(folder)
