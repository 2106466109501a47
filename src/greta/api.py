"""What `import greta` offers; docs/python.md shows it.

The command line is a layer on it. Nothing here prints: what takes long says how far it is through
a callback, and what goes wrong is a GretaError.
"""

from __future__ import annotations

import html
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import IO, TYPE_CHECKING, Literal

from greta.errors import UsageError
from greta.outside import is_there
from greta.printable import plain, without_controls
from greta.runs.device import choose_run_device, debug_agent_environment, sim_settings, sim_words
from greta.runs.folder import read_run, refuse_audit_folder
from greta.runs.program import refusal
from greta.runs.record import CompletedRun, RunRequest, print_on_stderr, record
from greta.runs.recorder import find_recorder, require_watch
from greta.trace.evidence import Expectations
from greta.trace.run_facts import RunFacts

# What judges and reports is loaded when a program has ended: it need not wait for that.
if TYPE_CHECKING:
    from greta.forensics.verdict import Verdict
    from greta.lab.session import AuditStep
    from greta.lab.summary import RerunFacts, Summary
    from greta.recording import Recording
    from greta.reports.export import Advance
    from greta.reports.lang import Language
    from greta.reports.reported import Reported
    from greta.runs.review import Review
    from greta.runs.tally import Tally

AnyPath = str | os.PathLike[str]
DeviceName = Literal["auto", "hip", "sim"]
ReportFormat = Literal["md", "html", "json"]
ExportFormat = Literal["jsonl", "parquet", "perfetto"]


class Run:
    """A run folder: what ran, what it did, and what that shows."""

    def __init__(
        self, path: Path, facts: RunFacts | None, completed: CompletedRun | None = None
    ) -> None:
        self.path = path
        self._facts = facts
        self.completed = completed
        """How it ended, if this process has run it."""

    def __repr__(self) -> str:
        return f"Run({str(self.path)!r}, exit_code={self.exit_code})"

    def _repr_html_(self) -> str:
        """The report, where a notebook shows a run; in a frame, so that its styles stay its own."""
        return _framed(self.report(format="html"))

    @property
    def facts(self) -> RunFacts:
        """run.json; nothing is known of a recording alone."""
        known = self.completed.facts if self.completed else self._facts
        return known or RunFacts()

    @property
    def exit_code(self) -> int | None:
        """The program's own, 128 + N if signal N ended it; None if nobody saw its end."""
        if self.completed is not None:
            return self.completed.ending.exit_code
        ending = self._facts.exit if self._facts and self._facts.finished else None
        return ending.exit_code if ending else None

    @property
    def stdout(self) -> str:
        """What the program wrote; bytes that are no UTF-8 are replaced."""
        return self._log("stdout")

    @property
    def stderr(self) -> str:
        """The same of its other stream."""
        return self._log("stderr")

    @cached_property
    def review(self) -> Review | None:
        """What the recording holds, read when the program had ended; None if it ran long ago."""
        from greta.runs.review import review

        return review(self.completed) if self.completed else None

    @cached_property
    def recording(self) -> Recording:
        """Every call; raises RecordingError if nothing there can be read."""
        from greta.recording import open_recording

        return (self.review and self.review.recording) or open_recording(self.path)

    @cached_property
    def summary(self) -> Tally:
        """Calls, errors, copies, launches and memory, counted."""
        from greta.runs.tally import tally

        return self.review.counts if self.review else tally(self.recording)

    def verdict(
        self, *, expect_build: AnyPath | None = None, expect_text: Iterable[str] = ()
    ) -> Verdict:
        """What the run shows: the fault and its cause, or that the evidence is not there.

        `expect_build`: the path, hash or build id of what was meant to run; `expect_text`: what its
        file must contain.
        """
        expected = Expectations(os.fspath(expect_build) if expect_build else None, (*expect_text,))
        return self.judged(expected)

    def report(
        self,
        lang: Language = "en",
        format: ReportFormat = "md",  # noqa: A002 - as --format
        path: AnyPath | None = None,
    ) -> str:
        """The report for a person who has to decide something; `path`: also written there."""
        return rendered(self.reported(), lang, format, path)

    def export(
        self,
        format: ExportFormat,  # noqa: A002
        path: AnyPath,
        *,
        progress: Advance | None = None,
    ) -> Path:
        """Writes the recording for other tools; `progress` hears how many calls were written."""
        from greta.reports.export import write

        target = Path(path)
        try:
            with replacing(target) as file:
                told = self.judged() if format == "perfetto" else None
                write(self.recording, format, file, progress or (lambda _: None), told)
        except OSError as error:
            raise UsageError(f"cannot write {target}: {error.strerror or error}") from None
        return target

    def reported(self) -> Reported:
        from greta.lab.environment import asked_variables, environment_facts, program_facts
        from greta.lab.summary import ModelFacts, RanWith, Summary
        from greta.reports.reported import Reported

        verdict, case = self.judged(), self.path.resolve().name
        if self._facts is None:
            return Reported(Summary(verdict, case))
        facts = self.facts
        model = next(iter(facts.models), None)
        name = (model.shape.title if model.shape else "") or Path(model.path).stem if model else ""
        ran = RanWith(
            device=facts.device,
            model=ModelFacts(name, **vars(model)) if model else None,
            environment=environment_facts(asked_variables(facts), facts),
            program=program_facts(facts),
            rerun=rerun_of(facts),
        )
        summary = Summary(verdict, case, started=facts.started or "", ran=ran)
        return Reported(summary, str(self.path.resolve()))

    def judged(self, expectations: Expectations | None = None) -> Verdict:
        from greta.forensics.analysis import analyze
        from greta.recording import RecordingError
        from greta.runs.binary import require_sense
        from greta.runs.gather import gather_recorded
        from greta.runs.readable_names import with_readable_names

        expectations = expectations or Expectations()
        require_sense(expectations)
        try:
            recording: Recording | None = self.recording
        except RecordingError:
            recording = None  # which the verdict says
        evidence = gather_recorded(self.path, (), expectations, recording)
        return _shown(with_readable_names(analyze(evidence)))

    def _log(self, stream: str) -> str:
        from greta.outside import read_outside

        try:
            data = read_outside(self.path / f"{stream}.log", within=self.path)
        except FileNotFoundError:
            return ""
        return data.decode("utf-8", "replace")


