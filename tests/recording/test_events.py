"""Typed events: arguments, payloads, and what a record refers to."""

from __future__ import annotations

import struct
from functools import partial

import numpy as np
import pytest

from greta.recording import PayloadKind
from greta.recording.events import decoder_of
from tests.recording.opened import only_event, open_process
from tests.recording.writer import (
    ARRAY,
    CUT,
    FILLER,
    KERNARG,
    STRUCT,
    WORDS,
    Payload,
    ProcessWriter,
)

MINUS_ONE = (1 << 64) - 1


@pytest.mark.parametrize(
    ("c_type", "word", "value"),
    [
        ("int", 0xFFFFFFFF, -1),
        ("int", MINUS_ONE, -1),
        ("int", 7, 7),
        ("const int", MINUS_ONE, -1),
        ("hipDevice_t", MINUS_ONE, -1),
        ("long long", MINUS_ONE, -1),
        ("short", 0x8000, -32768),
        ("unsigned int", MINUS_ONE, 0xFFFFFFFF),
        ("unsigned char", 0x1FF, 0xFF),
        ("bool", 1, 1),
        ("size_t", MINUS_ONE, MINUS_ONE),
        ("uint64_t", 1 << 63, 1 << 63),
        ("void*", 0x7F0000001000, 0x7F0000001000),
        ("const void*", MINUS_ONE, MINUS_ONE),
        ("hipStream_t", 0x55D0C0FFEE00, 0x55D0C0FFEE00),
        ("hipMemcpyKind", 2, 2),
        ("hipMemAccessFlags", MINUS_ONE, -1),
        ("float", 0x3FC00000, 1.5),
        ("double", 0x3FF8000000000000, 1.5),
        ("", 5, 5),
    ],
)
def test_words_are_read_by_their_c_type(c_type: str, word: int, value: float) -> None:
    assert decoder_of(c_type)(word) == value


def test_arguments_come_by_name_and_in_order(writer: ProcessWriter) -> None:
    words = [0x7000, 0x8000, 4096, 1, 0x55D0C0FFEE00]
    writer.lane(42).call("hipMemcpyAsync", words, begin=1100, end=1300, result=700, site=0x401234)
    event = only_event(writer)
    assert (event.seq, event.call, event.thread_id) == (1, "hipMemcpyAsync", 42)
    assert list(event.arguments.items()) == [
        *(("dst", 0x7000), ("src", 0x8000), ("sizeBytes", 4096)),
        *(("kind", 1), ("stream", 0x55D0C0FFEE00)),
    ]
    assert (event.result, event.result_name, event.failed) == (700, "hipErrorIllegalAddress", True)
    assert (event.begin_ns, event.end_ns, event.site) == (100, 300, 0x401234)
    assert (event.lane, event.index, event.words[:2]) == (0, 0, (0x7000, 0x8000))


def test_what_a_call_has_yet_to_fill_is_none(writer: ProcessWriter) -> None:
    writer.lane().call("hipEventElapsedTime", [0, 1, 2], begin=1)
    event = only_event(writer)
    assert event.arguments == {"ms": None, "start": 1, "stop": 2}
    assert not event.finished
    assert not event.failed
    assert repr(event) == "<Event 1: hipEventElapsedTime(ms=None, start=1, stop=2) = unfinished>"


@pytest.mark.parametrize(
    ("call", "result", "name", "failed"),
    [
        ("roctxRangePushA", 1, None, False),  # the level it opened
        ("hipGetStreamDeviceId", 1, None, False),
        ("hipGetErrorString", 0, None, False),
        ("hipDrvGetErrorString", 1, "hipErrorInvalidValue", True),
        ("hipStreamQuery", 600, "hipErrorNotReady", False),
        ("hipGetLastError", 700, "hipErrorIllegalAddress", False),
        ("hipFree", 1, "hipErrorInvalidValue", True),
        ("hipFree", 0, "hipSuccess", False),
        ("hipFree", 12345, "error 12345", True),
    ],
)
def test_a_failure_is_an_error_of_the_calls_own(
    writer: ProcessWriter, call: str, result: int, name: str | None, failed: bool
) -> None:
    writer.line("call", id=900, name=call, words=[])
    writer.lane().call(900, begin=1, end=2, result=result)
    event = only_event(writer)
    assert (event.result_name, event.failed) == (name, failed)
    assert repr(event) == f"<Event 1: {call}() = {name or result}>"


def test_texts_are_resolved(writer: ProcessWriter) -> None:
    writer.line("text", id=3, text="model.co")
    lane = writer.lane()
    lane.call("hipModuleLoad", [0x9000, 3], begin=1, end=2)
    lane.call("hipModuleLoad", [0x9000, 4], begin=3, end=4)
    process = open_process(writer)
    names = [event.arguments["fname"] for event in process.events()]
    assert names == ["model.co", None]


def test_words_past_the_tenth(writer: ProcessWriter) -> None:
    rest = Payload(WORDS, 0, struct.pack("<2q", -1, 11))
    writer.lane().call("twelveWords", range(10), begin=1, end=2, payloads=[rest])
    values = list(only_event(writer).arguments.values())
    assert values == [*range(10), -1, 11]


def test_structs_and_arrays_are_attached(writer: ProcessWriter) -> None:
    properties = bytes(range(200))
    lane = writer.lane()
    lane.call(
        *("hipMemPoolCreate", [0x9000, 0x5000]),
        begin=1,
        end=2,
        payloads=[Payload(STRUCT, 1, properties), Payload(FILLER, 0, b"")],
    )
    nodes = Payload(ARRAY, 2, struct.pack("<3Q", 5, 6, 7))
    lane.call(
        *("hipGraphAddEmptyNode", [1, 2, 0x6000, 3]),
        begin=3,
        end=4,
        payloads=[nodes],
        flags=CUT,
    )
    first, second = open_process(writer).events()
    assert first.arguments["pool_props"] == 0x5000
    assert first.pointed["pool_props"].data == properties
    assert first.pointed["pool_props"].complete
    assert second.pointed["pDependencies"].words == (5, 6, 7)
    assert second.pointed["pDependencies"].kind is PayloadKind.ARRAY
    assert (first.cut, second.cut) == (False, True)


