"""Processes that the recorder was not in: named if they may have used HIP, else not a word."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from greta.errors import ExitCode
from greta.forensics.analysis import analyze
from greta.forensics.verdict_json import dump_verdict
from greta.hip import SimTree
from greta.reports.lang import Say
from greta.runs.elf import reach_of
from greta.runs.gather import gather
from tests.runs.running import Runner, read_facts

GOOD = """
#include <hip/hip_runtime.h>
#include <stdlib.h>
int main(int argc, char** argv) {
  char host[64] = {0};
  void* memory = 0;
  if (hipMalloc(&memory, 64) != 0) return 1;
  if (hipMemcpy(memory, host, 64, hipMemcpyHostToDevice) != 0) return 1;
  int bytes = argc > 1 ? 4096 : 64;  /* with an argument: past the end of the buffer */
  static char result[4096];
  int error = hipMemcpy(result, memory, bytes, hipMemcpyDeviceToHost);
  hipFree(memory);
  return argc > 1 ? 0 : error;
}
"""
HELLO = '#include <stdio.h>\nint main(void) { puts("hello"); return 0; }\n'
LAUNCHER = """
#include <unistd.h>
int main(int argc, char** argv) { char* none[] = {0}; return execve(argv[1], argv + 1, none); }
"""
SPAWNER = """
#define _GNU_SOURCE
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
extern char** environ;
int main(int argc, char** argv) {
  const char* how = argv[1];
  int status = 0;
  if (strcmp(how, "fork") != 0) unsetenv("LD_PRELOAD");
  if (strcmp(how, "system") == 0) return system(argv[2]);
  if (strcmp(how, "popen") == 0) return pclose(popen(argv[2], "r"));
  if (strcmp(how, "spawn") == 0) {
    pid_t child;
    posix_spawn(&child, argv[2], 0, 0, argv + 2, environ);
  } else if (vfork() == 0) {
    if (strcmp(how, "raw") == 0) syscall(SYS_execve, argv[2], argv + 2, environ);
    if (strcmp(how, "raw_at") == 0) syscall(SYS_execveat, -100, argv[2], argv + 2, environ, 0);
    if (strcmp(how, "execl") == 0) execl(argv[2], argv[2], "x", (char*)0);
    if (strcmp(how, "execlp") == 0) execlp(argv[2], argv[2], "x", (char*)0);
    if (strcmp(how, "execle") == 0) execle(argv[2], argv[2], "x", (char*)0, environ);
    execv(argv[2], argv + 2);
    _exit(127);
  }
  wait(&status);
  return 0;
}
"""


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory, sim_tree: SimTree) -> Path:
    """A folder with all programs of this file, and their sources."""
    folder = tmp_path_factory.mktemp("unseen")
    hip = (f"-I{sim_tree.include}", f"-L{sim_tree.lib}", "-lamdhip64", "-D__HIP_PLATFORM_AMD__")
    for name, source, *flags in (
        ("good", GOOD, *hip, f"-Wl,-rpath,{sim_tree.lib}"),
        ("spawner", SPAWNER),
        ("hello", HELLO, "-static"),
        ("stripped", HELLO, "-static", "-s"),
        ("launcher", LAUNCHER, "-static"),
        ("stripped_launcher", LAUNCHER, "-static", "-s"),
    ):
        file = folder / f"{name}.c"
        file.write_text(source)
        subprocess.run(["gcc", str(file), "-o", str(folder / name), *flags], check=True)
    return folder


@pytest.fixture
def programs(real: Runner, compiled: Path) -> Runner:
    """./good makes correct calls; with an argument it copies past the end of its buffer."""
    shutil.copytree(compiled, real.place, dirs_exist_ok=True)
    return real


def verdict(runner: Runner, script: str) -> dict[str, object]:
    runner("sh", "-c", script)
    return judged(runner)


def judged(runner: Runner) -> dict[str, object]:
    return dump_verdict(analyze(gather(runner.folder)), Say("en").of)


CLEAN = [
    "./good",
    "./good; env -i /bin/true",
    "./good; env -i /bin/ls; env -u LD_PRELOAD uname | env -i grep -c Linux",
    "./good; ls | grep good | sort; (./good)",
    "./good; sh -c 'sh -c \"./good; git --version\"'",
    "./good; ./hello",
    "./good; ./stripped",
    "./good; env -i ./nowhere; true",
    "./good; python3 -c 'import subprocess; subprocess.run([\"uname\"])'",
    "./good; ./spawner fork ./good",
    "./good; ./spawner raw ./nowhere",
]


# What a recording does not show of any program is no doubt about this one.
NO_DOUBT = ("verdict_clean", "verdict_clean_limited")


@pytest.mark.parametrize("script", CLEAN)
def test_who_cannot_have_used_hip_is_no_reason_for_doubt(programs: Runner, script: str) -> None:
    found = verdict(programs, script)
    assert found["verdict"] == "NOT_REPRODUCED"
    assert found["reason_code"] in NO_DOUBT
    assert programs.folder.joinpath("run.json").is_file()


UNSEEN = [
    ("./good; env -i ./good x", "environment", "links"),
    ("env -i ./good x", "environment", "links"),
    ("./good; env -u GRETA_RECORD ./good x", "environment", "links"),
    ("./good; LD_PRELOAD= ./good x", "environment", "links"),
    ("./good; unset LD_PRELOAD; sh -c ./good", "environment", "starts"),
    ("./good; env -i python3 -c 1", "environment", "loads"),
    ("./good; ./launcher ./good x", "static", "starts"),
    ("./good; ./stripped_launcher ./good x", "static", "starts"),
    ("./good; env -i ./launcher ./good x", "environment", "starts"),
    ("./good; ./spawner spawn ./good x", "environment", "links"),
    ("./good; ./spawner system './good x'", "environment", "starts"),
    ("./good; ./spawner popen './good x'", "environment", "starts"),
    ("./good; ./spawner execv ./good x", "environment", "links"),
    ("./good; ./spawner execl ./good", "environment", "links"),
    ("./good; ./spawner execlp ./good", "environment", "links"),
    ("./good; ./spawner execle ./good", "environment", "links"),
    ("./good; ./spawner raw ./good x", "environment", "links"),
    ("./good; ./spawner raw_at ./good x", "environment", "links"),
]


@pytest.mark.parametrize(("script", "why", "reach"), UNSEEN)
def test_who_may_have_used_hip_is_named(
    programs: Runner, script: str, why: str, reach: str
) -> None:
    found = verdict(programs, script)
    assert found["verdict"] == "INCONCLUSIVE"
    data = found["reason_data"]
    assert isinstance(data, dict)
    assert (data["unfollowed"], data["reach"]) == (why, reach)
    assert data["command"]
    rulings = {one["id"]: one["verdict"] for one in found["hypotheses"]}  # type: ignore[attr-defined]
    del rulings["wrong_binary"]  # which is about files
    assert "REFUTED" not in rulings.values()


def test_the_run_says_so_at_once_in_one_sentence(programs: Runner) -> None:
    said = programs("sh", "-c", "./good; env -i ./good x", options=()).stderr.decode()
    assert "(./good x) was not recorded: it was started without" in said
    assert "It may have used HIP: it is linked with a HIP library." in said
    assert "GRETA_RECORD" in said
    spanish = dump_verdict(analyze(gather(programs.folder)), Say("es").of)["reason"]
    assert "no se grabó: se inició sin LD_PRELOAD" in spanish


def test_a_forked_daemon_is_recorded(programs: Runner) -> None:
    found = verdict(programs, "./good; (setsid ./good x & wait)")
    assert found["verdict"] == "REPRODUCED"


def given_away(place: Path, program: str, name: str) -> None:
    """A copy of a program that runs as another user."""
    other = place / name
    shutil.copy(place / program, other)
    try:
        shutil.chown(other, 65534, 65534)
    except PermissionError:
        pytest.skip("only root can give a file away")
    other.chmod(0o6755)


def test_a_program_with_more_rights_is_not_recorded(programs: Runner) -> None:
    given_away(programs.place, "good", "other")
    data = verdict(programs, "./good; ./other x")["reason_data"]
    assert isinstance(data, dict)
    assert (data["unfollowed"], data["reach"]) == ("rights", "links")


# --- the program itself ---------------------------------------------------------------------------


def test_a_static_main_program_that_may_use_hip_is_named(programs: Runner) -> None:
    programs("./launcher", "./good", "x")
    data = judged(programs)["reason_data"]
    assert isinstance(data, dict)
    assert (data["unfollowed"], data["reach"]) == ("static", "starts")
    assert data["command"] == "./launcher ./good x"


def test_a_static_main_program_that_cannot_is_not(programs: Runner) -> None:
    programs("./hello")
    assert judged(programs)["reason_code"] == "verdict_nothing_ran"


def test_a_main_program_with_more_rights_is_named(programs: Runner) -> None:
    given_away(programs.place, "good", "other")
    programs("./other", "x")
    data = judged(programs)["reason_data"]
    assert isinstance(data, dict)
    assert (data["unfollowed"], data["reach"]) == ("rights", "links")


def test_a_main_program_with_rights_of_its_own_user_is_recorded(programs: Runner) -> None:
    own = programs.place / "own"
    shutil.copy(programs.place / "good", own)
    own.chmod(0o6755)
    programs("./own")
    assert judged(programs)["verdict"] == "NOT_REPRODUCED"


# --- what lives on --------------------------------------------------------------------------------

WAITING = f"'{sys.executable}' -c 'import time; print(0, flush=True); time.sleep(60)'"
"""Its interpreter can load libraries."""


@pytest.fixture
def ended_later(programs: Runner) -> Iterator[Runner]:
    """What a run leaves behind ends with the test."""
    yield programs
    pid = programs.place / "pid"
    if pid.exists():
        with suppress(ProcessLookupError):
            os.kill(int(pid.read_text()), signal.SIGKILL)


def test_a_daemon_that_may_still_use_hip_is_named(ended_later: Runner) -> None:
    found = verdict(ended_later, f"./good; {WAITING} >/dev/null 2>&1 & echo $! > pid; ./good")
    assert found["verdict"] == "INCONCLUSIVE"
    data = found["reason_data"]
    assert isinstance(data, dict)
    assert (data["unfollowed"], data["reach"]) == ("alive", "loads")
    assert "still running when the run ended" in str(found["reason"])


@pytest.mark.parametrize("waits", ["sleep 60", "env -i sleep 60"])
def test_a_daemon_that_cannot_is_not(ended_later: Runner, waits: str) -> None:
    found = verdict(ended_later, f"./good; {waits} >/dev/null 2>&1 & echo $! > pid; ./good")
    assert found["verdict"] == "NOT_REPRODUCED"
    assert found["reason_code"] in NO_DOUBT


def test_a_daemon_that_was_recorded_after_all_is_not(ended_later: Runner) -> None:
    verdict(ended_later, f"{WAITING} >/dev/null 2>&1 & echo $! > pid; ./good")
    pid = (ended_later.place / "pid").read_text().strip()
    folders = ended_later.folder / "recording"
    (recorded,) = folders.glob("*.0")
    shutil.copytree(recorded, folders / f"{pid}.0")
    assert judged(ended_later)["verdict"] == "NOT_REPRODUCED"


def test_a_child_whose_pid_is_not_known_is_told_by_its_parent(programs: Runner) -> None:
    reason = str(verdict(programs, "./good; ./spawner popen './good x'")["reason"])
    assert re.search(r"but a child of process \d+ \(sh -c './good x'\) was not recorded", reason)
    spanish = dump_verdict(analyze(gather(programs.folder)), Say("es").of)["reason"]
    assert re.search(r"pero un hijo del proceso \d+ ", spanish)


@pytest.mark.parametrize("with_notes", [True, False])
def test_a_process_whose_folder_is_gone_is_missed(programs: Runner, with_notes: bool) -> None:
    assert verdict(programs, "./good; ./good x")["verdict"] == "REPRODUCED"
    processes = read_facts(programs.folder)["processes"]
    (faulty,) = (process for process in processes if len(process["arguments"]) > 1)
    shutil.rmtree(programs.folder / "recording" / f"{faulty['pid']}.0")
    if not with_notes:
        (programs.folder / "recording/processes.jsonl").unlink()
    found = judged(programs)
    assert found["verdict"] == "INCONCLUSIVE"
    assert found["reason_data"] == {
        "pid": str(faulty["pid"]),
        "command": "./good x",
        "unfollowed": "gone",
        "reach": "called",
    }


def test_a_recording_alone_misses_it_too(programs: Runner) -> None:
    verdict(programs, "./good; ./good x")
    (programs.folder / "run.json").unlink()
    lines = (programs.folder / "recording/processes.jsonl").read_text().splitlines()
    names = [json.loads(line)["name"] for line in lines]
    shutil.rmtree(programs.folder / "recording" / names[-1])
    assert judged(programs)["reason_code"] == "verdict_unseen"


@pytest.mark.parametrize("notes", [b"\xff\x00{]\n[1]\n", b'{"pid":true}\n{"kind":"unfollowed"}\n'])
def test_damaged_notes_do_no_harm(programs: Runner, notes: bytes) -> None:
    verdict(programs, "./good")
    (programs.folder / "recording/processes.jsonl").write_bytes(notes)
    assert judged(programs)["verdict"] == "NOT_REPRODUCED"


def test_what_cannot_be_examined_may_have_used_hip(tmp_path: Path) -> None:
    assert reach_of(tmp_path / "none") == "unknown"
    (tmp_path / "text").write_text("echo")
    assert reach_of(tmp_path / "text") == "unknown"


@pytest.mark.parametrize("command", ["analyze", "report"])
def test_a_reader_that_goes_away_changes_no_exit_code(programs: Runner, command: str) -> None:
    verdict(programs, "./good x")
    words = f"'{sys.executable}' -m greta"
    script = f"{words} {command} '{programs.folder}' | true; exit ${{PIPESTATUS[0]}}"
    plain = subprocess.run(
        ["bash", "-c", f"{words} {command} '{programs.folder}'"],
        env=programs.environment,
        capture_output=True,
        check=False,
    )
    piped = subprocess.run(
        ["bash", "-c", script], env=programs.environment, capture_output=True, check=False
    )
    assert plain.returncode == piped.returncode
    if command == "analyze":
        assert piped.returncode == ExitCode.FAULT
    assert b"Traceback" not in piped.stderr


def test_a_run_whose_stderr_nobody_reads_keeps_its_exit_code(real: Runner) -> None:
    words = " ".join(f"'{word}'" for word in real.command("sh", "-c", "exit 7", options=()))
    done = subprocess.run(
        ["bash", "-c", f"{words} 2>&1 | true; exit ${{PIPESTATUS[0]}}"],
        env=real.environment,
        check=False,
    )
    assert done.returncode == 7
