"""The fault: what reported it, what caused it, and pictures of what lay around it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from greta.forensics.verdict import (
    RACES,
    BlamedCall,
    CallSite,
    Cause,
    FaultAccess,
    FaultBuffer,
    NearbyCall,
    Stack,
    Surroundings,
    Turn,
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
from greta.reports.lang import Say, grouped, percent, sized
from greta.reports.pictures import (
    DrawnAccess,
    DrawnAllocation,
    DrawnCall,
    draw_memory,
    draw_streams,
)
from greta.reports.reported import Place, Reported, place_of_line
from greta.reports.sentences import (
    call_of,
    cause_sentence,
    operation_of,
    stage_of,
)
from greta.trace.trace import Where

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
    if blamed and found and blamed.seq != found.seq and not blamed.is_last_call:
        blocks.append(Paragraph(say("blamed_is_not_cause")))
    told = cause_sentence(found, say) if found else say("no_cause")
    blocks.append(Paragraph(told, "bad" if found else "odd"))
    # Call numbers are of one process; it is named where there were several.
    rows: Rows = [(say("process"), Cell(_process(call)))] if _process(call) else []
    rows += _blamed(blamed, say) if blamed else []
    rows += _cause(found, say) if found else _reported_address(reported, say)
    blocks.append(Facts(tuple(rows)))
    blocks += _alternatives(found, say) if found else []
    return Section(say("section_cause"), tuple(blocks), "cause")


def _reported_address(reported: Reported, say: Say) -> Rows:
    """Where nothing more is known of the access than what the runtime said."""
    address = reported.verdict.around.address if reported.verdict.around else None
    return [(say("fault_address"), Cell(address, code=True))] if address else []


def _process(call: BlamedCall | Cause) -> str:
    rank = f"rank {call.rank}" if call.rank is not None else ""
    return f"{call.pid} ({rank})" if call.pid and rank else rank or str(call.pid or "")


def _blamed(blamed: BlamedCall, say: Say) -> Rows:
    title = say("blamed_last" if blamed.is_last_call else "blamed")
    called = [(title, Cell(call_of(blamed, say), code=True))] if blamed.call else []
    title = say("ended_by" if blamed.by == "end" else "error")
    error = (title, Cell(blamed.error or "", code=True))
    noticed = "noticed_where" if blamed.by == "message" else "blamed_where"
    where = _where(blamed.where, blamed.stack, noticed, say)
    return [*called, error, *where, *_stage(blamed, say)]


def _stage(call: BlamedCall | Cause, say: Say) -> Rows:
    stage = stage_of(call, say)
    return [(say("stage"), Cell(stage))] if stage else []


def _cause(found: Cause, say: Say) -> Rows:
    rows: Rows = []
    if found.operation:  # a wrong binary is no call
        rows.append((say("cause"), Cell(call_of(found, say), code=True)))
    rows.append((say("hypothesis"), Cell(say(f"name_{found.hypothesis}"))))
    rows += [*_where(found.where, found.stack, "cause_where", say), *_stage(found, say)]
    rows += _other(found.other, say) if found.other else []
    rows += _buffer(found.buffer, say) if found.buffer else []
    rows += _access(found.access, say) if found.access else []
    if found.confidence is not None:
        rows.append((say("confidence"), Cell(percent(found.confidence))))
    if found.turn:
        rows.append((say("launch"), Cell(_turn(found.turn, found.launch_confidence, say))))
    return rows


def _turn(turn: Turn, confidence: float | None, say: Say) -> str:
    sure = percent(confidence or 0.0)
    return say("launch_turn", number=turn.number, count=turn.count, confidence=sure)


def _where(where: Where, stack: Stack, title: str, say: Say) -> Rows:
    """The user's line, and below it the stack that it is in, where that says more."""
    place = where.text
    rows: Rows = [(say(title), Cell(place, code=True))] if place else []
    frames = [one for one in stack or () if one.function != "<module>" or one == where]
    shown = [one.text for one in frames[:_MOST_FRAMES]]
    if len(shown) > 1:
        titles = [say("stack"), *[say("stack_from")] * len(shown)]
        rows += [(title, Cell(one, code=True)) for title, one in zip(titles, shown, strict=False)]
    return rows


