"""Everything of an audit that is settled before the first child starts."""

from __future__ import annotations

import platform
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Final

from greta.lab.audit import UNRECORDED, Audit, CommandAudit, WorkloadAudit
from greta.lab.devices import DevicesAudit
from greta.lab.plan import Iteration, MatrixTest, Prompt, matrix, schedule, turns
from greta.lab.prompts import find_prompts
from greta.lab.request import AuditRequest, continued
from greta.lab.resume import refuse_other_builds, unfinished
from greta.lab.summary import ModelFacts, RerunFacts
from greta.lab.worker import Setup
from greta.model import DefaultModel, ModelError, default_model, find_model
from greta.runs.again import require_own, require_recorded
from greta.runs.device import RunDevice, choose_run_device, chosen_ordinals, one_device
from greta.runs.files import model_files
from greta.runs.program import find_program, refusal
from greta.runs.recorder import find_recorder, require_watch
from greta.trace.evidence import Expectations

_CONTEXT: Final = 512

Downloaded = Callable[[int, int], None]
"""Bytes of the model that are there, and bytes there will be."""


@dataclass(frozen=True)
class AuditPlan:
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
    ordinals: tuple[int, ...] = ()
    """The devices, where they were named."""

    @property
    def kind(self) -> str:
        return str(self.device.facts.kind)

    def start(self, folder: Path, iterations: list[Iteration]) -> Audit:
        request = self.request
        if not (self.ordinals or request.ray):
            audit = self.start_alone(folder)
            audit.schedule = iterations
            return audit
        collect: Callable[..., Audit]
        if request.ray:
            from greta.lab.cluster import RayAudit  # an extra

            collect = partial(RayAudit, plan=self, address=request.ray)
        else:
            make = partial(self.start_alone, folder)
            collect = partial(DevicesAudit, make=make, ordinals=self.ordinals)
        return collect(
            folder=folder,
            schedule=iterations,
            seconds_per_iteration=request.timeout,
            fail_fast=request.fail_fast,
            node=platform.node(),
        )

    def start_alone(self, folder: Path, ordinal: int | None = None) -> Audit:
        """On one device, with nothing to run yet."""
        request, device = self.request, self.device
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
            schedule=[],
            seconds_per_iteration=request.timeout,
            fail_fast=request.fail_fast,
            environment=one_device(device, ordinal, self.ordinals)
            if ordinal is not None
            else dict(device.environment),
            node=platform.node() if ordinal is not None else None,
            ordinal=ordinal,
            label=f"device{ordinal}" if ordinal is not None else "",
        )


def plan_audit(request: AuditRequest, downloaded: Downloaded | None = None) -> AuditPlan:
    """Finds devices and program, or prompts and model, which may be fetched."""
    device = choose_run_device(request.device, {})
    ordinals = chosen_ordinals(request.devices, device) if request.devices else ()
    if request.watch_host:
        require_watch(find_recorder())
    if request.ray:
        import_module("ray")  # an extra: better missed now than in a new folder
    tests = matrix(request.iters, request.stress_iters, list(request.profiles))
    if request.command:
        try:  # better now than after three runs in vain
            find_program(request.command[:1], device.environment)
        except OSError as error:
            raise refusal(request.command[0], error) from None
        iterations = schedule(tests, [Prompt("command", "")], request.seed)
        case = request.case or _case_name(request.command)
        plan = AuditPlan(request, case, device, tests, iterations, None, None, None, ordinals)
        return _part_of(plan)
    prompts = find_prompts(list(request.prompts))
    if request.model is None:
        model = default_model(downloaded)
    else:
        model = DefaultModel(find_model(request.model, downloaded), None)
    path, kind, watch = model.path, str(device.facts.kind), request.watch_host
    setup = Setup(str(path), kind, request.max_tokens, context=_CONTEXT, watch_host=watch)
    iterations = schedule(tests, prompts, request.seed, UNRECORDED)
    file = next(iter(model_files([str(path)])), None)
    if file is None:
        raise ModelError(f"{path}: is not a GGUF file; --model takes one, smollm2 or tiny")
    whole = file.hash if file.hash_method == "sha256" else None
    known = ModelFacts(name=request.model or path.stem, sha256=whole, **vars(file))
    case, why = request.case or "audit", model.lacking
    return _part_of(
        AuditPlan(request, case, device, tests, iterations, setup, known, why, ordinals)
    )


def _part_of(plan: AuditPlan) -> AuditPlan:
    """The turns of one job of an array; every one has a like share of each test."""
    number, count = plan.request.part_of
    iterations = [one for turn in turns(plan.schedule)[number - 1 :: count] for one in turn]
    counts = Counter(one.test.id for one in iterations if one.recorded)
    tests = [replace(one, iterations=counts[one.id]) for one in plan.tests if counts[one.id]]
    return replace(plan, tests=tests, schedule=iterations)


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