def run(
    command: Sequence[AnyPath],
    *,
    device: DeviceName | None = None,
    out: AnyPath | None = None,
    ring: int | None = None,
    watch_host: bool = False,
    debug_agent: bool = False,
    stacks: int | None = None,
    guard: str | None = None,
    disk: int | None = None,
    echo: bool = False,
    devices: int | None = None,
    vram: int | None = None,
    strict: bool = False,
    footprints: bool = False,
    abort_on_fault: bool = False,
    checks: Sequence[str] = (),
    environment: Mapping[str, str] | None = None,
    follow_children: bool = True,
    keep_running: bool = False,
    tell: Callable[[str], None] | None = None,
    read: bool = True,
) -> Run:
    """Runs any HIP program under the recorder, to its end; the options are those of `greta run`.

    `echo`: the program has this process' standard streams; without it, it gets no input, and what
    it writes is only kept. `guard`: "LEAST:MOST:BUDGET" in bytes, each of which may be empty.
    `disk`: bytes that the recording may take.
    `checks`: the tools of `greta check` that the run is for; run.json has them.
    `environment`: variables that it gets beside those of this process.
    `follow_children`: what its children write after its end is kept, too. `keep_running`: it
    lives on if this process is ended; LeftRunningError if a signal did that. `tell` hears what
    `greta run` says meanwhile on stderr. `read`: the recording is read, and run.json completed,
    before this returns; else when `review` is asked for.
    """
    words = _words(command)
    if not words:
        raise UsageError("no program given")
    settings = sim_settings(
        devices, vram, strict=strict, footprints=footprints, abort_on_fault=abort_on_fault
    )
    chosen, variables = choose_run_device(device, settings), dict[str, str]()
    if watch_host and chosen.facts.kind == "hip":
        # A GPU reaches pinned memory through the process' page tables, unless the driver allocates
        # it; only then can the pages be protected without taking them away from the GPU.
        variables["HSA_USERPTR_FOR_PAGED_MEM"] = "0"
    given = {**variables, **chosen.environment, **(environment or {})}
    request = RunRequest(
        command=words,
        environment=given | (debug_agent_environment(given, chosen.facts) if debug_agent else {}),
        device=chosen.facts,
        recorder=find_recorder(),
        out=os.fspath(out) if out is not None else None,
        ring=ring,
        watch_host=watch_host,
        checks=checks,
        more=_recorder_variables(stacks, guard),
        guard=guard,
        disk_budget=disk,
        follow_children=follow_children,
        echo=echo,
        keep_running=keep_running,
        tell=tell or print_on_stderr,
    )
    if watch_host:
        require_watch(request.recorder)
    try:
        completed = record(request)
    except OSError as error:
        raise refusal(words[0], error) from None
    found = Run(completed.folder.path, completed.facts, completed)
    if read:
        _ = found.review
    return found


