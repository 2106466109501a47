"""JSON Lines, parsed back."""

from __future__ import annotations

import struct

from tests.recording.writer import ARRAY, CUT, KERNARG, WORDS, Payload
from tests.reports.export.made import H2D, Program, exported, objects


def test_a_call(program: Program) -> None:
    program.call("hipMemcpyAsync", 0x7000, 0x8000, 64, H2D, 0x5000, takes=30)
    (line,) = objects(program.recorded())
    assert line == {
        "seq": 1,
        "process": 4711,
        "process_start_ns": 1_700_000_000_000_000_000,
        "thread": 100,
        "call": "hipMemcpyAsync",
        "result": 0,
        "result_name": "hipSuccess",
        "begin_ns": 0,
        "end_ns": 30,
        "finished": True,
        "arguments": {
            "dst": "0x7000",
            "src": "0x8000",
            "sizeBytes": 64,
            "kind": 1,
            "stream": "0x5000",
        },
        "site": "0x401000",
    }


def test_a_call_that_failed(program: Program) -> None:
    program.call("hipFree", 0x1, result=1)
    (line,) = objects(program.recorded())
    assert (line["result"], line["result_name"]) == (1, "hipErrorInvalidValue")


def test_a_call_that_did_not_return(program: Program) -> None:
    program.call("hipMalloc", 0, 64, end=None)
    (line,) = objects(program.recorded())
    assert line["finished"] is False
    assert [line[name] for name in ("result", "result_name", "end_ns")] == [None] * 3
    assert line["arguments"] == {"ptr": None, "size": 64}


def test_what_roctx_returns_is_no_error(program: Program) -> None:
    program.call("roctxRangePushA", program.text(1, "step"), result=1)
    (line,) = objects(program.recorded())
    assert (line["result"], line["result_name"]) == (1, None)
    assert line["arguments"] == {"message": "step"}


def test_a_launch(program: Program) -> None:
    arguments = [
        {"offset": 0, "bytes": 8, "kind": "global_buffer", "name": "x", "type": "float*"},
        {"offset": 8, "bytes": 4, "kind": "by_value", "name": "f", "type": "float"},
        {"offset": 12, "bytes": 4, "kind": "by_value", "name": "n", "type": "int"},
        {"offset": 16, "bytes": 16, "kind": "by_value", "name": "s", "type": "Pair"},
    ]
    symbol = "_Z4ropeIfLi4EEvPT_i"
    program.writer.line("kernel", id=5, name=symbol, function="0xf", arguments=arguments)
    data = struct.pack("<QfiQQ", 0x7000, float("nan"), -3, 0x7F0000008000, 2)
    words = (0xF, 20, 1, 1, 256, 1, 1, 0, 0)
    program.call("hipModuleLaunchKernel", *words, kernel=5, payloads=[Payload(KERNARG, 0, data)])
    (line,) = objects(program.recorded())
    names = [line["kernel"], line["kernel_signature"], line["kernel_symbol"]]
    assert names == ["rope", "void rope<float, 4>(float*, int)", symbol]
    values = {one["name"]: one["value"] for one in line["kernel_arguments"]}
    assert values == {"x": "0x7000", "f": "nan", "n": -3, "s": data[16:].hex()}
    pointers = [one.get("pointers") for one in line["kernel_arguments"]]
    assert pointers == [None, None, None, ["0x7f0000008000"]]


def test_annotations_from_the_outermost(program: Program) -> None:
    program.writer.line("annotation", id=1, text="step", parent=0)
    program.writer.line("annotation", id=2, text="layer", parent=1)
    program.call("hipDeviceSynchronize", annotation=2)
    program.call("hipDeviceSynchronize")
    first, second = objects(program.recorded())
    assert first["annotation"] == ["step", "layer"]
    assert "annotation" not in second


def test_the_line_of_a_script(program: Program) -> None:
    frame = {"file": "run.py", "function": "main", "first_line": 10, "instruction": 0}
    frames = [{**frame, "line_table": "0a00"}]
    program.writer.line("script", id=1, python="3.10", frames=frames)
    program.call("hipDeviceSynchronize", script=1)
    (line,) = objects(program.recorded())
    assert line["script"] == {"file": "run.py", "function": "main", "line": 10}


def test_words_and_arrays_that_follow_a_record(program: Program) -> None:
    more = Payload(WORDS, 0, struct.pack("<QQ", 10, 2**64 - 1))
    program.call("twelveWords", *range(10), payloads=[more])
    nodes = Payload(ARRAY, 2, struct.pack("<QQ", 0xA, 0xB))
    program.call("hipGraphAddEmptyNode", 1, 2, 3, 2, payloads=[nodes])
    first, second = objects(program.recorded())
    assert list(first["arguments"].values()) == [*range(11), -1]
    assert second["pointed"] == {"pDependencies": ["0xa", "0xb"]}


def test_what_is_not_all_kept_says_so(program: Program) -> None:
    nodes = Payload(ARRAY, 2, struct.pack("<QQ", 0xA, 0xB))
    program.call("hipGraphAddEmptyNode", 1, 2, 3, 500, payloads=[nodes], flags=CUT)
    program.call("hipGraphAddEmptyNode", 1, 2, 3, 500, flags=CUT)
    program.call("hipGraphAddEmptyNode", 1, 2, 3, 2, payloads=[nodes])
    shown = [line.get("cut") for line in objects(program.recorded())]
    assert shown == [True, True, None]


def test_floats_that_json_does_not_have(program: Program) -> None:
    for number in (1.5, float("inf"), float("nan")):
        (word,) = struct.unpack("<I", struct.pack("<f", number))
        program.call("hipEventElapsedTime", word, 1, 2)
    shown = [line["arguments"]["ms"] for line in objects(program.recorded())]
    assert shown == [1.5, "inf", "nan"]


def test_hostile_texts_stay_one_line_of_valid_utf8(program: Program) -> None:
    text = 'a"b\\c\nd\u2028\udc80\x00\x1b'
    program.call("hipModuleLoad", 1, program.text(1, text))
    data = exported(program.recorded(), "jsonl")
    assert data.decode("utf-8").count("\n") == 1
    assert data.isascii()
    (line,) = objects(program.recorded())
    assert line["arguments"]["fname"] == text


def test_a_call_nobody_named(program: Program) -> None:
    program.lane(100).call(0x7FFF, [1, 2], begin=1000, end=1010)
    (line,) = objects(program.recorded())
    assert (line["call"], line["arguments"]) == ("call 32767", {})
