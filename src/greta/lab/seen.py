"""What was seen of a failure that no cause and no failed HIP call explains, and what to do next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

from greta.lab.causes import Failure, said, seen_code
from greta.lab.judge import Judgement
from greta.lab.outcomes import Outcome

_STEPS: Final[dict[str, tuple[str, ...]]] = {
    "seen_exit_code": ("step_see_output",),
    "seen_signal": ("step_who_sent",),
    "seen_hang": ("step_see_stacks",),
    "seen_hang_in_call": ("step_hang_in_call", "step_see_stacks"),
    "seen_exit_early": ("step_start_alone",),
    "seen_signal_early": ("step_start_alone",),
    "seen_hang_early": ("step_start_alone",),
    "seen_end_unknown": ("step_watch_to_the_end",),
    "seen_output_unexpected": ("step_see_stdout",),
    "seen_output_empty": ("step_see_stdout",),
}
_OF_STEPS: Final[dict[str, tuple[str, ...]]] = {
    "step_see_output": ("exit_code",),
    "step_who_sent": ("signal",),
    "step_who_killed": (),
    "step_see_stacks": ("stacks",),
    "step_hang_in_call": ("call", "seq"),
    "step_start_alone": (),
    "step_watch_to_the_end": (),
    "step_see_stdout": ("expected",),
}
"""What their sentences name."""


def seen_of(
    outcomes: Sequence[Outcome], failures: Sequence[Failure], telling: Judgement | None
) -> dict[str, Any] | None:
    """The most frequent ending, its code and its run; None where HIP's evidence says more."""
    blamed = (telling.verdict.get("blamed") or {}) if telling else {}
    if telling and (telling.verdict.get("cause") or blamed.get("by") != "end"):
        return None
    shown = [one.outcome for one in failures if one.outcome.ending and not one.hypothesis]
    if telling:
        shown = [one for one in shown if one.run == telling.run]
    elif shown:
        counts = Counter(map(_way, shown))
        shown = [max(shown, key=lambda one: counts[_way(one)])]
    elif not failures:
        shown = [one for one in outcomes if one.ending]
    return _as_json(shown[0]) if shown else None


def steps_after(seen: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Codes with data."""
    codes = list(_STEPS.get(seen["code"], ()))
    if seen["code"] == "seen_signal" and seen.get("signal") == "SIGKILL":
        codes = ["step_who_killed"]
    return [
        {"code": code, "data": {name: seen.get(name) for name in _OF_STEPS[code]}} for code in codes
    ]


def reason_in(seen: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """The sentence of it: a code and its data."""
    return seen["code"], said(seen)


def _way(outcome: Outcome) -> tuple[Any, ...]:
    """Equal for those that ended alike."""
    ending = outcome.ending or {}
    return tuple(ending.get(name) for name in ("how", "exit_code", "signal", "returned"))


def _as_json(outcome: Outcome) -> dict[str, Any]:
    ending = outcome.ending or {}
    return {**ending, "code": seen_code(ending), "run": outcome.run}
