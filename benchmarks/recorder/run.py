"""What a recorded call costs: against LTTng-UST with the same facts, and against a line of text.

    python benchmarks/recorder/run.py        (make bench-recorder)

Every program calls a HIP library that does nothing. The cost of a call is what its loop takes more
than the same loop without recording, in rounds of 20,000 calls with pauses, as real programs make
them; the median of all rounds, the programs taking turns. A second table shows calls without any
pause, where every new page of a growing file counts, and LTTng loses what its buffers cannot hold.
LTTng-UST needs Debian's lttng-tools and liblttng-ust-dev; without them its lines are left out.
"""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from greta.runs.recorder import find_recorder

HERE = Path(__file__).parent
TURNS = 5
DEPTHS = (1, 8, 28)
GOAL = 0.4


@dataclass
class Peer:
    """A program, its environment, and what its rounds took."""

    name: str
    program: Path
    env: dict[str, str]
    leaves: Path | None = None  # what a run writes, to be removed
    rounds: list[float] = field(default_factory=list)

    def run(self, *arguments: str) -> None:
        """One turn."""
        env = {**os.environ, **self.env}
        done = subprocess.run(
            [self.program, *arguments], env=env, check=True, capture_output=True, text=True
        )
        self.rounds += [float(line) for line in done.stdout.split()]
        if self.leaves is not None:
            shutil.rmtree(self.leaves, ignore_errors=True)

    @property
    def nanoseconds(self) -> float:
        """Per call."""
        return statistics.median(self.rounds)


def main() -> int:
    """Builds, measures, prints."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with _lttng(folder) as lttng:
            peers = _peers(folder, lttng)
            print("20,000 calls at a time, with pauses", flush=True)
            _measure(peers, "20", "20000", "30")
            print("500,000 calls without a pause", flush=True)
            _measure(peers, "1", "500000", "0")
        _measure_stacks(folder)
    return 0


def _measure(peers: list[Peer], *arguments: str) -> None:
    for peer in peers:
        peer.rounds.clear()
    for _ in range(TURNS):
        for peer in peers:
            peer.run(*arguments)
    plain, ours = peers[0].nanoseconds, peers[1].nanoseconds - peers[0].nanoseconds
    print(f"  {'a call that is not recorded':34} {plain:8.1f} ns")
    for peer in peers[1:]:
        cost = peer.nanoseconds - plain
        goal = f" (at most {GOAL})" if peer.name.startswith("LTTng-UST") else ""
        ratio = "" if peer is peers[1] else f"   recorder / this: {ours / cost:.2f}{goal}"
        print(f"  {peer.name:34} {cost:8.1f} ns{ratio}", flush=True)


def _measure_stacks(folder: Path) -> None:
    """What keeping the stack adds to a call, by how deep it is; the stack is one that was seen."""
    program, recording = _program(folder, "call_deep"), folder / "recording"
    record = {"LD_PRELOAD": str(find_recorder()), "GRETA_RECORD": str(recording)}
    print("20,000 calls at a time, with their stacks (at most 32 frames) and without", flush=True)
    for depth in DEPTHS:
        peers = [
            Peer(frames, program, {**record, "GRETA_RECORD_STACKS": frames}, recording)
            for frames in ("32", "0")
        ]
        for _ in range(TURNS):
            for peer in peers:
                peer.run("20", "20000", "30", str(depth))
        kept, without = (peer.nanoseconds for peer in peers)
        print(
            f"  {depth:2} frames below main: {kept:6.1f} ns a call, {without:6.1f} ns without: "
            f"{kept - without:5.1f} ns",
            flush=True,
        )


def _peers(folder: Path, lttng: Mapping[str, str] | None) -> list[Peer]:
    library = folder / "libamdhip64.so"
    _compile([HERE / "hip_nothing.c", "-shared", "-fPIC", "-o", library])
    hip = _program(folder, "call_hip")
    recording = folder / "recording"
    record = {"LD_PRELOAD": str(find_recorder()), "GRETA_RECORD": str(recording)}
    log = {"GRETA_BENCH_LOG": str(folder / "log")}
    peers = [
        Peer("not recorded", hip, {}),
        Peer("recorder", hip, record, recording),
        Peer(
            "recorder, last 100,000 calls",
            hip,
            {**record, "GRETA_RECORD_RING": "100000"},
            recording,
        ),
        Peer("text: fprintf and fflush", _program(folder, "call_text"), log),
    ]
    if lttng is not None:
        program = _program(folder, "call_lttng", "-llttng-ust", "-ldl")
        peers.insert(3, Peer("LTTng-UST, same facts", program, dict(lttng)))
    return peers


def _program(folder: Path, name: str, *libraries: str) -> Path:
    program = folder / name
    sources = [f"-I{HERE}", HERE / f"{name}.c"]
    _compile(
        [*sources, "-o", program, f"-L{folder}", "-lamdhip64", f"-Wl,-rpath,{folder}", *libraries]
    )
    return program


def _compile(arguments: list[str | Path]) -> None:
    subprocess.run([os.environ.get("CC", "gcc"), "-O2", *arguments], check=True)


@contextmanager
def _lttng(folder: Path) -> Iterator[Mapping[str, str] | None]:
    """The environment of programs whose events a session of LTTng-UST takes up."""
    if shutil.which("lttng-sessiond") is None:
        print("LTTng-UST is not installed (lttng-tools, liblttng-ust-dev); its line is left out")
        yield None
        return
    env = {"HOME": str(folder), "LTTNG_HOME": str(folder)}
    command = ["lttng-sessiond", "--no-kernel", "--quiet"]
    daemon = subprocess.Popen(command, env={**os.environ, **env}, stderr=subprocess.DEVNULL)
    try:
        _start_session(folder, env)
        yield env
        _lttng_command(env, "destroy", "peer")
    finally:
        daemon.terminate()
        daemon.wait()


def _start_session(folder: Path, env: Mapping[str, str]) -> None:
    for _ in range(50):
        if _lttng_command(env, "create", "peer", f"--output={folder / 'trace'}"):
            break
        time.sleep(0.1)  # the daemon is not there yet
    channel = ("--userspace", "--channel=peer_channel")
    size = ("--subbuf-size=4M", "--num-subbuf=8")
    steps = [
        ("enable-channel", "--userspace", *size, "peer_channel"),
        ("enable-event", *channel, "greta_peer:call"),
        ("add-context", *channel, "--type=vtid"),
        ("start",),
    ]
    for step in steps:
        if not _lttng_command(env, *step):
            sys.exit(f"lttng {step[0]} failed")


def _lttng_command(env: Mapping[str, str], *words: str) -> bool:
    done = subprocess.run(
        ["lttng", *words], env={**os.environ, **env}, capture_output=True, check=False
    )
    return done.returncode == 0


if __name__ == "__main__":
    sys.exit(main())
