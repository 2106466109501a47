"""Which program a command starts, found without starting it."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from greta.runs.program import CommandFiles, find_program

ENVIRONMENT = {"PATH": "/usr/bin:/bin"}


def script(path: Path, text: str = "", mode: int = 0o755) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(mode)
    return path


def find(*command: str | Path, **variables: str) -> CommandFiles:
    return find_program([str(word) for word in command], {**ENVIRONMENT, **variables})


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_a_name_is_looked_for_in_the_programs_path(tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "tool").symlink_to("/bin/true")
    found = find("tool", PATH=f"/nowhere:{tmp_path}/bin:/bin")
    assert found == CommandFiles(f"{tmp_path}/bin/tool", tmp_path / "bin" / "tool")
    assert found.name == "tool"


def test_a_path_is_executed_as_it_was_written(tmp_path: Path) -> None:
    # A script sees the word in its $0.
    script(tmp_path / "x.sh", "#!/bin/sh\n")
    found = find("./x.sh")
    assert found == CommandFiles("./x.sh", Path("/bin/sh"), script=tmp_path / "x.sh")
    assert found.name == "x"


@pytest.mark.parametrize(
    "line",
    ["#!/usr/bin/env python3", "#! /usr/bin/env -S python3 -u", "#!/usr/bin/python3", "#!python3"],
)
def test_a_script_has_an_interpreter(tmp_path: Path, line: str) -> None:
    python = tmp_path / "bin" / "python3"
    python.parent.mkdir()
    python.symlink_to(sys.executable)
    text = line.replace("/usr/bin/python3", str(python)) + "\nprint()\n"
    found = find(script(tmp_path / "x", text), PATH=f"{python.parent}:/usr/bin")
    assert (found.path, found.script) == (python, tmp_path / "x")


def test_a_script_may_be_interpreted_by_a_script(tmp_path: Path) -> None:
    inner = script(tmp_path / "inner", "#!/bin/sh\n")
    outer = script(tmp_path / "outer", f"#!{inner}\n")
    assert find(outer) == CommandFiles(str(outer), Path("/bin/sh"), script=outer)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["s.py"], "s.py"),
        (["-u", "s.py", "-c", "x"], "s.py"),
        (["-W", "error", "-Xdev", "-BE", "s.py"], "s.py"),
        (["-X", "importtime", "--check-hash-based-pycs", "never", "--", "s.py"], "s.py"),
        (["-c", "pass", "s.py"], None),
        (["-uc", "pass"], None),
        (["-"], None),
        ([], None),
    ],
)
def test_pythons_arguments_name_the_script(
    tmp_path: Path, words: list[str], expected: str | None
) -> None:
    found = find(sys.executable, *words)
    assert found.script == (tmp_path / expected if expected else None)
    assert found.path == Path(sys.executable)


@pytest.mark.parametrize("words", [["-m", "pack.tool"], ["-um", "pack.tool"], ["-mpack.tool"]])
def test_a_module_is_found_where_python_would_look(tmp_path: Path, words: list[str]) -> None:
    file = script(tmp_path / "lib" / "pack" / "tool.py")
    found = find(sys.executable, *words, "-c", PYTHONPATH=str(tmp_path / "lib"))
    assert (found.module, found.script, found.name) == ("pack.tool", file, "pack.tool")
    main = script(tmp_path / "pack" / "tool" / "__main__.py")
    assert find(sys.executable, *words, PYTHONPATH=str(tmp_path / "lib")).script == main


def test_modules_of_the_interpreter_are_found() -> None:
    found = find(sys.executable, "-m", "json.tool")
    assert found.script is not None
    assert found.script.name == "tool.py"
    assert find(sys.executable, "-m", "no.such.module").script is None


def test_what_cannot_be_executed_is_refused_as_exec_does(tmp_path: Path) -> None:
    script(tmp_path / "bin" / "plain", mode=0o644)
    (tmp_path / "bin" / "folder").mkdir()
    with pytest.raises(FileNotFoundError):
        find("no-such-program")
    with pytest.raises(FileNotFoundError):
        find("./no-such-program")
    with pytest.raises(PermissionError):
        find("bin/plain")
    with pytest.raises(PermissionError):
        find("plain", PATH=f"{tmp_path}/bin")
    with pytest.raises(PermissionError):
        find("bin/folder")
    with pytest.raises(NotADirectoryError):
        find("bin/plain/x")


def test_names_need_not_be_text(tmp_path: Path) -> None:
    name = os.fsdecode(b"a \xff\n")
    path = script(tmp_path / name, "#!/bin/sh\n")
    assert find(f"./{name}").script == path


def test_binary_files_and_odd_first_lines_are_no_scripts(tmp_path: Path) -> None:
    for number, text in enumerate(["", "#!", "#!\n", "#!   \n", "#!/no/such/interpreter\n"]):
        path = script(tmp_path / str(number), text)
        assert find(path).script is None
