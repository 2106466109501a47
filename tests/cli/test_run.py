"""`greta run`: the program's environment, mistakes, and what is left behind."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from greta.cli.main import main
from greta.errors import UsageError
from greta.hip import SimTree
from greta.runs import device as run_device
from greta.runs.device import choose_run_device
from greta.trace.run_facts import DeviceFacts
from tests.conftest import Run
from tests.runs.running import build_empty_recorder

SHOW = "import os; print([os.environ.get(name) for name in {names!r}])"


def show(*names: str) -> list[str]:
    return [sys.executable, "-c", SHOW.format(names=list(names))]


@pytest.fixture(autouse=True)
def _place(
    sim_tree: SimTree, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, recorder: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GRETA_RECORDER", str(recorder))


@pytest.fixture(scope="module")
def recorder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_empty_recorder(tmp_path_factory.mktemp("recorder"))


def test_the_program_finds_the_device_and_the_recorder(
    run_greta: Run, sim_tree: SimTree, recorder: Path, tmp_path: Path
) -> None:
    names = ("ROCM_PATH", "GRETA_DEVICE", "LD_PRELOAD", "GRETA_RECORD", "GRETA_RECORD_RING")
    options = ["--device", "sim", "--out", "here", "--ring", "1000"]
    done = run_greta("run", *options, "--", *show(*names), cwd=tmp_path)
    recording = str(tmp_path / "here" / "recording")
    expected = [str(sim_tree.root), "sim", str(recorder), recording, "1000"]
    assert done.stdout.strip() == str(expected)


@pytest.mark.parametrize(
    ("text", "records"), [("64", "64"), ("100k", "100000"), ("10M", "10000000")]
)
def test_a_ring_has_a_size(run_greta: Run, tmp_path: Path, text: str, records: str) -> None:
    words = ["--quiet", "--ring", text, "--", *show("GRETA_RECORD_RING")]
    assert run_greta("run", *words, cwd=tmp_path).stdout.strip() == str([records])


def test_without_one_all_is_kept(run_greta: Run, tmp_path: Path) -> None:
    words = ["run", "--quiet", "--", *show("GRETA_RECORD_RING")]
    assert run_greta(*words, cwd=tmp_path, GRETA_RECORD_RING="64").stdout.strip() == "[None]"


def test_options_of_the_simulated_device_reach_it(run_greta: Run, tmp_path: Path) -> None:
    names = ("GRETA_SIM_DEVICES", "GRETA_SIM_VRAM", "GRETA_SIM_PLACEMENT")
    options = ["--device", "sim", "--sim-devices", "2", "--vram", "3G", "--strict"]
    done = run_greta("run", *options, "--", *show(*names), cwd=tmp_path)
    assert done.stdout.strip() == str(["2", str(3 << 30), "strict"])


def test_each_run_has_a_folder_of_its_own(run_greta: Run, tmp_path: Path) -> None:
    for _ in range(2):
        assert run_greta("run", "--quiet", "--", "true", cwd=tmp_path).stderr == ""
    folders = sorted((tmp_path / "greta-runs").iterdir())
    assert len(folders) == 2
    names = ["recording", "run.json", "stderr.log", "stdout.log"]
    assert all(sorted(path.name for path in folder.iterdir()) == names for folder in folders)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["run"], "no program given"),
        (["run", "--"], "no program given"),
        (["run", "--", "no-such-program"], "there is no such program"),
        (["run", "--", "/"], "cannot run '/': it is a folder"),
        (["run", "--", "/etc/passwd"], "cannot run '/etc/passwd': Permission denied"),
        (["run", "--", "./text"], "cannot run './text': Exec format error"),
        (["run", "--", "./plain.py"], "did you mean python ./plain.py?"),
        (["run", "--", "./headless"], "the interpreter that it names, '/no/such', is not there"),
        (["run", "--out", "full", "--", "ls"], "--out: 'full' is not empty"),
        (["run", "--out", "text", "--", "ls"], "--out: 'text' is not a folder"),
        (["run", "--ring", "0", "--", "ls"], "from 64 to 10,000,000"),
        (["run", "--ring", "63", "--", "ls"], "not '63'"),
        (["run", "--ring", "11M", "--", "ls"], "not '11M'"),
        (["run", "--ring", "many", "--", "ls"], "not 'many'"),
        (["run", "--ring", "1G", "--", "ls"], "not '1G'"),
        (["run", "--bogus"], "see `greta run --help`"),
        (["run", "--bogus", "--", "ls"], "--bogus; see `greta run --help`"),
        (["run", "--device", "cuda", "--", "ls"], "--device"),
        (["run", "--device", "hip", "--strict", "--", "ls"], "add --device sim"),
        (["run", "ls", "--", "ls"], "unexpected 'ls' before `--`"),
    ],
)
def test_mistakes_are_one_sentence_and_leave_nothing(
    words: list[str], sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "precious").touch()
    for name, text in (("text", "x"), ("plain.py", "x"), ("headless", "#!/no/such\n")):
        (tmp_path / name).write_text(text)
        (tmp_path / name).chmod(0o644 if name == "plain.py" else 0o755)
    before = sorted(tmp_path.rglob("*"))
    assert main(words) == 2
    error = capsys.readouterr().err
    assert sentence in error
    assert error.count("\n") == 1
    assert sorted(tmp_path.rglob("*")) == before


def test_a_missing_recorder_is_one_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GRETA_RECORDER", "/no/such.so")
    assert main(["run", "--", "ls"]) == 2
    assert capsys.readouterr().err.startswith("greta: GRETA_RECORDER=/no/such.so is not a file")


def test_a_working_folder_that_is_gone_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    assert main(["run", "--device", "sim", "--", "true"]) == 2
    assert "the working folder has been removed" in capsys.readouterr().err


def test_words_after_the_separator_belong_to_the_program(run_greta: Run, tmp_path: Path) -> None:
    echo = [sys.executable, "-c", "import sys; print(sys.argv[1:])"]
    done = run_greta("run", "--quiet", "--", *echo, "--quiet", "--", "--help", cwd=tmp_path)
    assert done.stdout.strip() == "['--quiet', '--', '--help']"


def test_names_and_words_need_not_be_text(
    environment: dict[str, str], recorder: Path, tmp_path: Path
) -> None:
    program = os.fsencode(tmp_path) + b"/odd \xff\n'name"
    Path(os.fsdecode(program)).symlink_to("/bin/echo")
    done = subprocess.run(
        [sys.executable, "-m", "greta", "run", "--", program, b"\xfe", "ñ"],
        env={**environment, "GRETA_RECORDER": str(recorder)},
        cwd=tmp_path,
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, b"\xfe \xc3\xb1\n")
    (folder,) = (tmp_path / "greta-runs").iterdir()
    command = json.loads((folder / "run.json").read_text())["command"]
    assert [os.fsencode(word) for word in command] == [program, b"\xfe", "ñ".encode()]


def test_auto_says_why_it_chose(monkeypatch: pytest.MonkeyPatch, sim_tree: SimTree) -> None:
    monkeypatch.setattr(run_device, "_gpu_obstacle", lambda: "there is no GPU")
    facts = replace(choose_run_device(None, {}).facts, name=None, memory_bytes=None)
    assert facts == DeviceFacts("auto", "sim", "there is no GPU", str(sim_tree.library))
    monkeypatch.setattr(run_device, "_gpu_obstacle", lambda: None)
    assert choose_run_device(None, {}).facts.kind == "hip"
    monkeypatch.setenv("GRETA_DEVICE", "sim")
    assert choose_run_device(None, {}).facts.kind == "sim"
    monkeypatch.setenv("GRETA_DEVICE", "cuda")
    with pytest.raises(UsageError, match="GRETA_DEVICE must be auto, hip or sim"):
        choose_run_device(None, {})


def test_a_gpu_that_is_asked_for_and_not_there_is_left_to_the_program(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(run_device, "_gpu_obstacle", lambda: "there is no GPU")
    device = choose_run_device("hip", {})
    assert device.facts.reason == "asked for, although there is no GPU"
    assert device.environment["GRETA_DEVICE"] == "hip"
    assert device.environment.get("LD_LIBRARY_PATH") == os.environ.get("LD_LIBRARY_PATH")


def test_a_gpu_is_looked_for_in_a_process_of_its_own(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, environment: dict[str, str]
) -> None:
    # Whatever AMD's library does when it is loaded, it does not do it to us.
    monkeypatch.setenv("PYTHONPATH", environment["PYTHONPATH"])
    (tmp_path / "kfd").touch()
    monkeypatch.setattr(run_device, "_GPU_NODE", tmp_path / "kfd")
    assert "no GPU driver" in (run_device._gpu_obstacle() or "")
    monkeypatch.setattr(run_device, "_ASK", "import os; os.abort()")
    assert "could not be tried" in (run_device._gpu_obstacle() or "")


def test_a_watch_without_its_library_is_refused(run_greta: Run, tmp_path: Path) -> None:
    done = run_greta("run", "--device", "sim", "--watch-host", "--", "true", cwd=tmp_path)
    assert done.returncode == 2
    assert "--watch-host needs" in done.stderr
    assert list(tmp_path.iterdir()) == []
