"""An audit on the nodes of a Ray cluster: Ray places the work, tries it again, and carries it.

A task runs some turns of the schedule as an audit of its own and brings back what that came to.
Where a node has the audit's folder (a shared file system), its runs stay there; else their files
come back with the task, each content once, under its SHA-256.
"""

from __future__ import annotations

import hashlib
import os
import platform
import secrets
import tempfile
import time
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import ray
from ray.exceptions import RayError
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

import greta
from greta.errors import UsageError
from greta.forensics.verdict import Saying
from greta.forensics.verdict_json import Say
from greta.lab.artifacts import unused
from greta.lab.devices import AuditShare, ShareCollector, sort_as_scheduled
from greta.lab.plan import Iteration, turns
from greta.lab.summary import LostWork
from greta.lab.trouble import AuditStoppedError
from greta.printable import printable
from greta.runs.device import choose_run_device

if TYPE_CHECKING:
    from greta.lab.prepare import AuditPlan

LOCAL: Final = "local"
_TURNS_OF_AN_ENGINE: Final = 8
"""In one task: a child loads the model once for all of them."""
_MOST_RETRIES: Final = 5
_JOURNAL_SECONDS: Final = 60
_PATIENCE_SECONDS: Final = 0.5
_MARK: Final = "cluster.mark"


@dataclass(frozen=True)
class PartWork:
    """What all tasks of an audit have in common."""

    plan: AuditPlan
    folder: str
    mark: str
    cwd: str
    say: Say
    version: str


@dataclass(frozen=True)
class PartAttempt:
    """At a part of the schedule, on some node."""

    part: int
    node: str
    device: int | None
    began: float
    """Seconds of the node's clock."""


@dataclass(frozen=True)
class PartResult:
    share: AuditShare
    attempt: PartAttempt
    files: Mapping[str, str] = field(default_factory=dict)
    """SHA-256 by path, from the audit's folder; nothing where that is shared."""
    contents: Mapping[str, bytes] = field(default_factory=dict)
    """Compressed, by SHA-256."""


class Journal:
    """An actor that hears of every attempt: one that has no result was lost with its node."""

    def __init__(self) -> None:
        self._attempts: list[PartAttempt] = []

    def note(self, attempt: PartAttempt) -> None:
        self._attempts.append(attempt)

    def attempts(self) -> list[PartAttempt]:
        return self._attempts


@dataclass(kw_only=True)
class RayAudit(ShareCollector):
    plan: AuditPlan
    address: str
    journal: Any = None

    def _run_all(self) -> None:
        own, size = turns(self.schedule), _TURNS_OF_AN_ENGINE if self.plan.setup else 1
        groups = (own[first : first + size] for first in range(0, len(own), size))
        parts = [[one for turn in group for one in turn] for group in groups]
        with _connected(self.address), _marked(self.folder) as mark:
            work = PartWork(
                replace(self.plan, schedule=[], device=replace(self.plan.device, environment={})),
                str(self.folder.absolute()),
                mark,
                str(Path.cwd()),
                self.say,
                greta.__version__,
            )
            self._collect(work, parts)

    def end(self) -> None:
        sort_as_scheduled(self.outcomes, self.judgements, self.schedule)

    def _collect(self, work: PartWork, parts: list[list[Iteration]]) -> None:
        # Where we are, or nowhere: no other node's death shall take it along.
        here = NodeAffinitySchedulingStrategy(ray.get_runtime_context().get_node_id(), soft=False)
        self.journal = ray.remote(num_cpus=0, scheduling_strategy=here)(Journal).remote()
        needs = {"num_gpus": 1} if self.plan.kind == "hip" else {"num_cpus": 1}
        # What a dying node takes with it, Ray runs again; what our own code raises, it would again.
        run = ray.remote(max_retries=_MOST_RETRIES, **needs)(run_part)
        sent = ray.put(work)
        tasks = [run.remote(sent, number, part, self.journal) for number, part in enumerate(parts)]
        pending, results = list(tasks), dict[int, PartAttempt]()
        try:
            while pending and self.partial is None:
                ready, pending = ray.wait(pending, timeout=_PATIENCE_SECONDS)
                for task in ready:
                    result = _got(task)
                    results[result.attempt.part] = result.attempt
                    self.take(_kept(result, self.folder))
                    if problem := result.share.problem:
                        raise AuditStoppedError(problem)
        finally:
            for task in pending:
                ray.cancel(task, force=True)
            self.lost += _lost(self.journal, results, parts)


@contextmanager
def _connected(address: str) -> Iterator[None]:
    if ray.is_initialized():  # by who uses greta as a library
        yield
        return
    where = {} if address == LOCAL else {"address": address}
    try:
        ray.init(**where, log_to_driver=False, logging_level="error")
    except (RayError, ConnectionError, RuntimeError, ValueError) as error:
        why = str(error).strip().splitlines() or [type(error).__name__]
        raise AuditStoppedError(Saying("trouble_cluster", {"reason": why[0]})) from None
    try:
        yield
    finally:
        ray.shutdown()


