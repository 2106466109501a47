"""What a run was, on one screen: what `greta run` says at its end."""

from __future__ import annotations

import os
import shlex
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from greta.reports.layout import TitledLine
from greta.runs.child import signal_name
from greta.runs.folder import shortened
from greta.runs.record import CompletedRun
from greta.runs.review import Review
from greta.runs.tally import CopyTally, FailedCall, Tally
from greta.symbols.sites import Demangler, without_arguments
from greta.trace.run_facts import DeviceFacts, RunFacts, UnfollowedProcess

_MOST_SHOWN = 3
_LONGEST_NAME = 60


def summarize(run: CompletedRun, review: Review) -> list[TitledLine]:
    tally = review.counts
    lines = [_ended(run), *_killed(run, tally), _device(run.facts), *_runtimes(run.facts)]
    if tally.calls:
        lines += [
            *_calls(tally),
            *_host_accesses(tally),
            TitledLine("copies", summarize_copies(tally.copies)),
            _launches(tally),
            _memory(tally),
        ]
    elif not (tally.dropped or tally.gave_up):
        lines.append(TitledLine("calls", review.nothing, "odd"))
    lines += _gaps(run, tally)
    if masked := run.facts.masked:
        lines.append(TitledLine("masked", f"{', '.join(masked)}: written as *** in the run folder"))
    folder = shortened(run.folder.path)
    lines.append(TitledLine("kept in", f"{folder} ({sized(review.bytes)} recorded)"))
    if tally.calls:
        went_wrong = run.ending.exit_code or tally.errors or tally.killed
        command, options = ("analyze", "") if went_wrong else ("export", " --format perfetto")
        lines.append(TitledLine("next", f"greta {command} {shlex.quote(folder)}{options}"))
    return lines


def _ended(run: CompletedRun) -> TitledLine:
    command = _cut(shlex.join(run.facts.command))
    ending = run.ending
    how = f"exit code {ending.code}"
    if ending.signal is not None:
        core = ", core dumped" if ending.core_dumped else ""
        how = f"ended by {ending.signal_name} ({ending.signal}{core})"
    cpu = ending.usage.ru_utime + ending.usage.ru_stime
    text = f"{command}: {how} after {ending.seconds:.2f} s ({cpu:.2f} s of CPU)"
    return TitledLine("ran", text, "bad" if ending.signal or ending.code else "good")


def _killed(run: CompletedRun, tally: Tally) -> Iterator[TitledLine]:
    if run.ending.signal is not None:
        return
    killed = [process for process in tally.killed if process.pid != run.pid]
    names = [f" ({_cut(process.name)})" if process.name else "" for process in killed]
    how = [
        f"process {process.pid}{name} ended by {signal_name(process.signal)}"
        for process, name in zip(killed, names, strict=True)
    ]
    more = _plural(len(killed) - _MOST_SHOWN, "process", "processes")
    yield from _first_of("child", how, more)


def _first_of(title: str, texts: Sequence[str], more: str = "") -> Iterator[TitledLine]:
    for text in texts[:_MOST_SHOWN]:
        yield TitledLine(title, text, "bad")
    if len(texts) > _MOST_SHOWN:
        yield TitledLine(title, f"and {more or len(texts) - _MOST_SHOWN} more", "bad")


def _device(facts: RunFacts) -> TitledLine:
    device = facts.device or DeviceFacts()
    text = f"{device.kind}: {device.reason}"
    used = {process.hip_library for process in facts.processes if process.hip_library}
    # libamdhip64.so.6 and others of one installation lie side by side.
    home = Path(os.path.realpath(device.library)).parent if device.library else None
    strangers = sorted(
        path for path in used if home and Path(os.path.realpath(path)).parent != home
    )
    if strangers:
        text += f"; but what was loaded is {', '.join(strangers)}"
    return TitledLine("device", text, "odd" if strangers else "plain")


def _runtimes(facts: RunFacts) -> Iterator[TitledLine]:
    """Of processes with two HIP libraries: which, and what to do about it."""
    several = {found for one in facts.processes if len(found := one.hip_libraries) > 1}
    for libraries in sorted(several):
        text = f"{len(libraries)} HIP libraries in one process: {', '.join(libraries)}"
        yield TitledLine("runtimes", f"{text}; make all but one of them go", "bad")


def _calls(tally: Tally) -> Iterator[TitledLine]:
    text = f"{tally.calls:,} in {_plural(tally.threads, 'thread')}"
    text += f" of {_plural(tally.processes, 'process', 'processes')}"
    if tally.unfinished:
        text += f"; {tally.unfinished:,} had not returned at the end"
    yield TitledLine("calls", text, "odd" if tally.unfinished else "plain")
    if tally.first_error:
        yield TitledLine("errors", _errors(tally, tally.first_error), "bad")
    else:
        yield TitledLine("errors", "none: every call that returned succeeded", "good")


