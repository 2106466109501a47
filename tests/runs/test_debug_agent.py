"""`greta run --debug-agent`: asked for where it is installed, and said plainly where it is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from greta.errors import UsageError
from greta.runs.device import debug_agent_environment
from greta.trace.run_facts import DeviceFacts
from tests.conftest import Run

GPU = DeviceFacts(kind="hip", library="libamdhip64.so")


def installed(folder: Path) -> Path:
    library = folder / "lib" / "librocm-debug-agent.so.2"
    library.parent.mkdir()
    library.write_bytes(b"")
    return library


def test_rocr_is_told_to_load_it(tmp_path: Path) -> None:
    library = installed(tmp_path)
    found = debug_agent_environment({"ROCM_PATH": str(tmp_path)}, GPU)
    assert found == {"HSA_TOOLS_LIB": str(library), "HSA_ENABLE_DEBUG": "1"}
    beside = DeviceFacts(kind="hip", library=str(tmp_path / "lib" / "libamdhip64.so.7"))
    assert debug_agent_environment({}, beside) == found


def test_other_tools_stay(tmp_path: Path) -> None:
    library = installed(tmp_path)
    base = {"LD_LIBRARY_PATH": f"/nowhere:{library.parent}", "HSA_TOOLS_LIB": "libother.so"}
    found = debug_agent_environment(base, GPU)
    assert found["HSA_TOOLS_LIB"] == f"libother.so {library}"
    assert debug_agent_environment(base | found, GPU) == found


def test_where_it_is_not_installed_nothing_runs(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"needs librocm-debug-agent\.so\.2, which is not instal"):
        debug_agent_environment({"ROCM_PATH": str(tmp_path)}, GPU)


def test_the_simulated_device_has_none(run_greta: Run) -> None:
    done = run_greta("run", "--device", "sim", "--debug-agent", "--", "true")
    assert done.returncode == 2
    assert "--debug-agent is for a GPU" in done.stderr
