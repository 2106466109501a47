"""Streams, events and waits: whom a handle means."""

from __future__ import annotations

from greta.trace.trace import NONE, Kind, StreamKind, Waits
from tests.trace.reading.conftest import Traced


def test_events_and_waits(traced: Traced) -> None:
    shown = traced("order")
    kinds = {
        "hipStreamWaitEvent": Kind.STREAM_WAIT_EVENT,
        "hipEventSynchronize": Kind.WAIT_EVENT,
        "hipEventQuery": Kind.QUERY_EVENT,
    }
    first, second = shown.calls("hipEventRecord")
    assert first.kind is Kind.EVENT_RECORD
    for name, kind in kinds.items():
        assert shown.call(name).kind is kind
        assert shown.call(name).row["event"] == first.row["event"]
    assert second.row["event"] not in (first.row["event"], NONE)
    assert shown.call("hipStreamQuery").kind is Kind.QUERY_STREAM
    assert shown.call("hipDeviceSynchronize").kind is Kind.WAIT_DEVICE
    assert shown.call("hipLaunchHostFunc").kind is Kind.HOST_FUNCTION


def test_default_streams(traced: Traced) -> None:
    shown = traced("order")
    of_one, of_all = shown.calls("hipStreamSynchronize")
    assert (of_one.stream, of_all.stream) == (StreamKind.BLOCKING, StreamKind.LEGACY)
    assert shown.call("hipStreamSynchronize_spt").stream is StreamKind.PER_THREAD
    legacy, own, of_thread, _ = shown.calls("hipMemsetAsync")
    assert [one.stream for one in (legacy, own, of_thread)] == [
        *(StreamKind.LEGACY, StreamKind.PER_THREAD, StreamKind.PER_THREAD),
    ]
    assert own.row["stream"] != of_thread.row["stream"]
    assert of_thread.row["thread"] != own.row["thread"]
    streams = shown.trace.streams
    assert streams["kind"][0] == StreamKind.LEGACY
    assert streams["thread"][of_thread.row["stream"]] == of_thread.row["thread"]


def test_a_stream_that_is_made_anew_is_another_one(traced: Traced) -> None:
    shown = traced("order")
    destroyed = shown.call("hipStreamDestroy")
    one, again = shown.calls("hipStreamCreate")
    assert destroyed.row["stream"] == one.row["stream"] != again.row["stream"]
    assert destroyed.waits is Waits.NO
    assert shown.calls("hipMemsetAsync")[3].row["stream"] == again.row["stream"]


def test_the_table_of_streams_begins_with_the_default_ones(traced: Traced) -> None:
    kinds = traced("order").trace.streams["kind"].tolist()
    assert kinds == [
        *(StreamKind.LEGACY, StreamKind.PER_THREAD, StreamKind.PER_THREAD),
        *(StreamKind.BLOCKING, StreamKind.NON_BLOCKING, StreamKind.BLOCKING),
    ]
