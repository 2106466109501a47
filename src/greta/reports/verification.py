"""What a comparison of before and after shows, in words."""

from __future__ import annotations

from typing import Final

from greta.lab.cases import Verification
from greta.lab.cases.verification import Tally
from greta.reports.lang import Say, chance, p_value, percent
from greta.reports.lines import Line

NOT_BETTER: Final = ("verify_not_better", "verify_now_fails")


def verification_lines(found: Verification, say: Say) -> list[Line]:
    """The verdict, then the numbers it rests on."""
    test = found.test
    data = {
        "p": chance(test.p_value) if test else None,
        "p_value": p_value(test.p_value) if test else None,
        "failures": found.after.failures,
        "runs": found.after.runs,
        "needed": test.runs_for_proof if test else None,
    }
    tone = "good" if found.proven else "bad" if found.code in NOT_BETTER else "odd"
    lines = [
        Line(say("section_verify"), say(found.code, **data), tone),  # type: ignore[arg-type]
        Line(say("before"), _counted(found.before, say)),
        Line(say("after"), _counted(found.after, say)),
    ]
    if test is not None:
        lines.append(Line("", say("verify_bound", upper=percent(test.after.upper))))
    return lines


def _counted(tally: Tally, say: Say) -> str:
    text = say("case_runs", failures=tally.failures, runs=tally.runs)
    if tally.inconclusive:
        text += f"; {say('case_inconclusive', count=tally.inconclusive)}"
    return text
