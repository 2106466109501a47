"""Random correct programs give the bytes that one thread would have given."""

from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings

from tests.simdevice.launching import Kernels
from tests.simdevice.library import compile_kernels, done, hip_library
from tests.simdevice.model.machine import SOURCE, Machine, WrongBytesError
from tests.simdevice.model.patience import Patience
from tests.simdevice.model.program import PROGRAMS, Command, Kind, Memory, Program, StreamKind

if TYPE_CHECKING:
    from greta.hip import SimTree

# The number of programs; fewer or more of them for one run only.
COUNT = int(os.environ.get("GRETA_MODEL_PROGRAMS", "400"))


@pytest.fixture(scope="module")
def kernels(sim_tree: SimTree) -> Kernels:
    return Kernels(compile_kernels(SOURCE))


class Player:
    """Plays programs, each on a thread of its own: one that hangs is told from one that is slow."""

    def __init__(self, kernels: Kernels) -> None:
        self._kernels = kernels
        self._patience = Patience()
        self._hung: Program | None = None

    def play(self, program: Program, *, careless: bool = False) -> None:
        assert self._hung is None, f"the device hangs since {self._hung}"
        errors: list[BaseException] = []
        arguments = (program, careless, errors)
        thread = threading.Thread(target=self._play, args=arguments, daemon=True)
        thread.start()
        if self._patience.is_over(thread):
            self._hung = program
            pytest.fail("the program hangs")
        if errors:
            raise errors[0]

    def _play(self, program: Program, careless: bool, errors: list[BaseException]) -> None:
        try:
            Machine(program, self._kernels, careless=careless).play()
        except BaseException as error:  # goes to the thread that joins
            errors.append(error)


@pytest.fixture(scope="module")
def player(kernels: Kernels) -> Player:
    return Player(kernels)


@settings(
    max_examples=COUNT,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)
@given(program=PROGRAMS)
def test_the_device_computes_what_the_oracle_computes(player: Player, program: Program) -> None:
    player.play(program)


# --- whether the machine would notice

LATE = 150  # microseconds that the first stream loses


def relay(*, delays: int) -> Program:
    """A buffer is written in one stream, late, and read in another."""
    delay = Command(Kind.DELAY, stream=0, number=LATE)
    write = Command(Kind.ADD, stream=0, target=0, segments=4, number=1)
    copy = Command(Kind.COPY, stream=1, target=1, source=0, segments=4)
    return Program(
        streams=(StreamKind.NON_BLOCKING, StreamKind.NON_BLOCKING),
        buffers=((Memory.DEVICE, 1024), (Memory.DEVICE, 1024)),
        commands=(Command(Kind.SYNCHRONIZE), *[delay] * delays, write, copy),
    )


def test_a_correct_program_waits_for_what_it_needs(player: Player) -> None:
    player.play(relay(delays=1000))


def test_without_the_waits_the_same_program_reads_stale_bytes(player: Player) -> None:
    """The first stream is 150 ms late: the copy in the second one does not wait for it."""
    with pytest.raises(WrongBytesError):
        player.play(relay(delays=1000), careless=True)
    done(hip_library().hipDeviceSynchronize())
