"""Blocks that a program announces inside its allocations."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from greta.recording import Process
from greta.symbols.sites import SiteResolver, script_frames
from tests import children
from tests.recorder.conftest import Build, Record


def test_blocks_have_lifetimes_names_and_streams(build: Build, record: Record) -> None:
    (process,) = record([build("blocks")])
    arena = next(e for e in process.events() if e.call == "hipMalloc").arguments["ptr"]
    stream = next(e for e in process.events() if e.call == "hipStreamCreate").arguments["stream"]
    assert isinstance(arena, int)
    first, second, unnamed, third = process.blocks()
    assert (first.base, first.bytes, first.name, first.stream) == (arena, 4096, "first", stream)
    assert first.destroyed is not None
    assert first.created < second.created < first.destroyed < unnamed.created
    assert (unnamed.base, unnamed.name, unnamed.destroyed) == (arena, "", None)
    assert (second.name, second.replaced, second.destroyed) == ("second", False, None)
    assert (third.base, third.bytes, third.destroyed) == (arena + 4096, 64, None)
    assert process.problems == []


def test_the_line_is_the_program_s(build: Build, record: Record) -> None:
    (process,) = record([build("blocks")])
    event = process.event(process.blocks()[0].created)
    site = SiteResolver(process.tables.libraries).native(event.site)
    assert site is not None
    assert (Path(site.file or "").name, site.line) == ("blocks.cpp", 12)


def test_nothing_happens_where_nobody_records(
    build: Build, recorded_environment: dict[str, str]
) -> None:
    plain = {name: value for name, value in recorded_environment.items() if name != "LD_PRELOAD"}
    done = children.run([build("blocks")], env=plain)
    assert done.returncode == 0, done.stderr


SCRIPT = """
import sys
from greta import blocks
heavy = {"numpy", "greta.api", "greta.recording", "greta.hip"} & set(sys.modules)
assert not heavy, heavy
blocks.created(0x1000, 256, name="weights", stream=7)
blocks.destroyed(0x1000, stream=7)
"""


def test_python_announces_blocks(record: Record, tmp_path: Path) -> None:
    script = tmp_path / "arena.py"
    script.write_text(SCRIPT)
    (process,) = record([sys.executable, script])
    (block,) = process.blocks()
    assert (block.base, block.bytes, block.name, block.stream) == (0x1000, 256, "weights", 7)
    assert (block.destroyed, block.last_stream) == (block.created + 1, 7)
    assert lines_of(process) == [("arena.py", 6), ("arena.py", 7)]


def lines_of(process: Process) -> list[tuple[str, int | None]]:
    entries = [event.script for event in process.events() if "block" in event.call]
    frames = [script_frames(entry) for entry in entries if entry]
    inner = [next(f for f in some if f.file.endswith("arena.py")) for some in frames]
    return [(Path(frame.file).name, frame.line) for frame in inner]


def test_python_announces_nothing_where_nobody_records(tmp_path: Path) -> None:
    script = tmp_path / "arena.py"
    script.write_text(SCRIPT)
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert not (tmp_path / "recording").exists()
