"""Looking at the machine, on machines made for the purpose."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from greta import machine
from greta.reports.lang import Say
from tests import children

SAY = Say("en")


def topology(root: Path, nodes: dict[int, tuple[str, str]]) -> Path:
    for number, (name, properties) in nodes.items():
        folder = root / str(number)
        folder.mkdir()
        (folder / "name").write_text(name + "\n")
        (folder / "properties").write_text(properties)
    return root


def test_gpus_are_told_from_cpus_in_the_topology(tmp_path: Path) -> None:
    nodes = topology(
        tmp_path,
        {
            0: ("", "cpu_cores_count 64\nsimd_count 0\ngfx_target_version 0\n"),
            1: ("aqua_vanjaram", "cpu_cores_count 0\nsimd_count 1216\ngfx_target_version 90402\n"),
            2: ("aldebaran", "simd_count 440\ngfx_target_version 90010\n"),
            10: ("", "simd_count 96\ngfx_target_version 110000\n"),
        },
    )
    assert machine.find_gpus(nodes) == [
        machine.GpuNode(1, "aqua_vanjaram", "gfx942"),
        machine.GpuNode(2, "aldebaran", "gfx90a"),
        machine.GpuNode(10, "AMD GPU", "gfx1100"),
    ]


def test_no_topology_is_no_gpu(tmp_path: Path) -> None:
    assert machine.find_gpus(tmp_path / "absent") == []


def test_a_missing_compiler_comes_with_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.delenv("GRETA_SIM_CXX", raising=False)
    check = machine.check_compiler(SAY)
    assert check.state == "note"  # programs with compiled kernels need none
    assert "apt-get install g++" in check.advice
    assert machine.check_selftest(SAY).state == "note"
    monkeypatch.setenv("GRETA_SIM_CXX", "no-such-compiler")
    assert machine.check_compiler(SAY).state == "missing"


def test_the_bindings_are_asked_for_only_by_what_uses_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        machine, "_package_version", lambda name: "" if name == "rocm-bindings-hip" else "1.0"
    )
    assert (machine.check_python(SAY).state, machine.check_selftest(SAY).state) == ("note", "note")
    monkeypatch.setattr(machine, "_package_version", lambda name: "")
    assert machine.check_python(SAY).state == "missing"


def test_a_compiler_that_is_named_is_the_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRETA_SIM_CXX", sys.executable)
    assert machine.find_compiler() == sys.executable
    monkeypatch.setenv("GRETA_SIM_CXX", "no-such-compiler")
    assert "no-such-compiler" in machine.check_compiler(SAY).advice


def test_the_cpu_executes_what_it_is_found_to_execute() -> None:
    # Whatever the CPU, a set that includes another is not executed without it.
    executed = machine.executed_features()
    assert "avx2" not in executed or "avx" in executed
    assert "avx512bw" not in executed or "avx512f" in executed


def test_an_instruction_that_does_not_exist_is_not_executed() -> None:
    script = "from greta import machine; print(machine._executes(bytes.fromhex('0f0b')))"
    done = children.run([sys.executable, "-c", script], check=True)
    assert done.stdout == "False\n"


def test_promises_the_cpu_does_not_keep_are_a_note(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "executed_features", lambda: ["avx"])
    monkeypatch.setattr(machine, "promised_features", lambda: ["avx", "avx512f"])
    check = machine.check_cpu(SAY)
    assert check.state == "note"
    assert "avx512f" in check.advice


def test_a_self_test_that_says_nothing_is_a_failure_with_its_last_words() -> None:
    done = subprocess.CompletedProcess([], -6, "", "first\nMemory access fault by GPU node-1\n")
    outcome = machine._outcome(done, SAY)
    assert outcome.ok is False
    assert "Memory access fault by GPU node-1" in (outcome.error or "")


def test_the_cache_folder_and_what_is_in_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("GRETA_CACHE_DIR", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert machine.check_cache(SAY).found == f"{tmp_path}/greta (models: none; compiled kernels: 0)"
    for name in ("models/tiny.gguf", "models/tiny.part", "hiprtc/one", "hiprtc/two"):
        path = tmp_path / "greta" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    details = machine.check_cache(SAY).details
    assert (details["models"], details["compiled_kernels"]) == (["tiny.gguf"], 2)
    monkeypatch.setenv("GRETA_CACHE_DIR", str(tmp_path / "own"))
    assert machine.cache_folder() == tmp_path / "own"
