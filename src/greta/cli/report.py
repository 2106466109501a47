"""`greta report`."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from greta.cli.language import add_language_option
from greta.cli.run_document import facts_to_go_on
from greta.errors import ExitCode, UsageError
from greta.forensics.analysis import analyze, to_json
from greta.lab.environment import environment_facts, program_facts
from greta.outside import is_there
from greta.reports import Document, compose, html, markdown, read_document
from greta.reports.lang import Say
from greta.runs.gather import Expectations, gather
from greta.runs.gather.run_folder import is_recorded, read_run


class ReportCommand:
    """Write the report of an audit or of a run, for a person who has to decide something.

    RUN is the folder of an audit (artifacts/DATE/CASE), a run folder, or a summary.json. The HTML
    page is one file that needs no network. Every number in it comes from summary.json, or from
    verdict.json if it is one run.

    examples:
      greta report artifacts/2026-11-16/logits --lang es --format html -o informe.html
      greta report greta-runs/20261116-101500-app
    """

    name = "report"
    usage = "greta report RUN [--lang es|en] [--format md|html|json] [-o FILE]"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Declares the options."""
        parser.add_argument("run", metavar="RUN", help="an audit's folder, or a run folder")
        add_language_option(parser)
        parser.add_argument(
            "--format",
            choices=("md", "html", "json"),
            help="default: what the name of FILE says, or md",
        )
        parser.add_argument("-o", "--output", metavar="FILE", help="default: stdout")

    def run(self, options: argparse.Namespace) -> int:
        """Writes it."""
        document = _document(Path(options.run))
        page = compose(document, options.lang)
        format_ = options.format or _format_of(options.output)
        if format_ == "json":
            text = json.dumps(dict(document.items()), indent=1) + "\n"
        else:
            text = (markdown if format_ == "md" else html).render(page)
        if options.output is None:
            sys.stdout.write(text)
            return ExitCode.OK
        try:
            Path(options.output).write_text(text, encoding="utf-8")
        except OSError as error:
            raise UsageError(f"-o: cannot write {options.output}: {error.strerror}") from None
        return ExitCode.OK


def _format_of(output: str | None) -> str:
    suffix = Path(output or "").suffix.lstrip(".")
    return suffix if suffix in ("html", "json") else "md"


def _document(path: Path) -> Document:
    if path.is_file() and path.suffix == ".json":
        return read_document(path)
    if is_there(path / "summary.json"):
        summary = dict(read_document(path / "summary.json").items())
        return Document({**summary, "kept": str(path.resolve())})
    return Document(_of_run(path))


def _of_run(path: Path) -> dict[str, Any]:
    """One run: its verdict, and what run.json says of it; nobody knows where a log was written."""
    verdict = to_json(analyze(gather(path, Expectations())), Say("en").of)
    facts, case = read_run(path), path.resolve().name
    if not facts:
        return {**verdict, "case": case, **({} if is_recorded(path) else {"source": "log"})}
    return {
        **verdict,
        "case": case,
        "started": facts.get("started", ""),
        "environment": environment_facts(facts.get("environment") or {}, path),
        "program": program_facts(path),
        "device": facts.get("device"),
        **facts_to_go_on([path]),
    }
