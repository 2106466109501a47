"""Lines: what is in the file, cut where it is too long, clean whatever was in it."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from greta.trace.logs import lines
from greta.trace.logs.lines import LONGEST, line_at, read_lines


def written(path: Path, data: bytes) -> Path:
    (path / "log").write_bytes(data)
    return path / "log"


def test_lines_have_numbers_and_offsets(tmp_path: Path) -> None:
    path = written(tmp_path, b"one\r\ntwo\nthree")
    found = list(read_lines(path))
    assert [line.text for line in found] == ["one", "two", "three"]
    assert [line.number for line in found] == [1, 2, 3]
    assert [line_at(path, line.offset) for line in found] == ["one", "two", "three"]
    assert [line.cut for line in found] == [False, False, True]


def test_colours_and_overwritten_progress_are_gone(tmp_path: Path) -> None:
    path = written(tmp_path, b" 10%\r 20%\r\x1b[1;32mdone\x1b[0m ^[[32mx\n")
    assert [line.text for line in read_lines(path)] == ["done x"]


def test_bytes_that_are_no_text_do_no_harm(tmp_path: Path) -> None:
    path = written(tmp_path, b"a\xff\xfe\x00b\n\n")
    assert [line.text for line in read_lines(path)] == ["a\ufffd\ufffd\x00b", ""]


def test_a_huge_line_is_cut_and_the_next_one_is_whole(tmp_path: Path) -> None:
    path = written(tmp_path, b"x" * (3 << 20) + b"\nshort\n")
    long, short = read_lines(path)
    assert len(long.text) == LONGEST
    assert long.cut
    assert (short.text, short.cut) == ("short", False)


@given(data=st.binary(max_size=200).map(lambda b: b.replace(b"\r", b"\n")), chunk=st.integers(1, 9))
def test_chunks_make_no_difference(
    data: bytes, chunk: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = written(tmp_path_factory.mktemp("lines"), data)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lines, "_CHUNK", chunk)
        patch.setattr(lines, "LONGEST", 7)
        found = list(read_lines(path))
    raw = data.split(b"\n")
    raw = raw[:-1] if raw[-1] == b"" else raw
    assert len(found) == len(raw)
    assert [line.cut for line in found[:-1]] == [len(one) > 7 for one in raw[:-1]]
    assert [line.offset for line in found] == [
        sum(len(one) + 1 for one in raw[:n]) for n in range(len(raw))
    ]
