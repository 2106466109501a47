"""Run and artifact folders from anybody: refused in one sentence, or read; never a traceback.

GRETA_TEST_MUTATIONS says how many mutants of the JSON files there are (150; 20000 for a long look).
"""

from __future__ import annotations

import io
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from greta.cli.main import main
from greta.runs.files import file_facts
from greta.typed_json import encode
from tests.recording.writer import ProcessWriter

MUTANTS = int(os.environ.get("GRETA_TEST_MUTATIONS", "150"))
LONGEST_SECONDS = 10
VALUES: tuple[Any, ...] = (
    *(None, True, -1, 0, 10**30, 1.5, float("nan"), float("inf"), "", "x", "\udcff", "/dev/zero"),
    *([], [None], [[]], ["x", 1], {}, {"a": None}, {"path": 1}, [{}], "../..", "\0", "9" * 5000),
)
FACTS: dict[str, Any] = {
    "schema": 1,
    "finished": True,
    "command": ["./a.out", "x"],
    "folder": "/",
    "started": "2026-11-16T10:00:00+00:00",
    "exit": {"code": 4, "signal": None, "core_dumped": False},
    "program": {"path": "/a.out", "real_path": "/a.out", "sha256": "0" * 64, "bytes": 1},
    "script": None,
    "models": [{"argument": "m", "path": "/m.gguf", "bytes": 3, "hash": "0"}],
    "host": {"name": "h", "kernel": "k", "cpu": "c"},
    "processes": [{"pid": 10, "executable": "/a.out", "arguments": ["a"], "calls": 1}],
    "executables": [{"path": "/b", "real_path": "/b", "sha256": "1" * 64}],
    "libraries": [{"path": "/l.so", "build_id": "ab"}],
    "versions": {"hip_runtime": 6},
    "device": {"asked": "sim", "kind": "sim", "reason": "r", "library": "l"},
    "ring": None,
    "watch_host": False,
    "environment": {"HIP_VISIBLE_DEVICES": "0", "GRETA_TRACE_MEMCPY": "1"},
}
PIN: dict[str, Any] = {
    "schema": 1,
    "runs": 1,
    "pinned": True,
    "reason": "r",
    "persists_serialized": True,
    "pid": 10,
    "seq": 1,
    "call": "hipMemcpyAsync",
    "kernel": "k",
    "history": [],
}
RERUN: dict[str, Any] = {
    "command": ["greta", "audit", "--", "./a.out"],
    "folder": str(Path.cwd()),
    "seed": 0,
    "environment": {"HIP_VISIBLE_DEVICES": "0"},
    "files": [{"path": "/a.out", "sha256": "0" * 64}],
    "options": {"iters": 1, "stress_iters": 0, "program": ["/bin/true"], "timeout": 1.0},
}


@pytest.fixture
def run(tmp_path: Path) -> Path:
    folder = tmp_path / "r"
    writer = ProcessWriter(folder / "recording" / "10.1", pid=10, start=(0, 0, 1))
    writer.lane().call("hipMemcpyAsync", begin=10, end=20, result=700)
    writer.write()
    (folder / "run.json").write_text(json.dumps(FACTS))
    (folder / "pin.json").write_text(json.dumps(PIN))
    return folder


