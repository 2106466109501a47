"""The facts of a file: which one exactly it is."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from datetime import datetime
from pathlib import Path

import pytest

from greta.runs import files
from greta.runs.elf import read_elf
from greta.runs.files import file_facts
from greta.trace.run_facts import GitFacts


def run_git(folder: Path, *words: str) -> str:
    identity = ["-c", "user.name=T", "-c", "user.email=t@example.org"]
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null"}
    return subprocess.run(
        ["git", *identity, *words],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A git work tree with one commit of the file `prog`."""
    folder = tmp_path / "odd näme"
    folder.mkdir()
    run_git(folder, "init", "--initial-branch=trunk")
    (folder / "prog").write_text("x")
    run_git(folder, "add", "prog")
    run_git(folder, "commit", "-m", "first")
    return folder


@pytest.fixture(autouse=True)
def _no_tree_is_remembered() -> None:
    files._tree_facts.cache_clear()


def test_size_hash_time_and_where_links_lead(tmp_path: Path) -> None:
    (tmp_path / "real").write_bytes(b"content")
    (tmp_path / "link").symlink_to("real")
    facts = file_facts(tmp_path / "link")
    assert facts.path == str(tmp_path / "link")
    assert facts.real_path == str(tmp_path / "real")
    assert facts.bytes == 7
    assert facts.sha256 == hashlib.sha256(b"content").hexdigest()
    assert datetime.fromisoformat(str(facts.modified)).tzinfo is not None
    assert facts.build_id is None


def test_the_build_id_is_the_one_readelf_shows(empty_recorder: Path) -> None:
    notes = subprocess.run(
        ["readelf", "-n", str(empty_recorder)], capture_output=True, text=True, check=True
    ).stdout
    build_id = notes.split("Build ID:")[1].split()[0]
    assert file_facts(empty_recorder).build_id == build_id


def test_how_a_program_is_linked(tmp_path: Path) -> None:
    elf = read_elf(Path(os.path.realpath(sys.executable)))
    assert elf is not None
    assert (elf.machine, elf.dynamic) == ("EM_X86_64", True)
    command = ["g++", "-static", "-x", "c++", "-", "-o", str(tmp_path / "static")]
    subprocess.run(command, input=b"int main() {}", check=True)
    static = read_elf(tmp_path / "static")
    assert static is not None
    assert not static.dynamic


def test_a_damaged_elf_file_is_no_elf_file(tmp_path: Path, empty_recorder: Path) -> None:
    whole = empty_recorder.read_bytes()
    damaged = tmp_path / "damaged"
    for size in (4, 20, 63, 64, 100, 500):
        damaged.write_bytes(whole[:size])
        read_elf(damaged)
    damaged.write_bytes(whole[:64] + bytes(255 for _ in whole[64:]))
    read_elf(damaged)
    damaged.write_bytes(b"\x7fELF" + b"\xff" * 1000)
    assert read_elf(damaged) is None


def git_of(path: Path) -> GitFacts:
    found = file_facts(path).git
    assert found
    return found


def test_git_knows_a_tracked_file_in_a_clean_tree(tree: Path) -> None:
    facts = file_facts(tree / "prog").git
    assert facts == GitFacts(
        tree=str(tree),
        commit=run_git(tree, "rev-parse", "HEAD"),
        branch="trunk",
        clean=True,
        changed_files=0,
        tracked=True,
    )


def test_git_knows_a_changed_tree_and_an_untracked_file(tree: Path) -> None:
    (tree / "built").write_text("x")
    (tree / "prog").write_text("changed")
    facts = git_of(tree / "built")
    assert (facts.tracked, facts.clean, facts.changed_files) == (False, False, 1)


def test_git_variables_of_another_tree_do_not_mislead(
    tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_DIR", "/nowhere")
    assert git_of(tree / "prog").tracked is True


def test_a_tree_without_a_commit(tmp_path: Path) -> None:
    run_git(tmp_path, "init")
    (tmp_path / "prog").write_text("x")
    facts = git_of(tmp_path / "prog")
    assert (facts.commit, facts.tracked) == (None, False)


def test_no_tree_and_no_git_are_no_facts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "prog").write_text("x")
    assert file_facts(tmp_path / "prog").git is None
    monkeypatch.setenv("PATH", "/nowhere")
    assert file_facts(tmp_path / "prog").git is None


def test_a_git_that_hangs_is_not_waited_for(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    slow = tree.parent / "slow"
    slow.write_text("#!/bin/sh\nexec sleep 30\n")
    slow.chmod(0o755)
    monkeypatch.setattr(files, "_GIT", (str(slow),))
    monkeypatch.setattr(files, "_SECONDS", 0.1)
    assert "timed out" in str(git_of(tree / "prog").problem)


def test_a_file_that_is_gone_is_a_problem_and_no_crash(tmp_path: Path) -> None:
    assert "cannot be read" in str(file_facts(tmp_path / "gone").problem)
