"""What a run was, on one screen: what `greta run` says at its end."""

from __future__ import annotations

import os
import shlex
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from greta.reports.lang import Say, grouped, sized
from greta.reports.layout import TitledLine
from greta.reports.sentences import fact_value
from greta.runs.child import signal_name
from greta.runs.folder import shortened
from greta.runs.record import CompletedRun
from greta.runs.review import Review
from greta.runs.tally import CopyTally, FailedCall, KilledProcess, Tally
from greta.symbols.sites import Demangler, short_name
from greta.trace.run_facts import DeviceFacts, RunFacts, UnfollowedProcess

_UNGUARDED = "allocations without a guard page: "  # as native/recorder/watch/guards.cpp writes
_MOST_SHOWN = 3
_LONGEST_NAME = 60


def summarize(run: CompletedRun, review: Review, say: Say) -> list[TitledLine]:
    tally = review.counts
    lines = [_ended(run, say), *_killed(run, tally, say), _device(run.facts, say)]
    lines += _runtimes(run.facts, say)
    if tally.calls:
        lines += [
            *_calls(tally, say),
            *_host_accesses(tally, say),
            TitledLine(say("run_copies"), summarize_copies(tally.copies, say)),
            _launches(tally, say),
            _memory(tally, say),
        ]
    elif not (tally.dropped or tally.gave_up):
        lines.append(TitledLine(say("run_calls"), say.saying(review.nothing), "odd"))
    lines += [*_guard(run.facts, tally, say), *_disk(run.facts, tally, say)]
    lines += _gaps(run, tally, say)
    if masked := run.facts.masked:
        lines.append(TitledLine(say("run_masked"), say("run_masked_text", names=masked)))
    kept = say("run_kept", folder=shortened(run.folder.path), size=sized(review.bytes))
    return [*lines, TitledLine(say("kept_in"), kept)]


def next_line(run: CompletedRun, tally: Tally, say: Say, *, judged: bool) -> list[TitledLine]:
    """The next thing to look at: what the verdict rests on, or the time line."""
    folder = shlex.quote(shortened(run.folder.path))
    looks = judged or run.ending.exit_code or tally.errors or tally.killed
    command = f"greta analyze {folder}" if looks else f"greta export {folder} --format perfetto"
    return [TitledLine(say("run_next"), command)] if tally.calls or judged else []


def _guard(facts: RunFacts, tally: Tally, say: Say) -> Iterator[TitledLine]:
    if facts.guard is None:
        return
    total = tally.guarded + tally.unguarded
    text = say("run_guard_text", guarded=tally.guarded, total=total)
    why = next((one for one in tally.notes if one.startswith(_UNGUARDED)), "")
    text += say("run_unguarded", why=why.removeprefix(_UNGUARDED)) if why else ""
    yield TitledLine(say("run_guard"), text, "odd" if why else "plain")


def _disk(facts: RunFacts, tally: Tally, say: Say) -> Iterator[TitledLine]:
    if tally.spent:
        text = say("run_disk_text", budget=sized(facts.disk_budget or 0))
        yield TitledLine(say("run_disk"), text, "odd")


def _ended(run: CompletedRun, say: Say) -> TitledLine:
    ending = run.ending
    how = say("run_exit_code", code=ending.code)
    if ending.signal is not None:
        core = "_core" if ending.core_dumped else ""
        how = say(f"run_ended_by{core}", signal=ending.signal_name, number=ending.signal)
    cpu = ending.usage.ru_utime + ending.usage.ru_stime
    times = {"seconds": f"{ending.seconds:.2f}", "cpu": f"{cpu:.2f}"}
    text = say("run_ran_text", command=_cut(shlex.join(run.facts.command)), how=how, **times)
    return TitledLine(say("run_ran"), text, "bad" if ending.signal or ending.code else "good")


def _killed(run: CompletedRun, tally: Tally, say: Say) -> Iterator[TitledLine]:
    if run.ending.signal is not None:
        return
    how = [
        say(
            "run_child_text",
            pid=_process(process),
            name=f"({_cut(process.name)})" if process.name else "",
            signal=signal_name(process.signal),
        )
        for process in tally.killed
        if process.pid != run.pid
    ]
    yield from _first_of(say("run_child"), how, say)


def _process(one: FailedCall | KilledProcess) -> str:
    return f"{one.pid} (rank {one.rank})" if one.rank is not None else str(one.pid)


def _first_of(title: str, texts: Sequence[str], say: Say) -> Iterator[TitledLine]:
    for text in texts[:_MOST_SHOWN]:
        yield TitledLine(title, text, "bad")
    if len(texts) > _MOST_SHOWN:
        yield TitledLine(title, say("run_more", count=len(texts) - _MOST_SHOWN), "bad")


def _device(facts: RunFacts, say: Say) -> TitledLine:
    device = facts.device or DeviceFacts()
    text = f"{device.kind}: {fact_value(device.reason or '', say)}"
    used = {process.hip_library for process in facts.processes if process.hip_library}
    # libamdhip64.so.6 and others of one installation lie side by side.
    home = Path(os.path.realpath(device.library)).parent if device.library else None
    strangers = sorted(
        path for path in used if home and Path(os.path.realpath(path)).parent != home
    )
    if strangers:
        text += say("run_strangers", paths=strangers)
    return TitledLine(say("fact_device"), text, "odd" if strangers else "plain")


def _runtimes(facts: RunFacts, say: Say) -> Iterator[TitledLine]:
    """Processes with two HIP libraries: which, and what to do about it."""
    several = {found for one in facts.processes if len(found := one.hip_libraries) > 1}
    for libraries in sorted(several):
        text = say("run_runtimes_text", count=len(libraries), libraries=libraries)
        yield TitledLine(say("run_runtimes"), text, "bad")


