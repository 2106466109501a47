from __future__ import annotations

from pathlib import Path

import pytest

from greta.recording import tables_json as e
from greta.recording.files import LIMIT, Problems
from greta.recording.tables_json import LONGEST_LINE, read_tables
from tests.recording.opened import open_process
from tests.recording.writer import OPEN, ProcessWriter


def tables_of(
    tmp_path: Path, content: bytes, *, still_written: bool = False
) -> tuple[e.Tables, list[str]]:
    path = tmp_path / "tables.jsonl"
    path.write_bytes(content)
    problems = Problems()
    return read_tables(path, problems, still_written=still_written), problems.sentences()


def test_every_kind_of_entry(tmp_path: Path) -> None:
    content = b"""\
{"t":"process","pid":1,"executable":"/usr/bin/x","arguments":["x","-a"],"folder":"/srv/y"}
{"t":"process","pid":1,"recorder":"0.1.0","hip_library":"/opt/rocm/lib/libamdhip64.so.7"}
{"t":"environment","name":"HIP_VISIBLE_DEVICES","value":"0"}
{"t":"library","path":"/lib/libx.so","begin":"0x7f00","end":"0x7fff","base":"0x7000","build_id":"ab12"}
{"t":"call","id":17,"name":"hipMalloc","words":["ptr:void*:out","size:size_t:in"]}
{"t":"text","id":3,"text":"model.co"}
{"t":"module","id":1,"handle":"0x10","bytes":4096,"kind":"elf","targets":["gfx942"],"file":"model.co","problem":"p"}
{"t":"kernel","id":5,"module":1,"function":"0x20","name":"_Z4ropePfi","kernarg_bytes":288,"arguments":[{"offset":0,"bytes":8,"kind":"global_buffer","name":"x","type":"float*","access":"read_only"}]}
{"t":"script","id":2,"python":"3.11","frames":[{"file":"run.py","function":"main","first_line":10,"instruction":24,"line_table":"80a1"}]}
{"t":"stack","id":3,"call":17,"script":2,"frames":["0x7f10","0x7f20"],"cut":1}
{"t":"annotation","id":9,"parent":4,"text":"layer 3"}
{"t":"note","text":"no"}
"""
    tables, problems = tables_of(tmp_path, content)
    assert problems == []
    assert tables == e.Tables(
        process=e.ProcessEntry(
            pid=1,
            executable="/usr/bin/x",
            arguments=("x", "-a"),
            folder="/srv/y",
            recorder="0.1.0",
            hip_library="/opt/rocm/lib/libamdhip64.so.7",
        ),
        environment={"HIP_VISIBLE_DEVICES": "0"},
        libraries=[e.LibraryEntry("/lib/libx.so", 0x7F00, 0x7FFF, 0x7000, "ab12")],
        calls={
            17: e.CallEntry(
                *(17, "hipMalloc"),
                (e.WordEntry("ptr", "void*", out=True), e.WordEntry("size", "size_t")),
            )
        },
        texts={3: "model.co"},
        modules={1: e.ModuleEntry(1, 0x10, 4096, "elf", ("gfx942",), "model.co", "p")},
        kernels={
            5: e.KernelEntry(
                *(5, 1, 0x20, "_Z4ropePfi", 288),
                (e.KernelParameter(0, 8, "global_buffer", "x", "float*", "read_only"),),
            )
        },
        scripts={2: e.ScriptEntry(2, "3.11", (e.ScriptFrame("run.py", "main", 10, 24, "80a1"),))},
        stacks={3: e.StackEntry(3, 17, 2, (0x7F10, 0x7F20), 1)},
        annotations={9: e.AnnotationEntry(9, "layer 3", 4)},
        notes=["no"],
    )


