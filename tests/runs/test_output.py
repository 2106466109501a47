"""What the program writes passes through `greta run` byte for byte, and is kept."""

from __future__ import annotations

import hashlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import IO

from tests.runs.running import TIMEOUT, Runner, read_facts, wait_until

MIB = 1 << 20

# Deterministic noise on both streams, in odd chunks, with every byte value.
NOISE = """
import os, random, sys, threading
def write(descriptor, seed, size):
    noise = random.Random(seed).randbytes(size)
    for at in range(0, size, 70001):
        rest = noise[at:at + 70001]
        while rest:
            rest = rest[os.write(descriptor, rest):]
writers = [threading.Thread(target=write, args=(n, n, int(sys.argv[1]))) for n in (1, 2)]
[t.start() for t in writers]
[t.join() for t in writers]
"""


def test_streams_stay_apart(runner: Runner) -> None:
    done = runner("sh", "-c", "echo out; echo err >&2")
    assert (done.stdout, done.stderr) == (b"out\n", b"err\n")
    assert (done.log("stdout"), done.log("stderr")) == (b"out\n", b"err\n")


def test_much_binary_output_on_both_streams_at_once(runner: Runner) -> None:
    done = runner.python(NOISE, str(8 * MIB))
    assert done.returncode == 0
    for number, seen in ((1, done.stdout), (2, done.stderr)):
        kept = done.log("stdout" if number == 1 else "stderr")
        assert len(seen) == len(kept) == 8 * MIB
        assert hashlib.sha256(seen).digest() == hashlib.sha256(kept).digest()
    assert done.facts["logs"]["stdout"]["bytes"] == 8 * MIB


def test_output_comes_at_once(runner: Runner) -> None:
    script = "import os; os.write(1, b'half'); os.read(0, 1); os.write(2, b'x'); os.read(0, 1)"
    with runner.start(sys.executable, "-c", script, stdin=-1, stdout=-1, stderr=-1) as child:
        assert read(child.stdout) == b"half"
        assert (runner.folder / "stdout.log").read_bytes() == b"half"
        assert child.stdin is not None
        child.stdin.write(b"go")  # stdin is the program's
        child.stdin.flush()
        assert read(child.stderr) == b"x"


def test_a_reader_that_leaves_stdout_lying_still_gets_stderr(runner: Runner) -> None:
    script = "import os, threading;" + (
        "threading.Thread(target=os.write, args=(1, bytes(1 << 20))).start();"
        "import time; time.sleep(0.5); os.write(2, b'heard')"
    )
    with runner.start(sys.executable, "-c", script, stdout=-1, stderr=-1) as child:
        assert read(child.stderr) == b"heard"
        assert child.communicate(timeout=TIMEOUT)[0] == bytes(MIB)


def test_a_slow_reader_gets_everything_after_the_program_has_ended(runner: Runner) -> None:
    with runner.start(sys.executable, "-c", "print('x' * 200_000)", stdout=-1) as child:
        time.sleep(2)  # more than children may hold a stream open
        assert len(child.communicate(timeout=TIMEOUT)[0]) == 200_001


def test_a_reader_that_goes_away_is_noticed_by_the_program(runner: Runner) -> None:
    # `yes | head -1`: without the recorder SIGPIPE would end it.
    with runner.start("yes", stdout=-1) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == b"y\n"
        child.stdout.close()
        assert child.wait(TIMEOUT) == 128 + signal.SIGPIPE


def test_a_grandchild_that_holds_the_output_does_not_hold_us(runner: Runner) -> None:
    with runner.start("sh", "-c", "echo mine; sleep 100 & echo $!", stdout=-1) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == b"mine\n"
        sleeper = int(child.stdout.readline())
        assert child.wait(20) == 0
        os.kill(sleeper, signal.SIGKILL)
        assert child.stdout.read() == b""  # and nobody else holds it then
    log = read_facts(runner.folder)["logs"]["stdout"]
    assert (log["left_open"], log["followed"]) == (True, True)


def test_a_grandchild_that_writes_for_ever_does_not_hold_us(runner: Runner) -> None:
    # When nobody reads any more it ends by SIGPIPE, as it would without us.
    script = "(yes; echo $? > ended) & echo begun"
    with runner.start("bash", "-c", script, stdout=-1) as child:
        assert child.stdout is not None
        while read_some(child.stdout) and child.poll() is None:
            pass
        assert child.returncode == 0
        child.stdout.close()
    ended = runner.place / "ended"
    wait_until(lambda: ended.is_file() and ended.read_text() == f"{128 + signal.SIGPIPE}\n")


LATE_WRITERS = """
( while [ ! -e go ]; do sleep 0.05; done; echo late; echo $? > status; echo wrong >&2 ) & echo early
"""


