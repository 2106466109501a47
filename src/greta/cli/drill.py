"""`greta drill`: stage known faults and score the verdicts."""

from __future__ import annotations

import argparse
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from rich.console import Console
from rich.markup import escape

from greta.cli.common_options import (
    STDOUT,
    add_json_option,
    add_language_option,
    whole_number,
    write_json_output,
)
from greta.errors import ExitCode, UsageError
from greta.lab.drilling import (
    DrillRun,
    DrillSetting,
    MatrixRun,
    dump_drills,
    run_clean,
    run_drill,
    run_matrix,
)
from greta.lab.drills.catalog import Drill, all_drills, find_drills
from greta.model import find_model
from greta.reports.lang import Say, percent
from greta.reports.layout import screen_width, wrapped
from greta.runs.device import choose_run_device

_SIMULATED = "GRETA_SIM_"
_count = whole_number(0, 999_999, "a whole number")


class DrillCommand:
    """Stage known faults in the running engine, and see whether they are found.

    Each drill commits one fault from outside the engine, under the recorder, and the recording is
    judged as any other. Scored against what was staged: found, of the right class and no other, the
    operation, the buffer. Clean runs must raise no alarm.

    examples:
      greta drill                            all of them
      greta drill --list
      greta drill rope_past_positions --seeds 3
      greta drill tokens_sometimes_copied_past_end --matrix
      greta drill --clean 100 --json drill.json
    """

    name = "drill"
    usage = "greta drill [NAME ...] [options]"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        option = parser.add_argument
        option("names", nargs="*", metavar="NAME", help="drills; default: all")
        option("--list", action="store_true", help="say what drills there are")
        add_json_option(parser, "the scores")
        option("--seed", type=int, default=0, metavar="S", help="of all chance (0)")
        option("--seeds", type=_count, default=1, metavar="N", help="so many, from --seed on (1)")
        option(
            "--clean", type=_count, metavar="N", help="runs without a fault (4; 0 if NAME is given)"
        )
        option(
            "--matrix",
            action="store_true",
            help="of faults that show sometimes: also the matrix of an audit, and how often",
        )
        option("--iters", type=_count, default=50, metavar="N", help="of A and B (50)")
        option("--stress-iters", type=_count, default=100, metavar="N", help="of C (100)")
        option("--model", default="tiny", metavar="M", help="(tiny)")
        option("--device", choices=("hip", "sim"), default="sim", help="default: simulated")
        option("--out", metavar="DIR", help="keep all runs here")
        add_language_option(parser)

    def run(self, options: argparse.Namespace) -> int:
        if options.list:
            _print_list(all_drills(), options.lang)
            return ExitCode.OK
        drills = find_drills(options.names)
        with _folder(options.out) as folder:
            exercise = _Exercise(options, folder)
            exercise.run(drills)
            if options.json:
                found = exercise.runs, exercise.matrices, exercise.alarms
                write_json_output(options.json, dump_drills(*found, Say("en").of))
            if options.json != STDOUT:
                exercise.conclude()
            if not exercise.failed:
                return ExitCode.OK
            if not options.out:
                kept = folder.rename(folder.with_name(f"{folder.name}-failed"))
                print(exercise.say("drill_kept", folder=str(kept)))
        return ExitCode.FAULT


