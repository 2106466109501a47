"""What a comparison of before and after shows, in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from greta.lab.cases.history import Change, JudgedRuns
from greta.lab.cases.verification import SideChanges, Verification
from greta.reports.case_file import differing
from greta.reports.facts import fact_name
from greta.reports.lang import Say, chance, p_value, percent
from greta.reports.layout import TitledLine

NOT_BETTER: Final = ("verify_not_better", "verify_now_fails")


def verification_lines(found: Verification, say: Say) -> list[TitledLine]:
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
        TitledLine(say("section_verify"), say(found.code, **data), tone),  # type: ignore[arg-type]
        TitledLine(say("before"), _counted(found.before, say)),
        TitledLine(say("after"), _counted(found.after, say)),
    ]
    if test is not None:
        lines.append(TitledLine("", say("verify_bound", upper=percent(test.after.upper))))
    return lines


def side_lines(
    sides: SideChanges, foreign: Sequence[tuple[str, str]], case: str, say: Say
) -> list[TitledLine]:
    """What else differs between the two sides: the verdict is about all of it together."""
    lines = [
        TitledLine("", say("verify_other_case", folder=f, other=c, case=case)) for f, c in foreign
    ]
    lines += [
        TitledLine("", say("verify_fix_is", path=one.name, before=one.before, after=one.after))
        for one in sides.fix
    ]
    if sides.others:
        lines.append(TitledLine("", say("verify_also_differs"), "odd"))
        lines += [
            TitledLine("", say("case_change", **_words(one, say)), "odd") for one in sides.others
        ]
    titled = [replace(line, title=say("verify_sides")) for line in lines[:1]]
    return [*titled, *lines[1:]]


def _words(change: Change, say: Say) -> dict[str, str]:
    before, after = differing(change.before, change.after)
    return {"name": fact_name(change.name, say), "before": before, "after": after}


def _counted(judged: JudgedRuns, say: Say) -> str:
    text = say("case_runs", failures=judged.failures, runs=judged.runs)
    if judged.inconclusive:
        text += f"; {say('case_inconclusive', count=judged.inconclusive)}"
    return text
