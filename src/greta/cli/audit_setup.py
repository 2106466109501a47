"""From the options of `greta audit` to a plan."""

from __future__ import annotations

import argparse
import contextlib
import math
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from greta.cli.language import add_language_option
from greta.cli.progress import progress_bar
from greta.cli.refusal import refusal
from greta.cli.run_device import choose_run_device
from greta.errors import UsageError
from greta.lab.artifacts import DEFAULT_ROOT
from greta.lab.audit import Audit
from greta.lab.command_audit import CommandAudit
from greta.lab.plan import PROFILES, Iteration, MatrixTest, Prompt, matrix, schedule
from greta.lab.prompts import find_prompts
from greta.lab.worker import Setup
from greta.lab.workload_audit import UNRECORDED, WorkloadAudit
from greta.masking import masked_words
from greta.model import default_model, find_model
from greta.reports.lang import Say
from greta.runs import find_recorder, require_watch
from greta.runs.again import require_consent, require_own, require_recorded, unmasked
from greta.runs.files import sha256_of
from greta.runs.models import model_facts
from greta.runs.program import find_program
from greta.trace.evidence import Expectations

_MOST_ITERATIONS = 1_000_000
_LONGEST_SECONDS = 86_400
_NOT_SAVED = ("resume", "lang", "yes")


@dataclass(frozen=True)
class AuditPlan:
    """Everything that is settled before the first child starts."""

    case: str
    root: Path
    choice: dict[str, Any]
    """The device: what was asked for, what it came to, and why."""
    seed: int
    tests: list[MatrixTest]
    schedule: list[Iteration]
    timeout: float
    fail_fast: bool
    environment: dict[str, str]
    setup: Setup | None = None
    command: list[str] = field(default_factory=list)
    expectations: Expectations = field(default_factory=Expectations)
    expected_output: re.Pattern[str] | None = None
    watch_host: bool = False
    model_facts: dict[str, Any] = field(default_factory=dict)

    def start(self, folder: Path, iterations: list[Iteration]) -> Audit:
        """The audit of a folder, ready to run."""
        if self.setup is None:
            return CommandAudit(
                folder=folder,
                schedule=iterations,
                seconds_per_iteration=self.timeout,
                fail_fast=self.fail_fast,
                environment=self.environment,
                command=self.command,
                device=self.choice["kind"],
                expectations=self.expectations,
                expected_output=self.expected_output,
                watch_host=self.watch_host,
            )
        return WorkloadAudit(
            folder=folder,
            schedule=iterations,
            seconds_per_iteration=self.timeout,
            fail_fast=self.fail_fast,
            environment=self.environment,
            setup=self.setup,
        )


def add_audit_options(parser: argparse.ArgumentParser) -> None:
    """Declares the options."""
    parser.add_argument("--model", metavar="M", help="a GGUF file, smollm2 or tiny")
    parser.add_argument("--device", choices=("auto", "hip", "sim"), help="default: what there is")
    parser.add_argument("--iters", type=_count, default=50, metavar="N", help="of A and of B (50)")
    parser.add_argument(
        "--stress-iters", type=_count, default=100, metavar="N", help="iterations of C (100)"
    )
    parser.add_argument(
        "--prompts", metavar="P,..", help="p0_short, p1_mid, p2_long (all), or files"
    )
    parser.add_argument("--max-tokens", type=_count, default=10, metavar="N", help="a prompt (10)")
    parser.add_argument(
        "--seed", type=int, default=0, metavar="S", help="of prompts and stress (0)"
    )
    parser.add_argument(
        "--fail-fast", action="store_true", help="stop at the first iteration that fails"
    )
    parser.add_argument(  # its former name
        "--strict", action="store_true", default=argparse.SUPPRESS, help=argparse.SUPPRESS
    )
    parser.add_argument("--case", metavar="ID", help="collect audits under this name")
    parser.add_argument("--out", metavar="DIR", default=str(DEFAULT_ROOT), help="(artifacts)")
    parser.add_argument(
        "--profiles",
        "--profile",
        metavar="P,..",
        default="none",
        help=f"debug environments, each a matrix of its own: {', '.join(PROFILES)}",
    )
    parser.add_argument(
        "--timeout", type=_seconds, default=120.0, metavar="SECONDS", help="an iteration (120)"
    )
    parser.add_argument("--resume", metavar="DIR", help="go on with an audit that was cut short")
    parser.add_argument(
        "--yes", action="store_true", help="--resume runs what DIR names without asking"
    )
    add_language_option(parser)
    parser.add_argument(
        "--expect-build", metavar="BUILD", help="path, hash or build id meant to run"
    )
    parser.add_argument(
        "--expect-text",
        metavar="TEXT",
        action="append",
        default=[],
        help="that the program's file must contain",
    )
    parser.add_argument(
        "--expect-output",
        metavar="REGEX",
        help="in what the command prints to stdout; a run that does not print it has failed",
    )
    parser.add_argument(
        "--watch-host",
        action="store_true",
        help="also notice when the program itself touches pinned memory too early; slower, see "
        "docs/recording.md",
    )
    parser.add_argument("program", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)


