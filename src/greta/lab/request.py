"""What an audit is asked to do, and how that is kept for who resumes it."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from greta.errors import UsageError
from greta.lab.artifacts import DEFAULT_ROOT
from greta.lab.plan import PROFILES
from greta.lab.summary import AuditOptions, RerunFacts, Summary
from greta.runs.again import unmasked
from greta.runs.masking import masked_words

_MOST_ITERATIONS: Final = 1_000_000
_LONGEST_SECONDS: Final = 86_400
_DEVICES: Final = (None, "auto", "hip", "sim")
_LISTS: Final = ("prompts", "profiles")
"""Kept as one text, with commas."""
_WHERE: Final = ("devices", "ray")
"""What may be other devices and nodes when an audit is gone on with."""


@dataclass(frozen=True, kw_only=True)
class AuditRequest:
    """The options of `greta audit`, under their names; checked when it is made.

    `command` empty: our own engine is audited. `words`: the command line that asks for the same.
    """

    model: str | None = None
    device: str | None = None
    iters: int = 50
    stress_iters: int = 100
    prompts: tuple[str, ...] = ()
    max_tokens: int = 10
    seed: int = 0
    fail_fast: bool = False
    case: str | None = None
    out: str = str(DEFAULT_ROOT)
    profiles: tuple[str, ...] = ("none",)
    timeout: float = 120.0
    expect_build: str | None = None
    expect_text: tuple[str, ...] = ()
    expect_output: str | None = None
    watch_host: bool = False
    devices: str | None = None
    ray: str | None = None
    part: str | None = None
    command: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name in ("iters", "stress_iters", "max_tokens"):
            require_count(getattr(self, name), _flag(name))
        require_seconds(self.timeout, "--timeout")
        if self.device not in _DEVICES:
            raise UsageError(f"--device must be auto, hip or sim, not {self.device!r}")
        if not self.iters and not self.stress_iters:
            raise UsageError("--iters and --stress-iters are both 0; nothing would run")
        for name in self.profiles:
            if name not in PROFILES:
                known = ", ".join(PROFILES)
                raise UsageError(f"--profiles: there is no {name!r}; there are: {known}")
        if self.command and (self.model or self.prompts):
            raise UsageError("--model and --prompts are for our own engine; drop them, or the `--`")
        if not self.command and self.expect_output is not None:
            raise UsageError("--expect-output is for a command; our own engine compares its tokens")
        if self.devices and self.ray:
            raise UsageError("--ray finds the devices of its nodes itself; drop --devices")
        _ = self.expected_output, self.part_of

    @property
    def part_of(self) -> tuple[int, int]:
        """Which of how many jobs this is, from 1; the only one of one if nobody says."""
        match = re.fullmatch(r"(\d{1,6})/(\d{1,6})", self.part or "1/1")
        number, count = (int(match[1]), int(match[2])) if match else (0, 0)
        if not 1 <= number <= count:
            raise UsageError(f"--part must be such as 1/8, the first of eight, not {self.part!r}")
        return number, count

    @property
    def expected_output(self) -> re.Pattern[str] | None:
        """The expression of --expect-output; raises UsageError if it is none."""
        text = self.expect_output
        if text is None:
            return None
        if not text:
            raise UsageError("--expect-output: the expression is empty; say what must be printed")
        try:
            return re.compile(text, re.MULTILINE)
        except re.error as error:
            raise UsageError(
                f"--expect-output: {text!r} is no regular expression: {error}"
            ) from None

    @property
    def options(self) -> AuditOptions:
        """As rerun.json keeps it: lists as one text, the command as `program`."""
        own = {name: value for name, value in vars(self).items() if name != "command"}
        lists = {name: ",".join(own[name]) or None for name in _LISTS}
        return AuditOptions(**{**own, **lists}, program=self.command)

    @property
    def words(self) -> list[str]:
        words = ["greta", "audit"]
        for name, value in vars(self.options).items():
            if name == "program" or value == getattr(_DEFAULTS, name):
                continue
            for one in value if isinstance(value, tuple) else [value]:
                words += [_flag(name)] if one is True else [_flag(name), str(one)]
        return [*words, "--", *self.command] if self.command else words


def requested(options: AuditOptions) -> AuditRequest:
    own = {name: value for name, value in vars(options).items() if value is not None}
    own["fail_fast"] = bool(own.pop("strict", False) or options.fail_fast)
    own |= {name: comma_separated(getattr(options, name)) for name in _LISTS}
    own["profiles"] = own["profiles"] or ("none",)
    return AuditRequest(command=own.pop("program"), **own)


def continued(asked: AuditRequest, summary: Summary, folder: Path) -> AuditRequest:
    """The request of the audit in `folder`; whoever asks for something else means another audit."""
    rerun = summary.ran.rerun or RerunFacts()
    before, given = rerun.options, asked.options
    if before is None:
        raise UsageError(f"--resume: the summary in {folder} does not say how it was run")
    before = replace(before, fail_fast=before.fail_fast or before.strict, strict=None)
    known = {name: value for name, value in vars(before).items() if value is not None}
    elsewhere = {name: known.pop(name, None) for name in _WHERE}
    for name, value in known.items():
        _refuse_other_option(name, getattr(given, name), value)
    if before.program and str(Path.cwd()) != rerun.folder:
        raise UsageError(f"--resume: this audit was started in {rerun.folder}; go there")
    words = unmasked(before.program, asked.command, rerun.masked)
    try:
        if not (given.devices or given.ray):
            known |= elsewhere
        return requested(replace(given, **{**known, "program": tuple(words)}))
    except UsageError as error:
        raise UsageError(f"--resume: {folder}/summary.json: {error}") from None


def _refuse_other_option(name: str, given: object, before: object) -> None:
    if given in (getattr(_DEFAULTS, name), before):
        return
    flag = _flag(name)
    if isinstance(given, tuple) and name == "program":
        if tuple(masked_words(given)[0]) == before:
            return
        flag = "the command"
    raise UsageError(
        f"--resume goes on with the options of the first part; {flag} was another there, drop it "
        "here"
    )


def comma_separated(text: str | None) -> tuple[str, ...]:
    return tuple(word.strip() for word in (text or "").split(",") if word.strip())


def require_count(value: int, flag: str = "", said: str | None = None) -> None:
    """Raises UsageError unless it is a number of iterations or tokens that can be meant.

    `said`: how it was written, where that is another thing.
    """
    if not 0 <= value <= _MOST_ITERATIONS:
        allowed = f"a whole number from 0 to {_MOST_ITERATIONS:,}"
        raise UsageError(f"{flag} must be {allowed}, not {said or repr(value)}".lstrip())


def require_seconds(value: float, flag: str = "", said: str | None = None) -> None:
    """The same for the time of an iteration."""
    if not 0 < value <= _LONGEST_SECONDS:  # nan neither
        allowed = f"a number of seconds above 0 and at most {_LONGEST_SECONDS:,}"
        raise UsageError(f"{flag} must be {allowed}, not {said or repr(value)}".lstrip())


def _flag(name: str) -> str:
    return f"--{name.replace('_', '-')}"


_DEFAULTS: Final = AuditRequest().options
