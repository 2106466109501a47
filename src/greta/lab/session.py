"""An audit from a request to its folder: planned, run, and kept while it runs.

What it learns is in summary.json at every moment, so that whoever kills it loses little.
"""

from __future__ import annotations

import contextlib
import os
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Final

from greta.errors import UsageError
from greta.forensics.verdict import Saying, VerdictWord
from greta.forensics.verdict_json import Say
from greta.lab.artifacts import SUMS, create_case_folder, write_json
from greta.lab.audit import UNRECORDED, Audit, CommandAudit, WorkloadAudit
from greta.lab.children import device_lock, end_leftovers
from greta.lab.environment import device_facts, environment_facts, program_facts, rerun_facts
from greta.lab.outcomes import IterationOutcome, known_so_far
from greta.lab.plan import Iteration, MatrixTest, Prompt, matrix, schedule
from greta.lab.prompts import find_prompts
from greta.lab.request import AuditRequest, continued
from greta.lab.resume import refuse_other_builds, restored, unfinished
from greta.lab.summarizing import summarize
from greta.lab.summary import FileHash, ModelFacts, RanWith, RerunFacts, Summary
from greta.lab.summary_json import dump_summary
from greta.lab.trouble import explain
from greta.lab.worker import Setup
from greta.model import DefaultModel, default_model, find_model
from greta.runs.again import require_own, require_recorded
from greta.runs.device import RunDevice, choose_run_device
from greta.runs.files import model_files, sha256_of
from greta.runs.folder import read_run_if_whole
from greta.runs.program import find_program, refusal
from greta.runs.recorder import find_recorder, require_watch
from greta.trace.evidence import Expectations
from greta.trace.run_facts import RunFacts

_KEEP_SECONDS: Final = 0.5
_KEEP_SHARE: Final = 20
"""So many times as long as keeping took nothing is kept again: it costs at most 5 % of the time."""
_CONTEXT: Final = 512

FILES: Final = {
    **{
        f"report_{lang}_{end}": f"report.{lang}.{end}"
        for lang in ("en", "es")
        for end in ("md", "html")
    },
    "rerun": "rerun.json",
    "checksums": SUMS,
}

Downloaded = Callable[[int, int], None]
"""Bytes of the model that are there, and bytes there will be."""


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


@dataclass(frozen=True)
class AuditPlan:
    """Everything that is settled before the first child starts."""

    request: AuditRequest
    case: str
    device: RunDevice
    tests: list[MatrixTest]
    schedule: list[Iteration]
    setup: Setup | None
    """None: a command is audited."""
    model: ModelFacts | None
    stand_in: str | None
    """Why the model is not the one that is audited by default."""

    @property
    def kind(self) -> str:
        return str(self.device.facts.kind)

    def start(self, folder: Path, iterations: list[Iteration]) -> Audit:
        request = self.request
        make = (
            partial(WorkloadAudit, setup=self.setup)
            if self.setup
            else partial(
                CommandAudit,
                command=request.command,
                device=self.kind,
                expectations=Expectations(request.expect_build, request.expect_text),
                expected_output=request.expected_output,
                watch_host=request.watch_host,
            )
        )
        return make(
            folder=folder,
            schedule=iterations,
            seconds_per_iteration=request.timeout,
            fail_fast=request.fail_fast,
            environment=dict(self.device.environment),
        )


def plan_audit(request: AuditRequest, downloaded: Downloaded | None = None) -> AuditPlan:
    """Finds the device and the program, or the prompts and the model, which may be fetched."""
    tests = matrix(request.iters, request.stress_iters, list(request.profiles))
    device = choose_run_device(request.device, {})
    if request.watch_host:
        require_watch(find_recorder())
    if request.command:
        try:  # better now than after three runs in vain
            find_program(request.command[:1], device.environment)
        except OSError as error:
            raise refusal(request.command[0], error) from None
        iterations = schedule(tests, [Prompt("command", "")], request.seed)
        case = request.case or _case_name(request.command)
        return AuditPlan(request, case, device, tests, iterations, None, None, None)
    prompts = find_prompts(list(request.prompts))
    if request.model is None:
        model = default_model(downloaded)
    else:
        model = DefaultModel(find_model(request.model, downloaded), None)
    path = model.path
    kind, watch = str(device.facts.kind), request.watch_host
    setup = Setup(str(path), kind, request.max_tokens, context=_CONTEXT, watch_host=watch)
    iterations = schedule(tests, prompts, request.seed, UNRECORDED)
    [file] = model_files([str(path)])
    whole = file.hash if file.hash_method == "sha256" else None
    known = ModelFacts(name=request.model or path.stem, sha256=whole, **vars(file))
    case = request.case or "audit"
    return AuditPlan(request, case, device, tests, iterations, setup, known, model.lacking)


def _case_name(command: Sequence[str]) -> str:
    is_interpreter = Path(command[0]).name.startswith(("python", "bash", "sh"))
    scripts = (word for word in command[1:] if is_interpreter and not word.startswith("-"))
    name = Path(next(scripts, command[0])).stem
    return re.sub(r"[^A-Za-z0-9._-]+", "_", name).strip("._-") or "program"


def files_of(plan: AuditPlan) -> list[Path]:
    """Which files the command is; none of our own engine."""
    if not plan.request.command:
        return []
    program = find_program(plan.request.command, plan.device.environment)
    return [path for path in (program.path, program.script) if path is not None]


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
        with device_lock(self.plan.kind):
            end_leftovers(Path(self.plan.request.out))
            self._began = self._kept = time.monotonic()
            if resumed is None:
                self._begin()
            else:
                self._begin_again(resumed)
            self.audit.say = self._say
            self._conduct(progress or (lambda _: None))

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
        first = restored(before, self.plan.schedule, folder, self._say)
        if not first.left:
            raise UsageError(f"--resume: nothing is left to run in {folder}")
        now = datetime.now().astimezone().isoformat(timespec="seconds")
        self._started, self._rerun = before.started or now, before.ran.rerun or RerunFacts()
        self._seconds_before = before.seconds or 0.0
        self.audit = self.plan.start(folder, first.left)
        self.audit.outcomes, self.audit.judgements = first.outcomes, first.judgements
        self.audit.unrecorded = first.unrecorded

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


def plan_again(
    folder: Path, asked: AuditRequest, downloaded: Downloaded | None = None
) -> tuple[AuditPlan, list[str]]:
    """The plan of an audit that was cut short, and the words that would run.

    Raises UsageError unless the folder is the caller's own, and names what it ran.
    """
    before = unfinished(folder)
    plan = plan_audit(continued(asked, before, folder), downloaded)
    refuse_other_builds(before, plan.model)
    require_own(folder, "summary.json")
    rerun = before.ran.rerun or RerunFacts()
    known = {one.path: one.sha256 for one in rerun.files}
    for path in files_of(plan):
        require_recorded(path, known.get(str(path)))
    words = plan.request.command or rerun.command
    return plan, list(words) or ["greta", "audit"]