@contextmanager
def _marked(folder: Path) -> Iterator[str]:
    """What a node finds in the folder only if it is the same one there."""
    file, mark = folder / _MARK, secrets.token_hex(16)
    file.write_text(mark, encoding="ascii")
    try:
        yield mark
    finally:
        file.unlink(missing_ok=True)


def _got(task: Any) -> PartResult:
    try:
        result: PartResult = ray.get(task)
    except RayError as error:
        # What a task raised comes within a traceback of its node.
        cause = getattr(error, "cause", None) or error
        reason = printable(str(cause).strip().partition("\n")[0]) or type(cause).__name__
        raise AuditStoppedError(Saying("trouble_cluster", {"reason": reason})) from None
    return result


def _lost(
    journal: Any, results: Mapping[int, PartAttempt], parts: Sequence[Sequence[Iteration]]
) -> list[LostWork]:
    """Attempts at parts that a later one has brought to an end."""
    try:
        attempts: list[PartAttempt] = ray.get(journal.attempts.remote(), timeout=_JOURNAL_SECONDS)
    except RayError:
        return []
    lost = []
    for one in attempts:
        if results.get(one.part, one) != one:
            names = (f"{it.test.id}.{it.number}" for it in parts[one.part] if it.recorded)
            seconds = results[one.part].began - one.began
            lost.append(LostWork(tuple(names), one.node, one.device, seconds))
    return lost


def _kept(result: PartResult, folder: Path) -> AuditShare:
    """The share, with its run folders in that of the audit."""
    share, names = result.share, dict[str, str]()
    runs = {one.run for one in share.outcomes} | {one.run for one in share.judgements}
    for run in sorted(runs) if result.files else ():
        # Of a part that was cut short there may be one.
        names[run] = str(unused(folder / "run", Path(run).name, ".again").relative_to(folder))
    for name, digest in result.files.items():
        run = "/".join(Path(name).parts[:2])
        target = folder / names.get(run, run) / Path(*Path(name).parts[2:])
        content = zlib.decompress(result.contents[digest])
        if hashlib.sha256(content).hexdigest() != digest:
            raise AuditStoppedError(Saying("trouble_cluster", {"reason": f"{name}: SHA-256"}))
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
    for outcome in share.outcomes:
        outcome.run = names.get(outcome.run, outcome.run)
    for judgement in share.judgements:
        judgement.run = names.get(judgement.run, judgement.run)
    return share


def run_part(work: PartWork, number: int, part: list[Iteration], journal: Any) -> PartResult:
    """On a node: some turns, as an audit of their own."""
    if work.version != greta.__version__:
        raise UsageError(f"{platform.node()} has greta {greta.__version__}, not {work.version}")
    context = ray.get_runtime_context()
    devices = context.get_accelerator_ids().get("GPU", [])
    device = int(devices[0]) if devices and str(devices[0]).isdecimal() else None
    node = f"{platform.node()} {context.get_node_id()[:8]}"
    attempt = PartAttempt(number, node, device, time.time())
    journal.note.remote(attempt)
    if Path(work.cwd).is_dir():
        os.chdir(work.cwd)
    # Of a node its own libraries, and the environment in which Ray was started there.
    plan = replace(work.plan, device=choose_run_device(work.plan.kind, {}))
    with _place(work) as (folder, is_shared):
        audit = plan.start_alone(folder)
        audit.node, audit.ordinal, audit.label = node, device, f"part{number}"
        audit.say, audit.schedule = work.say, part
        audit.run()
        share = AuditShare(audit.outcomes, audit.judgements, audit.unrecorded, audit.problem)
        packed = ({}, {}) if is_shared else _packed(folder)
        return PartResult(share, attempt, *packed)


@contextmanager
def _place(work: PartWork) -> Iterator[tuple[Path, bool]]:
    """The audit's folder if this node has it, else one of its own."""
    folder = Path(work.folder)
    try:
        is_shared = (folder / _MARK).read_text(encoding="ascii") == work.mark
    except (OSError, ValueError):
        is_shared = False
    if is_shared:
        yield folder, True
        return
    with tempfile.TemporaryDirectory(prefix="greta-") as own:
        yield Path(own), False


def _packed(folder: Path) -> tuple[dict[str, str], dict[str, bytes]]:
    """Which file has which SHA-256, and each content once."""
    files, contents = dict[str, str](), dict[str, bytes]()
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.is_symlink():
            content = path.read_bytes()
            digest = hashlib.sha256(content).hexdigest()
            files[str(path.relative_to(folder))] = digest
            contents.setdefault(digest, zlib.compress(content, 1))
    return files, contents
