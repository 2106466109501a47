"""When the host waits for copies and fills, and whose memory they touch."""

from __future__ import annotations

import pytest

from greta.trace.trace import Kind, Memory, Mode, Role, Space, StreamKind, Waits
from tests.trace.reading.conftest import Traced

NO, FOR_IT = Waits.NO, Waits.FOR_IT


def test_a_blocking_copy_waits_unless_it_stays_on_the_device(traced: Traced) -> None:
    shown = traced("copies")
    from_pageable, to_pinned, within, by_default = shown.calls("hipMemcpy")
    assert [one.waits for one in (from_pageable, to_pinned)] == [FOR_IT, FOR_IT]
    assert within.waits is NO
    assert by_default.waits is FOR_IT
    assert {one.stream for one in shown.calls("hipMemcpy")} == {StreamKind.LEGACY}
    assert shown.call("hipMemcpyHtoD").waits is FOR_IT
    assert shown.call("hipMemcpyPeer").waits is NO
    assert shown.call("hipMemcpyWithStream").waits is FOR_IT
    assert shown.call("hipMemcpyWithStream").stream is StreamKind.NON_BLOCKING


def test_the_sides_of_a_copy(traced: Traced) -> None:
    shown = traced("copies")
    copy = shown.calls("hipMemcpy")[0]
    to, source = copy.touched
    assert (to.role, to.mode, to.space) == (Role.DESTINATION, Mode.WRITE, Space.DEVICE)
    assert (to.where, to.bytes, to.at_call) == ((0, 8), 64, False)
    assert (source.role, source.mode, source.space) == (Role.SOURCE, Mode.READ, Space.HOST)
    assert (source.where, source.bytes, source.at_call) == (None, 64, True)


def test_what_a_copy_of_the_default_kind_means_is_found_out(traced: Traced) -> None:
    to, source = traced("copies").calls("hipMemcpy")[3].touched
    assert to.where == (1, 0)
    assert (source.space, source.at_call) == (Space.HOST, True)


def test_an_asynchronous_copy_depends_on_its_host_side(traced: Traced) -> None:
    shown = traced("copies")
    pageable_in, pinned_in, pageable_out, pinned_out, between = shown.calls("hipMemcpyAsync")
    assert (pageable_in.waits, pageable_in.side(Role.SOURCE).at_call) == (NO, True)
    assert (pinned_in.waits, pinned_in.side(Role.SOURCE).at_call) == (NO, False)
    assert (pageable_out.waits, pageable_out.side(Role.DESTINATION).at_call) == (FOR_IT, True)
    assert (pinned_out.waits, pinned_out.side(Role.DESTINATION).at_call) == (NO, False)
    assert between.waits is FOR_IT
    assert shown.memory(pinned_out.side(Role.DESTINATION)) is Memory.PINNED


def test_registered_memory_is_pinned_while_it_is_registered(traced: Traced) -> None:
    shown = traced("copies")
    registered = shown.calls("hipMemcpyDtoHAsync")[1]
    side = registered.side(Role.DESTINATION)
    assert (registered.waits, side.at_call) == (NO, False)
    assert shown.memory(side) is Memory.REGISTERED
    assert side.where is not None
    assert side.where[1] == 16
    after = shown.call("hipMemcpyDtoH").side(Role.DESTINATION)
    assert (after.where, after.at_call) == (None, True)


def test_a_rectangle_reaches_from_its_first_byte_to_its_last(traced: Traced) -> None:
    copy = traced("copies").call("hipMemcpy2DAsync")
    to, source = copy.touched
    assert (to.bytes, to.row["pitch"], to.row["width"]) == (2 * 128 + 32, 128, 32)
    assert (source.bytes, source.row["pitch"], source.row["width"]) == (2 * 64 + 32, 64, 32)


def test_a_fill_waits_unless_it_begins_where_device_memory_begins(traced: Traced) -> None:
    shown = traced("copies")
    at_start, inside, pinned = shown.calls("hipMemset")
    assert [one.waits for one in (at_start, inside, pinned)] == [NO, FOR_IT, FOR_IT]
    assert shown.call("hipMemsetAsync").waits is NO
    assert shown.call("hipMemsetD32").touched[0].bytes == 64
    assert shown.call("hipMemsetD32").touched[0].row["element"] == 4
    assert shown.call("hipMemset2D").touched[0].bytes == 3 * 256 + 100
    assert {one.kind for one in shown.calls("hipMemset")} == {Kind.FILL}


def test_a_twin_uses_the_default_stream_of_its_thread(traced: Traced) -> None:
    assert traced("copies").call("hipMemcpyAsync_spt").stream is StreamKind.PER_THREAD


@pytest.mark.parametrize(("value", "all_wait"), [("3", True), ("2", True), ("1", False)])
def test_an_environment_that_makes_copies_wait(traced: Traced, value: str, all_wait: bool) -> None:
    copies = traced("copies", AMD_SERIALIZE_COPY=value).calls("hipMemcpyAsync")
    assert all(copy.waits is Waits.FOR_IT for copy in copies) == all_wait