def plan_audit(options: argparse.Namespace) -> AuditPlan:
    """Checks the options; fetches the model if it is needed."""
    profiles = _profiles(options.profiles)
    tests = matrix(options.iters, options.stress_iters, profiles)
    if not tests:
        raise UsageError("--iters and --stress-iters are both 0; nothing would run")
    device = choose_run_device(options.device, {})
    command = list(options.program)
    common = {
        "root": Path(options.out),
        "choice": device.facts,
        "seed": options.seed,
        "tests": tests,
        "timeout": options.timeout,
        "fail_fast": options.fail_fast,
        "environment": dict(device.environment),
        "expectations": Expectations(options.expect_build, tuple(options.expect_text)),
        "expected_output": _pattern(options.expect_output),
        "watch_host": options.watch_host,
    }
    if options.watch_host:
        require_watch(find_recorder())
    if command:
        if options.model or options.prompts:
            raise UsageError("--model and --prompts are for our own engine; drop them, or the `--`")
        _refuse_missing(command[0], device.environment)
        iterations = schedule(tests, [Prompt("command", "")], options.seed)
        case = options.case or _plain(_named_in(command))
        return AuditPlan(case=case, command=command, schedule=iterations, **common)
    if options.expect_output is not None:
        raise UsageError("--expect-output is for a command; our own engine compares its tokens")
    prompts = find_prompts(options.prompts.split(",") if options.prompts else [])
    model = _model(options.model, Say(options.lang))
    setup = Setup(str(model), device.facts["kind"], options.max_tokens, context=512)
    setup = replace(setup, watch_host=options.watch_host)
    return AuditPlan(
        case=options.case or "audit",
        schedule=schedule(tests, prompts, options.seed, UNRECORDED),
        setup=setup,
        model_facts=_model_facts(options.model, model),
        **common,
    )


def _pattern(text: str | None) -> re.Pattern[str] | None:
    if text is None:
        return None
    if not text:
        raise UsageError("--expect-output: the expression is empty; say what must be printed")
    try:
        return re.compile(text, re.MULTILINE)
    except re.error as error:
        raise UsageError(f"--expect-output: {text!r} is no regular expression: {error}") from None


def with_new_names(options: argparse.Namespace, say: Say | None = None) -> argparse.Namespace:
    """Options whose former names were used; `say` tells who used them."""
    if not getattr(options, "strict", False):
        return options
    if say is not None:
        print(f"greta: {say('strict_is_fail_fast')}", file=sys.stderr)
    rest = {name: value for name, value in vars(options).items() if name != "strict"}
    return argparse.Namespace(**{**rest, "fail_fast": True})


def saved(options: argparse.Namespace) -> dict[str, Any]:
    """Options as rerun.json keeps them, for who resumes the audit."""
    return {name: getattr(options, name) for name in vars(_defaults()) if name not in _NOT_SAVED}


def continued(options: argparse.Namespace, summary: Mapping[str, Any]) -> argparse.Namespace:
    """The options of the audit that is resumed; whoever names others means another audit."""
    rerun = summary.get("rerun") or {}
    before, defaults = rerun.get("options"), _defaults()
    if not isinstance(before, dict):
        raise UsageError(f"--resume: the summary in {options.resume} does not say how it was run")
    known = vars(defaults).keys() - set(_NOT_SAVED)
    before = {name: before[name] for name in before.keys() & known if before[name] is not None}
    _require_sense(before, options.resume)
    for name in before:
        given = getattr(options, name)
        if name == "program" and masked_words(given)[0] == before[name]:
            continue
        if given not in (getattr(defaults, name), before[name]):
            flag = "the command" if name == "program" else f"--{name.replace('_', '-')}"
            raise UsageError(
                f"--resume goes on with the options of the first part; {flag} was another there, "
                "drop it here"
            )
    if before.get("program") and str(Path.cwd()) != rerun.get("folder"):
        raise UsageError(f"--resume: this audit was started in {rerun.get('folder')}; go there")
    before["program"] = unmasked(
        before.get("program") or [], options.program, rerun.get("masked") or []
    )
    return with_new_names(argparse.Namespace(**{**vars(options), **before}))


