"""Run and artifact folders from anybody: refused in one sentence, or read; never a traceback.

GRETA_TEST_MUTATIONS says how many mutants there are of each JSON file (40; 20000 for a long look).
"""

from __future__ import annotations

import copy
import io
import json
import os
import random
import re
import resource
import shutil
import signal
import stat
import subprocess
import sys
import traceback
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from greta.cli.main import main
from greta.runs.files import file_facts
from greta.typed_json import encode
from tests.recording.writer import ProcessWriter

MUTANTS = int(os.environ.get("GRETA_TEST_MUTATIONS", "40"))
FILES = ("run.json", "pin.json", "summary.json", "verdict.json", "rerun.json")
LONGEST_SECONDS = 10
RECORDED = tuple(f"recording/10.1/{name}" for name in ("header", "tables.jsonl", "lane.0"))
NEEDED_BY = {"kernels": (), "export": (), "runs": (), "pin": ("run.json",)}
"""Of the commands that do not read all of a run's own files: those that they do."""
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


def reading(name: str, run: Path, audit: Path) -> tuple[Path, list[list[str]]]:
    """Where a file of this name is, and the commands that read it."""
    root, new, r, a = audit.parent.parent, str(run / "new"), str(run), str(audit)
    of_run = [["analyze", r], ["report", r, "--format", "html"], ["diff", r, r], ["kernels", r]]
    of_run += [["runs", str(run.parent)], ["case", "add", "c", r, "--out", new]]
    of_run += [["verify", "case", "--before", r, "--after", r, "--out", str(root)]]
    of_audit = [
        ["report", a],
        ["case", "show", "case", "--out", str(root)],
        ["audit", "--resume", a],
    ]
    of_audit += [
        ["case", "list", "--out", str(root)],
        ["verify", "case", "--before", a, "--after", a],
    ]
    of_audit += [
        ["case", "show", "case", "--out", str(root)],
        ["audit", "merge", a, a, "--out", new],
    ]
    verdict = audit / "run" / "A.0" / "verdict.json"
    of_verdict = [["report", str(verdict)], ["audit", "--resume", a], ["report", a]]
    places = {
        "run.json": (run / "run.json", [*of_run, ["pin", r], ["export", r, "--format", "jsonl"]]),
        "pin.json": (run / "pin.json", of_run),
        "summary.json": (audit / "summary.json", of_audit),
        "verdict.json": (verdict, of_verdict),
        "rerun.json": (audit / "rerun.json", of_audit),
    }
    return places[name]


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
            target[last] = copy.deepcopy(chance.choice(VALUES))
    text = json.dumps(changed)
    if chance.random() < 0.05:
        return text[: chance.randrange(len(text))]
    return text


@pytest.mark.parametrize("name", FILES)
def test_no_mutant_is_more_than_a_sentence(
    run: Path,
    audit: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    name: str,
) -> None:
    monkeypatch.setattr("greta.runs.again.sys.stdin", io.StringIO())  # no terminal
    path, every = reading(name, run, audit)
    original = json.loads(path.read_text())
    chance = random.Random(f"{MUTANTS} {name}")  # noqa: S311
    failures: list[tuple[Any, ...]] = []
    for number in range(MUTANTS):
        path.write_text(mutant(original, chance))
        shutil.rmtree(run / "new", ignore_errors=True)
        words = chance.choice(every)
        try:
            with bounded():
                code = main(words)
            err = capsys.readouterr().err
            if code not in (0, 1, 2, 3) or (
                code == 2 and not err.splitlines()[-1].startswith("greta: ")
            ):
                failures.append((number, words[0], code, err[-300:]))
        except BaseException:  # a traceback is what must not be
            failures.append((number, words[0], traceback.format_exc()[-700:]))
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


def device(path: Path) -> None:
    path.unlink(missing_ok=True)
    try:
        os.mknod(path, stat.S_IFCHR | 0o666, os.makedev(1, 5))  # /dev/zero
    except PermissionError:
        pytest.skip("only root makes devices")


SPOILED = pytest.mark.parametrize(
    ("spoil", "why"),
    [(fifo, "FIFO"), (link_out, "leads out"), (giant, "bytes"), (device, "device")],
)


