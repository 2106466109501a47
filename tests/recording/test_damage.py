"""Whatever a recording's files hold, the reader neither crashes nor hangs, and says what is wrong.

100,000 mutations instead of 5,000:

    GRETA_TEST_MUTATIONS=100000 pytest tests/recording/test_damage.py
"""

from __future__ import annotations

import os
import random
import resource
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from greta.recording import RecordingError, open_recording
from tests.recording.opened import is_merge_of_lanes, look_at_everything, open_one
from tests.recording.sample import DAMAGES, sample
from tests.recording.writer import ProcessWriter

MUTATIONS = int(os.environ.get("GRETA_TEST_MUTATIONS", "1000"))
AT_ONCE = 2500
FILES = ["header", "lane.0", "lane.1", "live", "tables.jsonl"]


def look_if_it_opens(folder: Path) -> None:
    """Nothing but a RecordingError may come out of it."""
    with suppress(RecordingError):
        (process,) = open_recording(folder).processes
        look_at_everything(process)
        assert is_merge_of_lanes(process.columns)


def test_the_sample_is_whole(tmp_path: Path) -> None:
    process = open_one(sample(tmp_path / "4711.1", ring=False).write())
    look_at_everything(process)
    assert process.problems == []
    assert process.complete
    ring = open_one(sample(tmp_path / "4712.1", ring=True).write())
    look_at_everything(ring)
    assert ring.problems == []
    assert ring.overwritten


@pytest.mark.parametrize("first", range(0, MUTATIONS // 2, AT_ONCE))
@pytest.mark.parametrize("ring", [False, True], ids=["growing", "ring"])
def test_mutations(tmp_path: Path, ring: bool, first: int) -> None:
    folder = sample(tmp_path / "4711.1", ring=ring).write()
    whole = {name: (folder / name).read_bytes() for name in FILES}
    for seed in range(first, min(first + AT_ONCE, MUTATIONS // 2)):
        dice = random.Random(seed)  # noqa: S311
        name = dice.choice(FILES)
        content = bytearray(whole[name])
        dice.choice(DAMAGES)(dice, content)
        (folder / name).write_bytes(content)
        try:
            look_if_it_opens(folder)
        except Exception as error:
            raise AssertionError(f"mutation {seed} of {name}") from error
        (folder / name).write_bytes(whole[name])
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss < 2 << 20  # KiB


@settings(max_examples=150, suppress_health_check=[*HealthCheck])
@given(
    contents=st.fixed_dictionaries({}, optional={name: st.binary(max_size=600) for name in FILES}),
    with_magic=st.booleans(),
)
def test_files_of_noise(tmp_path: Path, contents: dict[str, bytes], with_magic: bool) -> None:
    folder = tmp_path / "4711.1"
    folder.mkdir(exist_ok=True)
    for name in FILES:
        (folder / name).unlink(missing_ok=True)
    beginnings = {"header": b"GRETAHD1\x01\0\0\0", "lane.0": b"GRETALN1\x01\0\0\0"}
    for name, content in contents.items():
        beginning = beginnings.get(name, b"") if with_magic else b""
        page = (beginning + content)[:600]
        body = page.ljust(4096, b"\0") + content * 3 if with_magic else page
        (folder / name).write_bytes(body)
    look_if_it_opens(folder)


@settings(max_examples=100, suppress_health_check=[*HealthCheck])
@given(name=st.sampled_from(FILES), length=st.integers(0, 8000))
def test_any_file_may_end_anywhere(tmp_path: Path, name: str, length: int) -> None:
    folder = sample(tmp_path / "4711.1", ring=False).write()
    whole = (folder / name).read_bytes()
    (folder / name).write_bytes(whole[:length])
    look_if_it_opens(folder)
    # A line that lacks only its end is whole, too.
    whole_lines = name == "tables.jsonl" and b"\n" in whole[max(length - 1, 0) : length + 1]
    if length < len(whole) and not whole_lines and length < _used(name, whole):
        assert open_recording(folder).problems


def _used(name: str, content: bytes) -> int:
    """Past the last record; slots behind it are spare and not missed."""
    written = int.from_bytes(content[32:40], "little")
    return 4096 + 128 * written if name.startswith("lane") else len(content)


@pytest.mark.parametrize("name", FILES)
def test_every_damaged_file_leaves_the_others(tmp_path: Path, name: str) -> None:
    folder = sample(tmp_path / "4711.1", ring=False).write()
    calls = len(open_one(folder))
    (folder / name).write_bytes(random.Random(1).randbytes(10_000))  # noqa: S311
    process = open_one(folder)
    look_at_everything(process)
    assert len(process) == (calls // 2 if name.startswith("lane") else calls)
    assert any(problem.startswith(name) for problem in process.problems)
    assert not process.complete


@pytest.mark.parametrize("name", FILES)
def test_a_file_may_be_a_pipe_a_folder_or_a_dangling_link(tmp_path: Path, name: str) -> None:
    folder = sample(tmp_path / "4711.1", ring=False).write()
    path = folder / name
    for make in (os.mkfifo, Path.mkdir, lambda path: path.symlink_to("/nowhere")):
        path.rmdir() if path.is_dir() else path.unlink()
        make(path)
        process = open_one(folder)
        look_at_everything(process)
        assert any(problem.startswith(name) for problem in process.problems)


def test_a_folder_of_pipes_is_no_recording(tmp_path: Path) -> None:
    for name in FILES:
        os.mkfifo(tmp_path / name)
    with pytest.raises(RecordingError, match="nothing in it that can be read"):
        open_recording(tmp_path)


def test_huge_ids_make_no_huge_arrays(writer: ProcessWriter) -> None:
    lane = writer.lane(0xFFFFFFFF)
    for call in (0xFFFFFFFE, 0x7FFFFFFF, 0x10000):
        lane.call(call, [(1 << 64) - 1] * 10, begin=1, end=2, script=0xFFFFFFFF, kernel=0xFFFFFFFF)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    process = open_one(writer.write())
    look_at_everything(process)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss < before + (100 << 10)
