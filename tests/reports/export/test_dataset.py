"""Many runs as one data set, and the ten questions of docs/export.md over 20 runs of 4 ranks."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from greta.cli.main import main
from greta.recording import open_recording
from tests.recording.writer import ProcessWriter
from tests.reports.export.made import D2H, H2D, MORE_CALLS, MORE_IDS, Program

pq = pytest.importorskip("pyarrow.parquet")
duckdb = pytest.importorskip("duckdb")

RUNS, RANKS, BYTES, HOST = 20, 4, 1 << 20, 0x7F00_0000_0000
FAILING = ("job07", "job13")  # on rank 2
SHORT = "job19"  # rank 1 makes a call less
BUILDS = {True: "b" * 64, False: "a" * 64}


class Rank(Program):
    """A process of its own pid in the recording of a run."""

    def __init__(self, folder: Path, rank: int) -> None:
        self.rank = rank
        super().__init__(folder)

    def __post_init__(self) -> None:
        pid = 5000 - self.rank  # so that neither pid nor order tells the rank
        place = self.folder / "recording" / f"{pid}.1"
        start = (1000, 5000, 1_700_000_000_000_000_000 + self.rank)
        self.writer = ProcessWriter(place, pid=pid, start=start)
        for name, words in MORE_CALLS.items():
            self.writer.line("call", id=MORE_IDS[name], name=name, words=words)
        for id_, name in ((1, "rope"), (2, "extra")):
            self.writer.line("kernel", id=id_, name=name, function=hex(id_))
        self.lanes, self.now = {}, 1000


def write_run(folder: Path, name: str) -> None:
    run = folder / name
    for rank in range(RANKS):
        fails = name in FAILING and rank == 2
        one = Rank(run, rank)
        one.writer.line("environment", name="OMPI_COMM_WORLD_RANK", value=str(rank))
        one.writer.line("environment", name="HIP_VISIBLE_DEVICES", value="4,5,6,7")
        one.call("hipSetDevice", rank)
        one.call("hipMalloc", 0x7000, BYTES)
        one.call("hipMemcpy", 0x7000, HOST, BYTES, H2D, takes=1000)
        one.call("hipModuleLaunchKernel", 1, 20, 1, 1, 64, 1, 1, 0, 0, kernel=1)
        if rank == 0:
            one.call("hipModuleLaunchKernel", 2, 20, 1, 1, 64, 1, 1, 0, 0, kernel=2)
        one.call("hipDeviceSynchronize", takes=5000 if rank == 3 else 500)
        if not (name == SHORT and rank == 1):
            one.call("hipMemcpy", HOST, 0x7000, BYTES, D2H, result=700 if fails else 0)
        if not fails:
            one.call("hipFree", 0x7000)
        one.writer.write()
    failed = name in FAILING
    facts = {
        "schema": 1,
        "finished": True,
        "command": ["./solver", name],
        "started": "2026-11-17T10:00:00+00:00",
        "seconds": 2.5,
        "exit": {"code": 1 if failed else 0, "signal": None},
        "host": {"name": "node-a"},
        "program": {"path": "/x/solver", "real_path": "/x/solver", "sha256": BUILDS[failed]},
        "device": {"kind": "hip"},
    }
    (run / "run.json").write_text(json.dumps(facts))


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("many")
    for number in range(RUNS):
        write_run(folder / "runs", f"job{number:02}")
    assert main(["export", str(folder / "runs"), "-o", str(folder / "runs.dataset")]) == 0
    return folder / "runs.dataset"


def questions(root: Path) -> list[str]:
    """The statements of the page: two views, then ten queries."""
    page = (root / "docs" / "export.md").read_text(encoding="utf-8")
    part = page[page.index("### Ten questions") : page.index("## Perfetto")]
    code = "\n".join(line.strip() for line in part.splitlines() if line.startswith("    "))
    return [one.strip() for one in code.split(";") if one.strip()]


@pytest.fixture
def answers(dataset: Path, root: Path) -> list[list[Any]]:
    connection = duckdb.connect()
    connection.execute(f"set file_search_path = '{dataset.parent}'")
    views, asked = questions(root)[:2], questions(root)[2:]
    for view in views:
        connection.execute(view)
    assert len(asked) == 10
    return [connection.execute(one).fetchall() for one in asked]


def test_the_ten_questions(answers: list[list[Any]]) -> None:
    failed, first, devices, copied, slow, waiting, leaked, partly, unusual, builds = answers
    assert [row[0] for row in failed] == [*FAILING]
    assert {row[4:] for row in failed} == {("hipMemcpy", "hipErrorIllegalAddress")}
    assert first == [(run, 2, "hipMemcpy", "hipErrorIllegalAddress") for run in FAILING]
    # Ordinal 2 of HIP_VISIBLE_DEVICES=4,5,6,7 is the machine's device 6.
    assert devices[0] == ("node-a", 6, RUNS, 2)
    assert [row[1:] for row in devices[1:]] == [(device, RUNS, 0) for device in (4, 5, 7)]
    assert {(row[0], row[1]): row[2] for row in copied} == {
        **{(device, 1): RUNS * BYTES for device in (4, 5, 6, 7)},
        (4, 2): RUNS * BYTES,
        (5, 2): (RUNS - 1) * BYTES,
        (7, 2): RUNS * BYTES,
        (6, 2): (RUNS - 2) * BYTES,
    }
    assert all(row[3] == pytest.approx(BYTES / 1000) for row in copied if row[1] == 1)
    assert slow[0][0] == "hipDeviceSynchronize"
    assert (slow[0][1], slow[0][2]) == (RUNS * RANKS, 500)
    assert waiting[0] == (3, 10.0)
    assert leaked == [(run, 2, 1, BYTES) for run in FAILING]
    assert partly == [("extra", [0], RUNS)]
    # Who failed frees nothing, and is a call short as well.
    assert [row[:2] for row in unusual] == [(FAILING[0], 2), (FAILING[1], 2), (SHORT, 1)]
    assert builds == [("b" * 16, 2, 2), ("a" * 16, RUNS - 2, 0)]


def test_the_layout_is_the_documented_one(dataset: Path, root: Path) -> None:
    calls = sorted(dataset.glob("calls/*/*/*/*/*.parquet"))
    assert len(calls) == RUNS * RANKS
    assert calls[0].relative_to(dataset).parts[:-1] == (
        *("calls", "run=job00", "rank=0", "node=node-a", "device=4"),
    )
    page = (root / "docs" / "export.md").read_text(encoding="utf-8")
    for column in pq.read_schema(next(dataset.glob("runs/*/*.parquet"))).names:
        assert re.search(rf"\| .*`{column}`", page), column
    assert "verdict" not in pq.read_schema(calls[0]).names


def test_a_run_is_replaced_only_by_force_and_others_are_added(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("one", "two"):
        write_run(tmp_path, name)
    target = str(tmp_path / "d")
    pair = [str(tmp_path / "one"), str(tmp_path / "one")]
    assert main(["export", *pair, "--format", "parquet", "-o", target]) == 0  # named twice, one run
    assert "1 runs" in capsys.readouterr().err
    assert main(["export", str(tmp_path / "one"), str(tmp_path / "two"), "-o", target]) == 2
    assert "has run=one already" in capsys.readouterr().err
    both = [str(tmp_path / name) for name in ("one", "two")]
    assert main(["export", *both, "-o", target, "--force"]) == 0
    assert sorted(path.name for path in (tmp_path / "d" / "runs").iterdir()) == [
        *("run=one", "run=two"),
    ]
    assert [path.name for path in (tmp_path / "d").iterdir() if path.name.startswith(".")] == []


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--format", "jsonl", "-o", "x"], "is of one run"),
        ([], "name its folder with -o"),
        (["-o", "a.file"], "is a file"),
    ],
)
def test_bad_usage(
    words: list[str], said: str, tmp_path: Path, capsys: Any, monkeypatch: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.file").touch()
    write_run(tmp_path, "one")
    assert main(["export", "one", "one", *words]) == 2
    assert said in capsys.readouterr().err


RANKS_SCRIPT = """
import ctypes, os, sys
if len(sys.argv) == 1:
    for rank in (1, 0):
        if os.fork() == 0:
            variables = {**os.environ, "PMI_RANK": str(rank), "GRETA_SIM_DEVICES": "2"}
            os.execve(sys.executable, [sys.executable, __file__, "rank"], variables)
        os.wait()
else:
    hip = ctypes.CDLL("libamdhip64.so")
    hip.hipSetDevice(int(os.environ["PMI_RANK"]))
    hip.hipDeviceSynchronize()
"""


def test_the_ranks_of_a_real_run(tmp_path: Path, environment: dict[str, str], capsys: Any) -> None:
    script = tmp_path / "ranks.py"
    script.write_text(RANKS_SCRIPT)
    for name in ("first", "second"):
        command = [sys.executable, "-m", "greta", "run", "--quiet", "--device", "sim"]
        out = ["--out", str(tmp_path / "runs" / name), "--", sys.executable, str(script)]
        subprocess.run([*command, *out], env=environment, check=True)
    assert main(["export", str(tmp_path / "runs"), "-o", str(tmp_path / "d")]) == 0
    pids = {one.pid for one in open_recording(tmp_path / "runs" / "first").processes}
    found = {
        (path.parts[-4], path.parts[-2]): {*pq.read_table(path)["process"].to_pylist()}
        for path in (tmp_path / "d" / "calls" / "run=first").rglob("*.parquet")
    }
    # Rank 1 began first.
    assert sorted(found) == [("rank=0", "device=0"), ("rank=1", "device=1")]
    assert set().union(*found.values()) == pids