@SPOILED
@pytest.mark.parametrize("name", ["run.json", "pin.json", "stderr.log", *RECORDED])
def test_what_is_no_plain_file_is_refused_at_once(
    run: Path,
    audit: Path,
    capsys: pytest.CaptureFixture[str],
    spoil: Callable[[Path], None],
    why: str,
    name: str,
) -> None:
    spoil(run / name)
    for words in reading("run.json", run, audit)[1]:
        if name in RECORDED and words[0] not in ("analyze", "export", "kernels"):
            continue
        with bounded():
            code = main(words)
        said = "".join(capsys.readouterr())
        if name in RECORDED:  # a damaged recording is an ordinary input
            assert code in range(4)
        elif name in NEEDED_BY.get(words[0], (name,)):
            assert (words[0], code, why in said) == (words[0], 2, True)


@SPOILED
@pytest.mark.parametrize("name", ["summary.json", "rerun.json"])
def test_so_is_a_summary(
    audit: Path,
    run: Path,
    capsys: pytest.CaptureFixture[str],
    spoil: Callable[[Path], None],
    why: str,
    name: str,
) -> None:
    spoil(audit / name)
    for words in reading("summary.json", run, audit)[1]:
        with bounded():
            code = main(words)
        err = capsys.readouterr().err
        # One such folder does not hide the other cases.
        one_of_many = words[:2] == ["case", "list"]
        if name == "summary.json":
            assert (words[:2], code, why in err) == (words[:2], 0 if one_of_many else 2, True)


@SPOILED
def test_so_is_what_is_named_on_the_command_line(
    tmp_path: Path,
    run: Path,
    capsys: pytest.CaptureFixture[str],
    spoil: Callable[[Path], None],
    why: str,
) -> None:
    del why
    path = tmp_path / "given"
    spoil(path)
    if spoil is link_out:  # the caller has named it himself
        path.unlink()
        path.symlink_to("/dev/zero")
    given = str(path)
    for words in (
        *(["analyze", given], ["analyze", str(run), given], ["report", given], ["kernels", given]),
        *(["diff", given, str(run)], ["case", "add", "c", given, "--out", str(tmp_path / "new")]),
        *(["verify", "c", "--before", given, "--after", str(run)], ["pin", given]),
        *(["export", given, "--format", "jsonl"], ["audit", "--resume", given], ["runs", given]),
        *(["audit", "merge", given, given], ["audit", "--model", given, "--iters", "1"]),
    ):
        with bounded():
            assert (words, main(words)) == (words, 2)
        assert len(capsys.readouterr().err.splitlines()) == 1


def test_a_link_within_the_folder_is_followed(run: Path) -> None:
    (run / "run.json").rename(run / "facts.json")
    (run / "run.json").symlink_to("facts.json")
    assert main(["analyze", str(run)]) in (1, 3)


def test_the_source_of_a_report_cannot_steer_a_terminal(
    audit: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    summary = json.loads((audit / "summary.json").read_text())
    summary["case"] = "\x1b]0;owned\x07\x9b2J</title><script>alert(1)</script>"
    summary["blamed"] = {**summary["blamed"], "call": "\x1b[2J\u202e<img src=x onerror=alert(1)>"}
    (audit / "summary.json").write_text(json.dumps(summary))
    for format_ in ("html", "md", "json"):
        assert main(["report", str(audit), "--format", format_]) == 0
        out = capsys.readouterr().out
        assert [c for c in out if unicodedata.category(c) == "Cc" and c not in "\n\t"] == []
        if format_ == "html":
            assert "<img src=x" not in out
            assert "<script>alert" not in out


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


def test_a_program_that_has_changed_is_not_run(again: Path, tmp_path: Path) -> None:
    with (tmp_path / "a.sh").open("a") as script:
        script.write("# another one\n")
    done = pin(again, "--yes")
    assert (done.returncode, (tmp_path / "ran").exists()) == (2, False)
    assert "its hash is another" in done.stderr


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
@pytest.mark.parametrize("name", [".", "run.json"])
def test_a_folder_of_another_user_is_not_run(again: Path, tmp_path: Path, name: str) -> None:
    os.chown(again / name, 12345, -1)
    done = pin(again, "--yes")
    assert (done.returncode, (tmp_path / "ran").exists()) == (2, False)
    assert "belongs to another user" in done.stderr


def test_a_program_with_more_rights_than_its_user_heeds_no_variable(root: Path) -> None:
    """secure_getenv answers nothing where the program is setuid or has capabilities."""
    sources = [path for kind in ("*.cpp", "*.h") for path in (root / "native").rglob(kind)]
    plain = re.compile(r"(?<!secure_)getenv\((?!\"PATH\")")
    found = [
        path for path in sources if "tests" not in path.parts and plain.search(path.read_text())
    ]
    assert found == []