def _words(command: Sequence[AnyPath]) -> list[str]:
    """A string is a sequence, too: of letters."""
    if isinstance(command, (str, bytes, os.PathLike)):
        raise UsageError(
            "the command must be a list of words, such as ['./a.out', '--steps', '10'], "
            f"not {command!r}"
        )
    return [os.fspath(word) for word in command]


def _recorder_variables(stacks: int | None, guard: str | None) -> dict[str, str]:
    given = {
        "GRETA_RECORD_STACKS": None if stacks is None else str(stacks),
        "GRETA_RECORD_GUARD": guard,
    }
    return {name: value for name, value in given.items() if value is not None}


def open_run(path: AnyPath) -> Run:
    """A run folder, or a recording alone; raises UsageError if it is neither."""
    from greta.runs.gather import is_recorded

    folder = Path(path)
    refuse_audit_folder(folder)
    if not folder.exists():
        raise UsageError(f"{folder} does not exist; name a run folder")
    if not (folder.is_dir() and is_recorded(folder)):
        raise UsageError(f"{folder} is no run folder; `greta.analyze` reads logs")
    return Run(folder, read_run(folder))


def analyze(
    *paths: AnyPath, expect_build: AnyPath | None = None, expect_text: Iterable[str] = ()
) -> Verdict:
    """The verdict on a run folder, a recording, another tool's log, or a folder of logs.

    Several paths are taken as one run.
    """
    given = [Path(path) for path in paths]
    expected = Expectations(os.fspath(expect_build) if expect_build else None, (*expect_text,))
    return judged(given, expected)


def judged(paths: Sequence[Path], expectations: Expectations) -> Verdict:
    from greta.forensics.analysis import analyze as judge
    from greta.runs.gather import gather
    from greta.runs.readable_names import with_readable_names

    for path in paths:
        refuse_audit_folder(path)
    return _shown(with_readable_names(judge(gather(paths, expectations))))


def _shown(verdict: Verdict) -> Verdict:
    """One that a notebook shows as a page."""

    def page_of(verdict: Verdict) -> str:
        from greta.reports.reported import reported_verdict

        return _framed(rendered(reported_verdict(verdict), "en", "html", None))

    type(verdict).shown_by = page_of
    return verdict


def _framed(page: str) -> str:
    whole = html.escape(page, quote=True)
    style = "width: 100%; height: 42em; border: 1px solid #8888"
    return f'<iframe srcdoc="{whole}" style="{style}" sandbox></iframe>'


def rerun_of(facts: RunFacts) -> RerunFacts:
    from greta.lab.summary import RerunFacts

    # `greta run` with the options that make it the same run.
    kind = facts.device.kind if facts.device else None
    words = ["greta", "run", *(["--device", kind] if kind else [])]
    words += sim_words(facts.environment) if kind == "sim" else []
    words += ["--ring", str(facts.ring)] if facts.ring else []
    words += ["--watch-host"] if facts.watch_host else []
    words += (
        ["--debug-agent"] if "debug-agent" in facts.environment.get("HSA_TOOLS_LIB", "") else []
    )
    words += ["--guard", facts.guard] if facts.guard else []
    return RerunFacts(facts.command, folder=facts.folder, recorder=tuple(words))


def reported_run(verdict: Verdict, facts: RunFacts | None, path: Path) -> Reported:
    """A verdict with what it takes to go on from it; nothing is known of a log."""
    from greta.lab.summary import RanWith
    from greta.reports.reported import reported_verdict

    if facts is None:
        return reported_verdict(verdict)
    return reported_verdict(verdict, RanWith(rerun=rerun_of(facts)), str(path.resolve()))


@dataclass(frozen=True)
class CompletedAudit:
    """An audit that has ended, and its folder with all runs and reports."""

    path: Path
    summary: Summary

    @property
    def verdict(self) -> Verdict:
        """The verdict on all runs together."""
        return self.summary.verdict

    def report(
        self,
        lang: Language = "en",
        format: ReportFormat = "md",  # noqa: A002
        path: AnyPath | None = None,
    ) -> str:
        """The report; `path`: also written there. The folder has it in both languages already."""
        return rendered(_reported_audit(self.path), lang, format, path)