class _Exercise:
    def __init__(self, options: argparse.Namespace, folder: Path) -> None:
        device = choose_run_device(options.device, {})
        self._options = options
        self.say = Say(options.lang)
        self._console = Console(highlight=False, soft_wrap=True, stderr=options.json == STDOUT)
        self._setting = DrillSetting(
            str(find_model(options.model)),
            options.device,
            folder,
            options.seed,
            device.environment,
            Say("en").of,
        )
        self.runs: list[DrillRun] = []
        self.matrices: list[MatrixRun] = []
        self.alarms: list[str | None] = []

    @property
    def failed(self) -> int:
        return (
            sum(not run.score.passed for run in self.runs)
            + sum(not run.passed for run in self.matrices)
            + sum(alarm is not None for alarm in self.alarms)
        )

    def run(self, drills: list[Drill]) -> None:
        fitting = [drill for drill in drills if self._fits(drill)]
        for seed in range(self._options.seed, self._options.seed + self._options.seeds):
            for drill in fitting:
                setting = replace(self._setting, seed=seed)
                with self._timed(drill.name) as seconds:
                    run = run_drill(drill, setting)
                self.runs.append(run)
                missed = _missed(run, self.say)
                self._line(run.score.passed, drill.name, drill.hypothesis, missed, seconds())
                if self._options.matrix and drill.rate < 1:
                    self._matrix(drill, setting)
        self._clean(fitting)

    def _fits(self, drill: Drill) -> bool:
        needs_sim = any(name.startswith(_SIMULATED) for name in drill.environment)
        if needs_sim and self._options.device == "hip":
            self._console.print(self.say("drill_skip", name=drill.name))
            return False
        return True

    def _matrix(self, drill: Drill, setting: DrillSetting) -> None:
        options = self._options
        with self._timed(self.say("drill_matrix", name=drill.name)) as seconds:
            run = run_matrix(drill, setting, options.iters, options.stress_iters)
        self.matrices.append(run)
        word, rate = run.summary.verdict.word.value, _rate(run, self.say)
        self._line(run.passed, drill.name, word, rate, seconds())

    def _clean(self, drills: list[Drill]) -> None:
        """In turn: the plain workload, and that of each drill whose fault never comes."""
        usual = 0 if self._options.names else 4
        count = usual if self._options.clean is None else self._options.clean
        silent = [None, *(drill for drill in drills if drill.program is None)]
        for number in range(count):
            drill = silent[number % len(silent)]
            name = self.say("drill_clean_of", number=number + 1, count=count)
            with self._timed(name) as seconds:
                alarm = run_clean(self._setting, number, drill)
            self.alarms.append(alarm)
            name = self.say("drill_clean_run", number=number + 1)
            self._line(alarm is None, name, drill.name if drill else "", alarm or "", seconds())

    def conclude(self) -> None:
        found = sum(run.score.passed for run in self.runs)
        alarms = sum(alarm is not None for alarm in self.alarms)
        text = self.say("drill_found", found=found, count=len(self.runs))
        equals = sum(run.score.passed and not run.score.operation_exact for run in self.runs)
        if equals:
            text += self.say("drill_equals", count=equals)
        if self.matrices:
            right = sum(run.passed for run in self.matrices)
            text += self.say("drill_rates", right=right, count=len(self.matrices))
        if self.alarms:
            text += self.say("drill_alarms", alarms=alarms, count=len(self.alarms))
        for line in wrapped(text, screen_width()):
            self._console.print(escape(line))

    @contextmanager
    def _timed(self, what: str) -> Iterator[Callable[[], float]]:
        began = time.monotonic()
        with self._console.status(escape(what)):
            yield lambda: time.monotonic() - began

    def _line(self, passed: bool, name: str, what: str, remark: str, seconds: float) -> None:
        word = "[green]PASS[/]" if passed else "[bold red]FAIL[/]"
        text = f"{name:<34} {what:<22} {seconds:5.1f} s"
        self._console.print(f"{word} {escape(_with_remark(text, remark))}")


def _with_remark(text: str, remark: str) -> str:
    width = screen_width()
    if len(f"PASS {text}  {remark}") <= width:
        return f"{text}  {remark}".rstrip()
    return "\n     ".join([text, *wrapped(remark, width - 5)])


def _missed(run: DrillRun, say: Say) -> str:
    if run.score.passed:
        return "" if run.score.operation_exact else say("drill_as_likely")
    if not run.staged:
        return say("drill_not_committed")
    missed = [name for name, right in vars(run.score).items() if not right]
    why = f": {run.judgement.problem}" if run.judgement.problem else ""
    return say("drill_missed", parts=missed) + why


def _rate(run: MatrixRun, say: Say) -> str:
    statistics = run.summary.statistics
    low, high = statistics.failure_rate_interval_95 or (0.0, 1.0)
    return say(
        "drill_rate",
        failures=statistics.failures,
        runs=statistics.runs,
        staged=len(run.staged),
        low=percent(low),
        high=percent(high),
        rate=percent(run.drill.rate),
    )


def _print_list(drills: list[Drill], language: str) -> None:
    width = max(len(drill.name) for drill in drills)
    wide = max(len(drill.hypothesis) for drill in drills)
    for drill in drills:
        text, room = f"{drill.name:<{width}}  {drill.hypothesis:<{wide}}", screen_width()
        title = drill.title(language)
        if len(f"{text}  {title}") <= room:
            print(f"{text}  {title}")
        else:
            print("\n    ".join([text.rstrip(), *wrapped(title, room - 4)]))


@contextmanager
def _folder(out: str | None) -> Iterator[Path]:
    """Where the runs go; without a name it is gone in the end, unless somebody moves it away."""
    if out is not None:
        path = Path(out)
        if path.exists() and (not path.is_dir() or any(path.iterdir())):
            raise UsageError(f"--out: {out} is not empty; name a new folder")
        path.mkdir(parents=True, exist_ok=True)
        yield path
        return
    path = Path(tempfile.mkdtemp(prefix="greta-drill-"))
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)
