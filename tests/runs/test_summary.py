"""The summary at the end of `greta run`, from real runs of a program that brings a recording."""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path

import pytest

from tests.recording.writer import INCOMPLETE, SIGNAL
from tests.runs.recordings import Calls, fill, new_process
from tests.runs.running import TIMEOUT, Finished, Runner
from tests.runs.test_terminal import terminal

COPY = 'cp -r "$1"/* "$GRETA_RECORD"; printf unended; exit "$2"'


def lines(done: Finished) -> dict[str, str]:
    """The summary by title."""
    said = [line for line in done.stderr.decode().splitlines() if line]
    titles = (line.removeprefix("greta: ").split("  ")[0] for line in said)
    return {title.strip(): line[16:] for title, line in zip(titles, said, strict=True)}


def run_with(runner: Runner, recording: Path, code: int = 0) -> Finished:
    return runner("sh", "-c", COPY, "sh", str(recording), str(code), options=())


def test_one_screen_in_a_pipe(runner: Runner, tmp_path: Path) -> None:
    fill(new_process(tmp_path / "made")).write()
    done = run_with(runner, tmp_path / "made", 3)
    assert done.returncode == 3
    assert done.stdout == b"unended"
    said = lines(done)
    assert "exit code 3 after" in said["ran"]
    assert (
        said["device"].strip().startswith("sim: it was asked for; but what was loaded is /opt/rocm")
    )
    assert "24 in 2 threads of 1 process; 1 had not returned at the end" in said["calls"]
    assert said["errors"].strip() == (
        "3: hipMemcpyAsync hipErrorIllegalAddress (700) x 2, hipFree hipErrorInvalidValue (1) x 1; "
        "the first is call 5, hipMemcpyAsync"
    )
    assert said["next"].strip() == "greta analyze run"
    assert (
        "H2D 1.29 KiB in 3, D2H 401 B in 5 (2 failed), D2D 11 B in 2, 1 of arrays" in said["copies"]
    )
    assert "4: saxpy x 2, (not known) x 1, rope x 1; and 1 graph" in said["launches"]
    assert "4 KiB on the device at its peak, 1 KiB not freed" in said["memory"]
    assert said["kept in"].strip().startswith("run (")
    assert len(said) < 24
    assert b"\x1b" not in done.stderr


def test_the_recording_completes_run_json(runner: Runner, tmp_path: Path) -> None:
    fill(new_process(tmp_path / "made")).write()
    facts = run_with(runner, tmp_path / "made").facts
    assert facts["finished"] is True
    assert facts["processes"][0]["executable"] == "/bin/true"
    assert facts["libraries"][0] == {"path": "/lib/libx.so", "build_id": "ab12"}


@pytest.mark.parametrize(
    ("options", "end"), [((), "still goes to stdout.log"), (("--drop-late-output",), "is lost")]
)
def test_output_that_is_still_to_come_is_told(
    runner: Runner, options: tuple[str, ...], end: str
) -> None:
    script = "sleep 100 2>&- & echo $! > child"
    with runner.start("sh", "-c", script, options=options, stdout=-1, stderr=-1) as child:
        child.wait(TIMEOUT)
        os.kill(int((runner.place / "child").read_text()), signal.SIGKILL)
        said = child.communicate(timeout=TIMEOUT)[1].decode()
    assert (
        f"held open by a child of the program that is still running; what it writes {end}" in said
    )


def test_a_clean_run_says_so(runner: Runner, tmp_path: Path) -> None:
    process = new_process(tmp_path / "made")
    Calls(process.lane())("hipDeviceSynchronize")
    process.write()
    said = lines(run_with(runner, tmp_path / "made"))
    assert said["errors"].strip() == "none: every call that returned succeeded"
    assert "1 in 1 thread of 1 process" in said["calls"]
    assert said["next"].strip() == "greta analyze run"
    assert not {"dropped", "ring", "problem"} & set(said)


def test_gaps_are_told(runner: Runner, tmp_path: Path) -> None:
    process = new_process(tmp_path / "made")
    process.dropped, process.flags, process.ring_records = 3, 4, 4
    call = Calls(process.lane())
    for _ in range(10):
        call("hipDeviceSynchronize")
    process.write()
    said = lines(run_with(runner, tmp_path / "made"))
    assert "3 calls could not be recorded" in said["dropped"]
    assert "6 older records were overwritten" in said["ring"]


def test_a_recording_that_cannot_be_read_does_not_hide_how_it_ended(
    runner: Runner, tmp_path: Path
) -> None:
    (tmp_path / "made" / "1.0").mkdir(parents=True)
    (tmp_path / "made" / "1.0" / "header").write_bytes(b"nonsense")
    done = run_with(runner, tmp_path / "made", 4)
    assert done.returncode == 4
    assert "the recording cannot be read" in lines(done)["problem"]
    assert lines(done)["calls"].strip() == "not known"
    assert done.facts["finished"] is True


