"""How the program ended is how `greta run` ends, and signals find the program."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.runs.running import TIMEOUT, Runner, read_facts, wait_until
from tests.simdevice.streams import eventually

READY_AND_WAIT = "echo ready; exec sleep 100"
HANDLES = """
import signal, sys, time
def handle(number, _):
    print("got", signal.Signals(number).name, flush=True)
    sys.exit(7)
for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1):
    signal.signal(number, handle)
print("ready", flush=True)
time.sleep(100)
"""


def start(runner: Runner, *words: str, **how: Any) -> subprocess.Popen[bytes]:
    """A run whose program has said that it is ready, in a process group of its own."""
    child = runner.start(*words, stdout=-1, start_new_session=True, **how)
    assert child.stdout is not None
    assert child.stdout.readline() == b"ready\n"
    return child


@pytest.mark.parametrize("code", [0, 1, 2, 42, 255])
def test_the_exit_code_is_the_programs(runner: Runner, code: int) -> None:
    done = runner("sh", "-c", f"exit {code}")
    assert done.returncode == code
    assert done.facts["exit"] == {"code": code, "signal": None, "core_dumped": False}


@pytest.mark.parametrize("name", ["SIGKILL", "SIGSEGV", "SIGABRT", "SIGTERM", "SIGBUS"])
def test_a_signal_that_ends_the_program_is_told_as_shells_do(runner: Runner, name: str) -> None:
    number = getattr(signal, name)
    done = runner("sh", "-c", f"ulimit -c 0; echo last words; kill -{int(number)} $$")
    assert done.returncode == 128 + number
    assert done.stdout == b"last words\n"
    assert (done.facts["exit"]["code"], done.facts["exit"]["signal"]) == (None, name)


def test_a_real_time_signal_has_a_number(runner: Runner) -> None:
    done = runner("sh", "-c", "kill -40 $$")
    assert done.returncode == 128 + 40
    assert done.facts["exit"]["signal"] == "signal 40"


@pytest.mark.parametrize("name", ["SIGTERM", "SIGINT", "SIGHUP", "SIGUSR1"])
def test_a_signal_to_us_reaches_the_program(runner: Runner, name: str) -> None:
    with start(runner, sys.executable, "-c", HANDLES) as child:
        child.send_signal(getattr(signal, name))
        assert child.communicate(timeout=TIMEOUT)[0] == f"got {name}\n".encode()
        assert child.returncode == 7


@pytest.mark.parametrize("name", ["SIGTERM", "SIGINT"])
def test_a_program_that_does_not_handle_it_ends_by_it(runner: Runner, name: str) -> None:
    number = getattr(signal, name)
    with start(runner, "sh", "-c", READY_AND_WAIT) as child:
        child.send_signal(number)
        assert child.wait(TIMEOUT) == 128 + number
    assert read_facts(runner.folder)["exit"]["signal"] == name


def test_a_signal_to_the_whole_group_is_survived(runner: Runner) -> None:
    with start(runner, "sh", "-c", READY_AND_WAIT) as child:
        os.killpg(child.pid, signal.SIGINT)
        assert child.wait(TIMEOUT) == 128 + signal.SIGINT
    facts = read_facts(runner.folder)
    assert (facts["finished"], facts["exit"]["signal"]) == (True, "SIGINT")


def test_a_signal_that_the_program_survives_does_not_end_us(runner: Runner) -> None:
    script = "trap 'echo no' TERM; echo ready; sleep 1 & wait $!; wait; echo done"
    with start(runner, "sh", "-c", script) as child:
        child.send_signal(signal.SIGTERM)
        assert child.communicate(timeout=TIMEOUT)[0] == b"no\ndone\n"
        assert child.returncode == 0


def test_what_nohup_ignores_stays_ignored(runner: Runner) -> None:
    script = "import signal; print(signal.getsignal(signal.SIGHUP) == signal.SIG_IGN)"
    words = ["sh", "-c", "trap '' HUP; exec \"$@\"", "sh"]
    done = subprocess.run(
        [*words, *runner.command(sys.executable, "-c", script)],
        env=runner.environment,
        cwd=runner.place,
        capture_output=True,
        timeout=TIMEOUT,
        check=False,
    )
    assert done.stdout == b"True\n"


def test_the_program_starts_with_the_signals_of_whoever_started_greta(runner: Runner) -> None:
    command = ["sh", "-c", "grep -E 'SigBlk|SigIgn' /proc/self/status"]
    plain = subprocess.run(command, capture_output=True, check=True, timeout=TIMEOUT)
    assert runner(*command).stdout == plain.stdout


def test_the_end_is_seen_where_whoever_started_greta_ignores_children(runner: Runner) -> None:
    shows = "import signal; print(signal.getsignal(signal.SIGCHLD).name); exit(3)"
    words = runner.command(sys.executable, "-c", shows)
    ignoring = "import os, signal; signal.signal(signal.SIGCHLD, signal.SIG_IGN); "
    done = subprocess.run(
        [sys.executable, "-c", f"{ignoring} os.execv({words[0]!r}, {words!r})"],
        env=runner.environment,
        cwd=runner.place,
        capture_output=True,
        timeout=TIMEOUT,
        check=False,
    )
    assert (done.returncode, done.stdout) == (3, b"SIG_IGN\n")
    assert read_facts(runner.folder)["exit"]["code"] == 3


def test_a_parent_that_is_killed_takes_the_program_along_and_the_run_says_so(
    runner: Runner,
) -> None:
    with start(runner, "sh", "-c", "echo ready; echo $$; exec sleep 100") as child:
        assert child.stdout is not None
        program = int(child.stdout.readline())
        child.kill()
        child.wait(TIMEOUT)
        eventually(lambda: not Path(f"/proc/{program}/exe").exists())
    facts = read_facts(runner.folder)
    assert (facts["finished"], facts["exit"], facts["ended"]) == (False, None, None)
    assert facts["program"]["sha256"]
    assert (runner.folder / "stdout.log").read_bytes().startswith(b"ready\n")


STARTS_ANOTHER = "sleep 100 >/dev/null 2>&1 & echo $!"


def test_so_it_does_what_the_program_has_started(runner: Runner) -> None:
    with start(runner, "sh", "-c", f"echo ready; {STARTS_ANOTHER}; wait") as child:
        assert child.stdout is not None
        started = int(child.stdout.readline())
        child.kill()
        child.wait(TIMEOUT)
        eventually(lambda: not Path(f"/proc/{started}/exe").exists())


SPEAKS_LATER = f"echo ready; {STARTS_ANOTHER}; while [ ! -e go ]; do sleep 0.05; done; echo later"


@pytest.mark.parametrize("name", ["SIGKILL", "SIGTERM", "SIGINT", "SIGHUP"])
@pytest.mark.parametrize("language", ["en", "es"])
def test_a_program_that_is_to_keep_running_does_and_its_output_is_kept(
    runner: Runner, name: str, language: str
) -> None:
    number = getattr(signal, name)
    options = ("--quiet", "--keep-running", "--lang", language)
    script = f"echo $$ >pid; {SPEAKS_LATER}"
    with start(runner, "sh", "-c", script, options=options, stderr=-1) as child:
        assert child.stdout is not None
        started = int(child.stdout.readline())
        program = int((runner.place / "pid").read_text())
        (os.killpg if name == "SIGINT" else os.kill)(child.pid, number)  # as a terminal does
        assert child.wait(TIMEOUT) == (-9 if name == "SIGKILL" else 128 + number)
        assert Path(f"/proc/{program}/exe").exists()
        assert Path(f"/proc/{started}/exe").exists()
        (runner.place / "go").touch()
        out, said = child.communicate(timeout=TIMEOUT)
        wait_until(lambda: not Path(f"/proc/{program}/exe").exists())
    os.kill(started, signal.SIGKILL)
    assert out == b"later\n"
    assert (runner.folder / "stdout.log").read_bytes().endswith(b"\nlater\n")
    lives = "lives on as process" if language == "en" else "sigue vivo como proceso"
    assert f"{lives} {program}," in said.decode()
    assert said.decode().count("greta: ") == 1
    assert not read_facts(runner.folder)["finished"]


def test_one_that_is_to_keep_running_outlasts_the_readers_of_its_output(runner: Runner) -> None:
    script = f"{SPEAKS_LATER}; echo done >end"
    with start(runner, "sh", "-c", script, options=("--quiet", "--keep-running")) as child:
        assert child.stdout is not None
        started = int(child.stdout.readline())
        child.kill()
        child.wait(TIMEOUT)
        child.stdout.close()
        (runner.place / "go").touch()
        wait_until((runner.place / "end").exists)
    os.kill(started, signal.SIGKILL)
    wait_until(lambda: (runner.folder / "stdout.log").read_bytes().endswith(b"\nlater\n"))


def test_one_that_is_to_keep_running_and_ends_is_a_run_like_others(runner: Runner) -> None:
    script = "echo out; echo err >&2; exit 3"
    done = runner("sh", "-c", script, options=("--quiet", "--keep-running"))
    assert (done.returncode, done.stdout) == (3, b"out\n")
    assert done.facts["exit"]["code"] == 3
    assert (runner.folder / "stderr.log").read_bytes() == b"err\n"


def test_what_a_program_leaves_behind_at_its_own_end_lives_on(runner: Runner) -> None:
    started = int(runner("sh", "-c", STARTS_ANOTHER).stdout)
    try:
        assert Path(f"/proc/{started}/exe").exists()
    finally:
        os.kill(started, signal.SIGKILL)