def _calls(tally: Tally, say: Say) -> Iterator[TitledLine]:
    threads = say.counted("run_threads", tally.threads)
    processes = say.counted("run_processes", tally.processes)
    text = say("run_calls_text", count=tally.calls, threads=threads, processes=processes)
    if tally.unfinished:
        text += say("run_unfinished", count=tally.unfinished)
    yield TitledLine(say("run_calls"), text, "odd" if tally.unfinished else "plain")
    if tally.first_error:
        yield TitledLine(say("errors"), _errors(tally, tally.first_error, say), "bad")
    else:
        yield TitledLine(say("errors"), say("run_no_errors"), "good")


def _errors(tally: Tally, first: FailedCall, say: Say) -> str:
    kinds = Counter({f"{call} {error}": count for (call, error), count in tally.errors.items()})
    which = say("run_which_call", seq=str(first.seq))
    if tally.processes > 1:
        which += say("run_of_process", pid=_process(first))
    if len(kinds) > 1:
        which += f", {first.call}"
    if first.place:
        which += say("story_at", place=first.place)
    total = tally.errors.total()
    return _counted(total, kinds, say) + (", " if total == 1 else say("run_first_is")) + which


def _host_accesses(tally: Tally, say: Say) -> Iterator[TitledLine]:
    first = tally.first_host_access
    if first is None:
        return
    text = say(
        "run_touched_text",
        times=say("run_times", count=tally.host_accesses) if tally.host_accesses > 1 else "",
        how=say("run_written" if first.write else "run_read"),
        where=say("story_at", place=first.place) if first.place else "",
        seq=str(first.seq),
    )
    yield TitledLine(say("run_touched"), text, "bad")


def summarize_copies(copies: CopyTally, say: Say) -> str:
    ways = ["H2D", "D2H", "D2D", *(way for way in ("H2H", "default") if copies.count[way])]
    parts = [f"{way} {_moved(copies, way, say)}" for way in ways]
    if copies.unsized:
        parts.append(say("run_unsized", count=copies.unsized))
    return ", ".join(parts)


def _moved(copies: CopyTally, way: str, say: Say) -> str:
    count = copies.count[way]
    if not count:
        return say("run_none")
    failed, unfinished = copies.failed[way], copies.unfinished[way]
    notes = [say("run_failed", count=failed)] if failed else []
    notes += [say("run_not_returned", count=unfinished)] if unfinished else []
    text = say("run_moved", size=sized(copies.bytes[way]), count=count)
    return text + (f" ({', '.join(notes)})" if notes else "")


def _launches(tally: Tally, say: Say) -> TitledLine:
    text = _counted(tally.launches, _readable(tally.kernels), say)
    if tally.failed_launches:
        text += f" ({say('run_failed', count=tally.failed_launches)})"
    if tally.graph_launches:
        text += f"; {say.counted('run_graphs', tally.graph_launches)}"
    return TitledLine(say("run_launches"), text)


def _memory(tally: Tally, say: Say) -> TitledLine:
    # Processes need not have had their peaks at the same time.
    code = "run_memory_at_most" if tally.processes > 1 else "run_memory_text"
    sizes = {"peak": sized(tally.peak_device_bytes), "left": sized(tally.device_bytes)}
    return TitledLine(say("run_memory"), say(code, **sizes))


def _gaps(run: CompletedRun, tally: Tally, say: Say) -> Iterator[TitledLine]:
    """What is missing, so that nobody takes the rest for the whole."""
    if tally.dropped or tally.gave_up:
        text = say("run_nothing_recorded")
        if tally.calls or tally.dropped:
            text = say.counted("run_dropped_calls", tally.dropped)
            text += "" if tally.calls else say("run_none_recorded")
        yield TitledLine(say("run_dropped"), text, "bad")
    unseen = [_unfollowed(one, say) for one in run.facts.unfollowed or ()]
    yield from _first_of(say("run_unseen"), unseen, say)
    if tally.overwritten:
        text = say("run_overwritten", count=tally.overwritten)
        yield TitledLine(say("run_ring"), text, "odd")
    for name, log in run.facts.logs.items():
        if log.problem:
            yield TitledLine(name, log.problem, "bad")
        if log.left_open:
            text = say("run_held_followed" if log.followed else "run_held_lost", name=name)
            yield TitledLine(name, text, "plain" if log.followed else "odd")
    yield from _first_of(say("run_problem"), [*run.problems, *tally.problems], say)


def _unfollowed(one: UnfollowedProcess, say: Say) -> str:
    command = _cut(one.command or "?")
    if one.pid:
        return say("run_unseen_process", pid=str(one.pid), command=command)
    return say("run_unseen_child", pid=str(one.by_pid), command=command)


def _readable(kernels: Counter[str]) -> Counter[str]:
    """By the names that their source gives them, whatever the types of their arguments."""
    demangler, found = Demangler(), Counter[str]()
    for name, count in kernels.items():
        found[short_name(demangler.readable(name))] += count
    return found


def _counted(total: int, kinds: Counter[str], say: Say) -> str:
    """How many there are, and which; of one kind the number is said once."""
    if not kinds:
        return grouped(total)
    if len(kinds) == 1 and kinds.total() == total:
        name = _cut(next(iter(kinds)))
        return f"1: {name}" if total == 1 else say("run_all_of", count=total, name=name)
    shown = [f"{_cut(name)} x {grouped(count)}" for name, count in kinds.most_common(_MOST_SHOWN)]
    others = len(kinds) - len(shown)
    more = [say.counted("run_more_kinds", others)] if others else []
    return f"{grouped(total)}: " + ", ".join([*shown, *more])


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST_NAME else f"{text[: _LONGEST_NAME - 3]}..."