def test_nothing_recorded_is_said_with_what_may_be_why(runner: Runner) -> None:
    said = lines(runner("true", options=()))
    assert said["calls"].strip().startswith("none recorded: no HIP call was made, or only")
    assert len(said["calls"]) < 120
    assert "next" not in said


def test_a_disk_that_was_full_is_why_nothing_is_recorded(runner: Runner, tmp_path: Path) -> None:
    process = new_process(tmp_path / "made")
    process.dropped, process.flags = 3, INCOMPLETE
    process.write()
    said = lines(run_with(runner, tmp_path / "made"))
    assert "calls" not in said
    assert said["dropped"].strip() == (
        "3 calls could not be recorded; the recorder says why on stderr, and none was recorded"
    )


def test_a_script_is_told_by_its_line(runner: Runner, tmp_path: Path) -> None:
    process = new_process(tmp_path / "made")
    frame = {"function": "main", "first_line": 41, "instruction": 0, "line_table": "0a00"}
    frames = [{**frame, "file": str(tmp_path / "solver.py")}]
    process.line("script", id=1, python="3.10", frames=frames)
    Calls(process.lane())("hipFree", 1, result=1, script=1)
    process.write()
    assert lines(run_with(runner, tmp_path / "made"))["errors"].strip() == (
        "1: hipFree hipErrorInvalidValue (1), call 1 at solver.py:41 (main)"
    )


def test_a_native_program_is_told_by_its_line(runner: Runner, tmp_path: Path) -> None:
    program, base = tmp_path / "solver", 0x400000
    source = tmp_path / "solver.cpp"
    source.write_text('extern "C" void solve() {\n}\nint main() { solve(); }\n')
    build = ["g++", "-g", "-no-pie", "-Wl,--build-id=none", str(source), "-o", str(program)]
    subprocess.run(build, check=True)
    table = subprocess.run(["nm", program], capture_output=True, text=True, check=True).stdout
    address = next(int(row.split()[0], 16) for row in table.splitlines() if row.endswith(" solve"))
    process = new_process(tmp_path / "made")
    place = {"begin": hex(base), "end": hex(base + (1 << 20)), "base": "0x0"}
    process.line("library", path=str(program), build_id="", **place)
    for _ in range(2):
        Calls(process.lane())("hipFree", 1, result=1, site=address + 1)
    process.write()
    assert lines(run_with(runner, tmp_path / "made"))["errors"].strip() == (
        "2 of hipFree hipErrorInvalidValue (1); the first is call 1 at solver.cpp:1 (solve)"
    )


def test_a_child_that_crashed_is_named(runner: Runner, tmp_path: Path) -> None:
    process = new_process(tmp_path / "made")
    Calls(process.lane())("hipDeviceSynchronize")
    process.end, process.end_code = SIGNAL, 11
    process.write()
    said = lines(run_with(runner, tmp_path / "made"))
    assert said["child"].strip() == "process 4711 (true) ended by SIGSEGV"
    assert "greta analyze" in said["next"]


def test_launches_of_one_kernel_are_counted_once(runner: Runner, tmp_path: Path) -> None:
    process = new_process(tmp_path / "made")
    call = Calls(process.lane())
    for _ in range(981):
        call("hipModuleLaunchKernel", kernel=1)
    process.write()
    assert lines(run_with(runner, tmp_path / "made"))["launches"].strip() == "981 of rope"


def test_a_static_program_is_known_for_what_it_is(runner: Runner, tmp_path: Path) -> None:
    static = tmp_path / "static"
    command = ["g++", "-static", "-x", "c++", "-", "-o", str(static)]
    subprocess.run(command, input=b"int main() {}", check=True)
    said = lines(runner(str(static), options=()))
    assert f"{static} is statically linked" in said["calls"]


def test_a_setuid_program_is_known_for_what_it_is(runner: Runner, tmp_path: Path) -> None:
    program = tmp_path / "program"
    program.write_bytes(Path("/bin/true").read_bytes())
    if os.geteuid() == 0:
        os.chown(program, 65534, 65534)  # root gains nothing by a setuid program of its own
    program.chmod(0o4755)
    said = lines(runner(str(program), options=()))
    assert "runs with more rights than its user's" in said["calls"]


def test_a_signal_is_named(runner: Runner) -> None:
    said = lines(runner("sh", "-c", "kill -SEGV $$", options=()))
    assert "ended by SIGSEGV (11" in said["ran"]


def test_names_cannot_drive_the_terminal(runner: Runner) -> None:
    done = runner("true", "\x1b[31m", options=())
    assert b"\x1b" not in done.stderr
    assert b"?[31m" in done.stderr


@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
def test_in_a_terminal_it_is_a_table_on_lines_of_its_own(runner: Runner) -> None:
    with terminal(runner, "printf", "unended", options=()) as screen:
        assert screen.end() == 0
    assert b"unended\r\n" in screen.seen
    assert b"\x1b[" in screen.seen
    assert b"none recorded" in screen.seen


def test_quiet_is_quiet(runner: Runner) -> None:
    done = runner("true")
    assert done.stderr == b""
    assert done.facts["finished"] is True