def test_text_that_is_not_utf8_survives(tmp_path: Path) -> None:
    tables, problems = tables_of(
        tmp_path, b'{"t":"text","id":1,"text":"a\\udcff"}\n{"t":"text","id":2,"text":"b\xff"}\n'
    )
    assert problems == []
    texts = [text.encode("utf-8", "surrogateescape") for text in tables.texts.values()]
    assert texts == [b"a\xff", b"b\xff"]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"{", "is not JSON"),
        (b"\x00\xff\x00", "is not JSON"),
        (b"[1]", "is not an object"),
        (b'{"id":1}', "has no text 't'"),
        (b'{"t":"novel"}', "is of an unknown kind, 'novel'"),
        (b'{"t":"text","id":0,"text":"x"}', "has an id out of range"),
        (b'{"t":"text","id":4294967295,"text":"x"}', "has an id out of range"),
        (b'{"t":"text","id":1e3,"text":"x"}', "has no number 'id'"),
        (b'{"t":"text","id":true,"text":"x"}', "has no number 'id'"),
        (b'{"t":"text","id":' + b"9" * 5000 + b',"text":"x"}', "has a number that is too large"),
        (b'{"t":"text","id":1,"text":null}', "has no text 'text'"),
        (b'{"t":"kernel","id":1,"arguments":[3]}', "has no list of objects 'arguments'"),
        (b'{"t":"call","id":1,"name":"x","words":[3]}', "has no list of texts 'words'"),
        (b'{"t":"call","id":1,"name":"x","t":"note"}', "names its kind twice"),
        (b'{"t":"module","id":1,"handle":"12"}', "has no address 'handle'"),
        (b'{"t":"module","id":1,"handle":"0xzz"}', "has no address 'handle'"),
        (b'{"t":"note","text":' + b"[" * 100_000, "is nested too deeply"),
    ],
)
def test_a_line_that_cannot_be_read_is_left_out(tmp_path: Path, line: bytes, reason: str) -> None:
    good = b'{"t":"text","id":7,"text":"good"}\n'
    tables, problems = tables_of(tmp_path, good + line + b"\n" + good.replace(b"7", b"8"))
    assert sorted(tables.texts) == [7, 8]
    assert problems == [f"tables.jsonl, byte {len(good)}: line 2 {reason}; left out"]


def test_a_call_is_read_once_for_all_processes(tmp_path: Path) -> None:
    # Each of a run's processes tells of the same few hundred.
    line = b'{"t":"call","id":1,"name":"hipFree","words":["ptr:void*:in"]}\n'
    first, second = (tables_of(tmp_path, line)[0] for _ in range(2))
    assert first.calls[1] is second.calls[1]
    assert first.calls == {1: e.CallEntry(1, "hipFree", (e.WordEntry("ptr", "void*"),))}


def test_an_id_has_one_meaning(tmp_path: Path) -> None:
    same = b'{"t":"text","id":1,"text":"a"}\n'
    tables, problems = tables_of(tmp_path, same + same + same.replace(b'"a"', b'"b"'))
    assert tables.texts == {1: "a"}
    assert problems == ["tables.jsonl, byte 62: line 3 gives the id 1 a second meaning; left out"]


def test_a_last_line_in_the_middle_of_its_write(tmp_path: Path) -> None:
    content = b'{"t":"text","id":1,"text":"a"}\n{"t":"te'
    assert tables_of(tmp_path, content, still_written=True)[1] == []
    assert tables_of(tmp_path, content)[1] == ["tables.jsonl, byte 31: line 2 is cut off; left out"]


def test_a_line_without_end_is_passed_over(tmp_path: Path) -> None:
    good = b'{"t":"text","id":7,"text":"good"}\n'
    tables, problems = tables_of(tmp_path, b"x" * (LONGEST_LINE + 100) + b"\n" + good)
    assert tables.texts == {7: "good"}
    assert problems == [f"tables.jsonl, byte 0: line 1 is longer than {LONGEST_LINE} bytes"]


def test_problems_are_bounded(tmp_path: Path) -> None:
    _, problems = tables_of(tmp_path, b"?\n" * 1000)
    assert len(problems) == LIMIT + 1
    assert problems[-1] == f"and {1000 - LIMIT} more"


def test_annotations_are_a_chain_from_the_outermost(writer: ProcessWriter) -> None:
    writer.line("annotation", id=1, text="step 2")
    writer.line("annotation", id=2, parent=1, text="layer 3")
    writer.line("annotation", id=3, parent=4, text="a circle")
    writer.line("annotation", id=4, parent=3, text="of two")
    tables = open_process(writer).tables
    assert [one.text for one in tables.annotation_chain(2)] == ["step 2", "layer 3"]
    assert [one.text for one in tables.annotation_chain(3)] == ["of two", "a circle"]
    assert tables.annotation_chain(77) == ()


def test_calls_without_a_name_are_told(writer: ProcessWriter) -> None:
    writer.end = OPEN
    writer.lane().call(0xFFFFFFFE, begin=1, end=2)
    process = open_process(writer)
    assert process.calls_by_name == {"call 4294967294": 1}
    assert process.event(1).arguments == {}
    assert process.problems == [
        "tables.jsonl: does not name 1 calls that were made, such as 4294967294"
    ]