def _other(other: CallSite, say: Say) -> Rows:
    """The second side of a race."""
    call: Rows = [(say("race_other"), Cell(f"{other.call} (#{other.seq})", code=True))]
    return call + _where(other.where, other.stack, "cause_where", say)


def _buffer(buffer: FaultBuffer, say: Say) -> Rows:
    name = f"{buffer.name} " if buffer.name else ""
    what = f"{name}{buffer.address or ''}, {sized(buffer.bytes or 0)}"
    rows: Rows = [(say("buffer"), Cell(what, code=True))]
    for key, seq, site in (
        ("allocated_at", buffer.allocated_at, buffer.allocation),
        ("freed_at", buffer.freed_at, buffer.free),
    ):
        place = f", {site.where.text}" if site and site.where.line else ""
        rows += [(say(key), Cell(f"#{seq}{place}"))] if seq is not None else []
    return rows


def _access(access: FaultAccess, say: Say) -> Rows:
    is_page = access.address_bytes > 1
    title = say("access_page" if is_page else "access")
    rows: Rows = [(title, Cell(access.address or "", code=True))]
    # Of a kernel whose page is all that is known, the bytes are only what its grid could reach.
    if access.bytes and not is_page:
        rows.append((say("access_bytes"), Cell(grouped(access.bytes))))
    least, below = access.past_end or 0, access.past_end_below or 0
    if below > least + 1:  # only the page is known
        past_end = say("past_end_in_page", least=least, below=below)
        rows.append((say("past_end"), Cell(past_end)))
    elif least:
        rows.append((say("past_end"), Cell(grouped(least))))
    return [*rows, *_told(access, say)]


def _told(access: FaultAccess, say: Say) -> Rows:
    rows: Rows = []
    if access.kind:
        rows.append((say("access_kind"), Cell(say(f"access_{access.kind}"))))
    if access.thread and access.block:
        thread, block = (",".join(map(str, one)) for one in (access.thread, access.block))
        rows.append((say("gpu_thread"), Cell(say("thread_of_block", thread=thread, block=block))))
    if access.line:
        rows.append((say("kernel_line"), Cell(access.line, code=True)))
    return rows


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
        yield "source_blamed", (blamed.where.file, blamed.where.line)


def streams(reported: Reported, say: Say) -> Section | None:
    """The picture of the streams around the fault; None if there was none to draw."""
    around, blamed = reported.verdict.around or Surroundings(), reported.verdict.blamed
    if not around.operations:
        return None
    shown = [_drawn(one, say) for one in around.operations[:_MOST_CALLS]]
    missing = _missing_edge(reported.verdict.cause)
    svg = draw_streams(shown, say("section_streams"), say("axis_calls"), missing, say("no_order"))
    header = (say("seq"), say("stream"), say("operation"), say("result"), say("role"))
    suffix = "_last" if blamed and blamed.is_last_call else ""
    table = Table(header, tuple(_call_row(one, suffix, say) for one in shown))
    legends = [say(f"legend_streams{suffix}")]
    if any(one.in_flight or one.done_by for one in shown):
        legends.append(say("legend_flight"))
    if missing:
        legends.append(say("legend_missing"))
    figure = Figure(
        svg,
        say(f"caption_streams{suffix}"),
        table,
        " ".join(legends),
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
    )


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
    figure = Figure(svg, say("caption_memory"), table, legend, say("table_memory"))
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
    is_past = access.past_end is not None and (access.past_end > 0 or access.kind or is_page)
    beyond = _beyond(access, say) if is_past else ""
    return DrawnAccess(address, min(max(1, count or 1), 1 << 40), reached, beyond)


def _beyond(access: FaultAccess, say: Say) -> str:
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