def test_what_children_write_after_the_programs_end_is_passed_on_and_kept(runner: Runner) -> None:
    with runner.start("sh", "-c", LATE_WRITERS, stdout=-1, stderr=-1) as child:
        assert child.wait(TIMEOUT) == 0
        (runner.place / "go").touch()
        assert child.communicate(timeout=TIMEOUT) == (b"early\nlate\n", b"wrong\n")
    assert (runner.place / "status").read_text() == "0\n"
    assert (runner.folder / "stdout.log").read_bytes() == b"early\nlate\n"
    assert (runner.folder / "stderr.log").read_bytes() == b"wrong\n"


def test_signals_for_us_do_not_end_who_passes_on_for_children(runner: Runner) -> None:
    # Whoever closes the terminal or presses Ctrl-C later does not mean it.
    def followers() -> list[int]:
        log = os.fsencode(runner.folder / "stdout.log")
        return [int(p.parent.name) for p in Path("/proc").glob("[0-9]*/cmdline") if log in seen(p)]

    with runner.start("sh", "-c", LATE_WRITERS, stdout=-1) as child:
        assert child.wait(TIMEOUT) == 0
        (follower,) = followers()
        for number in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM):
            os.kill(follower, number)
        (runner.place / "go").touch()
        assert child.communicate(timeout=TIMEOUT)[0] == b"early\nlate\n"
    wait_until(lambda: not followers())


def test_who_ends_left_over_children_can_have_nothing_passed_on(runner: Runner) -> None:
    # An audit: what it has looked at must not change any more.
    options = ("--quiet", "--drop-late-output")
    done = runner("sh", "-c", "sleep 100 & echo $!", options=options)
    os.kill(int(done.stdout), signal.SIGKILL)
    log = done.facts["logs"]["stdout"]
    assert (log["left_open"], log["followed"]) == (True, False)


def test_the_last_part_of_a_pipeline_is_waited_for(runner: Runner) -> None:
    done = runner("sh", "-c", "(sleep 0.2; echo late) & echo early")
    assert done.stdout == b"early\nlate\n"
    assert done.facts["logs"]["stdout"]["left_open"] is False


def test_descriptors_that_were_given_to_us_reach_the_program(runner: Runner) -> None:
    reading, writing = os.pipe()
    script = f"import os; os.write({writing}, b'through')"
    with runner.start(sys.executable, "-c", script, pass_fds=[writing]) as child:
        os.close(writing)
        assert child.wait(TIMEOUT) == 0
    assert os.read(reading, 100) == b"through"
    os.close(reading)


def test_closed_descriptors_stay_harmless(runner: Runner, tmp_path: Path) -> None:
    words = runner.command("sh", "-c", "echo unseen; echo $0", "x")
    done = subprocess.run(
        ["sh", "-c", 'exec "$@" <&- >&- 2>&-', "sh", *words],
        env=runner.environment,
        timeout=TIMEOUT,
        check=False,
    )
    assert done.returncode == 0
    assert (runner.folder / "stdout.log").read_bytes() == b"unseen\nx\n"


def test_a_full_disk_is_told_and_the_program_goes_on(runner: Runner) -> None:
    # A limit on the size of files is what a full disk looks like to the one who writes.
    limit = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000)); "
    words = runner.command(sys.executable, "-c", "print('x' * 1_000_000)")
    script = limit + f"import os; os.execv({words[0]!r}, {words!r})"
    done = subprocess.run(
        [sys.executable, "-c", script],
        env=runner.environment,
        cwd=runner.place,
        capture_output=True,
        timeout=TIMEOUT,
        check=False,
    )
    assert len(done.stdout) == 1_000_001
    assert done.returncode == 0
    assert "not complete" in read_facts(runner.folder)["logs"]["stdout"]["problem"]


def test_output_of_a_program_that_is_killed_is_kept(runner: Runner) -> None:
    script = "echo said; echo $$; exec sleep 100"
    with runner.start("sh", "-c", script, stdout=-1) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == b"said\n"
        os.kill(int(child.stdout.readline()), signal.SIGKILL)
        assert child.wait(TIMEOUT) == 128 + signal.SIGKILL
    assert (runner.folder / "stdout.log").read_bytes().startswith(b"said\n")


def read(stream: IO[bytes] | None) -> bytes:
    assert stream is not None
    return os.read(stream.fileno(), 1000)


def read_some(stream: IO[bytes]) -> bytes:
    return os.read(stream.fileno(), MIB)


def seen(file: Path) -> bytes:
    """Of a process that may have ended by now."""
    try:
        return file.read_bytes()
    except OSError:
        return b""
