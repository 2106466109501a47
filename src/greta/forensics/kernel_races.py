"""What the simulated device found within a run for `greta check`, in words.

Races of threads, barriers that not all of them reach, memory that is not freed: of none of these a
call fails, and some are meant. In a verdict they are doubts: nothing is convicted by them, and no
run that has one is called clean.
"""

from __future__ import annotations

from greta.forensics.saying import Saying, Value
from greta.forensics.verdict import Doubt
from greta.trace.evidence import KernelRace, Leak, ThreadAccess

RACE_FIELDS = ("kernel", "seq", "place", "first", "second")
BARRIER_FIELDS = ("kernel", "seq", "here", "absent", "block", "at")
LEAK_CODES = {
    "doubt_leak": ("seq", "call", "address", "bytes"),
    "doubt_graph_leak": ("seq", "call", "address", "bytes"),
    "doubt_heap_leak": ("kernel", "seq", "bytes", "count"),
}


def told(race: KernelRace) -> Saying:
    """In a sentence; the sides of a race have lines of their own."""
    data: dict[str, Value] = {"kernel": race.kernel, "seq": race.seq}
    if race.what == "race":
        return Saying("check_race", {**data, "place": _place(race)})
    return Saying("check_barrier", data | _threads(race))


def lines(race: KernelRace) -> tuple[Saying, ...]:
    if race.what == "race":
        at = list(map(_side, race.sides))
    else:
        at = [Saying("check_at", {"place": one.line}) for one in race.sides if one.line]
    if race.count > 1:
        data: dict[str, Value] = {"count": race.count - 1, "launches": len(race.calls)}
        at.append(Saying("check_alike_launches" if len(race.calls) > 1 else "check_alike", data))
    return tuple(at)


def told_leak(leak: Leak) -> Saying:
    return Saying(f"doubt_{leak.what}", _of_leak(leak))


def lines_of_leak(leak: Leak) -> tuple[Saying, ...]:
    file, line = leak.where.file, leak.where.line
    return (Saying("check_at", {"place": f"{file}:{line}"}),) if file and line else ()


def doubt_of(race: KernelRace, hypothesis: str) -> Doubt:
    data: dict[str, Value] = {"kernel": race.kernel, "seq": race.seq}
    if race.what == "barrier":
        places = dict.fromkeys(one.line for one in race.sides if one.line)
        at: Value = Saying("check_barrier_at", {"places": ", ".join(places)}) if places else ""
        data |= {**_threads(race), "at": at}
        return Doubt("missed_barrier", (race.seq,), hypothesis, data)
    sides: list[Value] = [*map(_side, race.sides), "", ""]
    data |= {"place": _place(race), "first": sides[0], "second": sides[1]}
    return Doubt("kernel_race", (race.seq,), hypothesis, data)


def doubt_of_leak(leak: Leak) -> Doubt:
    return Doubt(leak.what, (leak.seq,), "", _of_leak(leak))


def _of_leak(leak: Leak) -> dict[str, Value]:
    if leak.kernel is not None:
        found = {"seq": leak.seq, "count": leak.count, "bytes": leak.bytes}
        return {"kernel": leak.kernel, **found}
    return {
        "bytes": leak.bytes,
        "address": f"{leak.address:#x}",
        "seq": leak.seq,
        "call": leak.call,
    }


def _threads(race: KernelRace) -> dict[str, Value]:
    names = zip(("here", "absent"), (one.thread for one in race.sides), strict=False)
    block: dict[str, Value] = {"block": race.sides[0].block} if race.sides else {}
    return {**dict(names), **block}


def _side(side: ThreadAccess) -> Saying:
    data: dict[str, Value] = {"thread": side.thread, "block": side.block, "line": side.line}
    code = "check_side_at" if side.line else "check_side"
    return Saying(code, {**data, "access": Saying(f"access_{side.access}")})


def _place(race: KernelRace) -> Saying | str:
    if race.shared:
        return Saying("check_race_shared", {"byte": race.address})
    begin, size = race.buffer, race.buffer_bytes
    if begin is None or not begin <= race.address < begin + size:
        return f"{race.address:#x}"
    data: dict[str, Value] = {"byte": race.address - begin, "bytes": size}
    if race.variable:
        return Saying("check_race_variable", {**data, "name": race.variable})
    return Saying("check_race_buffer", {**data, "address": f"{begin:#x}"})