def _errors(tally: Tally, first: FailedCall) -> str:
    kinds = Counter({f"{call} {error}": count for (call, error), count in tally.errors.items()})
    which = f"call {first.seq}"
    if tally.processes > 1:
        which += f" of process {first.pid}"
    if len(kinds) > 1:
        which += f", {first.call}"
    if first.place:
        which += f" at {first.place}"
    total = tally.errors.total()
    return _counted(total, kinds) + (", " if total == 1 else "; the first is ") + which


def _host_accesses(tally: Tally) -> Iterator[TitledLine]:
    first = tally.first_host_access
    if first is None:
        return
    how = "written" if first.write else "read"
    where = f" at {first.place}" if first.place else ""
    times = f"{tally.host_accesses:,} times; first " if tally.host_accesses > 1 else ""
    text = f"host memory of a copy in flight, {times}{how}{where} (record {first.seq})"
    yield TitledLine("touched", text, "bad")


def summarize_copies(copies: CopyTally) -> str:
    ways = ["H2D", "D2H", "D2D", *(way for way in ("H2H", "default") if copies.count[way])]
    parts = [f"{way} {_moved(copies, way)}" for way in ways]
    if copies.unsized:
        parts.append(f"{copies.unsized:,} of arrays or in lists, not counted here")
    return ", ".join(parts)


def _moved(copies: CopyTally, way: str) -> str:
    count = copies.count[way]
    if not count:
        return "none"
    failed, unfinished = copies.failed[way], copies.unfinished[way]
    notes = [f"{failed:,} failed"] if failed else []
    notes += [f"{unfinished:,} had not returned"] if unfinished else []
    return f"{sized(copies.bytes[way])} in {count:,}" + (f" ({', '.join(notes)})" if notes else "")


def _launches(tally: Tally) -> TitledLine:
    text = _counted(tally.launches, _readable(tally.kernels))
    if tally.failed_launches:
        text += f" ({tally.failed_launches:,} failed)"
    if tally.graph_launches:
        text += f"; and {_plural(tally.graph_launches, 'graph')}"
    return TitledLine("launches", text)


def _memory(tally: Tally) -> TitledLine:
    # Processes need not have had their peaks at the same time.
    at_most = "at most " if tally.processes > 1 else ""
    text = f"{at_most}{sized(tally.peak_device_bytes)} on the device at its peak"
    return TitledLine("memory", f"{text}, {sized(tally.device_bytes)} not freed at the end")


def _gaps(run: CompletedRun, tally: Tally) -> Iterator[TitledLine]:
    """What is missing, so that nobody takes the rest for the whole."""
    if tally.dropped or tally.gave_up:
        text = "nothing could be recorded: the recorder had no space"
        if tally.calls or tally.dropped:
            kept = "" if tally.calls else ", and none was recorded"
            text = f"{_plural(tally.dropped, 'call')}: the recorder had no space left{kept}"
        yield TitledLine("dropped", text, "bad")
    yield from _first_of("unseen", [_unfollowed(one) for one in run.facts.unfollowed or ()])
    if tally.overwritten:
        yield TitledLine("ring", f"{tally.overwritten:,} older records were overwritten", "odd")
    for name, log in run.facts.logs.items():
        if log.problem:
            yield TitledLine(name, log.problem, "bad")
        if log.left_open:
            held = "held open by a child of the program that is still running; what it writes"
            fate = f"still goes to {name}.log" if log.followed else "is lost"
            yield TitledLine(name, f"{held} {fate}", "plain" if log.followed else "odd")
    yield from _first_of("problem", [*run.problems, *tally.problems])


def _unfollowed(one: UnfollowedProcess) -> str:
    who = f"process {one.pid}" if one.pid else f"a child of process {one.by_pid}"
    return f"{who} ({_cut(one.command or '?')}) was not recorded"


def _readable(kernels: Counter[str]) -> Counter[str]:
    """By the names that their source gives them, whatever the types of their arguments."""
    demangler, found = Demangler(), Counter[str]()
    for name, count in kernels.items():
        readable = demangler.readable(name)
        found[name if readable == name else without_arguments(readable)] += count
    return found


def _counted(total: int, kinds: Counter[str]) -> str:
    """How many there are, and which; of one kind the number is said once."""
    if not kinds:
        return f"{total:,}"
    if len(kinds) == 1 and kinds.total() == total:
        return f"{total:,}{':' if total == 1 else ' of'} {_cut(next(iter(kinds)))}"
    shown = [f"{_cut(name)} x {count:,}" for name, count in kinds.most_common(_MOST_SHOWN)]
    others = len(kinds) - len(shown)
    return f"{total:,}: " + ", ".join([*shown, _plural(others, "more kind")] if others else shown)


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST_NAME else f"{text[: _LONGEST_NAME - 3]}..."


def _plural(count: int, word: str, words: str | None = None) -> str:
    return f"{count:,} {word if count == 1 else words or word + 's'}"


def sized(count: int) -> str:
    size = float(count)
    for unit in ("B", "KiB", "MiB", "GiB"):
        if size < 1024:
            return f"{size:.0f} B" if unit == "B" else f"{size:.1f} {unit}"
        size /= 1024
    return f"{size:.1f} TiB"
