"""`greta sim`: the environment it makes, and how it becomes the program."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from greta.cli.main import main
from greta.hip import SimTree
from greta.runs.device import sim_environment
from tests.conftest import Run

SHOW = "import os; print({names!r} and [os.environ.get(n) for n in {names!r}])"


def show(*names: str) -> list[str]:
    return [sys.executable, "-c", SHOW.format(names=list(names))]


@pytest.fixture(autouse=True)
def _needs_sim_tree(sim_tree: SimTree) -> None:
    pass


def test_the_program_finds_the_simulated_libraries(run_greta: Run, sim_tree: SimTree) -> None:
    done = run_greta("sim", "--", *show("ROCM_PATH", "HIP_PATH", "GRETA_DEVICE"))
    root = str(sim_tree.root)
    assert done.stdout.strip() == str([root, root, "sim"])


def test_a_reader_that_goes_away_ends_the_program(sim_tree: SimTree) -> None:
    # Python ignores SIGPIPE, which the program must not inherit.
    words = [sys.executable, "-m", "greta", "sim", "--", "yes"]
    with subprocess.Popen(words, stdout=-1, stderr=-1) as child:
        assert child.stdout is not None
        assert child.stderr is not None
        assert child.stdout.readline() == b"y\n"
        child.stdout.close()
        assert child.stderr.read() == b""
        assert child.wait(60) == -signal.SIGPIPE


def test_our_folder_comes_before_the_users(sim_tree: SimTree) -> None:
    environment = sim_environment(sim_tree, {"LD_LIBRARY_PATH": "/opt/rocm/lib:/usr/local/lib"})
    assert environment["LD_LIBRARY_PATH"] == f"{sim_tree.lib}:/opt/rocm/lib:/usr/local/lib"
    again = sim_environment(sim_tree, environment)
    assert again == environment


def test_an_empty_entry_of_the_search_path_is_not_passed_on(sim_tree: SimTree) -> None:
    # To the loader an empty entry means the current folder.
    environment = sim_environment(sim_tree, {"LD_LIBRARY_PATH": ""})
    assert environment["LD_LIBRARY_PATH"] == str(sim_tree.lib)


def test_options_become_the_devices_variables(run_greta: Run) -> None:
    names = [
        "GRETA_SIM_DEVICES",
        "GRETA_SIM_VRAM",
        "GRETA_SIM_PLACEMENT",
        "HIP_SKIP_ABORT_ON_GPU_ERROR",
    ]
    options = ["--sim-devices", "2", "--vram", "3G", "--strict", "--abort-on-fault"]
    done = run_greta("sim", *options, "--", *show(*names))
    assert done.stdout.strip() == str(["2", str(3 << 30), "strict", "0"])
    done = run_greta("sim", "--", *show(*names))
    assert done.stdout.strip() == str([None] * 4)


def test_the_separator_may_be_left_out(run_greta: Run) -> None:
    done = run_greta("sim", "--devices", "3", *show("GRETA_SIM_DEVICES"))
    assert done.stdout.strip() == "['3']"


def test_words_after_the_separator_belong_to_the_program(run_greta: Run) -> None:
    echo = [sys.executable, "-c", "import sys; print(sys.argv[1:])"]
    done = run_greta("sim", "--", *echo, "--strict", "--", "--help")
    assert done.stdout.strip() == "['--strict', '--', '--help']"


def test_the_exit_code_is_the_programs(run_greta: Run) -> None:
    assert run_greta("sim", "--", sys.executable, "-c", "exit(42)").returncode == 42


def test_a_signal_that_ends_the_program_is_seen(run_greta: Run) -> None:
    script = "import os, signal; os.kill(os.getpid(), signal.SIGKILL)"
    done = run_greta("sim", "--", sys.executable, "-c", script)
    assert done.returncode == -signal.SIGKILL


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["sim"], "no program given"),
        (["sim", "--"], "no program given"),
        (["sim", "--", "no-such-program"], "there is no such program"),
        (["sim", "--", "/"], "cannot run '/'"),
        (["sim", "--devices", "0", "--", "ls"], "must be 1 to 16, not '0'"),
        (["sim", "--devices", "two", "--", "ls"], "must be 1 to 16, not 'two'"),
        (["sim", "--vram", "much", "--", "ls"], "such as 16G, 1M or more, not 'much'"),
        (["sim", "--vram", "-1", "--", "ls"], "--vram"),
        (["sim", "--vram", "0", "--", "ls"], "such as 16G, 1M or more, not '0'"),
        (["sim", "ls", "--", "ls"], "unexpected 'ls' before `--`"),
        (["sim", "--cflags", "--", "ls"], "run no program"),
    ],
)
def test_mistakes_are_one_sentence_and_exit_code_2(
    words: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 2
    error = capsys.readouterr().err
    assert sentence in error
    assert error.count("\n") == 1


def test_a_missing_tree_is_one_sentence(run_greta: Run, tmp_path: Path) -> None:
    done = run_greta("sim", "--", "ls", GRETA_SIM_TREE=str(tmp_path))
    assert done.returncode == 2
    assert done.stderr.startswith(f"greta: GRETA_SIM_TREE={tmp_path} has no lib/libamdhip64.so")


@pytest.mark.parametrize(
    ("text", "size"),
    [("16G", 16 << 30), ("512m", 512 << 20), ("2GiB", 2 << 30), ("1048576", 1 << 20)],
)
def test_sizes(run_greta: Run, text: str, size: int) -> None:
    done = run_greta("sim", "--vram", text, "--", *show("GRETA_SIM_VRAM"))
    assert done.stdout.strip() == str([str(size)])


def test_print_env_can_be_evaluated_by_a_shell(run_greta: Run, sim_tree: SimTree) -> None:
    lines = run_greta("sim", "--print-env", "--devices", "2").stdout
    script = lines + 'echo "$ROCM_PATH|$GRETA_SIM_DEVICES|$LD_LIBRARY_PATH"'
    environment = {"PATH": os.environ["PATH"]}
    done = subprocess.run(
        ["sh", "-ec", script], env=environment, capture_output=True, text=True, check=True
    )
    root, devices, libraries = done.stdout.strip().split("|")
    assert (root, devices) == (str(sim_tree.root), "2")
    assert libraries.split(":")[0] == str(sim_tree.lib)


def test_flags_for_the_compiler_and_the_linker(run_greta: Run, sim_tree: SimTree) -> None:
    flags = shlex.split(run_greta("sim", "--cflags", "--libs").stdout)
    assert f"-I{sim_tree.include}" in flags
    assert flags.index(f"-L{sim_tree.lib}") < flags.index("-lamdhip64")
    assert "-lamdhip64" not in run_greta("sim", "--cflags").stdout


def test_amds_bindings_run_on_the_simulated_device(run_greta: Run) -> None:
    script = "from rocm.bindings import hip; print(*map(int, hip.hipGetDeviceCount()))"
    done = run_greta("sim", "--devices", "2", "--", sys.executable, "-c", script)
    assert (done.stdout, done.stderr) == ("0 2\n", "")


def test_an_installed_rocm_sdk_does_not_get_in_the_way(
    run_greta: Run, tmp_path: Path, environment: dict[str, str]
) -> None:
    # AMD's bindings prefer this package to ROCM_PATH.
    (tmp_path / "rocm_sdk.py").write_text("def find_libraries(*names): return ['/no/such.so']\n")
    paths = os.pathsep.join([str(tmp_path), environment["PYTHONPATH"]])
    script = "from rocm.bindings import hip; print(*map(int, hip.hipGetDeviceCount()))"
    done = run_greta("sim", "--", sys.executable, "-c", script, PYTHONPATH=paths)
    assert (done.stdout, done.stderr) == ("0 1\n", "")