@pytest.fixture
def audit(tmp_path: Path, run: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """An audit that was cut short, with its verdict.json and rerun.json."""
    folder = tmp_path / "artifacts" / "2026-11-16" / "case"
    folder.mkdir(parents=True)
    shutil.copytree(run, folder / "run" / "A.0")
    assert main(["analyze", str(run), "--json", "-"]) in (1, 3)
    verdict = json.loads(capsys.readouterr().out)
    (folder / "run" / "A.0" / "verdict.json").write_text(json.dumps(verdict))
    one = {"test": "A", "iteration": 0, "seed": 0, "result": "FAIL", "run": "run/A.0"}
    more = {"prompt": "p", "problems": ["hip_error"], "seconds": 1.0, "range": [1, 1], "factors": 0}
    summary = {
        **verdict,
        "case": "case",
        "partial": "interrupted",
        "started": "2026-11-16T10:00:00+00:00",
        "iterations": [{**one, **more}],
        "tests": [{"id": "A", "mode": "baseline", "profile": "none", "runs": ["run/A.0"]}],
        "statistics": {"runs": 1, "failures": 1, "failure_rate": 1.0},
        "factor_sets": [{"program": "a"}],
        "unwatched": [{"prompt": "p", "seconds": 1.0}],
        "environment": {"host": "h", "python": "3", "variables": {"HIP_X": "1"}},
        "program": {"path": "/a.out", "sha256": "0" * 64},
        "programs": [{"path": "/a.out", "sha256": "0" * 64}],
        "device": FACTS["device"],
        "rerun": RERUN,
    }
    (folder / "summary.json").write_text(json.dumps(summary))
    (folder / "rerun.json").write_text(json.dumps(RERUN))
    return folder


def commands(run: Path, audit: Path) -> dict[str, list[list[str]]]:
    """For each file the commands that read it."""
    root, r, a = str(audit.parent.parent), str(run), str(audit)
    of_run = [["analyze", r], ["report", r, "--format", "html"], ["diff", r, r], ["pin", r]]
    of_audit = [["report", a], ["case", "show", "case", "--out", root], ["audit", "--resume", a]]
    of_audit += [["case", "list", "--out", root], ["verify", "case", "--before", a, "--after", a]]
    verdict = str(audit / "run" / "A.0" / "verdict.json")
    return {
        str(run / "run.json"): of_run,
        str(run / "pin.json"): of_run[:3],
        str(audit / "summary.json"): of_audit,
        verdict: [["report", verdict], ["audit", "--resume", a]],
        str(audit / "rerun.json"): [["report", a], ["audit", "--resume", a]],
    }


@contextmanager
def bounded() -> Iterator[None]:
    def late(*_: object) -> None:
        raise AssertionError("hangs")

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(LONGEST_SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def places(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if at:
        yield at
    if isinstance(value, dict | list):
        inner = value.items() if isinstance(value, dict) else enumerate(value)
        for key, one in inner:
            yield from places(one, (*at, key))


def mutant(document: Any, chance: random.Random) -> str:
    changed = json.loads(json.dumps(document))
    for _ in range(chance.choice((1, 1, 1, 2, 4))):
        every = list(places(changed))
        if not every:
            break
        *way, last = chance.choice(every)
        target = changed
        for key in way:
            target = target[key]
        if chance.random() < 0.15:
            del target[last]
        else:
            target[last] = chance.choice(VALUES)
    text = json.dumps(changed)
    if chance.random() < 0.05:
        return text[: chance.randrange(len(text))]
    return text


def test_no_mutant_is_more_than_a_sentence(
    run: Path, audit: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("greta.runs.again.sys.stdin", io.StringIO())  # no terminal
    every = {Path(name): words for name, words in commands(run, audit).items()}
    originals = {path: path.read_text() for path in every}
    chance = random.Random(MUTANTS)  # noqa: S311
    failures: list[tuple[Any, ...]] = []
    for number in range(MUTANTS):
        path = chance.choice(list(every))
        text = mutant(json.loads(originals[path]), chance)
        path.write_text(text)
        words = chance.choice(every[path])
        try:
            with bounded():
                code = main(words)
            err = capsys.readouterr().err
            if code not in (0, 1, 2, 3) or (
                code == 2 and not err.splitlines()[-1].startswith("greta: ")
            ):
                failures.append((number, words[0], path.name, code, err[-300:]))
        except BaseException:  # a traceback is what must not be
            failures.append((number, words[0], path.name, traceback.format_exc()[-700:]))
        path.write_text(originals[path])
    assert failures == []
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss < 1 << 20  # KiB


def fifo(path: Path) -> None:
    path.unlink(missing_ok=True)
    os.mkfifo(path)


def link_out(path: Path) -> None:
    path.unlink(missing_ok=True)
    path.symlink_to("/etc/passwd")


def giant(path: Path) -> None:
    path.unlink(missing_ok=True)
    with path.open("wb") as file:
        file.truncate(1 << 40)


@pytest.mark.parametrize(
    ("spoil", "why"), [(fifo, "FIFO"), (link_out, "leads out"), (giant, "bytes")]
)
@pytest.mark.parametrize("name", ["run.json", "pin.json", "stderr.log"])
def test_what_is_no_plain_file_is_refused_at_once(
    run: Path,
    capsys: pytest.CaptureFixture[str],
    spoil: Callable[[Path], None],
    why: str,
    name: str,
) -> None:
    spoil(run / name)
    for words in (["analyze", str(run)], ["report", str(run)], ["diff", str(run), str(run)]):
        with bounded():
            assert main(words) == 2
        assert why in capsys.readouterr().err


@pytest.mark.parametrize(
    ("spoil", "why"), [(fifo, "FIFO"), (link_out, "leads out"), (giant, "bytes")]
)
def test_so_is_a_summary(
    audit: Path, capsys: pytest.CaptureFixture[str], spoil: Callable[[Path], None], why: str
) -> None:
    spoil(audit / "summary.json")
    root = str(audit.parent.parent)
    # One such folder does not hide the other cases.
    for words, code in ((["report", str(audit)], 2), (["case", "list", "--out", root], 0)):
        with bounded():
            assert main(words) == code
        assert why in capsys.readouterr().err


def test_a_link_within_the_folder_is_followed(run: Path) -> None:
    (run / "run.json").rename(run / "facts.json")
    (run / "run.json").symlink_to("facts.json")
    assert main(["analyze", str(run)]) in (1, 3)


def test_a_field_of_another_type_is_named(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (run / "run.json").write_text(json.dumps({**FACTS, "exit": {"code": "4"}}))
    assert main(["analyze", str(run)]) == 2
    assert "run.json: the field exit.code is not a whole number" in capsys.readouterr().err


@pytest.fixture
def again(run: Path, tmp_path: Path) -> Path:
    """A run of a script that leaves a mark when it runs."""
    script = tmp_path / "a.sh"
    script.write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\n")
    script.chmod(0o700)
    shell = file_facts(Path("/bin/sh"))
    facts = {**FACTS, "command": [str(script)], "folder": str(tmp_path), "program": shell}
    facts |= {"script": file_facts(script), "environment": {"GRETA_TRACE_MEMCPY": "1"}}
    (run / "run.json").write_text(json.dumps(encode(facts)))
    return run


def pin(run: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "greta", "pin", str(run), "--tries", "1", *words]
    return subprocess.run(
        command, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False
    )


def test_what_a_folder_names_is_not_run_unasked(again: Path, tmp_path: Path) -> None:
    done = pin(again)
    assert (done.returncode, (tmp_path / "ran").exists()) == (2, False)
    assert "say --yes" in done.stderr
    assert "a.sh" in done.stderr


def test_with_yes_the_own_folder_is_run(again: Path, tmp_path: Path) -> None:
    done = pin(again, "--yes")
    assert done.returncode == 3, done.stderr
    assert (tmp_path / "ran").exists()


def test_a_folder_that_others_may_write_to_is_not_run(again: Path, tmp_path: Path) -> None:
    again.chmod(0o777)
    done = pin(again, "--yes")
    assert (done.returncode, (tmp_path / "ran").exists()) == (2, False)
    assert "others may write" in done.stderr


def test_a_program_without_a_recorded_hash_is_not_run(again: Path, tmp_path: Path) -> None:
    facts = json.loads((again / "run.json").read_text())
    (again / "run.json").write_text(json.dumps({**facts, "script": None}))
    done = pin(again, "--yes")
    assert (done.returncode, (tmp_path / "ran").exists()) == (2, False)
    assert "does not hold the hash" in done.stderr
