"""`greta doctor`: what it finds and how it says it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from greta import machine
from greta.cli import doctor
from greta.cli.main import main
from greta.hip import SimTree
from greta.machine import MachineCheck
from greta.reports.lang import Say
from tests.conftest import Run

GOOD = MachineCheck("compiler", "ok", "/usr/bin/g++")
ODD = MachineCheck("gpu", "note", "none", "the simulated device is used")
BAD = MachineCheck("sim_tree", "missing", "not found", "run `pip install .`")


@pytest.fixture
def found(monkeypatch: pytest.MonkeyPatch) -> list[MachineCheck]:
    """The checks' outcome, for the test to fill."""
    checks: list[MachineCheck] = []
    monkeypatch.setattr(doctor, "examine", lambda _: checks)
    return checks


def test_lines_are_aligned_and_say_what_to_do(
    found: list[MachineCheck], capsys: pytest.CaptureFixture[str]
) -> None:
    found += [GOOD, ODD, BAD]
    assert main(["doctor"]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "ok       C++ compiler      /usr/bin/g++",
        "note     GPU               none",
        "                           the simulated device is used",
        "MISSING  simulated device  not found",
        "                           run `pip install .`",
        "Something that is needed is missing.",
    ]


def test_notes_do_not_stop_the_product(
    found: list[MachineCheck], capsys: pytest.CaptureFixture[str]
) -> None:
    found += [GOOD, ODD]
    assert main(["doctor"]) == 0
    assert "This machine can run HIP programs." in capsys.readouterr().out


def test_it_speaks_the_language_of_the_locale(
    found: list[MachineCheck],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    reason = "there is no GPU driver (/dev/kfd does not exist)"
    found += [GOOD, MachineCheck("device", "ok", f"sim: {reason}")]
    monkeypatch.setenv("LC_ALL", "es_ES.UTF-8")
    assert main(["doctor"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "bien   compilador de C++    /usr/bin/g++",
        "bien   dispositivo elegido  sim: no hay controlador de GPU (/dev/kfd no existe)",
        "Esta máquina puede ejecutar programas HIP.",
    ]


@pytest.fixture
def clangs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder in which alone clang is looked for."""
    clang = tmp_path / "clang"
    clang.write_text("#!/bin/sh\necho clang version 19.1\n")
    clang.chmod(0o755)
    monkeypatch.setenv("HIP_CLANG_PATH", str(tmp_path))
    monkeypatch.setattr(machine, "device_library", lambda: None)
    return tmp_path


def test_what_greta_hipcc_needs_is_optional(clangs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    say = Say("en")
    alone = machine.check_gpu_compiler(say)
    assert alone.state == "note"
    assert "not what it needs beside it: lld, clang-offload-bundler" in alone.found
    assert "needed only by greta hipcc" in alone.advice
    for name in ("lld", "clang-offload-bundler"):
        (clangs / name).touch()
    without_library = machine.check_gpu_compiler(say)
    assert without_library.found == f"{clangs / 'clang'} (clang version 19.1)"
    assert (without_library.state, "printf" in without_library.advice) == ("note", True)
    monkeypatch.setattr(machine, "device_library", lambda: Path("/bitcode"))
    assert machine.check_gpu_compiler(say).state == "ok"
    (clangs / "clang").unlink()
    assert "HIP_CLANG_PATH: there is no clang in" in machine.check_gpu_compiler(say).advice


def test_no_gpu_is_feminine_in_spanish(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "find_gpus", list)
    assert machine.check_gpu(Say("es")).found == "ninguna"


def test_json_to_standard_output_is_nothing_but_json(
    found: list[MachineCheck], capsys: pytest.CaptureFixture[str]
) -> None:
    found += [GOOD, BAD]
    assert main(["doctor", "--json", "-"]) == 1
    report = json.loads(capsys.readouterr().out)
    assert report["schema"] == 1
    assert report["ready"] is False
    assert [check["id"] for check in report["checks"]] == ["compiler", "sim_tree"]


def test_json_to_a_file(found: list[MachineCheck], tmp_path: Path) -> None:
    found += [GOOD]
    target = tmp_path / "machine.json"
    assert main(["doctor", "--json", str(target)]) == 0
    assert json.loads(target.read_text())["ready"] is True


def test_a_file_that_cannot_be_written_is_one_sentence(
    found: list[MachineCheck], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found += [GOOD]
    assert main(["doctor", "--json", str(tmp_path / "no" / "machine.json")]) == 2
    assert "No such file or directory" in capsys.readouterr().err


def test_this_machine(run_greta: Run, sim_tree: SimTree) -> None:
    done = run_greta("doctor", "--json", "-")
    report = json.loads(done.stdout)
    checks = {check["id"]: check for check in report["checks"]}
    assert done.stderr == ""
    assert checks["selftest"]["state"] == "ok", checks["selftest"]
    assert checks["sim_tree"]["details"]["path"] == str(sim_tree.root)
    assert report["ready"] is True
    assert done.returncode == 0


def test_a_broken_device_is_a_finding(run_greta: Run, tmp_path: Path) -> None:
    library = tmp_path / "lib"
    library.mkdir()
    for name in ("libamdhip64.so", "libhiprtc.so"):
        (library / name).write_text("not a library")
    done = run_greta("doctor", "--json", "-", GRETA_SIM_TREE=str(tmp_path))
    checks = {check["id"]: check for check in json.loads(done.stdout)["checks"]}
    assert checks["selftest"]["state"] == "missing"
    assert "cannot be loaded" in checks["selftest"]["advice"]
    assert done.returncode == 1


@pytest.mark.parametrize(
    ("where", "why"), [(">/dev/full", "No space left on device"), (">&-", "it is closed")]
)
def test_what_cannot_be_written_is_one_sentence(
    where: str, why: str, environment: dict[str, str]
) -> None:
    line = f"{sys.executable} -m greta doctor {where}"
    done = subprocess.run(["sh", "-c", line], env=environment, capture_output=True, check=False)
    assert done.returncode == 2
    said = done.stderr.decode()
    assert said == f"greta: stdout cannot be used: {why}; --debug shows where\n"


def test_a_name_in_the_cache_cannot_speak_to_the_terminal(run_greta: Run, tmp_path: Path) -> None:
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "a\x1b[2Jb.gguf").touch()
    done = run_greta("doctor", GRETA_CACHE_DIR=str(tmp_path))
    assert "(models: a\\x1b[2Jb.gguf;" in done.stdout
    assert "\x1b" not in done.stdout