def _require_sense(before: Mapping[str, Any], folder: str) -> None:
    """What a file says must be what the options would have allowed."""
    file = f"--resume: {folder}/summary.json"
    try:
        for name in ("iters", "stress_iters", "max_tokens"):
            _count(str(before.get(name, 0)))
        _seconds(str(before.get("timeout", 1)))
    except argparse.ArgumentTypeError as error:
        raise UsageError(f"{file}: an option {error}") from None
    words = [*before.get("program", []), *before.get("expect_text", [])]
    texts = [*words, *(value for value in before.values() if isinstance(value, str))]
    if any(word is None or "\0" in word for word in texts):
        raise UsageError(f"{file}: an option is no text")
    if before.get("device") not in (None, "auto", "hip", "sim"):
        raise UsageError(f"{file}: the field rerun.options.device is unknown")


def command_files(plan: AuditPlan) -> list[dict[str, str]]:
    """Which files the command is, by path and hash; none of our own engine."""
    if not plan.command:
        return []
    program = find_program(plan.command, plan.environment)
    paths = [path for path in (program.path, program.script) if path is not None]
    with contextlib.suppress(OSError):  # executable, and not readable
        return [{"path": str(one), "sha256": sha256_of(one)} for one in paths]
    return []


def require_consent_to_resume(
    plan: AuditPlan, before: Mapping[str, Any], options: argparse.Namespace
) -> None:
    """Raises UsageError unless DIR is the caller's own, names what it ran, and he wants that."""
    require_own(Path(options.resume), "summary.json")
    rerun = before.get("rerun") or {}
    known = {one.get("path"): one for one in rerun.get("files") or [] if one}
    if plan.command:
        program = find_program(plan.command, plan.environment)
        for path in filter(None, (program.path, program.script)):
            require_recorded(path, known.get(str(path)))
    words = plan.command or [word for word in rerun.get("command") or [] if word]
    require_consent(words or ["greta", "audit"], str(Path.cwd()), {}, yes=options.yes)


def _defaults() -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    add_audit_options(parser)
    return parser.parse_args([])


def _model(name: str | None, say: Say) -> Path:
    with progress_bar(say("progress_model")) as progress:
        if name is not None:
            return find_model(name, progress)
        default = default_model(progress)
    if default.lacking:
        print(f"greta: {say('tiny_stands_in', why=default.lacking)}", file=sys.stderr)
    return default.path


def _model_facts(name: str | None, path: Path) -> dict[str, Any]:
    facts = model_facts([str(path)])[0]
    whole = facts["hash"] if facts.get("hash_method") == "sha256" else None
    return {"name": name or path.stem, "sha256": whole, **facts}


def _refuse_missing(program: str, environment: Mapping[str, str]) -> None:
    """Better now than after three runs in vain."""
    try:
        find_program([program], environment)
    except OSError as error:
        raise refusal(program, error) from None


def _profiles(text: str) -> list[str]:
    names = [name.strip() for name in text.split(",") if name.strip()]
    for name in names:
        if name not in PROFILES:
            raise UsageError(f"--profiles: there is no {name!r}; there are: {', '.join(PROFILES)}")
    return names or ["none"]


def _named_in(command: list[str]) -> str:
    """The script rather than its interpreter."""
    is_interpreter = Path(command[0]).name.startswith(("python", "bash", "sh"))
    scripts = (word for word in command[1:] if is_interpreter and not word.startswith("-"))
    return Path(next(scripts, command[0])).stem


def _plain(program: str) -> str:
    return re.sub(r"[^A-Za-z0-9._-]+", "_", Path(program).name).strip("._-") or "program"


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 < seconds <= _LONGEST_SECONDS:
        raise argparse.ArgumentTypeError(
            f"must be a number of seconds above 0 and at most {_LONGEST_SECONDS:,}, not {text!r}"
        )
    return seconds


def _count(text: str) -> int:
    count = int(text) if text.isdecimal() and len(text) < 8 else -1
    if not 0 <= count <= _MOST_ITERATIONS:
        raise argparse.ArgumentTypeError(
            f"must be a whole number from 0 to {_MOST_ITERATIONS:,}, not {text!r}"
        )
    return count