def test_parts_that_do_not_fit_leave_a_payload_incomplete(writer: ProcessWriter) -> None:
    lane = writer.lane()
    payload = Payload(STRUCT, 1, bytes(300))
    lane.call("hipMemPoolCreate", [0x9000, 0x5000], begin=1, end=2, payloads=[payload])
    lane.slots[1], lane.slots[2] = lane.slots[2], lane.slots[1]
    (found,) = only_event(writer).payloads
    assert not found.complete
    assert (found.total, len(found.data)) == (300, 112)


def test_script_and_annotations(writer: ProcessWriter) -> None:
    writer.line("script", id=2, python="3.11", frames=[{"file": "run.py", "function": "main"}])
    writer.line("annotation", id=4, text="step 1")
    writer.line("annotation", id=9, parent=4, text="layer 3")
    lane = writer.lane()
    lane.call("hipDeviceSynchronize", begin=1, end=2, script=2, annotation=9)
    lane.call("hipDeviceSynchronize", begin=3, end=4, script=77, annotation=77)
    known, unknown = open_process(writer).events()
    assert known.script is not None
    assert known.script.frames[0].file == "run.py"
    assert [one.text for one in known.annotations] == ["step 1", "layer 3"]
    assert (unknown.script, unknown.stack_id, unknown.annotations) == (None, 77, ())


ARGUMENTS = [
    {"offset": 0, "bytes": 8, "kind": "global_buffer", "name": "x", "type": "float*"},
    {"offset": 8, "bytes": 4, "kind": "by_value", "name": "n"},
    {"offset": 16, "bytes": 24, "kind": "by_value", "name": "view"},
    {"offset": 100, "bytes": 8, "kind": "global_buffer", "name": "beyond"},
]


def launch(writer: ProcessWriter, kernel: int) -> None:
    values = struct.pack("<QI4xQQQ", 0x7000, 1000, 0x8000, 17, 0x9000)
    writer.lane().call(
        *("hipModuleLaunchKernel", [0x10, 4, 1, 1, 256, 1, 1, 0, 0]),
        begin=1,
        end=2,
        kernel=kernel,
        payloads=[Payload(KERNARG, 0, values)],
    )


def test_kernel_arguments_are_taken_apart(writer: ProcessWriter) -> None:
    sizes = {"kernarg_bytes": 40, "arguments": ARGUMENTS}
    writer.line("kernel", id=5, module=1, function="0x10", name="scale", **sizes)
    launch(writer, kernel=5)
    event = only_event(writer)
    assert event.kernel is not None
    assert event.kernel.name == "scale"
    x, n, view, beyond = event.kernel_arguments
    assert (x.name, x.value, x.pointers) == ("x", 0x7000, (0x7000,))
    assert (n.value, n.pointers) == (1000, ())
    assert view.value == struct.pack("<QQQ", 0x8000, 17, 0x9000)
    assert view.pointers == (0x8000, 17, 0x9000)
    assert (beyond.value, beyond.pointers) == (None, ())


def test_arguments_of_a_kernel_nobody_knows_are_all_candidates(writer: ProcessWriter) -> None:
    launch(writer, kernel=0)
    event = only_event(writer)
    assert event.kernel is None
    (whole,) = event.kernel_arguments
    assert whole.kind == "unknown"
    assert whole.pointers == (0x7000, 1000, 0x8000, 17, 0x9000)


def test_events_can_be_had_one_by_one_and_from_a_place_on(writer: ProcessWriter) -> None:
    lane = writer.lane()
    for number in range(10_000):
        lane.call("hipSetDevice", [number], begin=number, end=number)
    process = open_process(writer)
    values = [event.arguments["deviceId"] for event in process.events()]
    assert values == list(range(10_000))
    assert process.event(5000).arguments["deviceId"] == 4999
    assert [event.seq for event in process.events(4097, 4100)] == [4097, 4098, 4099]
    assert list(process.events(10_001)) == []
    for seq in (0, -1, 10_001):
        with pytest.raises(IndexError, match="no event"):
            process.event(seq)


def test_columns_and_events_agree(writer: ProcessWriter) -> None:
    for thread in range(3):
        lane = writer.lane(100 + thread)
        for number in range(20):
            words = [thread, number, 0, 0, 0, 0, 0, 0, 0, 9]
            begin, end = 1000 + number * 7 + thread, None if number % 5 == 0 else 2000 + number
            copy = partial(lane.call, "hipMemcpyAsync", words, begin=begin, end=end)
            copy(result=number, site=number, script=1, annotation=2, kernel=3)
    process = open_process(writer)
    c = process.columns
    for row, event in enumerate(process.events()):
        assert (event.seq, event.lane, event.index) == (c.seq[row], c.lane[row], c.index[row])
        assert (event.thread_id, event.call_id) == (c.thread_id[row], c.call[row])
        assert (event.begin_ns, event.end_ns) == (c.begin_ns[row], c.end_ns[row])
        assert (event.result, event.finished) == (c.result[row], c.finished[row])
        assert event.annotation_id == c.annotation[row]
        assert event.words == tuple(c.words_of(np.array([row]))[0].tolist())
    rows = c.seq[::7] - 1
    every = c.words_of(c.seq - 1)
    assert (c.words_of(rows) == every[rows]).all()
