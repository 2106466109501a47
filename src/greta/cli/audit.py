"""`greta audit`."""

from __future__ import annotations

import argparse
import os
import sys
import time
from datetime import datetime
from pathlib import Path
from typing import Any

from greta.cli.audit_progress import AuditProgress
from greta.cli.audit_setup import AuditPlan, add_audit_options, plan_audit
from greta.cli.verdict_exit import exit_code_of
from greta.errors import UsageError
from greta.lab.artifacts import create_case_folder, write_json, write_sums
from greta.lab.audit import Audit
from greta.lab.command import CommandAudit
from greta.lab.environment import environment_facts, program_facts, rerun_facts
from greta.lab.leftovers import end_leftovers
from greta.lab.lock import device_lock
from greta.lab.resume import restored, unfinished
from greta.lab.summary import summarize
from greta.reports import LANGUAGES, Document, compose, html, markdown
from greta.reports.lang import Say
from greta.reports.terminal import audit_lines, print_lines

_KEEP_SECONDS = 10.0


class AuditCommand:
    """Run a workload again and again, watch every HIP call, and say what that shows.

    With no argument the workload is our own inference engine on what the machine has. Three tests
    take place: A as it is, B with every transfer to the host written down, C under stress (several
    streams, random delays, memory pressure). Every child is recorded; a crash costs one iteration
    and is analysed. Any other program is audited with `-- COMMAND`: each iteration is then a
    process of its own.

    The verdict, what it rests on and a report in English and Spanish are kept in
    artifacts/DATE/CASE/. Exit code: 0 NOT_REPRODUCED, 1 REPRODUCED, 3 INCONCLUSIVE.

    examples:
      greta audit                                  200 iterations, about a minute without a GPU
      greta audit --case logits --iters 20 --stress-iters 0
      greta audit --profiles none,serialize        does it persist when all is serialized?
      greta audit --strict -- ./my_program arg     stop at the first failure
      greta audit --resume artifacts/2026-11-16/logits
    """

    name = "audit"
    usage = "greta audit [options] [-- COMMAND [ARGUMENT ...]]"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Declares the options."""
        add_audit_options(parser)

    def run(self, options: argparse.Namespace) -> int:
        """Audits; returns the exit code of the verdict."""
        plan = plan_audit(options)
        with device_lock(plan.device):
            end_leftovers(plan.root)
            folder, audit = _audit(plan, options)
            started = datetime.now().astimezone()
            keeper = _Keeper(plan, folder, started)
            with AuditProgress(len(audit.schedule), len(audit.outcomes)) as progress:

                def told(running: Audit | CommandAudit) -> None:
                    progress.update(running)
                    keeper.keep(running)

                audit.progress = told
                keeper.keep(audit)
                audit.run()
            summary = _summary(plan, audit, folder, started)
            _keep(folder, summary)
        say = Say(options.lang)
        print_lines(audit_lines(Document(summary), say, folder))
        if audit.problem:
            print(f"greta: the audit could not go on: {audit.problem}", file=sys.stderr)
        return exit_code_of(summary["verdict"])


def _audit(plan: AuditPlan, options: argparse.Namespace) -> tuple[Path, Audit | CommandAudit]:
    if options.resume:
        folder = Path(options.resume)
        before = unfinished(folder)
        outcomes, judgements, left = restored(before, plan.schedule, folder)
        if not left:
            raise UsageError(f"--resume: nothing is left to run in {folder} with these options")
        audit = plan.start(folder, left)
        audit.outcomes, audit.judgements = outcomes, judgements
        return folder, audit
    folder = create_case_folder(plan.root, plan.case, datetime.now().astimezone().date())
    audit = plan.start(folder, plan.schedule)
    audit.say = Say("en").of
    return folder, audit


class _Keeper:
    """Writes a summary now and then, so that whoever kills the audit leaves a valid one behind."""

    def __init__(self, plan: AuditPlan, folder: Path, started: datetime) -> None:
        self._plan, self._folder, self._started = plan, folder, started
        self._last = -_KEEP_SECONDS

    def keep(self, audit: Audit | CommandAudit) -> None:
        """If it is time to."""
        if time.monotonic() - self._last < _KEEP_SECONDS:
            return
        self._last = time.monotonic()
        summary = _summary(self._plan, audit, self._folder, self._started)
        unfinished = {"partial": "running", "verdict": "INCONCLUSIVE"}
        if summary["verdict"] == "REPRODUCED":
            unfinished["verdict"] = "REPRODUCED"
        write_json(self._folder / "summary.json", {**summary, **unfinished})


def _summary(
    plan: AuditPlan, audit: Audit | CommandAudit, folder: Path, started: datetime
) -> dict[str, Any]:
    ended = datetime.now().astimezone()
    run = next((folder / one.run for one in audit.judgements if one.verdict), None)
    plain = audit.plain_seconds if isinstance(audit, Audit) else []
    found = summarize(plan.tests, audit.outcomes, audit.judgements, plain, audit.partial)
    return {
        "case": plan.case,
        **found,
        "problem": audit.problem,
        "started": started.isoformat(timespec="seconds"),
        "ended": ended.isoformat(timespec="seconds"),
        "seconds": (ended - started).total_seconds(),
        "device": {"asked": plan.device},
        "environment": environment_facts(os.environ, run),
        "model": plan.model_facts,
        "program": program_facts(run),
        "rerun": rerun_facts(plan.seed, os.environ),
    }


def _keep(folder: Path, summary: dict[str, Any]) -> None:
    """Summary first: reports and sums can be made again from it."""
    write_json(folder / "summary.json", summary)
    document = Document(summary)
    for lang in LANGUAGES:
        page = compose(document, lang)
        (folder / f"report.{lang}.md").write_text(markdown.render(page), encoding="utf-8")
        (folder / f"report.{lang}.html").write_text(html.render(page), encoding="utf-8")
    write_json(folder / "rerun.json", summary["rerun"])
    write_sums(folder)
