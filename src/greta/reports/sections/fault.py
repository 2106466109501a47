"""The fault: what reported it, what caused it, and pictures of what lay around it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from greta.forensics.verdict import (
    RACES,
    BlamedCall,
    Cause,
    FaultAccess,
    FaultBuffer,
    NearbyCall,
    Stack,
    Surroundings,
    VerdictWord,
)
from greta.reports.blocks import (
    Block,
    Cell,
    Facts,
    Figure,
    Folded,
    Listing,
    Paragraph,
    Section,
    Table,
    Tone,
)
from greta.reports.lang import Say, percent, sized
from greta.reports.pictures import (
    DrawnAccess,
    DrawnAllocation,
    DrawnCall,
    draw_memory,
    draw_streams,
)
from greta.reports.reported import Place, Reported, place_of_line
from greta.reports.sentences import (
    as_code,
    call_of,
    cause_sentence,
    operation_of,
    place_in,
    stage_of,
    without_types,
)
from greta.symbols.sites import short_name
from greta.trace.trace import NOWHERE, Where

Rows = list[tuple[str, Cell]]

_TONES: Final[dict[str, Tone]] = {
    "cause": "bad",
    "other": "bad",
    "blamed": "odd",
    "operation": "plain",
}
_MOST_ALTERNATIVES: Final = 200
_MOST_CALLS: Final = 24
_MOST_ALLOCATIONS: Final = 12
_MOST_FRAMES: Final = 16


def cause(reported: Reported, say: Say) -> Section | None:
    """The blamed call against the cause; None if nothing went wrong."""
    blamed, found = reported.verdict.blamed, reported.verdict.cause
    call = found or blamed
    if call is None:
        return None
    blocks: list[Block] = []
    if blamed and found and blamed.seq != found.seq and blamed.part == "blamed":
        blocks.append(Paragraph(say("blamed_is_not_cause")))
    told = cause_sentence(found, say) if found else say("no_cause")
    blocks.append(Paragraph(told, "plain" if found else "odd"))
    # Call numbers are of one process; it is named where there were several.
    rows: Rows = [(say("process"), Cell(_process(call)))] if _process(call) else []
    rows += _cause(found, blamed, say) if found else []
    rows += _blamed(blamed, found, say) if blamed else []
    rows += _evidence(found, say) if found else _reported_address(reported, say)
    blocks.append(Facts(tuple(rows)))
    blocks += _alternatives(found, say) if found else []
    if reported.verdict.word is VerdictWord.REPRODUCED:
        in_log = "_in_log" if reported.from_log else ""
        blocks.append(Paragraph(say(f"means_REPRODUCED{in_log}")))
    return Section(say("section_cause"), tuple(blocks), "cause")


def _reported_address(reported: Reported, say: Say) -> Rows:
    """Where nothing more is known of the access than what the runtime said."""
    address = reported.verdict.around.address if reported.verdict.around else None
    return [(say("fault_address"), Cell(address, code=True))] if address else []


def _process(call: BlamedCall | Cause) -> str:
    rank = f"rank {call.rank}" if call.rank is not None else ""
    return f"{call.pid} ({rank})" if call.pid and rank else rank or str(call.pid or "")


def _cause(found: Cause, blamed: BlamedCall | None, say: Say) -> Rows:
    if not found.operation:  # a wrong binary is no call
        return []
    error = (blamed.error or "") if blamed and _is_cause(blamed, found) else ""
    own = _called(say("cause"), _operation(found, error, say), found.where, found.stack)
    rows = [*own, *_stage(found, say)]
    if other := found.other:  # the second side of a race
        rows += _called(say("race_other"), _of(other.call, other.seq), other.where, other.stack)
    return rows


def _blamed(blamed: BlamedCall, found: Cause | None, say: Say) -> Rows:
    if found and _is_cause(blamed, found):
        return []  # told with the cause
    by_end = blamed.by == "end"
    title = say(blamed.part)
    what = _operation(blamed, "" if by_end else blamed.error or "", say)
    noticed = blamed.by == "message"  # by a program that printed it, not at the call
    where, stack = (NOWHERE, None) if noticed else (blamed.where, blamed.stack)
    rows = _called(title, what, where, stack) if blamed.call else []
    if by_end or not blamed.call:
        rows.append((say("ended_by" if by_end else "error"), Cell(blamed.error or "", code=True)))
    if noticed and not blamed.call:
        rows.append((say("log_line"), Cell(str(blamed.seq))))
    if noticed and blamed.where.text:
        rows.append((say("noticed_where"), Cell(_line(blamed.where))))
    return [*rows, *_stage(blamed, say)]


def _is_cause(blamed: BlamedCall, found: Cause) -> bool:
    """Whether one call is both, so that it is told once."""
    one = blamed.seq == found.seq and blamed.pid == found.pid
    return one and blamed.by != "end" and bool(blamed.call and found.operation)


def _stage(call: BlamedCall | Cause, say: Say) -> Rows:
    stage = stage_of(call, say)
    return [(say("stage"), Cell(stage))] if stage else []


def _operation(call: BlamedCall | Cause, error: str, say: Say) -> str:
    returned = f": {as_code(error)}" if error else ""
    return _of(operation_of(call, say), call.seq) + returned


def _of(name: str | None, seq: int | None) -> str:
    return as_code(short_name(name or "?")) + (f" (#{seq})" if seq is not None else "")


def _called(title: str, what: str, where: Where, stack: Stack) -> Rows:
    """The call with its line, or with its stack below it, the innermost frame first."""
    frames = [one for one in stack or () if one.function != "<module>" or one == where]
    shown = [_line(one) for one in frames[:_MOST_FRAMES]]
    if len(shown) < 2:
        place = f", {_line(where)}" if where.text else ""
        return [(title, Cell(what + place))]
    return [(title, Cell(what)), *(("", Cell(one)) for one in shown)]


def _line(where: Where) -> str:
    """Of the main part of a script nothing needs to be said but the line."""
    return as_code(without_types(where).text.removesuffix(" (<module>)"))


def _evidence(found: Cause, say: Say) -> Rows:
    rows = _buffer(found.buffer, say) if found.buffer else []
    if found.access:
        rows.append((say("access"), Cell(_access(found.access, _is_outside(found), say))))
    if found.kernel and found.kernel != short_name(found.kernel):
        rows.append((say("whole_name"), Cell(as_code(found.kernel))))
    rows.append((say("hypothesis"), Cell(say(f"name_{found.hypothesis}"))))
    if found.confidence is not None:
        rows.append((say("confidence"), Cell(percent(found.confidence))))
    if found.turn:
        turn = say("launch_turn", number=found.turn.number, count=found.turn.count)
        rows.append((say("launch"), Cell(turn)))
    return rows


def _buffer(buffer: FaultBuffer, say: Say) -> Rows:
    name = f"{as_code(buffer.name)}, " if buffer.name else ""
    size = say("size_unknown") if buffer.bytes is None else sized(buffer.bytes)
    what = say("sized_at", size=size, address=as_code(buffer.address)) if buffer.address else size
    rows: Rows = [(say("buffer"), Cell(f"{name}{what}"))]
    for key, seq, site in (
        ("allocated_at", buffer.allocated_at, buffer.allocation),
        ("freed_at", buffer.freed_at, buffer.free),
    ):
        place = f", {_line(site.where)}" if site and site.where.line else ""
        rows += [("", Cell(f"{say(key)} #{seq}{place}"))] if seq is not None else []
    return rows


_LEAVES: Final = ("byte_size_mismatch", "upstream_kernel_fault")
"""Of other hypotheses, 0 bytes past the end says nothing: the access is inside of the buffer."""


def _is_outside(found: Cause) -> bool:
    access = found.access
    if access is not None and access.before_start is not None:
        return True
    if access is None or access.past_end is None:
        return False
    told = access.kind is not None or access.address_bytes > 1
    return access.past_end > 0 or (told and found.hypothesis in _LEAVES)


def _access(access: FaultAccess, is_outside: bool, say: Say) -> str:
    is_page = access.address_bytes > 1
    address = as_code(access.address) if access.address else ""
    parts = [say("access_page", address=address) if is_page else address] if address else []
    parts += [say(f"access_{access.kind}")] if access.kind else []
    # Of a kernel whose page is all that is known, the bytes are only what its grid could reach.
    parts += [say("access_bytes", bytes=access.bytes)] if access.bytes and not is_page else []
    parts += [_beyond(access, say)] if is_outside else []
    if access.thread and access.block:
        thread, block = (place_in(one) for one in (access.thread, access.block))
        parts.append(say("story_thread", thread=thread, block=block))
    return ", ".join([*parts, *([as_code(access.line)] if access.line else [])])


def _alternatives(found: Cause, say: Say) -> list[Block]:
    others = found.alternatives
    if not others:
        return []
    rows = tuple(
        (
            Cell(call_of(one, say), code=True),
            *((Cell(stage_of(one, say)),) if any(two.stage for two in others) else ()),
            Cell(percent(one.confidence), number=True),
        )
        for one in others[:_MOST_ALTERNATIVES]
    )
    stage = (say("stage"),) if any(one.stage for one in others) else ()
    header = (say("suspect"), *stage, say("confidence"))
    return [Folded(say("alternatives", count=len(others)), (Table(header, rows),))]


def sources(reported: Reported, say: Say) -> Section | None:
    """The lines around the calls and in the kernel; None if no file of them is here to be read."""
    listings = []
    for name, place in dict(_named(reported)).items():
        found = reported.sources.get(place)
        if found:
            caption = say(name, place=f"{place[0]}:{place[1]}")
            listings.append(Listing(caption, found.first, found.lines, place[1]))
    if not listings:
        return None
    return Section(say("section_sources"), tuple(listings), "sources")


def _named(reported: Reported) -> Iterator[tuple[str, Place]]:
    cause, blamed = reported.verdict.cause, reported.verdict.blamed
    if cause and cause.access and cause.access.line:
        yield "source_kernel", place_of_line(cause.access.line)
    if cause and cause.where.file and cause.where.line:
        yield "source_cause", (cause.where.file, cause.where.line)
    if (
        blamed
        and blamed.where.file
        and blamed.where.line
        and blamed.where != (cause and cause.where)
    ):
        code = "source_blamed_apart" if blamed.apart else "source_blamed"
        yield code, (blamed.where.file, blamed.where.line)


def streams(reported: Reported, say: Say) -> Section | None:
    """The picture of the streams around the fault; None if there was none to draw."""
    around, blamed = reported.verdict.around or Surroundings(), reported.verdict.blamed
    if not around.operations:
        return None
    shown = _apart([_drawn(one, say) for one in around.operations[:_MOST_CALLS]])
    missing = _missing_edge(reported.verdict.cause)
    svg = draw_streams(shown, say("section_streams"), say("axis_calls"), missing, say("no_order"))
    header = (say("seq"), say("stream"), say("operation"), say("result"), say("role"))
    suffix = blamed.part.removeprefix("blamed") if blamed else ""
    table = Table(header, tuple(_call_row(one, suffix, say) for one in shown))
    flies = any(one.in_flight or one.done_by for one in shown)
    roles = {one.role for one in shown}
    names = {"cause": "cause", "other": "other", "blamed": f"blamed{suffix}"}
    keys = [(role, say(f"role_{name}")) for role, name in names.items() if role in roles]
    keys += [("flight", say("key_flight"))] if flies else []
    keys += [("missing", say("key_no_order"))] if missing else []
    figure = Figure(
        svg,
        say(f"caption_streams{suffix}"),
        table,
        say("legend_flight") if flies else "",
        tuple(keys),
        say("table_streams"),
        zooms=True,
    )
    return Section(say("section_streams"), (figure,), "streams")


def _drawn(one: NearbyCall, say: Say) -> DrawnCall:
    return DrawnCall(
        one.seq,
        operation_of(one, say),
        one.stream or say("host"),
        one.role if one.role in _TONES else "operation",
        one.result,
        one.begin_ns,
        one.took_ns,
        one.done_by,
        bool(one.in_flight),
        one.kernel or "",
    )


def _apart(calls: list[DrawnCall]) -> list[DrawnCall]:
    """Kernels that differ in their types alone are told by their whole names."""
    whole: dict[str, set[str]] = {}
    for one in calls:
        whole.setdefault(one.name, set()).add(one.whole)
    return [replace(one, name=one.whole) if len(whole[one.name]) > 1 else one for one in calls]


def _missing_edge(found: Cause | None) -> tuple[int, int] | None:
    """The two calls of a race, which nothing orders."""
    if found is None or found.hypothesis not in RACES or found.seq is None:
        return None
    other = found.data.get("other")
    return (other, found.seq) if isinstance(other, int) and other != found.seq else None


def _call_row(one: DrawnCall, suffix: str, say: Say) -> tuple[Cell, ...]:
    role = say(f"role_{one.role}{suffix if one.role == 'blamed' else ''}")
    return (
        Cell(str(one.seq), number=True, anchor=f"call-{one.seq}"),
        Cell(one.stream, code=True),
        Cell(one.name, code=True),
        Cell(one.result, code=True),
        Cell(role, tone=_TONES[one.role]),
    )


def memory(reported: Reported, say: Say) -> Section | None:
    """The picture of device memory around the address; None if no address is known."""
    around = reported.verdict.around or Surroundings()
    found = reported.verdict.cause
    buffer = _number(found.buffer.address or "") if found and found.buffer else None
    placed = [(one, _number(one.address)) for one in around.memory[:_MOST_ALLOCATIONS]]
    allocations = [
        DrawnAllocation(
            at,
            min(max(0, one.bytes), 1 << 62),
            one.name
            or (found.buffer.name if at == buffer and found and found.buffer else "")
            or "",
            one.state != "freed",
            one.generation,
            at == buffer,
        )
        for one, at in placed
        if at is not None
    ]
    if not allocations:
        return None
    access = _drawn_access(around, found, say)
    header = (say("address"), say("size"), say("buffer"), say("state"))
    table = Table(header, tuple(_allocation_row(one, say) for one in allocations))
    svg = draw_memory(allocations, access, say("section_memory"))
    scaled = access is not None and any(one.is_buffer for one in allocations)
    legend = f"{say('legend_memory')} {say('legend_scale') if scaled else ''}".rstrip()
    states = dict.fromkeys("live" if one.live else "freed" for one in allocations)
    keys = [(state, say(f"state_{state}")) for state in states]
    keys += [("access", say("key_access"))] if access else []
    figure = Figure(svg, say("caption_memory"), table, legend, tuple(keys), say("table_memory"))
    return Section(say("section_memory"), (figure,), "memory")


def _drawn_access(around: Surroundings, found: Cause | None, say: Say) -> DrawnAccess | None:
    address = _number(around.address or "")
    if address is None:
        return None
    access = found.access if found and found.access else FaultAccess()
    is_page = access.address_bytes > 1
    # Of a kernel nobody checked, the bytes are an estimate from its grid.
    known = access.kind is not None or (found is not None and found.kernel is None)
    count = access.address_bytes if is_page else access.bytes if known else 1
    reached = say("reached", address=around.address or "")
    beyond = _beyond(access, say) if found and _is_outside(found) else ""
    return DrawnAccess(address, min(max(1, count or 1), 1 << 40), reached, beyond)


def _beyond(access: FaultAccess, say: Say) -> str:
    if access.before_start is not None:
        return say("before_start", count=access.before_start)
    least, below = access.past_end or 0, access.past_end_below or 0
    if below > least + 1:
        return say("beyond_in_page", least=least, below=below)
    return say("beyond", count=least)


def _allocation_row(one: DrawnAllocation, say: Say) -> tuple[Cell, ...]:
    return (
        Cell(f"0x{one.address:x}", code=True),
        Cell(sized(one.bytes), number=True),
        Cell(one.label, code=True),
        Cell(say("state_live" if one.live else "state_freed")),
    )


def _number(text: str) -> int | None:
    try:
        value = int(text, 16)
    except ValueError:
        return None
    return value if 0 <= value < 1 << 64 else None
