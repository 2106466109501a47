"""What an audit is asked to do, and how that is kept for who resumes it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Final

from greta.errors import UsageError
from greta.lab.artifacts import DEFAULT_ROOT
from greta.lab.plan import PROFILES
from greta.lab.summary import RerunFacts, Summary
from greta.runs.again import unmasked
from greta.runs.masking import masked_words
from greta.typed_json import encode

_MOST_ITERATIONS: Final = 1_000_000
_LONGEST_SECONDS: Final = 86_400
_DEVICES: Final = (None, "auto", "hip", "sim")
_LISTS: Final = ("prompts", "profiles")
"""Kept as one text, with commas."""


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
        self._require_one_kind()
        _ = self.expected_output

    def _require_one_kind(self) -> None:
        if self.command and (self.model or self.prompts):
            raise UsageError("--model and --prompts are for our own engine; drop them, or the `--`")
        if not self.command and self.expect_output is not None:
            raise UsageError("--expect-output is for a command; our own engine compares its tokens")

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
    def words(self) -> list[str]:
        """`greta audit` with these options."""
        words = ["greta", "audit"]
        for name, value in self.to_json().items():
            if name == "program" or value == _DEFAULTS[name]:
                continue
            each = value if isinstance(value, list) else [value]
            given = [[]] if value is True else [[str(one)] for one in each]
            words += [word for one in given for word in (_flag(name), *one)]
        return [*words, "--", *self.command] if self.command else words

    def to_json(self) -> dict[str, Any]:
        """As rerun.json keeps it: the options by their names, the command as `program`."""
        kept: dict[str, Any] = {one.name: getattr(self, one.name) for one in fields(self)}
        kept["program"] = list(kept.pop("command"))
        kept["expect_text"] = list(self.expect_text)
        return {**kept, **{name: ",".join(kept[name]) or None for name in _LISTS}}


def continued(asked: AuditRequest, summary: Summary, folder: Path) -> AuditRequest:
    """The request of the audit in `folder`; whoever asks for something else means another audit."""
    rerun = summary.ran.rerun or RerunFacts()
    if rerun.options is None:
        raise UsageError(f"--resume: the summary in {folder} does not say how it was run")
    kept = encode(rerun.options)
    kept["fail_fast"] = kept["fail_fast"] or kept["strict"]
    before = {name: kept[name] for name in kept.keys() & _DEFAULTS if kept[name] is not None}
    _refuse_other_options(asked.to_json(), before)
    if before.get("program") and str(Path.cwd()) != rerun.folder:
        raise UsageError(f"--resume: this audit was started in {rerun.folder}; go there")
    words = unmasked(before.get("program") or [], asked.command, list(rerun.masked))
    try:
        return _of_json({**asked.to_json(), **before, "program": words})
    except UsageError as error:
        raise UsageError(f"--resume: {folder}/summary.json: {error}") from None


def _refuse_other_options(asked: Mapping[str, Any], before: Mapping[str, Any]) -> None:
    for name, value in before.items():
        given = asked[name]
        if name == "program" and masked_words(given)[0] == value:
            continue
        if given not in (_DEFAULTS[name], value):
            flag = "the command" if name == "program" else _flag(name)
            raise UsageError(
                f"--resume goes on with the options of the first part; {flag} was another there, "
                "drop it here"
            )


def _of_json(kept: Mapping[str, Any]) -> AuditRequest:
    """What a file says must be what the options would have allowed."""
    texts = [*kept["program"], *kept["expect_text"], *kept.values()]
    if any(word is None for word in (*kept["program"], *kept["expect_text"])) or any(
        "\0" in word for word in texts if isinstance(word, str)
    ):
        raise UsageError("an option is no text")
    own: dict[str, Any] = {name: value for name, value in kept.items() if name != "program"}
    own |= {name: comma_separated(kept[name]) for name in _LISTS}
    own["profiles"] = own["profiles"] or ("none",)
    return AuditRequest(
        **{**own, "expect_text": tuple(kept["expect_text"])}, command=tuple(kept["program"])
    )


def comma_separated(text: str | None) -> tuple[str, ...]:
    """The words of a list such as "none,serialize"."""
    return tuple(word.strip() for word in (text or "").split(",") if word.strip())


def require_count(value: int, flag: str = "", said: str | None = None) -> None:
    """Raises UsageError unless it is a number of iterations or tokens that can be meant.

    `said`: how it was written, where that is another thing.
    """
    if not 0 <= value <= _MOST_ITERATIONS:
        allowed = f"a whole number from 0 to {_MOST_ITERATIONS:,}"
        raise UsageError(
            f"{flag} must be {allowed}, not {said if said is not None else value!r}".lstrip()
        )


def require_seconds(value: float, flag: str = "", said: str | None = None) -> None:
    """The same for the time of an iteration."""
    if not 0 < value <= _LONGEST_SECONDS:  # nan neither
        allowed = f"a number of seconds above 0 and at most {_LONGEST_SECONDS:,}"
        raise UsageError(
            f"{flag} must be {allowed}, not {said if said is not None else value!r}".lstrip()
        )


def _flag(name: str) -> str:
    return f"--{name.replace('_', '-')}"


_DEFAULTS: Final = AuditRequest().to_json()
