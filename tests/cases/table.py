"""Prints what is said of every program in this folder beside what is true of it: `make cases`.

    python tests/cases/table.py [--wrong] [--folder NAME ...] [--match TEXT] [--keep DIR]

Two tables, faults and clean programs, and the totals. A program's right twin is among the clean
ones. A case that waits for a rule counts like any other. Ends with 1 if anything is wrong.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
import tempfile
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.cases.folders import FOLDERS, cases_of
from tests.cases.judging import (
    accused,
    clean_over_a_doubt,
    confidently_wrong,
    disagreements,
    recorded_calls,
    refuted_over_a_limit,
)
from tests.cases.recording import be_quiet, compile_header, record, write_models
from tests.cases.truth import Case

WORKERS = min(2, os.cpu_count() or 1)


@dataclass(frozen=True)
class Row:
    """A case, and what was said of it."""

    case: Case
    got: str
    wrong: tuple[str, ...] = ()
    accused: bool = False
    confident: bool = False
    clean_over_a_doubt: bool = False
    refuted: tuple[str, ...] = ()


def judged(case: Case, folder: Path) -> Row:
    """In a worker: runs the program and judges what is said of it."""
    try:
        run = record(case, folder)
        calls = recorded_calls(run.folder)
        return Row(
            case,
            _in_short(run.verdict),
            tuple(disagreements(case, run.verdict, calls)),
            accused(case, run.verdict),
            confidently_wrong(case, run.verdict, calls),
            clean_over_a_doubt(case, run.verdict),
            tuple(refuted_over_a_limit(case, run.verdict)),
        )
    except Exception as error:  # one program must not hide what is said of the others
        return Row(case, "NO ANSWER", (f"{type(error).__name__}: {error}",))


def rows_of(cases: Iterable[Case], folder: Path) -> Iterator[Row]:
    """In the order of the cases."""
    write_models(folder)
    compile_header(folder)
    fresh = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(WORKERS, fresh, be_quiet) as pool:
        yield from [done.result() for done in [pool.submit(judged, c, folder) for c in cases]]


def expected(case: Case) -> str:
    """In short."""
    words = [case.expected_verdict]
    if case.fires:
        words.append(f"{case.hypothesis} {case.cause or ''}".strip())
    words += [f"limit {limit}" for limit in sorted({limit for _, limit in case.limits})]
    words += [f"doubt {doubt.code}" for doubt in case.doubts]
    return ", ".join(words)


def print_table(title: str, rows: list[Row], only_wrong: bool) -> None:
    """One line for each, and what is wrong below it."""
    right = sum(not row.wrong for row in rows)
    print(f"\n{title}: {len(rows)}, right {right}, wrong {len(rows) - right}")
    for row in rows:
        if only_wrong and not row.wrong:
            continue
        waits = f" (waits for: {row.case.needs})" if row.case.needs else ""
        print(f"{'wrong' if row.wrong else 'right'}  {row.case.name}{waits}")
        print(f"       expected  {expected(row.case)}")
        print(f"       got       {row.got}")
        for sentence in row.wrong:
            print(f"       - {sentence[:200]}")


def print_totals(rows: list[Row]) -> None:
    """What must be 0, and what is left to build."""
    waits = [row for row in rows if row.case.needs]
    print(f"\nprograms: {len(rows)}, right: {sum(not row.wrong for row in rows)}")
    print(f"clean programs accused: {sum(row.accused for row in rows)}")
    print(f"confident wrong causes: {sum(row.confident for row in rows)}")
    print(f"NOT_REPRODUCED over a doubt or a fault: {sum(row.clean_over_a_doubt for row in rows)}")
    print(f"rulings REFUTED over a limit: {sum(len(row.refuted) for row in rows)}")
    right = sum(not row.wrong for row in waits)
    print(f"waiting for a rule: {len(waits)}, of them right: {right}")


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--wrong", action="store_true", help="only what is wrong")
    parser.add_argument("--folder", action="append", choices=FOLDERS, help="only these")
    parser.add_argument("--match", default="", help="only cases with this in their names")
    parser.add_argument("--keep", type=Path, help="keep the runs in this new folder")
    options = parser.parse_args()
    found = (case for name in options.folder or FOLDERS for case in cases_of(name))
    cases = [case for case in found if options.match in case.name]
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or Path(temporary)
        folder.mkdir(exist_ok=True)
        rows = list(rows_of(cases, folder))
    print_table("FAULTS", [row for row in rows if row.case.is_faulty], options.wrong)
    print_table("CLEAN", [row for row in rows if not row.case.is_faulty], options.wrong)
    print_totals(rows)
    return int(any(row.wrong for row in rows))


def _in_short(verdict: dict[str, object]) -> str:
    if not verdict:
        return "REFUSED"
    words = [str(verdict["verdict"])]
    cause = verdict["cause"]
    if isinstance(cause, dict):
        kernel = f" ({cause['kernel']})" if cause["kernel"] else ""
        sure = cause["confidence"]
        words.append(f"{cause['hypothesis']} at {cause['seq']}{kernel}, confidence {sure}")
    return ", ".join(words)


if __name__ == "__main__":
    sys.exit(main())