def audit(
    command: Sequence[AnyPath] = (),
    *,
    model: AnyPath | None = None,
    device: DeviceName | None = None,
    iters: int = 50,
    stress_iters: int = 100,
    prompts: Iterable[AnyPath] = (),
    max_tokens: int = 10,
    seed: int = 0,
    fail_fast: bool = False,
    case: str | None = None,
    out: AnyPath = "artifacts",
    profiles: Iterable[str] = ("none",),
    timeout: float = 120.0,
    expect_build: AnyPath | None = None,
    expect_text: Iterable[str] = (),
    expect_output: str | None = None,
    watch_host: bool = False,
    devices: str | None = None,
    ray: str | None = None,
    progress: Callable[[AuditStep], None] | None = None,
) -> CompletedAudit:
    """Runs a command, or our own engine, again and again; the options are those of `greta audit`.

    `progress` hears of each iteration. Ctrl-C ends it; what was seen until then is in the summary,
    whose `partial` says so. Raises AuditStoppedError if nothing could be kept.
    """
    from greta.lab.prepare import plan_audit
    from greta.lab.request import AuditRequest
    from greta.lab.session import AuditSession
    from greta.lab.trouble import AuditStoppedError
    from greta.reports.audit_files import keep
    from greta.reports.lang import Say

    request = AuditRequest(
        model=os.fspath(model) if model is not None else None,
        device=device,
        iters=iters,
        stress_iters=stress_iters,
        prompts=tuple(os.fspath(one) for one in prompts),
        max_tokens=max_tokens,
        seed=seed,
        fail_fast=fail_fast,
        case=case,
        out=os.fspath(out),
        profiles=tuple(profiles),
        timeout=timeout,
        expect_build=os.fspath(expect_build) if expect_build is not None else None,
        expect_text=tuple(expect_text),
        expect_output=expect_output,
        watch_host=watch_host,
        devices=devices,
        ray=ray,
        command=tuple(_words(command)),
    )
    session = AuditSession(plan_audit(request), Say("en").of, keep)
    session.conduct(progress)
    if session.unkept:
        raise AuditStoppedError(session.unkept)
    return CompletedAudit(session.folder, session.summary)


def _reported_audit(folder: Path) -> Reported:
    from greta.reports.reported import read_reported

    return read_reported(folder / "summary.json", str(folder.resolve()))


def reported_at(path: Path) -> Reported:
    """All that a report shows of an audit, a run, a recording, a log, or a summary.json alone."""
    from greta.lab.summary import Summary
    from greta.reports.reported import Reported, read_reported
    from greta.runs.gather import is_recorded

    if path.is_file() and path.suffix == ".json":
        return read_reported(path)
    if is_there(path / "summary.json"):
        return _reported_audit(path)
    if path.is_dir() and is_recorded(path):
        return Run(path, read_run(path)).reported()
    verdict = judged([path], Expectations())
    return Reported(Summary(verdict, path.resolve().name), from_log=True)


def rendered(reported: Reported, lang: Language, format_: str, path: AnyPath | None) -> str:
    from greta.reports import LANGUAGES, compose, html, markdown
    from greta.reports.lang import Say
    from greta.reports.reported import dump_reported, with_sources

    if lang not in LANGUAGES:
        raise UsageError(f"there is no language {lang!r}; there are: {', '.join(LANGUAGES)}")
    if format_ == "json":
        text = json.dumps(dump_reported(reported, Say("en").of), indent=1) + "\n"
    elif format_ in ("md", "html"):
        page = (markdown if format_ == "md" else html).render(compose(with_sources(reported), lang))
        text = plain(without_controls(page))  # it may be shown on a terminal
    else:
        raise UsageError(f"there is no format {format_!r} of a report; there are: md, html, json")
    if path is not None:
        try:
            Path(path).write_text(text, encoding="utf-8")
        except OSError as error:
            raise UsageError(f"cannot write {os.fspath(path)}: {error.strerror}") from None
    return text


@contextmanager
def replacing(target: Path) -> Iterator[IO[bytes]]:
    """A file that takes its name when it is complete."""
    part = target.with_name(f"{target.name}.{os.getpid()}.part")
    try:
        with part.open("wb") as file:
            yield file
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)
