"""What an audit leaves in its folder when it has ended."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from greta.lab.artifacts import write_json, write_sums
from greta.lab.session import FILES
from greta.reports import LANGUAGES, Document, compose, html, markdown
from greta.runs.whole_file import write_whole

_RENDERERS: Final = {"md": markdown.render, "html": html.render}


def keep(folder: Path, summary: dict[str, Any]) -> None:
    """Summary first: reports and sums can be made again from it. Raises OSError."""
    write_json(folder / "summary.json", summary)
    document = Document({**summary, "kept": str(folder.resolve())})
    for lang in LANGUAGES:
        page = compose(document, lang)
        for end, render in _RENDERERS.items():
            write_whole(folder / FILES[f"report_{lang}_{end}"], render(page))
    write_json(folder / FILES["rerun"], summary["rerun"])
    write_sums(folder)
