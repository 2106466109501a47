"""`greta audit`."""

from __future__ import annotations

import argparse
import os
import shlex
import sys
import time
from datetime import datetime
from pathlib import Path
from typing import Any

from greta.cli.audit_keeping import FILES, keep
from greta.cli.audit_progress import AuditProgress
from greta.cli.audit_setup import (
    AuditPlan,
    add_audit_options,
    command_files,
    continued,
    plan_audit,
    require_consent_to_resume,
    saved,
    with_new_names,
)
from greta.cli.interruption import ended_as_by_ctrl_c
from greta.cli.verdict_exit import exit_code_of
from greta.errors import ExitCode, UsageError
from greta.lab.artifacts import create_case_folder, write_json
from greta.lab.audit import Audit
from greta.lab.environment import device_facts, environment_facts, program_facts, rerun_facts
from greta.lab.leftovers import end_leftovers
from greta.lab.lock import device_lock
from greta.lab.outcomes import Outcome, known_so_far
from greta.lab.resume import refuse_other_builds, restored, unfinished
from greta.lab.summary import summarize
from greta.lab.trouble import NO_CALL, Trouble, explain
from greta.reports import Document
from greta.reports.lang import Say
from greta.reports.terminal import audit_lines, print_lines

_KEEP_SECONDS = 0.5
_KEEP_SHARE = 20
"""So many times as long as keeping took nothing is kept again: it costs at most 5 % of the time."""


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
      greta audit --fail-fast -- ./my_program arg  stop at the first failure
      greta audit --expect-output "sum=10" -- ./my_program
      greta audit --resume artifacts/2026-11-16/logits     shows what it would run, and asks
    """

    name = "audit"
    usage = "greta audit [options] [-- COMMAND [ARGUMENT ...]]"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Declares the options."""
        add_audit_options(parser)

    def run(self, options: argparse.Namespace) -> int:
        """Audits; returns the exit code of the verdict."""
        options = with_new_names(options, Say(options.lang))
        before = unfinished(Path(options.resume)) if options.resume else {}
        if options.resume:
            options = continued(options, before)
        say, plan = Say(options.lang), plan_audit(options)
        if options.resume:
            refuse_other_builds(before, plan.model_facts)
            require_consent_to_resume(plan, before, options)
        with ended_as_by_ctrl_c(), device_lock(plan.choice["kind"]):
            end_leftovers(plan.root)
            desk = _Desk(plan, options)
            unkept = desk.conduct()
        print_lines(audit_lines(Document(desk.summary), say, desk.folder))
        problem = unkept or desk.audit.problem
        if problem:
            why = say.of(problem.code, problem.data)
            text = why if problem.code == NO_CALL else say("audit_stopped", problem=why)
            print(f"greta: {text}", file=sys.stderr)
        elif desk.summary["partial"]:
            command = f"greta audit --resume {shlex.quote(str(desk.folder))}"
            print(f"greta: {say('audit_resume', command=command)}", file=sys.stderr)
        code = exit_code_of(desk.summary["verdict"])
        return ExitCode.INCONCLUSIVE if unkept and code == ExitCode.OK else code


class _Desk:
    """An audit and the folder in which all that it learns is kept."""

    def __init__(self, plan: AuditPlan, options: argparse.Namespace) -> None:
        now = datetime.now().astimezone()
        self._plan, self._say = plan, Say(options.lang)
        self._started, self._seconds_before = now.isoformat(timespec="seconds"), 0.0
        self._began = self._kept = time.monotonic()
        self._keeping_took = 0.0
        self._rerun = rerun_facts(plan.seed, os.environ, saved(options), command_files(plan))
        say = Say("en").of
        if options.resume:
            self.folder = Path(options.resume)
            before = unfinished(self.folder)
            first = restored(before, plan.schedule, self.folder, say)
            if not first.left:
                raise UsageError(f"--resume: nothing is left to run in {self.folder}")
            self._started = before.get("started") or self._started
            self._rerun = before["rerun"]
            self._seconds_before = float(before.get("seconds") or 0.0)
            self.audit = plan.start(self.folder, first.left)
            self.audit.outcomes, self.audit.judgements = first.outcomes, first.judgements
            self.audit.unrecorded = first.unrecorded
        else:
            self.folder = create_case_folder(plan.root, plan.case, now.date())
            self.audit = plan.start(self.folder, plan.schedule)
        self.audit.say = say
        self.summary: dict[str, Any] = {}

    def conduct(self) -> Trouble | None:
        """Runs it and keeps what came of it; returns why that could not be kept, if so."""
        audit = self.audit
        asked = sum(iteration.recorded for iteration in audit.schedule)
        with AuditProgress(asked, len(audit.outcomes), self._say) as progress:

            def told(running: Audit) -> None:
                # Whoever kills the audit finds at least what it had shown.
                if progress.is_due(running) or self._is_time_to_keep():
                    self._keep_unfinished()
                progress.update(running)

            audit.progress = told
            try:
                self._keep_unfinished()
            except OSError as error:
                self.summary = self._summarize(audit.outcomes)
                return explain(error, self.folder)
            audit.run()
        end_leftovers(self.folder)
        self.summary = self._summarize(audit.outcomes)
        try:
            keep(self.folder, self.summary)
        except OSError as error:
            return explain(error, self.folder)
        return None

    def _is_time_to_keep(self) -> bool:
        wait = max(_KEEP_SECONDS, _KEEP_SHARE * self._keeping_took)
        return time.monotonic() - self._kept >= wait

    def _keep_unfinished(self) -> None:
        """Whoever kills the audit leaves a valid summary behind."""
        began = time.monotonic()
        judged = {judgement.run for judgement in self.audit.judgements}
        summary = self._summarize(known_so_far(self.audit.outcomes, judged))
        summary["partial"] = "running"
        if summary["verdict"] == "NOT_REPRODUCED":
            summary["verdict"] = "INCONCLUSIVE"
        write_json(self.folder / "summary.json", summary)
        self._kept = time.monotonic()
        self._keeping_took = self._kept - began

    def _summarize(self, outcomes: list[Outcome]) -> dict[str, Any]:
        audit, plan, problem = self.audit, self._plan, self.audit.problem
        run = next((self.folder / one.run for one in audit.judgements if one.verdict), None)
        return {
            "case": plan.case,
            **summarize(
                plan.tests,
                outcomes,
                audit.judgements,
                audit.unrecorded,
                audit.partial,
                audit.say,
            ),
            "problem": audit.say(problem.code, problem.data) if problem else None,
            "problem_code": problem.code if problem else None,
            "problem_data": problem.data if problem else None,
            "started": self._started,
            "ended": datetime.now().astimezone().isoformat(timespec="seconds"),
            "seconds": self._seconds_before + time.monotonic() - self._began,
            "device": device_facts(plan.choice, run),
            "environment": environment_facts(os.environ, run),
            "model": plan.model_facts,
            "program": program_facts(run),
            "rerun": self._rerun,
            "files": FILES,
        }
