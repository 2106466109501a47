"""An audit from a request to its folder: planned, run, and kept while it runs.

What it learns is in summary.json at every moment, so that whoever kills it loses little.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Final

from greta.errors import UsageError
from greta.forensics.verdict import Saying, VerdictWord
from greta.forensics.verdict_json import Say
from greta.lab.artifacts import SUMS, create_case_folder, write_json
from greta.lab.audit import Audit
from greta.lab.children import device_locks, end_leftovers
from greta.lab.environment import device_facts, environment_facts, program_facts, rerun_facts
from greta.lab.outcomes import IterationOutcome, known_so_far
from greta.lab.prepare import AuditPlan, files_of
from greta.lab.resume import restored, unfinished
from greta.lab.summarizing import summarize
from greta.lab.summary import FileHash, RanWith, RerunFacts, Summary
from greta.lab.summary_json import dump_summary
from greta.lab.trouble import explain
from greta.runs.device import visible_devices
from greta.runs.files import sha256_of
from greta.runs.folder import read_run_if_whole
from greta.trace.run_facts import RunFacts

_KEEP_SECONDS: Final = 0.5
_KEEP_SHARE: Final = 20
"""So many times as long as keeping took nothing is kept again: it costs at most 5 % of the time."""

FILES: Final = {
    **{
        f"report_{lang}_{end}": f"report.{lang}.{end}"
        for lang in ("en", "es")
        for end in ("md", "html")
    },
    "rerun": "rerun.json",
    "checksums": SUMS,
}


@dataclass(frozen=True)
class AuditStep:
    done: int
    total: int
    failures: int
    test: str
    """The one that the last iteration was of: A, B, C ..."""
    tokens_per_second: float | None
    kept: bool
    """Whether summary.json has all of it."""


Progress = Callable[[AuditStep], None]
Keep = Callable[[Path, Summary], None]
"""Writes what an audit leaves behind when it has ended; raises OSError."""


class AuditSession:
    """An audit and the folder in which all that it learns is kept."""

    def __init__(
        self, plan: AuditPlan, say: Say, keep: Keep, words: Sequence[str] | None = None
    ) -> None:
        """`say` words what is kept, in English; `words`: the command line, if there was one."""
        self.plan, self.folder = plan, Path()
        self.summary: Summary
        """All that it came to; there when it has begun."""
        self.unkept: Saying | None = None
        """Why what came of it could not be kept, if so."""
        self._say, self._keep = say, keep
        self._words = list(words) if words else plan.request.words
        self._seconds_before = 0.0
        self._keeping_took = 0.0

    def conduct(self, progress: Progress | None = None, resumed: Path | None = None) -> None:
        """Runs all of it in a new folder, or what is left of the audit in `resumed`.

        Raises UsageError if another audit has the device.
        """
        with self._devices():
            self._began = self._kept = time.monotonic()
            if resumed is None:
                self._begin()
            else:
                self._begin_again(resumed)
            self.audit.say = self._say
            self._conduct(progress or (lambda _: None))

    @contextlib.contextmanager
    def _devices(self) -> Iterator[None]:
        plan = self.plan
        if plan.request.ray:  # which knows what is free
            yield
            return
        names = visible_devices(plan.device.environment, plan.ordinals)
        with device_locks(plan.kind, names):
            if not names:  # else somebody may be auditing on another device
                end_leftovers(Path(plan.request.out))
            yield

    def _begin(self) -> None:
        now = datetime.now().astimezone()
        self._started = now.isoformat(timespec="seconds")
        request, files = self.plan.request, list[FileHash]()
        with contextlib.suppress(OSError):  # executable, and not readable
            files = [FileHash(str(one), sha256_of(one)) for one in files_of(self.plan)]
        self._rerun = rerun_facts(self._words, request.seed, os.environ, request.options, files)
        self.folder = create_case_folder(Path(request.out), self.plan.case, now.date())
        self.audit = self.plan.start(self.folder, self.plan.schedule)

    def _begin_again(self, folder: Path) -> None:
        self.folder, before = folder, unfinished(folder)
        end_leftovers(folder)
        first = restored(before, self.plan.schedule, folder, self._say)
        if not first.left:
            raise UsageError(f"--resume: nothing is left to run in {folder}")
        now = datetime.now().astimezone().isoformat(timespec="seconds")
        self._started, self._rerun = before.started or now, before.ran.rerun or RerunFacts()
        self._seconds_before = before.seconds or 0.0
        self.audit = self.plan.start(folder, first.left)
        self.audit.outcomes, self.audit.judgements = first.outcomes, first.judgements
        self.audit.unrecorded, self.audit.lost = first.unrecorded, list(before.lost)

    def _conduct(self, progress: Progress) -> None:
        audit = self.audit
        asked = sum(iteration.recorded for iteration in audit.schedule)
        total = asked + len(audit.outcomes)
        audit.progress = lambda running: progress(self._step(running, total))
        try:
            self._keep_unfinished()
        except OSError as error:
            self.summary = self._summarize(audit.outcomes)
            self.unkept = explain(error, self.folder)
            return
        audit.run()
        end_leftovers(self.folder)
        self.summary = self._summarize(audit.outcomes)
        try:
            self._keep(self.folder, self.summary)
        except OSError as error:
            self.unkept = explain(error, self.folder)

    def _step(self, audit: Audit, total: int) -> AuditStep:
        """Whoever kills the audit finds at least what it had shown as kept."""
        done, last = len(audit.outcomes), audit.outcomes[-1]
        wait = max(_KEEP_SECONDS, _KEEP_SHARE * self._keeping_took)
        kept = done == total or time.monotonic() - self._kept >= wait
        if kept:
            self._keep_unfinished()
        test = last.iteration.test.id
        return AuditStep(done, total, audit.failures, test, last.tokens_per_second, kept)

    def _keep_unfinished(self) -> None:
        began = time.monotonic()
        judged = {judgement.run for judgement in self.audit.judgements}
        summary = self._summarize(known_so_far(self.audit.outcomes, judged))
        verdict = summary.verdict
        if verdict.word is VerdictWord.NOT_REPRODUCED:
            verdict = replace(verdict, word=VerdictWord.INCONCLUSIVE)
        unfinished_ = replace(summary, verdict=verdict, partial="running")
        write_json(self.folder / "summary.json", dump_summary(unfinished_, self._say))
        self._kept = time.monotonic()
        self._keeping_took = self._kept - began

    def _summarize(self, outcomes: list[IterationOutcome]) -> Summary:
        audit, plan = self.audit, self.plan
        judged = next((self.folder / one.run for one in audit.judgements if one.verdict), None)
        run = read_run_if_whole(judged) if judged else RunFacts()
        return replace(
            summarize(plan.tests, outcomes, audit.judgements, audit.unrecorded, audit.partial),
            case=plan.case,
            problem=audit.problem,
            lost=tuple(audit.lost),
            started=self._started,
            ended=datetime.now().astimezone().isoformat(timespec="seconds"),
            seconds=self._seconds_before + time.monotonic() - self._began,
            ran=RanWith(
                device=device_facts(plan.device.facts, run),
                environment=environment_facts(os.environ, run),
                model=plan.model,
                program=program_facts(run),
                rerun=self._rerun,
            ),
            files=FILES,
        )
