"""Which device is chosen, and when it is too late to choose."""

from __future__ import annotations

import ctypes
import os
from pathlib import Path

import pytest

from greta.errors import DeviceChoiceError, SimTreeMissingError
from greta.hip import DeviceKind, SimTree, _choice, choose_device, decide_device, find_sim_tree
from tests.conftest import Run


@pytest.fixture
def no_gpu(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(_choice, "GPU_NODE", tmp_path / "kfd")


@pytest.fixture
def gpu(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A machine that looks as if it had a GPU and AMD's library."""
    node, library = tmp_path / "kfd", tmp_path / "libamdhip64.so"
    node.touch()
    library.touch()
    monkeypatch.setattr(_choice, "GPU_NODE", node)
    monkeypatch.setattr(_choice, "amd_library", lambda: library)
    monkeypatch.setattr(ctypes, "CDLL", lambda path: object())
    return library


@pytest.mark.usefixtures("no_gpu")
def test_auto_is_the_simulated_device_where_there_is_no_gpu(sim_tree: SimTree) -> None:
    choice = decide_device("auto")
    assert choice.kind is DeviceKind.SIM
    assert choice.library == sim_tree.library
    assert "there is no GPU driver" in choice.reason


def test_auto_is_the_gpu_where_there_is_one(gpu: Path) -> None:
    choice = decide_device("auto")
    assert (choice.kind, choice.library) == (DeviceKind.HIP, gpu)


@pytest.mark.usefixtures("gpu")
def test_the_simulated_device_can_be_had_on_a_gpu_machine() -> None:
    assert decide_device("sim").kind is DeviceKind.SIM


@pytest.mark.usefixtures("gpu")
def test_a_gpu_whose_library_does_not_load_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: str) -> None:
        raise OSError("libhsa-runtime64.so.1: cannot open shared object file")

    monkeypatch.setattr(ctypes, "CDLL", refuse)
    choice = decide_device("auto")
    assert choice.kind is DeviceKind.SIM
    assert "libhsa-runtime64" in choice.reason


@pytest.mark.usefixtures("no_gpu")
def test_hip_without_a_gpu_says_why_and_what_to_do() -> None:
    with pytest.raises(DeviceChoiceError, match=r"no GPU driver.*GRETA_DEVICE=sim"):
        decide_device("hip")


@pytest.mark.usefixtures("no_gpu")
def test_the_variable_decides_when_nothing_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRETA_DEVICE", "hip")
    with pytest.raises(DeviceChoiceError, match="device 'hip' cannot be used"):
        decide_device()
    monkeypatch.setenv("GRETA_DEVICE", "cuda")
    with pytest.raises(DeviceChoiceError, match="GRETA_DEVICE must be auto, hip or sim"):
        decide_device()


def test_another_word_is_refused() -> None:
    with pytest.raises(DeviceChoiceError, match="auto, hip or sim, not 'gpu'"):
        decide_device("gpu")


@pytest.mark.usefixtures("gpu")
def test_choosing_again_after_the_library_is_loaded_is_too_late() -> None:
    choose_device("sim")
    from greta.hip import device_count

    device_count()
    assert choose_device("sim").kind is DeviceKind.SIM
    with pytest.raises(DeviceChoiceError, match="too late"):
        choose_device("hip")
    assert choose_device().kind is DeviceKind.SIM


def test_a_library_the_program_loaded_before_is_noticed(
    run_script: Run, tmp_path: Path, sim_tree: SimTree
) -> None:
    other = tmp_path / "libamdhip64.so"
    other.write_bytes(sim_tree.library.read_bytes())
    done = run_script(
        f"import ctypes; ctypes.CDLL({str(other)!r})\n"
        "from greta import hip\n"
        "try: hip.choose_device('sim')\n"
        "except Exception as error: print(error)\n"
    )
    assert f"{other} is already loaded" in done.stdout


def test_an_installed_rocm_sdk_does_not_get_in_the_way(
    run_script: Run, tmp_path: Path, environment: dict[str, str]
) -> None:
    # AMD's bindings prefer this package to ROCM_PATH.
    (tmp_path / "rocm_sdk.py").write_text("def find_libraries(*names): return ['/no/such.so']\n")
    paths = os.pathsep.join([str(tmp_path), environment["PYTHONPATH"]])
    done = run_script("from greta import hip; print(hip.device_count())", PYTHONPATH=paths)
    assert (done.stdout, done.stderr) == ("1\n", "")


def test_a_tree_that_is_named_but_not_there_is_an_error(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("GRETA_SIM_TREE", str(tmp_path))
    with pytest.raises(SimTreeMissingError, match=f"GRETA_SIM_TREE={tmp_path}"):
        find_sim_tree()
